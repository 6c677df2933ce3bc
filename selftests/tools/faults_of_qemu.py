#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""
A pair of machines that are made up.

faults_of_qemu.py boot CODE PEERS_CODE CONSOLE PEERS_CONSOLE: boot it once, and print its exit
status, and whether that is QEMU's doing. Where CODE is None the peer ends before its machine.

faults_of_qemu.py execute "CODE PEERS_CODE TESTS"...: boot it once for each argument, of which
TESTS are those that end, a name with a "-" if it fails. A code that is not 0 is a fault of QEMU,
but a machine's own, unless it is 125, is its tests' if one of them fails. Print the tests of each boot, and the sums,
and what was flaky.
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts", "check"))
import machine  # noqa: E402

FAULT = "Oops: int3: 0000"
TESTS = [machine.Test("pollers", "api", name) for name in ("one", "two")]


def leave(folder, text, name="console.log"):
    with open(f"{folder}/{name}", "a", encoding="utf-8") as f:
        f.write(text)


class Pair(machine.Pair):
    """Its boots, and the tests that each was given."""

    def let(self, *boots):
        self.boots = boots
        self.given = []
        return self

    def peer(self, beside, wire):
        _, peers_code, _, peers_console, _ = self.boots[len(self.given)]
        leave(beside, peers_console)
        return ["sh", "-c", f"exit {peers_code}"]

    def listens(self, peer, log):
        return True

    def boot_beside(self, peer, attempt, wire):
        code, _, console, _, ends = self.boots[len(self.given)]
        self.given.append(" ".join(t.program for t in self.rest()))
        leave(self.folder(), console)
        for name in ends:
            sums = "0 1 0" if name.startswith("-") else "1 0 0"
            leave(self.folder(), f"pollers api {name.lstrip('-')} {sums} 0.1\n", "tally")
        if code == "None":
            peer.wait()
            return None
        return int(code)


def boot_of(line):
    code, peers_code, ends = line.split()
    ends = ends.split(",")
    failed = any(name.startswith("-") for name in ends)
    own = code == "125" or (code not in ("0", "None") and not failed)
    return code, peers_code, FAULT * own, FAULT * (peers_code != "0"), ends


def main(what, *args):
    pair = Pair("pair", 1, kernel="6.1", tests=TESTS)
    if what == "boot":
        code, why = pair.let((*args, [])).boot(0)
        print(code, bool(why))
        return
    machine.say = lambda text: None
    outcome = pair.let(*map(boot_of, args)).execute()
    flaky = "".join(f", flaky {name.split()[-1]}" for name, _ in outcome.flaky)
    print(f"{' / '.join(pair.given)}: {outcome.passed} passed, {outcome.failed} failed{flaky}")


main(*sys.argv[1:])
