# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Which programs are run in which machine.

Each program that needs a kernel is run once, on the newer one, and some not before the night. The
older one has those whose code in the module depends on the kernel; workers=0 is for those that take
another path then.
Names that begin with timing_ measure time, which only a machine of its own may judge.
"""

from machine import Test, built_programs

ENGINE = "engines=0000:00:10.0 engine_min=4096"
ENGINE_COPIES = "software=0 engines=0000:00:10.0 engine_min=1"
BOARD_COPIES = "software=0 engines=ffa80000.dma engines_unsafe=1 engine_min=1"

# Programs with code of their own for older kernels: pinning, files, threads, groups, dma-bufs,
# ciphers.
OLDER = """uapi/query uapi/memory uapi/filemap uapi/hugetlb uapi/locked uapi/copy uapi/queue
    uapi/worker uapi/threads uapi/wait uapi/cgroup uapi/dmabuf uapi/listing uapi/hostile
    uapi/revoke uapi/gcm api/flows api/peers api/removal""".split()

# Programs whose queues calls execute, where there are no workers.
WITHOUT_WORKERS = """api/flows api/peers api/datapath api/comch api/level_flows
    samples/pairs.sh""".split()

# Programs that race with themselves: the night has more rounds of them.
RACES = """uapi/hostile uapi/fetch uapi/greedy uapi/locked uapi/threads uapi/retire uapi/killed
    uapi/churn uapi/revoke uapi/retire_starved uapi/starved_ends uapi/invalidate
    uapi/siblings""".split()

# Programs whose threads the kernel preempts anywhere. It is booted so: where two CPUs are
# emulated, a kernel that patches itself while it runs may trip over its own breakpoints.
PREEMPTED = "uapi/retire_starved uapi/starved_ends".split()

# Programs that cut memory anywhere, for what the kernel executes, or judge files or interfaces of all
# sorts: the night tries more of them.
CUTS = "uapi/hash uapi/compress uapi/ec uapi/gcm api/sha api/compute.sh tools/doca_zc.sh".split()

# RDMA: at night with more tasks and the longest ones, and between two machines.
RDMA = "api/rdma api/rdma_between api/rdma_counts api/rdma_failures".split()
BETWEEN_MACHINES = ["api/rdma_between"]

# Slow in an emulator. Phases that need no machine run doca_file.sh, samples.sh, apsh_map.sh and
# compress without the module, and process/tools.sh, which has doca_bench, doca_caps and doca_copy.
# The tests of rdma-core that doca_dm.sh runs are other people's.
OF_THE_NIGHT = """tools/doca_bench.sh tools/doca_bench_peers.sh tools/doca_caps.sh
    tools/doca_copy.sh tools/doca_dm.sh tools/doca_file.sh tools/apsh_map.sh samples/samples.sh
    uapi/compress api/rdma_between""".split()

# A smoke that shows that the whole works: for a change that touches nothing below.
SMOKE = """uapi/query uapi/memory uapi/copy uapi/queue uapi/worker uapi/hostile api/flows
    api/datapath uapi/wait uapi/revoke system/module.sh""".split()

# One engine behind an IOMMU, by which copies of all sorts are made.
ENGINES = "engine_copy engine_faults engine_attach engine_starved engine_power".split()
ENGINE_COPY = "uapi/copy uapi/dmabuf api/flows".split()

# All that an engine can copy in place of a worker.
COPIES = """uapi/copy uapi/dmabuf uapi/export uapi/failnth uapi/hostile uapi/invalidate
    uapi/queue uapi/queue_areas uapi/retire uapi/revoke uapi/status uapi/sync api/flows
    api/peers""".split()


def is_engines(program):
    return program.startswith("engine_")


def is_timing(program):
    return program.startswith("timing_")


def pollers(wanted):
    """Of what was built, what is wanted, with workers."""
    return [Test("pollers", group, program) for group, program in built_programs()
            if wanted(group, program)]


def is_installed(test):
    """Of what users see of an installation."""
    return test.group in ("samples", "system", "tools")


def is_ordinary(group, program):
    """It wants nothing of its machine."""
    return (group != "fuzz" and not is_engines(program) and not is_timing(program) and
            f"{group}/{program}" not in PREEMPTED)


def everything():
    return pollers(is_ordinary)


def is_of_each_commit(group, program):
    name = f"{group}/{program}"
    return name in PREEMPTED or program in ENGINES or (
        is_ordinary(group, program) and name not in OF_THE_NIGHT)


def of_each_commit():
    return [t for t in everything() if is_of_each_commit(t.group, t.program)]


def of_module():
    return [t for t in everything() + preempted() if t.group in ("uapi", "api")]


def of_both_ways(tests):
    """Those that are worth a run without workers, too."""
    return [t for t in tests
            if t.group in ("uapi", "api") or f"{t.group}/{t.program}" in WITHOUT_WORKERS]


def named(names):
    return pollers(lambda g, p: f"{g}/{p}" in names)


def is_named(name, group, program):
    """By what a user says: PROGRAM, GROUP/PROGRAM, or a GROUP."""
    full = f"{group}/{program}"
    return name in (group, program, program.removesuffix(".sh"), full, full.removesuffix(".sh"))


def is_alone(program):
    """It measures, or is for engines: no group has it with it."""
    return is_engines(program) or is_timing(program)


def chosen(name):
    return pollers(lambda g, p: g != "fuzz" and is_named(name, g, p) and
                   not (name == g and is_alone(p)))


def without_workers(tests):
    return [Test("enter", t.group, t.program, "workers=0") for t in tests]


def timing():
    return pollers(lambda g, p: is_timing(p))


def with_engines(engines=None, copies=tuple(COPIES)):
    """Programs of engines, and copies by one. By default all."""
    tests = [Test("engines", g, p, ENGINE) for g, p in built_programs()
             if is_engines(p) and p != "engine_unsafe" and (not engines or p in engines)]
    return tests + [Test("copies", g, p, ENGINE_COPIES) for g, p in built_programs()
                    if f"{g}/{p}" in copies]


def preempted():
    return named(PREEMPTED)


def is_preempted(test):
    return f"{test.group}/{test.program}" in PREEMPTED


def unsafe():
    return [Test("unsafe", g, p, ENGINE + " engines_unsafe=1") for g, p in built_programs()
            if p == "engine_unsafe"]


def on_board():
    return [Test("versal", g, p, BOARD_COPIES) for g, p in built_programs()
            if f"{g}/{p}" in COPIES]
