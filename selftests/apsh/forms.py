# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The memory of a guest that is stopped, in each form that doca_apsh reads."""

import os
import struct

CHUNK = 1 << 20


def chunks_of(source, offset, end):
    """Where there is no hole, and what is there."""
    while offset < end:
        try:
            data = os.lseek(source, offset, os.SEEK_DATA)
        except OSError:
            break
        if data >= end:
            break
        offset = min(os.lseek(source, data, os.SEEK_HOLE), end)
        while data < offset:
            part = os.pread(source, min(CHUNK, offset - data), data)
            yield data, part
            data += len(part)


def copy_data(source, target, offset, length, at):
    for data, part in chunks_of(source, offset, offset + length):
        os.pwrite(target, part, at + data - offset)


def lime(memory, regions, path):
    with open(memory, "rb") as source, open(path, "wb") as target:
        at = 0
        for region in regions:
            start, length = region["gpa"], region["length"]
            os.pwrite(target.fileno(), struct.pack("<IIQQQ", 0x4c694d45, 1, start,
                                                   start + length - 1, 0), at)
            copy_data(source.fileno(), target.fileno(), region["offset"], length, at + 32)
            at += 32 + length
        target.truncate(at)


def raw(memory, regions, path):
    """By physical address."""
    with open(memory, "rb") as source, open(path, "wb") as target:
        for region in regions:
            copy_data(source.fileno(), target.fileno(), region["offset"], region["length"],
                      region["gpa"])
        target.truncate(max(r["gpa"] + r["length"] for r in regions))


def forms(qmp, memory, regions, folder):
    """Names and paths, one after the other: each file is gone when the next is asked for."""
    path = f"{folder}/form"
    makers = {
        "ELF": lambda: qmp("dump-guest-memory", paging=False, protocol=f"file:{path}"),
        "kdump": lambda: qmp("dump-guest-memory", paging=False, protocol=f"file:{path}",
                             format="kdump-zlib"),
        "LiME": lambda: lime(memory, regions, path),
        "raw": lambda: raw(memory, regions, path),
    }
    for name, make in makers.items():
        make()
        yield name, path
        os.unlink(path)
