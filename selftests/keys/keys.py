#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Search all memory of a guest, from outside, for keys of AES-GCM that a program in it has used.

Until they are destroyed they are found, and what AES makes of them for its rounds. From then on
they are in no page: not of the program, of the kernel, of its log and traces, nor of a core file
from the time when they were alive, which is in the guest's memory as all its files are. KTAP, as
other tests.
"""

import os
import secrets
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "apsh"))
from forms import chunks_of  # noqa: E402 (not before that)
from golden import Report  # noqa: E402
from machine import Machine, main  # noqa: E402

MASK = (1 << 64) - 1
LENGTHS = (16, 32)


class Numbers:
    """As keys.c has them."""

    def __init__(self, number):
        self.state = number

    def bytes(self, length):
        return bytes(self.byte() for _ in range(length))

    def byte(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        return (z ^ z >> 31) & 0xff


def multiply(a, b):
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11b if a & 0x80 else 0)
        b >>= 1
    return product


def substitute(byte):
    inverse = next((i for i in range(256) if multiply(i, byte) == 1), 0)
    box = inverse
    for i in range(1, 5):
        box ^= (inverse << i | inverse >> 8 - i) & 0xff
    return box ^ 0x63


def round_keys(key):
    """FIPS 197, 5.2: of 16 bytes each, the first of which are the key."""
    words = [key[i:i + 4] for i in range(0, len(key), 4)]
    nr, factor = len(words), 1
    for i in range(nr, 4 * (nr + 7)):
        last = words[-1]
        if i % nr == 0:
            last = bytes(map(substitute, last[1:] + last[:1]))
            last = bytes([last[0] ^ factor]) + last[1:]
            factor = multiply(factor, 2)
        elif nr > 6 and i % nr == 4:
            last = bytes(map(substitute, last))
        words.append(bytes(a ^ b for a, b in zip(words[i - nr], last)))
    return [b"".join(words[i:i + 4]) for i in range(0, len(words), 4)]


def turned(key):
    """With the bytes of each word the other way round."""
    return b"".join(key[i:i + 4][::-1] for i in range(0, len(key), 4))


def secrets_of(key):
    """What is to be looked for, by name."""
    rounds = round_keys(key)
    bits, of_key = 8 * len(key), len(key) // 16
    return {f"a key of {bits} bits": rounds[:of_key],
            f"the second round of one of {bits} bits": [rounds[of_key]],
            f"the last round of one of {bits} bits": [rounds[-1]]}


def count(memory, patterns):
    """How often each is there, {name: number}."""
    wanted = [(name, form) for name, parts in patterns.items()
              for part in parts for form in {part, turned(part)}]
    found = dict.fromkeys(patterns, 0)
    with open(memory, "rb") as source:
        end, before, last = os.fstat(source.fileno()).st_size, b"", 0
        for at, part in chunks_of(source.fileno(), 0, end):
            text = (before if at == last else b"") + part
            for name, form in wanted:
                found[name] += text.count(form)
            before, last = part[-15:], at + len(part)
    return found


def look(machine, qmp, step, patterns, seconds):
    machine.wait_for(step, seconds)
    qmp("stop")
    found = count(machine.memory, patterns)
    qmp("cont")
    with open(f"{machine.folder}/{step}.seen", "w", encoding="ascii"):
        return found


def core_of(machine, seconds):
    with open(machine.wait_for("core", seconds), "rb") as core:
        return core.read()


def missing(found):
    return [f"{name} is nowhere" for name, nr in found.items() if not nr]


def left(found):
    return [f"{name} is there {nr} times" for name, nr in found.items() if nr]


def play(opts, folder):
    numbers = Numbers(number := secrets.randbits(64))
    keys = [numbers.bytes(length) for length in LENGTHS]
    kept = numbers.bytes(16)
    others = [numbers.bytes(length) for length in LENGTHS]
    first, second = ({k: v for key in some for k, v in secrets_of(key).items()}
                     for some in (keys, others))
    here = os.path.dirname(os.path.realpath(__file__))
    report = Report()
    print(f"KTAP version 1\n1..6\n# the number is {number:#x}", flush=True)
    machine = Machine(opts.kernel, opts.mem, 4, folder,
                      ["scripts/vm/with-doca", f"{here}/stage.sh", folder,
                       f"{opts.build}/selftests/keys/keys", f"{number:#x}"])
    with machine:
        machine.wait_for("alive", opts.timeout)
        qmp = machine.qmp()

        def found(step, patterns):
            return look(machine, qmp, step, patterns, opts.timeout)

        report("keys that live are found", missing(found("alive", first)))
        report("keys that were destroyed are nowhere", left(found("destroyed", first)))
        report("others that live are found", missing(found("again", second)))
        ended = found("ended", {**first, **second, "what stays": [kept]})
        seen = ended.pop("what stays")
        report("a core file is in memory",
               [] if seen and kept in core_of(machine, opts.timeout) else ["it is nowhere"])
        report("keys are nowhere when the process has ended",
               left({k: v for k, v in ended.items() if k in first}))
        report("nor are those that it has left",
               left({k: v for k, v in ended.items() if k in second}))
    return report.failed


if __name__ == "__main__":
    sys.exit(main(__doc__, play))
