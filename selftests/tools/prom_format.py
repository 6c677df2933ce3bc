#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Check that standard input is Prometheus's text format, as its conventions want it.

Each metric has HELP and TYPE before its samples, which stand together; counters, and only they, end
in _total; names, labels and values have their form; and no sample is there twice. What is wrong is
printed, a line each.
"""
import re
import sys

NAME = r'[a-z][a-z0-9]*(?:_[a-z0-9]+)*'
LABEL = rf'({NAME})="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf'({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\d+)')
HELP = re.compile(rf'# HELP ({NAME}) ([A-Z].*\.)')
TYPE = re.compile(rf'# TYPE ({NAME}) (counter|gauge)')
# Units that are not the base unit, by the conventions
UNITS = re.compile(r'_(ns|us|ms|kb|mb|kib|mib|kilobytes|milliseconds|nanoseconds|percent)(_|$)')


class Checker:
    def __init__(self):
        self.faults = []
        self.types = {}
        self.samples = set()
        self.helped = self.current = None

    def begin(self, name, kind):
        if self.helped != name:
            self.faults.append(f'{name}: no HELP before TYPE')
        if name in self.types:
            self.faults.append(f'{name}: declared twice')
        if (kind == 'counter') != name.endswith('_total'):
            self.faults.append(f'{name}: a {kind} of this name')
        if UNITS.search(name):
            self.faults.append(f'{name}: not a base unit')
        self.types[name] = kind
        self.current = name

    def sample(self, match):
        name, labels = match[1], match[2] or ''
        if name != self.current:
            self.faults.append(f'{name}: a sample of another metric')
        pairs = sorted(re.findall(LABEL, labels))
        if len(dict(pairs)) < len(pairs):
            self.faults.append(f'{name}: a label twice')
        if (name, *pairs) in self.samples:
            self.faults.append(f'{name}{{{labels}}}: a sample twice')
        self.samples.add((name, *pairs))

    def line(self, line):
        if match := HELP.fullmatch(line):
            self.helped = match[1]
        elif match := TYPE.fullmatch(line):
            self.begin(match[1], match[2])
        elif match := SAMPLE.fullmatch(line):
            self.sample(match)
        else:
            self.faults.append(f'cannot be read: {line!r}')

    def text(self, text):
        if not text.endswith('\n'):
            self.faults.append('the last line has no end')
        for line in text.splitlines():
            self.line(line)
        if not self.samples:
            self.faults.append('no samples')
        return self.faults


if __name__ == '__main__':
    found = Checker().text(sys.stdin.buffer.read().decode('ascii'))
    print('\n'.join(found), end='\n' if found else '')
    sys.exit(bool(found))
