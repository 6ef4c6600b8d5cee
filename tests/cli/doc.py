"""rules doc: every cause once in every format, and nothing that a rule says leaves its place."""
import html.parser, json, os, re, shutil, subprocess, sys

import flowchart, hostile_pack
from lib import *

FORMATS = ("markdown", "html", "man", "mermaid")


def doc(folder, form, *more):
    return Run(["rules", "doc", "--format", form] + list(more), folder).is_(FOUND).out


def causes_of(rules):
    """Ids of the causes, in the order of the files."""
    ids = []
    for folder, names, files in sorted(os.walk(os.path.join(rules, "packs"))):
        for name in sorted(files):
            text = read(os.path.join(folder, name)).decode()
            part = re.search(r"^causes:\n(.*?)(?=^\w|\Z)", text, re.M | re.S)
            ids += re.findall(r"^  - id: (\S+)", part[1], re.M) if part else []
    return ids


def ids_in(form, text):
    if form == "markdown":
        return re.findall(r'^<a id="([^:"]+)"></a>$', text, re.M)
    if form == "html":
        return re.findall(r'<article class="cause" id="([^:"]+)">', text)
    if form == "man":
        found = re.findall(r"^\.Ss (\S+)$", text, re.M)
        return [i.replace("\\-", "-") for i in found if "." in i]
    return re.findall(r"<b>(\S+?)</b>", text)


def test_every_cause_once(folder):
    known = causes_of(RULES)
    must(len(known) > 50, "the rules of the tree: %d" % len(known))
    for form in FORMATS:
        text = doc(folder, form)
        must(text == doc(folder, form), "%s: twice the same" % form)
        ids = ids_in(form, text)
        if form == "mermaid":
            ids = [flowchart.ENTITY.sub(lambda m: chr(int(m[1])), i) for i in ids]
        must(sorted(ids) == sorted(known), "%s: differs: %s" % (form, sorted(set(ids) ^ set(known))[:5] or "not once each"))


def test_options_of_the_command(folder):
    markdown = doc(folder, "markdown")
    must(Run(["rules", "doc"], folder).is_(FOUND).out == markdown, "Markdown is the default")
    one = Run(["rules", "doc", "write"], folder).is_(FOUND).out
    must(all(i.startswith("write.") for i in ids_in("markdown", one)), "one area")
    Run(["rules", "doc", "--format", "pdf"], folder).is_(USAGE, "markdown, html, man, mermaid")
    Run(["rules", "doc", "nosuch"], folder).is_(USAGE, "no cause stands in the area")
    Run(["rules", "doc", "write", "read"], folder).is_(USAGE, "takes no 'read'")
    Run(["rules", "doc", "--rules", "/nonexistent"], folder).is_(BAD_RULES)


def test_parts_of_a_cause(folder):
    hostile_pack.make(folder)
    text = doc(folder, "markdown", "--rules", "rules")
    part = text[text.index("### demo.queue-full"):]
    part = part[:part.index("\n### ")]
    for said in ("**What happens**", "The queue holds a hundred batches.", "- mode is Queued", "- sinkVersion is 1.2 or newer",
                 "“DemoSink: queue is full, … waits”", "`DemoSink: queue is full, (?<table>\\w+) waits`",
                 "Which mode does the job set?", "**Fix**", "Send fewer batches to {table}.", "**safe**: Nothing was written.",
                 "Mended when the number of rows is 0", "```kusto\n  .show ingestion failures", "(#demo.rejected)",
                 "<https://example.org/queue>"):
        must(said in part, "no %r in %s" % (said, part))


def test_hostile_markdown(folder):
    hostile_pack.make(folder)
    text = doc(folder, "markdown", "--rules", "rules")
    plain = re.sub(r"(?ms)^ *(`{3,})\w*\n.*?^ *\1$", "", text)      # fences
    plain = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", plain)      # spans
    plain = re.sub(r'<a id="[\w.:-]+"></a>|<br>|<https?://[^<> ]+>', "", plain)
    must(not re.search(r"(?<!\\)<", plain), "a tag: %s" % re.findall(r".*(?<!\\)<.*", plain)[:3])
    must(not re.search(r"(?<!\\)\]\((?!#)", plain), "a foreign link")
    must("javascript:" not in re.sub(r"\\", "", "".join(re.findall(r"\]\([^)]*\)|<[a-z]+:[^>]*>", text))), "a script as link")
    must(not re.search(r"^ *(#+ no heading|1\. no list|- nor here)", plain, re.M), "a heading or a list")


class Page(html.parser.HTMLParser):
    """Tags, attributes and the text of each cause."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.scripts, self.open = {}, [], "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [(tag, k, v) for k, v in attributes]
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        must(self.open and self.open[-1] == tag, "<%s> is not closed by </%s>" % (self.open[-1:], tag))
        self.open.pop()

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts[-1] += data
        else:
            self.text += data


def test_hostile_html(folder):
    hostile_pack.make(folder)
    text = doc(folder, "html", "--rules", "rules")
    page = Page(text)
    must(not page.open, "not closed: %s" % page.open)
    must(page.tags["script"] == 2 and page.tags["style"] == 1 and "img" not in page.tags, "tags: %s" % page.tags)
    must(page.text.count(hostile_pack.EVIL) >= 8, "the text is shown as it is: %d" % page.text.count(hostile_pack.EVIL))
    for tag, name, value in page.attributes:
        must(not name.startswith("on") and name not in ("style", "src", "action"), "%s %s" % (tag, name))
        if name == "href":
            must(re.match(r"(#[\w.:-]+|https?://[^\"<> ]+)$", value), "href %s" % value)
    ids = [v for t, k, v in page.attributes if k == "id"]
    must(len(ids) == len(set(ids)), "an id twice")
    targets = {v[1:] for t, k, v in page.attributes if k == "href" and v.startswith("#")}
    must(targets <= set(ids), "links to nowhere: %s" % (targets - set(ids)))
    data = json.loads(page.scripts[0])["causes"]
    must("<" not in page.scripts[0] and sorted(data) == sorted(hostile_pack.CAUSES), "data: %s" % sorted(data))
    must(data["demo.queue-full"]["needs"] == {"mode": ["Queued"]}, "needs: %s" % data["demo.queue-full"])
    must(data["demo.queue-full"]["texts"][0] == [200, "DemoSink: queue is full, ", " waits"], "texts: %s" % data["demo.queue-full"])
    must(data["demo.roff"]["names"] == {"mode": ["Direct"]}, "names: %s" % data["demo.roff"])


def test_the_page_needs_nothing_else(folder):
    text = doc(folder, "html")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1]
    must("default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy, policy)
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        import base64, hashlib
        body = re.findall(r"<%s>(.*?)</%s>" % (tag, tag), text, re.S)[0]
        want = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        must("%s 'sha256-%s'" % (directive, want) in policy, "%s: its hash is %s" % (tag, want))
    script = re.findall(r"<script>(.*?)</script>", text, re.S)[0]
    for word in ("innerHTML", "outerHTML", "document.write", "eval(", "fetch(", "XMLHttpRequest", "insertAdjacentHTML"):
        must(word not in script, word)


def test_manual_page(folder):
    hostile_pack.make(folder)
    for more in (["--rules", "rules"], []):
        path = write(folder, "runbook.7", doc(folder, "man", *more))
        if shutil.which("mandoc"):
            lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], stdout=subprocess.PIPE, text=True)
            must(lint.returncode == 0, lint.stdout[:800])
            shown = subprocess.run(["mandoc", "-Tutf8", path], stdout=subprocess.PIPE, text=True).stdout
            shown = re.sub(".\b", "", shown)
            if more:
                for said in (".so /etc/passwd \\fB \\*(xx No Ns Li \"a", ".Ed 'br # no heading", ".Sh A line that roff would obey"):
                    must(said in " ".join(shown.split()), "%r is not shown" % said)
        if shutil.which("groff"):
            run = subprocess.run(["groff", "-mdoc", "-Tutf8", "-Kutf8", "-ww", path], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
            faults = [line for line in run.stderr.split("\n") if line and "break line" not in line]
            must(run.returncode == 0 and not faults, "\n".join(faults[:5]))


def test_flowcharts(folder):
    hostile_pack.make(folder)
    for more in (["--rules", "rules"], []):
        charts = flowchart.charts(doc(folder, "mermaid", *more).split("\n"))
        fenced = re.findall(r"(?ms)^```mermaid\n(.*?)^```$", doc(folder, "markdown", *more))
        must(len(fenced) == len(charts), "one in Markdown for each area")
        must(charts == [flowchart.charts(f.split("\n"))[0] for f in fenced], "the same in both")
    nodes, edges = flowchart.charts(doc(folder, "mermaid", "--rules", "rules").split("\n"))[0]
    must(nodes["n1"] == "Which mode does the job set?", "the first question: %s" % nodes["n1"])
    must(("n1", "Queued") in [e[:2] for e in edges], "its answer: %s" % edges)
    must(any("DemoSink: queue is full, … waits" == e[1] for e in edges), "the text that tells: %s" % edges)
    must(any(hostile_pack.EVIL.split()[0] in n for n in nodes.values()), "the title as it is")


def test_runbook_on_a_terminal(folder):
    text = Run(["runbook"], folder).is_(FOUND).out
    for cause in causes_of(RULES):
        must(re.search(r"^%s: " % re.escape(cause), text, re.M), "%s is not in it" % cause)
    Run(["runbook", "nosuch"], folder).is_(USAGE, "no cause stands in this area")


main(sys.modules[__name__])
