#include <criterion/criterion.h>
#include <string.h>

#include "base/file.h"
#include "kusto/endpoint.h"
#include "kusto/trust.h"

/* "base | database", or "" if it was refused. */
static const char *parsed(const char *text, struct kt_err *err)
{
	static char out[2048];
	struct kt_buf b = KT_BUF(sizeof out - 1);
	struct kt_address a;

	kt_err_clear(err);
	out[0] = '\0';
	if (kt_address_parse(kt_str_c(text), &a, err) == 0) {
		kt_address_base(&a, &b);
		kt_buf_fmt(&b, "|%s", a.database);
		memcpy(out, b.p, b.len + 1);
	}
	kt_buf_free(&b);
	return out;
}

Test(endpoint, forms_that_people_paste)
{
	static const char *const rows[][2] = {
		{"https://Help.kusto.windows.net", "https://help.kusto.windows.net|"},
		{" https://help.kusto.windows.net/ ", "https://help.kusto.windows.net|"},
		{"https://help.kusto.windows.net:443/", "https://help.kusto.windows.net|"},
		{"https://help.kusto.windows.net:8443", "https://help.kusto.windows.net:8443|"},
		{"help.kusto.windows.net", "https://help.kusto.windows.net|"},
		{"https://help.kusto.windows.net/Samples", "https://help.kusto.windows.net|Samples"},
		{"https://help.kusto.windows.net/My%20Db/", "https://help.kusto.windows.net|My Db"},
		{"https://help.kusto.windows.net/Samples;Fed=True", "https://help.kusto.windows.net|Samples"},
		{"https://help.kusto.windows.net;fed=true", "https://help.kusto.windows.net|"},
		{"Data Source=https://help.kusto.windows.net;Initial Catalog=Other;",
		 "https://help.kusto.windows.net|Other"},
		{"Data Source=https://help.kusto.windows.net/A;Database=B",
		 "https://help.kusto.windows.net|B"},
		{"https://adx.monitor.azure.com/subscriptions/1/x",
		 "https://adx.monitor.azure.com/subscriptions/1/x|"},
		{"http://localhost:8080", "http://localhost:8080|"},
		{"http://[::1]:8080/db", "http://[::1]:8080|db"},
		{"localhost:8080", "https://localhost:8080|"},
	};
	struct kt_err err = {0};

	for (size_t i = 0; i < KT_LEN(rows); i++)
		cr_assert_str_eq(parsed(rows[i][0], &err), rows[i][1], "%s: %s (%s)", rows[i][0],
				 parsed(rows[i][0], &err), err.text);
}

Test(endpoint, what_is_no_address_is_refused)
{
	static const char *const rows[] = {
		"",
		"help",
		"ftp://help.kusto.windows.net",
		"https://",
		"https://a b.kusto.windows.net",
		"https://user:pw@help.kusto.windows.net",
		"https://help.kusto.windows.net:0",
		"https://help.kusto.windows.net:99999",
		"https://help.kusto.windows.net\n.evil.example",
		"https://help.kusto.windows.net/a/../../b",
		"https://[::1",
		"https://help..kusto.windows.net",
		"https://help.kusto.windows.net/%0a",
		"https://help.kusto.windows.net/db?x=1",
		"Data Source=https://help.kusto.windows.net;AppKey=s3cret",
		"Data Source=https://help.kusto.windows.net;User Token=s3cret",
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_err err = {0};
		cr_assert_str_eq(parsed(rows[i], &err), "", "%s", rows[i]);
		cr_assert(err.cls == KT_ERR_USAGE);
		cr_assert_null(strstr(err.text, "s3cret"), "%s", err.text);
	}
}

static void twin_is(const char *text, bool ingest, const char *want)
{
	struct kt_err err = {0};
	struct kt_address a, b;

	cr_assert(kt_address_parse(kt_str_c(text), &a, &err) == 0);
	bool has = kt_address_twin(&a, ingest, &b);
	cr_assert(has == (want != NULL), "%s", text);
	if (want)
		cr_assert_str_eq(b.host, want);
}

Test(endpoint, the_ingest_twin)
{
	twin_is("https://c.kusto.windows.net", true, "ingest-c.kusto.windows.net");
	twin_is("https://ingest-c.kusto.windows.net", true, "ingest-c.kusto.windows.net");
	twin_is("https://ingest-c.kusto.windows.net", false, "c.kusto.windows.net");
	twin_is("https://c.kusto.windows.net", false, "c.kusto.windows.net");
	twin_is("http://localhost:1", true, NULL);
	twin_is("http://127.0.0.1:1", true, NULL);
	twin_is("https://10.1.2.3", true, NULL);
	twin_is("https://[::1]", true, NULL);
	twin_is("https://adx.monitor.azure.com/a/b", true, NULL);
}

static struct kt_buf table = {.max = 1u << 20};
static struct kt_trust *trust;
static const struct kt_str named[] = {{"vouched.example", 15}};

static void setup(void)
{
	struct kt_err err = {0};

	cr_assert(kt_file_read(KT_RULES_SOURCE "/trusted.tsv", &table, &err) == 0, "%s", err.text);
	trust = kt_trust_new(kt_buf_view(&table), named, 1, &err);
	cr_assert_not_null(trust, "%s", err.text);
}

static void teardown(void)
{
	kt_trust_free(trust);
	kt_buf_free(&table);
}

Test(trust, hosts, .init = setup, .fini = teardown)
{
	static const struct {
		const char *host;
		bool yes;
	} rows[] = {
		{"help.kusto.windows.net", true},
		{"HELP.Kusto.Windows.Net", true},
		{"ingest-x.westeurope.kusto.windows.net", true},
		{"x.z5.kusto.fabric.microsoft.com", true},
		{"adx.monitor.azure.com", true},
		{"x.kusto.chinacloudapi.cn", true},
		{"kusto.windows.net", false},
		{"evilkusto.windows.net", false},
		{".kusto.windows.net", false},
		{"help.kusto.windows.net.", false},
		{"help.kusto.windows.net.evil.example", false},
		{"x.adx.monitor.azure.com", false},
		{"evil.example", false},
		{"10.0.0.1", false},
		{"localhost", true},
		{"127.0.0.1", true},
		{"127.1.2.3", true},
		{"::1", true},
		{"LOCALHOST", false},
		{"localhost.", false},
		{"127.1", false},
		{"127.0.0.1.evil", false},
		{"vouched.example", true},
		{"x.vouched.example", false},
		{"", false},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++)
		cr_assert(kt_trust_host(trust, kt_str_c(rows[i].host)) == rows[i].yes, "%s", rows[i].host);
}

Test(trust, a_sign_in_address_belongs_to_its_cloud, .init = setup, .fini = teardown)
{
	struct kt_str host = KT_S("help.kusto.windows.net");

	cr_assert(kt_trust_login(trust, host, KT_S("https://login.microsoftonline.com")));
	cr_assert(kt_trust_login(trust, host, KT_S("https://login.microsoftonline.com/")));
	cr_assert(!kt_trust_login(trust, host, KT_S("https://login.microsoftonline.us")));
	cr_assert(!kt_trust_login(trust, host, KT_S("https://evil.example")));
	cr_assert(!kt_trust_login(trust, host, KT_S("https://login.microsoftonline.com.evil.example")));
	cr_assert(kt_trust_login(trust, KT_S("vouched.example"), KT_S("https://login.microsoftonline.us")));
}

Test(trust, malformed_rows_are_errors)
{
	static const char *const rows[] = {
		"https://x\tsuffix\tkusto.windows.net\n",
		"https://x\thost\t.a.b\n",
		"https://x\tmagic\t.a\n",
		"http://x\thost\ta.b\n",
		"https://x\thost\n",
		"https://x\thost\t\n",
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_err err = {0};
		cr_assert_null(kt_trust_new(kt_str_c(rows[i]), NULL, 0, &err), "%s", rows[i]);
		cr_assert(err.cls == KT_ERR_RULES && strstr(err.text, "trusted.tsv:1:"), "%s", err.text);
	}
}
