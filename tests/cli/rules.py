"""Rule packs that are broken or hostile: every command says so and ends, nothing is diagnosed with half a pack."""
import os, shutil, sys

from lib import *

PACK = read(os.path.join(SMALL_RULES, "packs/demo/pack.yaml")).decode()
LOG = "26/10/15 03:14:09 ERROR DemoSink: queue is full, orders waits\n"


def pack(folder, data, name="packs/demo/pack.yaml"):
    """The small rules with one file replaced, or taken away when DATA is None."""
    rules = os.path.join(folder, "rules")
    shutil.rmtree(rules, ignore_errors=True)
    shutil.copytree(SMALL_RULES, rules)
    path = os.path.join(rules, name)
    if data is None:
        os.remove(path)
    else:
        write(rules, name, data)
    write(folder, "a.log", LOG)
    return path


def every_command(folder, code_of_check, *texts):
    """Check says what is wrong; what needs the rules ends with 6."""
    run = Run(["rules", "check", "--rules", "rules"], folder)
    must(run.code in code_of_check, "check: status %d: %s%s" % (run.code, run.err, run.out))
    for text in texts:
        must(text in run.out + run.err, "check: no %r in %s%s" % (text, run.err, run.out))
    for args in (["diagnose", "a.log"], ["explain", "demo.rejected"], ["runbook"], ["show", "--cluster", "http://127.0.0.1:1",
                 ".show version"], [], ["resume", "x"], ["diagnose", "--format", "json", "--save", "a.log"]):
        run = Run(args + ["--rules", "rules"], folder).is_(BAD_RULES)
        must(run.out == "", "%s: half a pack answers: %s" % (args, run.out))
    must(not sessions(folder), "a session without rules")


def test_the_small_rules_are_fine(folder):
    pack(folder, PACK)
    Run(["rules", "check", "--rules", "rules"], folder).is_(FOUND, "0 errors")
    Run(["diagnose", "--rules", "rules", "a.log"], folder).is_(FOUND, "demo.queue-full")


def test_hostile_yaml(folder):
    bomb = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b]\n"
    for name, data, text in (
            ("aliases", bomb + PACK, "anchors are not allowed"), ("deep", "x: " + "[" * 20000 + "\n", "deep"),
            ("NUL", PACK.replace("Demonstration", "a\0b"), "not shown"), ("bytes", PACK.encode() + b"# \xff\xfe\n", "not UTF-8"),
            ("UTF-16", PACK.encode("utf-16"), "not UTF-8"), ("tabs", PACK.replace("  ", "\t"), "error"), ("empty", "", "empty"),
            ("scalar", "hello", "map"), ("list", "- a\n", "map"), ("two documents", PACK + "\n---\n" + PACK, "one document"),
            ("escapes", PACK.replace("title: Demonstration", "title: \"\\e[31m\\u202e\""), "control character"),
            ("name", PACK.replace("pack: demo", "pack: ../../etc"), "is no id"), ("a long key", PACK + "k" * 100000 + ": 1\n", "error"),
            ("twice", PACK + PACK[PACK.index("  - id: demo.queue-full"):], "is given twice"),
            ("statements", PACK.replace("| project FailedOn, ErrorCode", "| project FailedOn; .drop table x"), "second statement"),
            ("command", PACK.replace(".show ingestion failures", ".drop table x"), "refused"),
            ("regex", PACK.replace("(?<table>\\w+)", "(?<table>\\w+"), "not a regular expression"),
            ("repeats", PACK.replace("(?<table>\\w+)", "(?:x{1,60000}){1,60000}"), "not a regular expression"),
            ("\\C", PACK.replace("(?<table>\\w+)", "\\C+"), "not a regular expression"),
            ("gate", PACK.replace("mode == Queued", "(" * 5000 + "mode == Queued" + ")" * 5000), "more than 200 parts"),
            ("not", PACK.replace("when: mode == Queued", "when: " + "not " * 50000 + "mode == Queued"), "more than 200 parts"),
            ("placeholder", PACK.replace("{table}.", "{nosuch}."), "unknown fact")):
        pack(folder, data)
        try:
            every_command(folder, (NOT_KNOWN,), text)
        except Failed as e:
            raise Failed("%s: %s" % (name, e))
    pack(folder, PACK + "#" + "x" * 2000000)
    every_command(folder, (INPUT,), "longer than")


def test_what_is_no_file(folder):
    path = pack(folder, None)
    os.mkfifo(path)
    every_command(folder, (INPUT,), "is no file")
    path = pack(folder, None)
    os.mkdir(path)
    every_command(folder, (INPUT,), "is no file")
    path = pack(folder, None)
    os.symlink("pack.yaml", path)
    every_command(folder, (INPUT,), "symbolic links")
    path = pack(folder, None)
    os.symlink("/dev/zero", path)
    every_command(folder, (INPUT,), "is no file")
    path = pack(folder, None, "guard.tsv")
    os.mkfifo(path)
    every_command(folder, (INPUT,), "is no file")
    shutil.rmtree(os.path.join(folder, "rules/packs"))
    every_command(folder, (INPUT,), "packs")


def test_a_pack_that_cannot_be_listed(folder):
    """It is not left out: the rest would be half of the rules."""
    pack(folder, PACK)
    shutil.copytree(os.path.join(folder, "rules/packs/demo"), os.path.join(folder, "rules/packs/hidden"))
    os.chmod(os.path.join(folder, "rules/packs/hidden"), 0)
    os.chmod(folder, 0o755)
    become = {"preexec_fn": drop} if os.getuid() == 0 else {}
    try:
        run = Run(["diagnose", "--rules", "rules", "a.log"], folder, env={"XDG_CACHE_HOME": None}, **become)
    except PermissionError:
        return  # nobody may not even run the program here
    finally:
        os.chmod(os.path.join(folder, "rules/packs/hidden"), 0o755)
    run.is_(BAD_RULES, "hidden", "Permission denied")


def test_tables_that_are_read_late(folder):
    for name in ("headers.tsv", "trusted.tsv"):
        pack(folder, "nonsense\x1b[31m\n", name)
        Run(["rules", "check", "--rules", "rules"], folder).is_(NOT_KNOWN, name, "1 error")
    pack(folder, "nonsense\n", "headers.tsv")
    run = Run(["diagnose", "--rules", "rules", "a.log"], folder).is_(BAD_RULES, "headers.tsv")
    must(run.out == "", run.out)
    pack(folder, "nonsense\n", "guard.tsv")
    every_command(folder, (NOT_KNOWN,), "guard.tsv")


def test_a_regex_that_never_ends(folder):
    """It hits its limit, and that is said: what it would have found is not known."""
    pack(folder, PACK.replace("DemoSink: queue is full, (?<table>\\w+) waits", "DemoSink: (a+)+(a+)+(a+)+$"))
    write(folder, "a.log", LOG.replace("queue", "a" * 3000))
    Run(["diagnose", "--rules", "rules", "a.log"], folder).is_(NOT_KNOWN, "inconclusive", "a.log:1", "too many steps")


def test_a_damaged_image(folder):
    """The compiled rules are never trusted: cut, changed, or no file, they are made anew."""
    pack(folder, PACK)
    env = {"XDG_CACHE_HOME": os.path.join(folder, "cache")}
    args = ["diagnose", "--rules", "rules", "a.log"]
    whole = Run(args, folder, env=env).is_(FOUND).out
    where = os.path.join(folder, "cache/ktriage")
    name, = os.listdir(where)
    path = os.path.join(where, name)
    image = read(path)
    for at in [0, 8, 12, 24, 40, len(image) // 2, len(image) - 1]:
        for data in (image[:at], image[:at] + bytes([image[at] ^ 0x5a]) + image[at + 1:]):
            write(where, name, data)
            must(Run(args, folder, env=env).is_(FOUND).out == whole, "byte %d" % at)
            must(read(path) == image, "made anew")
    os.remove(path)
    for make in (os.mkfifo, os.mkdir, lambda p: os.symlink("/dev/zero", p)):
        make(path)
        must(Run(args, folder, env=env).is_(FOUND).out == whole, "no file")
        (shutil.rmtree if os.path.isdir(path) and not os.path.islink(path) else os.remove)(path)


main(sys.modules[__name__])
