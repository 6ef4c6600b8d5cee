"""Runs the reports of the reference data through `ktriage rules eval` and holds it to bars.

usage: cases.py [-v] [FOLDER]      (FOLDER: cases of $KTRIAGE_SHARED)

The program counts; here is only what it must reach: no report confident and wrong, those that
hold the software's own words right first, reworded ones right or silent, and few questions,
with the answers that a person gave (answers.tsv) and with none at all.
"""
import json, os, subprocess, sys, tempfile

FIRST, THREE, FAIR = 92.0, 93.0, 92.0  # per cent
MEDIAN, MOST = 2.0, 5  # questions

here = os.path.dirname(os.path.abspath(__file__))
verbose = "-v" in sys.argv
rest = [a for a in sys.argv[1:] if a != "-v"]
folder = rest[0] if rest else os.path.join(os.environ.get("KTRIAGE_SHARED", "../shared"), "cases")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
faults = []

if not os.path.exists(os.path.join(folder, "labels.tsv")):
    print("skipped: no reports at %s" % folder)
    sys.exit(77)


def evaluate(answers):
    done = subprocess.run([program, "rules", "eval", folder, "--answers", answers, "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    if done.stderr:
        faults.append(done.stderr.decode(errors="replace"))
    return json.loads(done.stdout)


def hold(what, have, bar, above=True):
    good = have >= bar if above else have <= bar
    print("%-62s %6.1f  %s %g%s" % (what, have, "at least" if above else "at most", bar, "" if good else "  BROKEN"))
    if not good:
        faults.append(what)


def share(cases, key, phase):
    return 100.0 * sum(c["phases"][phase][key] for c in cases) / len(cases)


def look(cases, phase):
    worded = [c for c in cases if c["outcome"] == "diagnose" and c["fidelity"] in ("machine-text", "recomposed")]
    loose = [c for c in cases if c["outcome"] == "diagnose" and c["fidelity"] == "reworded"]
    other = [c for c in cases if c["outcome"] != "diagnose"]
    hold("right first, of %d in the software's words, %s" % (len(worded), phase), share(worded, "right_first", phase), FIRST)
    hold("in the first three, %s" % phase, share(worded, "in_three", phase), THREE)
    fair = [c for c in loose if c["phases"][phase]["right"] or not c["phases"][phase]["wrong"]]
    hold("right or silent, of %d reworded, %s" % (len(loose), phase), 100.0 * len(fair) / len(loose), FAIR)
    hold("right, of %d unknown or to be asked, %s" % (len(other), phase), share(other, "right", phase), 100.0)


def report(name, answers):
    d = evaluate(answers)
    total = d["totals"]["answers"]
    print("with %s: %d reports" % (name, total["cases"]))
    for phase in ("error", "answers"):
        look(d["cases"], phase)
    hold("confident and wrong (rule of three: below %.1f %% if none)" % (300.0 / total["cases"]), total["wrong"], 0, False)
    hold("questions, median", float(total["questions_median"]), MEDIAN, False)
    hold("questions, most", total["questions_max"], MOST, False)
    for c in d["cases"]:
        if verbose or c["phases"]["answers"]["wrong"]:
            print("  %-9s %-52s %s" % (c["verdict"], c["case"], c["first"]))


report("answers", os.path.join(here, "answers.tsv"))
with tempfile.NamedTemporaryFile("w", suffix=".tsv") as none:
    none.write("case\tfact\tvalue\n")
    none.flush()
    report("no answers", none.name)
for f in faults:
    print("FAULT %s" % f)
sys.exit(bool(faults))
