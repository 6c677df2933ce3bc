#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""That make check runs all that a change can break, and what somebody has named. KTAP."""

import contextlib
import fnmatch
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
CHECK = os.path.join(TOP, "scripts", "check")
os.environ["DOCA_BUILD"] = tempfile.mkdtemp(prefix="doca-chosen-")
sys.dont_write_bytecode = True
sys.path.insert(0, CHECK)
import changes  # noqa: E402 (not before that)
import tiers  # noqa: E402
from phase import ENVIRONMENT  # noqa: E402

loader = importlib.machinery.SourceFileLoader("check", os.path.join(CHECK, "check"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)
NO_GIT = "no git"


def told(command, **env):
    """(The exit status, what a command prints here.)"""
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False,
                          env={**ENVIRONMENT, **env})
    return done.returncode, done.stdout


def shown(variables, *args):
    """The words of these variables of a Makefile, given more."""
    return told(["make", "-s", *args, f"--eval=show:; @echo {variables}", "show"])[1].split()


def files_of_git():
    return [f for f in told(["git", "ls-files"])[1].split("\n") if f]


def known_tests(files):
    """(Of lib/tests, of machines, phases.)"""
    programs = [os.path.splitext(f) for f in files]
    host = ["test_" + stem.removeprefix("lib/tests/").removeprefix("test_")
            .replace("dm/test_", "dm_").replace("/", "_")
            for stem, kind in programs if kind == ".c" and stem.startswith("lib/tests/")]
    host += [os.path.basename(stem) for stem, kind in programs
             if os.path.dirname(stem) == "lib/tests" and kind in (".sh", ".txt")]
    in_machine = [stem + kind.replace(".c", "") for stem, kind in programs if kind in (".c", ".sh")]
    phases = [p.name for p in tiers.host_lane() + tiers.refusals(tiers.NEW)]
    return host, [f.removeprefix("selftests/") for f in in_machine], phases


def each_file_has_what_tests_it():
    """Or all is run, or it is said that only lint sees it before the night."""
    files = files_of_git()
    known = known_tests(files)
    wrong = []
    for path in files:
        for patterns, names in zip(changes.tests_of(path) or (), known):
            wrong += [f"{path}: {p}" for p in patterns
                      if not fnmatch.filter(names, p.replace("%", "*"))]
    rows = [row[0] for row in changes.TESTS] + changes.LATER
    wrong += [f"{row} is no file" for row in rows if not fnmatch.filter(files, row)]
    print("".join(f"# {line}\n" for line in wrong), end="")
    return not wrong if files else NO_GIT


def what_no_pattern_knows_is_ground():
    ground = ("new", "lib/new/new.c", "lib/core/pe.c", "lib/tests/run", "lib/libs.mk", "kernel/dma/new.c",
              "include/doca_pe.h", "process/driver/new.c", "selftests/lib/run", "Makefile", "VERSION",
              "scripts/check/new.py", "scripts/vm/vm", "scripts/build/new", "process/new.mk")
    return all(changes.tests_of_all(["README.md", path]) == path for path in ground)


def a_change_runs_what_tests_it():
    def has(path, host=(), in_machine=(), phases=()):
        found = changes.tests_of(path)
        return all(set(wanted) <= set(names)
                   for wanted, names in zip((host, in_machine, phases), found))
    return (has("lib/comch/new.c", ["test_comch%"], ["api/comch"], ["process", "tsan", "programs"]) and
            has("selftests/dma/testdma/lsi.c", [], ["uapi/engine_*"], ["6.12-engines-none"]) and
            has("selftests/uapi/engine.h", [], ["uapi/engine_*"]) and
            has("scripts/model/fill.pml", [], [], ["model"]) and
            has("lib/tests/fault.c", ["%"]) and has("lib/tests/level_fake.c", ["%"]) and
            has("lib/tests/onload_link/link.c", ["test_onload_past%"]) and
            has("lib/tests/install/bed.sh", ["install"]) and
            has("process/instructions/new.c", [], [], ["instructions"]) and
            has("lib/tests/instructions/new.c", [], [], ["instructions"]) and
            has("selftests/api/new.h", [], ["api/*"], ["programs"]) and
            has("scripts/build/error-codes", ["%"]))


@contextlib.contextmanager
def built(*programs):
    folder = os.path.join(os.environ["DOCA_BUILD"], "selftests")
    os.makedirs(folder)
    with open(os.path.join(folder, "list"), "w", encoding="utf-8") as f:
        f.writelines(program.replace("/", " ") + "\n" for program in programs)
    try:
        yield
    finally:
        shutil.rmtree(folder)


def each_program_has_a_machine_as_it_wants_it():
    names = ["uapi/query", "uapi/starved_ends", "uapi/engine_copy", "uapi/engine_order",
             "uapi/timing_costs", "uapi/memory", "api/rdma_between"]

    def machines(*files):
        found = changes.tests_of_all(files)
        return {m.name: [t.program for t in m.tests] for m in changes.lanes_of("HEAD", *found)[1]}
    with built(*names):
        few = machines("README.md")
        one = machines("selftests/uapi/starved_ends.c", "selftests/uapi/engine_order.c",
                       "selftests/uapi/timing_costs.c")
        group = machines("selftests/uapi/doca_ring.h")
    return (few == {"6.12": ["query", "memory"]} and
            one == {**few, "6.12-preempted": ["starved_ends"], "6.12-timing": ["timing_costs"],
                    "6.12-engines": ["engine_order"]} and
            group == {**few, "6.12-preempted": ["starved_ends"], "6.12-engines": ["engine_copy"]})


def what_reads_all_records_has_all():
    of = "-C", "lib", "-f", "Makefile", "UNDER=asan"
    every = shown("$(chosen)", *of)
    return (len(every) > 50 and shown("$(chosen)", *of, "T=error_codes") == every and
            shown("$(chosen)", *of, "T=test_pe log_lines") == every and
            len(shown("$(chosen)", *of, "T=test_pe")) == 1)


def what_cannot_run_in_a_process_skips():
    def process(tool, name):
        return told(["make", "-s", "-C", "process", f"O={os.environ['DOCA_BUILD']}",
                     f"UNDER={tool}", f"T={name}", "run-tests"])

    def chosen(tool, name):
        return [p.rpartition("process-")[2].partition("/")[2]
                for p in shown("$(chosen)", "-C", "process", f"UNDER={tool}", f"T={name}")]
    skips = [process(*of) for of in (("tsan", "uapi"), ("tsan", "uapi/compress"), ("tsan", "exports_left"),
                                     ("asan", "uapi/query"), ("asan", "container"))]
    return (all(code == 0 and "\n0 passed, 0 failed, 1 skipped" in text for code, text in skips) and
            process("asan", "nothing")[0] != 0 and
            any(p.endswith(("uapi/hash", "no_harness")) for p in chosen("asan", "uapi")) and
            "tests/test_ring" in chosen("asan", "process") and
            chosen("tsan", "process/test_ring") == chosen("tsan", "test_ring") == ["tests/test_ring"])


def programs_in_a_process_have_the_names_of_others():
    def run(name, **env):
        return told(["process/programs/run", "process/container.sh", "process/idle", "api/removal"],
                    DOCA_TEST_JOBS="none", **(env or {"T": name}))
    tried = "before its sums"  # the runner does not begin
    return (all(tried in run(name)[1] for name in ("container", "container.sh", "process/container",
                                                   "process/container.sh", "process", "idle")) and
            tried in run("", DOCA_TEST_ONLY="idle")[1] and
            run("removal")[0] == 0 and run("removal")[1].endswith("0 passed, 0 failed, 1 skipped\n") and
            run("contain")[0] != 0 and tried not in run("contain")[1])


def what_does_not_go_together_is_told():
    def is_refused(*args):
        sys.argv = ["check", *args]
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                check.parse()
        except SystemExit as e:
            return e.code == 2
        return False
    was = sys.argv
    try:
        return (is_refused("--since", "HEAD", "--kernels", "6.1") and
                is_refused("--since", "HEAD", "--test", "api") and
                is_refused("--since", "HEAD", "--phases", "lint") and
                is_refused("--phases", "lint", "--test", "api") and
                is_refused("--tier", "night", "--kernels", "6.1") and
                is_refused("--tier", "week", "--since", "HEAD") and
                not is_refused("--kernels", "6.1", "--test", "api", "--resume") and
                not is_refused("--tier", "night", "--phases", "timing") and
                not is_refused("--phases", "lint"))
    finally:
        sys.argv = was


def options_are_passed_on():
    def last(*args):
        return told(["make", "-n", *args])[1].splitlines()[-1].split()

    def has(line, *words):
        return " ".join(words) in " ".join(line).replace('"', "")
    return (has(last("check", "PHASES=lint"), "--phases lint") and
            has(last("check", "SINCE=HEAD", "T=api"), "--since HEAD --test api") and
            has(last("check-night", "K=6.1"), "--kernels 6.1") and
            "--resume" in last("check-engines", "RESUME=1") and
            has(last("check-engines", "K=6.1 6.12"), "--kernels engines-6.1 engines-6.12"))


def what_chose_a_run_is_not_passed_on():
    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since, resume = "week", "arm64", "", "", "", False
    was = check.plan, check.parse
    check.plan, check.parse = lambda opts: (None, lambda: [[]]), Opts
    ENVIRONMENT.update(PHASES="arm64", N="7")
    with contextlib.redirect_stdout(io.StringIO()):
        check.main()
    check.plan, check.parse = was
    return "PHASES" not in ENVIRONMENT and ENVIRONMENT.pop("N") == "7"


def the_module_is_built_for_what_a_kernel_is_called():
    def of(name, *more):
        return shown("$(own) $(releases)", f"K={name}", "RELEASES=", *more)
    releases = shown("$(installed)")
    return (all(of(f"{place}-debug") == ["debug"] for place in ("engines", "rdma", "pair")) and
            of("pair-kcsan-6.12") == ["kcsan-6.12"] and
            of("debug engines-6.1") == ["debug"] and
            all(of(r) == of(f"engines-{r}") == [r] for r in releases))


def what_a_kernel_is_called_is_built_first():
    class Opts:
        """As on the command line."""

        tier, phases, kernels, test, since = "check", "", "", "", ""

    def first(names):
        Opts.kernels = names
        phase = check.plan(Opts)[0]
        return phase and phase.variables["K"]
    return (first("engines-debug 6.1") == "engines-debug 6.1" and first("process") is None and
            first("process 6.12") == "6.12" and first("programs-arm64 arm64 board-arm64") is None)


def what_is_named_is_all_that_is_run():
    def programs(kernel, name):
        return [t.program for m in tiers.of_kernel(kernel, name) for t in m.tests]
    with built("api/rdma", "api/rdma_counts", "api/rdma_between", "uapi/copy",
               "uapi/engine_unsafe"):
        return (programs("rdma-6.12", "rdma_counts") == ["rdma_counts"] and
                len(programs("rdma-6.12", "")) == 3 and
                programs("pair-6.12", "api/rdma_between") == ["rdma_between"] and
                programs("pair-6.12", "rdma") == [] and
                programs("board-arm64", "uapi/copy") == ["copy"] and
                programs("engines-6.12", "engine_unsafe") == ["engine_unsafe"] and
                tiers.of_kernel("programs-6.12", "idle")[0].env["DOCA_TEST_ONLY"] == "idle")


CASES = (each_file_has_what_tests_it, what_no_pattern_knows_is_ground, a_change_runs_what_tests_it,
         each_program_has_a_machine_as_it_wants_it, what_reads_all_records_has_all,
         what_cannot_run_in_a_process_skips, programs_in_a_process_have_the_names_of_others,
         what_does_not_go_together_is_told, options_are_passed_on, what_chose_a_run_is_not_passed_on,
         the_module_is_built_for_what_a_kernel_is_called, what_a_kernel_is_called_is_built_first,
         what_is_named_is_all_that_is_run)


def main():
    failed = 0
    print(f"KTAP version 1\n1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        good = case()
        failed += not good
        skipped = f" # SKIP {good}" if good == NO_GIT else ""
        print(f"{'ok' if good else 'not ok'} {number} {case.__name__}{skipped}")
    return failed > 0


try:
    sys.exit(main())
finally:
    shutil.rmtree(os.environ["DOCA_BUILD"])
