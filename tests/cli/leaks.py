"""Secrets in logs, pastes, answers and rows reach no screen and no file."""
import json, os, sys

from lib import *

JWT = "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJodHRwczovL2sifQ.c2lnbmF0dXJlLU1BUktFUg"
# Each holds MARKER, or a part of the token, in the place of the secret.
SECRETS = [
    "https://a.blob.core.windows.net/c/b.csv?sv=2020-08-04&sig=MARKER%2Fabc%3D&se=2026",
    "https://a/c?sv=1\\u0026sig=MARKER", "https%3A%2F%2Fa%2Fc%3Fsv%3D1%26sig%3DMARKER", "https://a/c?sv=1&amp;sig=MARKER",
    JWT, "Authorization: Bearer " + JWT, "Authorization=Bearer opaqueMARKERtoken12", "Authorization: Basic TUFSS0VSTUFSS0VS",
    "Data Source=https://k;AppClientId=1;AppKey=MARKER~x.y;Authority Id=t", "AppKey=\"MARKER with blanks;and more\"",
    "Application Key=MARKER", "{\\\"Application Key\\\": \\\"MARKER\\\"}", "kustoAadAppSecret -> MARKER",
    ".option(\"kustoAadAppSecret\", \"MARKER\")", "('kustoAadAppSecret', 'MARKER')", "{\"kustoAadAppSecret\":\"a\\\"MARKER\"}",
    "AccountKey=MARKER+/==;EndpointSuffix=x", "fs.azure.account.key.a.blob.core.windows.net=MARKER==",
    "password=MARKER", "Pwd=MARKER;", "https://user:MARKER@host/x", "accessToken: MARKER", "client_secret=MARKER&grant=x",
    "<AppKey>MARKER</AppKey>", "--client-secret MARKER", "SharedAccessSignature=sv=2019&sig=MARKER",
    "-----BEGIN PRIVATE KEY-----MARKER-----END PRIVATE KEY-----",
]
LEAKS = ("MARKER", "TUFSS0VS", "c2lnbmF0dXJl")


def log_with(secret, pad=""):
    return read(NONE_GET).decode().replace("User class", "%s %s User class" % (secret, pad), 1)


def clean(what, text):
    for leak in LEAKS:
        at = text.find(leak)
        must(at < 0, "%s: %s" % (what, text[max(0, at - 80):at + 40]))


def files_are_clean(folder, *but):
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if os.path.relpath(path, folder) not in but:
                clean(path, read(path).decode("utf-8", "replace"))


def test_logs(folder):
    for i, secret in enumerate(SECRETS):
        write(folder, "a.log", log_with(secret))
        for how in (["--verbose"], ["--format", "json", "--save"]):
            run = Run(["diagnose"] + how + ["a.log"], folder).is_(FOUND, "***")
            clean(secret, run.out + run.err)
    must(len(sessions(folder)) == len(SECRETS), "sessions were kept")
    files_are_clean(folder, "a.log")


def test_a_cut_line_hides_it_too(folder):
    """A long line is shown around the match: the secret must not lose its name."""
    for pad in range(0, 240, 15):
        write(folder, "a.log", log_with("x" * 300 + " sig=" + "MARKER" * 9, "y" * pad))
        run = Run(["diagnose", "a.log"], folder).is_(FOUND)
        clean("%d bytes behind the secret" % pad, run.out)


def test_the_shell(folder):
    text = "".join(log_with(s) + "\n" for s in SECRETS)
    said = ("set database AppKey=MARKER\nset table %s\npassword=MARKER\nsearch AppKey=MARKER\nevidence\nfacts\n"
            ".show tables | where x == 'password=MARKER'\nreport r.txt\nreport r.json\nsave s.jsonl\n" % JWT)
    run = Run([], folder, stdin=text + "\n" + said).is_(FOUND, "***")
    clean("the shell", run.out + run.err)
    must(os.path.exists(os.path.join(folder, "r.json")), "a report was written")
    files_are_clean(folder)


def test_options_and_errors(folder):
    for args in (["diagnose", "--set", "AppKey=MARKER"], ["diagnose", "--set", "writeMode=AppKey=MARKER", NONE_GET],
                 ["diagnose", "AppKey=MARKER"], ["show", ".show tables | where password=MARKER"],
                 ["diagnose", "--cluster", "https://user:MARKER@k.kusto.windows.net", NONE_GET],
                 ["show", "--cluster", "http://127.0.0.1:1/?sig=MARKER", ".show version"]):
        run = Run(args, folder)
        clean(str(args), run.out + run.err)


def test_rows_of_a_cluster(folder):
    """What a cluster says is redacted before it is shown, kept or recorded."""
    for name in os.listdir(DEMO_CLUSTER):
        with open(os.path.join(DEMO_CLUSTER, name), encoding="utf-8") as f:
            doc = json.load(f)
        rows = doc["rows"] or [[None] * len(doc["columns"])]
        doc["rows"] = [["%s %s" % (cell, SECRETS[(i + k) % len(SECRETS)]) for k, cell in enumerate(row)]
                       for i, row in enumerate(rows)]
        write(folder, "cluster/" + name, json.dumps(doc))
    run = Run(["diagnose", "--save", "--format", "json", "--verbose", "--replay", "cluster", "--record", "again",
               DEMO_LOGS], folder)
    clean("answer", run.out + run.err)
    must(os.listdir(os.path.join(folder, "again")), "recordings were written")
    files_are_clean(folder, *["cluster/" + n for n in os.listdir(DEMO_CLUSTER)])
    text = json.loads(read(os.path.join(folder, "cluster/01.json")))["text"]
    for form in ("table", "json", "csv", "tsv"):
        run = Run(["show", "--replay", "cluster", "--format", form, text], folder).is_(FOUND, "***")
        clean(form, run.out)


def test_the_token(folder):
    env = {"KTRIAGE_TOKEN": JWT}
    for args in (["diagnose", "--cluster", "https://evil.example", NONE_GET],
                 ["show", "--cluster", "https://evil.example", ".show version"]):
        run = Run(args, folder, env=env)
        clean(str(args), run.out + run.err)
    files_are_clean(folder)


main(sys.modules[__name__])
