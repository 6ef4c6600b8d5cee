/* A copy of tests/data/author that a test may change. */
#ifndef TESTS_AUTHOR_FIXTURE_H
#define TESTS_AUTHOR_FIXTURE_H

extern char fixture_folder[];

void fixture_make(void);
void fixture_clean(void);
/* Runs a command; it must succeed. */
void fixture_shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Replaces the first FROM of a file; FROM empty: the whole file. */
void fixture_edit(const char *name, const char *from, const char *to);

#endif
