"""What cannot be read or asked is said: to the person beside the verdict, to a script on
stderr with the status; a cluster that is down is never taken for one that was asked."""
import os, subprocess, sys

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.environ.get("KTRIAGE_BIN", "build/dev/ktriage")
lines = os.path.join(source, "tests/data/none-get.txt")
logs = os.path.join(source, "rules/demo/logs")
nobody = "http://127.0.0.1:1"
failed = 0


def run(*args, given=None):
    done = subprocess.run([program, *args], input=given, capture_output=True, encoding="utf-8")
    return done.returncode, " ".join(done.stdout.split()), done.stderr


def check(what, holds):
    global failed
    failed += not holds
    print("%-6s %s" % ("ok" if holds else "FAILED", what))


status, out, err = run("diagnose", "no-such.log")
check("a file that is not there ends with 5", status == 5)
check("and is named on stderr", err.startswith("ktriage: no-such.log: cannot be opened"))
check("without a page of what to collect", "NOT KNOWN" in out and "Collect" not in out)

status, out, err = run("diagnose", logs, "--cluster", nobody, "--require-cluster")
check("--require-cluster: 7, and the reason on stderr", status == 7 and "cannot be reached" in err)
check("commands that failed stand beside the verdict", "AMBIGUOUS" in out and "no answer to " in out)
check("and the cluster was not asked", "cluster gave no answer" in out and "cluster asked" not in out)
check("nothing of it without a cluster", "no answer" not in run("diagnose", logs)[1])

text = "write\nset writeMode Queued\nscan %s\n%s" % (lines, "%s\nquit\n")
check("a conversation puts off what to collect", "Collect" not in run(given=text % "")[1])
check("until it is asked for", "Collect" in run(given=text % "report")[1])

sys.exit(bool(failed))
