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


def refusals(kernel):
    return [refusal(kernel, "none"), refusal(kernel, "pt", "engines_unsafe=1")]


def unsafe(kernel, **more):
    return Machine(f"{kernel}-engines-unsafe", 120, kernel=kernel, tests=lists.unsafe(),
                   before=DMA, options=["--engines", "lsi,edu", "--mem", "2G"], **more)


def all_engines(kernel, iommu="intel"):
    return [engines(kernel, lists.with_engines() + lists.preempted(), iommu=iommu),
            unsafe(kernel), *refusals(kernel)]


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


def timing(kernel, name, tests, **more):
    """With a clock that counts the guest's instructions."""
    return Machine(name, 900, kernel=kernel, tests=tests, options=[*RXE, "--icount"], **more)


def placed(kernel, bound, tests, ways=list, copies=(), **more):
    """Programs, each in a machine as it wants it. Where engines are, "copies" are made by one."""
    kinds = {"engines": [], "timing": [], "preempted": [], "": []}
    for t in tests:
        kinds["engines" if lists.is_engines(t.program) else
              "timing" if lists.is_timing(t.program) else
              "preempted" if lists.is_preempted(t) else ""].append(t)
    names = {t.program for t in kinds["engines"]}
    phases = []
    if kinds[""] or not tests:
        phases.append(Machine(kernel, bound, kernel=kernel, tests=ways(kinds[""]), **more))
    if kinds["preempted"]:
        phases.append(preempted(kernel, ways(kinds["preempted"]), **more))
    if kinds["timing"]:
        phases.append(timing(kernel, f"{kernel}-timing", kinds["timing"], **more))
    if names - {"engine_unsafe"}:
        phases.append(engines(kernel, lists.with_engines(names, copies), **more))
    if "engine_unsafe" in names:
        phases.append(unsafe(kernel, **more))
    return phases


def chosen(kernel, test):
    """Programs that a user has named. They may be of no use there."""
    return placed(kernel, 900, lists.chosen(test), ways=both_ways, may_skip=True)


def rdma(kernel, tests, **more):
    """By numbers, and where a wire between devices fails."""
    return Machine(f"rdma-{kernel}", 3600, kernel=kernel, tests=tests,
                   env={"DOCA_TEST_ROUNDS": "10", "DOCA_TEST_TASKS": "100000"}, **more)


def pair(kernel, tests, **more):
    return Pair(f"pair-{kernel}", 2400, kernel=kernel, tests=tests,
                env={"DOCA_TEST_ROUNDS": "20", "DOCA_TEST_PEER": "192.0.2.11"}, **more)


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
            timing(NEW, "timing", lists.timing()),
            *(rdma(kernel, lists.named(lists.RDMA)) for kernel in (NEW, OLD)),
            *(pair(kernel, lists.named(lists.BETWEEN_MACHINES)) for kernel in (NEW, OLD)),
            Machine("rounds", 3600, kernel=NEW, tests=lists.named(lists.RACES), env=rounds,
                    options=[*RXE, "--append", "slab_debug=FZPU preempt=full"]),
            Machine("cuts", 5400, kernel=NEW, tests=lists.named(lists.CUTS), env=rounds),
            Machine("debug", 5400, kernel="debug", tests=lists.of_module()),
            Make("keys", 600, target="run-keys", plain=True, kernel=NEW),
            Make("fuzz", 2400, target="run-fuzz", variables={"T": 1800}, plain=True,
                 kernel="debug"),
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


def in_machine(place, kernel, test):
    """K=PLACE-KERNEL"""
    def only(tests):
        return [t for t in tests if not test or lists.is_named(test, t.group, t.program)]
    more = {"may_skip": bool(test)}
    if place == "engines" and not test:
        return all_engines(kernel, "smmuv3" if kernel == "arm64" else "intel")
    if place == "engines":
        tests = only(lists.with_engines() + lists.preempted())
        apart = [unsafe(kernel, **more)] if only(lists.unsafe()) else []
        return apart + ([engines(kernel, tests, **more)] if tests or not apart else [])
    if place == "rdma":
        return [rdma(kernel, only(lists.named(lists.RDMA)), **more)]
    if place == "pair":
        return [pair(kernel, only(lists.named(lists.BETWEEN_MACHINES)), **more)]
    if place == "programs":
        return [Programs(f"programs-{kernel}", 3600, kernel=kernel,
                         env={"DOCA_TEST_PATIENCE": "20", "DOCA_TEST_ONLY": test})]
    return [Machine(f"board-{kernel}", 3600, kernel=kernel, tests=only(lists.on_board()),
                    options=["--board", "versal"], before=["selftests/dma/versal"], **more)]


PLACES = ("engines", "rdma", "pair", "programs", "board")


def of_kernel(name, test):
    """The phases for K=NAME, of which T=TEST names one program or a group."""
    if name == "process":
        return [Make(f"process{suffix}", 600, target=f"check-process{suffix}",
                     variables={"T": test} if test else {}) for suffix in ("", "-tsan")]
    place, _, kernel = name.partition("-")
    if place in PLACES:
        return in_machine(place, kernel, test)
    if test:
        return chosen(name, test)
    if is_slow(name):
        return [Machine(name, 7200, kernel=name, tests=lists.of_module())]
    return [whole(name), preempted(name)]


def bare(name):
    """The kernel that K=NAME is about; none for "process"."""
    place, _, kernel = name.partition("-")
    return kernel if place in PLACES else "" if name == "process" else name
