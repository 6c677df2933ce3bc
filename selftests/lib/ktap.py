# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""What the log of a program that speaks KTAP says of it."""

import re
from dataclasses import dataclass, field

TIMED_OUT = 124
SKIPPED = 4  # kselftest's exit status of a program that lacks something

# Sanitizers warn of memory that they cannot have, too: that is no report.
SANITIZER = re.compile(r"(WARNING|ERROR): [A-Za-z]+Sanitizer(?! failed to allocate)|"
                       r": runtime error: |^==\d+== (Invalid|Conditional|Use of|Syscall param)",
                       re.MULTILINE)
REPORT = re.compile(SANITIZER.pattern + r"|^==\d+==", re.MULTILINE)
# The harness says so where a case crashed or took too long.
ENDED = re.compile(r"^# .*[Tt]est (case )?(terminated|ended)|^# .*timed? ?out", re.MULTILINE)
# The most that is shown of one case.
LAST_LINES, REPORT_LINES, LINE_WIDTH = 12, 40, 200


@dataclass
class Verdict:
    """The cases of a program; "why" is a failure that no case has reported."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    skips: set = field(default_factory=set)  # the names of those, behind the number of their plan
    why: str = ""
    only_assertions: bool = False  # it failed, and nothing worse was seen


def has_report(text):
    """A sanitizer or valgrind has found something."""
    return bool(REPORT.search(text))


def case_name(line):
    """The name of a case, of the line in which it says how it ended."""
    return re.split(r" *# *SKIP", line, maxsplit=1, flags=re.IGNORECASE)[0].partition(" ")[2]


def judge(text, code, trouble=""):
    """The verdict on a log; "trouble" is a failure that was seen from outside."""
    plan, plans, empty, cases = None, 0, False, Verdict()
    for line in text.splitlines():
        planned = re.match(r"1\.\.(\d+)", line)
        if planned:
            nr = int(planned[1])
            plans += 1
            skips = not nr and "# SKIP" in line.upper()
            empty |= not nr and not skips
            cases.skipped += skips
            cases.skips |= {f"{plans}"} if skips else set()
            plan = (plan or 0) + nr + skips
        elif line.startswith("not ok "):
            cases.failed += 1
        elif line.startswith("ok "):
            if "# SKIP" in line.upper():
                cases.skipped += 1
                cases.skips.add(f"{plans} {case_name(line)}")
            else:
                cases.passed += 1
    why = "a plan has no cases" if empty else unreported(plan, cases, code)
    if not why and not cases.failed and SANITIZER.search(text):
        why = "a sanitizer has reported"  # in a process whose end no case looks at
    if trouble:
        cases.failed += bool(why)
        why = trouble
    if why:
        cases.failed += 1
        if code == TIMED_OUT:
            why += ", out of time"
        elif code:
            why += f", exit status {code}"
    cases.why = why
    cases.only_assertions = (cases.failed > 0 and not why and code == 1 and
                             not has_report(text) and not ENDED.search(text))
    return cases


def unreported(plan, cases, code):
    """Why a program has failed of which no case has."""
    if plan is None and code == SKIPPED and not cases.passed and not cases.failed:
        cases.skipped += 1
        cases.skips.add("")
        return ""
    if plan is None:
        return "no plan"
    missing = plan - cases.passed - cases.failed - cases.skipped
    if missing > 0:
        cases.failed += missing - 1
        return f"{missing} cases did not report"
    if missing < 0:
        return f"{-missing} cases more than planned"
    skips = code == SKIPPED and cases.skipped and not cases.passed
    if code and not cases.failed and not skips:
        return "no case failed"
    return ""


def is_flaky(first, second):
    """Whether a program that failed, by an assertion alone, has passed the second time. One that
    skips what it did not skip before has not: the first attempt may have left it without what it
    needs."""
    return (first.only_assertions and not second.failed and second.passed > 0 and
            second.skips <= first.skips)


def failures(text):
    """The cases that failed, each with the last lines that it printed, and before them the
    beginning of a sanitizer's first report."""
    said, report, shown = [], None, []
    for line in text.splitlines():
        line = line.removeprefix("  ")
        if re.match(r"(not )?ok ", line):
            if line.startswith("not"):
                last = max(0, len(said) - LAST_LINES)
                if report is not None:
                    shown += said[report:report + REPORT_LINES]
                    last = max(last, report + REPORT_LINES)
                shown += said[last:] + [line]
            said, report = [], None
        elif not re.match(r"KTAP version|1\.\.\d", line):
            if report is None and REPORT.search(line):
                report = len(said)
            said.append(line[:LINE_WIDTH])
    return shown
