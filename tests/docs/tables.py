"""Compares the lists of the manual page with the program's own tables, or writes them.

usage: tables.py check|write      (KTRIAGE_BIN: the program; KTRIAGE_SOURCE: the tree)
"""
import os, re, subprocess, sys

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
page = os.path.join(source, "man/ktriage.1")


def help_of(*words):
    return subprocess.run([program, *words, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout


def quote(text):
    return text.replace("\\", "\\e").replace("-", "\\-") if not text.startswith((".", "'")) else "\\&" + text.replace("-", "\\-")


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
            seen.setdefault(m[1], (m[2], m[3], []))[2].append(words[0] if words else "the shell")
    for name, (arg, text, users) in sorted(seen.items()):
        out.append(".It Fl Fl %s%s" % (quote(name), " Ar " + quote(arg) if arg else ""))
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


def main():
    with open(page, encoding="utf-8") as f:
        old = f.read()
    new = old
    for name, lines in (("commands", commands()), ("options", options()), ("exits", exits())):
        mark = r'(\.\\" begin %s\n).*?(\.\\" end %s\n)' % (name, name)
        if not re.search(mark, new, re.S):
            print("%s: no marks for the list of %s" % (page, name))
            return 1
        new = re.sub(mark, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], new, flags=re.S)
    if sys.argv[1:] == ["write"]:
        with open(page, "w", encoding="utf-8") as f:
            f.write(new)
        return 0
    if new != old:
        print("man/ktriage.1: its lists differ from the program's; run: python3 tests/docs/tables.py write")
        return 1
    return 0


sys.exit(main())
