"""What a start and a pasted error cost, against a peer's start."""
import os, sys

import lib

ROUNDS = int(os.environ.get("ROUNDS", "31"))
program = os.path.abspath(sys.argv[1])
source = sys.argv[2]
scratch = sys.argv[3]


def pasted_error(path):
    with open(path, "w") as f:
        f.write("26/03/15 10:12:48 ERROR ApplicationMaster: User class threw exception: java.util.NoSuchElementException: None.get\n"
                "java.util.NoSuchElementException: None.get\n\tat scala.None$.get(Option.scala:529)\n"
                "\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.verifyAsyncCommandCompletion(KustoDataSourceUtils.scala:911)\n" +
                "".join("\tat org.apache.spark.rdd.RDD.step%d(RDD.scala:%d)\n" % (i, 100 + i) for i in range(196)))
    return path


pasted = pasted_error(os.path.join(scratch, "pasted.txt"))
env = dict(os.environ, XDG_CACHE_HOME=scratch, XDG_STATE_HOME=scratch, KTRIAGE_RULES=os.path.join(source, "rules"))
sqlite = lib.Command("sqlite3", ["sqlite3", ":memory:", ".quit"], env=env)
found = b"write.async-wait-none-get"
diagnose = [program, "diagnose", "--format", "json", pasted]
cases = [
    (lib.Command("start to the first prompt", [program], env=env, says=b"Step 1 of 5"), 6),
    (lib.Command("one pasted error of 200 lines", diagnose, env=env, says=found), 6),
    (lib.Command("the same without the image", diagnose, env=dict(env, KTRIAGE_NO_IMAGE="1"), says=found), 40),
]

for command, bar in cases:
    lib.play([command, sqlite], ROUNDS)
    lib.within(command.name, command, sqlite, bar)
    sqlite.seconds = []
if lib.version(["pcre2grep", "--version"]):
    grep = lib.Command("pcre2grep with 150 patterns", ["pcre2grep", "-c", "-f", os.path.join(
        source, "tests/bench/patterns/patterns_150.txt"), pasted], says=b"", status=1)
    ours = cases[1][0]
    lib.play([ours, grep], ROUNDS)
    lib.within(ours.name, ours, grep, 2)
else:
    print("pcre2grep is not there: left out")
sys.exit(bool(lib.failed))
