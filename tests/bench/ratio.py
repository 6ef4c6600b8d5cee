"""Ratios of whole processes against a peer, run in turn.

Each round runs the peer and ours once, in changing order; a run counts only if its
exit status and its output are as expected. Printed: the median of the ratios with
its quartiles, and the bar. A bar that lies between the quartiles is not decided.
"""
import os, statistics, subprocess, sys, time

ROUNDS = int(os.environ.get("ROUNDS", "31"))
program = os.path.abspath(sys.argv[1])
source = sys.argv[2]
scratch = sys.argv[3]

trace = "26/03/15 10:12:48 ERROR ApplicationMaster: User class threw exception: java.util.NoSuchElementException: None.get\n" \
    "java.util.NoSuchElementException: None.get\n\tat scala.None$.get(Option.scala:529)\n" \
    "\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.verifyAsyncCommandCompletion(KustoDataSourceUtils.scala:911)\n" + \
    "".join("\tat org.apache.spark.rdd.RDD.step%d(RDD.scala:%d)\n" % (i, 100 + i) for i in range(196))
pasted = os.path.join(scratch, "pasted.txt")
with open(pasted, "w") as f:
    f.write(trace)

env = dict(os.environ, XDG_CACHE_HOME=scratch, XDG_STATE_HOME=scratch, KTRIAGE_RULES=os.path.join(source, "rules"))
peer = (["sqlite3", ":memory:", ".quit"], b"", env, 0, b"")
cases = [
    ("start to the first prompt", [program], b"", env, 0, b"Step 1 of 5", 6),
    ("one pasted error of 200 lines", [program, "diagnose", "--format", "json", pasted], b"", env, 0,
     b"write.async-wait-none-get", 6),
    ("the same without the image", [program, "diagnose", "--format", "json", pasted], b"",
     dict(env, KTRIAGE_NO_IMAGE="1"), 0, b"write.async-wait-none-get", 40),
]


def run(argv, text, environment, status, needle):
    start = time.monotonic_ns()
    done = subprocess.run(argv, input=text, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    spent = time.monotonic_ns() - start
    if done.returncode != status or needle not in done.stdout:
        sys.exit("bench: %s failed: status %d, %s" % (argv, done.returncode, done.stderr.decode()[:300]))
    return spent


def quartiles(values):
    return statistics.quantiles(values, n=4)


failed = False
for name, argv, text, environment, status, needle, bar in cases:
    run(argv, text, environment, status, needle)
    ratios = []
    for i in range(ROUNDS):
        if i % 2:
            ours, theirs = run(argv, text, environment, status, needle), run(*peer)
        else:
            theirs, ours = run(*peer), run(argv, text, environment, status, needle)
        ratios.append(ours / theirs)
    low, middle, high = quartiles(ratios)
    verdict = "holds" if high <= bar else "broken" if low > bar else "not decided: count instructions"
    failed = failed or low > bar
    print("%-32s %6.2f x sqlite3 (quartiles %.2f to %.2f, %d rounds); bar %g: %s" %
          (name, middle, low, high, ROUNDS, bar, verdict))
sys.exit(failed)
