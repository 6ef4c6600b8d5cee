"""Runs the examples of the manual pages and of the README, and compares.

An example is a line "$ COMMAND" in a literal block (.Bd -literal in a page, an
indented or fenced block in the README) and the lines below it up to the next "$ " or
the end of the block. A line "..." stands for any lines, "..." at the end of a line
for any rest. A line "$ ... # exit N" tells the status; else it is not compared.
The commands run with sh, in a scratch folder that holds what the tutorial names.
"""
import os, re, shutil, subprocess, sys, tempfile

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))


def unescape(line):
    for a, b in (("\\&", ""), ("\\(bu", "·"), ("\\-", "-"), ("\\e", "\\"), ("\\(aq", "'")):
        line = line.replace(a, b)
    return line


def blocks_of_page(text):
    block = None
    for line in text.split("\n"):
        if line.startswith(".Bd -literal"):
            block = []
        elif line.startswith(".Ed") and block is not None:
            yield block
            block = None
        elif block is not None:
            block.append(unescape(line))


def blocks_of_readme(text):
    for m in re.finditer(r"^```[a-z]*\n(.*?)^```", text, re.S | re.M):
        yield m[1].rstrip("\n").split("\n")


def examples(block):
    command, output = None, []
    for line in block:
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], []
        elif command is not None:
            output.append(line)
    if command:
        yield command, output


def fits(want, got):
    pattern = []
    for line in want:
        if line.strip() == "...":
            pattern.append(r"(?:[^\n]*\n)*")
        elif line.endswith("..."):
            pattern.append(re.escape(line[:-3]) + r"[^\n]*\n")
        else:
            pattern.append(re.escape(line.rstrip()) + r"[ ]*\n")
    return re.fullmatch("".join(pattern), got if got.endswith("\n") or not got else got + "\n") is not None


def run(command, folder):
    env = {"PATH": os.path.join(folder, "bin") + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8",
           "COLUMNS": "100", "TERM": "dumb", "KTRIAGE_RULES": os.path.join(os.path.abspath(source), "rules")}
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


def main():
    passed = failed = 0
    names = ["README.md"] + sorted("man/" + n for n in os.listdir(os.path.join(source, "man")) if n[-1].isdigit())
    for name in names:
        with open(os.path.join(source, name), encoding="utf-8") as f:
            text = f.read()
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "bin"))
            os.symlink(program, os.path.join(folder, "bin", "ktriage"))
            shutil.copytree(os.path.join(source, "tests/docs/files"), folder, dirs_exist_ok=True)
            for block in (blocks_of_readme if name.endswith(".md") else blocks_of_page)(text):
                for command, want in examples(block):
                    status = re.search(r"\s+# exit (\d+)$", command)
                    command = re.sub(r"\s+# exit \d+$", "", command)
                    if command.startswith("./dev"):
                        continue  # sets up the machine: run by the one who runs this
                    while want and not want[-1].strip():
                        want.pop()
                    done = run(command, folder)
                    got = done.stdout.decode("utf-8", "replace")
                    if fits(want, got) and (not status or done.returncode == int(status[1])):
                        passed += 1
                        continue
                    failed += 1
                    print("%s: $ %s\n--- the document says\n%s\n--- it gives (status %d)\n%s" %
                          (name, command, "\n".join(want), done.returncode, got))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


sys.exit(main())
