#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Look at a guest in which everything comes and goes, and which is not stopped.

Whatever doca_apsh says of it is held against what there can have been: a process has a
PID that was given to one, and the name that goes with it. It may not crash, not take
long, and not leave out much. KTAP, as other tests.
"""

import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from golden import Report, Tools  # noqa: E402 (not before that)
from machine import Machine, main  # noqa: E402

OF_SYSTEM = ("ps", "ss", "ps", "lsmod", "ip", "containers")
OF_PROCESS = ("threads", "maps", "libs", "fds", "env", "args", "caps", "inject")
LONGEST = 2.0  # seconds of a CPU that a call may take
MOST_UNTOLD = 0.1
FEWEST = 100  # processes and names
MOST_TIMES = 10  # the seconds, on a host that is busy
MOST_LEFT_OUT = 0.01
KTHREADD = 2


def cpu_time():
    """Of children that have ended, which the guest has not."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Storm:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        self.rows, self.left_out, self.calls, self.longest = 0, 0, 0, (0, "")
        self.untold = 0
        self.crashes, self.errors, self.seen, self.gone = [], [], {}, {}

    def call(self, *args):
        """Rows, or None where there are none."""
        tool = os.path.join(self.tools.build, "tools/doca_apsh")
        start = cpu_time()
        done = subprocess.run(
            [tool, "-t", "vm", "-m", f"{self.folder}/regions.json", "-o",
             f"{self.folder}/map.json", "--stats", "--json", *args], env=self.tools.env,
            capture_output=True, text=True, check=False, timeout=60)
        took = cpu_time() - start
        self.calls += 1
        self.longest = max(self.longest, (took, " ".join(args)))
        self.untold += done.returncode == 3 or "changed whenever" in done.stderr
        what = f"{' '.join(args)}: {done.returncode}: {done.stderr.strip()[-500:]}"
        if done.returncode < 0 or "Sanitizer" in done.stderr:
            self.crashes.append(what)
        # One that has ended meanwhile is no failure, nor memory that it gave back.
        elif done.returncode and not re.search("is gone|not found|NOT_FOUND|are not in memory|"
                                               "cannot tell|changed whenever",
                                               done.stderr, re.I):
            self.errors.append(what)
        for pid, comm in re.findall(r'process (\d+), "(.*)", is gone', done.stderr):
            self.gone[int(pid)] = comm
        if done.returncode:
            return None
        stats = re.search(r"left_out (\d+)", done.stderr)
        self.left_out += int(stats[1])
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.rows += len(rows)
        return rows

    def remember(self, rows):
        """Of each, what is to be checked when all is known. None may be there that was gone."""
        self.errors += [f"{row['pid']}, {row['comm']}, was said to be gone" for row in rows
                        if self.gone.get(row["pid"]) == row["comm"]]
        self.gone = {}
        for row in rows:
            self.seen.setdefault((row["pid"], row.get("comm") or row.get(
                "linux_proc_name", ""), row.get("ppid")), True)

    def run(self, seconds):
        start = time.monotonic()
        pids = [1]
        for command in itertools.cycle(OF_SYSTEM):
            rows = self.call(command)
            if command == "ps" and rows:
                self.remember(rows)
                pids = [row["pid"] for row in rows]
            for of in random.sample(OF_PROCESS, 3):
                rows = self.call(of, str(random.choice(pids)))
                if of == "threads" and rows:
                    for row in rows:
                        self.seen.setdefault((row["tid"], "", None), True)
            took = time.monotonic() - start
            if took > seconds and (len(self.seen) >= FEWEST or took > MOST_TIMES * seconds):
                return

    def impossible(self, before):
        """Those whose PID nobody had, or who have another's name."""
        with open(f"{self.folder}/pids", "rb") as f:
            bits = f.read()
        last = max(i for i, byte in enumerate(bits) if byte) * 8 + 8
        bad = []
        for pid, comm, ppid in self.seen:
            named = re.fullmatch(r"p-(\d+)", comm)
            if named and int(named[1]) != pid:
                bad.append(f"{pid} is called {comm}")
            given = pid < len(bits) * 8 and bits[pid // 8] >> pid % 8 & 1
            # what the storm has not started are threads of the kernel
            if not given and pid not in before and not (ppid in (KTHREADD, None) and pid < last):
                bad.append(f"nobody had the PID {pid}: {comm}, child of {ppid}")
        return bad


def judge(storm, before):
    report = Report()
    print("KTAP version 1\n1..5", flush=True)
    report("nothing_crashes", storm.crashes)
    report("nothing_fails_for_another_reason_than_that_something_has_ended", storm.errors)
    bad = storm.impossible(before)
    if len(storm.seen) < FEWEST:
        bad.append(f"only {len(storm.seen)} processes were seen")
    report("every_process_was_one", bad)
    took, what = storm.longest
    report("no_call_is_long", [f"{what} took {took:.1f} s"] if took > LONGEST else [])
    share = storm.left_out / max(storm.rows, 1)
    untold = storm.untold / storm.calls
    report("little_is_left_out", [f"{share:.2%}"] * (share > MOST_LEFT_OUT) +
           [f"{untold:.0%} of calls cannot tell"] * (untold > MOST_UNTOLD))
    print(f"# {storm.calls} calls, {storm.rows} rows, {len(storm.seen)} processes and names; "
          f"{storm.left_out} left out; {storm.untold} calls cannot tell; the longest took "
          f"{took:.2f} s of a CPU ({what})")
    return report.failed


def storm(opts, folder):
    with Machine(opts.kernel, opts.mem, 5, folder,
                 [f"{opts.build}/selftests/apsh/storm", folder], nodes=2) as guest:
        tools = Tools(opts.build, folder, guest)
        guest.wait_for("ready", opts.timeout)
        tools.regions()
        tools.target()
        time.sleep(2)
        seen = Storm(tools, folder)
        qmp = guest.qmp()
        qmp("stop")
        before = {row["pid"] for row in seen.call("ps")}
        qmp("cont")
        seen.run(opts.seconds)
        with open(f"{folder}/stop", "w", encoding="ascii"):
            pass
        guest.wait_for("pids", opts.timeout)
        return judge(seen, before)


if __name__ == "__main__":
    sys.exit(main(__doc__, storm, seconds={"type": float, "default": 600}))
