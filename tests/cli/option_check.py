"""option --check: the shipped reference against jobs, option lists and hostile texts."""
import json, os, re, sys

from lib import *

JOB = '''# .option("isAsync", "true")
conf = {"kustoCluster": "https://orders.westeurope.kusto.windows.net", "kustoDatabase": "sales",
        "kustoAadAppId": app, "kustoAadAppSecret": "hunter2hunter2", "accessToken": "hunter2hunter2"}
(df.write.format("com.microsoft.kusto.spark.datasource").options(**conf)
    .option("kustoTable", table)
    .option("clientBatchingLimit", 4096)
    .option("isAsync", True)
    .option("KustoSinkOptions.KUSTO_WRITE_MODE", "Queued")
    .option("writeMod", "Queued")
    .mode("overwrite").save())
spark.read.format("delta").option("writeMod", "x").option("readMode", "x").load()
'''
CLEAN = '''val conf = Map(KustoSinkOptions.KUSTO_CLUSTER -> cluster, KustoSinkOptions.KUSTO_DATABASE -> "sales",
  KustoSinkOptions.KUSTO_TABLE -> "Orders", KustoSinkOptions.KUSTO_WRITE_MODE -> "Queued",
  KustoSinkOptions.KUSTO_AAD_APP_ID -> id, KustoSinkOptions.KUSTO_AAD_APP_SECRET -> secret,
  KustoSinkOptions.KUSTO_AAD_AUTHORITY_ID -> tenant, "clientBatchingLimit" -> "300")
df.write.format("com.microsoft.kusto.spark.datasource").options(conf).mode("Append").save()
df.writeStream.format("com.microsoft.kusto.spark.datasink.KustoSinkProvider").options(conf)
  .option("checkpointLocation", "/chk").start()
'''


def check(folder, text, *args, name="job.py", code=NOT_KNOWN):
    write(folder, name, text)
    return Run(["option", "--check", name, *args], folder).is_(code)


def test_all_in_one_run(folder):
    run = check(folder, JOB)
    want = ["job.py:3:9: error: more than one way to sign in", "job.py:3:9: warning: kustoAadAuthorityID is missing",
            "job.py:4:5: error: mode(\"overwrite\") is refused", "job.py:6:13: error: clientBatchingLimit is 4096 (MB)",
            "job.py:7:13: error: nothing reads \"isAsync\"; the option is writeEnableAsync",
            "job.py:8:13: error: \"KustoSinkOptions.KUSTO_WRITE_MODE\" is the name of a constant in quotes",
            "job.py:9:13: error: nothing reads \"writeMod\"; did you mean \"writeMode\"?"]
    got = run.out.rstrip("\n").split("\n")
    must(len(got) == len(want), run.out)
    for line, begin in zip(got, want):
        must(line.startswith(begin), "%s\n%s" % (begin, run.out))
    must("config.batching-limit-overflow" in run.out and run.err == "", run.out + run.err)
    for cause in re.findall(r"\(([a-z]+\.[a-z0-9-]+)\)", run.out):
        Run(["explain", cause], folder).is_(FOUND)


def test_nothing_found(folder):
    run = check(folder, CLEAN, name="Job.scala", code=FOUND)
    must(run.out == "" and run.err == "", run.out + run.err)
    run = check(folder, "print('no options')\n", code=FOUND)
    must(run.out == "" and "nothing to check" in run.err, run.err)


def test_every_dress(folder):
    for name, text in (("a.json", '{"params": {"kustoCluster": "https://c.kusto.windows.net", "writeMode": "queued"}}'),
                       ("a.properties", "# x\nkustoTable=T\nwriteMode = queued\n"),
                       ("A.java", 'Map<String, String> m = new HashMap<>();\nm.put("writeMode", "queued");\n'),
                       ("a.py", 'df.write.options(kustoTable="T", writeMode="queued")\n'),
                       ("a.scala", 'Map(KustoSinkOptions.KUSTO_WRITE_MODE -> "queued")\n'),
                       ("bom.py", "\ufeff.option('writeMode', 'queued')\r\n"),
                       ("a.ipynb", json.dumps({"cells": [{"source": ["x = 1\n", ".option(\"writeMode\", \"queued\")\n"]}]}, indent=1)),
                       ("a.log", "INFO options Map(kustoTable -> T, writeMode -> queued)\n")):
        run = check(folder, text, name=name)
        must(re.match(r"%s:\d+:\d+: error: writeMode is \"queued\"" % re.escape(name), run.out), run.out)


def test_standard_input_and_json(folder):
    run = Run(["option", "--check", "-", "--format", "json"], folder, stdin=JOB).is_(NOT_KNOWN)
    doc = run.json()
    must(doc["schema"] == "ktriage.options/1" and doc["file"] == "stdin" and doc["found"] == 7, run.out)
    f = [x for x in doc["findings"] if x["id"] == "client-batching-limit-overflow"]
    must(len(f) == 1 and (f[0]["line"], f[0]["column"], f[0]["level"]) == (6, 13, "error") and
         f[0]["option"] == "clientBatchingLimit" and f[0]["cause"] == "config.batching-limit-overflow", run.out)
    must(Run(["option", "--check=-", "--format", "json"], folder, stdin=CLEAN).is_(FOUND).json()["findings"] == [], "clean")


def test_secrets_and_hostile_bytes(folder):
    run = check(folder, JOB + '\n.option("kustoTable", "a-\x1b[31m\u202e").option("kusto\x1b]0;x\x07", "y")\n'
                '.option("accessToken", "Bearer hunter2hunter2").option("sig=hunter2hunter2", 1).option("kustoTable", "x")\n')
    must("hunter2" not in run.out + run.err, run.out)
    must("hunter2" not in check(folder, JOB, "--format=json").out, "json")
    check(folder, b"\xff\xfe\x00\x01" * 1000, code=FOUND)
    check(folder, b"", code=FOUND)


def test_time_grows_with_the_text(folder):
    for piece in ("'", "({[", '{"kustoTable":"a-b"},', ".option('writeModf','x')", "/*", '"""\'', "df.write.options(c);\n"):
        text = 'c={"kustoTable":"a-b","x":"%s"}\n' % ("y" * 200000) + piece * (1000000 // len(piece))
        Run(["option", "--check", "-"], folder, stdin=text)


def test_usage(folder):
    for args, code, text in ((["--check", "gone.py"], INPUT, "gone.py"), (["--check", ""], USAGE, "name a file"),
                             (["--check", "-", "writeMode"], USAGE, "not both"), (["--check"], USAGE, "needs a value"),
                             (["--check", "-", "--format", "xml"], USAGE, "text, json"),
                             (["--format", "json"], USAGE, "goes with --check"), (["--check", "."], INPUT, ".")):
        run = Run(["option"] + args, folder).is_(code, text)
        must(run.out == "", run.out)
    Run(["option", "--check", "-"], folder, stdin=b"x" * (5 << 20)).is_(INPUT, "longer than")
    with open("/dev/full", "wb") as full:
        write(folder, "job.py", JOB)
        Run(["option", "--check", "job.py"], folder, stdout=full).is_(OUTPUT)
    Run(["option", "--help"], folder).is_(FOUND, "--check FILE", "name=value")
    Run(["explain", "--check", "x"], folder).is_(USAGE, "does not go with")


main(sys.modules[__name__])
