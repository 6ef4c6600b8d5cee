"""Random knowledge bases and observations that reach every rule: named groups,
absences, defaults, operations, joined records, needs, silent checks, things set aside."""
import random

FOR = ["proves", "strong", "strong", "suggests", "suggests", "hints"]
AGAINST = ["hints-against", "argues-against", "strong-against"]


class Inputs:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def chance(self, p):
        return self.r.random() < p

    def facts(self):
        r = self.r
        modes = ["t", "q", "s"][:r.randint(2, 3)] + (["not-set"] if self.chance(.5) else [])
        default = [{"value": "t", "when": "cv >= 3"}, {"value": "q"}] if self.chance(.4) else [{"value": "t"}]
        f = {"op": {"choices": ["r", "w"], "cost": r.randint(1, 9)},
             "mode": {"choices": modes, "scope": "operation", "default": default, "by": "cv"},
             "cv": {"cost": 5}, "db": {}, "net": {"choices": ["x", "y", "z"], "avail": r.choice([800, 950])}}
        if self.chance(.5): f["op"]["pin"] = 1
        if self.chance(.3): f["mode"]["pin"] = 2
        if self.chance(.3): f["net"]["when"] = "op == w"
        if self.chance(.2): f["db"]["pin"] = 3
        return f

    def checks(self):
        r = self.r
        k = {"scan": {"kind": "log", "cost": r.choice([0, 3]), "auto": self.chance(.5)}}
        for i in range(1, 5):
            k["k%d" % i] = {"kind": "show", "cost": r.choice([2, 6, 30, 200]), "silent": self.chance(.2)}
            if self.chance(.3): k["k%d" % i]["needs"] = r.choice([["db"], ["db", "net"], ["cv"]])
            if self.chance(.2): k["k%d" % i]["avail"] = r.choice([100, 1000])
            if self.chance(.1): k["k%d" % i]["auto"] = True
        return k

    def term(self):
        return self.r.choice(["op == w", "op != r", "mode == t", "mode in [q, s]", "not mode == t", "cv >= 3.1",
                              "cv < 3.10", "net == x", "net in [x, y]", "db == 'a b'"])

    def gate(self, c):
        t = self.term()
        while self.chance(.4): t = "%s %s %s" % (t, self.r.choice(["and", "or", "and not"]), self.term())
        c[self.r.choice(["when", "when", "unless"])] = t
        if self.chance(.2): c["versions"] = {"cv": self.r.choice([">=3,<4", "==3.1", ">2.9"])}

    def absent(self, e):
        if self.chance(.4): e["absent"] = self.r.choice(AGAINST + ["hints", "strong"])
        return e

    def evidence(self, i, shared, asked, many):
        r = self.r
        ev = [self.absent({"log": "%s%d" % (i, n), "weight": r.choice(FOR if n < 3 else AGAINST)}) for n in range(r.randint(1, 5))]
        for e in ev:
            if self.chance(.15): e["check"] = "scan"
        if shared and self.chance(.4): ev.append({"log": r.choice(["both", "all"]), "weight": r.choice(FOR + AGAINST)})
        for n in range(many if self.chance(.1) else r.randint(0, 2)):
            ev.append(self.absent({"show": "%s:%d" % (r.choice([i, "any"]), n), "weight": r.choice(FOR + AGAINST)}))
        if self.chance(.3): ev.append(self.absent({"ask": "net", "is": r.choice(["net == x", "net in [y, z]"]), "weight": r.choice(FOR + AGAINST)}))
        if asked and self.chance(.2): ev.append({"ask": "mode", "is": "mode == q", "weight": r.choice(FOR)})
        for e in ev:
            if self.chance(.12): e["group"] = r.choice("gh")
        return ev

    def kb(self, operations):
        ids = "abcdefgh"[:self.r.randint(2, 8)]
        facts, checks, causes, of_show = self.facts(), self.checks(), [], {}
        for i in ids:
            c = {"id": i, "prior": self.r.choice(["common", "uncommon", "rare"]), "carrier": self.chance(.15),
                 "evidence": self.evidence(i, not operations, not operations, 10)}
            if self.chance(.3): c["fix"] = self.r.choice("abf")
            if self.chance(.4): self.gate(c)
            if operations and ("when" in c or "unless" in c):   # rows and answers lie in no operation: see the vectors
                c["evidence"] = [e for e in c["evidence"] if "log" in e]
                for e in c["evidence"]:
                    if e.get("absent") in FOR: e["absent"] = self.r.choice(AGAINST)
            for e in c["evidence"]:
                if "show" in e: e["check"] = of_show.setdefault(e["show"], "k%d" % self.r.randint(1, 4))
            causes.append(c)
        self.r.shuffle(causes)
        return {"facts": facts, "checks": checks, "causes": causes}

    def fault(self, o, cause, operations):
        r = self.r
        if operations:
            op = "AB"[ord(cause) % 2] if cause else r.choice("AB")
            o.update(fault="%s%d" % (op, r.randint(1, 3)), op=op)
        elif self.chance(.3):
            n = r.randint(1, 6)
            o.update(rec="r%d" % n, op="o%d" % (n % 3), at=n * 7 % 5, kind=["log", "eventlog"][n % 2],
                     **{"class": "c%d" % (n % 2), "frame": "f%d" % (n % 4)})
            if n == 6: o["quotes"] = "r1"
        else:
            o["fault"] = "F%d" % r.randint(1, 5)
        return o

    def hit(self, e, cause, operations):
        r = self.r
        o = {"log": e["log"], "at": r.randint(1, 99), "kind": r.choice(["log", "log", "eventlog", "source"])}
        if self.chance(.7): o["class"] = r.choice("xyz")
        elif self.chance(.5): o["logger"] = r.choice("xyl")
        return self.fault(o, cause, operations)

    def told(self, operations):
        r, out = self.r, []
        values = {"op": "rw", "mode": ["t", "q", "s", "not-set"], "cv": ["3.1", "3.1.0", "2", "5-BETA"], "db": ["a b", "c"], "net": "xyz"}
        for f in values:
            while self.chance(.35):
                o = {"fact": f, "value": r.choice(values[f]), "source": r.choice(["answer", "log:1"]), "scope": "incident"}
                if operations and f == "mode": o["scope"] = r.choice(["A", "B", "incident"])
                if self.chance(.1): o.pop("value"); o["state"] = "unknown"
                if self.chance(.2) and not operations: o["fault"] = "F%d" % r.randint(1, 5)
                out.append(o)
        if operations and self.chance(.4): out.append({"failedOperation": r.choice("AB")})
        return out

    def observations(self, kb, operations):
        r, out = self.r, []
        logs = [(e, c["id"]) for c in kb["causes"] for e in c["evidence"] if "log" in e]
        shows = [e for c in kb["causes"] for e in c["evidence"] if "show" in e]
        for _ in range(r.randint(0, 7)): out.append(self.hit(*r.choice(logs), operations))
        for e in shows:
            if self.chance(.25): out.append({"show": e["show"], "check": e["check"], "row": r.randint(1, 2), "state": r.choice(["present", "present", "absent", "failed", "unknown"])})
        while self.chance(.25):
            o = self.fault({"fatal": ""}, None, operations)
            if "fault" in o: o["fatal"] = o.pop("fault")
            out.append(o)
        out += self.told(operations)
        while self.chance(.3): out.append({"input": "i%d" % len(out), "complete": self.chance(.8)})
        if self.chance(.6): out.append({"connected": True})
        aside = ["F1", "a0", "b1", "mode", "any:0", "A1"] + ["r1"] * any(o.get("rec") == "r1" for o in out)
        if self.chance(.1): out.append({"set_aside": r.choice(aside)})
        r.shuffle(out)
        return out

    def one(self):
        operations = self.chance(.35)
        kb = self.kb(operations)
        return {"kb": kb, "observations": self.observations(kb, operations)}


def main():
    """inputs.py N [SEED]: N lines for kt_vectors."""
    import json, sys
    own = Inputs(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1])):
        print(json.dumps(own.one()))


if __name__ == "__main__":
    main()
