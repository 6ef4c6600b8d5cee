"""Standard streams that are closed or full, no home, no locale, odd environments."""
import os, subprocess, sys

from lib import *

ANSWERS = [["diagnose", NONE_GET], ["diagnose", "--format", "json", NONE_GET], ["diagnose", "--save", NONE_GET],
           ["diagnose", "--dry-run", NONE_GET], ["demo"], ["explain", "write.async-wait-none-get"], ["search", "timeout"],
           ["option"], ["runbook"], ["rules", "check", "--rules", SMALL_RULES], ["rules", "schema"], ["rules", "doc", "--format", "html"], ["sessions"],
           ["--help"], ["diagnose", "--help"], ["--version"]]


def closing(*fds):
    def close():
        for fd in fds:
            os.close(fd)
    return close


def test_stdout_full_or_closed(folder):
    with open("/dev/full", "wb") as full:
        for args in ANSWERS:
            Run(args, folder, stdout=full).is_(OUTPUT, "stdout cannot be written: No space left")
            Run(args, folder, preexec_fn=closing(1)).is_(OUTPUT, "stdout cannot be written")
            must(Run(args, folder, preexec_fn=closing(0, 1, 2)).code == OUTPUT, "%s: all streams closed" % args)


def test_stderr_closed_or_full(folder):
    with open("/dev/full", "wb") as full:
        for args in ANSWERS:
            whole = Run(args, folder)
            for popen in ({"stderr": full}, {"preexec_fn": closing(2)}):
                run = Run(args, folder, **popen)
                must(run.code == whole.code, "%s: %d, not %d" % (args, run.code, whole.code))
                must(run.out.count("\n") == whole.out.count("\n") or args == ["sessions"], "%s: a cut answer" % args)
        must(Run(["diagnose", "--bogus"], folder, preexec_fn=closing(2)).code == USAGE, "usage, without stderr")


def test_stdin_closed(folder):
    Run(["diagnose", NONE_GET], folder, preexec_fn=closing(0)).is_(FOUND)
    Run(["diagnose"], folder, preexec_fn=closing(0)).is_(INPUT, "stdin", "cannot be read")
    Run(["diagnose", "-"], folder, preexec_fn=closing(0)).is_(INPUT, "stdin", "cannot be read")
    Run([], folder, preexec_fn=closing(0)).is_(INPUT, "stdin cannot be read")
    Run([], folder, stdin=b"").is_(FOUND)


def test_a_closed_stream_gets_nothing_else(folder):
    """What is opened first must not become stdout: the compiled rules, a journal."""
    env = {"XDG_CACHE_HOME": os.path.join(folder, "cache")}
    for _ in range(2):
        Run(["diagnose", "--save", NONE_GET], folder, env=env, preexec_fn=closing(0, 1)).is_(OUTPUT)
        Run(["diagnose", "--save", NONE_GET], folder, env=env, preexec_fn=closing(1, 2))
    for path in sessions(folder):
        must(read(path).startswith(b'{"v":1,') and b"LIKELY" not in read(path), path)
    Run(["diagnose", NONE_GET], folder, env=env).is_(FOUND)


def test_the_shell(folder):
    with open("/dev/full", "wb") as full:
        run = Run([], folder, stdin=b"where\nset writeMode Queued\n", stdout=full).is_(OUTPUT)
        must(run.err.count("cannot be written") == 1, "said once: " + run.err)
        Run([], folder, stdin=b"where\n", preexec_fn=closing(1)).is_(OUTPUT)
        Run([], folder, stdin=b"where\nquit\n", preexec_fn=closing(2)).is_(FOUND, "Step 1 of 5")


def test_a_reader_that_leaves(folder):
    for args in (["runbook"], ["option"]):
        p = subprocess.Popen([PROGRAM] + args, cwd=folder, env=environment(folder), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        p.stdout.readline()
        p.stdout.close()
        err = p.stderr.read().decode()
        p.wait(TIME_LIMIT)
        check_end(p.returncode, err, args)
        must(p.returncode in (FOUND, OUTPUT), "%s: %d" % (args, p.returncode))


def test_no_home(folder):
    bare = {"HOME": None, "XDG_STATE_HOME": None, "XDG_CACHE_HOME": None}
    Run(["diagnose", NONE_GET], folder, env=bare).is_(FOUND)
    Run(["diagnose", "--save", NONE_GET], folder, env=bare).is_(OUTPUT, "neither XDG_STATE_HOME nor HOME")
    run = Run([], folder, env=bare, stdin=b"set writeMode Queued\nfacts\nsave\nhistory\nsave s.jsonl\n")
    run.is_(FOUND, "this session is not kept", "Queued")
    must(read(os.path.join(folder, "s.jsonl")), "save FILE works without a home")
    Run(["resume"], folder, env=bare).is_(INPUT)
    Run(["sessions"], folder, env=bare).is_(OUTPUT)
    # A relative name is no folder: HOME is taken.
    for env in (dict(bare, XDG_STATE_HOME="rel", XDG_CACHE_HOME="rel"), dict(bare, HOME="rel")):
        Run(["diagnose", "--save", NONE_GET], folder, env=env).is_(OUTPUT)
    Run(["diagnose", "--save", NONE_GET], folder, env={"XDG_STATE_HOME": "rel", "XDG_CACHE_HOME": ""}).is_(FOUND)
    must(len(sessions(folder)) == 1, "below HOME")
    must(not os.path.exists(os.path.join(folder, "rel")), "nothing relative was made")
    env = {"HOME": NONE_GET, "XDG_CACHE_HOME": None}
    Run(["diagnose", NONE_GET], folder, env=env).is_(FOUND)
    Run(["diagnose", "--save", NONE_GET], folder, env=env).is_(OUTPUT, "cannot be made")
    Run([], folder, env=env, stdin=b"where\n").is_(FOUND, "this session is not kept")


def test_locales_and_environments(folder):
    whole = {form: Run(["diagnose", "--format", form, NONE_GET], folder).is_(FOUND).out for form in ("text", "json")}
    for env in ({"LC_ALL": "xx_YY.bogus"}, {"LC_ALL": "C"}, {"LC_ALL": None}, {"LC_ALL": "de_DE.UTF-8"},
                {"TERM": None}, {"TERM": "\x1b[31m"}, {"TZ": "Pacific/Kiritimati"}, {"CLICOLOR_FORCE": "0"}):
        for form, out in whole.items():
            run = Run(["diagnose", "--format", form, NONE_GET], folder, env=env).is_(FOUND)
            must(run.out == out, "%s: another answer" % env)
    for columns in ("0", "1", "-5", "99999999999999999999", "x", ""):
        run = Run(["diagnose", NONE_GET], folder, env={"COLUMNS": columns}).is_(FOUND)
        must(run.out.split() and len(run.out) < 20000, "COLUMNS=%s" % columns)
    p = subprocess.run([PROGRAM, "diagnose", NONE_GET], cwd=folder, env={"KTRIAGE_RULES": RULES}, capture_output=True)
    must(p.returncode == FOUND, "an empty environment")


def test_the_folder_is_gone(folder):
    gone = os.path.join(folder, "gone")
    os.mkdir(gone)
    Run(["diagnose", NONE_GET], gone, preexec_fn=lambda: os.rmdir(gone)).is_(FOUND)


main(sys.modules[__name__])
