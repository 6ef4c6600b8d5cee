#include <criterion/criterion.h>

#include "lamp.h"

static struct lamp l;

Test(judge, how_lists_the_addends_with_their_sources)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_HUM, "Buzz");
	struct kt_judgement j = lamp_judge(&l);
	const struct kt_cause_view *v = &j.causes[LAMP_BULB];

	cr_assert(v->evoked && v->n_addends == 2 && v->s_ddb == 300);
	cr_expect(v->addends[0].ddb == 200 && v->addends[0].hits == 2 && v->addends[0].counted);
	cr_expect(kt_str_eq_c(v->addends[0].obs->source, "diary:1"));
	cr_expect(v->addends[1].ddb == 100 && kt_str_eq_c(v->addends[1].obs->source, "diary:3"));
	cr_expect(kt_str_eq_c(j.fix, "bulb") && j.lead == LAMP_BULB && j.fix_p_milli == 901);
	lamp_free(&l);
}

Test(judge, what_counts_through_another_is_shown_as_not_counted)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_HUM, "Arc");
	struct kt_judgement j = lamp_judge(&l);
	const struct kt_cause_view *v = &j.causes[LAMP_BULB];

	cr_assert(v->n_addends == 2 && v->s_ddb == 200);
	cr_expect(v->addends[0].counted && !v->addends[1].counted);
	lamp_free(&l);
}

Test(judge, fatal_records_that_nobody_explains)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_HUM, "Bang");
	l.obs[1].kind = KT_OBS_FATAL;
	l.obs[1].item = KT_NIL;
	struct kt_judgement j = lamp_judge(&l);

	cr_expect(j.other_s_ddb == 200);
	cr_assert(j.n_unexplained == 1);
	cr_expect(j.unexplained[0] == &l.recs[1]);
	lamp_free(&l);
}

Test(judge, facts_name_what_they_rest_on)
{
	lamp_make(&l);
	lamp_told(&l, LAMP_FACT, "old", "evening");
	lamp_told(&l, LAMP_FACT, "new", "morning");
	struct kt_judgement j = lamp_judge(&l);

	cr_expect(j.facts[LAMP_FACT].state == KT_FS_VARIES && j.facts[LAMP_FACT].n_obs == 2 &&
		  j.facts[LAMP_FACT].asked);
	lamp_told(&l, LAMP_FAILED, "morning", NULL);
	j = lamp_judge(&l);
	cr_assert(j.facts[LAMP_FACT].state == KT_FS_KNOWN && j.facts[LAMP_FACT].n_obs == 1);
	cr_expect(kt_str_eq_c(j.facts[LAMP_FACT].value, "new") && j.facts[LAMP_FACT].obs[0] == &l.obs[1]);
	cr_expect(!j.facts[LAMP_FAILED].obs[0]->rec);
	lamp_free(&l);
}

Test(judge, observations_that_the_base_does_not_have_are_none)
{
	lamp_make(&l);
	lamp_hit(&l, 99, "Arc");
	lamp_hit(&l, LAMP_VOLTS, "Arc"); /* no log item */
	lamp_told(&l, 7, "old", NULL);
	lamp_row(&l, KT_STATE_PRESENT);
	l.obs[3].item = LAMP_HUM; /* no item of a command */
	l.obs[l.n++] = (struct kt_obs){.kind = KT_OBS_FATAL, .item = KT_NIL, .fact = KT_NIL};
	struct kt_judgement j = lamp_judge(&l);

	cr_expect(j.verdict == KT_NOT_KNOWN && j.n_evoked == 0 && j.other_s_ddb == 100);
	lamp_free(&l);
}

Test(judge, words)
{
	cr_expect_str_eq(kt_verdict_word(KT_NOT_KNOWN), "NOT KNOWN");
	cr_expect_str_eq(kt_verdict_json(KT_NOT_KNOWN), "not_known");
	cr_expect_str_eq(kt_fact_state_word(KT_FS_ASSUMED), "assumed");
}

Test(why, each_answer_with_what_it_would_do)
{
	struct kt_why why;

	lamp_make(&l);
	lamp_hit(&l, LAMP_SMELL, "Burn");
	lamp_hit(&l, LAMP_FLICKER, "Burn");
	kt_why(l.kb, l.obs, l.n, LAMP_FACT, &l.a, &why);
	cr_assert(why.n == 2 && why.separates);
	cr_expect(kt_str_eq_c(why.answers[0].value, "old") && kt_str_eq_c(why.answers[0].fix, "bulb"));
	cr_expect(why.answers[0].n_excluded == 0);
	cr_expect(kt_str_eq_c(why.answers[1].value, "new") && kt_str_eq_c(why.answers[1].fix, "wire"));
	cr_expect(why.answers[1].n_excluded == 1 && why.answers[1].lead == LAMP_WIRE);
	lamp_free(&l);
}

Test(why, a_question_that_separates_nothing)
{
	struct kt_why why;

	lamp_make(&l);
	lamp_row(&l, KT_STATE_ABSENT);
	kt_why(l.kb, l.obs, l.n, LAMP_FACT, &l.a, &why);
	cr_assert(why.n == 2);
	cr_expect(!why.separates && why.answers[0].lead == KT_NIL && why.answers[0].verdict == KT_NOT_KNOWN);
	lamp_free(&l);
}

Test(why, which_operation_failed_has_those_that_were_seen_as_answers)
{
	struct kt_why why;

	lamp_make(&l);
	lamp_hit(&l, LAMP_SMELL, "Burn");
	lamp_told(&l, LAMP_FACT, "old", "evening");
	lamp_told(&l, LAMP_FACT, "new", "morning");
	kt_why(l.kb, l.obs, l.n, LAMP_FAILED, &l.a, &why);
	cr_assert(why.n == 2);
	cr_expect(kt_str_eq_c(why.answers[0].value, "evening") && kt_str_eq_c(why.answers[0].fix, "fuse"));
	cr_expect(kt_str_eq_c(why.answers[1].value, "morning") && why.answers[1].fix.len == 0);
	lamp_free(&l);
}

static struct kt_why_not why_not(uint32_t cause)
{
	struct kt_judgement j = lamp_judge(&l);
	struct kt_why_not out;

	kt_why_not(l.kb, l.obs, l.n, &j, cause, &l.a, &out);
	return out;
}

Test(why_not, every_reason)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	lamp_hit(&l, LAMP_HUM, "Buzz");
	lamp_told(&l, LAMP_FACT, "new", NULL);
	struct kt_why_not w = why_not(LAMP_BULB);
	cr_expect(w.reason == KT_WN_LEADS && w.n_needed == 0);
	w = why_not(LAMP_WIRE);
	cr_expect(w.reason == KT_WN_OUTWEIGHED && w.by == LAMP_BULB);
	w = why_not(LAMP_FUSE);
	cr_assert(w.reason == KT_WN_EXCLUDED && w.n_gate_obs == 1 && w.n_needed == 2);
	cr_expect(w.gate_obs[0] == &l.obs[2]);
	w = why_not(LAMP_DARK);
	cr_expect(w.reason == KT_WN_UNSUPPORTED && w.n_needed == 1);
	cr_expect(l.kb->evidence[w.needed[0]].item == LAMP_NO_LIGHT);
	lamp_free(&l);
}

Test(why_not, weak)
{
	lamp_make(&l);
	lamp_told(&l, LAMP_FACT, "new", NULL);
	struct kt_why_not w = why_not(LAMP_WIRE);
	cr_expect(w.reason == KT_WN_WEAK && w.n_needed == 1);
	lamp_free(&l);
}

Test(what_if, the_persons_answer_is_replaced_and_the_logs_is_not)
{
	struct kt_judgement j;

	lamp_make(&l);
	struct kt_rec *r = lamp_hit(&l, LAMP_SMELL, "Burn");
	lamp_told(&l, LAMP_FACT, "new", NULL);
	kt_what_if(l.kb, l.obs, l.n, LAMP_FACT, KT_S("old"), &l.a, &j);
	cr_expect(j.facts[LAMP_FACT].state == KT_FS_KNOWN && kt_str_eq_c(j.facts[LAMP_FACT].value, "old"));
	cr_expect(j.lead == LAMP_FUSE);
	l.obs[1].rec = r;
	kt_what_if(l.kb, l.obs, l.n, LAMP_FACT, KT_S("old"), &l.a, &j);
	cr_expect(j.facts[LAMP_FACT].state == KT_FS_DISPUTED);
	cr_expect(l.n == 2 && kt_str_eq_c(l.obs[1].value, "new"));
	lamp_free(&l);
}

static const struct kt_obs *rests(void)
{
	struct kt_judgement j = lamp_judge(&l);

	return kt_rests_on(l.kb, l.obs, l.n, &j, &l.a);
}

Test(rests_on, one_line_or_none)
{
	lamp_make(&l);
	lamp_told(&l, LAMP_FACT, "old", NULL);
	lamp_hit(&l, LAMP_SMELL, "Burn");
	cr_expect(rests() == &l.obs[1]); /* LIKELY by one strong line */
	lamp_hit(&l, LAMP_SMELL, "Burn");
	cr_expect(rests() == &l.obs[1], "a retry is the same fault");
	lamp_row(&l, KT_STATE_PRESENT);
	struct kt_judgement j = lamp_judge(&l);
	cr_expect(j.verdict == KT_CONFIRMED && rests() == NULL, "each of two would be missed");
	lamp_free(&l);
}

Test(rests_on, nothing_when_nothing_is_likely)
{
	lamp_make(&l);
	lamp_hit(&l, LAMP_FLICKER, "Arc");
	cr_expect(rests() == NULL);
	lamp_free(&l);
}
