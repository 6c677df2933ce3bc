# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""The phases of each tier, in lanes that run beside each other."""

import lists
from host import Make
from machine import Machine, Pair, Programs, Script, is_slow

OLD, NEW = "6.1", "6.12"
DMA = ["selftests/dma/run"]
RXE = ["--rxe", "2"]
PREEMPTED = ["--append", "preempt=full"]


def build(*more):
    """What all of the machines need; "more" are variables."""
    return Make("build", 300, target="all root selftests samples testdma",
                variables=dict(more), plain=True)


def instructions(bound):
    """What each of many tasks costs, which no other load changes."""
    kinds = ("", "-rdma", "-apsh", "-eth", "-zc")
    return Make("instructions", bound, plain=True,
                target=" ".join(f"instructions{kind}" for kind in kinds))


def host_lane():
    return [
        Make("host", 360, target="check-host"),
        Make("process", 240, target="check-process"),
        Make("process-tsan", 300, target="check-process-tsan"),
        Make("tsan", 120, target="check-tsan"),
        Make("debug-mode", 60, target="check-debug-mode"),
        Make("programs", 150, target="run-programs"),
        Make("tools", 120, target="check-tools"),
        Make("model", 60, target="check-model"),
        instructions(120),
        Make("lint", 180, target="lint", plain=True),
    ]


def engines(kernel, tests, iommu="intel", **more):
    return Machine(f"{kernel}-engines", 300, kernel=kernel, tests=tests, before=DMA,
                   options=["--iommu", iommu, "--engines", "lsi,edu", *PREEMPTED], **more)


def refusal(kernel, iommu, parameters=""):
    """Where no IOMMU translates; not all memory is within 32 bits."""
    return Script(f"{kernel}-engines-{iommu}", 300, kernel=kernel,
                  command=[*DMA, "scripts/vm/with-doca", "selftests/dma/refused.sh"],
                  options=["--iommu", iommu, "--engines", "lsi,edu", "--mem", "5G"],
                  env={"DOCA_MODULE_PARAMS": f"engines=all {parameters}"})


def all_engines(kernel, iommu="intel"):
    return [
        engines(kernel, lists.with_engines() + lists.preempted(), iommu=iommu),
        Machine(f"{kernel}-engines-unsafe", 120, kernel=kernel, tests=lists.unsafe(),
                before=DMA, options=["--engines", "lsi,edu", "--mem", "2G"]),
        refusal(kernel, "none"),
        refusal(kernel, "pt", "engines_unsafe=1"),
    ]


def both_ways(tests):
    """With workers and without."""
    return tests + lists.without_workers(lists.of_both_ways(tests))


def whole(kernel, bound=1800):
    """All that needs a kernel but does not want it to preempt itself."""
    return Machine(kernel, bound, kernel=kernel, tests=both_ways(lists.everything()))


def preempted(kernel, tests=None, **more):
    """Where the kernel preempts itself. The machines with engines run these programs, too."""
    return Machine(f"{kernel}-preempted", 300, kernel=kernel, tests=tests or lists.preempted(),
                   options=RXE + PREEMPTED, **more)


def chosen(kernel, test):
    """What a user has named, each in a machine as it wants it. It may be of no use there."""
    tests = lists.chosen(test)
    apart = [t for t in tests if lists.is_preempted(t)]
    others = [t for t in tests if t not in apart]
    phases = [preempted(kernel, both_ways(apart), may_skip=True)] if apart else []
    if others or not apart:
        phases.insert(0, Machine(kernel, 900, kernel=kernel, tests=both_ways(others),
                                 may_skip=True))
    return phases


def rdma(kernel):
    """By numbers, and where a wire between devices fails."""
    return Machine(f"rdma-{kernel}", 3600, kernel=kernel, tests=lists.named(lists.RDMA),
                   env={"DOCA_TEST_ROUNDS": "10", "DOCA_TEST_TASKS": "100000"})


def pair(kernel):
    return Pair(f"pair-{kernel}", 2400, kernel=kernel, tests=lists.named(lists.BETWEEN_MACHINES),
                env={"DOCA_TEST_ROUNDS": "20", "DOCA_TEST_PEER": "192.0.2.11"})


def check():
    new = lists.of_each_commit() + lists.without_workers(
        [t for t in lists.named(lists.WITHOUT_WORKERS) if not lists.is_installed(t)])
    return [
        lambda: host_lane(),
        lambda: [
            Machine(NEW, 600, kernel=NEW, tests=[t for t in new if not lists.is_installed(t)]),
            Machine(f"{NEW}-installed", 540, kernel=NEW,
                    tests=[t for t in new if lists.is_installed(t)]),
            engines(NEW, lists.with_engines(lists.ENGINES, lists.ENGINE_COPY) +
                    lists.preempted()),
            Machine(OLD, 300, kernel=OLD, tests=lists.named(lists.OLDER)),
        ],
    ]


def fuzzers(seconds):
    """Each ends with an error if it has found something."""
    names = ["fuzz-rings", "fuzz-channels", "fuzz-peers", "fuzz-lz4", "fuzz-inflate", "fuzz-eth",
             "fuzz-xsk", "fuzz-rdma", "fuzz-zc", "fuzz-apsh",
             "fuzz-apsh-code"]
    return [Make(name, seconds + 300, target=name, variables={"T": seconds}, plain=True)
            for name in names]


def night():
    rounds = {"DOCA_TEST_ROUNDS": "50"}
    return [
        lambda: [
            Make("host", 600, target="check-host"),
            Make("debug-mode", 300, target="check-debug-mode", variables={"ALL": 1}),
            Make("tsan", 600, target="check-tsan", variables={"ALL": 1}),
            Make("valgrind", 900, target="check-valgrind"),
            Make("tools", 90, target="check-tools"),
            Make("programs", 600, target="run-programs", variables={"ALL": 1}),
            Make("process", 3600, target="check-process", env=rounds),
            Make("process-tsan", 3600, target="check-process-tsan", env=rounds),
            Make("model", 120, target="check-model"),
            instructions(300),
            Make("debian-13", 2400, target="check-debian-13"),
            Make("packages", 7200, target="check-packages"),
            Make("html", 600, target="check-html", plain=True),
            Make("lint", 900, target="lint", variables={"ALL": 1}, plain=True),
            *fuzzers(1800),
        ],
        lambda: [
            whole(NEW), whole(OLD), *all_engines(NEW), preempted(OLD),
            Machine("timing", 900, kernel=NEW, tests=lists.timing(),
                    options=[*RXE, "--icount"]),
            rdma(NEW), rdma(OLD), pair(NEW), pair(OLD),
            Machine("rounds", 3600, kernel=NEW, tests=lists.named(lists.RACES), env=rounds,
                    options=[*RXE, "--append", "slab_debug=FZPU preempt=full"]),
            Machine("cuts", 5400, kernel=NEW, tests=lists.named(lists.CUTS), env=rounds),
            Machine("debug", 5400, kernel="debug", tests=lists.of_module()),
            Make("keys", 600, target="check-keys", plain=True),
            Make("fuzz", 2400, target="fuzz", variables={"T": 1800}, plain=True),
        ],
    ]


def week():
    return [lambda: [
        Machine("kcsan", 7200, kernel="kcsan", tests=lists.of_module()),
        Make("arm64", 7200, target="check-arm64"),
        Make("mutants", 14400, target="mutants"),
        Make("storm", 900, target="storm-apsh", plain=True),
        Make("rootkits", 900, target="rootkits-apsh", plain=True),
        Make("omissions", 1800, target="omissions-apsh", plain=True),
        Make("stress", 1800, target="stress", plain=True),
    ]]


TIERS = {"check": check, "night": night, "week": week}


def own_kernels(lanes):
    """The kernels of our own making that these phases need, beside the stock ones."""
    names = {getattr(phase, "kernel", "") for lane in lanes for phase in lane} - {""}
    return sorted(filter(is_slow, names))


def of_kernel(name, test):
    """The phases for K=NAME, of which T=TEST names one program."""
    if name == "process":
        return [Make(f"process{suffix}", 600, target=f"check-process{suffix}",
                     variables={"T": test} if test else {}) for suffix in ("", "-tsan")]
    if name.startswith("engines-"):
        kernel = name.removeprefix("engines-")
        if not test:
            return all_engines(kernel, "smmuv3" if kernel == "arm64" else "intel")
        return [engines(kernel, [t for t in lists.with_engines() + lists.preempted()
                                 if lists.is_named(test, t.group, t.program)],
                        may_skip=True)]
    if name.startswith("rdma-"):
        return [rdma(name.removeprefix("rdma-"))]
    if name.startswith("pair-"):
        return [pair(name.removeprefix("pair-"))]
    if name.startswith("programs-"):
        return [Programs(name, 3600, kernel=name.removeprefix("programs-"),
                         env={"DOCA_TEST_PATIENCE": "20"})]
    if name.startswith("board-"):
        return [Machine(name, 3600, kernel=name.removeprefix("board-"), tests=lists.on_board(),
                        options=["--board", "versal"], before=["selftests/dma/versal"])]
    if not test and is_slow(name):
        return [Machine(name, 7200, kernel=name, tests=lists.of_module())]
    if not test:
        return [whole(name), preempted(name)]
    return chosen(name, test)
