"""Journals that were edited, cut or damaged, and files that are none."""
import copy, json, os, random, subprocess, sys, time

from lib import *

COMMANDS = (b"where\nevidence\nfacts\nhow\nwhy\nplan\nfix\nverify\nundo\nwhere\nundo\nredo\nreport r.json\nreport\n"
            b"what-if writeMode Queued\nset operation write\nunset operation\n")
VALUES = [None, True, -1, 0, 1, 2**31, 2**32 - 1, 2**63 - 1, -2**63, 1.5, "", "x" * 5000, "\x1b[31m\u202e\0", "nope", [],
          {}, [[]], ["writeMode"], {"a": 1}, "not-set", "unknown", "undo", "redo", "set", "run", "show", "scan"]


def journal(folder):
    """The acts of a session over the demo, with undo, redo, unset and aside."""
    run = Run([], folder, stdin="set writeMode Transactional\nscan %s\nconnect-nothing\nundo\nredo\nunset writeMode\n"
              % DEMO_LOGS, env={"XDG_STATE_HOME": os.path.join(folder, "first")}).is_(FOUND)
    Run(["diagnose", "--save", "--replay", DEMO_CLUSTER, DEMO_LOGS], folder,
        env={"XDG_STATE_HOME": os.path.join(folder, "second")}).is_(FOUND)
    acts = []
    for state in ("first", "second"):
        path, = sessions(folder, state)
        acts += [json.loads(line) for line in read(path).splitlines()]
    must({"set", "unset", "undo", "redo", "scan", "run"} <= {a["type"] for a in acts}, "all kinds: %s" % run.out)
    return acts


def lines(acts):
    return b"".join(json.dumps(a, separators=(",", ":")).encode() + b"\n" for a in acts)


def resume(folder, data):
    write(folder, "j.jsonl", data)
    return Run(["resume", "j.jsonl"], folder, stdin=COMMANDS)


def places(value, path=()):
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], path + (key,))


def change(acts, rng):
    act = rng.choice(acts)
    path = rng.choice(list(places(act)))
    at = act
    for key in path[:-1]:
        at = at[key]
    if rng.random() < 0.1:
        del at[path[-1]]
    else:
        at[path[-1]] = copy.deepcopy(rng.choice(VALUES))


def test_edited_journals(folder):
    """Whatever stands in it: resumed or refused, nothing else."""
    acts, rng = journal(folder), random.Random(4711)
    resume(folder, lines(acts)).is_(FOUND)
    for _ in range(40):
        edited = copy.deepcopy(acts)
        for _ in range(rng.choice((1, 1, 2, 6))):
            change(edited, rng)
        if rng.random() < 0.2:
            rng.shuffle(edited)
        data = bytearray(lines(edited))
        for _ in range(rng.choice((0, 0, 0, 10))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        run = resume(folder, bytes(data))
        must(run.code in (FOUND, INPUT), "status %d" % run.code)


def test_a_torn_line_is_cut_off(folder):
    data = lines(journal(folder))
    first = data.index(b"\n") + 1
    for cut in (1, 5, 12, 40, first - 1, first, first + 30, len(data) - 1):
        resume(folder, data[:cut]).is_(FOUND, *(["torn"] if not data[:cut].endswith(b"\n") else []))
        left = read(os.path.join(folder, "j.jsonl"))
        must(left.startswith(data[:data.rfind(b"\n", 0, cut) + 1]), "the whole lines stay")
        for line in left.splitlines():
            json.loads(line)


def test_what_was_resumed_stays(folder):
    """Also when all of it is taken back; a session in which nothing was done does not."""
    acts = journal(folder)
    path = write(folder, "j.jsonl", lines(acts))
    Run(["resume", path], folder, stdin=b"undo\n" * 20).is_(FOUND, "nothing to take back")
    must(read(path).startswith(lines(acts)), "it was changed")
    Run(["resume", path], folder, stdin=b"redo\n" * 20 + b"facts\n").is_(FOUND, "database")
    Run([], folder, stdin=b"set operation write\nundo\n").is_(FOUND)
    must(len(sessions(folder)) == 1, "what was undone can be put back")
    Run([], folder, stdin=b"where\nfacts\n").is_(FOUND)
    must(len(sessions(folder)) == 1, "an empty session is no session")


def test_damaged_lines_are_named(folder):
    acts = journal(folder)
    data = lines(acts[:1]) + b"{damaged\n" + lines(acts[1:2])
    resume(folder, data).is_(FOUND, "damaged")


def test_foreign_files_are_left_alone(folder):
    """Nothing is cut off or added where no session is."""
    for data in (b"notes without an end", b"a\nb\nno end", b'{"v":2,"type":"set"}\n{torn', b'{"a":1}\nx', b"[]\nx",
                 b"\x1b[31m\0\xff", b'{"v":1}\nx', read(NONE_GET)[:-1]):
        path = write(folder, "notes", data)
        Run(["resume", "notes"], folder, stdin=b"set operation write\n").is_(INPUT, "no session")
        must(read(path) == data, "%r was changed" % data)
    for name in ("nosuch", "/", "/dev/null", "/dev/zero", "/dev/tty"):
        Run(["resume", name], folder, stdin=b"where\n").is_(INPUT)
    os.mkfifo(os.path.join(folder, "pipe"))
    Run(["resume", "pipe"], folder).is_(INPUT)
    os.symlink("notes", os.path.join(folder, "link"))
    Run(["resume", "link"], folder).is_(INPUT)
    Run(["resume"], folder).is_(INPUT, "no other session")


def test_two_writers(folder):
    path = write(folder, "j.jsonl", lines(journal(folder)))
    size = len(read(path))
    first = subprocess.Popen([PROGRAM, "resume", path], cwd=folder, env=environment(folder), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first.stdin.write(b"set operation write\nwhere\n")
    first.stdin.flush()
    for _ in range(400):
        if len(read(path)) > size:
            break
        time.sleep(0.05)
    before = read(path)
    Run(["resume", path], folder, stdin=b"set operation read\n").is_(INPUT, "another ktriage writes this session")
    must(read(path) == before, "the second wrote")
    first.communicate(b"quit\n", timeout=TIME_LIMIT)
    must(first.returncode == FOUND, "the first goes on")
    Run(["resume", path], folder, stdin=b"facts\n").is_(FOUND, "write")


def test_a_full_disk_loses_nothing(folder):
    """The limit of a file's size stands for the disk: each act before it is kept whole."""
    import resource
    import signal

    def limit(n):
        def set_limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (n, n))
        return set_limit
    said = b"set operation write\nset writeMode Queued\nset database d\nundo\nset database e\nfacts\n"
    whole = Run([], folder, stdin=said).is_(FOUND)
    size = os.path.getsize(sessions(folder)[0])
    Run(["option"], folder)   # the compiled rules are there
    for n in (1, 100, 400, 700, size - 10):
        state = os.path.join(folder, "state%d" % n)
        run = Run([], folder, stdin=said, env={"XDG_STATE_HOME": state}, preexec_fn=limit(n)).is_(OUTPUT, "cannot be written")
        must(run.err.count("cannot be written") == 1, "said once: " + run.err)
        must("database" in run.out.split("what is known")[-1], "the shell goes on")
        for path in sessions(folder, "state%d" % n):
            must(len(read(path)) <= n, "the limit holds")
            for line in read(path).splitlines():
                json.loads(line)
            Run(["resume", path], folder, stdin=b"where\n").is_(FOUND)
        Run(["diagnose", "--save", "--set", "operation=write", NONE_GET], folder, env={"XDG_STATE_HOME": state},
            preexec_fn=limit(n)).is_(OUTPUT, "cannot be written")
    must(whole.err == "", "nothing to say without a limit: " + whole.err)


main(sys.modules[__name__])
