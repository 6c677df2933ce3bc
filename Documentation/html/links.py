# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Names become links, so that texts and headers need no markup for it.

In a literal these are a text (``uapi.rst``), a page of the manual (``doca(7)``), a header, and a
name of a header (``struct doca_query``, ``DOCA_MAX_IMM``); in prose, those that are no other word.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.util.nodes import make_refnode

FILES = (r"(?:Documentation/)?(?P<text>(?:samples/)?[\w-]+)\.(?:rst|md)\b"
         r"|(?P<page>[a-z][\w-]*\(\d\))|(?P<header>\b(?:onload/|linux/)?(?:open_)?[a-z]\w*\.h\b)")
LITERAL = re.compile(FILES + r"|(?:(?:struct|enum|union) )?(?P<name>[A-Za-z]\w*)(?:\(\))?")
PROSE = re.compile(FILES + r"|\b(?:(?:struct|enum|union) )(?P<type>\w+)|\b(?P<name>[A-Za-z]\w*)\(\)")
APART = (nodes.reference, nodes.title, nodes.FixedTextElement, nodes.raw, addnodes.desc_signature)


class Targets:
    """Where names lead from one document: in that of an earlier level, to names of its own."""

    def __init__(self, app, docname):
        self.app = app
        self.docname = docname
        self.docs = app.env.found_docs
        self.folder = docname.rpartition("/")[0] if docname.startswith("api/") else "api"
        level = re.search(r"api/doca-(\d)\.(\d)/", docname)
        self.level = f"doca_{level[1]}_{level[2]}." if level else ""
        if not hasattr(app, "doca_names"):
            app.doca_names = {name: (doc, anchor) for name, _, _, doc, anchor, _ in
                              app.env.get_domain("c").get_objects()}

    def find(self, match):
        """(document, anchor), or nothing"""
        found = match.groupdict()
        if page := found["page"]:
            docs = [f"man/{page[:-3]}.{page[-2]}"]
        elif header := found["header"]:
            docs = [f"{self.folder}/{header}", f"api/{header}",
                    header.replace("linux/", "uapi/") if "/" in header else "-"]
        elif text := found["text"]:
            docs = [text]
        else:
            name = found["name"] or found["type"]
            names = self.app.doca_names
            return names.get(self.level + name) or names.get(name)
        return next(((doc, "") for doc in docs if doc in self.docs and doc != self.docname), None)

    def link(self, target, child):
        return make_refnode(self.app.builder, self.docname, *target, child)


def is_apart(node):
    while node and not isinstance(node, APART):
        node = node.parent
    return node is not None


def link_prose(node, targets):
    text, parts, end = node.astext(), [], 0
    for match in PROSE.finditer(text):
        if target := targets.find(match):
            parts += [nodes.Text(text[end:match.start()]),
                      targets.link(target, nodes.inline("", match[0]))]
            end = match.end()
    if parts:
        node.parent.replace(node, [*parts, nodes.Text(text[end:])])


def link_names(app, doctree, docname):
    targets = Targets(app, docname)
    for node in list(doctree.findall(nodes.Text)):
        if is_apart(node.parent):
            continue
        if not isinstance(node.parent, nodes.literal):
            link_prose(node, targets)
        elif (match := LITERAL.fullmatch(node.astext())) and (target := targets.find(match)):
            literal = node.parent
            literal.replace_self(targets.link(target, literal.deepcopy()))


def setup(app):
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
