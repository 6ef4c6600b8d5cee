"""Reads the part of Mermaid's flowchart language that the program writes, strictly."""
import re

from lib import must

ENTITY = re.compile(r"#(\d+|[a-z]+);")
NODE = re.compile(r'  (n\d+)(?:\(\["(.*)"\]\)|\{\{"(.*)"\}\}|\[/"(.*)"/\]|\[\("(.*)"\)\]|\["(.*)"\])$')
EDGE = re.compile(r'  (n\d+) -->(?:\|"(.*)"\|)? (n\d+)$')


def text(label):
    """A label as it is shown; tags of ours apart, nothing in it means anything to Mermaid."""
    label = re.sub(r"</?b>|<br>", " ", label)
    bare = ENTITY.sub("", label)
    must(not re.search(r'["<>&`|\\\[\](){};#]', bare), "not escaped: %s" % label)
    return ENTITY.sub(lambda m: chr(int(m[1])), label).strip()


def charts(lines):
    """Each flowchart as (nodes by id, edges); a node is used before no line defines it."""
    out, nodes, edges = [], None, None
    for line in lines:
        if line.startswith("%%") or not line.strip():
            continue
        if line == "flowchart LR":
            nodes, edges = {}, []
            out.append((nodes, edges))
            continue
        must(nodes is not None, "no flowchart yet: %s" % line)
        node, edge = NODE.match(line), EDGE.match(line)
        must(node or edge, "no line of a flowchart: %s" % line)
        if edge:
            must(edge[1] in nodes and edge[3] in nodes, "an edge of no node: %s" % line)
            edges.append((edge[1], text(edge[2] or ""), edge[3]))
        else:
            must(node[1] not in nodes, "defined twice: %s" % line)
            nodes[node[1]] = text(next(g for g in node.groups()[1:] if g is not None))
    for nodes, edges in out:
        must(len(edges) == len(nodes) - 1, "no tree")
        must(sorted(e[2] for e in edges) == sorted(list(nodes)[1:]), "a node that nothing leads to")
    return out
