#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What make check runs: all that a change can break, and what somebody has named. KTAP."""

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
from phase import ENVIRONMENT  # noqa: E402


def told(command, **env):
    """(The exit status, what a command prints here.)"""
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False,
                          env={**ENVIRONMENT, **env})
    return done.returncode, done.stdout


def shown(variables, *args):
    """What a Makefile has in these, given more."""
    return told(["make", "-s", *args, f"--eval=show:; @echo {variables}", "show"])[1].split()


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


def the_module_is_built_for_what_a_kernel_is_called():
    def of(name, *more):
        return shown("$(own) $(RELEASES)", f"K={name}", "RELEASES=", *more)
    releases = shown("$(installed)")
    return (all(of(f"{place}-debug") == ["debug"] for place in ("engines", "rdma", "pair")) and
            of("pair-kcsan-6.12") == ["kcsan-6.12"] and
            of("debug engines-6.1") == ["debug"] and
            all(of(r) == of(f"engines-{r}") == [r] for r in releases))


CASES = (what_reads_all_records_has_all, what_cannot_run_in_a_process_skips,
         programs_in_a_process_have_the_names_of_others,
         the_module_is_built_for_what_a_kernel_is_called)


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
