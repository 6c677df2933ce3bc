# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Phases in virtual machines: programs of selftests/ with the module."""

import os
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field

from phase import (BUILD, ENVIRONMENT, TOP, Outcome, Phase, ktap, read, run_command, say,
                   sums_of)

VM = ["scripts/vm/vm", "run"]


@dataclass(frozen=True)
class Test:
    """A program, and the variant of the module that it is run with."""

    variant: str
    group: str
    program: str
    parameters: str = ""

    @property
    def name(self):
        return f"{self.variant} {self.group} {self.program}"


def built_programs():
    """(GROUP, PROGRAM), the module's own tests first: if these fail, so will what stands on
    the module."""
    found = [tuple(line.split()) for line in
             read(os.path.join(BUILD, "selftests", "list")).splitlines()]
    return sorted(found, key=lambda p: p[0] != "uapi")


def is_slow(kernel):
    """One of our own making, which checks itself."""
    return not kernel[0].isdigit()


@dataclass
class Machine(Phase):
    """One boot, or another one for the rest where QEMU has failed."""

    kernel: str = ""
    tests: list = field(default_factory=list)
    options: list = field(default_factory=lambda: ["--rxe", "2"])
    before: list = field(default_factory=list)  # commands around the runner
    env: dict = field(default_factory=dict)

    def boot(self, tests, attempt, more=()):
        folder = self.folder()
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as f:
            f.writelines(f"{t.name} {t.parameters}\n" for t in tests)
        limit = 14400 if is_slow(self.kernel) else max(self.bound * 3, 900)
        command = VM + ["--kernel", self.kernel, "--results", folder, "--timeout", str(limit),
                        *self.options, *more, "--", "scripts/vm/with-doca", *self.before,
                        "selftests/lib/run", folder]
        return run_command(command, os.path.join(folder, f"vm.{attempt}.log"), self.env)

    def fault_of_qemu(self, attempt):
        """Kernels patch their code by way of breakpoints, and interrupt each other. Where QEMU
        emulates two CPUs, one of them may run into a breakpoint that is no more, and the
        machine ends with "Oops: int3"; or an interrupt is lost, and one waits for the other
        for ever. If the console says nothing of the driver, that is not its doing."""
        folder = self.folder()
        console = read(os.path.join(folder, "console.log"))
        # A panic lists all tasks, also those that sleep in the driver as they should.
        oops = console.partition("Kernel panic")[0]
        if "Oops: int3" in oops and "[doca]" not in oops:
            return "QEMU ran into a breakpoint of the kernel that was no more"
        if ("the machine stood still" in read(os.path.join(folder, f"vm.{attempt}.log"))
                and "[doca]" not in console):
            return "the machine stood still, and not in the driver"
        return None

    def tally(self):
        """{name: (passed, failed, skipped)} of what was run."""
        fields = (line.split() for line in read(f"{self.folder()}/tally").splitlines())
        return {" ".join(f[:3]): tuple(map(int, f[3:6])) for f in fields if len(f) == 7}

    def rest(self):
        seen = self.tally()
        return [t for t in self.tests if t.name not in seen]

    def execute(self):
        if not self.tests:
            return Outcome(0, 1, lines=["there is no such test"])
        folder = self.folder()
        shutil.rmtree(folder)
        os.makedirs(folder)
        attempt, code = 0, self.boot(self.tests, 0)
        why = self.fault_of_qemu(0) if code else None
        if why:
            say(f"again {self.name}: {why}")
            os.rename(f"{folder}/console.log", f"{folder}/console.0.log")
            attempt, code = 1, self.boot(self.rest(), 1)
        outcome = self.outcome()
        if code and not outcome.failed:
            outcome.failed = 1
        if outcome.failed:
            outcome.lines = self.reasons(attempt)
        return outcome

    def outcome(self):
        sums = [sum(column) for column in zip(*self.tally().values())] or [0, 0, 0]
        flaky = [line.rsplit(" ", 1) for line in read(f"{self.folder()}/flaky").splitlines()]
        outcome = Outcome(*sums, flaky=[(f"{self.name} {name}", log) for name, log in flaky])
        outcome.failed += len(self.rest())
        return outcome

    def reasons(self, attempt):
        lines = [line for line in read(f"{self.folder()}/vm.{attempt}.log").splitlines()
                 if not line.startswith("ok ")]
        rest = self.rest()
        if rest:
            lines.append(f"not run: {', '.join(t.name for t in rest)}")
        return lines[-60:]


@dataclass
class Pair(Machine):
    """Programs in one machine, and their peer in another, with a wire between the two."""

    options: list = field(default_factory=lambda: ["--rxe", "1", "--mem", "1536M"])

    def boot(self, tests, attempt, more=()):
        beside, codes = os.path.join(self.folder(), "peer"), []
        shutil.rmtree(beside, ignore_errors=True)
        os.makedirs(beside)
        with tempfile.TemporaryDirectory(prefix="doca-wire-") as wire:
            peer = threading.Thread(target=lambda: codes.append(
                self.be_peer(beside, ["--wire", f"{wire}/wire:2", *more])))
            peer.start()
            codes.append(super().boot(tests, attempt, ["--wire", f"{wire}/wire:1", *more]))
            with open(os.path.join(beside, "stop"), "w", encoding="utf-8"):
                pass
            peer.join()
        return max(codes)

    def be_peer(self, folder, more):
        command = VM + ["--kernel", self.kernel, "--results", folder, "--timeout", "14400",
                        *self.options, *more, "--", "scripts/vm/with-doca",
                        "selftests/lib/rdma_peer.sh"]
        return run_command(command, os.path.join(folder, "vm.log"), self.env)


@dataclass
class Script(Phase):
    """One script in a machine of its own, which prints KTAP."""

    kernel: str = ""
    command: list = field(default_factory=list)
    options: list = field(default_factory=list)
    env: dict = field(default_factory=dict)

    def execute(self):
        folder = self.folder()
        log = os.path.join(folder, "log")
        limit = 1800 if is_slow(self.kernel) else 300
        code = run_command(VM + ["--kernel", self.kernel, "--results", folder,
                                 "--timeout", str(limit), *self.options, "--",
                                 *self.command], log, self.env)
        text = read(log)
        verdict = ktap.judge(text, code)
        outcome = Outcome(verdict.passed, verdict.failed, verdict.skipped)
        if verdict.failed:
            outcome.lines = [verdict.why] + ktap.failures(text) + [f"see {log}"]
        return outcome


@dataclass
class Programs(Script):
    """Programs without the module, in a machine of another architecture."""

    def execute(self):
        listed = subprocess.run(["make", "-s", "list-programs"], cwd=TOP, env=ENVIRONMENT,
                                capture_output=True, text=True, check=True).stdout.split()
        self.command = ["process/programs/run", *listed]
        super().execute()
        log = os.path.join(self.folder(), "log")
        outcome = sums_of(read(log)) or Outcome(0, 1)
        if outcome.failed:
            outcome.lines = ktap.failures(read(log)) + [f"see {log}"]
        return outcome
