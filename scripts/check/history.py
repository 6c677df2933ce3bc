# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""How long runs took, and what has passed of one that is to be continued."""

import fcntl
import hashlib
import json
import os
import subprocess

from phase import BUILD, TOP, Outcome, read, say

FILE = os.path.join(BUILD, "results", "history.json")


def git(*args):
    return subprocess.run(["git", *args], cwd=TOP, capture_output=True, check=True).stdout


def commit(name):
    """What that is now, as what passes since then depends on it."""
    try:
        return git("rev-parse", "--short", "--verify", name + "^{commit}").decode().strip()
    except (OSError, subprocess.CalledProcessError):
        return name


def tree():
    """A name for the sources as they are; none where git does not know them."""
    try:
        parts = [git("rev-parse", "HEAD"), git("diff", "HEAD")]
        for path in git("ls-files", "-o", "--exclude-standard", "-z").split(b"\0"):
            if path:
                parts += [path, read(os.path.join(TOP, os.fsdecode(path))).encode()]
    except (OSError, subprocess.CalledProcessError):
        return ""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def load():
    """What is kept, of all tiers."""
    try:
        return json.loads(read(FILE) or "{}")
    except ValueError:
        return {}


class History:
    """Of one tier."""

    def __init__(self, tier):
        self.tier, self.tree = tier, tree()
        self.mine = load().get(tier, {})

    def save(self):
        """A run does not depend on it. One of another tier may do so at the same time."""
        new = f"{FILE}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(FILE), exist_ok=True)
            with open(f"{FILE}.lock", "w", encoding="utf-8") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                with open(new, "w", encoding="utf-8") as f:
                    json.dump({**load(), self.tier: self.mine}, f, indent=1)
                os.replace(new, FILE)
        except OSError as e:
            say(f"check: what has passed is not kept: {e}")

    def begin(self, resume):
        if not resume or not self.tree or self.mine.get("tree") != self.tree:
            self.mine.update(tree=self.tree, passed={})

    def passed(self, name):
        """The outcome of a phase that has passed in the run that is continued."""
        sums = self.mine.get("passed", {}).get(name)
        return Outcome(*sums[:3], flaky=[tuple(f) for f in sums[3]]) if sums else None

    def add(self, name, outcome, took):
        """Once the sources have changed, nothing that passes is of those of the beginning."""
        self.mine.setdefault("seconds", {})[name] = round(took)
        now = tree()
        if now and self.tree and now != self.tree:
            say("check: the sources have changed meanwhile: what passes now is not kept")
            self.tree = ""
        if now and self.tree and not outcome.failed:
            self.mine["passed"][name] = [outcome.passed, outcome.failed, outcome.skipped,
                                         outcome.flaky]
        self.save()

    def end(self, took):
        self.mine["took"] = round(took)
        self.save()

    def last_time(self):
        took = self.mine.get("took")
        return f"{took // 60} min {took % 60} s" if took else None
