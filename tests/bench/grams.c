/* Counts pieces of four bytes in sample logs and prints src/match/gram_table.h:
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

#define BITS  15 /* of the hash */
#define WORDS ((1 << BITS) / 16)

static double times[1 << BITS]; /* in 2^20 positions */

/* As src/match/grams.c. */
static uint32_t hash(const unsigned char *p)
{
	uint32_t x = 0;

	for (int i = 0; i < 4; i++)
		x |= (uint32_t)(p[i] | 0x20) << (8 * i);
	return x * UINT32_C(0x9E3779B1) >> (32 - BITS);
}

static int count(const char *name, double share)
{
	FILE *f = fopen(name, "rb");
	size_t cap = 64u << 20;
	unsigned char *text = f ? malloc(cap) : NULL;

	if (!text) {
		perror(name);
		return -1;
	}
	size_t n = fread(text, 1, cap, f);
	fclose(f);
	for (size_t i = 0; i + 4 <= n; i++)
		times[hash(text + i)] += share * 1048576 / (double)(n - 3);
	free(text);
	return 0;
}

/* 0: less than one time; L: about 2^(L-1) times. */
static unsigned level(double n)
{
	if (n < 0.7071)
		return 0;
	double l = floor(log2(n) + 0.5) + 1;
	return l > 15 ? 15 : (unsigned)l;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (count(argv[i], 1.0 / (argc - 1)) < 0)
			return 1;
	printf("/* Made by tests/bench/grams.sh: how often each hash of four bytes stands in sample\n"
	       " * logs, sixteen of four bits in a word, the lowest bits first. 0: less than once in\n"
	       " * 2^20 positions, L: about 2^(L-1) times. The samples: driver, executor, YARN and\n"
	       " * event logs made up by a generator, without planted errors; driver and YARN\n"
	       " * logs and event logs of public projects; every kind counts the same. */\n"
	       "#ifndef KT_MATCH_GRAM_TABLE_H\n#define KT_MATCH_GRAM_TABLE_H\n\n#include <stdint.h>\n\n"
	       "#define KT_GRAM_TABLE_BITS %d\n\n/* clang-format off */\n"
	       "static const uint64_t kt_gram_table[%d] = {\n",
	       BITS, WORDS);
	for (int w = 0; w < WORDS; w++) {
		uint64_t word = 0;
		for (int i = 0; i < 16; i++)
			word |= (uint64_t)level(times[w * 16 + i]) << (4 * i);
		printf("0x%016llx,%s", (unsigned long long)word, w % 5 == 4 || w == WORDS - 1 ? "\n" : " ");
	}
	printf("};\n/* clang-format on */\n\n#endif\n");
	return 0;
}
