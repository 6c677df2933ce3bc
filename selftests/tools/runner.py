#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""scripts/check itself: that nothing which failed, or did not run, counts as passed. KTAP."""

import contextlib
import io
import os
import subprocess
import tempfile

from made_up import BUILD, CHECK, TOP, Made, load, run_cases
import history
import host
import ktap
import machine
import tiers
from phase import Outcome

check = load("check", os.path.join(CHECK, "check"))
guest = load("guest", os.path.join(TOP, "selftests", "lib", "run"))
check.say = history.say = machine.say = lambda text: None
history.tree = lambda: "the same"


def run_of(lanes, keep=None, resume=False, tier="made"):
    Made.ran = []
    past = history.History(tier)
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
            judge("1..0 # SKIP x\n", ktap.TIMED_OUT)[1] == 1 and
            judge("1..1\nok 1 a # SKIP x\n", ktap.SKIPPED) == (0, 0, 1) and
            judge("1..2\nok 1 a\nok 2 b # SKIP x\n", ktap.SKIPPED)[1] == 1)


def one_that_has_no_cases_has_failed():
    return (judge("1..0\n", 0)[1] == 1 and judge("", 0)[1] == 1 and
            judge("", ktap.SKIPPED) == (0, 0, 1) and
            judge("1..0 # SKIP\nok 1 a\n", 0)[1] > 0)


def one_that_had_a_report_has_failed():
    kept = "==7==WARNING: AddressSanitizer failed to allocate 0x7fffffffffff bytes\n"
    return (judge("1..1\n==7==WARNING: ThreadSanitizer: data race\nok 1 a\n", 0)[1] == 1 and
            judge("1..1\nok 1 a\na.c:1:2: runtime error: shift\n", 0)[1] == 1 and
            judge("1..1\nok 1 a\n==7== Invalid read of size 8\n", 0)[1] == 1 and
            judge("1..1\nok 1 a\n" + kept, 0) == (1, 0, 0))


def programs_that_did_not_run_have_failed():
    run = os.path.join(TOP, "process", "programs", "run")
    done = subprocess.run([run, "process/nothing"], capture_output=True, text=True, check=False,
                          env={**os.environ, "DOCA_TEST_JOBS": "none"})
    return done.returncode != 0 and done.stdout.splitlines()[-1].split()[2] != "0"


def each_plan_counts():
    return (judge("1..1\nok 1 a\n1..2\nok 1 a\nok 2 b\n", 0) == (3, 0, 0) and
            judge("1..3\nok 1 a\nok 2 b\nok 3 c\n1..3\nok 1 a\n", 0)[1] == 2 and
            judge("1..1\nok 1 a\nok 2 b\n", 0)[1] == 1 and
            judge("1..1\nok 1 a\n1..0 # SKIP x\n", 0) == (1, 0, 1) and
            judge("1..0 # SKIP x\n1..1\nok 1 a\n", 0) == (1, 0, 1) and
            judge("1..1\nok 1 a\n1..0\n", 0)[1] == 1)


SKIPS = "echo 1..0 \\# SKIP it is gone"
FAILS = "echo 1..2; echo ok 1 a; echo not ok 2 b; exit 1"
PASSES = "echo 1..2; echo ok 1 a; echo ok 2 b"


def run_twice(first, second):
    """The last lines of lib/tests/run, of a program that does something else the second time."""
    path = os.path.join(BUILD, "twice.sh")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\nmkdir $0.was 2>/dev/null && {{ {first}; exit; }}\n{second}\n")
    os.chmod(path, 0o700)
    done = subprocess.run([os.path.join(TOP, "lib", "tests", "run"), path], capture_output=True,
                          text=True, check=False)
    os.rmdir(path + ".was")
    lines = done.stdout.splitlines()
    return f"FLAKY {path}" in lines, lines[-1]


def one_that_skips_the_second_time_is_not_flaky():
    return (run_twice(FAILS, PASSES) == (True, "2 passed, 0 failed, 0 skipped") and
            run_twice(FAILS, SKIPS) == (False, "1 passed, 1 failed, 0 skipped") and
            run_twice(FAILS, PASSES + " \\# SKIP") == (False, "1 passed, 1 failed, 0 skipped") and
            run_twice("echo 1..2; echo ok 1 a \\# SKIP x; echo not ok 2 b; exit 1",
                      PASSES + " \\# SKIP")[0] is False)


def skips_of_another_plan_are_others():
    def flaky(first, second):
        return ktap.is_flaky(ktap.judge(first, 1), ktap.judge(second, 0))
    fails, passes, nothing = "1..1\nnot ok 1 a\n", "1..1\nok 1 a\n", "1..0 # SKIP x\n"
    skips = "1..1\nok 1 a # SKIP x\n"
    return (flaky(nothing + fails, nothing + passes) and
            not flaky(nothing + fails + passes, passes + passes + nothing) and
            not flaky(skips + fails + passes, passes + skips + passes))


def nor_is_it_in_a_machine():
    tally, noted = [], os.path.join(BUILD, "first_failures")

    class Runner(guest.Runner):
        """Attempts that are made up, with neither a module nor the kernel's log."""

        again = True

        def __init__(self, *attempts):
            self.results, self.attempts = BUILD, list(attempts)

        def attempt(self, path, group, program, parameters):
            known.append(guest.read(noted).count("pollers api removal "))
            text, code = self.attempts.pop(0)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            return ktap.judge(text, code)

        def report(self, name, verdict, took, log):
            tally.append((verdict.passed, verdict.failed, verdict.skipped, guest.read(log)))
    guest.write = lambda path, text: None
    known = []
    fails = "1..2\nok 1 a\nnot ok 2 b\n"
    skips, passes = "1..0 # SKIP it is gone\n", "1..2\nok 1 a\nok 2 b\n"
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        Runner((fails, 1), (skips, 0)).run("pollers", "api", "removal", "")
        Runner((fails, 1), (passes, 0)).run("pollers", "api", "removal", "")
    # That it failed is known before the second attempt, which the machine may not outlive.
    return (known == [0, 1, 1, 2] and
            tally == [(1, 1, 0, fails), (2, 0, 0, passes)])


def processes_that_stay_are_no_end_of_the_runner():
    guest.CGROUPS = guest.BUILD = tempfile.mkdtemp(dir=BUILD)
    folder = os.path.join(guest.BUILD, "selftests", "made")
    os.makedirs(folder)
    with open(f"{folder}/up", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexit 3\n")
    os.chmod(f"{folder}/up", 0o700)
    was = guest.wait_until, guest.remove_cgroup, guest.write
    guest.wait_until, guest.write = (lambda holds, seconds=5: holds()), lambda path, text: None
    ends = []
    for guest.remove_cgroup in (lambda path: False, lambda path: False, lambda path: True):
        ends.append(guest.execute("made", "up", "", subprocess.DEVNULL))
    guest.wait_until, guest.remove_cgroup, guest.write = was
    return ends == [(3, False), (3, False), (3, True)]


def a_skip_is_told_where_nothing_else_was():
    paths = []
    for text in ("1..0 # SKIP x\n", "1..1\nok 1 a\n1..0 # SKIP x\n", "1..0 # SKIP x\n1..0\n"):
        paths.append(os.path.join(BUILD, f"said{len(paths)}.sh"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\ncat <<'END'\n{text}END\n")
        os.chmod(paths[-1], 0o700)
    done = subprocess.run([os.path.join(TOP, "lib", "tests", "run"), *paths], capture_output=True,
                          text=True, check=False)
    said = [line for line in done.stdout.splitlines() if " said" in line]
    return said == ["ok 1 said0 # SKIP x", "ok 2 said1", "not ok 3 said2"]


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


def what_passes_after_a_change_of_the_sources_is_not_kept():
    class Changes(Made):
        """Somebody edits a file meanwhile, and puts it back at once."""

        def run(self):
            history.tree = lambda: "another"
            return super().run()

    class PutsBack(Made):
        """Of programs that were built in between."""

        def run(self):
            history.tree = lambda: "the same"
            return super().run()
    run_of([[Made("one", 1), Changes("two", 1), PutsBack("three", 1)]])
    run_of([[Made("one", 1), Made("two", 1), Made("three", 1)]], resume=True)
    return Made.ran == ["two", "three"]


def what_another_tier_has_failed_is_not_forgotten():
    run_of([[Made("one", 1)]], tier="night")
    past = history.History("made")
    past.begin(False)
    run_of([[Made("one", 0, 1)]], tier="night")
    past.add("two", Outcome(1), 1)
    run_of([[Made("one", 1)]], resume=True, tier="night")
    return Made.ran == ["one"]


def what_all_stands_on_is_built_again():
    was = check.plan, check.parse

    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since, resume = "check", "", "", "", "", True
    check.plan = lambda opts: (Made("build", 1), lambda: [[Made("one", 1)]])
    check.parse = Opts
    ran = []
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        for _ in range(2):
            Made.ran = []
            check.main()
            ran.append(Made.ran)
    check.plan, check.parse = was
    return ran == [["build", "one"], ["build"]]


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


def kernels_are_built_for_the_phases_that_need_them():
    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since = "night", "", "", "", ""
    needed = {}
    for Opts.phases in ("", "timing keys", "debug timing", "fuzz"):
        needed[Opts.phases] = check.plan(Opts)[0].variables.get("K")
    Opts.tier, Opts.phases = "check", ""
    return (list(needed.values()) == ["debug", None, "debug", "debug"] and
            "K" not in check.plan(Opts)[0].variables)


def what_runs_beside_others_installs_nothing():
    """They may run what was installed before."""
    targets = {phase.target for tier in (tiers.check, tiers.night) for lane in tier()
               for phase in lane() if isinstance(phase, host.Make)}
    installs = {"root", "install-root", "fuzz", "check-keys", "check-programs", "selftests", "all"}
    done = subprocess.run(["make", "-n", "run-keys", "run-fuzz", "run-programs"], cwd=TOP,
                          capture_output=True, text=True, check=True)
    return not targets & installs and "install.log" not in done.stdout


def a_path_of_a_kernel_is_no_folder_of_results():
    folder = os.path.join(BUILD, "kernels", "mine")
    kept = os.path.join(folder, "modules")
    os.makedirs(kept)
    for name in (folder, "rdma-" + folder, "../kernels/mine"):
        for phase in tiers.of_kernel(name, "no_such") + tiers.of_kernel(name, ""):
            phase.tests, phase.boot = [machine.Test("pollers", "api", "a")], lambda _: (1, None)
            phase.execute()
    for name in ("", ".", ".."):
        try:
            machine.Machine(name, 1)
            return False
        except ValueError:
            pass
    return os.path.isdir(kept)


def a_kernel_is_an_image():
    class Opts:
        """As on the command line."""

        tier, phases, test, since = "check", "", "", ""
    said = []
    for Opts.kernels in ("6.12 " + BUILD, "rdma-/no/such", CHECK + "/check"):
        try:
            said.append(bool(check.plan(Opts)))
        except SystemExit as e:
            said.append(str(e).split(": ")[1])
    return said == [BUILD + " is no image of a kernel",
                    "/no/such is no image of a kernel", True]


def a_machine_in_which_nothing_passes_has_failed():
    class Boots(machine.Machine):
        """One that is made up."""

        def boot(self, attempt):
            with open(f"{self.folder()}/tally", "w", encoding="utf-8") as f:
                f.write(f"{self.tests[0].name} {sums} 1.0\n")
            return 0, None
    outcomes = []
    for sums in ("0 0 3", "1 0 2", "0 1 2"):
        boots = Boots("boots", 1, tests=[machine.Test("pollers", "api", "rdma")])
        outcomes.append(boots.execute())
    # but for what somebody has named
    sums = "0 0 3"
    boots = Boots("boots", 1, tests=boots.tests, may_skip=True)
    outcomes.append(boots.execute())
    return ([o.failed for o in outcomes] == [1, 0, 1, 0] and
            outcomes[0].lines[-1] == "nothing has passed" and
            "nothing has passed" not in outcomes[2].lines)


def a_machine_that_complained_has_failed():
    code = 0

    class Programs(machine.Programs):
        """In a machine that is made up."""

        def boot(self, attempt):
            with open(self.log(attempt), "w", encoding="utf-8") as f:
                f.write("1 passed, 0 failed, 0 skipped\n")
            return code, None
    good = Programs("programs", 1).execute()
    code = 125
    bad = Programs("programs", 1).execute()
    return not good.failed and bad.failed == 1 and bad.lines[0] == "exit status 125"


def what_was_slow_is_told_at_the_end():
    class Slow(Made):
        """It takes more than its bound."""

        def run(self):
            return Outcome(*self.sums), 99

    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since, resume = "check", "", "", "", "", False
    was = check.plan, check.parse
    check.plan = lambda opts: (None, lambda: [[Slow("one", 1), Made("two", 1)]])
    check.parse = Opts
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        check.main()
    check.plan, check.parse = was
    return out.getvalue().splitlines()[-2:] == ["SLOW  one: 99 s of 1 s",
                                                "2 passed, 0 failed, 0 skipped"]


CASES = (one_that_skips_and_then_crashes_has_failed, one_that_has_no_cases_has_failed,
         one_that_had_a_report_has_failed, programs_that_did_not_run_have_failed, each_plan_counts,
         one_that_skips_the_second_time_is_not_flaky, skips_of_another_plan_are_others,
         nor_is_it_in_a_machine, processes_that_stay_are_no_end_of_the_runner,
         a_skip_is_told_where_nothing_else_was, what_cannot_be_kept_counts_all_the_same,
         a_lane_that_ends_early_has_failed, what_has_passed_is_not_run_again,
         what_passes_after_a_change_of_the_sources_is_not_kept,
         what_another_tier_has_failed_is_not_forgotten, what_all_stands_on_is_built_again,
         flaky_is_not_forgotten, runs_of_other_tests_are_others, phases_are_chosen_by_their_names,
         kernels_are_built_for_the_phases_that_need_them, what_runs_beside_others_installs_nothing,
         a_path_of_a_kernel_is_no_folder_of_results, a_kernel_is_an_image,
         a_machine_in_which_nothing_passes_has_failed, a_machine_that_complained_has_failed,
         what_was_slow_is_told_at_the_end)


run_cases(CASES)
