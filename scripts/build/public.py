# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The public functions, as their headers have them."""

import re
from typing import NamedTuple

PUBLIC = re.compile(
    r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?"  # its documentation
    r"^DOCA_(?:STABLE|EXPERIMENTAL|DEPRECATED)\s+"
    r"((?:__attribute__\(\(.*?\)\)\)\s*)?)"
    r"([^;#]*?)\b(doca_\w+)\(([^;]*)\);"  # type, name, parameters
    r"(\s*DOCA_SYMBOL_2_5\(\w+\);)?",
    re.DOTALL | re.MULTILINE,
)
# The parameters, where the symbol has another name: see include/doca-1.3/doca_compat.h.
LEVEL = re.compile(r"(.*)\)\s*DOCA_1_([35])\((\w+)", re.DOTALL)


class Function(NamedTuple):
    """A public function, in one of its forms."""

    symbol: str
    name: str
    type: str
    params: str
    doc: str
    old: bool
    level: bool

    @property
    def stub(self):
        if self.level:
            return "seen_" + self.symbol
        return "seen_" + self.name + ("_2_5" if self.old else "")

    @property
    def inner(self):
        """As it is called within the library."""
        return self.name + ("_2_5" if self.old else "")

    @property
    def has_code(self):
        return self.type == "doca_error_t"

    @property
    def variadic(self):
        return self.params.endswith("...")

    def parameters(self):
        """The type and the name of each."""
        params = self.params.split(",") if self.params != "void" else []
        for param in params:
            kind, name, array = re.fullmatch(r"(.*?)(\w+)(\[.*\])?", param.strip()).groups()
            yield kind.strip() + (" *" if array else ""), name

    def arguments(self):
        return ", ".join(name for _, name in self.parameters())


def parse(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for doc, _, kind, name, params, old in PUBLIC.findall(text):
        symbol = name + ("@DOCA_2.5" if old else "")
        level = LEVEL.match(params)
        if level:
            params, symbol = level[1], f"doca1{level[2]}_{level[3]}"
        yield Function(symbol, name, " ".join(kind.split()), " ".join(params.split()),
                       doc, bool(old), bool(level))
