/* kt_vectors: one JSON line {"kb": …, "observations": […]} in, one line out. */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

#include "base/banned.h"

static void answer(struct kt_str line)
{
	struct kt_err err = {0};
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);
	struct driver d = {0};
	struct kt_json *doc = kt_json_parse(line, &err);

	if (!doc)
		driver_die(err.text, KT_NONE);
	driver_load(&d, kt_json_get(doc, "kb"), kt_json_get(doc, "observations"));
	driver_judge(&d, &out);
	puts(kt_buf_c(&out));
	driver_free(&d);
	kt_json_free(doc);
	kt_buf_free(&out);
}

int main(void)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0)
		answer((struct kt_str){line, (size_t)n});
	free(line);
	return 0;
}
