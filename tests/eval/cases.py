"""Runs the reports of the reference data and counts.

usage: cases.py [-v] [FOLDER]      (FOLDER: cases/dev of $KTRIAGE_SHARED)

Right first: the first cause is among the expected ones. Confident and wrong: CONFIRMED
or LIKELY with a cause that is not expected; for `unknown` any commitment is wrong.
Fails when one report is confident and wrong, or when fewer are right than BARS says.
"""
import csv, json, os, subprocess, sys

BARS = {"first": 18, "three": 18}
verbose = "-v" in sys.argv
rest = [a for a in sys.argv[1:] if a != "-v"]
shared = os.environ.get("KTRIAGE_SHARED", "../shared")
folder = rest[0] if rest else os.path.join(shared, "cases/dev")
labels = os.path.join(os.path.dirname(folder.rstrip("/")), "labels.tsv")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
source = os.environ.get("KTRIAGE_SOURCE", ".")

if not os.path.exists(labels):
    print("skipped: no reports at %s" % folder)
    sys.exit(77)


def diagnose(path):
    with open(path, "rb") as f:
        done = subprocess.run([program, "diagnose", "--format", "json", "-"], stdin=f, stdout=subprocess.PIPE, timeout=60)
    return json.loads(done.stdout)


def causes_of_pack():
    env = dict(os.environ, COLUMNS="200")
    done = subprocess.run([program, "runbook"], stdout=subprocess.PIPE, env=env, text=True)
    return {line.split(":")[0] for line in done.stdout.split("\n") if line and not line[0].isspace() and "." in line.split(":")[0]}


known = causes_of_pack()
count = dict.fromkeys(["all", "in pack", "first", "three", "wrong", "abstained", "harm"], 0)
with open(labels, encoding="utf-8") as f:
    rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
for row in rows:
    d = diagnose(os.path.join(folder, row["case"], "input.txt"))
    expected = [] if row["expected"] == "-" else row["expected"].split(",")
    must_not = row["must_not"].split(",")
    got = [c["id"] for c in d["causes"]]
    sure = d["verdict"] in ("confirmed", "likely")
    answers = [p["id"] for p in d["problems"]] or got[:1]
    in_pack = bool(set(expected) & known)
    count["all"] += 1
    count["in pack"] += in_pack
    first = bool(got and got[0] in expected)
    three = bool(set(got[:3]) & set(expected))
    wrong = sure and not set(answers) <= set(expected)
    count["first"] += first and in_pack
    count["three"] += three and in_pack
    count["wrong"] += wrong
    count["harm"] += sure and bool(set(answers) & set(must_not))
    count["abstained"] += not sure
    if verbose or wrong:
        print("%-5s %-11s %-52s expected %s%s\n      got %s" % (
            "WRONG" if wrong else "first" if first else "three" if three else "-", d["verdict"], row["case"],
            ",".join(expected) or "-", "" if in_pack else " (not in the pack)",
            ", ".join("%s %.3f" % (c["id"], c["probability"]) for c in d["causes"][:3])))
print("reports %(all)d, expected cause in the pack %(in pack)d: right first %(first)d, in three %(three)d; "
      "confident and wrong %(wrong)d (of them harmful %(harm)d), abstained %(abstained)d" % count)
sys.exit(bool(count["wrong"] or count["first"] < BARS["first"] or count["three"] < BARS["three"]))
