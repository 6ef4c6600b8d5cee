"""Compares the lists of the manual pages with the program's own tables, or writes them.

usage: tables.py check|write      (KTRIAGE_BIN: the program; KTRIAGE_SOURCE: the tree)

Commands, options and exit codes come from --help, the shell's commands from its help,
the keys of rule files from "rules schema". A list stands between the lines
\\" begin NAME and \\" end NAME of a page.
"""
import json, os, re, subprocess, sys, tempfile

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
if not os.access(program, os.X_OK):
    sys.exit("%s: build it first, or name another one in KTRIAGE_BIN" % program)


def help_of(*words):
    return subprocess.run([program, *words, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout


def quote(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def section(text, head):
    m = re.search(r"^%s\n((?:  .*\n)+)" % re.escape(head), text, re.M)
    return m[1].rstrip("\n").split("\n") if m else []


def options():
    seen, out = {}, []
    top = help_of()
    commands = [line.split()[0] for line in section(top, "       ktriage COMMAND [OPTION]...    one of\n")]
    for words in [()] + [(c,) for c in commands]:
        text = help_of(*words)
        for line in section(text, "options of the shell" if not words else "options"):
            m = re.match(r"  --(\S+)(?: (\S+))? +(.*)", line)
            seen.setdefault((m[1], m[2] or ""), {}).setdefault(m[3], []).append(words[0] if words else "the shell")
    for (name, arg), texts in sorted(seen.items()):
        out.append(".It Fl Fl %s%s" % (quote(name), " Ar " + quote(arg) if arg else ""))
        for text, users in texts.items():
            who = "every command" if len(users) == len(commands) + 1 else ", ".join(users)
            out.append("%s%s (%s)." % (text[0].upper(), quote(text[1:]), who))
    return [".Bl -tag -width Ds"] + out + [".El"]


def commands():
    out = []
    for line in section(help_of(), "       ktriage COMMAND [OPTION]...    one of\n"):
        m = re.match(r"  (\S+)(?: (\S.*?))? {2,}(.*)", line) or re.match(r"  (\S+) (.*?) (.*)", line)
        out.append(".It Cm %s%s" % (m[1], " Ar " + quote(m[2]) if m[2] else ""))
        out.append("%s%s." % (m[3][0].upper(), quote(m[3][1:])))
    return [".Bl -tag -width Ds"] + out + [".El"]


def exits():
    out = []
    for line in section(help_of(), "exit codes"):
        m = re.match(r" +(\d+)  (.*)", line)
        out += [".It %s" % m[1], "%s%s." % (m[2][0].upper(), quote(m[2][1:]))]
    return [".Bl -tag -width Ds"] + out + [".El"]


def sentence(text):
    """With a capital and a full stop; each sentence on its line, as mdoc wants it."""
    if not re.match(r"[a-z]+:", text):  # a value of the key
        text = text[0].upper() + text[1:]
    text += "" if text.endswith(".") else "."
    return "\n".join(quote(part) for part in re.sub(r"\. +", ".\n", text).split("\n"))


def shell():
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, HOME=home, COLUMNS="200", TERM="dumb", KTRIAGE_RULES=os.path.join(source, "rules"))
        for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
            env.pop(name, None)
        said = subprocess.run([program], input="help\n", env=env, stdout=subprocess.PIPE, check=True, text=True).stdout
    out = []
    for line in said.split("\n"):
        m = re.match(r"(\.?[a-z-]+)(?: (\S(?:.*?\S)?))? {2,}(\S.*)", line)
        if m:
            out += [".It Cm %s%s" % (quote(m[1]), " Ar " + quote(m[2]) if m[2] else ""), sentence(m[3])]
    return [".Bl -tag -width Ds"] + out + [".El"]


def one_value(schema):
    """What a value is, in words; nothing where the description says it."""
    if "enum" in schema:
        return "One of " + ", ".join(schema["enum"]) + "."
    if schema.get("type") == "boolean":
        return "True or false."
    return ""


def one_key(name, schema, required):
    marks, value = (["required"] if required else []), schema
    if schema.get("type") == "array":
        marks, value = marks + ["list"], schema["items"]
    elif "anyOf" in schema:
        marks, value = marks + ["one, or a list"], schema["anyOf"][0]
    elif schema.get("type") == "object":
        marks, value = marks + ["map"], schema["additionalProperties"]
    if "allOf" in value:
        value = value["allOf"][0]
    lines = [".It Cm %s%s" % (quote(name), " Pq " + ", ".join(marks) if marks else ""), sentence(schema["description"])]
    if one_value(value):
        lines.append(quote(one_value(value)))
    if "$ref" in value:
        lines.append("Its keys: %s, below." % value["$ref"].rsplit("/", 1)[1])
    return lines


def one_section(title, keys, required):
    out = [".Ss " + title, ".Bl -tag -width Ds"]
    for name, schema in keys:
        out += one_key(name, schema, name in required)
    return out + [".El"]


def keys():
    text = subprocess.run([program, "rules", "schema"], stdout=subprocess.PIPE, check=True, text=True).stdout
    schema = json.loads(text)
    top, required = schema["properties"], schema["then"]["required"]
    sections = [k for k in top if "$ref" in json.dumps(top[k])]
    out = one_section("Keys of pack.yaml alone", [(k, v) for k, v in top.items() if k not in sections], required)
    out += one_section("Keys of every file", [(k, top[k]) for k in sections], [])
    order = ["fact", "default", "learn", "check", "cause", "evidence", "fix", "rerun", "verify",
             "option", "option_fault", "collect", "advice", "expect"]
    found = schema["definitions"]
    if sorted(order) != sorted(found):
        raise SystemExit("tables.py: give the sections of the schema an order: %s" % sorted(found))
    for name in order:
        title = "Keys of expect.yaml" if name == "expect" else "Keys of %s" % name
        out += one_section(title, found[name]["properties"].items(), found[name].get("required", []))
        if "oneOf" in found[name]:
            one_of = [x["required"][0] for x in found[name]["oneOf"]]
            out += ["Exactly one of " + quote(", ".join(one_of)) + " stands in it."]
    return out


def checks():
    text = subprocess.run([program, "rules", "check", "--explain", "all"], stdout=subprocess.PIPE, check=True, text=True).stdout
    out = []
    for line in text.splitlines():
        name, level, proves = line.split(None, 2)
        out += [".It Cm %s Pq %s" % (quote(name), level), sentence(proves)]
    return out


TABLES = {
    "man/ktriage.1": {"commands": commands, "options": options, "exits": exits, "shell": shell},
    "man/ktriage-rules.5": {"keys": keys, "checks": checks},
}


def one_page(name, write):
    path = os.path.join(source, name)
    with open(path, encoding="utf-8") as f:
        old = f.read()
    new = old
    for table, lines in TABLES[name].items():
        mark = r'(\.\\" begin %s\n).*?(\.\\" end %s\n)' % (table, table)
        if not re.search(mark, new, re.S):
            print("%s: no marks for the list of %s" % (name, table))
            return False
        new = re.sub(mark, lambda m: m[1] + "\n".join(lines()) + "\n" + m[2], new, flags=re.S)
    if write:
        with open(path, "w", encoding="utf-8") as f:
            f.write(new)
    elif new != old:
        print("%s: its lists differ from the program's; run: python3 tests/docs/tables.py write" % name)
        return False
    return True


def main():
    if sys.argv[1:] not in (["check"], ["write"]):
        print(__doc__)
        return 2
    good = [one_page(name, sys.argv[1] == "write") for name in TABLES]
    return 0 if all(good) else 1


sys.exit(main())
