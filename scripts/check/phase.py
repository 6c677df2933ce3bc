# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""A phase of a run: what it is to do, and what came of it."""

import contextlib
import glob
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
BUILD = os.path.abspath(os.environ.get("DOCA_BUILD") or os.path.join(TOP, "build"))
RESULTS = os.path.join(BUILD, "results")

sys.path.insert(0, os.path.join(TOP, "selftests", "lib"))
import ktap  # noqa: E402

# Makes that are run from here are not part of the one that ran us.
ENVIRONMENT = {k: v for k, v in os.environ.items()
               if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}

output = threading.Lock()


def say(text):
    """There may be nobody left to read it: that ends nothing."""
    with output, contextlib.suppress(OSError):
        print(text, flush=True)


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


@dataclass
class Outcome:
    """Sums of cases, programs that failed once only, and what else is to be said."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    flaky: list = field(default_factory=list)  # names with the logs of their failures
    lines: list = field(default_factory=list)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.flaky += other.flaky


def flaky_programs(text, log):
    """Those of which lib/tests/run has said so."""
    return [(path, log) for path in re.findall(r"^FLAKY (\S+)", text, re.MULTILINE)]


def sums_of(text):
    """The last line of sums, if there is one."""
    sums = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", text, re.MULTILINE)
    return Outcome(*map(int, sums[-1])) if sums else None


@dataclass
class Phase:
    """A part of a run that passes or fails by itself. "bound" are the seconds that it may take
    on a slow host: more is said, for somebody has to look at it."""

    name: str
    bound: int

    apart = False  # whether it needs nothing of the phases before it, and may run beside any

    def __post_init__(self):
        """Its results have its name, and are removed: it is that of nothing else."""
        self.name = self.name.replace("/", "_")
        if self.name in ("", ".", ".."):
            raise ValueError(f"no phase can be called {self.name!r}")

    def folder(self):
        path = os.path.join(RESULTS, self.name)
        os.makedirs(path, exist_ok=True)
        return path

    def execute(self):
        """To be defined by each kind: return an Outcome."""
        raise NotImplementedError

    def run(self):
        start = time.monotonic()
        outcome = self.execute()
        took = time.monotonic() - start
        word = "FAIL" if outcome.failed else "ok"
        lines = [f"{word:5} {self.name}: {outcome.passed} passed, {outcome.failed} failed, "
                 f"{outcome.skipped} skipped, {took:.0f} s"]
        lines += ["      " + line for line in outcome.lines]
        lines += [f"FLAKY {name}: see {log}" for name, log in outcome.flaky]
        if took > self.bound:
            lines.append(f"SLOW  {self.name}: more than its bound of {self.bound} s")
        say("\n".join(lines))
        return outcome, took


def group_lives(group):
    """Not one of zombies alone, which the first process of a container may leave for ever."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        state, _, its_group = (read(path).rpartition(") ")[2].split() + ["Z", "", ""])[:3]
        if its_group == str(group) and state not in "ZX":
            return True
    return False


class Children:
    """Commands that run. Each is the first process of a group, by which all that it has begun is
    ended with it."""

    grace = 60  # seconds

    def __init__(self):
        self.running, self.stopped = set(), False
        self.lock = threading.Lock()

    def begin(self, command, out, env):
        with self.lock:
            if self.stopped:
                raise RuntimeError(f"{command[0]} is not run any more")
            process = subprocess.Popen(command, cwd=TOP, env={**ENVIRONMENT, **(env or {})},
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       start_new_session=True)
            self.running.add(process)
            return process

    def end(self, *processes):
        """They have a moment to tidy up."""
        left = list(processes)
        for number in signal.SIGTERM, signal.SIGKILL:
            for process in left:
                # Its number is the group's as long as the group has anybody.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
            limit = time.monotonic() + self.grace
            while left and time.monotonic() < limit:
                left = [p for p in left if p.poll() is None or group_lives(p.pid)]
                time.sleep(0.01 if left else 0)
        with self.lock:
            self.running.difference_update(processes)

    def stop(self):
        """End all, and begin no more."""
        with self.lock:
            self.stopped = True
            running = list(self.running)
        self.end(*running)


children = Children()


@contextlib.contextmanager
def started(command, log, env=None):
    """A command that runs meanwhile, and no longer; what it prints goes to the log."""
    with open(log, "w", encoding="utf-8") as out:
        process = children.begin(command, out, env)
        try:
            yield process
        finally:
            children.end(process)


def run_command(command, log, env=None, limit=None):
    """The exit status; what it prints goes to the log. It has so many seconds, if any."""
    with started(command, log, env) as process:
        if wait_for(process, limit):
            return process.wait()
        with open(log, "a", encoding="utf-8") as out:
            out.write(f"it was ended after {limit} s\n")
        return ktap.TIMED_OUT


def wait_for(process, limit):
    """Return False if it does not end in time."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(limit)
        return True
    return False
