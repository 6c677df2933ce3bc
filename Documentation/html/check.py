#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Whether all that is public has an anchor, and each link its target: check.py HTML MAN.

Links to other sites are not looked at. MAN has the pages of functions, types and macros.
"""

import os
import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts/build"))

from public import parse  # noqa: E402 (not before that)

MARKUP = re.compile(r'\b(id|href|src|data)="([^"]*)"')
ELSEWHERE = re.compile(r"[a-z]+:|//|#?$")


def read(root):
    """The anchors of each page, and each (page, link)."""
    anchors, links = {}, []
    for path in root.rglob("*.html"):
        page = str(path.relative_to(root))
        anchors[page] = set()
        for kind, value in MARKUP.findall(path.read_text(encoding="utf-8")):
            value = unescape(value)
            if kind == "id":
                anchors[page].add(value)
            elif not ELSEWHERE.match(value):
                links.append((page, value))
    return anchors, links


def dead_links(root, anchors, links):
    for page, value in links:
        parts = urlsplit(value)
        path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path))) \
            if parts.path else page
        anchor = unquote(parts.fragment)
        if not (root / path).exists() or (anchor and anchor not in anchors.get(path, ())):
            yield f"{page}: there is no {value}"


def functions():
    for path in (TOP / "include").rglob("*.h"):
        for function in parse(path):
            level = f"doca_1_{function.symbol[5]}." if function.level else \
                "doca_2_5." if function.old else ""
            yield "api", f"c.{level}{function.name}"


def pages_of_names(man):
    for path in man.glob("*.3"):
        header = re.match(r'\.\\" Made of (\S+)\.h\.', path.read_text(encoding="utf-8"))
        # There is a page for each header, too.
        if header and header[1].replace("/", "_") != path.stem:
            yield "api", f"c.{path.stem}"


def structures_of_uapi():
    for path in (TOP / "uapi/linux").glob("*.h"):
        for name in re.findall(r"^(?:struct|enum|union) (\w+) \{", path.read_text(encoding="utf-8"),
                               re.M):
            yield "uapi", f"c.{name}"


def missing_names(anchors, man):
    """What has no anchor in the folder of its page; a source that names nothing is broken itself."""
    found = {(page.split("/")[0], anchor) for page, names in anchors.items() for anchor in names}
    sources = {"functions in include": functions(), f"pages of names in {man}": pages_of_names(man),
               "structures in uapi": structures_of_uapi()}
    for source, names in sources.items():
        names = set(names)
        if not names:
            yield f"there are no {source}"
        for folder, anchor in sorted(names - found):
            yield f"{folder}: there is no {anchor}"


def main():
    root, man = Path(sys.argv[1]), Path(sys.argv[2])
    anchors, links = read(root)
    errors = sorted({*dead_links(root, anchors, links), *missing_names(anchors, man)})
    for error in errors:
        print(f"html: {error}", file=sys.stderr)
    print(f"html: {len(anchors)} pages, {len(links)} links")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
