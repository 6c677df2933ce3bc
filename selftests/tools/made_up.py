# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""For tests of scripts/check: a folder for its results, phases that are made up, and KTAP. To be
imported first."""

import importlib.machinery
import importlib.util
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.join(HERE, "..", "..")
CHECK = os.path.join(TOP, "scripts", "check")
BUILD = os.environ["DOCA_BUILD"] = tempfile.mkdtemp(prefix="doca-check-")
sys.dont_write_bytecode = True
sys.path.insert(0, CHECK)
from phase import Outcome, Phase  # noqa: E402 (not before that)


def load(name, path):
    """A module of a file whose name does not say that it is one."""
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Made(Phase):
    """A phase whose outcome is made up, and which tells that it was run."""

    ran = []

    def __init__(self, name, *sums):
        super().__init__(name, 1)
        self.sums = sums

    def run(self):
        Made.ran.append(self.name)
        return Outcome(*self.sums), 1


def run_cases(cases):
    """Each returns whether it holds."""
    failed = 0
    try:
        print(f"KTAP version 1\n1..{len(cases)}")
        for number, case in enumerate(cases, 1):
            good = case()
            failed += not good
            print(f"{'ok' if good else 'not ok'} {number} {case.__name__}")
    finally:
        shutil.rmtree(BUILD)
    sys.exit(failed > 0)
