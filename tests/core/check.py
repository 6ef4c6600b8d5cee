#!/usr/bin/env python3
"""Runs vectors/*.jsonl: each line is {name, kb, observations, expect}. Only the keys of
expect are compared; every line is run again with its observations in other orders.

    check.py KT_VECTORS"""
import glob, json, os, random, sys

from differ import flat, run

HERE = os.path.dirname(os.path.abspath(__file__))


def expected(row, got):
    mine, why = flat(got), []
    for k, want in row["expect"].items():
        have = {i: mine[k].get(i) for i in want} if k in ("P", "S") else mine[k]
        if have != want:
            why.append("%s: expected %s, got %s" % (k, json.dumps(want), json.dumps(have)))
    return why


def orders(rows, r):
    out = []
    for row in rows:
        o = row["observations"]
        out += [dict(kb=row["kb"], observations=x) for x in (o, o[::-1], r.sample(o, len(o)))]
    return out


def main():
    rows = []
    for name in sorted(glob.glob(os.path.join(HERE, "vectors", "*.jsonl"))):
        with open(name, encoding="utf-8") as f:
            rows += [dict(json.loads(line), file=os.path.basename(name)) for line in f]
    if len(rows) < 100 or not all(r["expect"] for r in rows):
        sys.exit("vectors are missing")
    got, bad = run(sys.argv[1], orders(rows, random.Random(3))), 0
    for i, row in enumerate(rows):
        a, b, c = got[3 * i:3 * i + 3]
        why = expected(row, a)
        if not a == b == c:
            why.append("the order of observations matters")
        if why:
            bad += 1
            print("%s: %s: %s" % (row["file"], row["name"], "; ".join(why)))
    print("%d vectors, %d failed" % (len(rows), bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
