#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Images of a kernel that never was, for doca_apsh_map.

    apsh_map_image.py elf FORM FILE     an image whose tables of symbols are in that form
    apsh_map_image.py memory FORM FILE  memory with that image, moved by KASLR
    apsh_map_image.py tables FORM FILE  what is in its .rodata
    apsh_map_image.py flat FORM FILE    an image of arm64, as it is to be in memory
    apsh_map_image.py check FORM MAP    a map of it has the right addresses
    apsh_map_image.py pack HOW ELF FILE a bzImage of an image; exit status 4 if a program lacks
    apsh_map_image.py zboot HOW IMAGE FILE  a program of EFI with an image of arm64
    apsh_map_image.py damage FILE       one byte of it is another one
    apsh_map_image.py lengthen FILE     an image, of which a section ends behind the file
    apsh_map_image.py repeat FILE       an image, of which many sections have the same bytes

Forms are named after the first kernel that had them, those of arm64 also after that.
"""

import bz2
import gzip
import json
import lzma
import shutil
import struct
import subprocess
import sys

from apsh_map_hostile import ARM64_SYMBOLS, SYMBOLS, Btf, plain

# number: bytes of the number of names; first: offsets come before the names; order: bytes
# for each name between markers and tokens
FORMS = {
    "4.18": {"first": True, "number": 8, "marker": 8, "order": 0, "align": 8, "form": "percpu"},
    "4.20": {"first": True, "number": 4, "marker": 4, "order": 0, "align": 8, "form": "percpu"},
    "6.2": {"first": True, "number": 4, "marker": 4, "order": 3, "align": 8, "form": "percpu"},
    "6.4": {"first": False, "number": 4, "marker": 4, "order": 3, "align": 8, "form": "percpu"},
    "6.15": {"first": False, "number": 4, "marker": 4, "order": 3, "align": 8, "form": "base"},
    "7.0": {"first": False, "number": 4, "marker": 4, "order": 3, "align": 4, "form": "place"},
    "arm64-6.1": {"first": True, "number": 4, "marker": 4, "order": 0, "align": 8,
                  "form": "base"},
    "arm64-6.12": {"first": False, "number": 4, "marker": 4, "order": 3, "align": 8,
                   "form": "base"},
    "arm64-7.0": {"first": False, "number": 4, "marker": 4, "order": 3, "align": 4,
                  "form": "place"},
}
# Where nobody has loaded an image the relative base is 0.
IS_ARM64 = any(word.startswith("arm64-") for word in sys.argv)
if IS_ARM64:
    SYMBOLS = ARM64_SYMBOLS

TEXT = 0xffff800080000000 if IS_ARM64 else 0xffffffff81000000
RODATA = TEXT + (16 << 20)
BANNER, PROC_BANNER, BTF, NOTES, TABLES = 0x40, 0x200, 0x1000, 0x3000, 0x4004
KASLR = 32 << 20
LONG = 200  # a token of several letters

# A table of three, and functions.
CALLS = {"sys_call_table": RODATA + (12 << 20),
         **{name: TEXT + 0x100000 + 16 * i for i, name in enumerate((
             "__x64_sys_read", "__ia32_compat_sys_read", "__x64_sys_read.cold"))}}

BANNER_TEXT = b"Linux version 6.66.0-never (nobody@nowhere)\n\0"
NOTE = struct.pack("<III", 4, 20, 3) + b"GNU\0" + bytes(range(20))


def btf():
    b = Btf()
    plain(b)
    return b.whole()


def addresses():
    """Of all symbols, by name."""
    at = {name: RODATA + (1 << 20) + (i << 12) for i, name in enumerate(SYMBOLS)}
    at.update({"_text": TEXT, "linux_banner": RODATA + BANNER,
               "linux_proc_banner": RODATA + PROC_BANNER,
               "__start_BTF": RODATA + BTF, "__stop_BTF": RODATA + BTF + len(btf()),
               "__start_notes": RODATA + NOTES, "__stop_notes": RODATA + NOTES + len(NOTE)})
    if IS_ARM64:
        at["cpu_do_switch_mm"] = TEXT + 0x90
    at.update({f"seldom_{i:04}": TEXT + 0x100 + 16 * i for i in range(4000)})
    at.update(CALLS)
    at["behind_the_table"] = at["sys_call_table"] + 24
    # longer than can be said in one byte
    at["l" + "o" * 200 + "ng"] = TEXT + 0x80
    return at


def are_calls(symbols):
    """Functions of system calls are there, parts of them are not, and the table has an end."""
    table = symbols["sys_call_table"]["type"]
    return (table["kind"], table["count"]) == ("array", 3) and all(
        (name in symbols) == ("." not in name) for name in CALLS)


def aligned(data, align):
    return data + b"\0" * (-len(data) % align)


def names_of(at):
    names, places = b"", []
    for i, name in enumerate(at):
        if i % 256 == 0:
            places.append(len(names))
        tokens = b"T" + name.encode().replace(b"seldom_", bytes((LONG,)))
        if len(tokens) < 0x80:
            names += bytes((len(tokens),)) + tokens
        else:
            names += bytes((len(tokens) & 0x7f | 0x80, len(tokens) >> 7)) + tokens
    return names, places


def tokens():
    table, index = b"", b""
    for i in range(256):
        index += struct.pack("<H", len(table))
        table += (b"seldom_" if i == LONG else bytes((i,)) if 32 < i < 127 else b"?!") + b"\0"
    return table, index


def offset(form, address, place):
    if form == "place":
        return address - place
    return address - TEXT if form == "base" else TEXT - address - 1


def rodata(name, moved=None):
    f, at = FORMS[name], addresses()
    start = TABLES + (f["align"] == 8) * 4
    names, places = names_of(at)
    table, index = tokens()
    base = struct.pack("<Q", 0 if IS_ARM64 and moved is None else TEXT + (moved or 0))

    def offsets(where):
        # offsets to per-CPU data would be positive
        return b"".join(struct.pack("<I", offset(f["form"], a, RODATA + where + 4 * i) &
                                    0xffffffff) for i, a in enumerate(at.values()))
    out = b""
    if f["first"]:
        out = aligned(offsets(start), 8) + base
    out += struct.pack("<Q" if f["number"] == 8 else "<I", len(at))
    out = aligned(out, f["align"]) + names
    out = aligned(out, f["align"]) + b"".join(
        struct.pack("<Q" if f["marker"] == 8 else "<I", p) for p in places)
    out = aligned(out, f["align"]) + bytes(range(1, 4))[:f["order"]] * len(at)
    out = aligned(out, f["align"]) + table
    out = aligned(out, f["align"]) + index
    if not f["first"]:
        out += offsets(start + len(out))
    if not f["first"] and f["form"] != "place":
        out = aligned(out, 8) + base
    data = bytearray(start)
    for where, what in ((BANNER, BANNER_TEXT), (PROC_BANNER, b"%s version %s\n\0"),
                        (BTF, btf()), (NOTES, NOTE)):
        data[where:where + len(what)] = what
    return bytes(data) + out


def elf(form, path):
    parts = ((".rodata", rodata(form), RODATA), (".BTF", btf(), 0), (".notes", NOTE, 0),
             (".shstrtab", b"\0.rodata\0.BTF\0.notes\0.shstrtab\0", 0))
    content, headers = bytes(64), bytes(64)
    for name, data, address in parts:
        headers += struct.pack("<IIQQQQIIQQ", parts[3][1].index(name.encode()),
                               3 if name == ".shstrtab" else 1, 2, address, len(content),
                               len(data), 0, 0, 8, 0)
        content = aligned(content + data, 64)
    ehdr = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 183 if IS_ARM64 else 62, 1, TEXT, 0, len(content), 0, 64, 56, 0, 64, 5, 4)
    with open(path, "wb") as f:
        f.write(ehdr + content[64:] + headers)


def tables(form, path):
    with open(path, "wb") as f:
        f.write(rodata(form))


def memory(form, path):
    with open(path, "wb") as f:
        f.write(b"Linux version 6.66.0-never (a copy)\n\0")
        f.seek((64 << 20) + RODATA - TEXT)
        f.write(rodata(form, KASLR))


def flat(form, path):
    head = bytearray(64)
    head[0x38:0x3c] = b"ARM\x64"
    with open(path, "wb") as f:
        f.write(head)
        f.seek(RODATA - TEXT)
        f.write(rodata(form))


def check(_form, path):
    with open(path, encoding="utf-8") as f:
        symbols = json.load(f)["symbols"]
    at = addresses()
    wrong = [n for n in SYMBOLS if symbols[n]["address"] != at[n]]
    for name in wrong:
        print(f"# {name} is at {symbols[name]['address']:x}, not {at[name]:x}")
    if not are_calls(symbols):
        print("# what is of system calls is not right")
        wrong.append("calls")
    return bool(wrong)


def program(*command):
    def run(data):
        if not shutil.which(command[0]):
            sys.exit(4)
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout
    return run


PACKERS = {
    "gzip": gzip.compress,
    "stored": lambda data: gzip.compress(data, 0),
    "bzip2": bz2.compress,
    "lzma": lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
    "xz": lzma.compress,
    "lz4": program("lz4", "-lqc"),
    "lzo": program("lzop", "-c"),
    "zstd": program("zstd", "-qc"),
    "none": lambda data: data,
}


def pack(how, path, out):
    """The last four bytes are the size of the image; gzip ends with it anyway."""
    with open(path, "rb") as f:
        image = f.read()
    packed = PACKERS[how](image)
    if how not in ("gzip", "stored"):
        packed += struct.pack("<I", len(image))
    setup = bytearray(1024)
    setup[0x1f1] = 1
    setup[0x202:0x206] = b"HdrS"
    struct.pack_into("<II", setup, 0x248, 64, len(packed))
    with open(out, "wb") as f:
        f.write(setup + bytes(64) + packed)


def zboot(how, path, out):
    with open(path, "rb") as f:
        image = f.read()
    packed = PACKERS[how](image)
    head = bytearray(512)
    head[:8] = b"MZ\0\0zimg"
    struct.pack_into("<II", head, 8, len(head), len(packed))
    head[24:24 + len(how)] = how.encode()
    with open(out, "wb") as f:
        f.write(head + packed + (b"" if how == "gzip" else struct.pack("<I", len(image))))


SECTION = 64


def lengthen(path):
    """Its BTF, which comes second."""
    with open(path, "r+b") as f:
        f.seek(40)
        f.seek(struct.unpack("<Q", f.read(8))[0] + 2 * SECTION + 32)
        f.write(struct.pack("<Q", 1 << 40))


def repeat(path, times=1000):
    """Its symbols, which come first, and get an address."""
    with open(path, "rb") as f:
        image = bytearray(f.read())
    at, = struct.unpack_from("<Q", image, 40)
    header = bytearray(image[at + SECTION:at + 2 * SECTION])
    struct.pack_into("<Q", header, 16, TEXT)
    struct.pack_into("<H", image, 60, 5 + times)
    with open(path, "wb") as f:
        f.write(image + header * times)


def damage(path):
    """Change one byte that is packed as it is: only a checksum shows that."""
    with open(path, "r+b") as f:
        f.seek(f.read().index(BANNER_TEXT[:12]) + 3)
        f.write(b"X")


if __name__ == "__main__":
    sys.exit({f.__name__: f for f in (elf, flat, tables, memory, check, pack, zboot,
                                      damage, lengthen, repeat)}[sys.argv[1]](*sys.argv[2:]))
