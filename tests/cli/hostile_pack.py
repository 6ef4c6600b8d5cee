"""A pack whose texts try to leave the place they are printed in, in every format."""
import os, shutil

from lib import SMALL_RULES, read, write

EVIL = """<img src=x onerror="window.hacked=1"> </script><script>window.hacked=2</script> <!-- & &amp; ``` ` *b* _i_ [l](http://x.test) | ~~s~~ $m$"""
CAUSES = ("demo.queue-full", "demo.rejected", "demo.hostile", "demo.roff")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def make(folder):
    """FOLDER/rules with the small rules and two causes more."""
    rules = os.path.join(folder, "rules")
    shutil.rmtree(rules, ignore_errors=True)
    shutil.copytree(SMALL_RULES, rules)
    pack = read(os.path.join(rules, "packs/demo/pack.yaml")).decode()
    pack += """
  - id: demo.hostile
    title: {evil}
    when: mode == Queued
    evidence:
      - log: 'DemoSink: </script><script>window\\.hacked=3</script><!-- "quoted" ''single'' (?:or|and) `ticks`'
        weight: strong
        note: {evil}
    explain: {evil}
    fix: {{text: {evil}}}
    rerun: {{verdict: safe, reason: {evil}}}
    verify: {{text: {evil}}}
    look-alikes: [demo.roff]
    refs: ['javascript:window.hacked=4', 'https://example.org/"onmouseover="window.hacked=5', {evil}]

  - id: demo.roff
    title: '.Sh A line that roff would obey'
    evidence:
      - log: '\\.Bd "literal" \\\\fBbold'
        weight: strong
      - {{ask: mode == Direct, weight: hints}}
    explain: |
      .Ed
      'br
      # no heading
      1. no list
      - nor here
    fix: {{text: '.so /etc/passwd \\fB \\*(xx No Ns Li "a'}}
    rerun: {{verdict: safe, reason: '...'}}
    verify: {{text: "'"}}
    look-alikes: [demo.hostile]
    refs: ['https://example.org/roff']

options:
  - id: sinkMode
    scope: write
    wrong: {{SinkOptions.MODE: {evil}, mode: the old name}}
    mistake: {evil}
""".replace("{evil}", "{e}").replace("{{", "{").replace("}}", "}").replace("{e}", quoted(EVIL))
    write(rules, "packs/demo/pack.yaml", pack)
    return rules
