"""./dev bench match: the bars of the matcher, against other programs.

    match.py BUILD SOURCE SCRATCH [--quick] [--only WORD]

Full: a log of 2 GiB, nine rounds; --quick: 64 MiB, three rounds, to try the harness.
--only: the parts whose name holds WORD. What is found is compared before anything is
timed.
"""
import argparse, os, subprocess, sys

import lib
from lib import Command

options = argparse.ArgumentParser()
options.add_argument("build")
options.add_argument("source")
options.add_argument("scratch")
options.add_argument("--quick", action="store_true")
options.add_argument("--only", default="")
options = options.parse_args()

ROUNDS = int(os.environ.get("ROUNDS", "3" if options.quick else "9"))
SIZE = 64 << 20 if options.quick else 2 << 30
SMALL = min(SIZE, 512 << 20)
patterns = os.path.join(options.source, "tests/bench/patterns")
headers = os.path.join(options.source, "rules/headers.tsv")
AVX2 = "avx2" in open("/proc/cpuinfo").read()


def log(name, size, *args):
    """A made-up log of SIZE bytes, kept until the end of the run."""
    path = os.path.join(options.scratch, name)
    if not os.path.exists(path):
        with open(path, "wb") as f:
            subprocess.run([os.path.join(options.build, "loggen"), "--size", str(size), *args], stdout=f, check=True)
    return path


def drop(*paths):
    for path in paths:
        os.unlink(path)


def samples(of):
    return ["--samples", os.path.join(patterns, "samples_%s.tsv" % of)]


def scan(path, of="150", threads=1, portable=False, each=False):
    argv = [os.path.join(options.build, "bench_match"), "--headers", headers,
            "--patterns", os.path.join(patterns, "rules_%s.tsv" % of), "--threads", str(threads)]
    return argv + portable * ["--portable"] + each * ["--hits", "--cap", "0"] + [path]


def ours(path, name="ours", **how):
    return Command(name, scan(path, **how), says=b"total\t")


def rg(path, of="150", *args, name="rg"):
    return Command(name, ["rg", "-c", *args, "-f", os.path.join(patterns, "patterns_%s.txt" % of), path],
                   says=lambda out: int(out) > 0)


def bytes_rg(path, of="150", *args):
    """Large sets are up to ten times as fast when letters are those of ASCII, which is
    what ours are, too: the peer to be measured against."""
    return rg(path, of, "--no-unicode", *args, name="rg --no-unicode")


def check_against_rg(path, of):
    """Each line of rg lies in a record that ours reports for a pattern that rg has, and
    each such record holds a line of rg (a match over several lines is ours alone)."""
    subset = set()
    for row in open(os.path.join(patterns, "rules_%s.tsv" % of)):
        name, flags, _ = row.split("\t", 2)
        if not set(flags) & set("mx"):
            subset.add(name.encode())
    done = subprocess.run(["rg", "-n", "--no-unicode", "--no-filename", "-f", os.path.join(patterns, "patterns_%s.txt" % of), path],
                          stdout=subprocess.PIPE)
    theirs = [int(line.split(b":", 1)[0]) for line in done.stdout.splitlines()]
    records = {}
    done = subprocess.run(scan(path, of, each=True), stdout=subprocess.PIPE, check=True)
    for line in done.stdout.splitlines():
        _, first, lines, _, across, name = line.split(b"\t")
        if name in subset:
            key = int(first), int(first) + int(lines)
            records[key] = records.get(key, False) or across == b"0"
    covered = {n: key for key in records for n in range(*key)}
    lost = [n for n in theirs if n not in covered]
    hit = {covered[n] for n in theirs if n in covered}
    more = [key for key, within_line in records.items() if within_line and key not in hit]
    if lost or more or not theirs:
        sys.exit("bench: %s, %s patterns: rg finds %d lines; not in a record of ours: %s; records that it does not "
                 "find: %s" % (path, of, len(theirs), lost[:5], more[:5]))
    print("%s patterns: the %d lines that rg finds lie in %d records of ours, and no others do" %
          (of, len(theirs), len(records)))


def same_output(*commands):
    """All say the same, or the run ends."""
    said = {subprocess.run(c.argv, stdout=subprocess.PIPE, check=True).stdout for c in commands}
    if len(said) != 1:
        sys.exit("bench: %s: not the same" % ", ".join(c.name for c in commands))


def part_large():
    path = log("large.log", SIZE, "--kind", "mixed", "--needle", "10000", *samples("150"))
    lines = Command("a pass that counts lines", [os.path.join(options.build, "bench_lines"), path])
    cat = Command("cat to nowhere", ["cat", path], silent=True)
    one, two = ours(path, "1 thread"), ours(path, "2 threads", threads=2)
    portable = ours(path, "1 thread, no AVX2", portable=True)
    clean = ours(path, "1 thread, clean patterns", of="lint")
    peers = [rg(path), bytes_rg(path)]
    check_against_rg(path, "150")
    same_output(one, two, portable)
    commands = [*peers, one, two, portable, clean, lines, cat]
    lib.play(commands, ROUNDS)
    peer = min(peers, key=lambda c: lib.quartiles(c.seconds)[1])
    size = os.path.getsize(path)
    for c in commands:
        low, middle, high = lib.quartiles(c.seconds)
        print("  %-28s %.3f s (%.3f to %.3f)  %.2f GB/s  %d MB" %
              (c.name, middle, low, high, size / middle / 1e9, c.peak >> 10))
    lib.faster("150 patterns, 1 thread", one, peer, 6)
    lib.faster("150 patterns, 2 threads", two, peer, 10)
    lib.faster("150 patterns, 1 thread, portable C", portable, peer, 5)
    lib.within("patterns that have good literals, 1 thread", clean, lines, 2.5)
    lib.within("150 patterns, 2 threads", two, cat, 1.25)
    lib.judge("peak memory, 2 threads", [two.peak / 1024], 48, unit=" MB", show="%.1f")
    drop(path)


def part_patterns():
    path = log("patterns.log", SMALL, "--kind", "mixed", "--needle", "10000", *samples("2000"))
    for of, bar in (("500", 7), ("2000", 5)):
        check_against_rg(path, of)
        peer, one = bytes_rg(path, of), ours(path, of=of)
        lib.play([peer, one], ROUNDS)
        lib.faster("%s patterns, 1 thread" % of, one, peer, bar)
    drop(path)


def part_hits():
    many = log("many.log", SMALL, "--kind", "mixed", "--needle", "100", *samples("150"))
    few = log("few.log", SMALL, "--kind", "mixed", "--needle", "1000000", *samples("150"))
    a, b = ours(many, "one hit in 100"), ours(few, "one hit in 1,000,000")
    lib.play([a, b], ROUNDS)
    lib.within("one hit in 100 lines", a, b, 3)
    drop(many, few)


def part_kinds():
    """No bars: what each form of log costs, beside rg."""
    forms = {"driver": ["--kind", "driver"], "yarn": ["--kind", "yarn"], "event log": ["--kind", "eventlog"],
             "JSON lines": ["--kind", "json"], "container runtime": ["--wrap", "cri"], "Docker": ["--wrap", "docker"],
             "CRLF": ["--kind", "driver", "--crlf"]}
    for form, how in forms.items():
        path = log("form.log", SMALL // 2, *how, "--needle", "1000", *samples("150"))
        one, peer = ours(path, form), bytes_rg(path)
        lib.play([one, peer], ROUNDS)
        low, middle, high = lib.quartiles([t / o for o, t in zip(one.seconds, peer.seconds)])
        print("%-52s %.2f GB/s, %.1f x as fast as rg --no-unicode (%.1f to %.1f, %d rounds)" %
              (form, os.path.getsize(path) / lib.quartiles(one.seconds)[1] / 1e9, middle, low, high, ROUNDS))
        drop(path)


def part_packed():
    path = log("packed.log", SMALL, "--kind", "mixed", "--needle", "10000", *samples("150"))
    for name, pack, unpack in (("gz", ["gzip", "-6", "-k"], ["igzip", "-dc"]), ("zst", ["zstd", "-q", "-3", "-k"], ["zstd", "-dcq"])):
        if not lib.version([unpack[0], "--version"]):
            print("%s is not there: left out" % unpack[0])
            continue
        subprocess.run(pack + [path], check=True)
        packed = path + "." + name
        decoder = Command(" ".join(unpack), unpack + [packed], silent=True)
        two, peer = ours(packed, threads=2), bytes_rg(packed, "150", "-z")
        found = [subprocess.run(scan(p, threads=2), stdout=subprocess.PIPE, check=True).stdout for p in (path, packed)]
        if found[0] != found[1]:
            sys.exit("bench: %s: not what the plain log gives" % packed)
        lib.play([two, decoder, peer], ROUNDS)
        lib.within(".%s, 2 threads" % name, two, decoder, 1.3)
        lib.faster(".%s, 2 threads" % name, two, peer, 4)
        lib.judge(".%s, peak memory" % name, [two.peak / 1024], 48 + (8 if name == "zst" else 0), unit=" MB", show="%.1f")
        drop(packed)
    drop(path)


def part_memory():
    sizes = [128 << 20, 512 << 20]
    peaks = []
    for size in sizes:
        path = log("memory%d.log" % size, size, "--kind", "mixed", "--needle", "1000", *samples("150"))
        command = ours(path, threads=2)
        command.run()
        peaks.append(command.peak)
        drop(path)
    lib.judge("peak memory at four times the size", [peaks[1] / peaks[0]], 1.05, unit=" x (%d KiB)" % peaks[1],
              show="%.3f")


at_rest = {}  # instructions of a run over nothing


def per_byte(path, **how):
    key = repr(sorted(how.items()))
    if key not in at_rest:
        at_rest[key] = lib.instructions(scan(log("empty.log", 0), **how))
    return (lib.instructions(scan(path, **how)) - at_rest[key]) / os.path.getsize(path)


def part_instructions():
    path = log("count.log", 16 << 20, "--kind", "mixed", "--needle", "1000000", *samples("150"))
    for of in ("150", "lint", "2000"):
        bars = {"150": (1.7, 4.0), "lint": (1.7, 4.0), "2000": (None, None)}[of]
        for portable in (False, True) if AVX2 else (True,):
            name = "instructions a byte, %s patterns, %s" % (of, "portable C" if portable else "AVX2")
            count = per_byte(path, of=of, portable=portable)
            if bars[portable]:
                lib.judge(name, [count], bars[portable])
            else:
                print("%-52s %.2f" % (name, count))
    if not AVX2:
        print("this processor has no AVX2: left out")
    drop(path)


def hostile(kind, size):
    """A log of SIZE bytes that is meant to hurt."""
    path = os.path.join(options.scratch, "%s-%d.log" % (kind.replace(" ", "-"), size))
    head = b"24/07/01 06:00:00 ERROR Executor: "
    hit = head + b"java.lang.OutOfMemoryError: Java heap space\n"
    units = {
        "one line": b"RetriesExhaustedException: a ",
        "one line of one letter": b"a",
        "nested repeats": head + b"TimeoutException: x\n" + b"\tat " + b"a" * 60 + b"\n",
        "many spaces": head + b"Failed to retrieve export status for " + b" " * 2000 + b"\n",
        "NULs": b"\0",
        "NULs in lines": head + b"TaskSetManager: Finished a\0b\n" + (head + b"TaskSetManager: Lost task\n") * 9,
        "invalid UTF-8": head + b"TaskSetManager: \xff \xc3\x28 \xe2\x82 \xf0\x9f\n",
        "unterminated escapes": head + b"\033[31;1 \033]0;title \033\n",
        "empty lines": b"\n",
        "hits": hit,
        "braces": b'{"ts":"2024","level":"INFO","msg":"' + b"{[" * 40 + b"\n",
        "quotes": b"Last 4096 bytes of stderr :\n",
    }
    write_units(path, units[kind], size)
    return path


def write_units(path, unit, size):
    with open(path, "wb") as f:
        block = unit * ((1 << 20) // len(unit) + 1)
        left = size
        while left > 0:
            left -= f.write(block[:left])


KINDS = ("one line", "one line of one letter", "nested repeats", "many spaces", "NULs", "NULs in lines", "invalid UTF-8",
         "unterminated escapes", "empty lines", "hits", "braces", "quotes")


def part_adversarial():
    size = 8 << 20 if options.quick else 64 << 20
    ordinary = ours(log("ordinary.log", size, "--kind", "driver"), "ordinary text")
    for kind in KINDS:
        path = hostile(kind, size)
        command = ours(path, kind)
        lib.play([command, ordinary], ROUNDS)
        lib.within("adversarial: " + kind, command, ordinary, 4)
        ordinary.seconds = []
        drop(path)
        counts = []
        for n in (1, 2, 4):
            path = hostile(kind, n << 20)
            counts.append(per_byte(path) if os.path.getsize(path) else 0)
            drop(path)
        lib.judge("  instructions a byte at 1, 2, 4 MiB: %.1f %.1f %.1f" % tuple(counts),
                  [counts[2] / max(counts[0], 0.01)], 1.1, unit=" x")
    # patterns that no pack should hold: each may take its two seconds of a file, whatever its size
    path = os.path.join(options.scratch, "patterns.log")
    head = b"24/07/01 06:00:00 ERROR Executor: Hostile"
    write_units(path, head + b"Nested " + b"a" * 60 + b"!\n" + head + b"Reference " + b"b" * 400 + b"\n" +
                head + b"Either " + b"a" * 60 + b"\n" + head + b"Gaps " + b"a b " * 40 + b"\n" +
                head + b"Lines\n" + b"\tat a.b(c)\n" * 60, size)
    command = ours(path, of="hostile")
    command.run()
    lib.judge("hostile patterns: seconds for each of five", [command.run() / 5], 2.5, show="%.1f", unit=" s")
    drop(path)
    # as many hits as a log can hold
    if not options.quick:
        path = hostile("hits", 78 * 10**7)
        same = ours(log("ordinary2.log", 78 * 10**7, "--kind", "driver"), "ordinary text")
        command = ours(path, "10,000,000 hits")
        lib.play([command, same], 3)
        lib.within("adversarial: 10,000,000 hits", command, same, 4)
        drop(path)


def part_pasted():
    done = subprocess.run([sys.executable, "-B", os.path.join(options.source, "tests/bench/ratio.py"),
                           os.path.join(options.build, "ktriage"), options.source, options.scratch])
    if done.returncode:
        lib.failed.append("a pasted error")


PARTS = [("pasted", part_pasted), ("large", part_large), ("patterns", part_patterns), ("hits", part_hits),
         ("kinds", part_kinds), ("packed", part_packed), ("memory", part_memory), ("instructions", part_instructions),
         ("adversarial", part_adversarial)]

for peer in (["rg", "--version"], ["cat", "--version"], ["igzip", "--version"], ["zstd", "--version"],
             ["sqlite3", "--version"], ["pcre2grep", "--version"], ["valgrind", "--version"]):
    print("%s: %s" % (peer[0], lib.version(peer) or "not there"))
for name, part in PARTS:
    if options.only in name:
        print("== " + name, flush=True)
        part()
if lib.failed:
    print("broken: " + "; ".join(lib.failed))
sys.exit(bool(lib.failed))
