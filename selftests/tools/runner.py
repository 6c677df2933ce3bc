#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""scripts/check itself: that nothing which failed, or did not run, counts as passed. KTAP."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
CHECK = os.path.join(HERE, "..", "..", "scripts", "check")
os.environ["DOCA_BUILD"] = tempfile.mkdtemp(prefix="doca-runner-")
sys.dont_write_bytecode = True
sys.path.insert(0, CHECK)
import history  # noqa: E402 (not before that)
import ktap  # noqa: E402
import machine  # noqa: E402
from phase import Outcome, Phase  # noqa: E402


def load_check():
    loader = importlib.machinery.SourceFileLoader("check", os.path.join(CHECK, "check"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
    loader.exec_module(module)
    return module


check = load_check()
check.say = history.say = machine.say = lambda text: None


class Made(Phase):
    """A phase whose outcome is made up, and which tells that it was run."""

    ran = []

    def __init__(self, name, *sums):
        super().__init__(name, 1)
        self.sums = sums

    def run(self):
        Made.ran.append(self.name)
        return Outcome(*self.sums), 1


def run_of(lanes, keep=None, resume=False, tier="made"):
    Made.ran = []
    past = history.History(tier)
    past.tree = "the same"
    past.begin(resume)
    if keep:
        past.add = keep
    run = check.Run(past)
    run.all(lanes)
    return run.total


def judge(text, code):
    verdict = ktap.judge(text, code)
    return verdict.passed, verdict.failed, verdict.skipped


def one_that_skips_and_then_crashes_has_failed():
    return (judge("1..0 # SKIP x\n", 0) == (0, 0, 1) and
            judge("1..0 # SKIP x\n", ktap.SKIPPED) == (0, 0, 1) and
            judge("1..0 # SKIP x\n==1==ERROR: LeakSanitizer\n", 1)[1] == 1 and
            judge("1..0 # SKIP x\n", ktap.TIMED_OUT)[1] == 1)


def one_that_has_no_cases_has_failed():
    return (judge("1..0\n", 0)[1] == 1 and judge("", 0)[1] == 1 and
            judge("", ktap.SKIPPED) == (0, 0, 1) and
            judge("1..0 # SKIP\nok 1 a\n", 0)[1] > 0)


def programs_that_did_not_run_have_failed():
    run = os.path.join(CHECK, "..", "..", "process", "programs", "run")
    done = subprocess.run([run, "process/nothing"], capture_output=True, text=True, check=False,
                          env={**os.environ, "DOCA_TEST_JOBS": "none"})
    return done.returncode != 0 and done.stdout.splitlines()[-1].split()[2] != "0"


def each_plan_counts():
    return (judge("1..1\nok 1 a\n1..2\nok 1 a\nok 2 b\n", 0) == (3, 0, 0) and
            judge("1..3\nok 1 a\nok 2 b\nok 3 c\n1..3\nok 1 a\n", 0)[1] == 2 and
            judge("1..1\nok 1 a\nok 2 b\n", 0)[1] == 1 and
            judge("1..1\nok 1 a\n1..0 # SKIP x\n", 0)[:2] == (1, 0) and
            judge("1..0 # SKIP x\n1..1\nok 1 a\n", 0)[:2] == (1, 0))


def what_cannot_be_kept_counts_all_the_same():
    file = history.FILE
    history.FILE = "/proc/nothing/history.json"
    try:
        total = run_of([[Made("one", 1, 3), Made("two", 5)]])
    finally:
        history.FILE = file
    return (total.passed, total.failed) == (6, 3) and Made.ran == ["one", "two"]


def a_lane_that_ends_early_has_failed():
    def keep(*_):
        raise RuntimeError("made up")
    total = run_of([[Made("one", 1, 3), Made("two", 5)]], keep)
    return total.passed == 1 and total.failed == 4


def what_has_passed_is_not_run_again():
    run_of([[Made("one", 4), Made("two", 1, 1)]])
    total = run_of([[Made("one", 4), Made("two", 2)]], resume=True)
    return total.passed == 6 and not total.failed and Made.ran == ["two"]


def flaky_is_not_forgotten():
    class Flaky(Made):
        """It had to be run twice."""

        def run(self):
            outcome, took = super().run()
            outcome.flaky = [("one", "log")]
            return outcome, took
    lanes = [[Flaky("one", 1), Made("two", 1, 1)]]
    return (run_of(lanes).flaky == [("one", "log")] and
            run_of(lanes, resume=True).flaky == [("one", "log")] and Made.ran == ["two"])


def runs_of_other_tests_are_others():
    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since = "check", "", "", "", ""
    names = []
    for Opts.since in ("", "HEAD", "HEAD~1", "no commit"):
        names.append(check.name_of(Opts))
    Opts.since = ""
    for Opts.phases, Opts.kernels, Opts.test in (("6.12", "", ""), ("", "6.12", ""), ("", "", "6.12")):
        names.append(check.name_of(Opts))
    return len(set(names)) == len(names)


def phases_are_chosen_by_their_names():
    lanes = [[Made("one", 1), Made("two", 1)], [Made("three", 1)]]
    names = [[p.name for p in lane] for lane in check.chosen(lanes, ["two", "three"])]
    try:
        check.chosen(lanes, ["four"])
    except SystemExit as e:
        return names == [["two"], ["three"]] and "no phase four" in str(e)
    return False


def a_machine_that_complained_has_failed():
    code = 0

    class Programs(machine.Programs):
        """In a machine that is made up."""

        def boot(self):
            with open(self.log(), "w", encoding="utf-8") as f:
                f.write("1 passed, 0 failed, 0 skipped\n")
            return code
    good = Programs("programs", 1).execute()
    code = 125
    bad = Programs("programs", 1).execute()
    return not good.failed and bad.failed == 1 and bad.lines[0] == "exit status 125"


CASES = (one_that_skips_and_then_crashes_has_failed, one_that_has_no_cases_has_failed,
         programs_that_did_not_run_have_failed, each_plan_counts,
         what_cannot_be_kept_counts_all_the_same, a_lane_that_ends_early_has_failed,
         what_has_passed_is_not_run_again, flaky_is_not_forgotten,
         runs_of_other_tests_are_others, phases_are_chosen_by_their_names,
         a_machine_that_complained_has_failed)


def main():
    failed = 0
    print(f"KTAP version 1\n1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        good = case()
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} {case.__name__}")
    return failed > 0


try:
    sys.exit(main())
finally:
    shutil.rmtree(os.environ["DOCA_BUILD"])
