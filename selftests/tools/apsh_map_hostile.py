#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Files of a kernel that lies, for doca_apsh_map.

    apsh_map_hostile.py btf CASE FILE   types, of which task_struct is what CASE says
    apsh_map_hostile.py kallsyms FILE   symbols that are enough for a map
    apsh_map_hostile.py long FILE       memory with 5 million names of symbols, and a number
                                        of them in every word; the last has no end
    apsh_map_hostile.py much FILE       memory with as many, whose names are as long as can be
    apsh_map_hostile.py elf KIND FILE   a program with as many parts as can be, of that
                                        p_type, each of them all that follows
"""

import struct
import sys

INT, ARRAY, STRUCT, UNION, ENUM = 1, 3, 4, 5, 6
NOWHERE = 0x7fffff  # no string is there

SYMBOLS = """_text init_top_pgt linux_banner init_task init_pid_ns init_net net_namespace_list
modules socket_file_ops page_offset_base vmemmap_base phys_base""".split()
ARM64_SYMBOLS = """_text swapper_pg_dir linux_banner init_task init_pid_ns init_net net_namespace_list
modules socket_file_ops kimage_voffset memstart_addr mem_section""".split()


class Btf:
    def __init__(self):
        self.types, self.strings, self.nr = b"", b"\0", 0

    def name(self, text):
        self.strings += text.encode() + b"\0"
        return len(self.strings) - len(text) - 1

    def add(self, name, kind, size, rest=b"", vlen=0):
        """The number of the new type."""
        self.types += struct.pack("<III", name, kind << 24 | vlen, size) + rest
        self.nr += 1
        return self.nr

    def number(self):
        return self.add(self.name("int"), INT, 4, struct.pack("<I", 1 << 24 | 32))

    def array(self, of):
        return self.add(0, ARRAY, 0, struct.pack("<III", of, of, 1))

    def task_struct(self, members, kind=STRUCT):
        """Members are names and types."""
        rest = b"".join(struct.pack("<III", name, of, 0) for name, of in members)
        return self.add(self.name("task_struct"), kind, 4, rest, len(members))

    def whole(self):
        return struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(self.types),
                           len(self.types), len(self.strings)) + self.types + self.strings


def array_of_itself(b):
    b.task_struct([(b.name("pid"), b.array(1))])


def arrays_of_each_other(b):
    b.array(2)
    b.array(3)
    b.task_struct([(b.name("pid"), b.array(1))])


def value_without_name(b):
    values = b.add(b.name("state"), ENUM, 4, struct.pack("<Ii", NOWHERE, 0), 1)
    b.task_struct([(b.name("pid"), values)])


def members_without_names(b):
    number = b.number()
    # one less than can be said, as the last has a name
    b.task_struct([(0, number)] * 0xfffe + [(b.name("pid"), number)])


def plain(b):
    b.task_struct([(b.name("pid"), b.number())])


def btf(case, path):
    b = Btf()
    globals()[case](b)
    with open(path, "wb") as f:
        f.write(b.whole())


def kallsyms(path):
    with open(path, "w", encoding="ascii") as f:
        for i, name in enumerate(SYMBOLS):
            f.write(f"{0xffffffff81000000 + (i << 12):x} T {name}\n")


def elf(kind, path):
    start, size, parts = 4 << 20, 60 << 20, 0xfffe
    ehdr = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, 0, 64, 0, 0, 64, 56, parts, 0, 0, 0)
    phdr = struct.pack("<IIQQQQQQ", int(kind), 5, start, 0, 0, size, size, 4096)
    with open(path, "wb") as f:
        f.write(ehdr + parts * phdr)
        f.truncate(start + size)


def fill(part):
    return part + b"\0" * (-len(part) % 8)


LONGEST = 254  # of tokens, which has 510 letters; others have one
NAMES = 20000 << 8


def memory(path, names):
    markers = b"".join(struct.pack("<I", i << 9) for i in range(NAMES >> 8))
    tokens, index = b"", b""
    for i in range(256):
        index += struct.pack("<H", len(tokens))
        tokens += (b"T" + b"x" * 509 if i == LONGEST else b"T") + b"\0"
    with open(path, "wb") as f:
        f.write(fill(b"Linux version 6.1.0-hostile\n\0"))
        for part in (struct.pack("<Q", NAMES), names, markers, tokens, index):
            f.write(fill(part))
        f.truncate(64 << 20)


def long(path):
    memory(path, (bytes((1, 0)) * NAMES)[:-8] + bytes(8))


def much(path):
    memory(path, bytes((1, LONGEST)) * NAMES)


if __name__ == "__main__":
    {f.__name__: f for f in (btf, kallsyms, long, much, elf)}[sys.argv[1]](*sys.argv[2:])
