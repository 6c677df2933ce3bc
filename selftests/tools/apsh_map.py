#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What a map of doca_apsh_map must be.

    apsh_map.py schema MAP           the rules of the schema of ISF 6.2.0, and that what is
                                     within others is there
    apsh_map.py same MAP MAP         two maps of a kernel differ in nothing but their date
    apsh_map.py pahole MAP VMLINUX   sizes and offsets are what pahole says
    apsh_map.py unpack IMAGE OUT     the ELF file in a bzImage, by other programs than ours
    apsh_map.py code CODE VMLINUX MAP  what App Shield compares is what an ELF file has in memory,
                                     with symbols as in the map
    apsh_map.py hashes HASH          each page's hash, of files that are here

What is wrong is printed, a line each, and the exit status is then 1.
"""

import base64
import hashlib
import json
import lzma
import re
import struct
import subprocess
import sys

BAD = []


def check(right, *words):
    if not right:
        BAD.append(" ".join(str(w) for w in words))


def keys(where, obj, required, allowed=()):
    if not isinstance(obj, dict):
        check(False, where, "is no object")
        return False
    missing = set(required) - set(obj)
    more = set(obj) - set(required) - set(allowed)
    check(not missing, where, "lacks", missing)
    check(not more, where, "has", more)
    return not missing


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def metadata(meta):
    if not keys("metadata", meta, ("format", "producer", "linux")):
        return
    check(re.fullmatch(r"6.[0-9]+.[0-9]+", meta["format"]), "format")
    producer = meta["producer"]
    keys("producer", producer, ("name", "version", "datetime"))
    check(re.fullmatch(r"[0-9]+.[0-9]+.[0-9]+", producer["version"]), "version")
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", producer["datetime"]), "datetime")
    for part in keys("linux", meta["linux"], (), ("symbols", "types")) and meta["linux"]:
        for item in meta["linux"][part]:
            keys(part, item, (), ("kind", "name", "hash_type", "hash_value"))
            check(item["kind"] in ("dwarf", "symtab", "system-map"), "kind", item)
            check(item["hash_type"] == "sha256", "hash_type", item)
            check(re.fullmatch("[a-fA-F0-9]+", item["hash_value"]), "hash_value", item)


class Types:
    """Descriptions of types, which may be within each other."""

    def __init__(self, isf):
        self.isf = isf

    def refer(self, where, table, name, must):
        check(not must or name in self.isf[table], where, "refers to", name)

    def descriptor(self, where, t, must=True):
        """must: it has to be in the map, for it is not only pointed to."""
        if not isinstance(t, dict):
            return check(False, where, "is no type")
        kind = t.get("kind")
        if kind == "pointer":
            keys(where, t, ("kind", "subtype"), ("base",))
            return self.descriptor(where, t["subtype"],
                                   "unnamed" in t["subtype"].get("name", ""))
        if kind == "array":
            keys(where, t, ("kind", "subtype", "count"))
            check(is_int(t["count"]), where, "count")
            return self.descriptor(where, t["subtype"], must)
        if kind == "function":
            return keys(where, t, ("kind",))
        if kind == "bitfield":
            keys(where, t, ("kind", "bit_position", "bit_length", "type"))
            check(t["type"]["kind"] in ("base", "enum"), where, "bits of", t["type"])
            check(0 < t["bit_length"] <= 64, where, "bit_length")
            return self.descriptor(where, t["type"])
        keys(where, t, ("kind", "name"))
        table = {"base": "base_types", "enum": "enums", "struct": "user_types",
                 "union": "user_types", "class": "user_types"}.get(kind)
        check(table, where, "is of kind", kind)
        return table and self.refer(where, table, t["name"], must)

    def size(self, t):
        kind = t["kind"]
        if kind in ("pointer", "function"):
            return 8
        if kind == "array":
            return t["count"] * self.size(t["subtype"])
        if kind == "bitfield":
            return (t["bit_position"] + t["bit_length"] + 7) // 8
        table = {"base": "base_types", "enum": "enums"}.get(kind, "user_types")
        return self.isf[table].get(t["name"], {"size": 0})["size"]

    def user(self, name, user):
        if not keys(name, user, ("kind", "size", "fields")):
            return
        check(user["kind"] in ("struct", "union", "class"), name, user["kind"])
        for field, f in user["fields"].items():
            where = f"{name}.{field}"
            keys(where, f, ("type", "offset"), ("anonymous",))
            self.descriptor(where, f["type"])
            check(is_int(f["offset"]), where, "offset")
            check(f["offset"] + self.size(f["type"]) <= user["size"], where,
                  "is behind the end of", name)


def symbols(isf, types):
    for name, s in isf["symbols"].items():
        keys(name, s, ("address",), ("type", "linkage_name", "constant_data"))
        check(is_int(s["address"]), name, "address")
        if "type" in s:
            types.descriptor(name, s["type"])
    banner = isf["symbols"]["linux_banner"]
    text = base64.b64decode(banner["constant_data"], validate=True)
    check(re.fullmatch(rb"Linux version [^\n]*\n\0", text), "banner", text)
    check(banner["type"]["count"] == len(text), "size of the banner")
    for name in ("_text", "init_task", "modules", "socket_file_ops", "phys_base"):
        check(isf["symbols"][name]["address"] >= 0xffffffff80000000, name, "is too low")


def schema(path):
    with open(path, encoding="utf-8") as f:
        isf = json.load(f)
    parts = ("metadata", "base_types", "user_types", "enums", "symbols")
    if not keys("map", isf, parts):
        return
    metadata(isf["metadata"])
    types = Types(isf)
    for name, base in isf["base_types"].items():
        keys(name, base, ("size", "signed", "kind", "endian"))
        check(base["kind"] in ("void", "int", "float", "char", "bool"), name)
        check(base["endian"] in ("little", "big"), name, "endian")
        check(is_int(base["size"]) and isinstance(base["signed"], bool), name)
    check(isf["base_types"]["pointer"]["size"] == 8, "pointer")
    for name, enum in isf["enums"].items():
        keys(name, enum, ("size", "base", "constants"))
        types.refer(name, "base_types", enum["base"], True)
        check(all(map(is_int, enum["constants"].values())), name)
    for name, user in isf["user_types"].items():
        types.user(name, user)
    symbols(isf, types)


def same(one, other):
    maps = []
    for path in (one, other):
        with open(path, encoding="utf-8") as f:
            maps.append(f.read())
    date = re.compile(r'"datetime":"[^"]*"')
    check(date.search(maps[0]), "there is no date")
    check(date.sub("", maps[0]) == date.sub("", maps[1]), one, "and", other, "differ")


def flat(isf, user, base=0):
    """Fields and offsets; those of members without a name are the structure's."""
    for name, f in user["fields"].items():
        if f.get("anonymous"):
            yield from flat(isf, isf["user_types"][f["type"]["name"]], base + f["offset"])
        elif f["type"]["kind"] == "bitfield":
            yield name, 8 * (base + f["offset"]) + f["type"]["bit_position"]
        else:
            yield name, 8 * (base + f["offset"])


MEMBER = re.compile(r"(?:\(\*+(\w+)\)\(.*\)|(\w+)(?:\[\d*\])*(?::\d+)?)(?: __attribute__.*)?;"
                    r"\s*/\*\s*(\d+)(?::\s*(\d+))?\s+\d+\s*\*/")


def of_pahole(vmlinux, name):
    out = subprocess.run(["pahole", "-F", "btf", "-C", name, vmlinux],
                         capture_output=True, text=True, check=True).stdout
    size = re.search(r"/\* size: (\d+)", out)
    fields = {(m[1] or m[2], 8 * int(m[3]) + int(m[4] or 0)) for m in MEMBER.finditer(out)}
    return int(size[1]) if size else None, fields


def pahole(path, vmlinux):
    """Of all structures that have a name; those that are empty have no size there."""
    with open(path, encoding="utf-8") as f:
        isf = json.load(f)
    names = ("task_struct mm_struct vm_area_struct file inode dentry mount module net sock "
             "sock_common tcp_sock inet_sock net_device cred pid signal_struct xa_node "
             "super_block unix_sock cgroup kernfs_node maple_range_64 page socket").split()
    compared = 0
    for name in names:
        size, fields = of_pahole(vmlinux, name)
        check(size == isf["user_types"][name]["size"], name, "has size", size)
        ours = set(flat(isf, isf["user_types"][name]))
        check(len(ours) > 3, name, "has no fields")
        check(ours <= fields, name, "has not", sorted(ours - fields)[:5])
        compared += len(ours)
    print(f"# {len(names)} types with {compared} fields compared")


def unpack(image, out):
    with open(image, "rb") as f:
        content = f.read()
    start = (content[0x1f1] + 1) * 512 + struct.unpack_from("<I", content, 0x248)[0]
    payload = content[start:start + struct.unpack_from("<I", content, 0x24c)[0] - 4]
    if payload.startswith(b"\xfd7zXZ"):
        elf = lzma.decompress(payload)
    else:
        elf = subprocess.run(["zstd", "-qdc"], input=payload, capture_output=True,
                             check=True).stdout
    with open(out, "wb") as f:
        f.write(elf)


def sections(elf):
    """By their names, those that are in memory, with their addresses; and what is behind the file."""
    start, = struct.unpack_from("<Q", elf, 40)
    size, nr, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, start + i * size) for i in range(nr)]
    texts = elf[headers[names][4]:headers[names][4] + headers[names][5]]
    found, end = {}, start + nr * size
    for name, kind, flags, address, offset, length, *_ in headers:
        if kind in (0, 8):
            continue
        end = max(end, offset + length)
        if flags & 2 and address and length:
            found[texts[name:texts.index(b"\0", name)]] = address, elf[offset:offset + length]
    return found, elf[end:]


def code(path, vmlinux, path_of_map):
    with open(path, "rb") as f:
        head, made = f.read().split(b"\n\n", 1)
    with open(vmlinux, "rb") as f:
        elf = f.read()
    with open(path_of_map, encoding="utf-8") as f:
        wanted = json.load(f)["symbols"]
    what, *lines = head.decode().split("\n")
    check(what == "open-doca-code-1", "it is", what)
    symbols = {line[17:]: int(line[:16], 16) for line in lines}
    for name in "_text", "_stext", "_etext", "_end", "linux_banner":
        check(symbols[name] == wanted[name]["address"], name)
    (ours, lists), (theirs, their_lists) = sections(made), sections(elf)
    check(b".text" in theirs and list(ours) == list(theirs), "sections:", list(ours))
    for name, content in theirs.items():
        check(ours.get(name) == content, name, "differs")
    check(lists == their_lists, "what is behind it differs")
    check(len(made) < sum(len(c) for _, c in theirs.values()) + len(lists) + 65536, "it is too long")


def hashes(path):
    with open(path, encoding="utf-8") as f:
        made = json.load(f)
    keys("hashes", made, ("format", "files"))
    check(made["format"] == "open-doca-hash-1", "format")
    check(made["files"], "there are no files")
    for part in made["files"]:
        keys("part", part, ("path", "build_id", "size", "page", "first_page", "sha256"))
        with open(part["path"], "rb") as f:
            content = f.read()
        check(part["size"] == len(content), part["path"], "size")
        check(len(part["sha256"]) % 64 == 0 and part["sha256"], part["path"], "digits")
        for i in range(len(part["sha256"]) // 64):
            at = (part["first_page"] + i) * 4096
            page = content[at:at + 4096].ljust(4096, b"\0")
            check(hashlib.sha256(page).hexdigest() == part["sha256"][64 * i:64 * i + 64],
                  part["path"], "page", i)


def main():
    commands = {f.__name__: f for f in (schema, same, pahole, unpack, code, hashes)}
    commands[sys.argv[1]](*sys.argv[2:])
    for line in BAD[:20]:
        print(f"# {line}")
    return bool(BAD)


if __name__ == "__main__":
    sys.exit(main())
