/* A test server, and a cluster that asks it; for the tests of this folder. */
#ifndef TESTS_UNIT_KUSTO_ASKING_H
#define TESTS_UNIT_KUSTO_ASKING_H

#include <sys/types.h>

#include "kusto/cluster.h"

/* A fresh folder, the guard and the paths, of one test. */
extern struct kt_guard *guard_of_rules;
extern struct kt_buf trusted_tsv;
extern char folder[], http_module[4096], log_path[4096];

void ask_setup(void);
void ask_teardown(void);

struct server {
	pid_t pid;
	int in;
	char url[64];
};

struct server start(const char *program, char *first, char *second, char *third);
struct server start_cases(void); /* tests/server/cases.rules, with a log at log_path */
void stop(struct server *s);
void read_log(struct kt_buf *out);

struct kt_cluster_opts opts_for(const char *url);
struct kt_cluster *open_it(const struct kt_cluster_opts *o);

/* Rows as "a|b;c|d", or "state: text"; behind it "#" and the number of tries. */
void ask_as(struct kt_cluster *c, const char *text, enum kt_guard_by by, struct kt_request rq,
	    struct kt_buf *out);
/* The answer holds WANT. */
void answers(struct kt_cluster *c, const char *text, const char *want);

#define VERSION_ROWS "1.0.9|2026-01-31T08:00:00Z|true|9223372036854775807;||false|-1#1"

#endif
