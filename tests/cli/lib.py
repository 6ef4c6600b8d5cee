"""What the tests of this folder share: runs of the program in folders of their own.

Each test is a function whose name begins with test_; main() runs them all, prints what
does not hold and ends with 1 then. Every run is checked for a sanitizer's report, for a
status that the manual does not list and for bytes that a terminal would obey.
"""
import json, os, re, shutil, subprocess, sys, tempfile, traceback

SOURCE = os.path.abspath(os.environ.get("KTRIAGE_SOURCE", "."))
PROGRAM = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
RULES = os.path.join(SOURCE, "rules")
SMALL_RULES = os.path.join(SOURCE, "tests/data/author")
NONE_GET = os.path.join(SOURCE, "tests/data/none-get.txt")
DEMO_LOGS = os.path.join(RULES, "demo/logs")
DEMO_CLUSTER = os.path.join(RULES, "demo/cluster")
CACHE = tempfile.mkdtemp(prefix="ktriage-cache-")    # compiled rules, for all runs
TIME_LIMIT = 60
EXITS = {0, 1, 2, 3, 4, 5, 6, 7, 70, 74, 130}
FOUND, NOT_KNOWN, USAGE, AMBIGUOUS, HEALTHY, INPUT, BAD_RULES, CLUSTER = 0, 1, 2, 3, 4, 5, 6, 7
OUTPUT, INTERRUPTED = 74, 130
# Escape, C1, right-to-left and other characters that change what is shown.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")


class Failed(Exception):
    pass


def must(ok, what):
    if not ok:
        raise Failed(what)


def environment(folder, **changes):
    """A home of its own, nothing of the person's; None takes a variable away."""
    keep = ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
    env = {k: v for k, v in os.environ.items() if k in keep}
    env.update(HOME=folder, LC_ALL="C.UTF-8", TERM="dumb", COLUMNS="200", KTRIAGE_RULES=RULES, XDG_CACHE_HOME=CACHE)
    env.update(changes)
    return {k: v for k, v in env.items() if v is not None}


class Run:
    """One run to its end: code, out and err as text, raw output as bytes."""

    def __init__(self, args, folder, stdin=b"", env=None, inert=True, **popen):
        self.args = args
        if isinstance(stdin, str):
            stdin = stdin.encode()
        popen["stdin" if isinstance(stdin, int) else "input"] = stdin
        popen.setdefault("stdout", subprocess.PIPE)
        popen.setdefault("stderr", subprocess.PIPE)
        try:
            p = subprocess.run([PROGRAM] + args, cwd=folder, env=environment(folder, **(env or {})),
                               timeout=TIME_LIMIT, **popen)
        except subprocess.TimeoutExpired:
            raise Failed("%s: hangs" % args)
        self.code, self.raw, self.raw_err = p.returncode, p.stdout or b"", p.stderr or b""
        self.out, self.err = self.raw.decode("utf-8", "replace"), self.raw_err.decode("utf-8", "replace")
        check_end(self.code, self.err, args)
        if inert:
            must(not OBEYED.search(self.out + self.err), "%s: bytes that a terminal obeys: %r" % (
                args, OBEYED.findall(self.out + self.err)[:5]))

    def is_(self, code, *texts):
        """The status is CODE, and each text stands in what was printed."""
        must(self.code == code, "%s: status %d, not %d: %s%s" % (self.args, self.code, code, self.err, self.out[:600]))
        for text in texts:
            must(text in self.out + self.err, "%s: no %r in: %s%s" % (self.args, text, self.err, self.out))
        return self

    def json(self):
        return json.loads(self.out)


def check_end(code, err, args):
    must("Sanitizer" not in err and "runtime error" not in err, "%s: %s" % (args, err))
    must(code >= 0, "%s: ended by signal %d" % (args, -code))
    must(code in EXITS, "%s: status %d is not in the manual: %s" % (args, code, err))


def write(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data.encode() if isinstance(data, str) else data)
    return path


def read(path):
    with open(path, "rb") as f:
        return f.read()


def sessions(folder, state=".local/state"):
    """Paths of the journals that were kept."""
    where = os.path.join(folder, state, "ktriage/sessions")
    return sorted(os.path.join(where, n) for n in os.listdir(where)) if os.path.isdir(where) else []


def drop():
    """For preexec_fn: root becomes nobody, who is refused what root is not."""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def main(module):
    names = [n for n in vars(module) if n.startswith("test_")]
    wanted = [n for n in names if not sys.argv[1:] or n in sys.argv[1:]]
    failed = 0
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            try:
                getattr(module, name)(folder)
            except Failed as e:
                failed += 1
                print("FAILED %s: %s" % (name, str(e)[:3000]))
            except Exception:  # a test that is broken is a failure, too
                failed += 1
                print("FAILED %s" % name)
                traceback.print_exc(file=sys.stdout)
    shutil.rmtree(CACHE, ignore_errors=True)
    print("%d tests, %d failed" % (len(wanted), failed))
    sys.exit(1 if failed or not wanted else 0)
