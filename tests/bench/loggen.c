/* Logs as Spark, YARN and Kubernetes write them, made up but always the same for
 * the same options, for tests and benchmarks. Several hundred MB/s.
 *
 *     loggen --size 64M --kind driver --needle 10000 --samples samples_150.tsv >driver.log
 *
 *   --size N[K|M|G]   at least so many bytes
 *   --kind KIND       driver, executor, yarn, eventlog, json, mixed (driver, executor, yarn)
 *   --seed N
 *   --samples FILE    id TAB text of what failures print; "\n", "\t", "\\" and "\1" (the
 *                     text stands at the start of a line), and {placeholders} (logtext.c)
 *   --needle N        one entry in N is a sample, one sample after the other
 *   --needles N       no more than so many of them
 *   --trace N         one entry in N is an ordinary stack trace
 *   --odd N           one entry in N is of a kind that logs rarely hold: colours, quotes
 *                     of other logs, wrapped lines, long ones ...
 *   --nul N, --bad N  one entry in N gets a NUL, a byte that is no UTF-8
 *   --crlf            lines end in "\r\n"
 *   --wrap cri        each line as a container runtime keeps it, long ones in parts
 *   --wrap docker     each line as Docker keeps it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#include "logkinds.h"
#include "logtext.h"

#include "base/banned.h"

enum kind { DRIVER, EXECUTOR, YARN, EVENTLOG, JSON, MIXED };
enum wrap { BARE, CRI, DOCKER };

static struct {
	uint64_t size, seed;
	enum kind kind;
	enum wrap wrap;
	const char *samples;
	uint32_t needle, needles, trace, odd, nul, bad;
	bool crlf;
} opt = {.size = 1 << 20, .seed = 1, .needles = UINT32_MAX, .trace = 2000};

static struct deck of_kind[3], frames, faults, tasks, updates, plans, loggers;
static struct template task_end, task_end_rest, plan_row;

/* --- samples --- */

static struct template *samples;
static size_t n_samples, cap_samples, next_sample;

/* "\n", "\t" and "\1" to bytes, in place. */
static struct kt_str unescape(char *p)
{
	size_t n = 0;

	for (const char *q = p; *q; q++)
		if (*q == '\\' && q[1] && strchr("nt1\\", q[1])) {
			q++;
			p[n++] = *q == 'n' ? '\n' : *q == 't' ? '\t' : *q == '1' ? '\1' : '\\';
		} else {
			p[n++] = *q;
		}
	return (struct kt_str){p, n};
}

static void read_samples(void)
{
	FILE *f = fopen(opt.samples, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f) {
		perror(opt.samples);
		exit(1);
	}
	while ((n = getline(&line, &cap, f)) > 0) {
		char *tab = strchr(line, '\t');
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (!tab || !tab[1])
			continue;
		struct kt_str text = unescape(kt_strdup(kt_str_c(tab + 1)));
		struct template t = compile(kt_str_from(text, text.p[0] == '\1'));
		t.bare = text.p[0] == '\1';
		KT_PUSH(samples, n_samples, cap_samples) = t;
	}
	free(line);
	fclose(f);
}

/* --- entries --- */

static void put_frames(uint32_t n)
{
	while (n--) {
		put_c("\tat ");
		draw(&frames);
		*out++ = '\n';
	}
}

static void put_header(enum kind kind, const char *level, const char *who)
{
	if (kind == YARN)
		put_stamp();
	else
		put_short_time();
	*out++ = ' ';
	put_c(level);
	*out++ = ' ';
	put_c(who);
	put_c(": ");
}

/* "INFO Logger: message" from FROM on becomes "message". */
static void drop_logger(char *from)
{
	struct kt_str s = {from, (size_t)(out - from)};
	size_t at = kt_str_find(s, KT_S(": "), 0);

	if (at != KT_NPOS) {
		memmove(from, from + at + 2, s.len - at - 2);
		out -= at + 2;
	}
}

static void put_json_line(void (*message)(void), bool error)
{
	put_c("{\"ts\":\"");
	put_iso_time('T', '.');
	put_c("Z\",\"level\":\"");
	put_c(error ? "ERROR" : "INFO");
	put_c("\",\"msg\":\"");
	char *from = out;
	message();
	if (!error)
		drop_logger(from);
	json_from(from);
	put_c("\",\"logger\":\"");
	draw(&loggers);
	put_c("\"}\n");
}

static void put_event_needle(void (*message)(void))
{
	put_c("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":1,\"Task End Reason\":{\"Reason\":"
	      "\"ExceptionFailure\",\"Description\":\"");
	char *from = out;
	message();
	json_from(from);
	put_c("\",\"Full Stack Trace\":\"\"}}\n");
}

static void put_event(void)
{
	uint32_t r = below(200);

	if (r == 0) {
		draw(&plans);
		for (uint32_t n = 100 + below(300); n; n--)
			fill(&plan_row);
		put_c("\"}\n");
	} else if (r < 110) {
		fill(&task_end);
		for (uint32_t n = 20 + below(20); n; n--) {
			draw(&updates);
			if (n > 1)
				*out++ = ',';
		}
		fill(&task_end_rest);
		*out++ = '\n';
	} else {
		draw(&tasks);
		*out++ = '\n';
	}
}

static void put_sample(void)
{
	fill(&samples[next_sample++ % n_samples]);
}

static void put_needle(enum kind kind)
{
	if (kind == EVENTLOG) {
		put_event_needle(put_sample);
	} else if (kind == JSON) {
		put_json_line(put_sample, true);
	} else {
		if (!samples[next_sample % n_samples].bare)
			put_header(kind, "ERROR", kind == YARN ? "[main] org.apache.spark.App" : "Executor");
		put_sample();
		*out++ = '\n';
		if (below(2))
			put_frames(5 + below(30));
	}
}

static void put_fault(void)
{
	draw(&faults);
}

static void put_trace(enum kind kind)
{
	if (kind == JSON) {
		put_json_line(put_fault, true);
		return;
	}
	if (kind == EVENTLOG) {
		put_event_needle(put_fault);
		return;
	}
	put_header(kind, "WARN", kind == YARN ? "[main] org.apache.spark.util.Utils" : "Utils");
	draw(&faults);
	*out++ = '\n';
	draw(&faults);
	*out++ = '\n';
	put_frames(8 + below(30));
	for (uint32_t n = below(3); n; n--) {
		put_c("Caused by: ");
		draw(&faults);
		*out++ = '\n';
		put_frames(4 + below(10));
		put_c("\t... 23 more\n");
	}
}

static void put_ordinary(enum kind kind);

static void put_driver_message(void)
{
	draw(&of_kind[DRIVER]);
}

/* Kinds of entries that change how the text around them is read. */
static void put_odd(enum kind kind)
{
	bool needle = n_samples && below(2);

	switch (below(14)) {
	case 0: /* colours */
		put_short_time();
		put_c(" \033[31mERROR\033[0m Executor: \033[1m");
		if (needle)
			put_sample();
		put_c("\033[0m\n");
		break;
	case 1: /* a quote of another log, with headers inside */
		put_header(DRIVER, "ERROR", "ApplicationMaster");
		put_c("Exit status: 143. Diagnostics: Container killed on request.\n");
		put_c("Last ");
		put_uint(256 + below(4096));
		put_c(" bytes of stderr :\n");
		for (uint32_t n = below(12); n; n--)
			put_ordinary(DRIVER);
		if (needle)
			put_needle(DRIVER);
		if (below(2))
			put_c("[2024-07-01 06:00:00.000]Container exited with a non-zero exit code 143.\n");
		break;
	case 2: /* a progress bar before the line */
		put_c("\r[Stage 12:==========>        (120 + 8) / 200]\r");
		put_ordinary(DRIVER);
		break;
	case 3: put_json_line(needle ? put_sample : put_driver_message, true); break;
	case 4: put_event_needle(needle ? put_sample : put_driver_message); break;
	case 5: /* Docker's line, its end in the next */
		put_c("{\"log\":\"24/07/01 06:00:01 ERROR Executor: ");
		{
			char *from = out;
			(needle ? put_sample : put_driver_message)();
			json_from(from);
		}
		put_c(below(2) ? "\\n\",\"stream\":\"stderr\"}\n"
			       : "\",\"stream\":\"stderr\"}\n{\"log\":\" and its "
				 "end\\n\",\"stream\":\"stderr\"}\n");
		break;
	case 6: /* parts of a container runtime */
		for (uint32_t n = 1 + below(3); n; n--) {
			put_iso_time('T', '.');
			put_c(n > 1 ? "000000Z stdout P " : "000000Z stdout F ");
			if (needle && n == 1)
				put_sample();
			else
				put_ordinary(DRIVER);
			if (out[-1] != '\n')
				*out++ = '\n';
		}
		break;
	case 7: put_c("\n\n   \n"); break;
	case 8: /* a long line */
		put_header(kind, "INFO", "CodeGenerator");
		for (uint32_t n = below(8) ? 100 + below(1200) : 12000; n; n--) {
			put_hex(8);
			put_c(", ");
		}
		if (needle)
			put_sample();
		*out++ = '\n';
		break;
	case 9: /* Python's trace */
		put_header(DRIVER, "ERROR", "PythonRunner");
		put_c("Traceback (most recent call last):\n  File \"/opt/job.py\", line 12, in <module>\n"
		      "    run()\nValueError: bad\n");
		break;
	case 10: /* without any header */
		if (n_samples)
			put_sample();
		*out++ = '\n';
		break;
	case 11:
		put_c("Container: container_e17_1719800000000_1234_01_000002 on wn1\nLogType:stderr\n");
		put_c("Log Upload Time:Mon Jul 01 06:00:00 +0000 2024\nLogLength:1234\nLog Contents:\n");
		if (needle)
			put_needle(DRIVER);
		break;
	case 12:
		put_c("Exception in thread \"main\" ");
		(needle ? put_sample : put_fault)();
		*out++ = '\n';
		put_frames(3 + below(8));
		break;
	default: /* returns inside and at the end */
		put_ordinary(DRIVER);
		out[-1] = '\r';
		put_c("\r\n\r\r\n");
		if (needle)
			put_needle(DRIVER);
		break;
	}
}

static void put_ordinary(enum kind kind)
{
	if (kind == EVENTLOG) {
		put_event();
		return;
	}
	if (kind == JSON) {
		put_json_line(put_driver_message, false);
		return;
	}
	if (kind == YARN)
		put_stamp();
	else
		put_short_time();
	*out++ = ' ';
	draw(&of_kind[kind]);
	*out++ = '\n';
}

/* --- how it is written --- */

static char *block, *entry; /* written at once; the entry at hand */
static size_t block_len, written;
#define BLOCK     (4u << 20)
#define ENTRY_MAX (1u << 20)

static void write_block(void)
{
	if (kt_write_all(1, block, block_len) != 0)
		exit(1);
	written += block_len;
	block_len = 0;
}

static void to_block(struct kt_str s)
{
	memcpy(block + block_len, s.p, s.len);
	block_len += s.len;
}

static void line_end(void)
{
	to_block(opt.crlf ? KT_S("\r\n") : KT_S("\n"));
}

static void write_cri(struct kt_str line)
{
	char head[64];
	char *keep = out;

	out = head;
	put_iso_time('T', '.');
	put_c("000000Z stdout ");
	struct kt_str prefix = {head, (size_t)(out - head)};
	out = keep;
	while (true) {
		size_t n = line.len > 40 && one_in(16) ? 1 + below((uint32_t)line.len) : line.len;
		to_block(prefix);
		to_block(n < line.len ? KT_S("P ") : KT_S("F "));
		to_block(kt_str_sub(line, 0, n));
		line_end();
		if (n == line.len)
			return;
		line = kt_str_from(line, n);
	}
}

static void write_docker(struct kt_str line)
{
	char *keep = out, *text = keep + 1;

	out = text;
	put(line);
	json_from(text);
	to_block(KT_S("{\"log\":\""));
	to_block((struct kt_str){text, (size_t)(out - text)});
	to_block(KT_S("\\n\",\"stream\":\"stdout\",\"time\":\"2024-07-01T06:00:00.000000000Z\"}"));
	line_end();
	out = keep;
}

static void write_line(struct kt_str line)
{
	if (opt.wrap == CRI)
		write_cri(line);
	else if (opt.wrap == DOCKER)
		write_docker(line);
	else {
		to_block(line);
		line_end();
	}
}

static void write_entry(void)
{
	struct kt_str text = {entry, (size_t)(out - entry)}, line;

	if (opt.wrap == BARE && !opt.crlf)
		to_block(text);
	else
		for (text.len--; kt_str_cut(&text, '\n', &line);) /* the last line end ends no piece */
			write_line(line);
	if (block_len > BLOCK)
		write_block();
}

/* A byte in the first line of the entry. */
static void spoil(char with)
{
	char *end = memchr(entry, '\n', (size_t)(out - entry));

	if (end && end - entry > 30)
		entry[20 + below((uint32_t)(end - entry - 20))] = with;
}

static enum kind kind_of_entry(uint64_t i)
{
	static enum kind section = DRIVER;

	if (opt.kind != MIXED)
		return opt.kind;
	if (i % 20000 == 0)
		section = (enum kind)(below(10) / 4);
	return section;
}

static void make_entry(uint64_t i)
{
	enum kind kind = kind_of_entry(i);

	out = entry;
	clock_ms += below(40);
	if (n_samples && next_sample < opt.needles && one_in(opt.needle)) {
		put_needle(kind);
		return;
	}
	if (one_in(opt.trace))
		put_trace(kind);
	else if (one_in(opt.odd))
		put_odd(kind);
	else
		put_ordinary(kind);
	if (one_in(opt.nul))
		spoil('\0');
	if (one_in(opt.bad))
		spoil((char)0xff);
}

/* --- options --- */

static _Noreturn void usage(const char *why)
{
	fprintf(stderr, "loggen: %s: see the head of loggen.c\n", why);
	exit(2);
}

static uint64_t number(const char *s)
{
	char *end;
	uint64_t v = strtoull(s, &end, 10);
	const char *unit = *end ? strchr("KMG", *end) : NULL;

	if (end == s || (*end && !unit))
		usage(s);
	return unit ? v << 10 * (*end == 'K' ? 1 : *end == 'M' ? 2 : 3) : v;
}

static unsigned one_of(const char *s, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(s, names[i]) == 0)
			return i;
	usage(s);
}

static void option(const char *name, const char *value)
{
	static const char *const kinds[] = {"driver", "executor", "yarn", "eventlog", "json", "mixed"};
	static const char *const wraps[] = {"bare", "cri", "docker"};
	static const struct {
		const char *name;
		uint32_t *to;
	} numbers[] = {{"--needle", &opt.needle}, {"--needles", &opt.needles}, {"--trace", &opt.trace},
		       {"--odd", &opt.odd},       {"--nul", &opt.nul},         {"--bad", &opt.bad}};

	if (strcmp(name, "--size") == 0)
		opt.size = number(value);
	else if (strcmp(name, "--seed") == 0)
		opt.seed = number(value);
	else if (strcmp(name, "--samples") == 0)
		opt.samples = value;
	else if (strcmp(name, "--kind") == 0)
		opt.kind = (enum kind)one_of(value, kinds, KT_LEN(kinds));
	else if (strcmp(name, "--wrap") == 0)
		opt.wrap = (enum wrap)one_of(value, wraps, KT_LEN(wraps));
	else {
		for (size_t i = 0; i < KT_LEN(numbers); i++)
			if (strcmp(name, numbers[i].name) == 0) {
				*numbers[i].to = (uint32_t)number(value);
				return;
			}
		usage(name);
	}
}

static void make_decks(void)
{
	of_kind[DRIVER] = DECK(driver_text);
	of_kind[EXECUTOR] = DECK(executor_text);
	of_kind[YARN] = DECK(yarn_text);
	frames = DECK(frame_text);
	faults = DECK(fault_text);
	tasks = DECK(task_text);
	updates = DECK(update_text);
	plans = DECK(plan_text);
	loggers = DECK(logger_text);
	task_end = compile(kt_str_c(task_end_text));
	task_end_rest = compile(kt_str_c(task_end_rest_text));
	plan_row = compile(kt_str_c(plan_row_text));
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--crlf") == 0)
			opt.crlf = true;
		else if (i + 1 < argc)
			option(argv[i], argv[i + 1]), i++;
		else
			usage(argv[i]);
	seed(opt.seed);
	make_decks();
	if (opt.samples)
		read_samples();
	block = kt_alloc(BLOCK + 8 * (size_t)ENTRY_MAX);
	entry = kt_alloc(4 * (size_t)ENTRY_MAX);
	for (uint64_t i = 0; written + block_len < opt.size; i++) {
		make_entry(i);
		write_entry();
	}
	write_block();
	return 0;
}
