#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh stands beside it and sets what is used here
# Tokens from az, stdin and the environment; TLS that is checked; what hosts get.
. "$(dirname "$0")/lib.sh"

command -v openssl >/dev/null || skip "no openssl"

leaf() { # NAME SAN
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$1.key" -out "$work/$1.csr" \
		-subj "/CN=$1" 2>/dev/null
	printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" >"$work/$1.ext"
	openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days 2 \
		-extfile "$work/$1.ext" -out "$work/$1.pem" 2>/dev/null
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/ca.key" -out "$work/ca.pem" -days 2 \
	-subj "/CN=test CA" -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign" 2>/dev/null
leaf good DNS:localhost,IP:127.0.0.1
leaf wrong DNS:other.example

# An az that behaves as AZ_DOES says, and notes how it was called.
mkdir "$work/bin"
cat >"$work/bin/az" <<'AZ'
#!/bin/sh
printf '%s|' "$@" >>"$AZ_LOG"
case $AZ_DOES in
token) printf 'WARNING: noise\n' >&2; printf '{"accessToken": "AZT0K3N", "expires_on": 1893492000}\n' ;;
login) echo 'ERROR: Please run az login to setup account.' >&2; exit 1 ;;
junk) echo 'no json' ;;
fail) echo 'ERROR: client_secret=hushhush is wrong' >&2; exit 3 ;;
hang) sleep 300 & wait ;;
esac
AZ
chmod +x "$work/bin/az"
AZ_LOG=$work/az.log
export AZ_LOG
unset KTRIAGE_TOKEN CURL_CA_BUNDLE SSL_CERT_FILE || true

start_server cases.rules --log "$work/log" --tls "$work/good.key" "$work/good.pem"
url=https://127.0.0.1:$port

out=$(KTRIAGE_TOKEN=T0K3N ask "$url" '.show version')
expect "unknown CA" "cannot be reached safely" "$out"
[ ! -s "$work/log" ] || { echo "something was sent before the certificate was checked"; failed=1; }

CURL_CA_BUNDLE=$work/ca.pem
export CURL_CA_BUNDLE
expect "environment" "1.0.9" "$(KTRIAGE_TOKEN=T0K3N ask "$url" '.show version')"
expect "environment, log" "auth=Bearer T0K3N" "$(cat "$work/log")"

expect "stdin" "1.0.9" "$(printf 'Bearer ST0K3N\nmore\n' | ask --auth stdin "$url" '.show version')"
expect "stdin, log" "auth=Bearer ST0K3N" "$(cat "$work/log")"
expect "stdin, empty" "there is no token in it" "$(printf '' | ask --auth stdin "$url" '.show version')"

old=$PATH
PATH=$work/bin:$PATH
AZ_DOES=token
export AZ_DOES
expect "az" "1.0.9" "$(ask "$url" '.show version')"
expect "az, log" "auth=Bearer AZT0K3N" "$(cat "$work/log")"
expect "az, metadata first, without a token" "GET /v1/rest/auth/metadata auth=-" "$(cat "$work/log")"
expect "az, arguments" "account|get-access-token|--output|json|--resource|https://kusto.kusto.windows.net|" "$(cat "$work/az.log")"
refuse "az, arguments" "T0K3N" "$(cat "$work/az.log")"
AZ_DOES=login
expect "az, not signed in" "sign-in: az is not signed in: run az login" "$(ask "$url" '.show version')"
AZ_DOES=junk
expect "az, junk" "sign-in: az printed no token" "$(ask "$url" '.show version')"
AZ_DOES=fail
out=$(ask "$url" '.show version')
expect "az, failure" "az failed with status 3" "$out"
refuse "az, failure" "hushhush" "$out"
AZ_DOES=token
# 401 from the cluster: one new token, one more try.
: >"$work/az.log"
: >"$work/log"
expect "az, expired" "sign-in: HTTP 401" "$(ask "$url" '.show diagnostics')"
[ "$(grep -o account "$work/az.log" | wc -l)" = 2 ] || { echo "az was not asked twice"; failed=1; }
[ "$(grep -c '^POST' "$work/log")" = 2 ] || { echo "the request was not made twice"; failed=1; }
PATH=$old
expect "no az" "az is not installed" "$(PATH=/nonexistent ask "$url" '.show version')"
stop_server

start_server cases.rules --tls "$work/wrong.key" "$work/wrong.pem"
expect "wrong name" "cannot be reached safely" "$(KTRIAGE_TOKEN=T0K3N ask "https://127.0.0.1:$port" '.show version')"
stop_server

# A cluster that names a sign-in of another cloud, or a resource that is no cluster's.
printf 'metadata\t*\tbody={"AzureAD":{"LoginEndpoint":"https://evil.example","KustoServiceResourceId":"https://kusto.kusto.windows.net"}}\n' >"$work/login.rules"
printf 'metadata\t*\tbody={"AzureAD":{"LoginEndpoint":"https://login.microsoftonline.com","KustoServiceResourceId":"https://management.azure.com"}}\n' >"$work/resource.rules"
printf 'metadata\t*\ttype=text/html body=<html>portal</html>\n' >"$work/portal.rules"
PATH=$work/bin:$PATH
: >"$work/az.log"
keep=$here
here=$work
for case in login:"wants a sign-in at 'https://evil.example'" resource:"wants a sign-in for 'https://management.azure.com'" \
	portal:"a sign-in portal may stand before the cluster"; do
	start_server "${case%%:*}.rules" --tls "$work/good.key" "$work/good.pem"
	expect "metadata, ${case%%:*}" "${case#*:}" "$(ask "https://127.0.0.1:$port" '.show version')"
	stop_server
done
here=$keep
[ ! -s "$work/az.log" ] || { echo "az was asked for a token of a foreign service"; failed=1; }

[ "$failed" = 0 ] && echo "signin: all as expected"
exit "$failed"
