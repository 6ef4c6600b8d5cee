"""The statements of the documents that the rules began with: rules/seeds.tsv, shown as a page.

usage: seeds.py check|write

Each statement has a verdict, what holds it in the rules, and evidence. Checks that the
numbers of a document have no hole, that everything named is there, that no verdict stands
without evidence, and that rules/seeds.md is what the table gives.
"""
import glob, os, re, sys

source = os.environ.get("KTRIAGE_SOURCE", ".")
TABLE, PAGE = "rules/seeds.tsv", "rules/seeds.md"
TITLES = {"001": "The triage document", "000": "Random duplicates after a daily load", "004": "A replayed micro-batch"}
VERDICTS = ("holds", "holds with limits", "partly", "wrong", "wrong name", "not a rule")
faults = []


def read(name):
    with open(os.path.join(source, name), encoding="utf-8") as f:
        return f.read()


def ids_of_packs():
    text = "".join(read(os.path.relpath(p, source)) for p in sorted(glob.glob(os.path.join(source, "rules/packs/*/*.yaml"))))
    listed = set(re.findall(r"^  - id: ([\w.-]+)\s*$", text, re.M))
    mapped = set(re.findall(r"^  ([\w-]+):\s*$", text, re.M))
    return listed, mapped


def causes_of_seeds():
    """Causes that say which statement they stand for."""
    for path in sorted(glob.glob(os.path.join(source, "rules/packs/*/*.yaml"))):
        cause = None
        for line in read(os.path.relpath(path, source)).split("\n"):
            found = re.match(r"  - id: ([\w.-]+)", line)
            cause = found[1] if found else cause
            if line.startswith("    seed: "):
                yield cause


def look(rows):
    listed, mapped = ids_of_packs()
    named = {n for _, row in rows for n in row[4].split(",")}
    faults.extend("%s: no statement is held by %s, which has a seed:" % (TABLE, c) for c in causes_of_seeds() if c not in named)
    last = {}
    for line, row in rows:
        document, number, statement, verdict, held_by, evidence = row
        if verdict.split(" for ")[0] not in VERDICTS:
            faults.append("%s:%d: \"%s\" is none of %s" % (TABLE, line, verdict, ", ".join(VERDICTS)))
        if not all(cell.strip() for cell in row):
            faults.append("%s:%d: an empty cell" % (TABLE, line))
        if int(number) != last.get(document, 0) + 1:
            faults.append("%s:%d: statement %s of %s comes after %d" % (TABLE, line, number, document, last.get(document, 0)))
        last[document] = int(number)
        for name in held_by.split(","):
            kind, _, plain = name.rpartition(":")
            if name != "-" and plain not in (mapped if kind in ("fact", "check") else listed):
                faults.append("%s:%d: nothing in the rules is called %s" % (TABLE, line, name))
        if held_by == "-" and verdict.startswith("holds"):
            faults.append("%s:%d: it holds, and no rule holds it" % (TABLE, line))
    if set(last) != set(TITLES):
        faults.append("%s: documents %s" % (TABLE, sorted(last)))


def page(rows):
    out = ["# What became of the statements that the rules began with", "",
           "Made from `%s` by `tests/docs/seeds.py`: each statement in our words, whether it is true, where the rules hold it, and the evidence." % TABLE]
    document = None
    for _, row in rows:
        if row[0] != document:
            document = row[0]
            out += ["", "## %s" % TITLES.get(document, document), "", "| # | statement | verdict | held by | evidence |", "|---|---|---|---|---|"]
        cells = [c.replace("|", "\\|") for c in row[1:]]
        cells[3] = ", ".join("`%s`" % n if n != "-" else "-" for n in cells[3].split(","))
        out.append("| %s |" % " | ".join(cells))
    return "\n".join(out) + "\n"


if sys.argv[1:] not in (["check"], ["write"]):
    sys.exit(__doc__)
lines = read(TABLE).split("\n")
rows = [(n, l.split("\t")) for n, l in enumerate(lines[1:], 2) if l]
faults += ["%s:%d: %d cells instead of 6" % (TABLE, n, len(r)) for n, r in rows if len(r) != 6]
if not faults:
    look(rows)
if not faults and sys.argv[1] == "write":
    with open(os.path.join(source, PAGE), "w", encoding="utf-8") as f:
        f.write(page(rows))
elif not faults and read(PAGE) != page(rows):
    faults.append("%s differs from the table; run: python3 tests/docs/seeds.py write" % PAGE)
for fault in faults:
    print(fault)
print("%d statements, %d of them not as they stood" % (len(rows), sum(not r[3].startswith("holds") for _, r in rows)))
sys.exit(bool(faults))
