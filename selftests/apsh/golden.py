#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Compare what doca_apsh sees of a guest from outside with what its /proc says.

The guest plays a stage (stage.py) and lists it; it is stopped, looked at, and continued;
and lists it again. What both listings say must be what was seen: no row more, none less.
Nothing may have been written to the guest's memory meanwhile. KTAP, as other tests.
"""

import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from collections import Counter

sys.dont_write_bytecode = True
from forms import chunks_of, forms  # noqa: E402 (not before that)
from machine import Machine, main  # noqa: E402
from programs import VUID, Programs  # noqa: E402

# By which columns rows of a command are known; others are compared. ps has what may change
# in a process that stays, and so has what is none of a row's.
KEYS = {"ps": ("pid",), "lsmod": ("name",), "containers": ("id",), "threads": ("tid",),
        "maps": ("vm_start",), "libs": ("library_path",), "args": (), "env": ("variable",),
        "caps": ("name",), "fds": ("value",), "ip": ("namespace", "name"),
        "files": ("path",), "attest": ("start_address",), "inject": ("suspected_area_start",),
        "mounts": ("id",), "kmsg": ("seq",),
        "ss": ("protocol", "linux_family", "local_addr", "local_port", "remote_addr",
               "remote_port", "pid", "linux_fd", "linux_net_namespace")}
# Kinds of doca_apsh check; all but the first ask for x86-64, modules for their scan of memory.
CHECKS = ("process", "module", "syscall", "interrupt", "hook", "code")
OF_SYSTEM = ("ps", "lsmod", "containers", "ss", "ip", "kmsg")
# Which sockets /proc/net lists, in the form that the stage has them in.
LISTED = ("TCP", "UDP", "RAW", "UNIX")
LETTERS = "RSDTtXZPI"
VMCOREINFO = b"OSRELEASE="


def letter(state):
    """As /proc shows the bits of a state."""
    if state & 0x402 == 0x402:
        return "I"
    return LETTERS[(state & 0x7f).bit_length()]


def read_json(path):
    with open(path, encoding="ascii") as f:
        return json.load(f)


class Tools:
    def __init__(self, build, folder, machine):
        self.build, self.folder, self.socket = build, folder, machine.socket
        self.image = machine.kernel.image
        os.makedirs(f"{folder}/tmp/targets")
        self.env = dict(os.environ, LD_LIBRARY_PATH=os.path.join(build, "lib"),
                        DOCA_TARGETS_DIR=f"{folder}/tmp/targets")
        self.run("doca_apsh_map", "symbols", "--vmlinuz", machine.kernel.image,
                 "-o", f"{folder}/map.json")

    def run(self, name, *args):
        done = subprocess.run([os.path.join(self.build, "tools", name), *args], env=self.env,
                              capture_output=True, text=True, check=False, timeout=120)
        # 2 is that something is not as it should be, 3 that a check cannot tell
        told = (2, 3) if "check" in args else (2,)
        if done.returncode and not (done.returncode in told and done.stdout):
            raise RuntimeError(f"{name} {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    def errors_of(self, *args):
        return subprocess.run(
            [f"{self.build}/tools/doca_apsh", "-t", "vm", "-m", f"{self.folder}/regions.json",
             "-o", f"{self.folder}/map.json", *args], env=self.env, capture_output=True,
            text=True, check=True, timeout=120).stderr

    def map_of_memory(self, ram):
        """Whether memory alone gives the same map."""
        self.run("doca_apsh_map", "symbols", "--from-memory", ram, "-o",
                 f"{self.folder}/memory.json")
        one, other = (read_json(f"{self.folder}/{name}.json") for name in ("map", "memory"))
        for made in one, other:
            del made["metadata"]["producer"]["datetime"]
        return one == other

    def regions(self):
        self.run("doca_apsh_map", "regions", "--iomem", f"{self.folder}/iomem", "-o",
                 f"{self.folder}/regions.json")

    def hashes(self, listed, root):
        """What code of processes should be, where the guest itself cannot say it."""
        for pid, rows in listed["maps"].items():
            paths = {row["file_path"] for row in rows if "x" in row["protection"]}
            found = [root + path for path in sorted(paths) if os.path.isfile(root + path)]
            made = json.loads(self.run("doca_apsh_map", "hash", "--file", *found))
            for one in made["files"]:
                one["path"] = "/" + os.path.relpath(one["path"], root)
            with open(f"{self.folder}/hash-{pid}.json", "w", encoding="ascii") as f:
                json.dump(made, f)

    def target(self):
        """By QEMU's monitor, with which nobody else speaks yet."""
        self.run("doca_apsh", "target", "add", "vm", "--vuid", VUID, "--device", "mlx5_0",
                 "--qmp", self.socket)
        return read_json(f"{self.folder}/tmp/targets/vm.json")

    def apsh(self, *args, memory=("-t", "vm")):
        return self.run("doca_apsh", *memory, "-m", f"{self.folder}/regions.json",
                        "-o", f"{self.folder}/map.json", *args)

    def all_of(self, commands, pids, memory=("-t", "vm")):
        """As it is printed."""
        texts = {}
        for command in commands:
            for pid in pids if command not in OF_SYSTEM else [None]:
                hashes = ("--hashes", f"{self.folder}/hash-{pid}.json") * (command == "attest")
                texts[command, pid] = self.apsh("--json", *hashes, command,
                                                *([pid] if pid else []), memory=memory)
        return texts

    def raw(self, command, *args):
        return [json.loads(line) for line in self.apsh("--json", command, *args).splitlines()]

    def look(self, command, *args):
        """Rows as the guest would list them."""
        if command == "attest":
            args = ("--hashes", f"{self.folder}/hash-{args[0]}.json", *args)
        if command == "check":
            args = ("--image", self.image, *args)
        return as_listed(command, self.raw(command, *args))


def as_listed(command, rows):
    """As the guest would list what doca_apsh has printed."""
    if command == "ss":
        rows = [row for row in rows if row["protocol"] in LISTED]
    if command == "mounts":
        rows = [row for row in rows if row["reachable"]]
    for row in rows:
        if command == "attest":
            row["as_it_should_be"] = 0 < row["pages_present"] == row["matching_hashes"]
        # of a file that is not all in memory nobody knows; a memfd is
        if command == "files" and not row["path"].startswith("/memfd:whole"):
            row["sha1"], row["sha256"] = row["sha1"] or None, row["sha256"] or None
        if command == "ps":
            row["linux_state"] = letter(row["linux_state"])
    return rows


def by_key(command, rows):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[k] for k in KEYS[command]), []).append(row)
    return found


def differs(wanted, seen):
    """What of a row is wrong; None in it is what nobody knows."""
    return [f"{k} is {seen.get(k)!r}, not {v!r}" for k, v in wanted.items()
            if v is not None and seen.get(k, "missing") not in (v, None)]


def compare(command, before, after, seen, skipped):
    """Lines that say what is wrong, and how many rows were the same."""
    before, after, seen = (by_key(command, rows) for rows in (before, after, seen))
    bad, same = [], 0
    for key, rows in before.items():
        if after.get(key) != rows:
            continue
        ours = seen.get(key, [])
        if len(ours) != len(rows):
            bad.append(f"{command}: {key} is there {len(ours)} times, not {len(rows)}: {rows}")
            continue
        for row, our in zip(rows, ours):
            wrong = differs(row, our)
            bad += [f"{command}: {key}: {w}" for w in wrong]
            same += not wrong
    bad += [f"{command}: {key} is too much: {rows}" for key, rows in seen.items()
            if key not in before and key not in after and key not in skipped]
    return bad, same


def wipe_vmcoreinfo(memory):
    """As a guest may do that hides; how many pages it was in."""
    wiped = 0
    with open(memory, "r+b") as f:
        size = os.fstat(f.fileno()).st_size
        for at, chunk in chunks_of(f.fileno(), 0, size):
            for page in range(0, len(chunk), 4096):
                # of its own, or behind the header of a note
                for skip in (0, 24):
                    if chunk.startswith(VMCOREINFO, page + skip):
                        os.pwrite(f.fileno(), bytes(len(VMCOREINFO)), at + page + skip)
                        wiped += 1
    return wiped


def found_without_a_hint(tools, wiped):
    """By its banner, where memory would be searched for what was wiped."""
    look = re.search(r"found by its banner in (\d+) us", tools.errors_of("--stats", "lsmod"))
    if not wiped or not look:
        return [f"{wiped} pages had VMCOREINFO; found by its banner: {look}"]
    print(f"# the kernel was found in {look[1]} us")
    return []


def digest(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


class Report:
    def __init__(self):
        self.number, self.failed, self.sums = 0, 0, Counter()

    def __call__(self, name, bad):
        self.number += 1
        self.failed += bool(bad)
        for line in bad[:10]:
            print(f"# {line}")
        if len(bad) > 10:
            print(f"# and {len(bad) - 10} more")
        print(f"{'not ok' if bad else 'ok'} {self.number} {name}", flush=True)


def look_at_all(tools, shown, commands):
    """What was seen, or why nothing was, of each command and process."""
    seen = {}
    for command in commands:
        for pid in shown if command not in OF_SYSTEM else [None]:
            try:
                seen[command, pid] = tools.look(command, *([pid] if pid else []))
            except (RuntimeError, subprocess.TimeoutExpired, ValueError) as e:
                seen[command, pid] = str(e)
    return seen


def wrong_rows(before, after, seen, skipped):
    """As compare(), of all commands and processes that were looked at."""
    bad, same = [], 0
    for (command, pid), rows in seen.items():
        if isinstance(rows, str):
            bad.append(rows)
            continue
        a, b = (x[command] if pid is None else x[command][pid] for x in (before, after))
        more, n = compare(command, a, b, rows, skipped)
        bad += more if pid is None else [f"process {pid}: {m}" for m in more]
        same += n
    if not bad and not same:
        bad.append("no row was compared")
    return bad, same


def verdicts(kernel, is_x86):
    """Of a sound machine, for all kinds. See apsh.rst for what cannot be told of older kernels."""
    wanted = {kind: "clean" if is_x86 or kind == "process" else "cannot tell" for kind in CHECKS}
    if tuple(int(n) for n in re.findall(r"\d+", kernel.release)[:2]) < (5, 12):
        wanted["hook"] = "cannot tell"
    return wanted


def not_as_sound(checked, wanted):
    """Verdicts that a sound machine has not."""
    bad = [f"check: {row}" for row in checked if row["verdict"] != wanted.get(row["kind"])]
    return bad + [f"check: nothing is said of {kind}" for kind in wanted
                  if kind not in [row["kind"] for row in checked]]


def judge(report, command, before, after, seen, skipped):
    bad, same = wrong_rows(before, after, {k: rows for k, rows in seen.items()
                                           if k[0] == command}, skipped)
    report(f"{command}_is_what_proc_says", bad)
    print(f"# {same} rows are the same")


def machine_of(opts, folder):
    here = os.path.dirname(os.path.realpath(__file__))
    return Machine(opts.kernel, opts.mem, opts.levels, folder,
                   ["python3", f"{here}/stage.py", folder,
                    opts.guest_build or opts.build])


def same_in_all_forms(tools, qmp, machine, regions, pids):
    """What a recording has, too: all but pages of files."""
    commands, path = list(KEYS), f"{tools.folder}/recording"
    wanted, bad = tools.all_of(commands, pids), []
    tools.apsh("record", path)
    size = os.stat(path).st_size
    found = [("a recording", path, [c for c in commands if c not in ("files", "attest", "inject")])]
    for name, file, asked in itertools.chain(found, (
            (*form, commands) for form in forms(qmp, machine.memory, regions, tools.folder,
                                                machine.is_x86))):
        try:
            seen = tools.all_of(asked, pids, ("--file", file))
            bad += [f"{name}: {command} of {pid} differs" for (command, pid), text
                    in seen.items() if text != wanted[command, pid]]
        except (RuntimeError, subprocess.TimeoutExpired) as e:
            bad.append(f"{name}: {e}")
    print(f"# a recording has {size} bytes")
    return bad


def from_inside(folder, before, after, skipped):
    """What the guest has seen of itself in /proc/kcore, doca_apsh left out."""
    seen = {}
    stage = {ppid for ppid, in skipped}
    for command, pid, text, _ in read_json(f"{folder}/kcore.json"):
        try:
            rows = as_listed(command, [json.loads(line) for line in text.splitlines()])
        except ValueError:
            return [f"{command}: {text}"]
        seen[command, pid] = [row for row in rows if row.get("ppid") not in stage or
                              any(row["pid"] == old["pid"] for old in before["ps"])]
    bad, same = wrong_rows(before, after, seen, skipped)
    print(f"# {same} rows of /proc/kcore are the same")
    return bad


def cost_from_inside(folder):
    """What is wrong with the rounds, and the bytes a process, that ps took in the guest."""
    text, stats = next(look[2:] for look in read_json(f"{folder}/kcore.json") if look[0] == "ps")
    numbers = dict(re.findall(r"(\w+) (\d+)", stats))
    if "rounds" not in numbers:
        return [f"ps of /proc/kcore: {stats.strip()}"]
    rounds, size, nr = int(numbers["rounds"]), int(numbers["bytes"]), len(text.splitlines())
    print(f"# ps took {rounds} rounds, and {size // nr} bytes for each of {nr} processes")
    return [f"too many: {stats.strip()}"] if rounds > 16 or size > 4096 * nr else []


def demo(opts, folder):
    """The guest runs on."""
    with machine_of(opts, folder) as machine:
        print(f"demo: a guest with Linux {machine.kernel.release} boots", flush=True)
        tools = Tools(opts.build, folder, machine)
        machine.wait_for("ready", opts.timeout)
        tools.regions()
        tools.target()
        for command in (["ps"], ["lsmod"], ["maps", "1"], ["ss"], ["ip"]):
            print(f"\n$ doca_apsh -t vm {' '.join(command)}")
            print(tools.apsh(*command), end="")
        print("demo: OK")
    return 0


def watched(programs, listed, folder):
    """An agent of the process whose code is changed later."""
    pid = list(listed["maps"])[-1]
    return programs.agent(pid, f"{folder}/hash-{pid}.json")


def attest_changed(tools, folder, qmp):
    """One byte of code was changed: the next look at it must see one page."""
    pid = str(read_json(f"{folder}/changed"))
    qmp("stop")
    rows = tools.look("attest", pid)
    wrong = sum(row["pages_present"] - row["matching_hashes"] for row in rows)
    found = [row["vad_tag"] for row in tools.raw("inject", pid)]
    return [f"{wrong} pages of process {pid} are not as they should be"] * (wrong != 1) + [
        f"injected code of process {pid}: {found}"] * (found != ["changed"])


def matched(tools, listed):
    """Of all processes a rule matches in the one whose environment has its text."""
    wanted = {int(pid) for pid, rows in listed["env"].items()
              if any(row["value"] == "Hello World" for row in rows)}
    rows = [row for pid in listed["maps"]
            for row in tools.raw("--rule", "Hello_World", "yara", pid)]
    found = {row["pid"] for row in rows if row["rule"] == "Hello_World"}
    return [] if found == wanted else [f"yara: {rows}, but it is in {wanted}"]


def golden(opts, folder):
    report = Report()
    print(f"KTAP version 1\n1..{len(opts.commands or KEYS) + 11}", flush=True)
    with machine_of(opts, folder) as machine:
        tools = Tools(opts.build, folder, machine)
        machine.wait_for("ready", opts.timeout)
        regions = tools.target()["regions"]
        qmp = machine.qmp()
        qmp("stop")
        tools.regions()
        before = read_json(f"{folder}/a.json")
        if machine.kernel.root != "/":
            tools.hashes(before, machine.kernel.root)
        commands = opts.commands or list(KEYS)
        wiped = wipe_vmcoreinfo(machine.memory)
        sum_before = digest(machine.memory)
        seen = look_at_all(tools, list(before["maps"]), commands)
        checked = tools.look("check")
        rule_bad = matched(tools, before)
        found_bad = found_without_a_hint(tools, wiped)
        map_bad = [] if tools.map_of_memory(machine.memory) else ["the maps differ"]
        forms_bad = same_in_all_forms(tools, qmp, machine, regions,
                                      list(before["maps"])[:2])
        programs = Programs(opts.build, folder)
        programs_bad = programs.look_at_all(tools.raw)
        sum_after = digest(machine.memory)
        qmp("cont")
        with watched(programs, before, folder) as agent:
            agent_bad = agent.wait_for("pass", 60)
            open(f"{folder}/go", "w", encoding="ascii").close()
            machine.wait_for("b.json", opts.timeout)
            machine.wait_for("changed", opts.timeout)
            agent_bad += agent.wait_for("fail", 5)
        after = read_json(f"{folder}/b.json")
        # The stage lists all but itself, the parent of what it plays.
        stage = {(r["ppid"],) for r in before["ps"] if str(r["pid"]) in before["maps"]}
        for command in commands:
            judge(report, command, before, after, seen, stage)
        report("nothing_is_suspicious", not_as_sound(checked, verdicts(machine.kernel, machine.is_x86)))
        report("a_rule_matches_where_its_text_is", rule_bad)
        report("nothing_is_written_to_the_guest",
               [] if sum_before == sum_after else ["its memory has changed"])
        report("its_kernel_is_found_without_a_hint", found_bad)
        report("its_memory_alone_makes_the_same_map", map_bad)
        report("a_guest_sees_the_same_of_itself",
               from_inside(folder, before, after, stage))
        report("a_guest_reads_itself_in_few_rounds", cost_from_inside(folder))
        report("all_forms_of_memory_show_the_same", forms_bad)
        report("programs_of_users_see_the_same", programs_bad)
        report("one_changed_byte_of_code_is_seen",
               attest_changed(tools, folder, qmp))
        report("one_changed_byte_of_code_ends_an_agent", agent_bad)
    return report.failed


def play(opts, folder):
    if not os.path.exists(os.path.join(opts.build, "tools/doca_apsh")):
        print("KTAP version 1\n1..0 # SKIP needs doca_apsh")
        sys.exit(4)
    return (demo if opts.demo else golden)(opts, folder)


if __name__ == "__main__":
    sys.exit(main(__doc__, play,
                  levels={"type": int, "default": 5, "choices": (4, 5), "help": "of page tables"},
                  **{"guest-build": {"help": "whose tools the guest runs, if not the same"}},
                  demo={"action": "store_true", "help": "show what is seen, and compare nothing"},
                  commands={"nargs": "*", "help": "of doca_apsh; default: all"}))
