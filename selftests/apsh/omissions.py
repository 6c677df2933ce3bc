#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Leave each page out of a recording of a guest, one at a time, and look at the rest.

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
AS_IT_SHOULD_BE, FAILED, ACCUSED, CANNOT_TELL = range(4)


def pages_of(path):
    """Each page of an ELF core, with its address."""
    with open(path, "rb") as f:
        head = HEADER.unpack(f.read(HEADER.size))
        offset, number = head[5], head[10]
        for i in range(number):
            f.seek(offset + i * SEGMENT.size)
            kind, _, at, _, address, size, _, _ = SEGMENT.unpack(f.read(SEGMENT.size))
            for k in range(0, size if kind == PT_LOAD else 0, PAGE):
                f.seek(at + k)
                yield address + k, f.read(min(PAGE, size - k))


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
        self.whole = {command: self.run(command) for command in COMMANDS}

    def run(self, command):
        done = subprocess.run([*self.words, *command], env=self.env, capture_output=True,
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


def leave_out(report, viewer, core, every):
    """Each command is a case, with what is wrong of all pages."""
    bad = {command: [] for command in COMMANDS}
    told = dict.fromkeys(COMMANDS, 0)
    for i in range(0, len(core.pages), every):
        core.mark(i, PT_NULL)
        for command in COMMANDS:
            wrong, is_whole = viewer.judge(command)
            told[command] += not is_whole
            if wrong:
                bad[command].append(f"without {core.pages[i][0]:#x}: {wrong}")
        core.mark(i, PT_LOAD)
    for command in COMMANDS:
        print(f"# {len(core.pages)} pages, {told[command]} of which {' '.join(command)} misses")
        if not told[command]:
            bad[command].append("it has missed none, so it was not looked at")
        report(f"{'_'.join(command)}_says_what_is_missing", bad[command])


def play(opts, folder):
    report = Report()
    print(f"KTAP version 1\n1..{len(COMMANDS) + 1}", flush=True)
    with Machine(opts.kernel, opts.mem, 4, folder,
                 ["python3", f"{HERE}/servant.py", folder]) as guest:
        tools = Tools(opts.build, folder, guest)
        Servant(guest, folder, opts.timeout)(f"cat /proc/iomem >{folder}/iomem")
        tools.regions()
        tools.target()
        guest.qmp()("stop")
        tools.apsh("record", f"{folder}/recording")
    core = Core(f"{folder}/core", list(pages_of(f"{folder}/recording")))
    viewer = Viewer(tools, f"{folder}/core")
    report("the_whole_recording_is_as_it_should_be",
           [f"{' '.join(command)} ends with {code}: {said}{rows}"
            for command, (code, rows, said) in viewer.whole.items() if code])
    if not report.failed:
        leave_out(report, viewer, core, opts.every)
    return report.failed


if __name__ == "__main__":
    sys.exit(main(__doc__, play, every={"type": int, "default": 1}))
