#include "session/state.h"

#include <time.h>

#include "base/redact.h"
#include "kusto/fill.h"

#include "base/banned.h"

#define ROWS_OBSERVED 100 /* rows of one predicate kept as observations */
#define COMMAND_MAX   16384u
#define FACT_RIGHTS   "rights" /* "all": the sign-in sees everybody's rows */
#define RIGHTS_ALL    "all"

static int run(struct kt_session *s, uint32_t check, struct kt_err *err);

/* What is automatic and teaches a fact that is not known yet: run once, at connecting. */
static int probe(struct kt_session *s, struct kt_err *err)
{
	for (uint32_t i = 0; i < s->kb->n_learns; i++) {
		const struct kt_learn *l = &s->kb->learns[i];
		uint32_t check = l->item == KT_NIL ? KT_NIL : s->kb->items[l->item].check;
		if (check == KT_NIL || !s->kb->checks[check].automatic || s->probed == check ||
		    kt_session_judgement(s)->facts[l->fact].state != KT_FS_UNKNOWN)
			continue;
		s->probed = check;
		if (run(s, check, err) < 0)
			return -1;
	}
	return 0;
}

int kt_session_connect(struct kt_session *s, struct kt_cluster *take_cluster, struct kt_str database,
		       struct kt_err *err)
{
	kt_session_disconnect(s);
	s->cluster = take_cluster;
	s->probed = KT_NIL;
	kt_session_stale(s);
	struct kt_str known, fact = KT_S(KT_FACT_DATABASE);
	if (!database.len)
		database = kt_cluster_database(take_cluster);
	if (!database.len && kt_session_lookup(s, fact, KT_NIL, &known))
		database = known;
	s->database = kt_arena_str(&s->keep, database);
	bool new_name = database.len && kt_kb_fact(s->kb, fact) != KT_NIL &&
			!(kt_session_lookup(s, fact, KT_NIL, &known) && kt_str_eq(known, database));
	if (new_name && kt_session_set(s, fact, database, KT_S("connect"), err) < 0)
		return -1;
	return database.len ? probe(s, err) : 0;
}

void kt_session_disconnect(struct kt_session *s)
{
	kt_cluster_close(s->cluster);
	s->cluster = NULL;
	kt_session_stale(s);
}

bool kt_session_connected(const struct kt_session *s)
{
	return s->cluster != NULL;
}

struct fill_ctx {
	struct kt_session *s;
	uint32_t cause;
	struct kt_buf from, to;
	bool timed;
};

static bool fill_value(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value)
{
	struct fill_ctx *f = ctx;

	(void)type;
	if (kt_str_eq_c(name, "from") || kt_str_eq_c(name, "to")) {
		*value = kt_buf_view(kt_str_eq_c(name, "from") ? &f->from : &f->to);
		return f->timed;
	}
	if (kt_str_eq_c(name, KT_FACT_DATABASE) && f->s->cluster && f->s->database.len) {
		*value = f->s->database;
		return true;
	}
	return kt_session_lookup(f->s, name, f->cause, value);
}

static int guard_of(struct kt_session *s, struct kt_err *err)
{
	if (!s->guard)
		s->guard = kt_guard_new(kt_kb_file(s->kb, "guard.tsv"), err);
	return s->guard ? 0 : -1;
}

/* The leading cause if it asks for the check, so that names come from its operation. */
static uint32_t asking_cause(struct kt_session *s, uint32_t check)
{
	const struct kt_judgement *j = kt_session_judgement(s);

	for (size_t i = 0; i < j->n_evoked; i++) {
		const struct kt_cause *c = &s->kb->causes[j->evoked[i]];
		for (uint32_t e = 0; e < c->evidence.n; e++) {
			uint32_t item = s->kb->evidence[c->evidence.at + e].item;
			if (s->kb->items[item].check == check)
				return j->evoked[i];
		}
	}
	return j->lead;
}

static int plan_of(struct kt_session *s, uint32_t check, struct kt_guard_plan *plan, struct kt_err *err)
{
	const struct kt_check *c = &s->kb->checks[check];
	struct fill_ctx f = {.s = s, .cause = asking_cause(s, check), .from = KT_BUF(64), .to = KT_BUF(64)};
	struct kt_buf text = KT_BUF(COMMAND_MAX);
	int rc = -1;

	f.timed = kt_session_span(s, &f.from, &f.to);
	if (guard_of(s, err) == 0 && kt_fill(kt_kb_text(s->kb, c->command), fill_value, &f, &text, err) == 0)
		rc = kt_guard_parse(s->guard, kt_buf_view(&text), KT_BY_PACK, plan, err);
	kt_buf_free(&text);
	kt_buf_free(&f.from);
	kt_buf_free(&f.to);
	return rc;
}

int kt_session_command(struct kt_session *s, uint32_t check, struct kt_buf *out, struct kt_err *err)
{
	struct kt_guard_plan plan = {0};
	int rc = plan_of(s, check, &plan, err);

	if (rc == 0)
		kt_buf_add(out, kt_buf_view(&plan.text));
	kt_guard_plan_free(&plan);
	return rc;
}

static bool may_send(struct kt_session *s, const struct kt_guard_plan *plan)
{
	if (plan->cls != KT_GUARD_ASK)
		return true;
	return s->ui && s->ui->confirm && s->ui->confirm(s->ui_ctx, kt_buf_view(&plan->text), plan->why);
}

/* Runs PLAN; writes what became of it into CMD. Returns -1 only when cancelled, or
 * when the recording cannot be written. */
static int send(struct kt_session *s, const struct kt_guard_plan *plan, bool ingest,
		struct kt_command_view *cmd, struct kt_reply *reply, struct kt_err *err)
{
	struct kt_err why = {0};
	struct kt_request rq = {.plan = plan, .database = s->database, .ingest = ingest};

	rq.confirmed = plan->cls != KT_GUARD_ASK || may_send(s, plan);
	cmd->text = kt_session_keep(s, kt_buf_view(&plan->text));
	cmd->endpoint = plan->endpoint;
	if (kt_cluster_run(s->cluster, &rq, reply, &why) == 0) {
		cmd->state = KT_CMD_DONE;
		cmd->rows = reply->result.n_rows;
		return 0;
	}
	cmd->state = reply->state == KT_REPLY_REFUSED ? KT_CMD_NOT_SENT : KT_CMD_FAILED;
	cmd->reason = kt_session_keep(s, kt_str_c(why.text));
	if (reply->state == KT_REPLY_CANCELLED)
		return kt_err_set(err, KT_ERR_CANCELLED, "%s", why.text);
	/* The recording that was asked for could not be written. */
	return why.cls == KT_ERR_OUTPUT ? kt_err_set(err, KT_ERR_OUTPUT, "%s", why.text) : 0;
}

/* A row as people see it: "State=Throttled, Database=sales". */
static struct kt_str show_row(struct kt_session *s, const struct kt_result *r, size_t row)
{
	struct kt_buf b = KT_BUF(400);

	for (size_t c = 0; c < r->n_columns && !b.full; c++) {
		struct kt_str cell = kt_str_sub(kt_result_cell(r, row, c), 0, 80);
		if (cell.len)
			kt_buf_fmt(&b, "%s" KT_FMT "=" KT_FMT, b.len ? ", " : "", KT_ARG(r->columns[c].name),
				   KT_ARG(cell));
	}
	struct kt_str text = kt_session_keep(s, kt_buf_view(&b));
	kt_buf_free(&b);
	return text;
}

static void add_present(struct kt_session *s, struct kt_act *act, uint32_t item,
			const struct kt_rows_hit *hit, const struct kt_result *r, struct kt_str check)
{
	size_t n = hit->n_rows ? hit->n_rows : 1;

	for (size_t i = 0; i < n && i < ROWS_OBSERVED; i++) {
		struct kt_raw *raw = kt_act_raw(act, KT_OBS_SHOW);
		raw->item = item;
		raw->row = hit->n_rows ? hit->rows[i] : 0;
		if (hit->n_rows) {
			raw->source = kt_arena_fmt(&s->keep, KT_FMT ", row %u", KT_ARG(check), raw->row + 1);
			raw->text = show_row(s, r, raw->row);
		} else {
			raw->source = kt_arena_fmt(&s->keep, KT_FMT ", %zu rows", KT_ARG(check), r->n_rows);
		}
	}
}

/* Absent is evidence only from a complete source: an answer that was not cut, for
 * a time that is still kept, with the right to see everybody's rows. */
static bool complete(struct kt_session *s, const struct kt_check *c, const struct kt_result *r)
{
	struct kt_str rights;

	if (r->cut)
		return false;
	/* A recording is judged as it was when it was made. */
	if (c->retention_s && kt_cluster_live(s->cluster) &&
	    kt_session_forgotten(s, c->retention_s, (int64_t)time(NULL)))
		return false;
	if (!c->permission.len)
		return true;
	return kt_session_lookup(s, KT_S(FACT_RIGHTS), KT_NIL, &rights) && kt_str_eq_c(rights, RIGHTS_ALL);
}

/* Rows that are not seen could make the predicate true, or false: then its truth in
 * the rows that are seen proves nothing. */
static bool certain(const struct kt_kb *kb, const struct kt_item *item, bool holds)
{
	switch ((enum kt_rows_mode)item->mode) {
	case KT_ROWS_ANY: return holds;
	case KT_ROWS_ALL:
	case KT_ROWS_NONE: return !holds;
	case KT_ROWS_COUNT: break;
	}
	switch (kb->nodes[item->cond].op) {
	case KT_OP_GE:
	case KT_OP_GT: return holds;
	case KT_OP_LE:
	case KT_OP_LT: return !holds;
	default: return false;
	}
}

static void observe(struct kt_session *s, struct kt_act *act, uint32_t check, const struct kt_reply *reply)
{
	struct kt_str id = kt_kb_text(s->kb, s->kb->checks[check].id);
	struct kt_arena a = {0};

	for (uint32_t i = 0; i < s->kb->n_items; i++) {
		const struct kt_item *item = &s->kb->items[i];
		struct kt_rows_hit hit = {.present = false};
		if (item->kind != KT_ITEM_SHOW || item->check != check)
			continue;
		if (reply)
			kt_rows_judge(s->kb, item, &reply->result, &a, &hit);
		bool known = reply && (certain(s->kb, item, hit.present) ||
				       complete(s, &s->kb->checks[check], &reply->result));
		if (known && hit.present) {
			add_present(s, act, i, &hit, &reply->result, id);
			continue;
		}
		struct kt_raw *raw = kt_act_raw(act, KT_OBS_SHOW);
		raw->item = i;
		raw->source = id;
		raw->state = known ? KT_STATE_ABSENT : KT_STATE_FAILED;
	}
	kt_arena_free(&a);
}

/* Facts that the rows teach, such as whose rows the sign-in may see. */
static void learn(struct kt_session *s, struct kt_act *act, uint32_t check, const struct kt_reply *reply)
{
	struct kt_arena a = {0};

	for (uint32_t i = 0; i < s->kb->n_learns; i++) {
		const struct kt_learn *l = &s->kb->learns[i];
		struct kt_rows_hit hit;
		if (l->item == KT_NIL || s->kb->items[l->item].check != check)
			continue;
		kt_rows_judge(s->kb, &s->kb->items[l->item], &reply->result, &a, &hit);
		if (!hit.present)
			continue;
		struct kt_raw *raw = kt_act_raw(act, KT_OBS_FACT);
		raw->fact = l->fact;
		raw->value = kt_kb_text(s->kb, l->value);
		raw->source = kt_kb_text(s->kb, s->kb->checks[check].id);
	}
	kt_arena_free(&a);
}

/* An answer without a column that the predicates read says nothing: neither that
 * something is there nor that it is not. */
static void need_columns(struct kt_session *s, const struct kt_check *c, const struct kt_result *r,
			 struct kt_command_view *cmd)
{
	for (uint32_t i = 0; i < c->columns.n; i++) {
		struct kt_str name = kt_kb_text(s->kb, s->kb->strings[c->columns.at + i]);
		if (kt_result_column(r, name) != KT_NPOS)
			continue;
		cmd->state = KT_CMD_FAILED;
		cmd->rows = 0;
		cmd->reason = kt_arena_fmt(&s->keep, "the answer has no column '" KT_FMT "'", KT_ARG(name));
		return;
	}
}

static int run(struct kt_session *s, uint32_t check, struct kt_err *err)
{
	struct kt_guard_plan plan = {0};
	struct kt_reply reply = {0};
	struct kt_err why = {0};
	const struct kt_check *c = &s->kb->checks[check];
	struct kt_act *act = kt_act_new(s, KT_ACT_RUN, kt_kb_text(s->kb, c->id));
	struct kt_command_view *cmd = &KT_PUSH(act->commands, act->n_commands, act->cap_commands);
	int rc = 0;

	*cmd = (struct kt_command_view){.check = check, .state = KT_CMD_NOT_SENT};
	act->check = check;
	if (!s->cluster)
		cmd->reason = KT_S("no cluster: connect URL");
	else if (plan_of(s, check, &plan, &why) < 0)
		cmd->reason = kt_session_keep(s, kt_str_c(why.text));
	else
		rc = send(s, &plan, c->endpoint == KT_INGEST, cmd, &reply, err);
	if (cmd->state == KT_CMD_DONE)
		need_columns(s, c, &reply.result, cmd);
	if (!cmd->text.len)
		cmd->text = kt_kb_text(s->kb, c->command);
	if (cmd->state == KT_CMD_DONE)
		learn(s, act, check, &reply);
	observe(s, act, check, cmd->state == KT_CMD_DONE ? &reply : NULL);
	kt_guard_plan_free(&plan);
	kt_reply_free(&reply);
	if (kt_act_add(s, act, err) < 0)
		rc = -1;
	return rc;
}

/* The database may have become known since connecting: what rights there are is asked
 * before the first answer is judged by them. */
static int probe_late(struct kt_session *s, struct kt_err *err)
{
	struct kt_str known;

	if (!s->cluster || s->probed != KT_NIL ||
	    !kt_session_lookup(s, KT_S(KT_FACT_DATABASE), KT_NIL, &known))
		return 0;
	if (!s->database.len)
		s->database = kt_arena_str(&s->keep, known);
	return probe(s, err);
}

int kt_session_run(struct kt_session *s, uint32_t check, struct kt_err *err)
{
	if (!s->kb->checks[check].automatic && probe_late(s, err) < 0)
		return -1;
	return run(s, check, err);
}

int kt_session_show(struct kt_session *s, struct kt_str text, bool query, struct kt_arena *a,
		    struct kt_result *out, struct kt_err *err)
{
	struct kt_guard_plan plan = {0};
	struct kt_reply reply = {0};
	struct kt_act *act = NULL;
	int rc = -1;

	(void)a;
	if (guard_of(s, err) < 0 || kt_guard_parse(s->guard, text, KT_BY_PERSON, &plan, err) < 0)
		goto out;
	if (query != (plan.kind == KT_GUARD_QUERY)) {
		kt_err_set(err, KT_ERR_USAGE,
			   query ? "a command begins the line with its dot; query takes KQL"
				 : "a query needs the word query in front of it");
		goto out;
	}
	if (!s->cluster) {
		kt_err_set(err, KT_ERR_USAGE, "no cluster: connect URL [DATABASE] first");
		goto out;
	}
	act = kt_act_new(s, KT_ACT_SHOW, kt_buf_view(&plan.text));
	struct kt_command_view *cmd = &KT_PUSH(act->commands, act->n_commands, act->cap_commands);
	*cmd = (struct kt_command_view){.check = KT_NIL};
	rc = send(s, &plan, false, cmd, &reply, err);
	if (rc == 0 && cmd->state != KT_CMD_DONE)
		rc = kt_err_set(err, cmd->state == KT_CMD_NOT_SENT ? KT_ERR_REFUSED : KT_ERR_CLUSTER, KT_FMT,
				KT_ARG(cmd->reason));
	if (rc == 0) {
		*out = reply.result;
		reply.result = (struct kt_result){0};
	}
	if (kt_act_add(s, act, err) < 0)
		rc = -1;
out:
	kt_guard_plan_free(&plan);
	kt_reply_free(&reply);
	return rc;
}

enum kt_tri kt_session_verify(struct kt_session *s, uint32_t cause, struct kt_err *err)
{
	uint32_t item = s->kb->causes[cause].verify_item;

	if (item == KT_NIL) {
		kt_err_set(err, KT_ERR_USAGE, "no command can verify this; do what the text says");
		return KT_UNKNOWN;
	}
	if (kt_session_run(s, s->kb->items[item].check, err) < 0)
		return KT_UNKNOWN;
	size_t n;
	const struct kt_obs *obs = kt_session_obs(s, &n);
	for (size_t i = 0; i < n; i++) {
		if (obs[i].kind != KT_OBS_SHOW || obs[i].item != item)
			continue;
		if (obs[i].state == KT_STATE_PRESENT)
			return KT_TRUE;
		if (obs[i].state == KT_STATE_ABSENT)
			return KT_FALSE;
	}
	const struct kt_command_view *cmds = kt_session_commands(s, &n);
	if (n && cmds[n - 1].state == KT_CMD_DONE) {
		kt_err_set(err, KT_ERR_CLUSTER,
			   "not known: the answer was cut, or the sign-in may not see everybody's rows");
		return KT_UNKNOWN;
	}
	kt_err_set(err, KT_ERR_CLUSTER, KT_FMT, KT_ARG(n ? cmds[n - 1].reason : KT_S("not run")));
	return KT_UNKNOWN;
}
