#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of doca_bench_peers: the plans that it has beside those of doca_bench. It is not
# installed. They need the driver.

here=$(dirname "$(realpath "$0")")
top=$here/../..
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"
. "$here/../lib/bench.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tool=${DOCA_BUILD:-$top/build}/scripts/doca_bench_peers
[ -x "$tool" ] || ktap_skip_all "needs make bench-programs"

test_usage() {
	run_fail 2 "pinning has no nop" pinning --sizes nop &&
		run_fail 2 "datagrams are of 4 to 1472 bytes" datagrams --sizes 64,1473 &&
		run_fail 2 "datagrams are of 4 to 1472 bytes" datagrams --sizes 3 &&
		run_fail 2 "bursts are of up to 64 datagrams" datagrams --depths 65
}

# Peers that are said to be measured are, and the others have a reason.
test_peers() {
	[ "$(nproc)" -gt 1 ] || return 4
	small || return
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

# It is XML, and has two panels, of either depth, with a line for each way that copies.
test_the_chart() {
	"$top/scripts/bench/plot" "$work/r.json" > "$work/r.svg" || return
	python3 - "$work" << 'END'
import json, sys, xml.etree.ElementTree as tree
work = sys.argv[1]
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(work + '/r.svg').getroot()
rows = [r for r in json.load(open(work + '/r.json'))['rows']
        if r['size']]
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

has_a_row_or_is_over() {
	grep -q '^copy' "$work/stdout" || ! kill -0 "$1"
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
	await has_a_row_or_is_over $bench
	pkill -KILL -P $bench
	wait $bench || return
	holds 'measured("DPDK")' > /dev/null || return 4
	holds '"dma_skeleton" in ways(64, 1)' &&
		holds '"dma_skeleton" not in ways(64, 4)' &&
		holds '"doca_dma" in ways(64, 4)' &&
		grep -q "it is left out" "$work/stderr"
}

# Pin less memory than it takes by itself; there may be no huge pages, or none to reserve.
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
	holds "{$kinds}"' <= {r["operation"] for r in j["rows"]
		if r["way"] == "doca_mmap" and r["size"] == 8 << 20}' || return
	[ ! -e /sys/class/infiniband/rxe0 ] ||
		holds 'ways(8 << 20, 1)["doca_mmap"]["part_of"]["ibv_reg_mr"] > 0'
}

test_scaling() {
	run_ok --seconds 0.001 --runs 1 scaling --json "$work/r.json" &&
		holds 'len(j["rows"]) == 16 and all(r["ops_per_s"] > 0
			for r in j["rows"])' &&
		holds 'sum("first" in r["part_of"] for r in j["rows"]) == 11' &&
		holds '{"64 queues", "2 pairs", "10000 of 10000 maps", "doca_ctx"} <=
			{r["way"] for r in j["rows"]}'
}

# $1: a Python expression of what the ways there must be, beside those of sockets. It ends
# with an error where a datagram of a burst is not received, or received twice.
datagrams() {
	holds "all({'recvmsg', 'recvmmsg', 'sendmmsg', 'packet'} | $1 <= set(ways(s, d))
		for s in (64, 1472) for d in (1, 32))" &&
		holds 'all(r["cpu_ns"] > 0 and r["ops_per_s"] > 0 for r in j["rows"])' &&
		holds 'ways(64, 32)["recvmmsg"]["part_of"]["recvmsg"] > 0' &&
		holds '[r["cpu_ns"] for r in j["rows"]] == [float(r["cpu_ns"]) for r in c]'
}

test_datagrams() {
	"$tool" --seconds 0.001 --runs 1 datagrams --json "$work/r.json" \
		--csv "$work/r.csv" > "$work/stdout" 2> "$work/stderr" &&
		datagrams 'set()' && grep -q "onload doca_bench_peers" "$work/stderr"
}

# Soft RoCE is a device for Ethernet queues, which need libxdp, as what is below them.
test_datagrams_past_the_kernel() {
	local onload=${tool%/*/*}/tools/onload
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

ktap_plan 10
for test in test_usage test_peers test_io_uring_is_measured test_the_chart \
	test_a_peer_that_dies test_pinning test_scaling test_datagrams \
	test_datagrams_past_the_kernel test_datagrams_without_the_right; do
	ktap_test "${test#test_}" "$test"
done
ktap_end
