#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""
manual.py quotes|keys|columns PAGE... | self: a line for each thing that is wrong with rendered
pages; or whether the wrong would be found.
"""

import re
import sys

# Inside of a word it is an apostrophe, and a plural's at its end.
SINGLE = re.compile(r"(?<!\w)‘|(?<=\w)’(?!\w)|(?<=[^\w\s])’")


def paragraphs(text):
    return re.split(r"\n\s*\n", text)


def quotes(text):
    """Each is closed before the next of its kind is opened, and before the paragraph ends."""
    for paragraph in paragraphs(text):
        marks = "".join(re.findall("[“”]", paragraph))
        straight = paragraph.count('"') % 2
        opened = paragraph.count("‘") - len([m for m in SINGLE.findall(paragraph) if m == "’"])
        if marks.replace("“”", "") or straight or opened > 0:
            yield " ".join(paragraph.split())[:70]


def keys(text):
    """A text in braces that names values has JSON's own quotes, but in a filter of jq's."""
    for line in text.splitlines():
        if "jq " not in line and re.search(r"[{,]\s*(“|‘|[A-Za-z_]\w*\s*:\s)[^;]*[}\[{]", line):
            if "{" in line:
                yield line.strip()[:70]


def columns(text):
    """Of a table all rows have their second column at one place, two blanks behind the first."""
    for block in paragraphs(text):
        rows = [row for row in block.splitlines() if row.strip()]
        cells = [[m.start() for m in re.finditer(r"(?<=\s\s)\S", row)] for row in rows]
        # the margin is the first
        cells = [[at for at in row if at > len(line) - len(line.lstrip())]
                 for row, line in zip(cells, rows)]
        if len(rows) < 3 or len(cells[0]) < 2 or "." in rows[0]:
            continue
        for row, line in zip(cells[1:], rows[1:]):
            if not row or row[0] != cells[0][0] or row[1:2] not in ([], cells[0][1:2]):
                yield line.strip()[:70]


LOOKS = {"quotes": quotes, "keys": keys, "columns": columns}
WRONG = {
    "quotes": ["a {“pid: N, “fd: N””} b", "say ‘this and ‘that’", 'an "open one'],
    "keys": ['{allowed_regions: [1, 2]}', "{“pid: N, “fd: N””}"],
    "columns": ["  Library     package   what\n  lib_a       a         b c\n  lib_long_onea         b"],
}
RIGHT = {
    "quotes": ["the device's ‘name’ and the users’ “one”"],
    "keys": ['{"a": 1, "b": {"c": [2]}}', "{--file IMAGE | --vuid VUID}"],
    "columns": ["  Library     package   what\n  lib_a       a         b c\n  lib_long    b         b"],
}


def main(what, *pages):
    if what == "self":
        for name, look in LOOKS.items():
            for text in WRONG[name]:
                if not list(look(text)):
                    print(f"{name}: not found: {text}")
            for text in RIGHT[name]:
                if list(look(text)):
                    print(f"{name}: found: {text}")
        return
    for page in pages:
        with open(page, encoding="utf-8") as f:
            for found in LOOKS[what](f.read()):
                print(f"{page.rpartition('/')[2]}: {what}: {found}")


main(*sys.argv[1:])
