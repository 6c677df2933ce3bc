# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The phases that a change can make fail: a fixed smoke, and what tests the files it touches."""

import fnmatch
import os
import subprocess
import sys

import lists
import tiers
from host import Make
from phase import TOP

# Every change has these: programs of lib/tests, and phases.
HOST = ["test_pe%", "test_ctx%", "test_dma", "test_mmap%", "test_buf%", "mutants", "semantics"]
PHASES = ["lint"]

LIBRARY = ["process", "tsan", "debug-mode", "programs", "instructions"]
DRIVER = ["process", "process-tsan"]
WALKS = ["test_objects", "test_%_walk", "test_d%_objects", "test_onload_objects"]
BENCH = ["tools/doca_bench.sh", "tools/doca_bench_peers.sh"]

# Files: programs of lib/tests (with make's wildcard), programs of machines, further phases. Each
# row that matches counts. Where none does, all may stand on the file, and all is run. Programs that
# are not for each commit are taken where they are named, and not where a pattern has them.
TESTS = [
    ("lib/aes_gcm/*", ["test_aes_gcm%"], [], LIBRARY),
    ("lib/api13/*", ["test_1_%", "levels"], ["api/level_*", "api/datapath"], LIBRARY),
    ("lib/apsh/*", ["test_apsh%"], [], [*LIBRARY, "tools"]),
    ("lib/argp/*", ["test_argp%"], ["tools/*"], [*LIBRARY, "tools"]),
    ("lib/comch/*", ["test_comch%"], ["api/comch", "api/datapath", "samples/pairs.sh"], LIBRARY),
    ("lib/compress/*", ["test_compress"], ["api/compute.sh", "uapi/compress"], LIBRARY),
    ("lib/dm/*", ["test_dm%"], ["tools/doca_dm.sh", "api/device_memory*"], LIBRARY),
    ("lib/dma/*", ["test_dma"], ["api/*"], LIBRARY),
    ("lib/dpdk_bridge/*", ["test_dpdk%", "dpdk_missing"], ["api/dpdk"], LIBRARY),
    ("lib/erasure_coding/*", ["test_erasure_coding"], ["api/compute.sh"], LIBRARY),
    ("lib/eth/*", ["test_eth%", "test_flow%"], ["api/ethernet.sh"], LIBRARY),
    ("lib/flow/*", ["test_flow%", "test_eth%"], ["api/ethernet.sh"], LIBRARY),
    ("lib/onload/*", ["test_onload%", "onload"], ["tools/doca_zc.sh"], LIBRARY),
    ("lib/rdma/*", ["test_rdma%"], ["api/rdma*", "api/hotplug", "samples/rdma.sh"], LIBRARY),
    ("lib/sha/*", ["test_sha"], ["api/sha"], LIBRARY),
    ("lib/xsk/*", ["test_xsk%", "xsk_none", "test_eth%", "test_onload%"],
     ["api/ethernet.sh", "tools/doca_zc.sh"], LIBRARY),
    ("lib/*.map", WALKS, [], ["tools"]),
    ("lib/*.pc.in", ["install", "onload", "levels"], ["samples/*"], ["tools"]),
    ("lib/*.cmake.in", ["install"], [], ["tools"]),

    # Parts of all programs of lib/tests; those in other folders are programs and their parts.
    ("lib/tests/*.[hm]*", ["%"], [], [*DRIVER, "tsan", "debug-mode"]),
    *((f"lib/tests/{name}.c", ["%"], [], ["tsan", "debug-mode"])
      for name in ("fault", "seen", "clock", "level_fake")),
    ("lib/tests/*.except", ["%"], [], []),
    ("lib/tests/test_*", [], [], ["tsan", "debug-mode"]),
    ("lib/tests/dm/*", ["test_dm_%"], [], ["tsan"]),
    ("lib/tests/onload/*", ["test_onload_%"], [], ["tsan"]),
    ("lib/tests/onload_link/*", ["test_onload_past%"], [], ["tsan", "instructions"]),
    ("lib/tests/plugin/*", ["test_plugin", "plugins"], [], []),
    ("lib/tests/install/*", ["install", "plugins"], [], []),
    ("lib/tests/instructions/*", [], [], ["instructions"]),

    ("process/Makefile", [], [], [*DRIVER, "instructions"]),
    ("process/compute/*", ["test_compute_load"], ["api/compute.sh"], [*DRIVER, "programs"]),
    ("process/fuzz/*", [], [], DRIVER),
    ("process/instructions/*", [], [], ["instructions"]),
    ("process/programs/*", [], [], [*DRIVER, "programs"]),
    ("process/tests/*", [], [], DRIVER),
    ("process/wrap/*", [], [], [*DRIVER, "instructions"]),

    ("selftests/api/*", [], [], [*DRIVER, "programs"]),
    ("selftests/uapi/*", [], [], DRIVER),
    *((f"selftests/api/{part}*", [], [program], []) for part, program in (
        ("compute_files", "api/compute.sh"), ("datapath_", "api/datapath"),
        ("eth_traffic", "api/ethernet.sh"), ("first_copy", "api/first_calls"),
        ("rdma_peer", "api/rdma_between"), ("rdma_p[ly]", "api/rdma_interop"),
        ("zc_traffic", "tools/doca_zc.sh"))),
    *((f"selftests/{path}", [], ["uapi/engine_*"], ["6.12-engines-none", "6.12-engines-pt"])
      for path in ("dma/*", "uapi/engine.h")),
    ("selftests/mutants/*", ["mutants"], [], []),
    ("selftests/samples/*", [], [], ["programs"]),
    ("selftests/tools/*", [], [], ["tools"]),

    ("samples/*", ["onload"], ["samples/*"], ["programs", "tools"]),
    ("tools/*", ["man", "install"], [], ["tools", "programs"]),
    ("tools/apsh/*", ["test_apsh%"], [], []),
    ("tools/apsh_map/*", [], ["tools/apsh_map.sh"], []),
    ("tools/bench/*", [], BENCH, []),
    *((f"tools/{path}", [], ["tools/*"], [])
      for path in ("common/*", "data/*", "Makefile", "completions.mk")),
    ("tools/demo.sh", [], ["tools/doca_copy.sh"], []),
    ("tools/demo-pair.sh", [], ["samples/pairs.sh"], []),

    ("README.md", ["new_library"], ["samples/pairs.sh", "samples/rdma.sh"], ["programs", "tools"]),
    ("C*.md", ["new_library"], [], ["tools"]),
    ("Documentation/*", ["levels"], [], ["tools"]),
    ("Documentation/man/*", ["man", "install", "new_library"], [], []),
    ("Documentation/*new-library*", ["new_library"], [], []),
    ("Documentation/uapi.rst", ["new_library"], [], []),
    ("Documentation/performance*", ["bench_tables"], [], ["instructions"]),

    ("abi/*", [], [], ["tools"]),
    ("debian/*", [], [], ["tools"]),
    ("packaging/*", ["new_library"], [], ["tools"]),
    ("scripts/bench/*", ["bench_tables"], BENCH, []),
    ("scripts/dist/*", ["install"], ["system/*"], ["tools"]),
    ("scripts/model/*", [], [], ["model"]),
    ("scripts/build/error-codes", ["%"], [], []),
    ("scripts/build/object-walk", WALKS, [], []),
    ("scripts/build/public.py", ["%"], [], ["tools"]),
    ("scripts/build/mutants", ["mutants"], [], []),
    ("scripts/build/new-library", ["new_library"], [], []),
    ("scripts/build/skeleton/*", ["new_library"], [], []),
    ("scripts/build/man-pages/*", ["man", "install"], [], ["tools"]),
    *((f"scripts/build/{name}", [], [], ["tools"])
      for name in ("abi", "check-packages", "completions/*", "deb", "pack*", "public-types", "rpm",
                   "workflow")),
    *((f"scripts/build/{name}", [], [], ["lint"])
      for name in ("analyze", "changed", "circles", "cppcheck.except", "found-by-grep", "lint",
                   "named-files", "waits*", "words*")),
]

# Files that only lint has, and what is no part of "make check": phases of the night and the week,
# what is done by hand, and the parts of these in folders that are built.
LATER = [".ci/*", ".codespellrc", ".github/*", ".gitignore", "LICENSES/*", "dkms.conf",
         "Documentation/html/*", "lib/tests/fuzz/*.[ch]", "lib/tests/valgrind.supp",
         "process/bench/*", "selftests/apsh/*", "selftests/fuzz/*", "selftests/keys/*",
         "selftests/uapi/engine_bench.c",
         *(f"scripts/build/{name}" for name in (
             "arm64", "check-dkms", "covered-lines", "debian*", "debug-kernel", "dkms-in", "fuzz",
             "help.txt", "kernels/*", "module-coverage"))]


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


def in_tests(name):
    return os.path.exists(os.path.join(TOP, "selftests", name))


def program_of(path):
    """The test that a file is, or is a part of: (of lib/tests, of a machine)."""
    folder, name = os.path.split(path)
    stem, kind = os.path.splitext(name)
    if folder == "lib/tests" and (stem.startswith("test_") or kind == ".sh"):
        return [stem], []
    if folder == "lib/tests":
        return [stem] if kind == ".txt" else [], []
    first, *more = path.split("/")
    if first == "selftests" and more[0] in ("api", "samples", "system", "tools", "uapi"):
        programs = {".c": f"{more[0]}/{stem}", ".sh": f"{more[0]}/{name}"}
        return [], [programs.get(kind, f"{more[0]}/*")]
    if first == "tools":
        return [], [t for t in (f"tools/doca_{more[0]}.sh", f"tools/{more[0]}.sh") if in_tests(t)]
    return [], []


def matches(path, pattern):
    return fnmatch.fnmatchcase(path, pattern)


def tests_of(path):
    """(programs of lib/tests, programs of machines, phases); None if all may stand on it."""
    host, machine = program_of(path)
    phases = []
    for pattern, *more in TESTS:
        if matches(path, pattern):
            host, machine, phases = host + more[0], machine + more[1], phases + more[2]
    if host or machine or phases:
        return host, machine, phases
    return ([], [], []) if any(matches(path, pattern) for pattern in LATER) else None


def tests_of_all(files):
    """As above, of all of them; a file, if all may stand on it."""
    host, machine, phases = list(HOST), list(lists.SMOKE), list(PHASES)
    for path in files:
        more = tests_of(path)
        if more is None:
            return path
        host, machine, phases = host + more[0], machine + more[1], phases + more[2]
    return sorted(set(host)), set(machine), set(phases)


def is_wanted(group, program, patterns):
    name = f"{group}/{program}"
    return name in patterns or (lists.is_of_each_commit(group, program) and
                                any(matches(name, pattern) for pattern in patterns))


def lanes_of(since, host, machine, phases):
    """Programs that are named are known when they have been built."""
    on_host = [Make("host", 360, target="check-host", variables={"T": " ".join(host)})]
    on_host += [p for p in tiers.host_lane() if p.name in phases - {"host", "lint"}]
    on_host += [Make("lint", 180, target="lint", variables={"SINCE": since}, plain=True)]
    tests = lists.pollers(lambda group, program: is_wanted(group, program, machine))
    machines = tiers.placed(tiers.NEW, 600, tests, copies=lists.ENGINE_COPY)
    return [on_host, machines + [p for p in tiers.refusals(tiers.NEW) if p.name in phases]]


def plan(since):
    """As that of a tier: (first phase, function that makes the lanes)."""
    found = tests_of_all(changed_files(since))
    if isinstance(found, str):
        print(f"check: {found} has changed: all is run", flush=True)
        return tiers.build(), lambda: [lane() for lane in tiers.check()]
    return tiers.build(), lambda: lanes_of(since, *found)
