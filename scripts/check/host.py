# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Phases that need no machine: targets of the Makefile."""

import os
from dataclasses import dataclass, field

from phase import RESULTS, Outcome, Phase, flaky_programs, ktap, read, run_command, sums_of


@dataclass
class Make(Phase):
    """A target that ends with a line of sums, or, with "plain", has its exit status alone. It may
    boot a kernel."""

    target: str = ""
    variables: dict = field(default_factory=dict)
    env: dict = field(default_factory=dict)
    plain: bool = False
    kernel: str = ""

    def execute(self):
        os.makedirs(RESULTS, exist_ok=True)
        log = os.path.join(RESULTS, self.name + ".log")
        command = ["make", "-s", *self.target.split()]
        command += [f"{k}={v}" for k, v in self.variables.items()]
        # It may have to fetch packages, and to build a kernel.
        code = run_command(command, log, self.env, limit=max(self.bound * 3, 7200))
        text = read(log)
        outcome = None if self.plain else sums_of(text)
        if outcome:
            outcome.flaky = flaky_programs(text, log)
            if code and not outcome.failed:
                outcome.failed = 1
        else:
            good = self.plain and not code
            outcome = Outcome(int(good), int(not good))
        if outcome.failed:
            last = text.splitlines()[-15:]
            outcome.lines = (ktap.failures(text) or last)[:60] + [f"see {log}"]
        return outcome
