#include "input/traceline.h"

#include "input/trace.h"

#include "base/banned.h"

static const char *const words[] = {"Exception", "Error", "Throwable"};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '$';
}

static bool is_name(char c)
{
	return is_name_start(c) || is_digit(c);
}

size_t kt_line_indent(struct kt_str line)
{
	size_t n = 0;

	while (n < line.len && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return n;
}

static struct kt_str stripped(struct kt_str line)
{
	return kt_str_from(line, kt_line_indent(line));
}

/* Length of the exception word that ends at END of the name, 0 if none. */
static size_t suffix_len(struct kt_str name)
{
	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_ends(name, kt_str_c(words[i])))
			return kt_str_c(words[i]).len;
	return 0;
}

/* A qualified name, or a simple one that says more than "Error". */
static bool is_exception_name(struct kt_str name)
{
	size_t suffix = suffix_len(name);

	if (!suffix)
		return false;
	if (kt_str_chr(name, '.', 0) != KT_NPOS)
		return true;
	return name.len > suffix && name.p[0] >= 'A' && name.p[0] <= 'Z';
}

/* End of the dotted name that begins at AT; AT itself if none does. */
static size_t name_end(struct kt_str line, size_t at)
{
	size_t end = at;

	if (at >= line.len || !is_name_start(line.p[at]))
		return at;
	while (end < line.len && (is_name(line.p[end]) || (line.p[end] == '.' && end + 1 < line.len &&
							   is_name_start(line.p[end + 1]))))
		end++;
	return end;
}

static bool may_precede(struct kt_str line, size_t at)
{
	if (!at)
		return true;
	switch (line.p[at - 1]) {
	case ' ':
	case '\t':
	case '"':
	case '\'':
	case '(':
	case '[':
	case '>':
	case '=':
	case '{':
	case ',': return true;
	default: return false;
	}
}

/* What follows a class: ": text", nothing, or " (text) [duplicate 3]". */
static bool message_of(struct kt_str line, size_t end, struct kt_str *message)
{
	struct kt_str rest = kt_str_from(line, end);
	size_t close;

	*message = KT_NONE;
	if (!kt_str_trim(rest).len)
		return true;
	if (rest.p[0] == ':') {
		*message = kt_str_trim(kt_str_from(rest, 1));
		return true;
	}
	close = kt_str_find(rest, KT_S(") [duplicate "), 0);
	if (!kt_str_starts(rest, KT_S(" (")) || close == KT_NPOS)
		return false;
	*message = kt_str_sub(rest, 2, close - 2);
	return true;
}

/* First byte of the dotted name that ends at END. */
static size_t name_start(struct kt_str line, size_t floor, size_t end)
{
	size_t at = end;

	while (at > floor && (is_name(line.p[at - 1]) || line.p[at - 1] == '.'))
		at--;
	while (at < end && !is_name_start(line.p[at]))
		at++;
	return at;
}

/* Next place behind an exception word, or KT_NPOS. */
static size_t next_word_end(struct kt_str line, size_t from)
{
	size_t best = KT_NPOS;

	for (size_t i = 0; i < KT_LEN(words); i++) {
		struct kt_str word = kt_str_c(words[i]);
		size_t hit = kt_str_find(line, word, from);
		if (hit != KT_NPOS && hit + word.len < best)
			best = hit + word.len;
	}
	return best;
}

bool kt_class_next(struct kt_str line, size_t *from, struct kt_class_name *out)
{
	size_t floor = *from, end = floor;

	while ((end = next_word_end(line, end)) != KT_NPOS) {
		size_t at = name_start(line, floor, end);
		bool whole = name_end(line, at) == end;
		if (!whole || !may_precede(line, at) || !is_exception_name(kt_str_sub(line, at, end - at)) ||
		    !message_of(line, end, &out->message))
			continue;
		out->at = at;
		out->len = end - at;
		*from = end;
		return true;
	}
	return false;
}

bool kt_class_here(struct kt_str line, size_t at, struct kt_class_name *out)
{
	size_t end = name_end(line, at);

	if (end == at || !message_of(line, end, &out->message))
		return false;
	struct kt_str name = kt_str_sub(line, at, end - at);
	if (kt_str_chr(name, '.', 0) == KT_NPOS && !suffix_len(name))
		return false;
	out->at = at;
	out->len = end - at;
	return true;
}

bool kt_line_is_traceback(struct kt_str line)
{
	line = kt_str_trim(line);
	if (line.len && line.p[line.len - 1] == ':')
		line.len--;
	return kt_str_ends(line, KT_S("Traceback (most recent call last)"));
}

struct kt_str kt_line_frame(struct kt_str line)
{
	struct kt_str s = stripped(line);
	size_t open = kt_str_chr(s, '(', 0);

	if (!kt_str_starts(s, KT_S("at ")) || open == KT_NPOS)
		return KT_NONE;
	size_t close = kt_str_chr(s, ')', open);
	s = kt_str_sub(s, 0, close == KT_NPOS ? s.len : close + 1);
	size_t from = 3;
	bool lambda = kt_str_find(s, KT_S("$$Lambda"), 0) < open;
	for (size_t i = 3; i < open && !lambda; i++) /* "java.base@17/java.lang…", "app//x.Y…" */
		if (s.p[i] == '/')
			from = i + 1;
	return kt_str_from(s, from);
}

struct kt_str kt_line_python_frame(struct kt_str line)
{
	struct kt_str s = stripped(line);

	return kt_str_starts(s, KT_S("File ")) && kt_str_find(s, KT_S(", in "), 0) != KT_NPOS ? s : KT_NONE;
}

bool kt_trace_is_inner_line(struct kt_str line)
{
	static const char *const starts[] = {"Caused by: ",
					     "Suppressed: ",
					     "Driver stacktrace:",
					     "Wrapped by: ",
					     "---> ",
					     "During handling of the above exception",
					     "The above exception was the direct cause"};
	struct kt_str s = stripped(line);

	if (!s.len)
		return false;
	if (s.p[0] == 'a')
		return kt_line_frame(line).len > 0;
	if (s.p[0] == '.')
		return kt_str_starts(s, KT_S("... ")) && s.len > 4 && is_digit(s.p[4]);
	if (s.p[0] == 'F')
		return kt_line_python_frame(line).len > 0;
	for (size_t i = 0; i < KT_LEN(starts); i++)
		if (kt_str_starts(s, kt_str_c(starts[i])))
			return true;
	return false;
}

bool kt_trace_is_head_line(struct kt_str line)
{
	struct kt_str message;

	if (kt_line_is_traceback(line))
		return true;
	size_t end = name_end(line, 0);
	return is_exception_name(kt_str_sub(line, 0, end)) && message_of(line, end, &message);
}
