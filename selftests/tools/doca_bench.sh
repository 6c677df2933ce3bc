#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of doca_bench: what it prints and writes, not how fast anything is. They need
# the driver.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes

[ -c /dev/doca ] || ktap_skip_all "needs the driver"
tool_find doca_bench

# A Python expression about the results must hold: j is what is in JSON, c what is in
# CSV, e the environment that precedes it.
holds() {
	python3 - "$work" "$1" << 'END'
import csv, json, sys
work, wanted = sys.argv[1:]
j = json.load(open(work + '/r.json'))
lines = open(work + '/r.csv').read().splitlines()
e = dict(s[2:].split(': ', 1) for s in lines if s.startswith('#'))
c = list(csv.DictReader(s for s in lines if not s.startswith('#')))

def ways(size, depth):
    return {r['way']: r for r in j['results']
            if (r['size'], r['depth']) == (size, depth)}

def measured(peer):
    return not j['environment'][peer].startswith('not measured')

if not eval("(" + wanted + ")"):
    print('#', wanted, 'does not hold in', json.dumps(j))
    sys.exit(1)
END
}

once="--seconds 0.001 --runs 1 --no-peers --sizes 64 --depths 1"

# Two sizes at two depths
small() {
	run_ok --seconds 0.001 --runs 3 --sizes nop,64 --depths 1,4 \
		--json "$work/r.json" --csv "$work/r.csv" "$@"
}

test_usage() {
	run_fail 2 "'speed' is no plan" speed &&
		run_fail 2 "not also 'latency'" latency latency &&
		run_fail 2 "--sizes: '0'" --sizes 0 &&
		run_fail 2 "copies are up to 128M" --sizes 64,129M &&
		run_fail 2 "--depths: '4097'" --depths 4097 &&
		run_fail 2 "--depths: the list is empty" --depths , &&
		run_fail 2 "--seconds: '-1'" --seconds -1 &&
		run_fail 2 "--idle-us: '1x'" --idle-us 1x &&
		run_fail 2 "--runs: '0'" --runs 0 &&
		run_fail 2 "pinning has no nop" pinning --sizes nop &&
		run_fail 2 "--csv: the name is empty" --csv '' &&
		run_fail 2 "Try 'doca_bench --help'" --unknown
}

test_help_and_version() {
	run_ok --help && grep -q '^Usage: doca_bench' "$work/stdout" &&
		run_ok -v && grep -q '^doca_bench (Open DOCA) [0-9.]*, DOCA 3' "$work/stdout"
}

# Before anything is measured
test_a_file_that_cannot_be_written() {
	run_fail 1 "cannot write $work/none/x" --csv "$work/none/x" &&
		run_fail 1 "cannot write $work/none/x" --json "$work/none/x"
}

test_throughput() {
	small && grep -q '^operation ' "$work/stdout" &&
		holds 'len(ways(0, 1)) >= 2 and len(ways(64, 4)) >= 5' &&
		holds '{"doca_dma", "memcpy"} <= set(ways(64, 1))' &&
		holds '{"rep movsq", "loop"} & set(ways(64, 1))' &&
		holds 'all(r["ops_per_s"] > 0 and r["latency_ns"] > 0
			for r in j["results"])' &&
		holds 'all(r["bytes_per_s"] == 0 for r in ways(0, 4).values())'
}

# All that is in one file is in the other.
test_the_files_say_the_same() {
	holds '[r["way"] for r in c] == [r["way"] for r in j["results"]]' &&
		holds '[float(r["ops_per_s"]) for r in c] ==
			[r["ops_per_s"] for r in j["results"]]' &&
		holds 'e == j["environment"]'
}

test_the_environment_is_recorded() {
	holds '{"kernel", "CPUs", "virtualization", "device", "placement",
		"libraries", "io_uring", "DPDK"} <= set(e)' &&
		holds 'e["kernel"].startswith("'"$(uname -r)"'")' &&
		{ [ "$(nproc)" -eq 1 ] || holds '"at best" in e["cache line"]'; }
}

# The part of each way's speed that it is compared with
test_ratios() {
	holds 'all(r["part_of"]["yardstick"] > 0 for w, r in ways(64, 1).items()
		if w not in ("rep movsq", "loop"))' &&
		holds 'all("rings" in r["part_of"] for w, r in ways(64, 4).items()
			if w not in ("worker", "ENTER"))' &&
		holds 'all(abs(r["part_of"]["memcpy"] * m["ops_per_s"] /
			r["ops_per_s"] - 1) < 0.01
			for m in [ways(64, 4)["memcpy"]]
			for w, r in ways(64, 4).items()
			if w != "memcpy" and r["part_of"]["memcpy"] > 0.01)'
}

# It is XML, and has two panels, of either depth, with a line for each way that copies.
test_the_chart() {
	"$here/../../scripts/bench/plot" "$work/r.json" > "$work/r.svg" || return
	python3 - "$work" << 'END'
import json, sys, xml.etree.ElementTree as tree
work = sys.argv[1]
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(work + '/r.svg').getroot()
rows = [r for r in json.load(open(work + '/r.json'))['results']
        if r['size'] and ' maps' not in r['way']]
ways = {r['way'] for r in rows}
texts = {t.text for t in root.iter(svg + 'text')}
lines = [l.get('points').split() for l in root.iter(svg + 'polyline')]
assert root.tag == svg + 'svg' and ways <= texts, texts
assert len(lines) == len(rows), lines
for line in lines:
    (point,) = line # of the only size
    x, y = map(float, point.split(','))
    assert 0 < x < 1080 and 0 < y < 460, line
END
}

# What is said to be measured is, and what is not has a reason.
test_peers() {
	[ "$(nproc)" -gt 1 ] || return 4
	holds 'all("io_uring" in ways(s, d) for s in (0, 64) for d in (1, 4))
		if measured("io_uring") else "io_uring" not in ways(64, 1)' &&
		holds 'all("dma_skeleton" in ways(s, d) for s in (0, 64)
			for d in (1, 4))
			if measured("DPDK") else "dma_skeleton" not in ways(64, 1)' &&
		holds '"limit" in ways(64, 1) and
			ways(64, 4)["limit"]["part_of"]["rings"] > 0'
}

# This library is one that these tests are run with.
test_io_uring_is_measured() {
	[ "$(nproc)" -gt 1 ] && pkg-config --exists liburing || return 4
	holds 'measured("io_uring")'
}

# A peer without an answer is left out, and all others are measured. DPDK has a process of
# its own, which is ended when the first rows are there: before it is measured again, also
# where pkill takes a second to begin.
test_a_peer_that_dies() {
	local bench seconds
	seconds=$(printf '0.%02d' $((5 * ${DOCA_TEST_PATIENCE:-1})))
	"$tool" --seconds "$seconds" --runs 5 --sizes 64 --depths 1,4 \
		--json "$work/r.json" --csv "$work/r.csv" \
		> "$work/stdout" 2> "$work/stderr" &
	bench=$!
	while kill -0 $bench 2> /dev/null && ! grep -q '^copy' "$work/stdout"; do
		sleep 0.05
	done
	pkill -KILL -P $bench
	wait $bench || return
	holds 'measured("DPDK")' > /dev/null || return 4
	holds '"dma_skeleton" in ways(64, 1)' &&
		holds '"dma_skeleton" not in ways(64, 4)' &&
		holds '"doca_dma" in ways(64, 4)' &&
		grep -q "it is left out" "$work/stderr"
}

test_latency() {
	small --no-peers latency && grep -q 'p99.9' "$work/stdout" &&
		holds 'all(r["depth"] == 1 for r in j["results"])' &&
		holds 'all(0 < r["p50_ns"] <= r["p99_ns"] <= r["p99.9_ns"] <=
			r["max_ns"] for r in j["results"])' &&
		holds 'all(r["latency_ns"] <= r["max_ns"] for r in j["results"])' &&
		holds 'c[-1]["p99.9_ns"] == str(j["results"][-1]["p99.9_ns"])'
}

test_events() {
	[ "$(nproc)" -gt 1 ] || return 4
	run_ok --seconds 0.001 --runs 1 events --json "$work/r.json" &&
		holds '{"eventfd", "doca_pe", "eventfd, polled",
			"doca_pe, polled"} <= set(ways(64, 1))' &&
		holds 'ways(64, 1)["doca_pe"]["part_of"]["eventfd"] > 0' &&
		holds 'ways(64, 1)["doca_pe, polled"]["part_of"]["polled"] > 0'
}

# Of less memory than it takes by itself; there may be no huge pages, or none to reserve.
test_pinning() {
	kinds='"4K"'
	reserve=/proc/sys/vm/nr_hugepages
	had=$(cat $reserve 2> /dev/null || echo 0)
	echo $((had + 4)) 2> /dev/null > $reserve || :
	[ "$(cat $reserve 2> /dev/null || echo 0)" -lt $((had + 4)) ] ||
		kinds='"4K", "hugetlb"'
	"$tool" --seconds 0.001 --runs 1 pinning --sizes 8M \
		--json "$work/r.json" > "$work/stdout"
	ret=$?
	echo "$had" 2> /dev/null > $reserve || :
	[ $ret = 0 ] || return
	holds "{$kinds}"' <= {r["operation"] for r in j["results"]
		if r["way"] == "doca_mmap" and r["size"] == 8 << 20}' || return
	[ ! -e /sys/class/infiniband/rxe0 ] ||
		holds 'ways(8 << 20, 1)["doca_mmap"]["part_of"]["ibv_reg_mr"] > 0'
}

test_scaling() {
	run_ok --seconds 0.001 --runs 1 scaling --json "$work/r.json" &&
		holds 'len(j["results"]) == 15 and all(r["ops_per_s"] > 0
			for r in j["results"])' &&
		holds 'sum("first" in r["part_of"] for r in j["results"]) == 10' &&
		holds '{"64 queues", "2 pairs", "10000 maps", "doca_ctx"} <=
			{r["way"] for r in j["results"]}'
}

# $1: a Python expression of what the ways there must be, beside those of sockets. It ends
# with an error where a datagram of a burst is not received, or received twice.
datagrams() {
	holds "all({'recvmsg', 'recvmmsg', 'sendmmsg', 'packet'} | $1 <= set(ways(s, d))
		for s in (64, 1472) for d in (1, 32))" &&
		holds 'all(r["cpu_ns"] > 0 and r["ops_per_s"] > 0 for r in j["results"])' &&
		holds 'ways(64, 32)["recvmmsg"]["part_of"]["recvmsg"] > 0' &&
		holds '[r["cpu_ns"] for r in j["results"]] == [float(r["cpu_ns"]) for r in c]'
}

bench_said() {
	sed 's/^/# /' "$work/stderr"
	return 1
}

test_datagrams() {
	"$tool" --seconds 0.001 --runs 1 datagrams --json "$work/r.json" \
		--csv "$work/r.csv" > "$work/stdout" 2> "$work/stderr" &&
		datagrams 'set()' && grep -q "onload doca_bench" "$work/stderr"
}

# Soft RoCE is a device for Ethernet queues, which need libxdp, as what is below them.
test_datagrams_past_the_kernel() {
	local onload=${tool%/*}/onload
	[ -x "$onload" ] && [ -e /sys/class/infiniband/rxe0 ] &&
		pkg-config --exists libxdp || return 4
	DOCA_ZC=xdp "$onload" "$tool" --seconds 0.001 --runs 1 datagrams \
		--json "$work/r.json" --csv "$work/r.csv" \
		> "$work/stdout" 2> "$work/stderr"
	[ $? -eq 0 ] && ! grep -q "left out" "$work/stderr" || bench_said || return
	datagrams "{'zc, copy', 'zc, kernel', 'xsk', 'eth_rxq', 'eth_txq'}" &&
		[ -z "$(ls /sys/class/net | grep '^near')" ]
}

test_datagrams_without_the_right() {
	DOCA_DRIVER=process setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$tool" datagrams > "$work/stdout" 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "there cannot be network namespaces" "$work/stderr" &&
		grep -q "CAP_SYS_ADMIN" "$work/stderr" || bench_said
}

# The machine of this test has none.
test_without_engines() {
	"$tool" engines > "$work/stdout" 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "no DMA engine copies for any device" "$work/stderr" &&
		grep -q "docactl engine add" "$work/stderr" || bench_said
}

test_a_file_can_be_stdout() {
	run_ok $once --json - &&
		python3 -m json.tool "$work/stdout" > /dev/null &&
		run_ok $once --csv - &&
		grep -q '^copy,"doca_dma",64,1,' "$work/stdout" &&
		! grep -q '^operation ' "$work/stdout"
}

test_what_cannot_be_written_is_an_error() {
	"$tool" $once --csv - \
		> /dev/full 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "cannot write -" "$work/stderr"
}

ktap_plan 20
for test in test_usage test_help_and_version \
	test_a_file_that_cannot_be_written test_throughput \
	test_the_files_say_the_same test_the_environment_is_recorded \
	test_ratios test_the_chart test_peers test_io_uring_is_measured \
	test_a_peer_that_dies test_latency \
	test_events test_pinning test_scaling test_datagrams \
	test_datagrams_past_the_kernel test_datagrams_without_the_right \
	test_a_file_can_be_stdout \
	test_what_cannot_be_written_is_an_error; do
	ktap_test "${test#test_}" "$test"
done
ktap_end
