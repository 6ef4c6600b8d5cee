"""Runs the examples of the manual pages and of the README, and compares.

An example is a line "$ COMMAND" in a literal block (.Bd -literal in a page, an
indented or fenced block in the README) and the lines below it up to the next "$ " or
the end of the block. A line "..." stands for any lines, "..." at the end of a line
for any rest. A line "$ ... # exit N" tells the status; else it is not compared.
Lines "> TYPED" below a command are a conversation with it, held on a terminal of its
own: what follows each must be what the program says to it.
The commands of one document run with sh, one after the other, in one scratch folder
that holds files/ and copies of rules/ and tests/docs/files/.
"""
import fcntl, os, pty, re, select, shutil, signal, struct, subprocess, sys, tempfile, termios, time

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
if not os.access(program, os.X_OK):
    sys.exit("%s: build it first, or name another one in KTRIAGE_BIN" % program)
PROMPT = b"> "
SECONDS = 120


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


def environment(folder, columns):
    return {"PATH": os.path.join(folder, "bin") + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8",
            "COLUMNS": str(columns), "TERM": "dumb", "KTRIAGE_PAGER": "cat",
            "KTRIAGE_RULES": os.path.join(folder, "rules")}


def run(command, folder, columns):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment(folder, columns),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def read_answer(fd):
    """What the terminal shows up to the next prompt, or to the end."""
    got, end = b"", time.monotonic() + SECONDS
    while time.monotonic() < end:
        at_prompt = got == PROMPT or got.endswith(b"\n" + PROMPT)
        if select.select([fd], [], [], 0.1 if at_prompt else 1)[0]:
            try:
                more = os.read(fd, 65536)
            except OSError:  # the other end is gone
                return got
            got += more
        elif at_prompt:
            return got[:-len(PROMPT)]
    raise TimeoutError("no prompt after %r" % got[-200:])


def plain(shown, typed):
    """Without the echo of what was typed, and without what was drawn over on a line."""
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1] for line in shown.decode("utf-8", "replace").split("\n")]
    return "\n".join(lines[1:] if typed else lines)


def converse(command, typed, folder, columns):
    """Status, and what was said first and to each line that was typed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        env = environment(folder, columns)
        os.execve("/bin/sh", ["sh", "-c", "stty columns %d rows 9999; exec %s" % (columns, command)], env)
    try:
        said = [plain(read_answer(fd), False)]
        for line in typed:
            os.write(fd, line.encode() + b"\n")
            said.append(plain(read_answer(fd), True))
        if typed[-1] != "quit":
            os.write(fd, b"\x04")
            read_answer(fd)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said
    except (TimeoutError, OSError) as e:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return -1, [str(e)]
    finally:
        os.close(fd)


def without_blank_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def turns(lines):
    """The typed lines, and what the document shows before the first and behind each."""
    typed, shown = [], [[]]
    for line in lines:
        if line.startswith("> "):
            typed.append(line[2:])
            shown.append([])
        else:
            shown[-1].append(line)
    return typed, [without_blank_end(s) for s in shown]


def try_example(command, want, folder, columns):
    """None, or what is wrong."""
    status = re.search(r"\s+# exit (\d+)$", command)
    command = re.sub(r"\s+# exit \d+$", "", command)
    typed, shown = turns(want)
    if typed:
        code, said = converse(command, typed, folder, columns)
    else:
        code, text = run(command, folder, columns)
        said = [text]
    said = ["\n".join(without_blank_end(s.split("\n"))) for s in said] + [""] * (len(shown) - len(said))
    for i, (w, g) in enumerate(zip(shown, said)):
        if not fits(w, g):
            return "%s--- the document says\n%s\n--- it gives (status %d)\n%s" % (
                "> %s\n" % typed[i - 1] if i else "", "\n".join(w), code, g)
    if status and code != int(status[1]):
        return "ends with %d, not %s" % (code, status[1])
    return None


def try_document(name):
    with open(os.path.join(source, name), encoding="utf-8") as f:
        text = f.read()
    page = not name.endswith(".md")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(program, os.path.join(folder, "bin", "ktriage"))
        shutil.copytree(os.path.join(source, "rules"), os.path.join(folder, "rules"))
        for to in (".", "tests/docs/files"):  # what stands beside the reader, and in the source
            shutil.copytree(os.path.join(source, "tests/docs/files"), os.path.join(folder, to), dirs_exist_ok=True)
        for block in (blocks_of_page if page else blocks_of_readme)(text):
            for command, want in examples(block):
                if command.startswith("./dev"):
                    continue  # sets up the machine: run by the one who runs this
                wrong = try_example(command, without_blank_end(want), folder, 76 if page else 100)
                passed += wrong is None
                failed += wrong is not None
                if wrong:
                    print("%s: $ %s\n%s" % (name, command, wrong))
    if not passed + failed:
        print("%s: no example in it" % name)
        failed = 1
    return passed, failed


def main():
    names = ["README.md"] + sorted("man/" + n for n in os.listdir(os.path.join(source, "man")) if n[-1].isdigit())
    passed = failed = 0
    for name in names:
        p, f = try_document(name)
        passed += p
        failed += f
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


sys.exit(main())
