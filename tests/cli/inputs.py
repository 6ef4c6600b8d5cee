"""Inputs that are damaged, huge, no text, no files, or hostile to a terminal."""
import gzip, io, os, subprocess, sys, zipfile

from lib import *

LOG = read(NONE_GET)
CAUSE = "write.async-wait-none-get"
EVIL = ("\x1b[31m\x1b]0;owned\x07\x9b31m\u009b2J\u202e\u2066\u200f\x08\x7f\r").encode("utf-8", "surrogateescape")


def zipped(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("driver.log", data)
    return out.getvalue()


def test_what_cannot_be_read_is_named(folder):
    noise = bytes((i * 37 + i // 251) % 256 for i in range(50000))
    for name, data, why in (("a.7z", b"7z\xbc\xaf\x27\x1c" + noise, "7z"), ("a.gz", gzip.compress(b"")[:8], "gzip"),
                            ("a.bin", noise, "binary"), ("a.nul", LOG + b"\0" * 4000, "binary"),
                            ("a.u32", b"\xff\xfe\0\0" + LOG.decode().encode("utf-32le"), "UTF-32")):
        write(folder, name, data)
        Run(["diagnose", name], folder).is_(INPUT, "NOT KNOWN", name, why)
        # Beside a readable one it keeps the verdict's status and stays named.
        write(folder, "b.log", LOG)
        Run(["diagnose", name, "b.log"], folder).is_(FOUND, CAUSE, name, why)
        Run(["diagnose", "--fail-on", "damaged", name, "b.log"], folder).is_(AMBIGUOUS)


def test_compressed_ones_are_read_with_their_places(folder):
    for name, data, place in (("a.gz", gzip.compress(LOG), "a.gz:"), ("a.zip", zipped(LOG), "a.zip!driver.log:"),
                              ("b.zip", zipped(gzip.compress(LOG)), "b.zip!driver.log:")):
        write(folder, name, data)
        Run(["diagnose", name], folder).is_(FOUND, CAUSE, place)


def test_other_encodings_are_read(folder):
    text = LOG.decode()
    for name, data in (("crlf", LOG.replace(b"\n", b"\r\n")), ("bom", b"\xef\xbb\xbf" + LOG),
                       ("le", b"\xff\xfe" + text.encode("utf-16le")), ("be", b"\xfe\xff" + text.encode("utf-16be")),
                       ("colour", b"\x1b[33m" + LOG.replace(b"ERROR", b"\x1b[31mERROR\x1b[0m")),
                       ("bytes", LOG.replace(b"User class", b"\xff\xfe\x80\xc0\xaf User class"))):
        write(folder, name, data)
        Run(["diagnose", name], folder).is_(FOUND, CAUSE)


def test_a_cut_input_is_damaged(folder):
    write(folder, "a.log", (b"\xff\xfe" + LOG.decode().encode("utf-16le"))[:-1])
    Run(["diagnose", "a.log"], folder).is_(FOUND, CAUSE, "a.log: truncated")
    run = Run(["diagnose", "--format", "json", "--fail-on", "damaged", "a.log"], folder).is_(AMBIGUOUS)
    must(run.json()["inputs"][0]["complete"] is False and run.json()["exit"] == AMBIGUOUS, run.out)


def test_nothing_is_never_healthy(folder):
    write(folder, "empty", b"")
    write(folder, "blank", b"\n \n\n")
    write(folder, "prose", "All went well, I think.\n")
    for name in ("empty", "blank", "prose", "/dev/null"):
        Run(["diagnose", name], folder).is_(NOT_KNOWN, "NOT KNOWN")
    Run(["diagnose", "-"], folder).is_(NOT_KNOWN, "NOT KNOWN")
    write(folder, "quiet.log", "26/03/15 10:12:48 INFO SparkContext: Running Spark version 3.5.0\n")
    Run(["diagnose", "quiet.log"], folder).is_(HEALTHY)
    Run(["diagnose", "quiet.log", "empty"], folder).is_(NOT_KNOWN)
    Run(["diagnose", "quiet.log", "gone.log"], folder).is_(NOT_KNOWN, "gone.log: cannot be opened")


def test_no_file(folder):
    os.mkdir(os.path.join(folder, "dir"))
    os.symlink("nowhere", os.path.join(folder, "dangling"))
    os.symlink("circle", os.path.join(folder, "circle"))
    for name in ("gone.log", "dir", "dangling", "circle", "/dev/zero", "x" * 300, "a/" * 3000):
        Run(["diagnose", name], folder).is_(INPUT)
    Run(["diagnose", "gone.log", NONE_GET], folder).is_(FOUND, "gone.log: cannot be opened")


def test_folders_in_circles(folder):
    write(folder, "d/e/a.log", LOG)
    for name, to in (("d/self", "."), ("d/e/up", ".."), ("d/again.log", "e/a.log"), ("d/e/root", "..")):
        os.symlink(to, os.path.join(folder, name))
    os.mkfifo(os.path.join(folder, "d/pipe"))
    run = Run(["diagnose", "--format=json", "d"], folder).is_(FOUND)
    must([i["lines"] for i in run.json()["inputs"]] == [5], "each file once: " + run.out)


def test_of_many_inputs_the_quiet_ones_are_counted(folder):
    for i in range(40):
        write(folder, "d/%02d.log" % i, "26/03/15 10:12:48 INFO Foo: fine\n")
    write(folder, "d/20a.log", LOG)
    run = Run(["diagnose", "d"], folder).is_(FOUND, "20a.log: 5 lines", "40 more read to the end")
    must("39.log" not in run.out, "a quiet input is listed: " + run.out)


def test_a_pipe(folder):
    os.mkfifo(os.path.join(folder, "pipe"))
    writer = subprocess.Popen(["sh", "-c", "sleep 0.2; cat '%s' > pipe" % NONE_GET], cwd=folder)
    Run(["diagnose", "pipe"], folder).is_(FOUND, CAUSE)
    writer.wait()
    Run(["diagnose"], folder, stdin=LOG).is_(FOUND, "stdin:1", CAUSE)
    Run(["diagnose", "-"], folder, stdin=os.open("/", os.O_RDONLY)).is_(INPUT, "cannot be read")


def test_no_permission(folder):
    path = write(folder, "secret.log", LOG)
    os.chmod(path, 0)
    os.chmod(folder, 0o755)
    env = {"XDG_CACHE_HOME": None, "HOME": "/nonexistent"}
    become = {"preexec_fn": drop} if os.getuid() == 0 else {}
    if become and subprocess.run(["test", "-x", PROGRAM, "-a", "-r", RULES + "/guard.tsv"], **become).returncode:
        return  # nobody may not even read the program here
    Run(["diagnose", "secret.log"], folder, env=env, **become).is_(INPUT, "secret.log", "Permission denied")
    Run(["diagnose", "secret.log", NONE_GET], folder, env=env, **become).is_(FOUND, "Permission denied")


def test_terminals_are_safe(folder):
    write(folder, "evil.log", LOG.replace(b"User class", EVIL + b"User class"))
    text = Run(["diagnose", "--verbose", "evil.log"], folder).is_(FOUND, CAUSE, "\\u202e")
    must("owned" not in text.out, "what a terminal would have swallowed is not shown")
    must(json.loads(Run(["diagnose", "--format", "json", "evil.log"], folder).is_(FOUND).out), "JSON")
    name = "a\x1b[31m\u202e\nb\u009b.log"
    write(folder, name, LOG)
    for how in ([], ["--format", "json"]):
        Run(["diagnose"] + how + [name], folder).is_(FOUND, CAUSE)
        Run(["diagnose"] + how + [name + "x"], folder).is_(INPUT)
    Run(["diagnose", "--set", "\x1b[31m=\u202e", name], folder).is_(USAGE)
    Run(["diagnose", "--set", "writeMode=\x1b[31m\u202e", name], folder).is_(USAGE)
    Run(["diagnose", "--\x1b[31m"], folder).is_(USAGE)
    Run(["explain", "\x1b[31m\u202e"], folder).is_(USAGE)
    Run(["search", "\x1b[31m\u202e"], folder)
    Run(["show", ".drop \x1b[31m\u202e"], folder).is_(USAGE)
    Run([], folder, stdin=b"scan evil.log\n" + EVIL + b"\nset \x1b[2J x\nfacts\nevidence\nwhere\n\x1b[A\n").is_(FOUND)


def memory_of(args, folder):
    """The most memory that a run used, in kilobytes."""
    p = subprocess.Popen([PROGRAM] + args, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    must(os.waitstatus_to_exitcode(status) in EXITS, "%s: %s" % (args, status))
    p.returncode = 0
    return usage.ru_maxrss


def test_memory_is_flat(folder):
    """Some lines name another operation each, in a thousand threads. The windows of a
    file that are looked at count as memory: both sizes are of several."""
    line = "2026-03-15 10:00:%02d,%03d INFO X [thread-%d]: RequestId: %08x-1111-2222-3333-444444444444 table: 'T%d'\n"
    quiet = "2026-03-15 10:00:00,000 INFO BlockManagerInfo: Added broadcast_1_piece0 in memory on 10.0.0.4:42397\n" * 8
    if b"__asan_init" in read(PROGRAM):
        return  # what is freed is kept back there
    with open(os.path.join(folder, "keys.log"), "w", encoding="utf-8") as f:
        for i in range(140000):
            f.write(line % (i % 60, i % 1000, i % 1000, i, i))
            f.write(quiet)
    size = os.path.getsize(os.path.join(folder, "keys.log"))
    must(size > 120000000, "large enough: %d" % size)
    for threads in ("1", "2"):
        small = memory_of(["diagnose", "--threads", threads, "--max-bytes", "40000000", "keys.log"], folder)
        large = memory_of(["diagnose", "--threads", threads, "keys.log"], folder)
        must(large < small * 1.1 + 2000, "%s threads: %d kB for 40 MB, %d kB for all" % (threads, small, large))


def test_records_of_any_length(folder):
    head = "26/03/15 10:00:00 ERROR X: java.lang.RuntimeException: x"
    write(folder, "line.log", head + "a b\\c\"'{}:=,;eyJ/ " * 1000000 + "\n" + LOG.decode())
    Run(["diagnose", "line.log"], folder).is_(FOUND, CAUSE, "too long", "line 1")
    frames = "".join("\tat a.b.C%d.m(C.java:%d)\n" % (i, i) for i in range(150000))
    write(folder, "record.log", head + "\n" + frames + LOG.decode())
    Run(["diagnose", "record.log"], folder).is_(FOUND, CAUSE, "too long", "150,006 lines")
    write(folder, "other.log", "".join(head + str(i) + " at a.B%d\n" % i for i in range(20000)) + LOG.decode())
    Run(["diagnose", "other.log"], folder).is_(FOUND, CAUSE)


def test_no_end_of_line(folder):
    write(folder, "a.log", LOG.rstrip(b"\n"))
    Run(["diagnose", "a.log"], folder).is_(FOUND, CAUSE)
    write(folder, "b.log", LOG.replace(b"\n", b"\r"))
    Run(["diagnose", "b.log"], folder)


main(sys.modules[__name__])
