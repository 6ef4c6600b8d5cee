#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

/* Ends a text that did not fit with "...", not inside a UTF-8 character. */
static void mark_cut(char *text, size_t size)
{
	size_t at = size - 4;

	while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	memcpy(text + at, "...", 4);
}

int kt_err_set(struct kt_err *err, enum kt_err_class cls, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->cls != KT_ERR_NONE)
		return -1;
	err->cls = cls;
	va_start(ap, fmt);
	int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof err->text)
		mark_cut(err->text, sizeof err->text);
	return -1;
}

int kt_err_prefix(struct kt_err *err, const char *fmt, ...)
{
	char old[sizeof err->text];
	va_list ap;

	if (!err || err->cls == KT_ERR_NONE)
		return -1;
	memcpy(old, err->text, sizeof old);
	va_start(ap, fmt);
	int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof err->text)
		return -1;
	int m = snprintf(err->text + n, sizeof err->text - (size_t)n, "%s", old);
	if (m >= (int)(sizeof err->text - (size_t)n))
		mark_cut(err->text, sizeof err->text);
	return -1;
}

void kt_err_clear(struct kt_err *err)
{
	*err = (struct kt_err){.cls = KT_ERR_NONE};
}

const char *kt_err_class_word(enum kt_err_class cls)
{
	static const char *const words[] = {
#define X(id, word) [KT_ERR_##id] = word,
		KT_ERR_CLASSES(X)
#undef X
	};
	return words[cls];
}
