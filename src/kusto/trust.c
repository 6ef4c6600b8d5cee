#include "kusto/trust.h"

#include "base/alloc.h"

#include "base/banned.h"

struct rule {
	struct kt_str login, pattern;
	bool suffix;
};

struct kt_trust {
	struct rule *rules;
	size_t n, cap;
	const struct kt_str *hosts;
	size_t n_hosts;
};

static int add_line(struct kt_trust *t, struct kt_str line, struct kt_err *err)
{
	struct rule r = {0};
	struct kt_str kind;

	if (!kt_str_cut(&line, '\t', &r.login) || !kt_str_cut(&line, '\t', &kind) ||
	    !kt_str_cut(&line, '\t', &r.pattern) || line.len || !r.pattern.len ||
	    !kt_str_starts(r.login, KT_S("https://")))
		return kt_err_set(err, KT_ERR_RULES, "a row is: https address, suffix or host, pattern");
	r.suffix = kt_str_eq_c(kind, "suffix");
	if (!r.suffix && !kt_str_eq_c(kind, "host"))
		return kt_err_set(err, KT_ERR_RULES, "no kind '" KT_FMT "'", KT_ARG(kind));
	/* Without its dot a suffix would let evilkusto.windows.net in. */
	if (r.suffix != (r.pattern.p[0] == '.'))
		return kt_err_set(err, KT_ERR_RULES,
				  "'" KT_FMT "': a suffix begins with a dot, a host does not",
				  KT_ARG(r.pattern));
	KT_PUSH(t->rules, t->n, t->cap) = r;
	return 0;
}

struct kt_trust *kt_trust_new(struct kt_str tsv, const struct kt_str *hosts, size_t n_hosts,
			      struct kt_err *err)
{
	struct kt_trust *t = kt_alloc(sizeof *t);
	struct kt_str line;

	t->hosts = hosts;
	t->n_hosts = n_hosts;
	for (unsigned n = 1; kt_str_cut(&tsv, '\n', &line); n++) {
		if (!line.len || line.p[0] == '#' || kt_str_starts(line, KT_S("login\t")))
			continue;
		if (add_line(t, line, err) < 0) {
			kt_err_prefix(err, "trusted.tsv:%u: ", n);
			kt_trust_free(t);
			return NULL;
		}
	}
	return t;
}

void kt_trust_free(struct kt_trust *take_trust)
{
	if (!take_trust)
		return;
	kt_free(take_trust->rules);
	kt_free(take_trust);
}

static bool is_127(struct kt_str host)
{
	if (!kt_str_starts(host, KT_S("127.")) || host.len < 9 || host.len > 15)
		return false;
	for (size_t i = 0; i < host.len; i++)
		if (host.p[i] != '.' && (host.p[i] < '0' || host.p[i] > '9'))
			return false;
	return true;
}

bool kt_trust_loopback(struct kt_str host)
{
	return kt_str_eq_c(host, "localhost") || kt_str_eq_c(host, "::1") || is_127(host);
}

static bool matches(const struct rule *r, struct kt_str host)
{
	if (!r->suffix)
		return kt_str_ieq(r->pattern, host);
	return host.len > r->pattern.len &&
	       kt_str_ieq(kt_str_from(host, host.len - r->pattern.len), r->pattern);
}

static bool by_person(const struct kt_trust *t, struct kt_str host)
{
	for (size_t i = 0; i < t->n_hosts; i++)
		if (kt_str_ieq(t->hosts[i], host))
			return true;
	return false;
}

bool kt_trust_host(const struct kt_trust *t, struct kt_str host)
{
	if (kt_trust_loopback(host) || by_person(t, host))
		return true;
	for (size_t i = 0; i < t->n; i++)
		if (matches(&t->rules[i], host))
			return true;
	return false;
}

bool kt_trust_login(const struct kt_trust *t, struct kt_str host, struct kt_str login)
{
	/* A host that only a person vouches for may be of any cloud of the list. */
	bool any = kt_trust_loopback(host) || by_person(t, host);

	while (kt_str_ends(login, KT_S("/")))
		login.len--;
	for (size_t i = 0; i < t->n; i++)
		if (kt_str_ieq(t->rules[i].login, login) && (any || matches(&t->rules[i], host)))
			return true;
	return false;
}
