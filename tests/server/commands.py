"""Prints the command of every check of the rules with sample values, one JSON object a line.

usage: commands.py RULES
"""
import glob, json, os, re, sys

SAMPLES = {"string": '"x"', "guid": "guid(b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1)", "datetime": "datetime(2026-01-31)",
           "timespan": "1d", "entity": "['MyTable']"}


def value(slot):
    return "['MyDatabase']" if slot.groups() == ("database", "entity") else SAMPLES[slot[2]]


def block(lines, at):
    """The text of a "|" or ">" block that begins below line AT."""
    text = []
    for line in lines[at + 1:]:
        if line.strip() and not line.startswith("      "):
            break
        text.append(line.strip())
    return " ".join(t for t in text if t)


for path in sorted(glob.glob(os.path.join(sys.argv[1], "packs", "*", "*.yaml"))):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    check = None
    for at, line in enumerate(lines):
        key = re.match(r"  ([a-z0-9-]+):$", line)
        check = key[1] if key else check
        command = re.match(r"    command: *(.*)$", line)
        if not command:
            continue
        text = block(lines, at) if command[1] in ("|", ">", "|-", ">-") else command[1].strip("'")
        text = re.sub(r"\{(\w+):(\w+)\}", value, text)
        # The parser has no columns for this form of the command; they are those of the plain one.
        text = text.replace(".show tables with (IncludeHiddenTables=true)", ".show tables")
        print(json.dumps({"id": check, "text": text}))
