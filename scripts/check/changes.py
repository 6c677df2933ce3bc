# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The phases that a change can make fail: a fixed smoke, and what tests the files it touches."""

import fnmatch
import os
import subprocess
import sys

import lists
import tiers
from host import Make
from machine import Machine
from phase import TOP

# All that stands on these may break.
GROUND = ["kernel/*", "uapi/*", "include/*", "lib/core/*", "lib/Makefile", "lib/*.mk", "Makefile",
          "process/driver/*", "process/shim/*", "selftests/lib/*", "selftests/lib.mk",
          "scripts/check/*", "scripts/vm/*"]

# Files: programs of lib/tests (with make's wildcard), programs of machines, further targets. Programs
# of the night are taken where they are named, and not where a pattern has them.
TESTS = [
    ("lib/apsh/*", ["test_apsh%"], [], ["check-tools"]),
    ("lib/eth/*", ["test_eth%", "test_flow"], ["api/ethernet.sh"], []),
    ("lib/rdma/*", ["test_rdma%"], ["api/rdma*", "api/hotplug"], []),
    ("lib/flow/*", ["test_flow", "test_eth%"], ["api/ethernet.sh"], []),
    ("lib/xsk/*", ["test_xsk%", "test_eth%", "test_onload%"],
     ["api/ethernet.sh", "tools/doca_zc.sh"], []),
    ("lib/onload/*", ["test_onload%", "onload"], ["tools/doca_zc.sh"], []),
    ("lib/dm/*", ["test_dm%"], ["tools/doca_dm.sh", "api/device_memory*"], []),
    ("lib/dma/*", ["test_dma"], ["api/*"], []),
    ("lib/sha/*", ["test_sha"], ["api/sha"], []),
    ("lib/aes_gcm/*", ["test_aes_gcm%"], [], []),
    ("lib/compress/*", ["test_compress"], ["uapi/compress"], []),
    ("lib/erasure_coding/*", ["test_erasure_coding"], [], []),
    ("lib/argp/*", ["test_argp%"], ["tools/*"], ["check-tools"]),
    ("lib/api13/*", ["test_1_%", "levels"], ["api/level_*"], []),
    ("lib/dpdk_bridge/*", ["test_dpdk%"], ["api/dpdk"], []),
    ("lib/*.map", [], [], ["check-tools"]),
    ("lib/*.pc.in", ["install", "onload", "levels"], [], []),
    ("lib/tests/*.h", ["%"], [], []),
    ("lib/tests/*.mk", ["%"], [], []),
    ("Documentation/*", ["man", "semantics", "mutants", "headers"], [], []),
    ("README.md", ["man", "semantics"], [], []),
    ("VERSION", ["install"], [], ["check-tools"]),
    ("debian/*", [], [], ["check-tools"]),
    ("packaging/*", [], [], ["check-tools"]),
    ("abi/*", [], [], ["check-abi"]),
    *((f"scripts/build/{name}", [], [], ["check-tools"])
      for name in ("abi", "completions/*", "deb", "pack*", "public-types", "rpm")),
    ("tools/*", ["man", "install"], [], ["check-tools"]),
    ("selftests/tools/*", [], [], ["check-tools"]),
    ("tools/bench/*", [], ["tools/doca_bench_peers.sh"], []),
    ("scripts/bench/*", [], ["tools/doca_bench_peers.sh"], []),
    ("selftests/api/rdma_peer*", [], ["api/rdma_between"], []),
    ("selftests/api/rdma_p[ly]*", [], ["api/rdma_interop"], []),
    ("samples/*", [], ["samples/*"], ["run-programs"]),
    ("process/*", [], [], ["check-process-tsan", "run-programs"]),
    ("scripts/build/*", ["mutants", "new_library", "headers", "error_codes", "log_lines"], [], []),
]


def changed_files(since):
    """Of commits, of the working tree, and new ones."""
    def git(*args):
        return subprocess.run(["git", *args], cwd=TOP, capture_output=True, text=True,
                              check=True).stdout.split("\n")
    try:
        files = git("diff", "--name-only", "--no-renames", since)
        files += git("ls-files", "-o", "--exclude-standard")
    except subprocess.CalledProcessError as e:
        sys.exit(f"check: {e.stderr.strip()}")
    return sorted({f for f in files if f})


def program_of(path):
    """The test that a file is: (of lib/tests, of a machine)."""
    folder, name = os.path.split(path)
    stem = name.rsplit(".", 1)[0]
    if folder == "lib/tests":
        return [stem], []
    if path.startswith("lib/tests/"):
        return [f"test_{os.path.basename(folder)}%"], []
    if path.startswith("selftests/") and path.endswith((".c", ".sh")):
        group = path.split("/")[1]
        return [], [f"{group}/{stem}", f"{group}/{name}"]
    if path.startswith("selftests/"):
        return [], [path.split("/")[1] + "/*"]
    if path.startswith("tools/"):
        tool = path.split("/")[1]
        return [], [f"tools/doca_{tool}.sh", f"tools/{tool}.sh"]
    return [], []


def tests_of(files):
    """(programs of lib/tests, programs of machines, targets)"""
    host, machine, targets = ["test_pe%", "test_ctx%", "test_dma", "test_mmap%", "test_buf%"], [], []
    for path in files:
        of_lib, of_machine = program_of(path)
        host += of_lib
        machine += of_machine
        for pattern, of_lib, of_machine, more in TESTS:
            if fnmatch.fnmatch(path, pattern):
                host += of_lib
                machine += of_machine
                targets += more
    return sorted(set(host)), machine, sorted(set(targets))


def is_chosen(name, patterns):
    return name in patterns or (name not in lists.OF_THE_NIGHT and
                                any(fnmatch.fnmatch(name, pattern) for pattern in patterns))


def is_ground(path):
    return any(fnmatch.fnmatch(path, pattern) for pattern in GROUND)


def plan(since):
    """As that of a tier: (first phase, function that makes the lanes)."""
    files = changed_files(since)
    below = [f for f in files if is_ground(f)]
    if below:
        print(f"check: {below[0]} has changed: all is run", flush=True)
        return tiers.build(), lambda: [lane() for lane in tiers.check()]
    host, machine, targets = tests_of(files)

    def wanted(group, program):
        name = f"{group}/{program}"
        return name in lists.SMOKE or (
            not lists.is_engines(program) and not lists.is_timing(program) and
            is_chosen(name, machine))

    def lanes():
        return [
            [Make("host", 360, target="check-host", variables={"T": " ".join(host)}),
             Make("process", 240, target="check-process"),
             *(Make(t.partition("-")[2], 240, target=t) for t in targets),
             Make("lint", 180, target="lint", variables={"SINCE": since}, plain=True)],
            [Machine(tiers.NEW, 600, kernel=tiers.NEW, tests=lists.pollers(wanted))],
        ]
    return tiers.build(), lanes
