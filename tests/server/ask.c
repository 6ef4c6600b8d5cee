/* Asks a cluster one thing, for tests and scripts.
 *
 *   ask [--auth METHOD] [--record DIR] [--replay DIR] [--trust HOST] [--database DB]
 *       [--module SO] [--query] [--yes] [--pack] [--timeout MS] URL TEXT
 *   ask --guard            reads texts from stdin, prints "canonical" or "! reason" for each
 *
 * Prints rows with tabs, or "state: reason" and ends with 1.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "kusto/cluster.h"

#include "base/banned.h"

static struct kt_buf guard_tsv = {.max = 4u << 20}, trusted_tsv = {.max = 1u << 20};

static int guard_lines(const struct kt_guard *guard)
{
	char line[KT_GUARD_MAX_TEXT + 2];

	while (fgets(line, sizeof line, stdin)) {
		struct kt_guard_plan plan = {0};
		struct kt_err err = {0};
		line[strcspn(line, "\n")] = '\0';
		if (kt_guard_parse(guard, kt_str_c(line), KT_BY_PACK, &plan, &err) == 0)
			printf("%s\n", kt_buf_c(&plan.text));
		else
			printf("! %s\n", err.text);
		kt_guard_plan_free(&plan);
	}
	return 0;
}

static void print_rows(const struct kt_result *r)
{
	for (size_t i = 0; i < r->n_columns; i++)
		printf("%s" KT_FMT, i ? "\t" : "", KT_ARG(r->columns[i].name));
	for (size_t i = 0; i < r->n_rows * r->n_columns; i++)
		printf("%s" KT_FMT, i % r->n_columns ? "\t" : "\n", KT_ARG(r->cells[i]));
	printf("\n");
}

static int run(struct kt_cluster *c, const struct kt_request *rq)
{
	struct kt_reply reply = {0};
	struct kt_err err = {0};
	int rc = kt_cluster_run(c, rq, &reply, &err);

	if (rc == 0)
		print_rows(&reply.result);
	else
		printf("%s: %s\n", kt_reply_word(reply.state), err.text);
	kt_reply_free(&reply);
	return rc < 0;
}

struct args {
	struct kt_cluster_opts opts;
	struct kt_request rq;
	struct kt_str trust, text;
	enum kt_guard_by by;
	bool guard;
};

static int read_args(int argc, char **argv, struct args *a, struct kt_err *err)
{
	struct kt_str auth = KT_S("default");
	uint64_t ms = 0;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *v = i + 1 < argc ? argv[i + 1] : "";
		const struct {
			const char *name;
			struct kt_str *to;
		} with[] = {{"--auth", &auth},
			    {"--record", &a->opts.record_dir},
			    {"--replay", &a->opts.replay_dir},
			    {"--trust", &a->trust},
			    {"--database", &a->opts.database},
			    {"--module", &a->opts.http_module}};
		for (size_t k = 0; k < KT_LEN(with); k++) {
			if (!strcmp(argv[i], with[k].name)) {
				*with[k].to = kt_str_c(v);
				i++;
				break;
			}
		}
		if (!strcmp(argv[i], "--timeout") && kt_str_uint(kt_str_c(v), 3600000, &ms))
			i++;
		a->rq.confirmed |= !strcmp(argv[i], "--yes");
		a->guard |= !strcmp(argv[i], "--guard");
		if (!strcmp(argv[i], "--pack"))
			a->by = KT_BY_PACK;
	}
	a->rq.timeout_ms = (unsigned)ms;
	if (!a->guard && argc - i != 2)
		return kt_err_set(err, KT_ERR_USAGE, "usage: ask [options] URL TEXT");
	a->opts.url = kt_str_c(a->guard ? "" : argv[i]);
	a->text = kt_str_c(a->guard ? "" : argv[i + 1]);
	a->opts.trust_hosts = &a->trust;
	a->opts.n_trust_hosts = a->trust.len > 0;
	return kt_auth_parse(auth, &a->opts.auth, err);
}

int main(int argc, char **argv)
{
	struct args a = {0};
	struct kt_guard_plan plan = {0};
	struct kt_err err = {0};
	struct kt_guard *guard = NULL;
	struct kt_cluster *c = NULL;
	int rc = 2;

	if (read_args(argc, argv, &a, &err) < 0 ||
	    kt_file_read(KT_RULES_SOURCE "/guard.tsv", &guard_tsv, &err) < 0 ||
	    kt_file_read(KT_RULES_SOURCE "/trusted.tsv", &trusted_tsv, &err) < 0 ||
	    !(guard = kt_guard_new(kt_buf_view(&guard_tsv), &err)))
		goto out;
	if (a.guard) {
		rc = guard_lines(guard);
		goto out;
	}
	a.opts.guard = guard;
	a.opts.trusted_tsv = kt_buf_view(&trusted_tsv);
	if (kt_guard_parse(guard, a.text, a.by, &plan, &err) < 0 || !(c = kt_cluster_open(&a.opts, &err)))
		goto out;
	a.rq.plan = &plan;
	rc = run(c, &a.rq);
out:
	if (err.cls != KT_ERR_NONE)
		printf("%s: %s\n", kt_err_class_word(err.cls), err.text);
	kt_cluster_close(c);
	kt_guard_plan_free(&plan);
	kt_guard_free(guard);
	kt_buf_free(&guard_tsv);
	kt_buf_free(&trusted_tsv);
	return rc;
}
