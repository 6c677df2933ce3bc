# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Programs as users write them (programs.c), against a guest; doca_apsh says the rest."""

import os
import shutil
import subprocess
import threading
import time

VUID = "MT2125X03335MLNXS0D0F0"
OF_SYSTEM = ("ps", "lsmod", "containers", "ss", "ip")
# Commands about the first process, at which programs look if they are not told otherwise.
OF_PROCESS = ("threads", "maps", "libs", "env", "caps", "fds", "files", "args")


def escaped(text):
    """As doca_apsh shows bytes that are no printable ASCII."""
    return "".join(chr(c) if 32 <= c < 127 else f"\\x{c:02x}"
                   for c in text.encode(errors="surrogateescape"))


def value_of(wanted):
    if isinstance(wanted, bool):
        return str(int(wanted))
    if isinstance(wanted, str) and wanted.startswith("0x"):
        return str(int(wanted, 16))
    return str(wanted)


def differs(line, row):
    """What a program has printed of an object, and doca_apsh says otherwise."""
    pairs = (pair.split("=", 1) for pair in line.rstrip("\t").split("\t"))
    return [f"{name} is {value!r}, not {row.get(name)!r}" for name, value in pairs
            if escaped(value) != value_of(row.get(name))]


class Programs:
    """They see its folder tmp as /tmp, where their files are, and those of targets."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = os.path.join(folder, "tmp")
        for name, seen in (("map", "symbols"), ("regions", "mem_regions")):
            shutil.copy(f"{folder}/{name}.json", f"{self.folder}/{seen}.json")

    def start(self, *args):
        program = os.path.join(self.build, "selftests/apsh/programs")
        return subprocess.Popen(
            ["bwrap", "--dev-bind", "/", "/", "--bind", self.folder, "/tmp",
             "--setenv", "DOCA_TARGETS_DIR", "/tmp/targets",
             "--setenv", "DOCA_DRIVER", "process",
             "--setenv", "LD_LIBRARY_PATH", os.path.join(self.build, "lib"), program, *args],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="surrogateescape")

    def compare(self, group, rows):
        program = self.start(group)
        out, err = program.communicate(timeout=120)
        lines = out.splitlines()
        if program.returncode:
            return [f"{group} has failed: {out} {err}"]
        if len(lines) != len(rows) or not rows:
            return [f"{group} has {len(lines)} lines, not {len(rows)}"]
        return [f"{group}: {d}" for line, row in zip(lines, rows) for d in differs(line, row)]

    def look_at_all(self, look):
        bad = []
        for group in OF_SYSTEM + OF_PROCESS:
            bad += self.compare(group, look(group, *(["1"] if group in OF_PROCESS else [])))
        program = self.start("windows")
        out, err = program.communicate(timeout=120)
        if program.returncode != 1 or "DOCA_ERROR_NOT_SUPPORTED" not in out or not err:
            bad.append(f"windows ends with {program.returncode}: {out} {err}")
        return bad

    def agent(self, pid, hashes):
        shutil.copy(hashes, f"{self.folder}/hash.json")
        return Agent(self.start("attest", pid, "/tmp/hash.json"))


class Agent:
    """A program that attests a process until its code is not what it should be."""

    def __init__(self, program):
        self.program, self.said = program, []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.program.stdout:
            self.said.append(line.strip())

    def wait_for(self, word, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if word in self.said:
                return []
            if self.program.poll() is not None:
                break
            time.sleep(0.05)
        return [f"an agent has not said {word} within {seconds} s, but "
                f"{self.said[-3:]}"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.kill()
        self.program.wait()
