"""Recordings that lie: wrong, cut, huge, hostile. A check that cannot be judged has failed; it is never absent."""
import json, os, sys

from lib import *

with_demo = ["diagnose", "--format", "json", "--replay", "cluster", DEMO_LOGS]


def demo():
    docs = {}
    for name in sorted(os.listdir(DEMO_CLUSTER)):
        with open(os.path.join(DEMO_CLUSTER, name), encoding="utf-8") as f:
            docs[name] = json.load(f)
    return docs


def play(folder, change):
    """A run over the demo's recordings after CHANGE(doc), which may give bytes instead."""
    for name, doc in demo().items():
        data = change(doc)
        write(folder, "cluster/" + name, data if isinstance(data, bytes) else json.dumps(doc))
    return Run(with_demo, folder)


def setting(**values):
    return lambda doc: doc.update(values)


def rows(fn):
    return lambda doc: doc.update(rows=[fn(row) for row in doc["rows"] or [[None] * len(doc["columns"])]])


def test_the_truth(folder):
    run = play(folder, lambda doc: None).is_(FOUND)
    must(run.json()["verdict"] == "confirmed", "the demo is confirmed")


def test_what_is_no_recording(folder):
    for name, change in (("schema", setting(schema="ktriage.recording/2")), ("state", setting(state="fine")),
                         ("cancelled", setting(state="cancelled")), ("text", setting(text="")),
                         ("command", setting(text=".drop table X")), ("two", setting(text=".show tables; .drop table X")),
                         ("endpoint", setting(endpoint="elsewhere")), ("columns", setting(columns=[])),
                         ("column", setting(columns=[["Name"]])), ("no rows", setting(rows=None)),
                         ("wide", rows(lambda row: row + ["x"])), ("narrow", rows(lambda row: row[1:])),
                         ("object", rows(lambda row: {"a": 1})), ("same", setting(text=".show version")),
                         ("list", lambda doc: b"[]"), ("nothing", lambda doc: b""), ("deep", lambda doc: b"[" * 100000),
                         ("cut", lambda doc: json.dumps(doc).encode()[:-9]), ("binary", lambda doc: b"\xff\x00\x1b[31m" * 99),
                         ("twice", lambda doc: b'{"schema":"x","schema":"ktriage.recording/1"}')):
        run = play(folder, change)
        must(run.code == INPUT, "%s: status %d: %s%s" % (name, run.code, run.err, run.out[:300]))
        must("cluster/0" in run.err and run.out == "", "%s: names the file: %s" % (name, run.err))


def test_what_is_no_folder(folder):
    os.mkfifo(os.path.join(write(folder, "pipe/x", "") + ".json"))
    os.mkdir(os.path.join(folder, "empty"))
    os.makedirs(os.path.join(folder, "dir/a.json"))
    os.mkdir(os.path.join(folder, "zero"))
    os.symlink("/dev/zero", os.path.join(folder, "zero/a.json"))
    os.mkdir(os.path.join(folder, "circle"))
    os.symlink("a.json", os.path.join(folder, "circle/a.json"))
    for name in ("pipe", "empty", "dir", "zero", "circle", "nosuch", NONE_GET):
        run = Run(["diagnose", "--replay", name, DEMO_LOGS], folder).is_(INPUT)
        must(run.out == "", "no answer: " + run.out)


def test_what_cannot_be_judged_has_failed(folder):
    """Other columns, failures of any class: the same as no answer."""
    for name, change in (("other columns", lambda doc: doc.update(columns=[["X%d" % i, "string"]
                                                                            for i in range(len(doc["columns"]))])),
                         ("one column", lambda doc: doc.update(columns=[doc["columns"][0]] * len(doc["columns"]))),
                         ("failed", setting(state="failed", error="boom", **{"class": "cluster"})),
                         ("output", setting(state="failed", error="boom", **{"class": "output"})),
                         ("internal", setting(state="failed", error="boom", **{"class": "internal"})),
                         ("cancelled", setting(state="failed", error="boom", **{"class": "cancelled"}))):
        run = play(folder, change)
        answer = run.json()
        must(answer["verdict"] != "confirmed" and run.code == answer["exit"], "%s: %s" % (name, run.out[:300]))
        must(all(c["state"] == "failed" and c["reason"] for c in answer["commands"]), "%s: %s" % (name, answer["commands"]))
        must(answer["commands"], name + ": something was asked")
        for cause in answer["causes"]:
            rested = [e for e in cause["for"] + cause["against"] if e["source"].split(",")[0] in
                      ("rights", "capacity", "ingestion-failures", "operations-throttled")]
            must(not rested, "%s: rests on an answer that is none: %s" % (name, rested))


def test_hostile_cells(folder):
    evil = "\x1b[2J\u202e\u009b31m\u0000 x"
    run = play(folder, rows(lambda row: ["%s %s" % (cell, evil) for cell in row]))
    must(run.code == run.json()["exit"], "status")
    Run(["diagnose", "--verbose", "--replay", "cluster", DEMO_LOGS], folder)
    play(folder, rows(lambda row: [{"x": [1, None, evil]} for _ in row]))
    play(folder, rows(lambda row: [None for _ in row]))
    play(folder, setting(state="failed", error=evil, **{"class": "cluster"}))
    play(folder, setting(cluster=evil))
    Run(["diagnose", "--verbose", "--replay", "cluster", DEMO_LOGS], folder)


def test_recording(folder):
    """What was recorded gives the same answer; the folder that is replayed is not written to."""
    args = ["diagnose", "--replay", DEMO_CLUSTER, DEMO_LOGS]
    whole = Run(args + ["--record", "again"], folder).is_(FOUND).out
    again = Run(["diagnose", "--replay", "again", DEMO_LOGS], folder).is_(FOUND).out
    must(again == whole, "another answer from what was recorded")
    before = os.listdir(os.path.join(folder, "again"))
    os.symlink("again", os.path.join(folder, "link"))
    for name in ("again", "./again/", "link"):
        Run(["diagnose", "--replay", "again", "--record", name, DEMO_LOGS], folder).is_(USAGE, "same folder")
    must(os.listdir(os.path.join(folder, "again")) == before, "it was written to")
    for name in ("/proc/nosuch", NONE_GET, "/dev/null", "no/such/folder"):
        run = Run(args + ["--record", name], folder).is_(OUTPUT)
        must(run.out == "", "an answer without the recording")


def test_huge_answers(folder):
    run = play(folder, lambda doc: doc.update(rows=(doc["rows"] or [["x"] * len(doc["columns"])]) * 4000))
    must(run.code == run.json()["exit"], "many rows")
    play(folder, rows(lambda row: ["A" * 300000 for _ in row]))


main(sys.modules[__name__])
