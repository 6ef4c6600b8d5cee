#!/usr/bin/env python3
"""Compares the core with the reference of the inference rules.

    differ.py KT_VECTORS            the reference's vectors
    differ.py KT_VECTORS N [SEED]   N random inputs of its generators

The reference is not part of the project: it is looked for in
$KTRIAGE_SHARED/proofs/15-inference; without it the test is skipped (exit 77).
Where the reference reads the rules otherwise than their text, the text wins: the
places are mended below, each with its sentence."""
import json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.environ.get("KTRIAGE_SHARED") or os.path.join(HERE, "../../../shared"), "proofs/15-inference")
MENDED = []


def load(name, mend=lambda text: text, **names):
    space = dict(names, __name__=name)
    with open(os.path.join(FOLDER, name + ".py"), encoding="utf-8") as f:
        exec(compile(mend(f.read()), name, "exec"), space)
    return space


def mend(text):
    for old, new in MENDED:
        if text.count(old) != 1:
            sys.exit("the reference has changed: %r stands there %d times" % (old, text.count(old)))
        text = text.replace(old, new)
    return text


def generators(judge, seed):
    """base() and obs_of() of fuzz.py, without its run."""
    import random
    with open(os.path.join(FOLDER, "fuzz.py"), encoding="utf-8") as f:
        text = f.read().split("\nfor t in range(N):")[0]
    text = text.replace("from reference import judge, RANK", "")
    argv, sys.argv = sys.argv, ["fuzz.py", "0", str(seed)]
    space = dict(__name__="fuzz", judge=judge, RANK=[])
    exec(compile(text, "fuzz.py", "exec"), space)
    sys.argv = argv
    return space


def run(program, inputs):
    text = "".join(json.dumps(i) + "\n" for i in inputs)
    out = subprocess.run([program], input=text, stdout=subprocess.PIPE, check=True, text=True).stdout
    lines = out.splitlines()
    if len(lines) != len(inputs):
        sys.exit("%d inputs, %d answers" % (len(inputs), len(lines)))
    return [json.loads(line) for line in lines]


def differences(want, got, keys=None):
    return ["%s: expected %s, got %s" % (k, json.dumps(want[k]), json.dumps(got.get(k)))
            for k in (keys or want) if want[k] != got.get(k)]


def flat(r):
    r = dict(r, next_full=r["next"], S_OTHER=r["OTHER"]["S"])
    r["next"] = [n["id"] for n in r["next"]]
    for k in "PS":
        r[k] = {i: x[k] for i, x in r["causes"].items()}
    return r


def vectors(program, judge):
    with open(os.path.join(FOLDER, "vectors.jsonl"), encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    bad = 0
    for row, got in zip(rows, run(program, [r["input"] for r in rows])):
        why = differences(judge(row["input"]["kb"], row["input"]["observations"]), got)
        if why:
            bad += 1
            print("%s: differs from the reference: %s" % (row["name"], "; ".join(why)))
        mine, texts = flat(got), []
        for k, e in row["expect"].items():
            g = {i: mine[k].get(i) for i in e} if k in "PS" else mine[k]
            if g != e and (row["name"], k) not in TEXT_WINS:
                texts.append("%s: expected %s, got %s" % (k, e, g))
        if texts:
            bad += 1
            print("%s: %s" % (row["name"], "; ".join(texts)))
    print("%d vectors, %d differ" % (len(rows), bad))
    return bad


def fuzz(program, judge, n, seed):
    g = generators(judge, seed)
    inputs = []
    for _ in range(n):
        kb = g["base"]()
        inputs.append({"kb": kb, "observations": g["obs_of"](kb)})
    bad = 0
    for i, got in zip(inputs, run(program, inputs)):
        why = differences(judge(i["kb"], i["observations"]), got)
        if why:
            bad += 1
            if bad <= 3:
                print(json.dumps(i), "; ".join(why))
    print("%d random inputs, %d differ" % (n, bad))
    return bad


TEXT_WINS = set()


def main():
    if not os.path.exists(os.path.join(FOLDER, "reference.py")):
        print("skipped: no reference in %s" % FOLDER)
        return 77
    judge = load("reference", mend)["judge"]
    if len(sys.argv) > 2:
        return bool(fuzz(sys.argv[1], judge, int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 7))
    return bool(vectors(sys.argv[1], judge))


if __name__ == "__main__":
    sys.exit(main())
