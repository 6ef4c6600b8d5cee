#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "base/redact.h"

struct pair {
	char in[160], out[160];
};

ParameterizedTestParameters(redact, texts)
{
	static struct pair pairs[] = {
		{"https://a.blob.core.windows.net/c/b.csv.gz?sv=2020&sig=abc%2F123%3D&se=2026",
		 "https://a.blob.core.windows.net/c/b.csv.gz?sv=2020&sig=***&se=2026"},
		{"Authorization: Bearer eyJ0eXAiOiJKV1QiLCJhbGciOi.eyJhdWQiOiJodHRwczo.sig-part",
		 "Authorization: Bearer ***"},
		{"token eyJ0eXAiOiJKV1QiLCJhbGciOi.eyJhdWQiOiJodHRwczo.c2ln was sent", "token *** was sent"},
		{"kustoAadAppSecret -> s3cr3t)", "kustoAadAppSecret -> ***)"},
		{"\"kustoAadAppSecret\":\"s3c,r3t\",\"x\":1", "\"kustoAadAppSecret\":\"***\",\"x\":1"},
		{"DefaultEndpointsProtocol=https;AccountKey=abc==;EndpointSuffix=x",
		 "DefaultEndpointsProtocol=https;AccountKey=***;EndpointSuffix=x"},
		{"Application Client Id=1;AppKey='a b';Fed=true",
		 "Application Client Id=1;AppKey='***';Fed=true"},
		{"Bearer authentication is not supported", "Bearer authentication is not supported"},
		{"unexpected token: null in design", "unexpected token: null in design"},
		{"design: x, insig=4", "design: x, insig=4"},
		{"nothing here", "nothing here"},
		{"https://a/c?sv=1\\u0026sig=abc\\u0026se=2", "https://a/c?sv=1\\u0026sig=***"},
		{"https%3A%2F%2Fa%2Fc%3Fsv%3D1%26sig%3Dabc%252F", "https%3A%2F%2Fa%2Fc%3Fsv%3D1%26sig%3D***"},
		{"Application Key=abc;x", "Application Key=***;x"},
		{"\\\"Application Key\\\": \\\"abc\\\", 1", "\\\"Application Key\\\": \\\"***\\\", 1"},
		{"primary key: id, foreign key=x", "primary key: id, foreign key=x"},
		{"option('kustoAadAppSecret', 'a\\'b')", "option('kustoAadAppSecret', '***')"},
		{"no token, 'x' was found", "no token, 'x' was found"},
		{"fs.azure.account.key.acct.blob.core.windows.net=abc==",
		 "fs.azure.account.key.acct.blob.core.windows.net=***"},
		{"https://user:abc@host/x:1@y", "https://user:***@host/x:1@y"},
		{"https://host:443/x and a@b", "https://host:443/x and a@b"},
		{"<AppKey>abc</AppKey>", "<AppKey>***</AppKey>"},
		{"<name>my.password</name> <value>abc</value>",
		 "<name>my.password</name> <value>***</value>"},
		{"run --client-secret abc --x", "run --client-secret *** --x"},
		{"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
		 "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"},
	};
	return cr_make_param_array(struct pair, pairs, KT_LEN(pairs));
}

/* Time must not grow with the square of the length: this ends at once or never. */
Test(redact, long_text_without_secret, .timeout = 20)
{
	struct kt_buf text = KT_BUF(2u << 20);

	while (!text.full)
		kt_buf_str(&text, "eyJ/");
	cr_assert(!kt_redact_needed(kt_buf_view(&text)));
	kt_buf_clear(&text);
	while (!text.full)
		kt_buf_str(&text, "a://b:");
	cr_assert(!kt_redact_needed(kt_buf_view(&text)));
	kt_buf_free(&text);
}

ParameterizedTest(struct pair *p, redact, texts)
{
	struct kt_buf out = KT_BUF(1000);

	kt_redact(&out, kt_str_c(p->in));
	cr_assert_str_eq(kt_buf_c(&out), p->out);
	struct kt_buf again = KT_BUF(1000);
	kt_redact(&again, kt_buf_view(&out));
	cr_assert_str_eq(kt_buf_c(&again), kt_buf_c(&out), "redacting twice changes nothing");
	kt_buf_free(&out);
	kt_buf_free(&again);
}
