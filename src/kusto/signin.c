/* Which token goes with requests; see live.h. */
#include "kusto/live.h"

#include <stdlib.h>
#include <string.h>

#include "json/json.h"

#include "base/banned.h"

#define METADATA_MS  15000
#define RESOURCE_MAX 300

static enum kt_reply_state refuse(struct kt_err *err, const char *what, struct kt_str value)
{
	kt_err_set(err, KT_ERR_REFUSED,
		   "the cluster wants a sign-in %s '" KT_FMT "', which is not on the list of its "
		   "cloud: no token was asked for",
		   what, KT_ARG(kt_str_sub(value, 0, 120)));
	return KT_REPLY_REFUSED;
}

/* Only a cluster's own resource: a token for another service must not be had by
 * naming it. */
static bool is_resource(const struct kt_live *l, struct kt_str s)
{
	struct kt_address a;
	struct kt_err ignored = {0};

	return s.len < RESOURCE_MAX && kt_str_starts(s, KT_S("https://")) &&
	       kt_address_parse(s, &a, &ignored) == 0 && !a.port && !a.path[0] && !a.database[0] &&
	       kt_trust_host(l->trust, kt_str_c(a.host)) && !kt_address_loopback(&a);
}

/* With second-factor sign-in the resource has another name. */
static void add_resource(struct kt_str s, bool mfa, struct kt_buf *out)
{
	size_t at = kt_str_find(s, KT_S(".kusto."), 0);

	if (mfa && at != KT_NPOS) {
		kt_buf_add(out, kt_str_sub(s, 0, at));
		kt_buf_str(out, ".kustomfa.");
		s = kt_str_from(s, at + 7);
	}
	kt_buf_add(out, s);
}

static enum kt_reply_state read_metadata(const struct kt_live *l, struct kt_str body, struct kt_buf *resource,
					 struct kt_err *err)
{
	struct kt_err why = {0};
	struct kt_json *doc = kt_json_parse(body, &why);
	const struct kt_json *ad = kt_json_get(doc, "AzureAD");
	struct kt_str login = kt_json_str(kt_json_get(ad, "LoginEndpoint"));
	struct kt_str id = kt_json_str(kt_json_get(ad, "KustoServiceResourceId"));
	enum kt_reply_state state = KT_REPLY_DONE;

	if (kt_json_kind(ad) == KT_JSON_NULL) {
		kt_address_root(&l->engine, resource);
	} else if (!id.len || !login.len) {
		kt_err_set(err, KT_ERR_CLUSTER,
			   "how to sign in cannot be read: /v1/rest/auth/metadata answers with "
			   "something else; a proxy or a sign-in portal may stand before the cluster");
		state = KT_REPLY_SIGN_IN;
	} else if (!kt_trust_login(l->trust, kt_str_c(l->engine.host), login)) {
		state = refuse(err, "at", login);
	} else if (!is_resource(l, id)) {
		state = refuse(err, "for", id);
	} else {
		add_resource(id, kt_json_bool(kt_json_get(ad, "LoginMfaRequired"), false), resource);
	}
	kt_json_free(doc);
	return state;
}

/* What to ask az for. A cluster without metadata takes its own address. */
static enum kt_reply_state find_resource(struct kt_live *l, struct kt_buf *resource, struct kt_err *err)
{
	struct kt_exchange x = {.live = l,
				.to = &l->engine,
				.path = "/v1/rest/auth/metadata",
				.at_root = true,
				.total_ms = METADATA_MS};
	enum kt_http_outcome outcome;
	enum kt_reply_state state = kt_exchange_run(&x, &outcome, err);

	if (state == KT_REPLY_DONE && x.result.status == 404) {
		kt_address_root(&l->engine, resource);
	} else if (state == KT_REPLY_DONE && x.result.status != 200) {
		kt_err_set(err, KT_ERR_CLUSTER,
			   "how to sign in is not known: /v1/rest/auth/metadata answers HTTP %d",
			   x.result.status);
		state = KT_REPLY_SIGN_IN;
	} else if (state == KT_REPLY_DONE) {
		state = read_metadata(l, kt_buf_view(&x.answer), resource, err);
	}
	kt_exchange_free(&x);
	return state;
}

static enum kt_auth_method method_of(const struct kt_live *l)
{
	const char *token = getenv(KT_TOKEN_ENV);

	if (l->auth.method != KT_AUTH_DEFAULT)
		return l->auth.method;
	if (!l->engine.https) /* the emulator knows no sign-in */
		return KT_AUTH_NONE;
	return token && *token ? KT_AUTH_ENV : KT_AUTH_AZ;
}

enum kt_reply_state kt_live_sign_in(struct kt_live *l, struct kt_err *err)
{
	struct kt_auth auth = {.method = method_of(l), .path = l->auth.path};
	struct kt_buf resource = KT_BUF(RESOURCE_MAX + 16);
	enum kt_reply_state state = KT_REPLY_DONE;

	if (l->signed_in)
		return KT_REPLY_DONE;
	/* Asked before anything else, so that no token is even fetched for such a host. */
	if (kt_live_check(l, &l->engine, err) < 0)
		return KT_REPLY_REFUSED;
	if (auth.method == KT_AUTH_AZ)
		state = find_resource(l, &resource, err);
	if (state == KT_REPLY_DONE && auth.method != KT_AUTH_NONE &&
	    kt_token_get(&auth, kt_buf_view(&resource), &l->cancel, &l->token, err) < 0)
		state = err->cls == KT_ERR_CANCELLED ? KT_REPLY_CANCELLED : KT_REPLY_SIGN_IN;
	l->signed_in = state == KT_REPLY_DONE;
	kt_buf_free(&resource);
	return state;
}
