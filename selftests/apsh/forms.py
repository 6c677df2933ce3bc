# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The memory of a guest that is stopped, in each form that doca_apsh reads."""

import json
import os
import struct
import subprocess
import threading

CHUNK = 1 << 20
SAVING = 300  # seconds, after which a machine hangs


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


def saved(memory, path):
    """By another QEMU, which has the same memory and never runs: the guest has mounted what its own
    cannot save."""
    size = os.path.getsize(memory)
    commands = ({"execute": "qmp_capabilities"},
                {"execute": "migrate-set-capabilities", "arguments": {
                    "capabilities": [{"capability": "events", "state": True}]}},
                {"execute": "migrate", "arguments": {"uri": f"exec:cat >{path}"}})
    with subprocess.Popen(
            ["qemu-system-x86_64", "-S", "-nodefaults", "-no-user-config", "-display", "none",
             "-M", "q35,memory-backend=ram", "-m", f"{size >> 20}M", "-object",
             f"memory-backend-file,id=ram,size={size},share=off,mem-path={memory}",
             "-qmp", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as qemu:
        timer = threading.Timer(SAVING, qemu.kill)  # its answers end, too
        timer.start()
        for command in commands:
            qemu.stdin.write(json.dumps(command) + "\n")
        qemu.stdin.flush()
        ends = (json.loads(line).get("data", {}).get("status") for line in qemu.stdout)
        end = next((one for one in ends if one in ("completed", "failed")), "no answer")
        timer.cancel()
        qemu.kill()
    if end != "completed":
        raise RuntimeError(f"the machine was not saved: {end}")


def forms(qmp, memory, regions, folder, is_x86):
    """Names and paths, one after the other: each file is gone when the next is asked for."""
    path = f"{folder}/form"
    makers = {
        "ELF": lambda: qmp("dump-guest-memory", paging=False, protocol=f"file:{path}"),
        "kdump": lambda: qmp("dump-guest-memory", paging=False, protocol=f"file:{path}",
                             format="kdump-zlib"),
        "LiME": lambda: lime(memory, regions, path),
        "raw": lambda: raw(memory, regions, path),
    }
    # A machine of arm64 that does not run yet has a device tree where memory begins.
    if is_x86:
        makers["QEVM"] = lambda: saved(memory, path)
    for name, make in makers.items():
        make()
        yield name, path
        os.unlink(path)
