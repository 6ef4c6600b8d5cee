#include <criterion/criterion.h>

#include "core/eval.h"
#include "lamp.h"

Test(entropy, of_known_distributions)
{
	static const uint64_t one[] = {7}, two[] = {5, 5}, four[] = {1, 1, 1, 1}, zero[] = {0, 9, 0};
	static const uint64_t mixed[] = {2, 1, 1};

	cr_expect(kt_entropy(NULL, 0) == 0);
	cr_expect(kt_entropy(one, 1) == 0);
	cr_expect(kt_entropy(two, 2) == 1u << 20);
	cr_expect(kt_entropy(four, 4) == 2u << 20);
	cr_expect(kt_entropy(zero, 3) == 0);
	cr_expect(kt_entropy(mixed, 3) == 3u << 19);
}

Test(log2, powers_and_between)
{
	for (unsigned b = 0; b < 126; b++)
		cr_expect(kt_log2((kt_u128)1 << b) == b << 20);
	cr_expect(kt_log2(3) == 1661953); /* floor(2^20 * log2 3), 1.5849625 */
	cr_expect(kt_log2((kt_u128)3 << 90) == 1661953 + (90u << 20));
}

static kt_u128 random128(uint64_t *state)
{
	kt_u128 n = 0;

	for (int i = 0; i < 2; i++) {
		*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
		n = n << 64 | (*state ^ *state >> 31);
	}
	return n;
}

/* a * m + rest, divided by a, is m again for any rest below a. */
Test(wide, products_divide_back)
{
	uint64_t state = 3;

	for (int i = 0; i < 20000; i++) {
		kt_u128 a = (random128(&state) >> (2 + i % 120)) + 1;
		uint64_t m = (uint64_t)random128(&state) >> (25 + i % 30);
		struct kt_wide w = {0};
		kt_wide_add(&w, a, m);
		cr_assert(kt_wide_div(w, a) == m, "round %d", i);
		kt_wide_add(&w, a - 1, 1);
		cr_assert(kt_wide_div(w, a) == m, "round %d", i);
		kt_wide_add(&w, 1, 1);
		cr_assert(kt_wide_div(w, a) == m + 1, "round %d", i);
	}
}

static struct lamp l;

static struct kt_plan plan(void)
{
	struct kt_judgement j = lamp_judge(&l);
	struct kt_plan p;

	kt_plan(l.kb, l.obs, l.n, &j, &l.a, &p);
	return p;
}

static void connect(void)
{
	l.obs[l.n++] = (struct kt_obs){.kind = KT_OBS_CONNECTED, .item = KT_NIL, .fact = KT_NIL};
}

Test(plan, a_command_and_a_question)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_SMELL, "Arc");
	connect();
	struct kt_plan p = plan();

	cr_assert(p.n == 2);
	cr_expect(p.steps[0].kind == KT_PLAN_SHOW && p.steps[0].check == 0 && p.steps[0].fact == KT_NIL &&
		  p.steps[0].cost_s == 6);
	cr_expect(p.steps[1].kind == KT_PLAN_ASK && p.steps[1].fact == LAMP_FACT &&
		  p.steps[1].check == KT_NIL);
	cr_expect(!p.steps[0].pinned && !p.steps[0].automatic);
	cr_expect(p.steps[1].gain_1024 < p.steps[0].gain_1024);
	lamp_free(&l);
}

Test(plan, a_scan_is_offered_while_no_input_was_read)
{
	struct kt_obs input = {.kind = KT_OBS_INPUT,
			       .item = KT_NIL,
			       .fact = KT_NIL,
			       .complete = true,
			       .source = KT_S("diary")};

	lamp_make(&l);
	uint32_t scan = kt_kbb_add_checks(l.b, &(struct kt_check){.id = kt_kbb_text(l.b, KT_S("scan")),
								  .kind = KT_CHECK_SCAN,
								  .automatic = 1});
	kt_kbb_at_items(l.b, LAMP_HUM)->check = scan;
	l.kb = kt_kbb_kb(l.b);
	struct kt_plan p = plan();
	cr_assert(0 < p.n);
	cr_expect(p.steps[0].kind == KT_PLAN_SCAN && p.steps[0].check == scan && p.steps[0].automatic);
	l.obs[l.n++] = input;
	p = plan();
	cr_expect(p.n == 0 || p.steps[0].kind != KT_PLAN_SCAN);
	lamp_free(&l);
}

Test(plan, thousandths_half_up)
{
	cr_expect(kt_plan_gain_milli(&(struct kt_plan_step){.gain_1024 = 0}) == 0);
	cr_expect(kt_plan_gain_milli(&(struct kt_plan_step){.gain_1024 = 1024}) == 1000);
	cr_expect(kt_plan_gain_milli(&(struct kt_plan_step){.gain_1024 = 64}) == 63); /* 62.5 */
	cr_expect(kt_plan_gain_milli(&(struct kt_plan_step){.gain_1024 = 314}) == 307);
}

Test(margin, in_tenths_of_a_decibel)
{
	cr_expect(kt_margin(UINT64_C(1000000000000), UINT64_C(10000000000)) == 200);
	cr_expect(kt_margin(5, 5) == 0);
	cr_expect(kt_margin(UINT64_C(10000000000), UINT64_C(1000000000000)) == -200);
	cr_expect(kt_margin(7, 0) == 2000);
}
