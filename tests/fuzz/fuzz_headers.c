/* Any bytes as a header table, and what is behind an empty line as lines. */
#include <stdint.h>

#include "input/headers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str all = {(const char *)data, size}, line;
	size_t gap = kt_str_find(all, KT_S("\n\n"), 0);
	struct kt_headers *h = kt_headers_parse(kt_str_sub(all, 0, gap), NULL);
	struct kt_header_match m;

	if (!h)
		return 0;
	if (gap != KT_NPOS)
		all = kt_str_from(all, gap + 2);
	while (kt_str_cut(&all, '\n', &line)) {
		bool hit = kt_headers_match(h, line, &m) || kt_headers_prefix(h, line, &m);
		for (unsigned f = 0; hit && f < KT_FIELDS; f++)
			if (m.field[f].len &&
			    (m.field[f].p < line.p || m.field[f].p + m.field[f].len > line.p + line.len))
				__builtin_trap();
	}
	kt_headers_free(h);
	return 0;
}
