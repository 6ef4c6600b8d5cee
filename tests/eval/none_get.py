"""Five real lines of a driver's log: LIKELY while the mode is open, CONFIRMED or out once
it is known, and NOT KNOWN when the rules do not hold the evidence."""
import json, os, re, shutil, subprocess, sys, tempfile

source = os.environ.get("KTRIAGE_SOURCE", ".")
program = os.environ.get("KTRIAGE_BIN", "build/dev/ktriage")
lines = os.path.join(source, "tests/data/none-get.txt")
cause = "write.async-wait-none-get"
failed = 0


def diagnose(*options):
    done = subprocess.run([program, "diagnose", "--format", "json", lines, *options], stdout=subprocess.PIPE)
    return done.returncode, json.loads(done.stdout)


def check(what, holds):
    global failed
    failed += not holds
    print("%-6s %s" % ("ok" if holds else "FAILED", what))


status, d = diagnose()
check("leads, and is LIKELY at most", d["causes"][0]["id"] == cause and d["verdict"] == "likely" and status == 0)
check("writeMode is among the open gates", "writeMode" in d["causes"][0]["open_gates"])

status, d = diagnose("--set", "operation=write", "--set", "writeMode=Transactional", "--set", "connectorVersion=5.0.6")
check("confirmed once operation, mode and version are known", d["verdict"] == "confirmed" and d["causes"][0]["id"] == cause)

status, d = diagnose("--set", "operation=write", "--set", "writeMode=KustoStreaming")
gates = [x["gate"] for x in d["excluded"] if x["id"] == cause]
check("excluded by the gate on writeMode", len(gates) == 1 and "writeMode" in gates[0] and not any(c["id"] == cause for c in d["causes"]))

with tempfile.TemporaryDirectory() as folder:
    rules = os.path.join(folder, "rules")
    shutil.copytree(os.path.join(source, "rules"), rules, ignore=shutil.ignore_patterns("cases", "rules.image"))
    page = os.path.join(rules, "packs/kusto-spark/write.yaml")
    with open(page, encoding="utf-8") as f:
        text = f.read()
    marker = re.compile(r"(  - id: %s\n(?:(?!  - id: ).*\n)*?    evidence:\n)((?:(?!    [a-z]).*\n)+)" % re.escape(cause))
    check("the cause is found in its page", len(marker.findall(text)) == 1)
    text = marker.sub(lambda m: m[1] + "      - {log: 'a text that no software prints', weight: strong}\n", text)
    with open(page, "w", encoding="utf-8") as f:
        f.write(text)
    status, d = diagnose("--rules", rules)
    check("not known without the evidence", d["verdict"] == "not_known" and status == 1)

sys.exit(bool(failed))
