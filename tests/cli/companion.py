"""explain, search and option: forgiving of what people type, and never a verdict."""
import sys

import hostile_pack
from lib import *

VERDICTS = ("CONFIRMED", "LIKELY", "AMBIGUOUS", "HEALTHY")


def first(run):
    """The cause that stands first."""
    return run.out.split(":")[0].split("\n")[-1].strip()


def test_explain_says_all(folder):
    hostile_pack.make(folder)
    Run(["explain", "--rules", "rules", "demo.queue-full"], folder).is_(
        FOUND, "demo.queue-full: The queue is full", "mode is Queued", "sinkVersion is 1.2 or newer", "“DemoSink: queue is full, … waits”",
        "DemoSink: queue is full, (?<table>\\w+) waits", "Send fewer batches", "safe: Nothing was written.", ".show ingestion failures",
        "demo.rejected: The service rejects the batch", "https://example.org/queue", "packs/demo/pack.yaml:")
    Run(["explain", "--rules", "rules", "demo.rejected"], folder).is_(
        FOUND, "not seen in a source that was read to its end: the check failures shows: some row has ErrorCode is BadBatch", "argues-against")


def test_explain_is_forgiving(folder):
    whole = Run(["explain", "write.async-wait-none-get"], folder).is_(FOUND).out
    for part in ("async-wait-none-get", "none-get", "WRITE.Async-Wait-None-Get"):
        must(Run(["explain", part], folder).is_(FOUND).out == whole, part)
    run = Run(["explain", "duplicates."], folder).is_(USAGE, "several causes are called so", "duplicates.speculation"[:11])
    must(run.out == "", run.out)
    Run(["explain", "write.asinc-wait-none-get"], folder).is_(USAGE, "did you mean 'write.async-wait-none-get'")
    Run(["explain", "zzzzzz"], folder).is_(USAGE, "search WORDS finds one")
    Run(["explain", ""], folder).is_(USAGE)


def test_search_ranks(folder):
    for words, cause in ((["write.finalize-await-timeout"], "write.finalize-await-timeout"), (["finalize-await"], "write.finalize-await-timeout"),
                         (["BadRequest_EmptyBlob"], "ingest.no-data-in-source"), (["AADSTS7000222"], "auth.secret-expired"),
                         (["Source", "schema", "has", "columns", "that", "are", "not", "present", "in", "the", "target"],
                          "write.source-columns-not-in-target")):
        run = Run(["search"] + words, folder).is_(FOUND, cause + ":")
        must(cause in run.out[:run.out.index("\n\n") if "\n\n" in run.out else 700], "%s: %s" % (words, run.out[:700]))
    run = Run(["search", "write.finalize-await-timeout"], folder)
    must(first(run) == "write.finalize-await-timeout", run.out)
    run = Run(["search", "Principal 'aadapp=1;2' is not authorized to read database"], folder)
    must(first(run) == "auth.engine-viewer-missing", run.out[:600])
    hexadecimal = Run(["search", "0x80DA000B"], folder).is_(FOUND, "says “80DA000B”")
    must(not [v for v in VERDICTS if v in hexadecimal.out], "a verdict")


def test_search_mends_words(folder):
    run = Run(["search", "specluation"], folder).is_(FOUND, "Nothing says 'specluation'; this is for 'speculation'.", "duplicates.speculation:")
    Run(["search", "qqqqxxzzy"], folder).is_(FOUND, "Nothing says 'qqqqxxzzy'.", "No rule mentions these words.")


def test_search_of_an_error(folder):
    error = read(NONE_GET).decode()
    run = Run(["search", "-"], folder, stdin=error).is_(FOUND, "write.async-wait-none-get", "(proves)", "stdin:1", "evidence, no verdict", "ktriage diagnose")
    must(first(run) == "write.async-wait-none-get" and not [v for v in VERDICTS if v in run.out], run.out)
    Run(["search", "-"], folder, stdin="nothing that a rule knows\n").is_(FOUND, "No text of a cause stands in it")
    Run(["search", "-"], folder, stdin="").is_(FOUND, "No text of a cause stands in it")
    with open("/dev/null", "wb") as unreadable:
        Run(["search", "-"], folder, stdin=unreadable.fileno()).is_(INPUT, "cannot be read")
    run = Run(["search", "-"], folder, stdin=error + "accessToken=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk\x1b[31m\n").is_(FOUND)
    must("eyJ" not in run.out, "a secret")


def test_option(folder):
    hostile_pack.make(folder)
    for name in ("sinkMode", "SINKMODE"):
        run = Run(["option", "--rules", "rules", name], folder).is_(FOUND, "sinkMode (write)", "SinkOptions.MODE:", "mode: the old name")
        must("is no option" not in run.out, run.out)
    for name in ("mode", "SinkOptions.MODE"):
        Run(["option", "--rules", "rules", name], folder).is_(FOUND, "%s is no option, nothing reads it" % name, "sinkMode (write)")
    for name, option in (("isAsync", "writeEnableAsync (write)"), ("KustoSourceOptions.KUSTO_READ_MODE", "readMode (read)"),
                         ("kustoAccessToken", "accessToken (both)"), ("kustoaadappcertpath", "kutoAadAppCertPath (both)")):
        Run(["option", name], folder).is_(FOUND, "is no option, nothing reads it", option)
    Run(["option", "--rules", "rules", "SinkOptions.MODF"], folder).is_(USAGE, "did you mean 'SinkOptions.MODE'")
    Run(["search", "--rules", "rules", "SinkOptions.MODE"], folder).is_(FOUND, "option sinkMode")
    must(len(Run(["option"], folder).is_(FOUND).out.split("\n")) > 200, "all options")


main(sys.modules[__name__])
