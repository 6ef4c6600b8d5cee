#include "input/plain.h"

#include "base/banned.h"

#define ESC '\033'

/* --- escape sequences --- */

/* "ESC ] title BEL" or "ESC ] title ESC \": its length; without such an end the rest
 * of the line is text. */
static size_t title_len(struct kt_str s, size_t at)
{
	size_t i = at + 2;

	while (i < s.len && s.p[i] != '\a' && s.p[i] != ESC)
		i++;
	if (i < s.len && s.p[i] == '\a')
		return i + 1 - at;
	if (i + 1 < s.len && s.p[i + 1] == '\\')
		return i + 2 - at;
	return 2;
}

/* One escape sequence at AT: its length. */
static size_t colour_len(struct kt_str s, size_t at)
{
	size_t i = at + 1;

	if (i < s.len && s.p[i] == ']')
		return title_len(s, at);
	if (i >= s.len || s.p[i] != '[')
		return 1;
	for (i++; i < s.len && (unsigned char)s.p[i] >= 0x20 && (unsigned char)s.p[i] < 0x40; i++)
		;
	return i - at + (i < s.len);
}

struct kt_str kt_plain_colours(struct kt_str line, struct kt_buf *scratch)
{
	size_t at = 0, esc = kt_str_chr(line, ESC, 0);

	if (esc == KT_NPOS)
		return line;
	kt_buf_clear(scratch);
	for (; esc != KT_NPOS; esc = kt_str_chr(line, ESC, at)) {
		kt_buf_add(scratch, kt_str_sub(line, at, esc - at));
		at = esc + colour_len(line, esc);
	}
	kt_buf_add(scratch, kt_str_from(line, at));
	return kt_buf_view(scratch);
}

/* --- NULs --- */

static size_t nuls_at(struct kt_str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && s.p[at + n] == '\0')
		n++;
	return n;
}

struct kt_str kt_plain_noise(struct kt_str line, struct kt_buf *scratch)
{
	size_t at = nuls_at(line, 0), nul;

	if (kt_str_chr(line, '\0', at) == KT_NPOS)
		return kt_str_from(line, at);
	kt_buf_clear(scratch);
	for (; (nul = kt_str_chr(line, '\0', at)) != KT_NPOS; at = nul + nuls_at(line, nul))
		kt_buf_add(scratch, kt_str_sub(line, at, nul + 1 - at));
	kt_buf_add(scratch, kt_str_from(line, at));
	return kt_buf_view(scratch);
}
