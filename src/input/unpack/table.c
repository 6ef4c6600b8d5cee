/* What the tables of both modules have in common. */
#include "input/unpack/part.h"

void *kt_codec_alloc(const struct kt_codec_host *host, size_t n, size_t size)
{
	return size && n > SIZE_MAX / size ? NULL : host->alloc(n * size);
}

int kt_codec_next(struct kt_codec *c, struct kt_codec_member *m)
{
	*m = (struct kt_codec_member){.name = "", .trouble = {KT_FAULT_NONE, ""}};
	return c->vt->next(c, m);
}

ssize_t kt_codec_read(struct kt_codec *c, char *to, size_t want)
{
	return c->vt->read(c, to, want);
}

struct kt_codec_trouble kt_codec_trouble(const struct kt_codec *c)
{
	return c->trouble;
}

void kt_codec_close(struct kt_codec *take_c)
{
	if (take_c)
		take_c->vt->close(take_c);
}
