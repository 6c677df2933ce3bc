#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Write the sources that Sphinx reads: pages.py DIR MAN, where MAN has the pages of functions.

They are the texts of the tree, and a page for each header and each page of the manual.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TEXTS = TOP / "Documentation"
MANUAL = TEXTS / "man"
# The runs of doxygen, in which earlier levels have names of later ones: folder of the pages, title,
# headers below include/.
LEVELS = {
    "doca_3_0": ("", "Headers of DOCA 3.0", ["*.h", "onload/*.h"]),
    "doca_2_5": ("doca-2.5/", "Headers of DOCA 2.5", ["doca_buf_array.h"]),
    "doca_1_5": ("doca-1.5/", "Headers of DOCA 1.5", ["doca-1.3/*.h"]),
    "doca_1_3": ("doca-1.3/", "Headers of DOCA 1.3", ["doca-1.3/*.h"]),
}


def title(text):
    return f"{text}\n{'=' * len(text)}\n\n"


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"html: {command[0]} has failed with {command[-1]}")
    return done.stdout


class Sources:
    """The folder that they are in."""

    def __init__(self, path):
        self.path = Path(path)

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_list(self, name, text, rows):
        """A page with a table of others: (its document, what is in it)"""
        table = "".join(f"   * - :doc:`{os.path.basename(doc)} </{doc}>`\n     - {about}\n"
                        for doc, about in rows)
        tree = "".join(f"   /{doc}\n" for doc, _ in rows)
        self.write(name, f"{text}.. list-table::\n   :widths: 30 70\n\n{table}\n"
                         f".. toctree::\n   :hidden:\n\n{tree}")


def write_texts(sources):
    """Those of Documentation, and others beside them."""
    for path in [*TEXTS.glob("*.rst"), *TEXTS.glob("*.md"), *TEXTS.glob("*.svg"),
                 *TEXTS.glob("pictures/*.dot")]:
        sources.write(str(path.relative_to(TEXTS)), path.read_text(encoding="utf-8"))
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "samples/README.md"]:
        text = (TOP / name).read_text(encoding="utf-8")
        sources.write(name, text.replace("](Documentation/", "]("))


def brief(path):
    """The first sentence of the comment of a file, which some have without a mark."""
    found = re.search(r"@file \S+([^/]*?[.])(?=\s)", path.read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"html: {path}: there is no comment with @file, or no sentence in it")
    return " ".join(found[1].replace("\n *", " ").replace("@brief ", "").split())


def brief_of_uapi(path):
    """The first sentence of the comment at its top."""
    text = path.read_text(encoding="utf-8").split("/*\n", 1)[1]
    return re.match(r".*?(?=[.:])", " ".join(text.replace("\n *", " ").split()))[0]


def write_headers(sources):
    """A page for each header, at each level that has forms of its own in it."""
    include = TOP / "include"
    for level, (folder, about, patterns) in LEVELS.items():
        rows = []
        for path in sorted(path for pattern in patterns for path in include.glob(pattern)):
            name = str(path.relative_to(include)).removeprefix("doca-1.3/")
            names = "" if level == "doca_3_0" else f".. c:namespace:: {level}\n\n"
            sources.write(f"api/{folder}{name}.rst",
                          f"{title(name)}{names}"
                          f".. doxygenfile:: {name}\n   :project: {level}\n")
            rows.append((f"api/{folder}{name}", brief(path)))
        sources.write_list(f"api/{level}.rst", title(about), rows)


def write_uapi(sources):
    """By the kernel's script, of which old ones do not know private members of enumerations."""
    rows = []
    for path in sorted((TOP / "uapi/linux").glob("*.h")):
        doc = f"uapi/{path.name}"
        text = re.sub(r"\t/\* private: \*/.*?(?=^};)", "", path.read_text(encoding="utf-8"),
                      flags=re.M | re.S)
        sources.write(f"{doc}.in", text)
        text = output(os.environ["KERNEL_DOC"], "-Werror", "-rst", sources.path / f"{doc}.in")
        # It does not know that what is bold must end before a bracket.
        sources.write(f"{doc}.rst", title(f"linux/{path.name}") + text.replace("**[", "**\\ ["))
        rows.append((doc, brief_of_uapi(path)))
    sources.write_list("uapi/index.rst", title("Headers of the interface of /dev/doca"), rows)


def targets_of_names(man):
    """Where functions, types, macros and headers are, or the page that tells of such a type."""
    targets = {}
    for path in Path(man).glob("*.3"):
        with open(path, encoding="utf-8") as f:
            line = f.readline()
        if header := re.match(r'\.\\" Made of (\S+)\.h\.', line):
            of_header = header[1].replace("/", "_") == path.stem
            anchor = "" if of_header else f"#c.{path.stem}"
            targets[path.name] = f"../api/{header[1]}.h.html{anchor}"
        else:
            targets[path.name] = re.match(r"\.so man3/(\S+)", line)[1] + ".html"
    return targets


def write_manual(sources, man):
    """As mandoc renders it, with links to functions where those of the headers are."""
    pages = {path.name: path for path in sorted(MANUAL.glob("*.[1-9]"))}
    targets = targets_of_names(man) | {name: f"{name}.html" for name in pages}

    def link(match):
        return f'href="{targets.get(match[1], "https://manpages.debian.org/" + match[1])}"'

    rows = []
    for name, path in pages.items():
        html = output("mandoc", "-Wwarning,stop", "-Thtml", "-Ofragment,man=%N.%S.html", path)
        html = re.sub(r'href="([^"#/]+\.\d\w*)\.html"', link, html)
        sources.write(f"man/{name}.html", html)
        about = re.search(r"^\.Nd (.*)", path.read_text(encoding="utf-8"), re.M)[1].strip('"')
        sources.write(f"man/{name}.rst", title("{}({})".format(*name.rsplit(".", 1))) +
                      f"{about[0].upper()}{about[1:]}.\n\n.. raw:: html\n   :file: {name}.html\n")
        rows.append((f"man/{name}", about))
    rows.sort(key=lambda row: row[0][-1] + row[0])
    sources.write_list("man/index.rst", title("Pages of the manual"), rows)


def main():
    sources = Sources(sys.argv[1])
    write_texts(sources)
    write_headers(sources)
    write_uapi(sources)
    write_manual(sources, sys.argv[2])


if __name__ == "__main__":
    main()
