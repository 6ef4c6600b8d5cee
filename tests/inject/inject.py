"""Fails every allocation, read or write once, over whole runs of the program.

    inject.py alloc|read|write|limit        needs KTRIAGE_BIN (built with KT_FAULTS), KTRIAGE_SOURCE

For each scenario the run is made once unharmed, which gives its answer and the number
of calls; then once for each n with the n-th call failed (for allocations with a stride
where there are too many). limit gives the program less and less memory, which meets the
allocations of the libraries, too. What must hold is in check_alloc and its siblings:
a documented status and a message, never a signal, a hang, a cut answer that counts as
one, or a journal whose lines are not whole.
"""
import bz2, gzip, io, json, os, re, resource, shutil, subprocess, sys, tarfile, tempfile, time, zipfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = os.path.abspath(os.environ.get("KTRIAGE_SOURCE", "."))
PROGRAM = os.path.abspath(os.environ.get("KTRIAGE_BIN", "build/dev/ktriage"))
SLOW = float(os.environ.get("KTRIAGE_SLOW", "1"))    # factor for sanitizers
MEMORY, OUTPUT, INPUT, RULES, CLUSTER = 70, 74, 5, 6, 7
EXITS = {0, 1, 2, 3, 4, 5, 6, 7, 70, 74, 130}
SMALL, REAL = 250, 60    # runs of a scenario at most, by its rules; where calls are twice as many they are strided

LOG = """26/10/15 03:14:07 INFO DemoSink: mode=Queued table=orders
26/10/15 03:14:08 INFO DemoSink: batch 17 of 40 rows is written
26/10/15 03:14:09 ERROR DemoSink: queue is full, orders waits
java.lang.IllegalStateException: full
\tat example.Sink.put(Sink.java:17)
26/10/15 03:14:10 ERROR DemoSink: batch refused
26/10/15 03:14:10 INFO ShutdownHook: bye
"""
JOB = """conf = {"kustoTable": t, "clientBatchingLimit": 4096, "isAsync": True}
(df.write.format("com.microsoft.kusto.spark.datasource").options(**conf)
    .option("sparkIngestionPropertiesJson", '{"ingestIfNotExist": ["a"]}').mode("overwrite").save())
"""
SHELL = """set sinkVersion 1.3.0
26/10/15 03:14:09 ERROR DemoSink: queue is full, orders waits
why
how
plan
next 1
undo
redo
facts
save kept.jsonl
report kept.txt
quit
"""


def small_rules(folder):
    """The rules of tests/data/author with the few rows of the guard that they need."""
    shutil.copytree(os.path.join(SOURCE, "tests/data/author"), folder)
    with open(os.path.join(folder, "guard.tsv"), encoding="utf-8") as f:
        rows = [r for r in f if r.startswith("kind\t") or r.startswith("command\t.show ingestion failures\t")]
    with open(os.path.join(folder, "guard.tsv"), "w", encoding="utf-8") as f:
        f.writelines(rows)


class Scenario:
    """A run: its arguments, what it reads, and the folder it runs in."""

    def __init__(self, name, args, stdin="", rules="small", image=None, before=None):
        self.name, self.args, self.stdin, self.rules, self.image, self.before = name, args, stdin, rules, image, before


class Run:
    def __init__(self, world, scenario, limit=0, **env):
        self.folder = tempfile.mkdtemp(dir=world.folder)
        self.state = os.path.join(self.folder, "state")
        if scenario.before:
            shutil.copytree(world.before[scenario.before], self.state)
        counts = os.path.join(self.folder, "counts")
        env = dict(world.env(scenario), XDG_STATE_HOME=self.state, KT_FAULT_COUNTS=counts, **env)
        if scenario.image == "warm":
            env["XDG_CACHE_HOME"] = world.cache[scenario.rules]
        elif scenario.image == "cold":
            env["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")
        else:
            env.update(KTRIAGE_NO_IMAGE="1", XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        try:
            p = subprocess.run([PROGRAM] + world.arguments(scenario), input=scenario.stdin.encode(), env=env,
                               cwd=self.folder, capture_output=True, timeout=20 * SLOW,
                               preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None)
            self.code, self.out, self.err = p.returncode, self.plain(p.stdout), self.plain(p.stderr)
        except subprocess.TimeoutExpired:
            self.code, self.out, self.err = "hangs", "", ""

        self.calls = None    # allocations, reads, writes; none where it left in haste
        if os.path.exists(counts):
            with open(counts, encoding="utf-8") as f:
                self.calls = [int(n) for n in f.read().split()]
            os.remove(counts)

    def plain(self, data):
        """Names of folders and sessions differ from run to run."""
        text = data.decode("utf-8", "replace").replace(self.folder, "FOLDER")
        return re.sub(r"\d{8}-\d{6}-\d+\.jsonl", "SESSION.jsonl", text)

    def journals(self):
        folder = os.path.join(self.state, "ktriage", "sessions")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in names]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class World:
    """Rules, inputs, recordings and warm images, made once."""

    def __init__(self, folder):
        self.folder = folder
        self.small = os.path.join(folder, "rules")
        small_rules(self.small)
        self.log = self.write("driver.log", LOG)
        self.pack()
        self.cache = {r: os.path.join(folder, "cache-" + r) for r in ("small", "real")}
        self.before = {}
        for r in self.cache:
            self.once(Scenario("image", ["option"], rules=r, image="warm"))
        self.record()
        self.keep("saved", Scenario("saved", ["diagnose", "--save", "--set", "sinkVersion=1.3.0", "LOG"]))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def pack(self):
        """The log in every way that is read and that Python can write."""
        self.packed = os.path.join(self.folder, "packed")
        os.mkdir(self.packed)
        log, half = LOG.encode(), len(LOG) // 2
        members = (("driver/stderr", log), ("driver/stderr.gz", gzip.compress(log[:half]) + gzip.compress(log[half:])),
                   ("inner.tar.xz", None))
        inner = os.path.join(self.folder, "inner")
        with tarfile.open(inner, "w:xz") as t:
            self.add(t, "x.log", log)
        with tarfile.open(os.path.join(self.packed, "bundle.tar.gz"), "w:gz") as t:
            for name, data in members:
                self.add(t, name, data if data else open(inner, "rb").read())
        with zipfile.ZipFile(os.path.join(self.packed, "bundle.zip"), "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("driver/stderr", log)
        with open(os.path.join(self.packed, "log.bz2"), "wb") as f:
            f.write(bz2.compress(log))

    @staticmethod
    def add(tar, name, data):
        info = tarfile.TarInfo(name)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))

    def once(self, scenario):
        run = Run(self, scenario)
        if run.code not in EXITS:
            sys.exit("%s: %s %s" % (scenario.name, run.code, run.err))
        return run

    def keep(self, name, scenario):
        self.before[name] = self.once(scenario).state

    def record(self):
        """Recordings of the commands that a dry run names."""
        dry = self.once(Scenario("dry", ["diagnose", "--dry-run", "LOG"])).out
        texts = [t for t in dry.split("\n\n") if t.startswith(".show")]
        os.mkdir(os.path.join(self.folder, "cluster"))
        for i, text in enumerate(texts):
            self.write("cluster/%d.json" % i, json.dumps({
                "schema": "ktriage.recording/1", "cluster": "https://k.example", "database": "", "endpoint": "engine",
                "kind": "mgmt", "text": text.strip(), "state": "done",
                "columns": [["FailedOn", "datetime"], ["ErrorCode", "string"]],
                "rows": [["2026-10-15T03:14:09Z", "BadBatch"], ["2026-10-15T03:14:10Z", None]]}))
        if not texts:
            sys.exit("the small rules ask the cluster nothing")

    def env(self, scenario):
        rules = self.small if scenario.rules == "small" else os.path.join(SOURCE, "rules")
        keep = {k: v for k, v in os.environ.items() if k in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
        return dict(keep, KTRIAGE_RULES=os.environ.get("KTRIAGE_RULES", rules) if scenario.rules == "real" else rules,
                    HOME=self.folder, LC_ALL="C.UTF-8", TERM="dumb")

    def arguments(self, scenario):
        names = {"LOG": self.log, "PACKED/bundle.tar.gz": os.path.join(self.packed, "bundle.tar.gz"),
                 "PACKED/log.bz2": os.path.join(self.packed, "log.bz2"), "PACKED": self.packed, "CLUSTER": os.path.join(self.folder, "cluster"),
                 "DEMOLOG": os.path.join(SOURCE, "rules/demo/logs"),
                 "DEMOCLUSTER": os.path.join(SOURCE, "rules/demo/cluster"),
                 "NONEGET": os.path.join(SOURCE, "tests/data/none-get.txt")}
        return [names.get(a, a) for a in scenario.args]


SCENARIOS = [
    Scenario("diagnose", ["diagnose", "LOG"]),
    Scenario("diagnose-image", ["diagnose", "--verbose", "LOG"], image="warm"),
    Scenario("diagnose-cold", ["diagnose", "LOG"], image="cold"),
    Scenario("diagnose-stdin", ["diagnose", "--format", "json", "-"], stdin=LOG, image="warm"),
    Scenario("packed", ["diagnose", "PACKED/bundle.tar.gz", "PACKED/log.bz2"], image="warm"),
    Scenario("packed-folder", ["diagnose", "--format", "json", "PACKED"], image="warm"),
    Scenario("diagnose-save", ["diagnose", "--save", "--set", "sinkVersion=1.3.0", "LOG"], image="warm"),
    Scenario("diagnose-replay", ["diagnose", "--format=json", "--save", "--replay", "CLUSTER", "--record", "again",
                                 "LOG"], image="warm"),
    Scenario("show-csv", ["show", "--replay", "CLUSTER", "--format", "csv",
                          ".show ingestion failures | where FailedOn between (datetime(2026-10-15T02:14:07Z) .. "
                          "datetime(2026-10-15T05:14:10Z)) and Table == \"orders\" | project FailedOn, ErrorCode"],
             image="warm"),
    Scenario("check", ["rules", "check"]),
    Scenario("test", ["rules", "test"]),
    Scenario("shell", [], stdin=SHELL, image="warm"),
    Scenario("shell-cluster", ["--replay", "CLUSTER"], stdin=SHELL, image="warm"),
    Scenario("shell-resume", ["resume"], stdin="where\nset mode Direct\nunset mode\nquit\n", image="warm", before="saved"),
    Scenario("sessions", ["sessions"], image="warm", before="saved"),
    Scenario("explain", ["explain", "demo.queue-full"], image="warm"),
    Scenario("real-diagnose", ["diagnose", "NONEGET"], rules="real", image="warm"),
    Scenario("real-demo", ["diagnose", "--replay", "DEMOCLUSTER", "--save", "DEMOLOG"], rules="real", image="warm"),
    Scenario("real-options", ["option", "--check", "-"], stdin=JOB, rules="real", image="warm"),
    Scenario("real-load", ["search", "timeout"], rules="real"),
]


def lines_of(path):
    """The acts of a journal; a torn last line is left out, as it is at resuming."""
    with open(path, "rb") as f:
        whole = f.read().split(b"\n")[:-1]
    acts = []
    for line in whole:
        act = json.loads(line)
        act.pop("ts", None)
        acts.append(act)
    return acts


def plain_acts(path, run):
    return run.plain(json.dumps(lines_of(path)).encode())


class Broken(Exception):
    pass


def must(what, ok):
    if not ok:
        raise Broken(what)


def check_journals(world, scenario, run, whole, complete):
    """Lines are whole and a beginning of what an unharmed run writes, all if COMPLETE;
    and resuming works."""
    for path, want in zip(run.journals(), whole.journals()):
        try:
            got, expected = json.loads(plain_acts(path, run)), json.loads(plain_acts(want, whole))
        except ValueError as e:
            raise Broken("a line of the journal is damaged: %s" % e)
        if "--record" in scenario.args and run.code == OUTPUT:
            got = got[:-1]  # the command counts as failed there
        must("the journal is no beginning of the unharmed one", got == expected[:len(got)])
        must("the journal lacks acts", not complete or got == expected)
    if complete:
        must("a journal is missing", len(run.journals()) >= len(whole.journals()))
    for path in run.journals():
        p = subprocess.run([PROGRAM, "resume", path], input=b"where\n", capture_output=True, timeout=20 * SLOW,
                           env=dict(world.env(scenario), XDG_STATE_HOME=run.state,
                                    XDG_CACHE_HOME=world.cache[scenario.rules]))
        must("resume ends with %d: %s" % (p.returncode, p.stderr.decode()), p.returncode == 0)
        must("resume: %s" % p.stderr.decode(), b"damaged" not in p.stderr and b"left out" not in p.stderr)


def check_common(run):
    must("hangs", run.code != "hangs")
    must("ended by signal %s" % run.code, run.code >= 0)
    must("status %d is not documented" % run.code, run.code in EXITS)
    must("sanitizer: " + run.err, "Sanitizer" not in run.err and "runtime error" not in run.err)


def check_alloc(world, scenario, run, whole):
    must("status %d, not %d" % (run.code, MEMORY), run.code == MEMORY)
    must("no message", "out of memory" in run.err)
    must("what was written is no beginning of the answer", whole.out.startswith(run.out))
    check_journals(world, scenario, run, whole, False)


def named(run):
    """Is the failure said, in words, where the person looks?"""
    return any(w in run.out + run.err for w in ("cannot be read", "Input/output error", "not valid JSON"))


def check_read(world, scenario, run, whole):
    """The same answer (an image that cannot be read is made anew), or one that names the
    failure; a status that says success only with the one of these."""
    if run.out == whole.out and run.code == whole.code and run.err == whole.err:
        return check_journals(world, scenario, run, whole, True)
    must("the failure is not named; status %s\n%s\n%s" % (run.code, run.out, run.err), named(run))
    if run.code in (0, 3, 4) and scenario.name != "shell":
        must("an answer that does not name what is missing\n" + run.out, "cannot be read" in run.out + run.err)
    must("healthy though an input could not be read", run.code != 4)
    for path in run.journals():
        lines_of(path)


def check_write(world, scenario, run, whole):
    """The same answer with its status, or 74 and a message. A command of the shell that
    cannot write its own file says so, and the shell goes on."""
    own_file = "kept." in run.err
    must("a cut answer with status %d" % run.code, run.out == whole.out or run.code == OUTPUT or own_file)
    if not scenario.name.startswith("shell"):
        must("the answer is no beginning of the whole one:\n%s" % run.out, whole.out.startswith(run.out))
    if run.code == OUTPUT:
        must("no message", run.err)
    else:
        must("status %s, not %s" % (run.code, whole.code), run.code == whole.code)
        must("the failure is not named: " + run.err, run.err != whole.err or run.out == whole.out)
    check_journals(world, scenario, run, whole, False)


NO_START = 127    # the loader had too little memory for the libraries


def check_limit(scenario, run, whole):
    """The whole answer, or a message and no answer that counts as one."""
    must("hangs", run.code != "hangs")
    if run.code == NO_START and not run.out:
        return
    check_common(run)
    if run.code == whole.code:
        return must("another answer than with memory enough\n" + run.out, run.out == whole.out)
    must("status %d without a message" % run.code, "memory" in run.err)
    must("what was written is no beginning of the answer", whole.out.startswith(run.out))


def limits(world, pool):
    """Runs with 6 to 17 MB of address space, and what is wrong with them."""
    faults, runs, short = [], 0, 0
    for name in ("diagnose", "diagnose-replay", "shell", "real-diagnose", "real-demo", "real-load"):
        scenario = next(s for s in SCENARIOS if s.name == name)
        whole = world.once(scenario)

        def one_limit(mega, scenario=scenario, whole=whole):
            run = Run(world, scenario, limit=int(mega * 1e6))
            try:
                check_limit(scenario, run, whole)
                return run.code, None
            except Broken as e:
                return run.code, "%s with %.1f MB: %s" % (scenario.name, mega, e)
            finally:
                run.close()
        found = list(pool.map(one_limit, [6 + i * 0.1 for i in range(113)]))
        faults += [f for _, f in found if f]
        runs += len(found)
        short += sum(code == MEMORY for code, _ in found)
        print("%-16s %s" % (name, {c: [code for code, _ in found].count(c) for c in {code for code, _ in found}}), flush=True)
    if not short:
        faults.append("no run was short of memory")
    return faults, runs


CHECKS = {"alloc": ("KT_FAIL_ALLOC", 0, check_alloc), "read": ("KT_FAIL_READ", 1, check_read),
          "write": ("KT_FAIL_WRITE", 2, check_write)}


def one(world, scenario, kind, n, whole):
    name, _, check = CHECKS[kind]
    run = Run(world, scenario, **{name: str(n)})
    try:
        check_common(run)
        if run.calls is not None and run.calls[CHECKS[kind][1]] < n:    # threads do not always make as many
            must("another answer than the unharmed one", (run.out, run.code) == (whole.out, whole.code))
            return None
        check(world, scenario, run, whole)
        return None
    except Broken as e:
        return "%s, %s=%d: %s" % (scenario.name, name, n, e)
    finally:
        run.close()


def unharmed(world, scenario, kind):
    """The run and how many calls it makes."""
    run = Run(world, scenario)
    if run.code not in EXITS or run.calls is None:
        sys.exit("%s: an unharmed run ends with %s: %s" % (scenario.name, run.code, run.err))
    return run, run.calls[CHECKS[kind][1]]


def main():
    kind = sys.argv[1]
    only = sys.argv[2:]
    faults = []
    runs = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        world = World(folder)
        if kind == "limit":
            faults, runs = limits(world, pool)
        for scenario in SCENARIOS if kind in CHECKS else ():
            if only and scenario.name not in only:
                continue
            started = time.time()
            whole, calls = unharmed(world, scenario, kind)
            most = (SMALL if scenario.rules == "small" else REAL) / SLOW if kind == "alloc" else calls
            numbers = range(1, calls + 1, max(1, int(calls / max(1, most))))
            found = [f for f in pool.map(lambda n: one(world, scenario, kind, n, whole), numbers) if f]
            faults += found
            runs += len(numbers)
            print("%-16s %5d of %5d calls, %5.1f s, %d faults" % (scenario.name, len(numbers), calls,
                                                                time.time() - started, len(found)), flush=True)
    for f in faults[:40]:
        print(f)
    print("%d runs, %d faults" % (runs, len(faults)))
    return 1 if faults or not runs else 0


sys.exit(main())
