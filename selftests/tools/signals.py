#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Runners of tests that are ended by a signal, or end what hangs: nothing outlives them. KTAP."""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading

from made_up import BUILD, CHECK, TOP, Made, load, run_cases
import history
import host
import phase
from phase import Children, Outcome, Phase, children, run_command

check = load("check", os.path.join(CHECK, "check"))
check.say = history.say = lambda text: None
history.tree = lambda: "the same"


class Line:
    """A named pipe into which a process writes. It ends with the last one that has it."""

    def __init__(self):
        self.path = os.path.join(tempfile.mkdtemp(dir=BUILD), "line")
        os.mkfifo(self.path)
        self.fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self):
        """What there is; "" if nobody has it any more, and None if that takes too long."""
        return os.read(self.fd, 100).decode() if select.select([self.fd], [], [], 60)[0] else None

    def is_idle(self):
        """Nobody has ever had it."""
        return not select.select([self.fd], [], [], 0)[0]


HANGS = "#!/bin/sh\nexec 9>{}\necho begun >&9\nsleep infinity & sleep infinity\n"


def no_program_outlives_its_runner():
    """Of two at a time, and one that is not begun then."""
    good = True
    for number in signal.SIGTERM, signal.SIGINT:
        lines, paths = [Line() for _ in range(3)], []
        for line in lines:
            paths.append(line.path + ".sh")
            with open(paths[-1], "w", encoding="utf-8") as f:
                f.write(HANGS.format(line.path))
            os.chmod(paths[-1], 0o700)
        with subprocess.Popen([os.path.join(TOP, "lib", "tests", "run"), *paths],
                              stdout=subprocess.DEVNULL,
                              env={**os.environ, "DOCA_TEST_JOBS": "2"}) as child:
            begun = [line.read() for line in lines[:2]]
            child.send_signal(number)
            code = child.wait()
        ended = [line.read() for line in lines[:2]]
        good &= (begun == ["begun\n"] * 2 and ended == ["", ""] and lines[2].is_idle() and
                 code == 128 + number)
    return good


class Hangs(Phase):
    """A command that hangs, with one that it has begun."""

    def execute(self):
        log = os.path.join(self.folder(), "log")
        return Outcome(failed=int(run_command(["sh", "-c", HANGS.format(self.line.path)], log) != 0))


def interrupted(plan, line, number):
    """(what main() returns, what it says at its end, whether the phase begun and ended)"""
    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since, resume = "check", "", "", "", "", False
    was = check.plan, check.parse, [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    check.plan, check.parse = lambda opts: plan, Opts
    ends, out = [], os.path.join(BUILD, "said")

    def interrupt():
        ends.append(line.read())
        if ends[0]:
            signal.pthread_kill(threading.main_thread().ident, number)
            signal.pthread_kill(threading.main_thread().ident, number)  # make sends it again
    thread = threading.Thread(target=interrupt)
    thread.start()
    with open(out, "w+", encoding="utf-8") as f:
        with contextlib.redirect_stdout(f):
            code = check.main()
        f.seek(0)
        said = f.read().splitlines()
    thread.join()
    check.plan, check.parse, handlers = was
    for signum, handler in zip((signal.SIGINT, signal.SIGTERM), handlers):
        signal.signal(signum, handler)
    children.stopped = False
    return code, said[-1], ends + [line.read()]


def a_signal_ends_all_that_runs():
    one, two = Hangs("one", 1), Hangs("two", 1)
    one.line, two.line = Line(), Line()
    Made.ran = []
    of_lane = interrupted((None, lambda: [[one, Made("three", 1)], []]),
                          one.line, signal.SIGTERM)
    of_build = interrupted((two, lambda: [[Made("five", 1)]]), two.line, signal.SIGINT)
    return (of_lane == (True, "0 passed, 1 failed, 0 skipped", ["begun\n", ""]) and
            of_build == (True, "0 passed, 1 failed, 0 skipped", ["begun\n", ""]) and
            not Made.ran)


def a_target_that_hangs_is_ended():
    line, was = Line(), host.run_command

    def run(command, log, env=None, limit=None):
        limits.append(limit)
        return was(["sh", "-c", HANGS.format(line.path)], log, env, 0.01)
    limits, host.run_command = [], run
    outcome = host.Make("hangs", 9000, target="it", plain=True).execute()
    host.run_command = was
    return (limits == [27000] and outcome.failed == 1 and "ended after" in outcome.lines[-2] and
            (line.is_idle() or line.read() in ("", "begun\n")))


def what_a_command_leaves_is_ended():
    """Even if that ignores a signal which asks for it."""
    line, children.grace = Line(), 0.1
    script = f"exec 9>{line.path}; echo begun >&9; trap '' TERM; sleep infinity &"
    code = run_command(["sh", "-c", script], os.path.join(BUILD, "left"))
    children.grace = Children.grace
    return code == 0 and line.read() == "begun\n" and line.read() == ""


def what_nobody_reads_ends_nothing():
    reader, writer = os.pipe()
    os.close(reader)
    out = os.fdopen(writer, "w")
    with contextlib.redirect_stdout(out):
        phase.say("a word")
    with contextlib.suppress(BrokenPipeError):
        out.close()
    return True


# A job in the background of a shell ignores it, and so would all that is begun here.
signal.signal(signal.SIGINT, signal.default_int_handler)
run_cases((no_program_outlives_its_runner, a_signal_ends_all_that_runs, a_target_that_hangs_is_ended,
           what_a_command_leaves_is_ended, what_nobody_reads_ends_nothing))
