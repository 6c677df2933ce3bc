#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Machines that scripts/check boots once more where QEMU has failed: what has failed in the first
one is not forgotten. KTAP."""

import os

from made_up import BUILD, run_cases
import machine

machine.say = lambda text: None
FAULT = "Oops: int3: 0000\n"
TESTS = [machine.Test("pollers", "api", name) for name in ("one", "two")]


class Boots:
    """In the place of run_command(): a function for each boot, which leaves something in the folder
    or the log, and returns the exit status."""

    def __init__(self, guest, *boots):
        self.guest, self.boots, self.commands, self.lists = guest, boots, [], []

    def __call__(self, command, log, env):
        boot = self.boots[len(self.commands)]
        self.commands.append(command)
        with open(log, "w", encoding="utf-8"):
            pass
        path = f"{self.guest.folder()}/list"
        self.lists.append(" ".join(line.split()[2] for line in machine.read(path).splitlines()))
        return boot(self.guest.folder(), log)

    def outcome(self):
        was, machine.run_command = machine.run_command, self
        try:
            return self.guest.execute()
        finally:
            machine.run_command = was


def leave(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8") as f:
        f.write(text)


def fault(folder):
    """QEMU's."""
    leave(f"{folder}/console.log", FAULT)
    return 125


def tally(folder, *names):
    for name in names:
        sums = "0 1 0" if name.startswith("-") else "1 0 0"
        leave(f"{folder}/tally", f"pollers api {name.lstrip('-')} {sums} 0.1\n")
    return 0


def log_of(folder, name):
    return f"{folder}/pollers/api.{name}.log"


def both(folder, log):
    return tally(folder, "one", "two")


def outcome_of(first, second, kernel="6.12"):
    """(tests of each boot, sums, what was flaky with the first line of its log)"""
    boots = Boots(machine.Machine("machine", 1, kernel=kernel, tests=TESTS), first, second)
    outcome = boots.outcome()
    flaky = [(name, machine.read(log)) for name, log in outcome.flaky]
    return boots.lists, (outcome.passed, outcome.failed), flaky


def a_failure_before_a_second_attempt_is_flaky():
    def first(folder, log):
        leave(log_of(folder, "two") + ".first", "not ok 1 a\n")
        leave(f"{folder}/first_failures", f"pollers api two {log_of(folder, 'two')}.first\n")
        tally(folder, "one")
        return fault(folder)
    flaky = [("machine pollers api two", "not ok 1 a\n")]
    return (outcome_of(first, lambda folder, _: tally(folder, "two")) ==
            (["one two", "two"], (2, 0), flaky) and
            outcome_of(first, lambda folder, _: tally(folder, "-two")) ==
            (["one two", "two"], (1, 1), []) and
            outcome_of(first, lambda folder, _: 0)[1:] == ((1, 1), []))


def a_case_that_failed_before_is_flaky():
    def first(folder, log):
        leave(log_of(folder, "one"), "1..2\nnot ok 1 a\n")
        return fault(folder)

    def begins(folder, log):
        leave(log_of(folder, "one"), "1..2\nok 1 a\n")
        return fault(folder)
    return (outcome_of(first, both) ==
            (["one two"] * 2, (2, 0), [("machine pollers api one", "1..2\nnot ok 1 a\n")]) and
            outcome_of(begins, both) == (["one two"] * 2, (2, 0), []))


def what_is_run_twice_is_flaky_once():
    """And in the second machine it had to be run twice again."""
    def twice(folder, log):
        leave(log_of(folder, "two") + ".first", "")
        leave(f"{folder}/first_failures", f"pollers api two {log_of(folder, 'two')}.first\n")
        return fault(folder) if not machine.read(f"{folder}/console.0.log") else both(folder, log)
    return outcome_of(twice, twice)[1:] == ((2, 0), [("machine pollers api two", "")])


def passes_count_where_leaks_are_looked_for():
    def first(folder, log):
        tally(folder, "one")
        return fault(folder)

    def fails(folder, log):
        tally(folder, "-one")
        return fault(folder)

    def second(folder, log):
        return tally(folder, *machine.read(f"{folder}/list").split()[2::3])
    return (outcome_of(first, second) == (["one two", "two"], (2, 0), []) and
            outcome_of(first, second, "debug") == (["one two"] * 2, (2, 0), []) and
            outcome_of(fails, second, "debug") == (["one two", "two"], (1, 1), []))


def of_script(kind, bound, *outputs):
    """Output behind a "!" is that of a boot in which QEMU fails."""
    def boot(output):
        def leaves(folder, log):
            leave(log, output.lstrip("!"))
            return fault(folder) if output.startswith("!") else 0
        return leaves
    boots = Boots(kind("script", bound, kernel="6.12"), *map(boot, outputs))
    outcome = boots.outcome()
    limit = {int(c[c.index("--timeout") + 1]) for c in boots.commands}
    return len(boots.commands), (outcome.passed, outcome.failed), outcome.flaky, limit


def a_script_is_run_again():
    return (of_script(machine.Script, 300, "!1..2\nok 1 a\n", "1..2\nok 1 a\nok 2 b\n") ==
            (2, (2, 0), [], {900}) and
            of_script(machine.Script, 900, "!1..2\nnot ok 1 a\n")[:2] == (1, (0, 2)) and
            of_script(machine.Script, 900, "!", "!")[:2] == (2, (0, 1)))


def programs_are_run_again():
    sums = "2 passed, 0 failed, 0 skipped\n"
    log = f"{BUILD}/results/script/vm.1.log"
    return (of_script(machine.Programs, 3600, "!  ok 1 a\n", f"FLAKY api/one\n{sums}") ==
            (2, (2, 0), [("api/one", log)], {10800}) and
            of_script(machine.Programs, 3600, "!  not ok 1 a\n")[:2] == (1, (0, 1)))


CASES = (a_failure_before_a_second_attempt_is_flaky, a_case_that_failed_before_is_flaky,
         what_is_run_twice_is_flaky_once, passes_count_where_leaks_are_looked_for,
         a_script_is_run_again, programs_are_run_again)


run_cases(CASES)
