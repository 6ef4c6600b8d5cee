"""Whole processes against peers, run in turn, round by round.

A run counts only if its exit status and its output are as expected. Of the ratios of
all rounds the median is given with its quartiles; a bar that lies between the
quartiles is not decided.
"""
import os, re, statistics, subprocess, sys, time


class Command:
    """NAME, ARGV, what stands on stdin, the environment; what it must end with and
    say (bytes that stand in its output, or a function of the output)."""

    def __init__(self, name, argv, text=b"", env=None, status=0, says=b"", silent=False):
        self.name, self.argv, self.text, self.env = name, argv, text, env
        self.status, self.says, self.silent = status, says, silent
        self.seconds, self.peak = [], 0

    def run(self):
        """Seconds; the peak of its memory in KiB goes into self.peak."""
        start = time.monotonic_ns()
        child = subprocess.Popen(self.argv, env=self.env, stdin=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL if self.silent else subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        if self.text:
            child.stdin.write(self.text)
        child.stdin.close()
        out = b"" if self.silent else child.stdout.read()
        err = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
        spent = time.monotonic_ns() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        good = self.says(out) if callable(self.says) else self.says in out
        if child.returncode != self.status or not good:
            sys.exit("bench: %s failed: status %d, %s" %
                     (" ".join(self.argv), child.returncode, (err or out[-300:]).decode(errors="replace")[:300]))
        self.peak = max(self.peak, used.ru_maxrss)
        return spent / 1e9


def play(commands, rounds):
    """Each command once a round, in changing order; a first round is not counted."""
    for c in commands:
        c.run()
        c.seconds, c.peak = [], 0
    for i in range(rounds):
        at = i % len(commands)
        for c in commands[at:] + commands[:at]:
            c.seconds.append(c.run())


def quartiles(values):
    return statistics.quantiles(values, n=4) if len(values) > 1 else values * 3


failed = []


def judge(name, values, bar, at_least=False, unit="", show="%.2f"):
    """Prints one bar: VALUES of all rounds must stay within BAR, or reach it."""
    low, middle, high = quartiles(values)
    if at_least:
        holds, broken = low >= bar, high < bar
    else:
        holds, broken = high <= bar, low > bar
    verdict = "holds" if holds else "BROKEN" if broken else "not decided: count instructions"
    if broken:
        failed.append(name)
    number = lambda v: show % v
    spread = " (%s to %s, %d rounds)" % (number(low), number(high), len(values)) if len(values) > 1 else ""
    print("%-52s %s%s%s; bar %s %g: %s" %
          (name, number(middle), unit, spread, "at least" if at_least else "at most", bar, verdict), flush=True)


def faster(name, ours, theirs, bar):
    judge(name, [t / o for o, t in zip(ours.seconds, theirs.seconds)], bar, at_least=True,
          unit=" x as fast as " + theirs.name)


def within(name, ours, theirs, bar):
    judge(name, [o / t for o, t in zip(ours.seconds, theirs.seconds)], bar, unit=" x the time of " + theirs.name)


def instructions(argv, env=None):
    """How many the process executes, by callgrind."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + argv,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit("bench: callgrind of %s: %s" % (" ".join(argv), done.stderr[-300:].decode(errors="replace")))
    return int(found[1])


def version(argv):
    """The first line that a peer says of itself; None: it is not there."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        return None
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[0].strip() if lines else "?"
