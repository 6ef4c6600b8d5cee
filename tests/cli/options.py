"""Options and exit codes as the manual has them."""
import csv, io, json, os, re, sys

from lib import *

NOWHERE = "http://127.0.0.1:1"     # nothing listens there
COMMAND = ".show database ['logistics'] principal roles | project Scope, Role"


def recording(folder, rows, columns, text=COMMAND, name="one/a.json", **more):
    doc = {"schema": "ktriage.recording/1", "cluster": "https://k.example", "database": "logistics", "endpoint": "engine",
           "kind": "mgmt", "text": text, "state": "done", "columns": columns, "rows": rows}
    write(folder, name, json.dumps(dict(doc, **more)))


def test_fail_on(folder):
    write(folder, "quiet.log", "26/03/15 10:12:48 INFO SparkContext: Running Spark version 3.5.0\n")
    sets = ["--set", "operation=write", "--set", "writeMode=Transactional", "--set", "connectorVersion=5.0.6"]
    for args, verdict, code in (([NONE_GET], "likely", FOUND), ([NONE_GET] + sets, "confirmed", FOUND),
                                (["quiet.log"], "healthy", HEALTHY), (["/dev/null"], "not_known", NOT_KNOWN)):
        Run(["diagnose"] + args, folder).is_(code)
        for word in ("confirmed", "likely", "ambiguous", "not_known", "healthy", "damaged"):
            run = Run(["diagnose", "--format=json", "--fail-on", word] + args, folder)
            run.is_(AMBIGUOUS if word == verdict else code)
            must(run.json()["verdict"] == verdict and run.json()["exit"] == run.code, run.out[:200])
        Run(["diagnose", "--fail-on=damaged,%s" % verdict] + args, folder).is_(AMBIGUOUS)
        # Nothing to read comes before the verdict and what --fail-on says of it.
    Run(["diagnose", "--fail-on", "not_known,damaged", "gone.log"], folder).is_(INPUT)
    for word in ("likly", "", "likely,", ",likely", "LIKELY"):
        Run(["diagnose", "--fail-on", word, NONE_GET], folder).is_(USAGE, "--fail-on")
    Run(["diagnose", "--fail-on", "likly", NONE_GET], folder).is_(USAGE, "did you mean 'likely'")


def test_threads(folder):
    answers = set()
    for n in ([], ["0"], ["1"], ["2"], ["1024"]):
        args = ["--threads"] + n if n else []
        answers.add(Run(["diagnose"] + args + [DEMO_LOGS, NONE_GET], folder).out)
        Run(args, folder, stdin=b"scan '%s'\n" % NONE_GET.encode()).is_(FOUND, "5 lines, 1 record matched")
    must(len(answers) == 1, "threads change the answer")
    for n in ("", "-1", "1025", "two", "1.5"):
        Run(["diagnose", "--threads=" + n, NONE_GET], folder).is_(USAGE, "--threads", "whole number")
    Run(["explain", "--threads=1"], folder).is_(USAGE, "does not go with")


def test_trace(folder):
    plain = Run(["diagnose", NONE_GET], folder)
    run = Run(["diagnose", "--trace", "match", NONE_GET], folder).is_(FOUND)
    must(run.out == plain.out and not plain.err, "the answer stays the same: " + run.out)
    head, *rows, totals = run.err.rstrip("\n").split("\n")
    must(head.split() == ["ms", "candidates", "hits", "runs", "limits", "pattern", "cover"], head)
    costs = [float(r.split()[0]) for r in rows]
    must(len(rows) > 2 and costs[:-1] == sorted(costs[:-1], reverse=True), run.err)
    for column in range(1, 5):
        numbers = [int(r.split()[column].replace(",", "")) for r in rows]
        must(numbers[-1] == sum(numbers[:-1]), "the sum: " + run.err)
    must(rows[-1].split()[-1] == "all" and int(rows[-1].split()[2]) > 0, run.err)
    must("None" in run.err and re.match(r"1 record judged, \d+ bytes; \d+ patterns compiled, \d+ of them", totals), totals)
    Run(["diagnose", "--format=json", "--trace=match", NONE_GET], folder).is_(FOUND, "candidates").json()
    Run(["diagnose", "--trace", "mach", NONE_GET], folder).is_(USAGE, "did you mean 'match'?")
    Run(["diagnose", "--trace", "http", NONE_GET], folder).is_(USAGE, "what can be traced is match")
    Run(["diagnose", "--trace"], folder).is_(USAGE, "--trace WHAT")


def test_require_cluster(folder):
    Run(["diagnose", "--require-cluster", NONE_GET], folder).is_(USAGE, "--cluster URL")
    Run(["diagnose", "--require-cluster", "--cluster", NOWHERE, NONE_GET], folder).is_(CLUSTER, "cannot be reached")
    # Without it the logs decide, and the failure is told.
    recording(folder, None, None, state="failed", error="HTTP 403", **{"class": "cluster"})
    run = Run(["diagnose", "--format=json", "--replay", "one", "--set", "database=logistics", NONE_GET], folder).is_(FOUND)
    commands = run.json()["commands"]
    must(commands and all(c["state"] == "failed" and c["reason"] for c in commands), run.out)
    for args in ([NONE_GET], ["gone.log"], ["--fail-on", "likely", NONE_GET]):
        Run(["diagnose", "--require-cluster", "--replay", "one"] + args, folder).is_(CLUSTER)
    Run(["diagnose", "--require-cluster", "--replay", DEMO_CLUSTER, DEMO_LOGS], folder).is_(FOUND, "CONFIRMED")
    Run(["diagnose", "--require-cluster", "--cluster", "https://evil.example:x", NONE_GET], folder).is_(USAGE)


def test_dry_run(folder):
    run = Run(["diagnose", "--dry-run", "--cluster", NOWHERE, "--record", "r", DEMO_LOGS], folder)
    commands = [c for c in run.out.split("\n\n") if c.strip() and not c.startswith("#")]
    must(commands and all(c.startswith(".show ") for c in commands), run.out)
    must(not os.path.exists(os.path.join(folder, "r")), "nothing is recorded, nothing sent")
    must("{" not in "".join(commands), "filled in: " + run.out)
    Run(["diagnose", "--dry-run", "--cluster", NOWHERE, "--require-cluster", DEMO_LOGS], folder).is_(run.code)
    # What is asked later is among it.
    asked = Run(["diagnose", "--format=json", "--replay", DEMO_CLUSTER, DEMO_LOGS], folder).json()["commands"]
    must(any(c["text"] in commands for c in asked), "%s is none of %s" % (asked, commands))


def test_save(folder):
    Run(["diagnose", NONE_GET], folder).is_(FOUND)
    Run(["sessions"], folder).is_(FOUND, "No session")
    Run(["diagnose", "--save", "--set", "writeMode=Transactional", NONE_GET], folder).is_(FOUND)
    must(len(sessions(folder)) == 1, "one session")
    path = sessions(folder)[0]
    must(os.stat(path).st_mode & 0o777 == 0o600, "nobody else reads it")
    Run(["sessions"], folder).is_(FOUND, path)
    for args in (["resume"], ["resume", path]):
        Run(args, folder, stdin=b"facts\n").is_(FOUND, "write.async-wait-none-get", "Transactional")
    for args in (["--set", "nosuch=1", NONE_GET], ["--set", "writeMode=nosuch", NONE_GET]):
        Run(["diagnose", "--save"] + args, folder).is_(USAGE)
    must(len(sessions(folder)) == 1, "no empty session stays")


def test_max_bytes(folder):
    whole = read(NONE_GET)
    for n in (1, 10, len(whole) - 1, len(whole), len(whole) + 1, 2**63 - 1):
        run = Run(["diagnose", "--format=json", "--max-bytes", str(n), NONE_GET], folder)
        one = run.json()["inputs"][0]
        must(one["bytes"] == min(n, len(whole)) and one["complete"] == (n >= len(whole)), "%d: %s" % (n, one))
        must(one["complete"] or "longer than %d bytes" % n in one["problem"], "%d: %s" % (n, one))
        must(run.code == run.json()["exit"], run.out[:100])
        Run(["diagnose", "--fail-on=damaged", "--max-bytes=%d" % n, NONE_GET], folder).is_(
            run.code if n >= len(whole) else AMBIGUOUS)
        must(Run(["diagnose", "--format=json", "--max-bytes", str(n)], folder, stdin=whole).json()["inputs"][0]["bytes"] ==
             one["bytes"], "stdin")
    for n in ("0", "-1", "x", "", "1k", "18446744073709551616", "9223372036854775808"):
        Run(["diagnose", "--max-bytes", n, NONE_GET], folder).is_(USAGE, "--max-bytes")


def show(folder, form, **popen):
    return Run(["show", "--replay", "one", "--format", form, COMMAND], folder, inert=False, **popen).is_(FOUND)


def test_show_formats(folder):
    cells = ["plain", "a,b", "q\"uote", "line\nfeed", "tab\tand\\", "", None, "=1+1", "-5", "+1.5e-3", "@x", "-x",
             "\x1b[31m\u202e", "naïve ☃", "\r"]
    rows = [[cell, str(i)] for i, cell in enumerate(cells)]
    recording(folder, rows, [["Scope", "string"], ["Ro,le\"", "int"]])
    want = [dict(zip(("Scope", "Ro,le\""), row)) for row in rows]
    must(json.loads(show(folder, "json").out) == want, "json: " + show(folder, "json").out)
    safe = {"=1+1": "'=1+1", "@x": "'@x", "-x": "'-x", "\r": "'\r", None: ""}
    got = list(csv.reader(io.StringIO(show(folder, "csv").raw.decode(), newline="")))
    must(got[0] == ["Scope", "Ro,le\""], "csv: the head %s" % got[0])
    must(got[1:] == [[safe.get(c, c), str(i)] for i, c in enumerate(cells)], "csv: %s" % got)
    lines = show(folder, "tsv").raw.decode().split("\n")
    must(lines[-1] == "" and len(lines) == len(rows) + 2, "tsv: %d lines" % len(lines))
    undo = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    for line, row in zip(lines[1:], rows):
        cell = line.split("\t")[0]
        plain = re.sub(r"\\(.)", lambda m: undo[m[1]], cell)
        must(plain == (row[0] or "") and len(line.split("\t")) == 2, "tsv: %r of %r" % (line, row))
    table = Run(["show", "--replay", "one", COMMAND], folder).is_(FOUND, "\\x1b[31m\\u202e", "naïve ☃")
    must(Run(["show", "--replay", "one", "--format", "table", COMMAND], folder).out == table.out, "table is what is taken")


def test_show_at_a_terminal(folder):
    """A terminal gets nothing that it would obey, in any format."""
    recording(folder, [["\x1b[31m\u202e\u009b\x07", "1"]], [["Scope", "string"], ["Role\x1b[31m", "int"]])
    for form in ("table", "json", "csv", "tsv"):
        ours, theirs = os.openpty()
        Run(["show", "--replay", "one", "--color", "never", "--format", form, COMMAND], folder, stdout=theirs,
            env={"PAGER": "cat"}).is_(FOUND)
        os.close(theirs)
        out = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            out += piece
        os.close(ours)
        text = out.decode().replace("\r\n", "\n")
        must("31m" in text and not OBEYED.search(text), "%s: %r" % (form, text))


def test_show_of_nothing(folder):
    recording(folder, [], [["Scope", "string"], ["Role", "string"]])
    must(json.loads(show(folder, "json").out) == [], "json")
    must(show(folder, "csv").out == '"Scope","Role"\n', "csv")
    must(show(folder, "tsv").out == "Scope\tRole\n", "tsv")


def test_show_refuses(folder):
    recording(folder, [["a", "b"]], [["Scope", "string"], ["Role", "string"]])
    for form in ("xml", "text", "ndjson", "JSON"):
        Run(["show", "--replay", "one", "--format", form, COMMAND], folder).is_(USAGE, "table, json, csv, tsv")
    for command in (".drop table X", ".show tables | invoke f()", ".show tables; .drop table X", ".set t <| x", "", ".",
                    ".show tables // x\n| take 1", "print 1; print 2", ".show\x00tables".replace("\x00", "\x01")):
        Run(["show", "--cluster", NOWHERE, command], folder).is_(USAGE)
    Run(["show", "--replay", "one", ".show version"], folder).is_(CLUSTER, "do not hold it")
    for args in ([], ["a", "b"]):
        Run(["show"] + args, folder).is_(USAGE, "one command")
    Run(["show", ".show version"], folder).is_(USAGE, "no cluster")


def test_precedence(folder):
    """2, 6, 74, (70, 130,) 7, 5, then the verdict's."""
    bad = ["--rules", "nosuch"]
    wrong, unreachable = ["--format", "xml"], ["--require-cluster", "--replay", "one"]
    recording(folder, None, None, state="failed", error="HTTP 403", **{"class": "cluster"})
    with open("/dev/full", "wb") as full:
        Run(["diagnose"] + wrong + bad + unreachable + ["gone.log"], folder, stdout=full).is_(USAGE)
        Run(["show"] + wrong + bad + [COMMAND], folder, stdout=full).is_(USAGE)
        Run(["diagnose"] + bad + unreachable + ["gone.log"], folder, stdout=full).is_(BAD_RULES)
        Run(["diagnose", "gone.log"], folder, stdout=full).is_(OUTPUT)
        Run(["diagnose", "--fail-on", "likely", NONE_GET], folder, stdout=full).is_(OUTPUT)
    Run(["diagnose"] + unreachable + ["--fail-on", "not_known", "gone.log"], folder).is_(CLUSTER)
    Run(["diagnose", "--fail-on", "not_known", "gone.log"], folder).is_(INPUT)
    Run(["diagnose", "--help"] + bad, folder).is_(FOUND)


def test_usage(folder):
    for args, text in ((["diagnos"], "did you mean 'diagnose'"), (["--sav"], "no option"), (["diagnose", "-x"], "long words"),
                       (["diagnose", "--savee", "x"], "did you mean --save"), (["diagnose", "--save=1"], "takes no value"),
                       (["diagnose", "--set"], "needs a value"), (["diagnose", "--set", "x"], "has no '='"),
                       (["show", "--save", "x"], "does not go with 'show'"), (["explain"], "needs one cause"),
                       (["explain", "write.async-wait-none-gett"], "did you mean"), (["option", "a", "b"], "one name"),
                       (["rules", "chek"], "did you mean 'check'"), (["resume", "a", "b"], "one file"),
                       (["diagnose"] + ["x"] * 300, "give a folder"), (["diagnose"] + ["--set", "a=b"] * 70, "more than"),
                       (["diagnose", "--auth", "nosuch", NONE_GET], "no way to sign in")):
        run = Run(args, folder).is_(USAGE, text)
        must(run.out == "", "stdout holds answers only: " + run.out)
    write(folder, "--save", read(NONE_GET))
    Run(["diagnose", "--", "--save"], folder).is_(FOUND)


main(sys.modules[__name__])
