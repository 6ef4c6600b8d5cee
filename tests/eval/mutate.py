"""Breaks each cause on purpose: do its cases notice?

usage: mutate.py [--items] [PART/OF]     (PART/OF: of the causes, for a sample: 1/8)

One cause at a time loses what speaks for it (every item of its own that weighs suggests or
more; with --items: one item at a time), in a copy of the rules. Then one of its cases
must fail. Prints how many changes were noticed and which were not; fails without --items
when a cause was not noticed.
"""
import os, re, shutil, subprocess, sys, tempfile

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
each_item = "--items" in sys.argv
rest = [a for a in sys.argv[1:] if a != "--items"]
part, of = (int(x) for x in rest[0].split("/")) if rest else (1, 1)
FOR = ("proves", "strong", "suggests")
NEVER = "weight: hints"


def causes_in(text):
    """(id, start, end) of each cause of a file, as it is indented here."""
    starts = [m for m in re.finditer(r"^  - id: ([a-z-]+\.[a-z0-9.-]+)\s*$", text, re.M)]
    ends = [m.start() for m in starts[1:]] + [len(text)]
    return [(m[1], m.start(), e) for m, e in zip(starts, ends)]


def weights_in(text):
    """Places of the weights that speak for the cause."""
    evidence = re.search(r"^    evidence:\n((?:      .*\n|\s*\n)*)", text, re.M)
    if not evidence:
        return []
    return [(evidence.start(1) + m.start(), evidence.start(1) + m.end())
            for m in re.finditer(r"\bweight: (%s)\b" % "|".join(FOR), evidence[1])]


def test(folder, cause):
    done = subprocess.run([program, "rules", "test", cause + "/", "--rules", folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=dict(os.environ, KTRIAGE_NO_IMAGE="1"), timeout=120)
    return done.returncode, done.stdout.decode(errors="replace")


def changes(text, start, end):
    places = [(start + a, start + b) for a, b in weights_in(text[start:end])]
    return [[p] for p in places] if each_item else [places] if places else []


def apply(text, places):
    for a, b in sorted(places, reverse=True):
        text = text[:a] + NEVER + text[b:]
    return text


def main():
    folder = tempfile.mkdtemp(prefix="ktriage-mutate-")
    rules = os.path.join(folder, "rules")
    shutil.copytree(os.path.join(source, "rules"), rules)
    noticed, missed, n_causes, number = 0, [], 0, 0
    for base, _, files in sorted(os.walk(os.path.join(rules, "packs"))):
        for name in sorted(files):
            path = os.path.join(base, name)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for cause, start, end in causes_in(text):
                number += 1
                if number % of != part % of:
                    continue
                n_causes += 1
                for places in changes(text, start, end):
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(apply(text, places))
                    code, said = test(rules, cause)
                    if code not in (0, 1):
                        sys.exit("%s: %s" % (cause, said))
                    if code == 1:
                        noticed += 1
                    else:
                        missed.append("%s:%d %s" % (name, text.count("\n", 0, places[0][0]) + 1, cause))
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    shutil.rmtree(folder)
    print("%d causes, %d changes: %d noticed, %d not" % (n_causes, noticed + len(missed), noticed, len(missed)))
    for m in missed:
        print("  not noticed: %s" % m)
    return 0 if each_item or not missed else 1


sys.exit(main())
