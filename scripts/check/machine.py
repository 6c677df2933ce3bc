# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Phases in virtual machines: programs of selftests/ with the module."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

from phase import (BUILD, ENVIRONMENT, TOP, Outcome, Phase, flaky_programs, ktap, read,
                   run_command, say, started, sums_of)

sys.path.insert(0, os.path.join(TOP, "scripts", "vm"))
import complaints  # noqa: E402

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
    return "/" not in kernel and not kernel[:1].isdigit()


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
class Guest(Phase):
    """One boot, and another one where QEMU has failed in it."""

    apart = True
    kernel: str = ""
    options: list = field(default_factory=list)
    env: dict = field(default_factory=dict)

    def log(self, attempt):
        return f"{self.folder()}/vm.{attempt}.log"

    def inside(self):
        """To be defined by each kind: what is run in it."""
        raise NotImplementedError

    def outcome(self, code, attempt):
        """To be defined by each kind: an Outcome of the last boot, with its exit status."""
        raise NotImplementedError

    def prepare_again(self):
        """What is left of the first boot must not hide what the second one finds."""

    def vm(self, results, *more):
        """Run a machine with more options; behind "--" is a command."""
        limit = 14400 if is_slow(self.kernel) else max(self.bound * 3, 900)
        return VM + ["--kernel", self.kernel, "--results", results, "--timeout", str(limit),
                     *self.options, *more]

    def boot(self, attempt):
        """The exit status, and why it is QEMU's doing, if it is."""
        code = run_command(self.vm(self.folder(), "--", *self.inside()), self.log(attempt),
                           self.env)
        return code, code and fault_of_qemu(self.folder(), self.log(attempt))

    def execute(self):
        folder = self.folder()
        shutil.rmtree(folder)
        os.makedirs(folder)
        attempt, (code, why) = 0, self.boot(0)
        if why:
            say(f"again {self.name}: {why}")
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{folder}/console.log", f"{folder}/console.0.log")
            self.prepare_again()
            attempt, (code, _) = 1, self.boot(1)
        return self.outcome(code, attempt)


@dataclass
class Machine(Guest):
    """Programs of selftests/. Where QEMU has failed, another machine has the rest."""

    tests: list = field(default_factory=list)
    options: list = field(default_factory=lambda: ["--rxe", "2"])
    before: list = field(default_factory=list)  # commands around the runner
    may_skip: bool = False  # all of the programs

    def inside(self):
        folder = self.folder()
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as f:
            f.writelines(f"{t.name} {t.parameters}\n" for t in self.rest())
        return ["scripts/vm/with-doca", *self.before, "selftests/lib/run", folder]

    def tally(self):
        """{name: (passed, failed, skipped)} of what was run."""
        fields = (line.split() for line in read(f"{self.folder()}/tally").splitlines())
        return {" ".join(f[:3]): tuple(map(int, f[3:6])) for f in fields if len(f) == 7}

    def rest(self):
        seen = self.tally()
        return [t for t in self.tests if t.name not in seen]

    def first_failures(self):
        """{name: log} of programs that have failed once, whatever came of them later."""
        lines = read(f"{self.folder()}/first_failures").splitlines()
        return dict(line.rsplit(" ", 1) for line in lines)

    def keep_failure(self, test):
        """It is run again, and its log is kept."""
        if test.name in self.first_failures():
            return
        log = f"{self.folder()}/{test.variant}/{test.group}.{test.program}.log"
        with contextlib.suppress(FileNotFoundError):
            os.rename(log, log + ".first")
        with open(f"{self.folder()}/first_failures", "a", encoding="utf-8") as f:
            f.write(f"{test.name} {log}.first\n")

    def forget(self, is_wanted):
        """Have those run again of whose sums that holds."""
        path, tally = f"{self.folder()}/tally", self.tally()
        lines = [line for line in read(path).splitlines()
                 if not is_wanted(tally[" ".join(line.split()[:3])])]
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(line + "\n" for line in lines)

    def prepare_again(self):
        """A pass counts where nothing is looked for behind all programs, as leaks are by a
        kernel that checks itself."""
        for test in self.rest():
            log = f"{self.folder()}/{test.variant}/{test.group}.{test.program}.log"
            if ktap.failures(read(log)):  # and in its midst QEMU has failed
                self.keep_failure(test)
        if is_slow(self.kernel):
            self.forget(lambda sums: not sums[1])

    def execute(self):
        if not self.tests:
            return Outcome(0, 1, lines=["there is no such test"])
        return super().execute()

    def flaky(self):
        """Of what has failed once, what has passed since."""
        tally = self.tally()
        return [(f"{self.name} {name}", log) for name, log in self.first_failures().items()
                if name in tally and not tally[name][1]]

    def outcome(self, code, attempt):
        sums = [sum(column) for column in zip(*self.tally().values())] or [0, 0, 0]
        outcome = Outcome(*sums, flaky=self.flaky())
        outcome.failed += len(self.rest())
        if code and not outcome.failed:
            outcome.failed = 1
        nothing = not (outcome.failed or outcome.passed or self.may_skip)
        outcome.failed += nothing
        if outcome.failed:
            outcome.lines = self.reasons(attempt)
        if nothing:
            outcome.lines.append("nothing has passed")
        return outcome

    def reasons(self, attempt):
        lines = [line for line in read(self.log(attempt)).splitlines()
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
    peer_has_failed: bool = False

    def beside(self, attempt):
        return f"{self.folder()}/peer.{attempt}"

    def peer_log(self, attempt):
        return f"{self.beside(attempt)}/vm.log"

    def peer(self, beside, wire):
        return self.vm(beside, "--wire", wire, "--", "scripts/vm/with-doca",
                       "selftests/lib/rdma_peer.sh")

    def boot(self, attempt):
        beside, peer_log = self.beside(attempt), self.peer_log(attempt)
        os.makedirs(beside)
        with tempfile.TemporaryDirectory(prefix="doca-wire-") as wire, \
                started(self.peer(beside, f"{wire}/wire:2"), peer_log, self.env) as peer:
            code = None
            if self.listens(peer, peer_log):
                code = self.boot_beside(peer, attempt, f"{wire}/wire:1")
            if code is not None:
                self.dismiss(peer, beside)
        self.peer_has_failed = not code
        own, peers = (self.folder(), self.log(attempt)), (beside, peer_log)
        if code:
            return code, not self.complains(*peers) and fault_of_qemu(*own)
        # Before the end, or behind it.
        code = peer.returncode or (1 if code is None else 0)
        return code, code and not self.complains(*own) and fault_of_qemu(*peers)

    @staticmethod
    def complains(folder, log):
        """Return true if a kernel does, and not for QEMU. The end of the other one may have ended it
        before that was looked for."""
        return (not fault_of_qemu(folder, log) and
                complaints.find(read(f"{folder}/console.log").splitlines()))

    @staticmethod
    def listens(peer, log):
        """Wait for it. Return False if it ends before."""
        while "listens" not in read(log).splitlines():
            if peer.poll() is not None:
                return False
            time.sleep(0.2)
        return True

    def boot_beside(self, peer, attempt, wire):
        """The exit status; None if the peer has ended before."""
        with started(self.vm(self.folder(), "--wire", wire, "--", *self.inside()),
                     self.log(attempt), self.env) as machine:
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

    def prepare_again(self):
        """A pass counts where the peer has looked behind it, and a failure where the peer was
        there."""
        super().prepare_again()
        if self.peer_has_failed:
            tally = self.tally()
            for test in [t for t in self.tests if t.name in tally and tally[t.name][1]]:
                self.keep_failure(test)
        self.forget(lambda sums: self.peer_has_failed or not sums[1])

    def reasons(self, attempt):
        peer = read(self.peer_log(attempt)).splitlines()
        return super().reasons(attempt) + [f"peer: {line}" for line in peer[-20:]]


@dataclass
class Script(Guest):
    """One script in a machine of its own, which prints KTAP."""

    command: list = field(default_factory=list)

    def inside(self):
        return self.command

    def boot(self, attempt):
        """A case that has failed before QEMU did has failed."""
        code, why = super().boot(attempt)
        return code, None if ktap.failures(read(self.log(attempt))) else why

    def outcome(self, code, attempt):
        log = self.log(attempt)
        text = read(log)
        verdict = ktap.judge(text, code)
        outcome = Outcome(verdict.passed, verdict.failed, verdict.skipped)
        if verdict.failed:
            outcome.lines = [verdict.why] + ktap.failures(text) + [f"see {log}"]
        return outcome


@dataclass
class Programs(Script):
    """Programs without the module, in a machine of another architecture."""

    def inside(self):
        listed = subprocess.run(["make", "-s", "list-programs"], cwd=TOP, env=ENVIRONMENT,
                                capture_output=True, text=True, check=True).stdout.split()
        return ["process/programs/run", *listed]

    def outcome(self, code, attempt):
        log = self.log(attempt)
        text = read(log)
        outcome = sums_of(text) or Outcome(0, 1)
        outcome.flaky = flaky_programs(text, log)
        if code and not outcome.failed:  # the machine itself has failed
            outcome.failed = 1
            outcome.lines = [f"exit status {code}"]
        if outcome.failed:
            outcome.lines += ktap.failures(text) + [f"see {log}"]
        return outcome
