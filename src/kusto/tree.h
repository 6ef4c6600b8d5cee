/* The guard's own tree of a text, its parser and its canonical print.
 *
 * The tree can hold nothing but the accepted language, so its print cannot say
 * anything else. Brackets are kept as nodes: precedence is the service's.
 */
#ifndef KT_KUSTO_TREE_H
#define KT_KUSTO_TREE_H

#include "base/buf.h"
#include "kusto/lex.h"

enum kt_kql_kind {
	/* values */
	KT_KQL_NAME,    /* text: a plain identifier */
	KT_KQL_BRACKET, /* text: a name that needs ['…'] */
	KT_KQL_STRING,
	KT_KQL_HIDDEN, /* text: decoded */
	KT_KQL_ATOM,   /* text: canonical literal */
	KT_KQL_STAR,
	KT_KQL_CALL,     /* text: function; children: arguments */
	KT_KQL_MINUS,    /* child: operand */
	KT_KQL_BINARY,   /* text: operator; children: left, right */
	KT_KQL_IN,       /* text: operator; children: left, values… */
	KT_KQL_BETWEEN,  /* text: operator; children: left, low, high */
	KT_KQL_MEMBER,   /* children: value, name */
	KT_KQL_INDEX,    /* children: value, index */
	KT_KQL_PAREN,    /* child */
	KT_KQL_ASSIGN,   /* children: name, value */
	KT_KQL_DYNAMIC,  /* child: JSON value */
	KT_KQL_ARRAY,    /* children: JSON values */
	KT_KQL_JSON,     /* text: decoded string inside dynamic(…) */
	KT_KQL_TYPEOF,   /* text: type */
	KT_KQL_SUFFIXED, /* text: words behind the child: "desc nulls last", "to typeof(long)" */
	KT_KQL_TYPED,    /* text: type; child: name ("parse" columns) */
	/* operators, each one step of a pipeline */
	KT_KQL_WHERE,
	KT_KQL_PROJECT,
	KT_KQL_PROJECT_AWAY,
	KT_KQL_EXTEND,
	KT_KQL_SUMMARIZE,
	KT_KQL_TOP,
	KT_KQL_TAKE,
	KT_KQL_SORT,
	KT_KQL_COUNT,
	KT_KQL_DISTINCT,
	KT_KQL_MV_EXPAND,
	KT_KQL_PARSE,
};

struct kt_kql {
	enum kt_kql_kind kind;
	struct kt_str text;
	struct kt_kql *first, *next; /* first child; next sibling */
	size_t at;                   /* byte of the source */
	/* SUMMARIZE: children before this one are aggregates, the rest groups;
	 * TOP: the number is text; PARSE: text is the kind; MV_EXPAND: text is the limit. */
	struct kt_kql *by;
};

/* Which functions may be called; from the guard's table. */
enum kt_fn { KT_FN_UNKNOWN, KT_FN_REFUSED, KT_FN_SCALAR, KT_FN_AGGREGATE };
struct kt_fn_table {
	const void *ctx;
	enum kt_fn (*find)(const void *ctx, struct kt_str name, struct kt_str *why);
	struct kt_str (*nearest)(const void *ctx, struct kt_str name);
};

struct kt_parser {
	struct kt_str text;
	const struct kt_token *t; /* the next token; ends with END */
	struct kt_arena *a;
	const struct kt_fn_table *functions;
	struct kt_err *err;
	unsigned depth;
	bool aggregates; /* inside `summarize` */
};

#define KT_KQL_DEPTH 48

/* NULL on error. */
struct kt_kql *kt_kql_expr(struct kt_parser *p);
struct kt_kql *kt_kql_named(struct kt_parser *p); /* [name =] expression */
struct kt_kql *kt_kql_name(struct kt_parser *p);  /* a column's name */

/* Steps behind the first `|` up to the end of the text; *OUT is NULL if there are none. */
KT_MUST_CHECK int kt_kql_pipeline(struct kt_parser *p, struct kt_kql **out);

void kt_kql_print(const struct kt_kql *n, struct kt_buf *out);
void kt_kql_print_pipeline(const struct kt_kql *first, struct kt_buf *out);

/* Helpers of the parser files. */
struct kt_kql *kt_kql_postfix(struct kt_parser *p);
struct kt_kql *kt_kql_pair(struct kt_parser *p, enum kt_kql_kind kind, struct kt_str text, struct kt_kql *a,
			   struct kt_kql *b);
struct kt_kql *kt_kql_new(struct kt_parser *p, enum kt_kql_kind kind, struct kt_str text);
void kt_kql_add(struct kt_kql *parent, struct kt_kql *child);
bool kt_kql_mark(struct kt_parser *p, const char *mark); /* takes it if it is next */
bool kt_kql_word(struct kt_parser *p, const char *word);
struct kt_kql *kt_kql_fail(struct kt_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct kt_kql *kt_kql_expected(struct kt_parser *p, const char *what);
bool kt_kql_is_type(struct kt_str word);

#endif
