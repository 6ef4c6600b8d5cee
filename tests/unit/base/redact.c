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
	};
	return cr_make_param_array(struct pair, pairs, KT_LEN(pairs));
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
