/* Counts pieces of four bytes, and pairs of them, in sample logs and prints
 * src/match/gram_table.h:
 *
 *     grams FILE...
 *
 * Every file counts the same, whatever its size. tests/bench/grams.sh makes the
 * files. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS      15 /* of the hash */
#define SLOTS     (1 << BITS)
#define WORDS     (SLOTS / 16)
#define PAIRS     (1 << 23) /* more than twice those that occur */
#define PAIR_MIN  16.0      /* rarer pairs are left out */
#define FILE_MAX  (64u << 20)
#define POSITIONS 1048576.0

static double pieces[SLOTS]; /* times in 2^20 positions, all of one hash together */
static double pairs[SLOTS];  /* of all of one hash the most frequent */

static struct pair {
	uint64_t bytes; /* 0: free */
	double times;
} * seen;

static uint64_t folded(const unsigned char *p, int n)
{
	uint64_t x = 0;

	for (int i = 0; i < n; i++)
		x |= (uint64_t)(p[i] | 0x20) << (8 * i);
	return x;
}

/* Both hashes as in src/match/grams.c. */
static uint32_t piece_hash(uint64_t bytes)
{
	return (uint32_t)bytes * UINT32_C(0x9E3779B1) >> (32 - BITS);
}

static uint32_t pair_hash(uint64_t bytes)
{
	return (uint32_t)(bytes * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
}

static void count_pair(uint64_t bytes, double share)
{
	size_t i = (size_t)(bytes * UINT64_C(0x9E3779B97F4A7C15) >> 32) % PAIRS;

	while (seen[i].bytes && seen[i].bytes != bytes)
		i = (i + 1) % PAIRS;
	seen[i].bytes = bytes;
	seen[i].times += share;
}

static int count(const char *name, double share)
{
	FILE *f = fopen(name, "rb");
	unsigned char *text = f ? malloc(FILE_MAX) : NULL;

	if (!text) {
		perror(name);
		return -1;
	}
	size_t n = fread(text, 1, FILE_MAX, f);
	fclose(f);
	for (size_t i = 0; i + 8 <= n; i++) {
		pieces[piece_hash(folded(text + i, 4))] += share * POSITIONS / (double)(n - 7);
		count_pair(folded(text + i, 8), share * POSITIONS / (double)(n - 7));
	}
	free(text);
	return 0;
}

static void sort_pairs(void)
{
	for (size_t i = 0; i < PAIRS; i++) {
		double *slot = &pairs[pair_hash(seen[i].bytes)];
		if (seen[i].times >= PAIR_MIN && seen[i].times > *slot)
			*slot = seen[i].times;
	}
}

/* 0: less than one time; L: about 2^(L-1) times. */
static unsigned level(double n)
{
	if (n < 0.7071)
		return 0;
	double l = floor(log2(n) + 0.5) + 1;
	return l > 15 ? 15 : (unsigned)l;
}

static void print(const char *name, const double *times)
{
	printf("static const uint64_t %s[%d] = {\n", name, WORDS);
	for (int w = 0; w < WORDS; w++) {
		uint64_t word = 0;
		for (int i = 0; i < 16; i++)
			word |= (uint64_t)level(times[w * 16 + i]) << (4 * i);
		printf("0x%016llx,%s", (unsigned long long)word, w % 5 == 4 || w == WORDS - 1 ? "\n" : " ");
	}
	printf("};\n");
}

int main(int argc, char **argv)
{
	seen = calloc(PAIRS, sizeof *seen);
	if (!seen)
		return 1;
	for (int i = 1; i < argc; i++)
		if (count(argv[i], 1.0 / (argc - 1)) < 0)
			return 1;
	sort_pairs();
	printf("/* Made by tests/bench/grams.sh: how often four bytes, and eight, stand in sample logs,\n"
	       " * by their hash, sixteen of four bits in a word, the lowest bits first. 0: less than\n"
	       " * once in 2^20 positions, L: about 2^(L-1) times. Eight bytes are 0 below 16 times.\n"
	       " * The samples: driver, executor, YARN and event logs made up by a generator, without\n"
	       " * planted errors; driver and YARN logs and event logs of public projects; every kind\n"
	       " * counts the same. */\n"
	       "#ifndef KT_MATCH_GRAM_TABLE_H\n#define KT_MATCH_GRAM_TABLE_H\n\n#include <stdint.h>\n\n"
	       "#define KT_GRAM_TABLE_BITS %d\n\n/* clang-format off */\n",
	       BITS);
	print("kt_gram_table", pieces);
	printf("\n");
	print("kt_pair_table", pairs);
	printf("/* clang-format on */\n\n#endif\n");
	free(seen);
	return 0;
}
