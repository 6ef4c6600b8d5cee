"""^C, TERM and HUP while something is done: status 130, and nothing half kept."""
import os, signal, subprocess, sys, time

from lib import *

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Started:
    """A run that goes on; waits until it reads NAME, a pipe that gives nothing."""

    def __init__(self, args, folder, feed=b"", **popen):
        self.args = args
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

    def said(self, text):
        seen = b""
        while text.encode() not in seen:
            piece = os.read(self.p.stdout.fileno(), 65536)
            must(piece, "%s: ended before %r: %r" % (self.args, text, seen))
            seen += piece
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
                     ["--save", NONE_GET, "pipe"], ["--format", "json", "--fail-on", "damaged", "pipe"]):
            out = Started(["diagnose"] + args, folder).opened(pipe).end(sig, INTERRUPTED, "cancelled")
            must(out == "", "half an answer: " + out)
        must(not sessions(folder), "a session was kept")


def test_stdin(folder):
    for sig in SIGNALS:
        started = Started(["diagnose", "--save", "-"], folder, feed=read(NONE_GET))
        time.sleep(0.5)
        must(started.end(sig, INTERRUPTED, "cancelled") == "", "half an answer")
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
    for sig in (signal.SIGTERM, signal.SIGHUP):
        Started([], folder, feed=feed).opened(pipe).end(sig, INTERRUPTED, "stopped")
    must(len(sessions(folder)) == 3, "each kept what was said")
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
