"""^C, TERM and HUP while something is done: status 130, and nothing half kept."""
import fcntl, json, os, select, signal, subprocess, sys, termios, time

from lib import *

CAUSE = "write.async-wait-none-get"
QUIET = b"26/03/15 10:12:48 INFO Foo: fine, all of it\n"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Started:
    """A run that goes on; waits until it reads NAME, a pipe that gives nothing."""

    def __init__(self, args, folder, feed=b"", **popen):
        self.args, self.seen = args, b""
        self.p = subprocess.Popen([PROGRAM] + args, cwd=folder, env=environment(folder), stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)
        self.p.stdin.write(feed)
        self.p.stdin.flush()

    def opened(self, path):
        """Has it PATH open by now?"""
        for _ in range(400):
            fds = "/proc/%d/fd" % self.p.pid
            for fd in os.listdir(fds):
                try:
                    if os.path.realpath(os.path.join(fds, fd)) == os.path.realpath(path):
                        return self
                except OSError:
                    pass
            time.sleep(0.05)
        raise Failed("%s: %s is never opened" % (self.args, path))

    def has_read(self):
        """Has it taken what was fed, and waits for more?"""
        empty = bytearray(4)
        for _ in range(400):
            fcntl.ioctl(self.p.stdin.fileno(), termios.FIONREAD, empty)
            if not any(empty):
                time.sleep(0.1)
                return self
            time.sleep(0.05)
        raise Failed("%s: does not read" % self.args)

    def said(self, text):
        """Waits for TEXT behind what was waited for before."""
        fd = self.p.stdout.fileno()
        while text.encode() not in self.seen:
            ready = select.select([fd], [], [], 20)[0]
            piece = os.read(fd, 65536) if ready else b""
            must(piece, "%s: no %r: %r" % (self.args, text, self.seen))
            self.seen += piece
        self.seen = self.seen.partition(text.encode())[2]
        return self

    def end(self, sig, code, *texts):
        self.p.send_signal(sig)
        started = time.time()
        try:
            out, err = self.p.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.p.kill()
            self.p.communicate()
            raise Failed("%s: goes on after signal %d" % (self.args, sig))
        must(time.time() - started < 10, "slow to end")
        out, err = out.decode(), err.decode()
        check_end(self.p.returncode, err, self.args)
        must(self.p.returncode == code, "%s, signal %d: %d, not %d: %s" % (self.args, sig, self.p.returncode, code, err))
        for text in texts:
            must(text in out + err, "%s: no %r in %s%s" % (self.args, text, err, out))
        return out


def test_diagnose(folder):
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for sig in SIGNALS:
        for args in (["pipe"], ["--save", "pipe"], ["--save", "--set", "writeMode=Queued", "pipe"],
                     ["--format", "json", "--fail-on", "damaged", "pipe"]):
            out = Started(["diagnose"] + args, folder).opened(pipe).end(sig, INTERRUPTED, "cancelled")
            must(out == "", "half an answer: " + out)
        # What was read before it is no less true.
        started = Started(["diagnose", "--save", NONE_GET, "pipe"], folder).opened(pipe)
        started.end(sig, INTERRUPTED, CAUSE, "5 lines read to the end", "pipe: stopped before it was read")
        must(not sessions(folder), "a session was kept")


def test_stdin(folder):
    for sig in SIGNALS:
        for args in (["--save", "-", "gone.log"], ["--save", "--replay", DEMO_CLUSTER, "-", "gone.log"]):
            started = Started(["diagnose"] + args, folder, feed=read(NONE_GET)).has_read()
            out = started.end(sig, INTERRUPTED, "stopped: the answer is of what was read", CAUSE)
            must("stdin: reading was stopped; 5 lines read, 1 record matched" in out, out)
            must("gone.log: stopped before it was read" in out, out)
            must("not asked" in out or "no cluster" in out, "something was sent: " + out)
    must(not sessions(folder), "a session was kept")
    started = Started(["diagnose", "--format=json", "--fail-on=damaged", "-", "gone.log"], folder, feed=read(NONE_GET))
    answer = json.loads(started.has_read().end(signal.SIGINT, INTERRUPTED, "stopped"))
    must(answer["exit"] == INTERRUPTED and answer["causes"][0]["id"] == CAUSE, answer)
    must([(i["name"], i["complete"], i["lines"]) for i in answer["inputs"]] ==
         [("stdin", False, 5), ("gone.log", False, 0)], answer["inputs"])


def test_nothing_wrong_in_a_part_is_not_healthy(folder):
    started = Started(["diagnose", "-", "gone.log"], folder, feed=QUIET * 20).has_read()
    must("HEALTHY" not in started.end(signal.SIGINT, INTERRUPTED, "NOT KNOWN"), "healthy")


def test_a_large_input_is_stopped(folder):
    """A hole of many gigabytes, and a pipe without an end."""
    path = write(folder, "large.log", read(NONE_GET) + QUIET * 40000)
    os.truncate(path, 100 << 30)
    for args in (["--threads=1"], ["--threads=3"], ["--threads=3", "--format=json"]):
        started = Started(["diagnose", "--save"] + args + ["large.log", NONE_GET], folder).opened(path)
        time.sleep(0.3)
        started.end(signal.SIGINT, INTERRUPTED, "stopped: the answer is of what was read", CAUSE,
                    "large.log", "reading was stopped")
    # It ends while text comes as fast as it is read.
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", "exec >pipe; cat '%s'; exec yes '%s'" % (NONE_GET, QUIET.decode().strip())],
                              cwd=folder)
    started = Started(["diagnose", "pipe"], folder).opened(pipe)
    time.sleep(0.5)
    started.end(signal.SIGINT, INTERRUPTED, "stopped: the answer is of what was read", CAUSE)
    writer.wait()
    must(not sessions(folder), "a session was kept")


def test_ignored_signals_stay_ignored(folder):
    """As under nohup: HUP does not end it."""
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    started = Started(["diagnose", "pipe"], folder, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    started.opened(pipe).p.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    must(started.p.poll() is None, "ended by a signal that was ignored")
    started.end(signal.SIGTERM, INTERRUPTED)


def test_the_shell(folder):
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    feed = b"set writeMode Queued\nscan pipe\nset operation write\nfacts\n"
    # ^C stops the scan, not the shell; what was said before and comes after counts.
    started = Started([], folder, feed=feed).opened(pipe)
    started.p.send_signal(signal.SIGINT)
    started.said("operation")
    started.p.stdin.close()
    started.p.wait(TIME_LIMIT)
    must(started.p.returncode == FOUND, "the shell ended with %d" % started.p.returncode)
    must(b"writeMode" in read(sessions(folder)[0]), "the journal has what was said")
    # What was read of an input until then counts, and undo takes it back.
    feeder = subprocess.Popen(["sh", "-c", "exec >pipe; cat '%s'; exec sleep 60" % NONE_GET], cwd=folder)
    started = Started([], folder, feed=b"scan pipe\nevidence\nundo\nevidence\n").opened(pipe)
    time.sleep(0.5)
    started.p.send_signal(signal.SIGINT)
    started.said("pipe: 5 lines, 1 record matched; not read to its end").said("LIKELY").said("pipe:1")
    started.said("Took back").said("No evidence")
    started.p.stdin.close()
    started.p.wait(TIME_LIMIT)
    must(b"stopped: what was read until then counts; undo takes it back" in started.p.stderr.read(), "says so")
    feeder.kill()
    feeder.wait()
    for path in sessions(folder):
        os.unlink(path)
    for sig in (signal.SIGTERM, signal.SIGHUP):
        Started([], folder, feed=feed).opened(pipe).end(sig, INTERRUPTED, "stopped")
    must(len(sessions(folder)) == 2, "each kept what was said")
    for path in sessions(folder):
        Run(["resume", path], folder, stdin=b"facts\n").is_(FOUND, "Queued")


def test_rules(folder):
    started = Started(["rules", "test"], folder)
    time.sleep(0.15)
    started.p.send_signal(signal.SIGINT)
    started.p.communicate(timeout=TIME_LIMIT)
    # It may have been done by then.
    must(started.p.returncode in (INTERRUPTED, FOUND, -signal.SIGINT), "rules test: %d" % started.p.returncode)


main(sys.modules[__name__])
