# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What Sphinx is told of the documentation; "build" runs it."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.insert(0, str(HERE))

project = "Open DOCA"
version = release = (TOP / "VERSION").read_text(encoding="utf-8").strip()
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False

extensions = ["breathe", "myst_parser", "sphinx.ext.graphviz", "links"]
highlight_language = "none"
myst_heading_anchors = 3
graphviz_output_format = "svg"

breathe_projects = {path.name: str(path / "xml") for path in Path(os.environ["DOCA_XML"]).iterdir()
                    if path.is_dir()}
breathe_default_project = "doca_3_0"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3}
html_static_path = ["static"]
html_css_files = ["style.css"]


def declared_elsewhere():
    """Names without documentation: types that only libraries, libc or Linux know."""
    text = "".join(path.read_text(encoding="utf-8") for path in (TOP / "include").rglob("*.h"))
    opaque = set(re.findall(r"^(?:struct|union|enum) (\w+);", text, re.M))
    return "|".join(sorted(opaque)) + "|(?!doca|DOCA|onload|ONLOAD|open_doca|oo_)\\w+"


nitpicky = True
nitpick_ignore_regex = [("c:.*", declared_elsewhere())]
