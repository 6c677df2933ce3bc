#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Measure doca_apsh on a guest that is stopped, and whose memory is a file.

Figures are medians: of the time that something takes, which is to be below the goal, and
of the processor's time, which other work disturbs less. A guest's processes mostly sleep;
it is measured with some and with many of them.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from golden import Tools, cost_from_inside  # noqa: E402 (not before that)
from machine import Machine, main  # noqa: E402

# Names that bench.c prints, what each is, in which unit of microseconds, and the goal for a guest
# of 360 processes; a process is to take the same time where there are more.
FIGURES = (
    ("start", "system_start, map of doca_apsh_map", "ms", 1000, 90),
    ("start_full", "system_start, full map", "ms", 1000, 1000),
    ("find", "kernel found within that", "ms", 1000, 50),
    ("a_process", "processes_get, a process", "us", 1, 10),
    ("all", "ps threads maps libs lsmod ss ip, whole guest", "ms", 1000, 250),
    ("tool", "doca_apsh ps, exec to exit", "ms", 1000, 115),
)
OF_ANY_SIZE = ("start", "start_full", "find", "a_process")


def measure(tools, target):
    build, folder = tools.build, tools.folder
    done = subprocess.run(
        [f"{build}/selftests/apsh/bench", target, f"{folder}/regions.json",
         f"{folder}/map.json", f"{folder}/full.json", f"{build}/tools/doca_apsh"],
        env=tools.env, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(done.stderr)
    figures = {name: (float(real), float(cpu)) for name, real, cpu in
               (line.split() for line in done.stdout.splitlines())}
    found = re.search(r"found by (.*) in (\d+) us", done.stderr)
    figures["find"] = (float(found[2]), None)
    print(f"# found by {found[1]}")
    return figures


def print_figures(figures, small):
    print(f"{figures['processes'][0]:.0f} processes{'':39} time       CPU")
    for name, what, unit, by, goal in FIGURES:
        real, cpu = figures[name]
        held = f"goal {goal}" if small or name in OF_ANY_SIZE else ""
        used = "" if cpu is None else f"{cpu / by:9.2f}"
        print(f"  {what:46} {real / by:9.2f} {used:9} {unit}  {held}", flush=True)


def bench(opts, folder, processes):
    here = os.path.dirname(os.path.realpath(__file__))
    with Machine(opts.kernel, opts.mem, 5, folder, [
            "python3", f"{here}/crowd.py", folder, opts.build, str(processes)]) as machine:
        tools = Tools(opts.build, folder, machine)
        open(f"{folder}/go", "w", encoding="ascii").close()
        tools.run("doca_apsh_map", "symbols", "--full", "--vmlinuz", machine.kernel.image,
                  "-o", f"{folder}/full.json")
        machine.wait_for("ready", opts.timeout)
        tools.regions()
        tools.target()
        machine.qmp()("stop")
        figures = measure(tools, "vm")
        print_figures(figures, processes == opts.processes[0])
    return cost_from_inside(folder)


def play(opts, folder):
    load = os.getloadavg()[0]
    print(f"# load of this machine: {load:.1f}" + (
        "; figures of a quiet one are lower" if load > 0.5 else ""))
    wrong = []
    for processes in opts.processes:
        of = f"{folder}/{os.path.basename(folder)}-{processes}"
        os.mkdir(of)
        wrong += bench(opts, of, processes)
    for line in wrong:
        print(f"# {line}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(__doc__, play, mem="2G", timeout=900,
                  processes={"type": int, "nargs": "+", "default": [360, 4000],
                             "help": "of the guests; goals are of the first"}))
