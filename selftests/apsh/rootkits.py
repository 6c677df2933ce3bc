#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Look for rootkits in a guest: first in one that has none and is busy, then with one at a time.

Each rootkit (rootkits/) must be found by its check, and by nothing else; once it is undone, there
is nothing to be found. KTAP, as other tests.
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from golden import Report, Tools  # noqa: E402 (not before that)
from machine import Machine, main  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
CALL = "__x64_sys_swapoff"
NUMBER = 168
TRACING = "/sys/kernel/tracing"

# These come and go in a guest without rootkits: modules, and the kernel's own tracers and
# probes of the same system call.
BUSY = f"""
mount -t tracefs tracefs {TRACING} 2>/dev/null
set -e
cd {TRACING}
while [ ! -e %s/calm ]; do
    modprobe dummy
    modprobe -r dummy
    echo {CALL} >set_ftrace_filter
    echo function >current_tracer
    echo 'p:of_test {CALL}' >kprobe_events && echo 1 >events/kprobes/enable
    echo 'p:of_test2 {CALL}+9' >>kprobe_events && echo 1 >events/kprobes/of_test2/enable
    echo 1 >events/sched/enable
    echo 1 >/proc/sys/kernel/sched_schedstats
    echo 0 >/proc/sys/kernel/sched_schedstats
    echo 0 >events/sched/enable
    modprobe dummy
    modprobe -r dummy
    echo 0 >events/kprobes/enable
    echo >kprobe_events
    echo nop >current_tracer
    echo >set_ftrace_filter
    echo round
done
"""

# The checks that find each rootkit, and where. Those that hide cannot be undone.
FOUND = {"rk_ftrace": [("hook", CALL)], "rk_kprobe": [("hook", CALL)],
         "rk_inline": [("hook", CALL), ("code", CALL)], "rk_text": [("code", CALL)],
         "rk_interrupt": [("interrupt", "idt_table[4]")],
         "rk_table": [("syscall", f"sys_call_table[{NUMBER}]")],
         "rk_switch": [("syscall", f"x64_sys_call[{NUMBER}]"), ("code", "x64_sys_call")],
         "rk_list": [("module", "rk_list")], "rk_sysfs": [("module", "rk_sysfs")],
         "rk_tree": [("module", "rk_tree")]}
HIDES = ("rk_list", "rk_sysfs", "rk_tree")
# It hides after it was loaded.
HIDDEN = {"rk_tree": "&& while [ -e /sys/module/rk_tree ]; do :; done"}


class Servant:
    """Runs commands in the guest."""

    def __init__(self, guest, folder, timeout):
        self.guest, self.folder, self.timeout, self.number = guest, folder, timeout, 0

    def start(self, command):
        path = f"{self.folder}/do-{self.number}"
        with open(f"{path}.new", "w", encoding="ascii") as f:
            f.write(command)
        os.rename(f"{path}.new", path)
        self.number += 1

    def finish(self):
        """What the command has said."""
        number = self.number - 1
        with open(self.guest.wait_for(f"done-{number}", self.timeout), encoding="ascii") as f:
            status = int(f.read())
        with open(f"{self.folder}/out-{number}", encoding="ascii", errors="replace") as f:
            said = f.read()
        if status:
            raise RuntimeError(f"in the guest: {said}")
        return said

    def __call__(self, command):
        self.start(command)
        self.finish()


class Checker:
    def __init__(self, tools):
        self.tools, self.looks, self.doubts = tools, 0, 0

    def look(self):
        """Rows of what is suspicious, and of what cannot be told."""
        done = subprocess.run(
            [f"{self.tools.build}/tools/doca_apsh", "-t", "vm", "-m",
             f"{self.tools.folder}/regions.json", "-o", f"{self.tools.folder}/map.json",
             "--image", self.tools.image, "--json", "check"],
            env=self.tools.env, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode not in (0, 2, 3):
            raise RuntimeError(f"check: {done.returncode}: {done.stderr.strip()}")
        self.looks += 1
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        rows = [row for row in rows if "verdict" in row]
        doubts = [row for row in rows if row["verdict"] == "cannot tell"]
        self.doubts += bool(doubts)
        return [row for row in rows if row["verdict"] == "suspicious"], doubts

    def busy(self, rounds):
        return [str(row) for _ in range(rounds) for row in self.look()[0]]

    def quiet(self, known=()):
        """What is said of a guest in which nothing is, but modules that are known."""
        found, doubts = self.look()
        return [str(row) for row in found + doubts if row["name"] not in known]

    def one(self, name, known):
        rows = [row for row in self.look()[0] if row["name"] not in known]
        for row in rows:
            if row["kind"] == "code":
                row["name"], row["at"] = row["name"].split("+")
        wanted = FOUND[name]
        bad = [f"{where} is not found by {kind}" for kind, where in wanted
               if not any((row["kind"], row["name"]) == (kind, where) for row in rows)]
        bad += [f"{row} is too much" for row in rows
                if (row["kind"], row["name"]) not in wanted]
        bad += [f"{row} does not name it" for row in rows
                if name not in (row["name"], row["finding"].split()[-1])]
        for row in rows:
            print(f"# {row}")
        return bad


def try_all(report, check, servant, modules):
    known = []
    for name in FOUND:
        try:
            servant(f"insmod {modules}/{name}.ko {HIDDEN.get(name, '')}")
            bad = check.one(name, known)
            if name in HIDES:
                known.append(name)
            else:
                servant(f"rmmod {name}")
                bad += check.quiet(known)
        except RuntimeError as e:
            bad = [str(e)]
        report(f"{name}_is_found", bad)


def play(opts, folder):
    report = Report()
    print(f"KTAP version 1\n1..{len(FOUND) + 2}", flush=True)
    with Machine(opts.kernel, opts.mem, 5, folder, ["python3", f"{HERE}/servant.py", folder]) as guest:
        tools = Tools(opts.build, folder, guest)
        servant = Servant(guest, folder, opts.timeout)
        servant(f"cat /proc/iomem >{folder}/iomem")
        tools.regions()
        tools.target()
        check = Checker(tools)
        report("nothing_is_found_where_nothing_is", check.quiet())
        servant.start(BUSY % folder)
        bad = check.busy(opts.rounds)
        with open(f"{folder}/calm", "w", encoding="ascii"):
            pass
        changes = servant.finish().count("round")
        print(f"# {check.doubts} of {check.looks} looks cannot tell, while all came and went "
              f"{changes} times")
        if not changes or check.doubts == check.looks:
            bad.append("nothing has changed, or no look at it could tell")
        report("nothing_is_found_where_much_changes", bad)
        try_all(report, check, servant, f"{opts.build}/rootkits/{guest.kernel.release}")
    return report.failed


if __name__ == "__main__":
    sys.exit(main(__doc__, play, rounds={"type": int, "default": 200}))
