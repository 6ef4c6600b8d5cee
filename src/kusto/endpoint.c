#include "kusto/endpoint.h"

#include <string.h>

#include "kusto/literal.h"
#include "kusto/trust.h"

#include "base/banned.h"

static int wrong(struct kt_err *err, struct kt_str text, const char *why)
{
	return kt_err_set(err, KT_ERR_USAGE,
			  "'" KT_FMT "' is no address of a cluster: %s; write "
			  "https://NAME.REGION.kusto.windows.net",
			  KT_ARG(kt_str_sub(text, 0, 200)), why);
}

static bool put(char *to, size_t size, struct kt_str s)
{
	if (s.len >= size)
		return false;
	if (s.len)
		memcpy(to, s.p, s.len);
	to[s.len] = '\0';
	return true;
}

/* ---- connection strings ---- */

/* Compares without case and blanks, as the keywords are. */
static bool keyword(struct kt_str key, const char *const *words, size_t n)
{
	char plain[64];
	size_t len = 0;

	for (size_t i = 0; i < key.len && len < sizeof plain; i++)
		if (key.p[i] != ' ')
			plain[len++] = kt_literal_lower(key.p[i]);
	for (size_t i = 0; i < n; i++)
		if (kt_str_eq_c((struct kt_str){plain, len}, words[i]))
			return true;
	return false;
}

/* Takes the parts behind `;` off: the source and the database are kept, secrets are
 * refused (they would end in histories), all other keywords are passed over. */
static int split(struct kt_str text, struct kt_str *source, struct kt_str *database, struct kt_err *err)
{
	static const char *const sources[] = {"datasource", "server", "addr", "address", "networkaddress"};
	static const char *const databases[] = {"initialcatalog", "database"};
	static const char *const secrets[] = {"password",
					      "pwd",
					      "applicationkey",
					      "appkey",
					      "applicationtoken",
					      "apptoken",
					      "usertoken",
					      "usrtoken",
					      "applicationcertificateblob"};
	struct kt_str rest = text, part;

	for (bool first = true; kt_str_cut(&rest, ';', &part); first = false) {
		size_t eq = kt_str_chr(part, '=', 0);
		struct kt_str key = kt_str_trim(kt_str_sub(part, 0, eq));
		struct kt_str value = eq == KT_NPOS ? KT_NONE : kt_str_trim(kt_str_from(part, eq + 1));
		if (first && (eq == KT_NPOS || kt_str_find(key, KT_S("://"), 0) != KT_NPOS))
			*source = kt_str_trim(part);
		else if (keyword(key, sources, KT_LEN(sources)))
			*source = value;
		else if (keyword(key, databases, KT_LEN(databases)))
			*database = value;
		else if (keyword(key, secrets, KT_LEN(secrets)))
			return kt_err_set(err, KT_ERR_USAGE,
					  "a secret in the address ('" KT_FMT "') would be kept "
					  "in histories: give it by KTRIAGE_TOKEN, a file or az",
					  KT_ARG(key));
	}
	return 0;
}

/* ---- host and port ---- */

static bool is_host(struct kt_str h)
{
	for (size_t i = 0; i < h.len; i++) {
		char c = h.p[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!word && c != '-' && !(c == '.' && i > 0 && h.p[i - 1] != '.'))
			return false;
	}
	return h.len > 0 && h.len < 254;
}

static bool is_ipv6(struct kt_str h)
{
	for (size_t i = 0; i < h.len; i++) {
		char c = kt_literal_lower(h.p[i]);
		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.'))
			return false;
	}
	return h.len > 1 && h.len < 46;
}

static bool read_port(struct kt_str s, struct kt_address *out)
{
	uint64_t port;

	if (!s.len)
		return true;
	if (s.p[0] != ':' || !kt_str_uint(kt_str_from(s, 1), 65535, &port) || !port)
		return false;
	out->port = port == (out->https ? 443u : 80u) ? 0 : (unsigned)port;
	return true;
}

static int read_authority(struct kt_str a, struct kt_str text, struct kt_address *out, struct kt_err *err)
{
	struct kt_str host;
	size_t end = kt_str_chr(a, ':', 0);

	if (kt_str_chr(a, '@', 0) != KT_NPOS)
		return kt_err_set(err, KT_ERR_USAGE, "an address may not hold a user or a password");
	out->ipv6 = a.len && a.p[0] == '[';
	if (out->ipv6)
		end = kt_str_chr(a, ']', 0);
	host = out->ipv6 ? kt_str_sub(a, 1, end - 1) : kt_str_sub(a, 0, end);
	if (out->ipv6 ? end == KT_NPOS || !is_ipv6(host) : !is_host(host))
		return wrong(err, text, "there is no host name in it");
	if (end != KT_NPOS && !read_port(kt_str_from(a, end + out->ipv6), out))
		return wrong(err, text, "the port is none");
	put(out->host, sizeof out->host, host);
	for (char *p = out->host; *p; p++)
		*p = kt_literal_lower(*p);
	return 0;
}

/* ---- path ---- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = kt_literal_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %41 -> A; false for anything that is no database name then. */
static bool decode(struct kt_str s, char *to, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		if (c == '%' && i + 2 < s.len) {
			int hi = hex_value(s.p[i + 1]), lo = hex_value(s.p[i + 2]);
			if (hi < 0 || lo < 0)
				return false;
			c = (char)(hi * 16 + lo);
			i += 2;
		}
		if ((unsigned char)c < 0x20 || c == 0x7f || n + 1 >= size)
			return false;
		to[n++] = c;
	}
	to[n] = '\0';
	return true;
}

static bool is_path(struct kt_str s)
{
	for (size_t i = 0; s.p && i < s.len; i++) {
		char c = s.p[i];
		if (c <= ' ' || c >= 0x7f || c == '?' || c == '#' || c == '\\' || c == '"' || c == '<' ||
		    c == '>')
			return false;
	}
	return kt_str_find(s, KT_S("/../"), 0) == KT_NPOS && !kt_str_ends(s, KT_S("/.."));
}

/* One segment is a database; more are a proxy's path and stay. */
static int read_path(struct kt_str path, struct kt_str text, struct kt_address *out, struct kt_err *err)
{
	while (kt_str_ends(path, KT_S("/")))
		path.len--;
	if (!path.len)
		return 0;
	if (kt_str_chr(path, '/', 1) == KT_NPOS) {
		if (kt_str_chr(path, '?', 0) != KT_NPOS || kt_str_chr(path, '#', 0) != KT_NPOS ||
		    !decode(kt_str_from(path, 1), out->database, sizeof out->database))
			return wrong(err, text, "the database in its path is none");
		return 0;
	}
	if (!is_path(path) || !put(out->path, sizeof out->path, path))
		return wrong(err, text, "its path is none");
	return 0;
}

int kt_address_parse(struct kt_str text, struct kt_address *out, struct kt_err *err)
{
	struct kt_str source = KT_NONE, database = KT_NONE;

	*out = (struct kt_address){.https = true};
	text = kt_str_trim(text);
	if (split(text, &source, &database, err) < 0)
		return -1;
	bool scheme = true;
	if (source.len > 8 && kt_str_ieq(kt_str_sub(source, 0, 8), KT_S("https://"))) {
		source = kt_str_from(source, 8);
	} else if (source.len > 7 && kt_str_ieq(kt_str_sub(source, 0, 7), KT_S("http://"))) {
		source = kt_str_from(source, 7);
		out->https = false;
	} else {
		scheme = false;
	}
	if (!scheme && kt_str_find(source, KT_S("://"), 0) != KT_NPOS)
		return wrong(err, text, "only https is spoken");
	size_t slash = kt_str_chr(source, '/', 0);
	struct kt_str authority = kt_str_sub(source, 0, slash);
	struct kt_str bare = kt_str_sub(authority, 0, kt_str_chr(authority, ':', 0));
	if (!scheme && kt_str_chr(bare, '.', 0) == KT_NPOS && !kt_str_eq_c(bare, "localhost"))
		return wrong(err, text, "a bare word is no host");
	if (read_authority(authority, text, out, err) < 0 ||
	    read_path(slash == KT_NPOS ? KT_NONE : kt_str_from(source, slash), text, out, err) < 0)
		return -1;
	if (database.len && !put(out->database, sizeof out->database, database))
		return wrong(err, text, "the database's name is too long");
	return 0;
}

/* ---- what follows from an address ---- */

bool kt_address_loopback(const struct kt_address *a)
{
	return kt_trust_loopback(kt_str_c(a->host));
}

bool kt_address_is_ingest(const struct kt_address *a)
{
	return kt_str_starts(kt_str_c(a->host), KT_S("ingest-"));
}

static bool is_digits(const char *host)
{
	return host[strspn(host, "0123456789.")] == '\0';
}

bool kt_address_twin(const struct kt_address *a, bool ingest, struct kt_address *out)
{
	struct kt_str host = kt_str_c(a->host);

	*out = *a;
	if (kt_address_loopback(a) || a->ipv6 || is_digits(a->host) || a->path[0])
		return false;
	if (ingest == kt_address_is_ingest(a))
		return true;
	if (!ingest)
		return put(out->host, sizeof out->host, kt_str_from(host, 7));
	if (host.len + 8 > sizeof out->host)
		return false;
	memcpy(out->host, "ingest-", 7);
	memcpy(out->host + 7, a->host, host.len + 1);
	return true;
}

void kt_address_root(const struct kt_address *a, struct kt_buf *out)
{
	kt_buf_fmt(out, "%s://%s%s%s", a->https ? "https" : "http", a->ipv6 ? "[" : "", a->host,
		   a->ipv6 ? "]" : "");
	if (a->port)
		kt_buf_fmt(out, ":%u", a->port);
}

void kt_address_base(const struct kt_address *a, struct kt_buf *out)
{
	kt_address_root(a, out);
	kt_buf_str(out, a->path);
}
