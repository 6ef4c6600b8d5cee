/* The canonical print of the guard's tree; see tree.h. */
#include "kusto/tree.h"

#include "json/write.h"
#include "kusto/literal.h"

#include "base/banned.h"

static void print_list(const struct kt_kql *n, const struct kt_kql *end, struct kt_buf *out)
{
	for (const struct kt_kql *first = n; n && n != end; n = n->next) {
		if (n != first)
			kt_buf_str(out, ", ");
		kt_kql_print(n, out);
	}
}

/* The lexer let only text through that these accept; should one refuse all the
 * same, the buffer is marked full and nothing is sent. */
static void print_checked(int rc, struct kt_buf *out)
{
	if (rc < 0)
		out->full = true;
}

static void print_pair(const struct kt_kql *n, struct kt_str between, struct kt_buf *out)
{
	kt_kql_print(n->first, out);
	kt_buf_add(out, between);
	kt_kql_print(n->first->next, out);
}

static void print_value(const struct kt_kql *n, struct kt_buf *out)
{
	switch (n->kind) {
	case KT_KQL_BRACKET: print_checked(kt_literal_entity(n->text, out, NULL), out); break;
	case KT_KQL_HIDDEN:
		kt_buf_char(out, 'h');
		print_checked(kt_literal_string(n->text, out, NULL), out);
		break;
	case KT_KQL_STRING: print_checked(kt_literal_string(n->text, out, NULL), out); break;
	case KT_KQL_JSON: kt_json_quote(out, n->text); break;
	case KT_KQL_STAR: kt_buf_char(out, '*'); break;
	case KT_KQL_TYPEOF: kt_buf_fmt(out, "typeof(" KT_FMT ")", KT_ARG(n->text)); break;
	default: /* NAME, ATOM */ kt_buf_add(out, n->text); break;
	}
}

static void print_compound(const struct kt_kql *n, struct kt_buf *out)
{
	switch (n->kind) {
	case KT_KQL_CALL:
		kt_buf_fmt(out, KT_FMT "(", KT_ARG(n->text));
		print_list(n->first, NULL, out);
		kt_buf_char(out, ')');
		break;
	case KT_KQL_MINUS:
		kt_buf_char(out, '-');
		kt_kql_print(n->first, out);
		break;
	case KT_KQL_IN:
		kt_kql_print(n->first, out);
		kt_buf_fmt(out, " " KT_FMT " (", KT_ARG(n->text));
		print_list(n->first->next, NULL, out);
		kt_buf_char(out, ')');
		break;
	case KT_KQL_BETWEEN:
		kt_kql_print(n->first, out);
		kt_buf_fmt(out, " " KT_FMT " (", KT_ARG(n->text));
		kt_kql_print(n->first->next, out);
		kt_buf_str(out, " .. ");
		kt_kql_print(n->first->next->next, out);
		kt_buf_char(out, ')');
		break;
	case KT_KQL_INDEX:
		kt_kql_print(n->first, out);
		kt_buf_char(out, '[');
		kt_kql_print(n->first->next, out);
		kt_buf_char(out, ']');
		break;
	case KT_KQL_PAREN:
	case KT_KQL_DYNAMIC:
		kt_buf_str(out, n->kind == KT_KQL_PAREN ? "(" : "dynamic(");
		kt_kql_print(n->first, out);
		kt_buf_char(out, ')');
		break;
	default: /* ARRAY */
		kt_buf_char(out, '[');
		print_list(n->first, NULL, out);
		kt_buf_char(out, ']');
		break;
	}
}

static void print_parse(const struct kt_kql *n, struct kt_buf *out)
{
	kt_buf_str(out, "parse ");
	if (n->text.len)
		kt_buf_fmt(out, "kind=" KT_FMT " ", KT_ARG(n->text));
	kt_kql_print(n->first, out);
	kt_buf_str(out, " with");
	for (const struct kt_kql *part = n->first->next; part; part = part->next) {
		kt_buf_char(out, ' ');
		kt_kql_print(part, out);
	}
}

static void print_summarize(const struct kt_kql *n, struct kt_buf *out)
{
	kt_buf_str(out, "summarize ");
	print_list(n->first, n->by, out);
	if (n->by) {
		kt_buf_str(out, n->first == n->by ? "by " : " by ");
		print_list(n->by, NULL, out);
	}
}

static void print_step(const struct kt_kql *n, struct kt_buf *out)
{
	static const char *const words[] = {
		[KT_KQL_WHERE] = "where ",
		[KT_KQL_PROJECT] = "project ",
		[KT_KQL_PROJECT_AWAY] = "project-away ",
		[KT_KQL_EXTEND] = "extend ",
		[KT_KQL_SORT] = "sort by ",
		[KT_KQL_DISTINCT] = "distinct ",
		[KT_KQL_MV_EXPAND] = "mv-expand ",
		[KT_KQL_COUNT] = "count",
	};

	switch (n->kind) {
	case KT_KQL_TAKE: kt_buf_fmt(out, "take " KT_FMT, KT_ARG(n->text)); break;
	case KT_KQL_TOP:
		kt_buf_fmt(out, "top " KT_FMT " by ", KT_ARG(n->text));
		print_list(n->first, NULL, out);
		break;
	case KT_KQL_SUMMARIZE: print_summarize(n, out); break;
	case KT_KQL_PARSE: print_parse(n, out); break;
	default:
		kt_buf_str(out, words[n->kind]);
		print_list(n->first, NULL, out);
		if (n->kind == KT_KQL_MV_EXPAND && n->text.len)
			kt_buf_fmt(out, " limit " KT_FMT, KT_ARG(n->text));
		break;
	}
}

void kt_kql_print(const struct kt_kql *n, struct kt_buf *out)
{
	switch (n->kind) {
	case KT_KQL_NAME:
	case KT_KQL_BRACKET:
	case KT_KQL_STRING:
	case KT_KQL_HIDDEN:
	case KT_KQL_ATOM:
	case KT_KQL_STAR:
	case KT_KQL_JSON:
	case KT_KQL_TYPEOF: print_value(n, out); break;
	case KT_KQL_CALL:
	case KT_KQL_MINUS:
	case KT_KQL_IN:
	case KT_KQL_BETWEEN:
	case KT_KQL_INDEX:
	case KT_KQL_PAREN:
	case KT_KQL_DYNAMIC:
	case KT_KQL_ARRAY: print_compound(n, out); break;
	case KT_KQL_BINARY:
		kt_kql_print(n->first, out);
		kt_buf_fmt(out, " " KT_FMT " ", KT_ARG(n->text));
		kt_kql_print(n->first->next, out);
		break;
	case KT_KQL_MEMBER: print_pair(n, KT_S("."), out); break;
	case KT_KQL_ASSIGN: print_pair(n, KT_S(" = "), out); break;
	case KT_KQL_SUFFIXED:
		kt_kql_print(n->first, out);
		kt_buf_fmt(out, " " KT_FMT, KT_ARG(n->text));
		break;
	case KT_KQL_TYPED:
		kt_kql_print(n->first, out);
		kt_buf_fmt(out, ":" KT_FMT, KT_ARG(n->text));
		break;
	default: print_step(n, out); break;
	}
}

void kt_kql_print_pipeline(const struct kt_kql *first, struct kt_buf *out)
{
	for (const struct kt_kql *n = first; n; n = n->next) {
		kt_buf_str(out, " | ");
		print_step(n, out);
	}
}
