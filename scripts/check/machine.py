# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Phases in virtual machines: programs of selftests/ with the module."""

import contextlib
import os
import select
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

from phase import (BUILD, ENVIRONMENT, TOP, Outcome, Phase, ktap, read, run_command, say,
                   started, sums_of)

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


def fault_of_qemu(folder, log):
    """Kernels patch their code by way of breakpoints, and interrupt each other. Where QEMU
    emulates two CPUs, one of them may run into a breakpoint that is no more, and the
    machine ends with "Oops: int3"; or an interrupt is lost, and one waits for the other
    for ever. If the console says nothing of the driver, that is not its doing."""
    console = read(f"{folder}/console.log")
    # A panic lists all tasks, also those that sleep in the driver as they should.
    oops = console.partition("Kernel panic")[0]
    if "Oops: int3" in oops and "[doca]" not in oops:
        return "QEMU ran into a breakpoint of the kernel that was no more"
    if "the machine stood still" in read(log) and "[doca]" not in console:
        return "the machine stood still, and not in the driver"
    return None


@dataclass
class Machine(Phase):
    """One boot, or another one for the rest where QEMU has failed."""

    apart = True
    kernel: str = ""
    tests: list = field(default_factory=list)
    options: list = field(default_factory=lambda: ["--rxe", "2"])
    before: list = field(default_factory=list)  # commands around the runner
    env: dict = field(default_factory=dict)
    may_skip: bool = False  # all of the programs

    def log(self, attempt):
        return f"{self.folder()}/vm.{attempt}.log"

    def command(self, tests, *more):
        """Run these tests in a machine that has more options."""
        folder = self.folder()
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as f:
            f.writelines(f"{t.name} {t.parameters}\n" for t in tests)
        limit = 14400 if is_slow(self.kernel) else max(self.bound * 3, 900)
        return VM + ["--kernel", self.kernel, "--results", folder, "--timeout", str(limit),
                     *self.options, *more, "--", "scripts/vm/with-doca", *self.before,
                     "selftests/lib/run", folder]

    def boot(self, tests, attempt):
        """The exit status, and why it is QEMU's doing, if it is."""
        code = run_command(self.command(tests), self.log(attempt), self.env)
        return code, code and fault_of_qemu(self.folder(), self.log(attempt))

    def tally(self):
        """{name: (passed, failed, skipped)} of what was run."""
        fields = (line.split() for line in read(f"{self.folder()}/tally").splitlines())
        return {" ".join(f[:3]): tuple(map(int, f[3:6])) for f in fields if len(f) == 7}

    def rest(self):
        seen = self.tally()
        return [t for t in self.tests if t.name not in seen]

    def again(self):
        """What another boot has to run."""
        return self.rest()

    def execute(self):
        if not self.tests:
            return Outcome(0, 1, lines=["there is no such test"])
        folder = self.folder()
        shutil.rmtree(folder)
        os.makedirs(folder)
        attempt, (code, why) = 0, self.boot(self.tests, 0)
        if why:
            say(f"again {self.name}: {why}")
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{folder}/console.log", f"{folder}/console.0.log")
            attempt, (code, _) = 1, self.boot(self.again(), 1)
        outcome = self.outcome()
        if code and not outcome.failed:
            outcome.failed = 1
        nothing = not (outcome.failed or outcome.passed or self.may_skip)
        outcome.failed += nothing
        if outcome.failed:
            outcome.lines = self.reasons(attempt)
        if nothing:
            outcome.lines.append("nothing has passed")
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
    """Programs in one machine, and their peer in another, with a wire between the two. Neither
    goes on without the other."""

    apart = False  # two are enough
    options: list = field(default_factory=lambda: ["--rxe", "1", "--mem", "1536M"])

    def beside(self, attempt):
        return f"{self.folder()}/peer.{attempt}"

    def peer_log(self, attempt):
        return f"{self.beside(attempt)}/vm.log"

    def peer(self, beside, *more):
        return VM + ["--kernel", self.kernel, "--results", beside, "--timeout", "14400",
                     *self.options, *more, "--", "scripts/vm/with-doca",
                     "selftests/lib/rdma_peer.sh"]

    def boot(self, tests, attempt):
        beside, peer_log = self.beside(attempt), self.peer_log(attempt)
        os.makedirs(beside)
        with tempfile.TemporaryDirectory(prefix="doca-wire-") as wire, \
                started(self.peer(beside, "--wire", f"{wire}/wire:2"), peer_log,
                        self.env) as peer:
            code = None
            if self.listens(peer, peer_log):
                code = self.boot_beside(peer, tests, attempt, f"{wire}/wire:1")
            if code is not None:
                self.dismiss(peer, beside)
        if code:
            return code, fault_of_qemu(self.folder(), self.log(attempt))
        # The peer alone has failed: before the end, or behind a pass.
        code = peer.returncode or (1 if code is None else 0)
        return code, code and fault_of_qemu(beside, peer_log)

    @staticmethod
    def listens(peer, log):
        """Wait for it. Return False if it ends before."""
        while "listens" not in read(log).splitlines():
            if peer.poll() is not None:
                return False
            time.sleep(0.2)
        return True

    def boot_beside(self, peer, tests, attempt, wire):
        """The exit status; None if the peer has ended before."""
        with started(self.command(tests, "--wire", wire), self.log(attempt),
                     self.env) as machine:
            ends = {os.pidfd_open(p.pid): p for p in (machine, peer)}
            ended = select.select(ends, [], [])[0]
            for end in ends:
                os.close(end)
            return machine.wait() if ends[ended[0]] is machine else None

    @staticmethod
    def dismiss(peer, beside):
        """It looks whether anything is left of its clients, which must not take for ever."""
        with open(f"{beside}/stop", "w", encoding="utf-8"):
            pass
        try:
            peer.wait(1200)
        except subprocess.TimeoutExpired:
            say(f"the peer in {beside} does not end")

    def again(self):
        """All but what has failed: a pass counts where the peer has looked behind it."""
        path = f"{self.folder()}/tally"
        failed = [name for name, sums in self.tally().items() if sums[1]]
        lines = [line for line in read(path).splitlines() if " ".join(line.split()[:3]) in failed]
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(line + "\n" for line in lines)
        # these have passed, and run again
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{self.folder()}/flaky")
        return self.rest()

    def reasons(self, attempt):
        peer = read(self.peer_log(attempt)).splitlines()
        return super().reasons(attempt) + [f"peer: {line}" for line in peer[-20:]]


@dataclass
class Script(Phase):
    """One script in a machine of its own, which prints KTAP."""

    apart = True
    kernel: str = ""
    command: list = field(default_factory=list)
    options: list = field(default_factory=list)
    env: dict = field(default_factory=dict)

    def log(self):
        return os.path.join(self.folder(), "log")

    def boot(self):
        limit = 1800 if is_slow(self.kernel) else 300
        return run_command(VM + ["--kernel", self.kernel, "--results", self.folder(),
                                 "--timeout", str(limit), *self.options, "--",
                                 *self.command], self.log(), self.env)

    def execute(self):
        code = self.boot()
        text = read(self.log())
        verdict = ktap.judge(text, code)
        outcome = Outcome(verdict.passed, verdict.failed, verdict.skipped)
        if verdict.failed:
            outcome.lines = [verdict.why] + ktap.failures(text) + [f"see {self.log()}"]
        return outcome


@dataclass
class Programs(Script):
    """Programs without the module, in a machine of another architecture."""

    def execute(self):
        listed = subprocess.run(["make", "-s", "list-programs"], cwd=TOP, env=ENVIRONMENT,
                                capture_output=True, text=True, check=True).stdout.split()
        self.command = ["process/programs/run", *listed]
        code = self.boot()
        text = read(self.log())
        outcome = sums_of(text) or Outcome(0, 1)
        if code and not outcome.failed:  # the machine itself has failed
            outcome.failed = 1
            outcome.lines = [f"exit status {code}"]
        if outcome.failed:
            outcome.lines += ktap.failures(text) + [f"see {self.log()}"]
        return outcome
