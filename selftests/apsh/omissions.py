#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Leave pages out of what a guest has, one at a time, and look at the rest: each page of a recording, and
some of the kernel's image.

A command then shows what it showed before; or it says that it cannot, or that something is
missing, and shows no row that was not there. No check accuses anybody. KTAP, as other tests.
"""

import json
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from golden import KEYS, Report, Tools  # noqa: E402 (not before that)
from machine import Machine, main  # noqa: E402
from rootkits import HERE, Servant  # noqa: E402

PAGE = 4096
HEADER, SEGMENT = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQQQ")
PT_NULL, PT_LOAD = 0, 1
COMMANDS = (("ps",), ("lsmod",), ("ss",), ("check", "process"), ("check", "module"),
            ("check", "syscall"), ("check", "interrupt"), ("check", "hook"))
CODE = ("check", "code")
# It unpacks an image of the kernel each time, so one of so many pages is left out.
RARER = 16
AS_IT_SHOULD_BE, FAILED, ACCUSED, CANNOT_TELL = range(4)


def pages_of(path):
    """Each page of an ELF core, with its address."""
    with open(path, "rb") as f:
        head = HEADER.unpack(f.read(HEADER.size))
        offset, number = head[5], head[10]
        for i in range(number):
            f.seek(offset + i * SEGMENT.size)
            kind, _, at, _, address, size, _, _ = SEGMENT.unpack(f.read(SEGMENT.size))
            f.seek(at)
            while kind == PT_LOAD and size:
                length = min(PAGE - address % PAGE, size)
                yield address, f.read(length)
                address, size = address + length, size - length


def kernel_of(folder, memory):
    """Each page of the kernel, whose memory below 2 GiB is at its address in the file."""
    with open(f"{folder}/iomem", encoding="ascii") as f:
        lines = [line.split() for line in f]
    with open(memory, "rb") as f:
        for line in lines:
            if line[2:3] == ["Kernel"]:
                begin, end = (int(word, 16) for word in line[0].split("-"))
                for address in range(begin & -PAGE, end + 1, PAGE):
                    yield address, os.pread(f.fileno(), PAGE, address)


def dump_of(folder, memory):
    """What the recording has, and all of the kernel: pages, and how many of these are the first."""
    kernel = dict(kernel_of(folder, memory))
    recorded = list(pages_of(f"{folder}/recording"))
    known = {address & -PAGE for address, _ in recorded}
    first = [page for page in recorded if page[0] & -PAGE not in kernel]
    first += [page for page in kernel.items() if page[0] in known]
    return first + [page for page in kernel.items() if page[0] not in known], len(first)


class Core:
    """A core in which each page is a segment, so that one can be left out quickly."""

    def __init__(self, path, pages):
        self.pages = pages
        begin = HEADER.size + len(pages) * SEGMENT.size
        begin += -begin % PAGE
        with open(path, "wb") as f:
            f.write(HEADER.pack(b"\x7fELF\2\1\1".ljust(16, b"\0"), 4, 62, 1, 0, HEADER.size, 0,
                                0, HEADER.size, SEGMENT.size, len(pages), 0, 0, 0))
            for i, (address, data) in enumerate(pages):
                f.write(SEGMENT.pack(PT_LOAD, 7, begin + i * PAGE, 0, address, len(data),
                                     len(data), PAGE))
            for i, (_, data) in enumerate(pages):
                f.seek(begin + i * PAGE)
                f.write(data)
        self.file = open(path, "r+b", buffering=0)

    def mark(self, i, kind):
        os.pwrite(self.file.fileno(), struct.pack("<I", kind), HEADER.size + i * SEGMENT.size)


class Viewer:
    def __init__(self, tools, path):
        self.env = tools.env
        self.words = [f"{tools.build}/tools/doca_apsh", "-f", path, "--format", "elf", "-m",
                      f"{tools.folder}/regions.json", "-o", f"{tools.folder}/map.json", "--json"]
        self.image = ("--image", tools.image)
        self.whole = {command: self.run(command) for command in (*COMMANDS, CODE)}

    def run(self, command):
        words = [*self.words, *self.image * (command == CODE), *command]
        done = subprocess.run(words, env=self.env, capture_output=True,
                              text=True, errors="replace", check=False, timeout=300)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        return done.returncode, rows, done.stderr

    def names(self, command, rows):
        if command[0] != "check":
            keys = KEYS[command[0]]
            # The last row may say that something is missing.
            return {tuple(row.get(k) for k in keys) for row in rows if keys[0] in row}
        return {json.dumps(row) for row in rows if row.get("verdict") == "suspicious"}

    def judge(self, command):
        """What is wrong with the answer, or None; and whether it is whole."""
        code, rows, said = self.run(command)
        _, whole, _ = self.whole[command]
        if code == AS_IT_SHOULD_BE:
            return (None if rows == whole else "it shows other rows, and says nothing"), True
        if code not in (FAILED, CANNOT_TELL):
            return f"it ends with {code}: {said}", False
        if not rows and not said:
            return f"it ends with {code}, and does not say why", False
        more = self.names(command, rows) - self.names(command, whole)
        return (f"it shows what is not there: {more}" if more else None), False


def leave_out(report, viewer, core, pages, commands):
    """Each command is a case, with what is wrong of all of these pages."""
    bad = {command: [] for command in commands}
    told = dict.fromkeys(commands, 0)
    for i in pages:
        core.mark(i, PT_NULL)
        for command in commands:
            wrong, is_whole = viewer.judge(command)
            told[command] += not is_whole
            if wrong:
                bad[command].append(f"without {core.pages[i][0]:#x}: {wrong}")
        core.mark(i, PT_LOAD)
    for command in commands:
        print(f"# {len(pages)} pages, {told[command]} of which {' '.join(command)} misses")
        if not told[command]:
            bad[command].append("it has missed none, so it was not looked at")
        report(f"{'_'.join(command)}_says_what_is_missing", bad[command])


def play(opts, folder):
    report = Report()
    print(f"KTAP version 1\n1..{len(COMMANDS) + 2}", flush=True)
    with Machine(opts.kernel, opts.mem, 4, folder,
                 ["python3", f"{HERE}/servant.py", folder]) as guest:
        tools = Tools(opts.build, folder, guest)
        Servant(guest, folder, opts.timeout)(f"cat /proc/iomem >{folder}/iomem")
        tools.regions()
        tools.target()
        guest.qmp()("stop")
        tools.apsh("record", f"{folder}/recording")
        pages, recorded = dump_of(folder, guest.memory)
    core = Core(f"{folder}/core", pages)
    viewer = Viewer(tools, f"{folder}/core")
    report("the_whole_recording_is_as_it_should_be",
           [f"{' '.join(command)} ends with {code}: {said}{rows}"
            for command, (code, rows, said) in viewer.whole.items() if code])
    if not report.failed:
        leave_out(report, viewer, core, range(0, recorded, opts.every), COMMANDS)
        leave_out(report, viewer, core, range(0, len(pages), opts.every * RARER), [CODE])
    return report.failed


if __name__ == "__main__":
    sys.exit(main(__doc__, play, every={"type": int, "default": 1}))
