# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Complaints of a kernel in its log."""

import os
import re

HERE = os.path.dirname(os.path.realpath(__file__))


def patterns():
    with open(os.path.join(HERE, "complaints.patterns"), encoding="ascii") as f:
        return re.compile("|".join(
            f"(?:{line.rstrip()})" for line in f if not line.startswith("#")))


def is_exporters_mapping(block):
    """A dma-buf is mapped by its exporter, once for each attachment. DMA_API_DEBUG takes two
    of one device for a mistake, and exporters have no way to say that it is none."""
    text = "\n".join(block)
    return "cacheline tracking EEXIST" in text and "__map_dma_buf+" in text


def is_soft_roces(line):
    """Soft-RoCE of 6.1 looks at the next table of addresses also where data ends with the last
    one, and does not use what it finds."""
    return "KASAN: slab-out-of-bounds in rxe_mr_copy+" in line


def is_unordered_answer(block):
    """Soft-RoCE of 6.12 warns where an answer is lost, or comes out of its order."""
    return any("rxe_comp.c:" in line and "rxe_completer+" in line for line in block)


def rest_of(block):
    """The lines without the warning itself: another CPU may have complained between them."""
    own = re.compile(r"WARNING: .* (add_dma_entry|rxe_completer)\+")
    return [line for line in block if not own.search(line)]


def without_known(lines):
    """The lines but for the warnings that are none."""
    block = None
    for line in lines:
        if "[ cut here ]" in line:
            yield from block or ()
            block = [line]
        elif block is None:
            if not is_soft_roces(line):
                yield line
        else:
            block.append(line)
            if "[ end trace " in line:
                if is_exporters_mapping(block) or is_unordered_answer(block):
                    block = rest_of(block)
                yield from block
                block = None
    yield from block or ()


def find(lines, known=None):
    """The lines that complain, of the log's lines."""
    known = known or patterns()
    return [line for line in without_known(lines) if known.search(line)]
