"""The runbook as a page, in a headless Chromium: search, paste, keys, links, looks; nothing goes out.

KTRIAGE_SCREENSHOTS=DIR keeps pictures of it, to be looked at.
"""
import os, sys, time

import browser, hostile_pack
from lib import *

if not browser.found():
    print("skipped: no chromium is installed (./dev setup test)")
    sys.exit(77)

SHOWN = "Array.from(document.querySelectorAll('.cause')).filter(n => n.offsetParent).map(n => n.id)"
COUNT = "document.getElementById('ui:count').textContent"
PASTE = """26/03/15 10:12:48 ERROR ApplicationMaster: User class threw exception: java.util.NoSuchElementException: None.get
java.util.NoSuchElementException: None.get
\tat scala.None$.get(Option.scala:529)
\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.$anonfun$verifyAsyncCommandCompletion$1(KustoDataSourceUtils.scala:1)
"""


class Open:
    """The page of some rules in a browser of its own."""

    def __init__(self, folder, *more):
        self.path = write(folder, "runbook.html", Run(["rules", "doc", "--format", "html"] + list(more), folder).is_(FOUND).raw)

    def __enter__(self):
        self.tab = browser.Browser()
        self.tab.open("file://" + self.path)
        return self.tab

    def __exit__(self, kind, *rest):
        tab = self.tab
        tab.run("1")
        tab.close()
        if not kind:
            outside = [r for r in tab.requests if not r.startswith("file://" + self.path)]
            must(not outside, "requests: %s" % outside)
            must(not tab.faults, "faults: %s" % tab.faults[:3])


def search(tab, text):
    tab.press("Escape")
    tab.insert(text)
    return tab.run(SHOWN)


def test_words_filter_as_they_are_typed(folder):
    with Open(folder) as tab:
        every = tab.run(SHOWN)
        causes = [i for i in every if ":" not in i]
        must(tab.run(COUNT) == "%d causes" % len(causes) and len(causes) > 50, tab.run(COUNT))
        tab.press("/")
        for letter in "none-get":
            tab.press(letter)
        found = tab.run(SHOWN)
        must(found[0] == "write.async-wait-none-get" and len(found) < len(every) / 4, "none-get: %s" % found[:5])
        must(tab.run(COUNT).startswith("%d entr" % len(found)) or "1 entry" in tab.run(COUNT), tab.run(COUNT))
        must(search(tab, "writeMode")[0] == "option:writeMode", "an option: %s" % tab.run(SHOWN)[:3])
        must(search(tab, "zzqx no such word") == [] and "Nothing here" in tab.run(COUNT), tab.run(COUNT))
        tab.press("Escape")
        must(tab.run(SHOWN) == every, "all are back, in their order")


def test_a_pasted_error(folder):
    with Open(folder) as tab:
        found = search(tab, PASTE)
        must(found and found[0] == "write.async-wait-none-get", "found: %s" % found[:5])
        said = tab.run(COUNT)
        must("evidence, no verdict" in said and "ktriage diagnose" in said, said)
        must(tab.run("document.querySelector('.why mark').textContent") == "NoSuchElementException: None.get" or
             "None.get" in tab.run("document.querySelector('.why mark').textContent"), "the text that stands in it is shown")
        found = search(tab, "one line\nand another that no rule knows")
        must(found == [] and "diagnose" in tab.run(COUNT), tab.run(COUNT))


def test_keys(folder):
    with Open(folder) as tab:
        tab.press("/")
        must(tab.run("document.activeElement.id") == "ui:find", "/ goes to the search")
        tab.insert("None.get")
        found = tab.run(SHOWN)
        here = "document.activeElement.closest('.cause') ? document.activeElement.closest('.cause').id : ''"
        tab.press("ArrowDown")
        must(tab.run(here) == found[0], "down: %s" % tab.run(here))
        tab.press("j")
        must(tab.run(here) == found[1], "j: %s" % tab.run(here))
        tab.press("k")
        must(tab.run(here) == found[0], "k: %s" % tab.run(here))
        tab.press("Enter")
        must(tab.run("document.activeElement.getAttribute('aria-expanded')") == "true", "Enter opens")
        must(tab.run("location.hash") == "#" + found[0], "and names it in the address: %s" % tab.run("location.hash"))
        must(tab.run("document.activeElement.closest('.cause').querySelector('.fix').offsetHeight") > 0, "the fix is seen")
        tab.press("Enter")
        must(tab.run("document.activeElement.getAttribute('aria-expanded')") == "false", "Enter closes")
        tab.press("Escape")
        must(tab.run("document.getElementById('ui:find').value") == "", "Escape clears")
        tab.insert("none-get")
        tab.press("Enter")
        must(tab.run(here) == "write.async-wait-none-get" and tab.run("document.activeElement.getAttribute('aria-expanded')") == "true",
             "Enter in the search opens the first")


def test_links_to_a_cause(folder):
    page = Open(folder)
    with page as tab:
        for cause in ("write.async-wait-none-get", "duplicates.speculation"):
            tab.open("file://%s#%s" % (page.path, cause))
            must(tab.run("document.getElementById('%s').classList.contains('open')" % cause), "%s is not open" % cause)
            must(0 <= tab.run("document.getElementById('%s').getBoundingClientRect().top" % cause) < 400, "%s is not in sight" % cause)
        # A look-alike that the search hides is shown when it is followed.
        search(tab, "async-wait-none-get")
        link = "document.querySelector('#write\\\\.async-wait-none-get .body a[href^=\"#\"]')"
        target = tab.run(link + ".getAttribute('href')")[1:]
        tab.run("document.getElementById('write.async-wait-none-get').querySelector('h3 a').click()")
        tab.run(link + ".click()")
        tab.run("new Promise(done => setTimeout(done, 100))")
        must(tab.run("document.getElementById('%s').querySelector('.body').offsetHeight" % target) > 0, "%s is not open" % target)


def test_symptoms_come_first(folder):
    with Open(folder) as tab:
        every = tab.run(SHOWN)
        must("What do you see?" in tab.run("document.querySelector('legend').textContent"), "the first question")
        tab.run("document.querySelector('button[data-fact=operation][data-value=read]').click()")
        found = tab.run(SHOWN)
        must(found and len(found) < len(every) and "read.sas-key-not-found" in found, "read: %s" % found[:5])
        must("write.strict-schema-mismatch" in every and "write.strict-schema-mismatch" not in found, "writes are out")
        tab.run("document.getElementById('ui:find').focus()")
        tab.insert("schema")
        found = tab.run(SHOWN)
        must(found and "write.strict-schema-mismatch" not in found, "what needs a write is out: %s" % found[:5])
        tab.run("document.querySelector('button[data-value=read]').click()")
        must("write.strict-schema-mismatch" in tab.run(SHOWN), "and back without the answer: %s" % tab.run(SHOWN)[:5])
        tab.press("Escape")
        tab.run("document.querySelector('button[data-fact=operation][data-value=read]').click()")
        must(tab.run("document.querySelector('button[data-value=read]').getAttribute('aria-pressed')") == "true", "it is marked")
        tab.run("document.querySelector('button[data-fact=symptom][data-value=duplicate-rows]').click()")
        must(tab.run(COUNT).endswith("that name this"), tab.run(COUNT))
        must(tab.run("!document.querySelector('button[data-value=not-set]')"), "not-set leaves nothing out")
        tab.press("Escape")
        must(tab.run(SHOWN) == every, "all are back")


def test_without_script(folder):
    with Open(folder) as tab:
        path = tab.run("location.href")
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.call("Page.navigate", url="about:blank")
        tab.call("Page.navigate", url=path)
        first = None
        for _ in range(200):
            time.sleep(0.05)
            try:
                tree = tab.call("DOM.getDocument")["root"]["nodeId"]
                last = tab.call("DOM.querySelector", nodeId=tree, selector="footer")["nodeId"]
                first = tab.call("DOM.querySelector", nodeId=tree, selector=".cause .fix")["nodeId"]
            except RuntimeError:    # the page came while it was looked at
                continue
            if first and last:
                break
        box = tab.call("DOM.getBoxModel", nodeId=first)["model"]
        must(box["height"] > 20, "a fix is seen")
        tools = tab.call("DOM.querySelector", nodeId=tree, selector=".find")["nodeId"]
        try:
            tab.call("DOM.getBoxModel", nodeId=tools)
        except RuntimeError:
            return
        raise Failed("a search box that does nothing is shown")


def test_looks(folder):
    pictures = os.environ.get("KTRIAGE_SCREENSHOTS")
    ground = "getComputedStyle(document.body).backgroundColor"
    with Open(folder) as tab:
        def keep(name):
            if pictures:
                os.makedirs(pictures, exist_ok=True)
                tab.picture(os.path.join(pictures, name + ".png"))
        light = tab.run(ground)
        keep("light")
        search(tab, PASTE)
        tab.run("document.querySelector('#ui\\\\:list h3 a').click()")
        keep("light-paste")
        tab.media(scheme="dark")
        must(tab.run(ground) != light, "dark is as light")
        keep("dark-paste")
        tab.press("Escape")
        keep("dark")
        tab.media()
        tab.size(390, 844, mobile=True)
        keep("phone")
        must(tab.run("document.documentElement.scrollWidth") <= 390, "wider than a phone: %s" % tab.run("document.documentElement.scrollWidth"))
        tab.run("document.querySelectorAll('.cause').forEach(n => n.classList.add('open'))")
        must(tab.run("document.documentElement.scrollWidth") <= 390, "wider than a phone once open")
        tab.run("window.scrollTo(0, 2600)")
        keep("phone-open")
        tab.run("document.querySelectorAll('.cause').forEach(n => n.classList.remove('open'))")
        tab.size(1280, 900)
        tab.media(kind="print")
        must(tab.run("Array.from(document.querySelectorAll('.cause .body')).every(n => n.offsetHeight > 0)"), "print: all are open")
        must(tab.run("document.getElementById('ui:tools').offsetHeight") == 0, "print: no search box")
        tab.media()
        tab.run("window.addEventListener('beforeprint', () => { window.flows = document.querySelectorAll('.flow:not([open])').length })")
        pdf = tab.pdf()
        must(tab.run("window.flows") == 0 and len(pdf) > 100000, "print: a flow is closed: %s" % tab.run("window.flows"))
        must(tab.run("document.querySelectorAll('.flow[open]').length") == 0, "and closed again")
        if pictures:
            write(pictures, "print.pdf", pdf)


def test_hostile_texts(folder):
    hostile_pack.make(folder)
    with Open(folder, "--rules", "rules") as tab:
        must(tab.run("window.hacked === undefined"), "a text ran as script")
        must(tab.run("document.images.length") == 0, "a text became a picture")
        must(hostile_pack.EVIL in tab.run("document.getElementById('demo.hostile').querySelector('.fix').textContent"), "shown as it is")
        must(search(tab, "<img src=x onerror=") [:1] == ["demo.hostile"], "found by it: %s" % tab.run(SHOWN))
        found = search(tab, "x DemoSink: </script><script>window.hacked=3</script><!-- \"quoted\" 'single' or `ticks`\ny")
        must(found == ["demo.hostile"], "pasted: %s" % found)
        must(tab.run("document.querySelector('.why').children.length") >= 1 and tab.run("window.hacked === undefined"), "why")


main(sys.modules[__name__])
