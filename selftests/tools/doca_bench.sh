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

tool_find doca_bench
. "$here/../lib/bench.sh"

once="--seconds 0.001 --runs 1 --sizes 64 --depths 1"

test_usage() {
	run_fail 2 "not also 'latency'" latency latency &&
		run_fail 2 "copies are up to 128M" --sizes 64,129M &&
		run_fail 2 "--idle-us: '1x'" --idle-us 1x &&
		run_fail 2 "--runs: '0'" --runs 0
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
			for r in j["rows"])' &&
		holds 'all(r["bytes_per_s"] == 0 for r in ways(0, 4).values())'
}

# All that is in one file is in the other.
test_the_files_say_the_same() {
	holds '[r["way"] for r in c] == [r["way"] for r in j["rows"]]' &&
		holds '[float(r["ops_per_s"]) for r in c] ==
			[r["ops_per_s"] for r in j["rows"]]' &&
		holds 'e == j["environment"]'
}

test_the_environment_is_recorded() {
	holds '{"kernel", "CPUs", "virtualization", "device", "placement",
		"libraries", "interface"} <= set(e)' &&
		holds '"(%s), %s" % (e["libraries"], e["interface"]) ==
			"'"$("$tool" --version | sed -n 's/^doca_bench (\(Open DOCA\)) \([^,]*\), /(\1 \2), /p')"'"' &&
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

test_latency() {
	small latency && grep -q 'p99.9' "$work/stdout" &&
		holds 'all(r["depth"] == 1 for r in j["rows"])' &&
		holds 'all(0 < r["p50_ns"] <= r["p99_ns"] <= r["p99.9_ns"] <=
			r["max_ns"] for r in j["rows"])' &&
		holds 'all(r["latency_ns"] <= r["max_ns"] for r in j["rows"])' &&
		holds 'c[-1]["p99.9_ns"] == str(j["rows"][-1]["p99.9_ns"])'
}

test_events() {
	[ "$(nproc)" -gt 1 ] || return 4
	run_ok --seconds 0.001 --runs 1 events --json "$work/r.json" &&
		holds '{"eventfd", "doca_pe", "eventfd, polled",
			"doca_pe, polled"} <= set(ways(64, 1))' &&
		holds 'ways(64, 1)["doca_pe"]["part_of"]["eventfd"] > 0' &&
		holds 'ways(64, 1)["doca_pe, polled"]["part_of"]["polled"] > 0'
}

# It is refused where there is no pair.
test_comch() {
	local ctl result
	[ "$(nproc)" -gt 1 ] && ctl=$(command -v docactl) && [ "$("$ctl" pair | wc -l)" -eq 1 ] ||
		return 4
	"$tool" comch > "$work/stdout" 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "docactl pair add" "$work/stderr" && "$ctl" pair add || return
	run_ok --seconds 0.001 --runs 1 comch --json "$work/r.json" &&
		holds 'ways(64, 1)["doca_comch"]["part_of"]["doca_dma"] > 0' &&
		holds 'ways(4080, 1)["doca_comch, asleep"]["part_of"]["eventfd"] > 0' &&
		holds 'ways(65536, 32)["doca_comch"]["part_of"]["doca_dma"] > 0'
	result=$?
	"$ctl" pair del pair0
	return $result
}

# Copies are compared with their sources after each run.
test_rdma() {
	[ -e /sys/class/infiniband/rxe0 ] || return 4
	run_ok --seconds 0.001 --runs 1 rdma --json "$work/r.json" &&
		holds '{(r["operation"], r["size"], r["depth"]) for r in j["rows"]} ==
			{(o, s, d) for o in ("send", "write", "read")
				for s in (64, 65536) for d in (1, 32)}' &&
		holds 'all(r["part_of"]["verbs"] > 0 for r in j["rows"]
			if r["way"] == "doca_rdma")' &&
		holds 'all(r["p50_ns"] > 0 for r in j["rows"] if r["depth"] == 1)'
}

# The driver within a process lists devices whose nodes there are.
hide_nodes() {
	[ ! -e /dev/infiniband ] ||
		set -- unshare -m sh -c 'mount -t tmpfs none /dev/infiniband && exec "$@"' sh "$@"
	"$@"
}

test_rdma_without_a_device() {
	DOCA_DRIVER=process hide_nodes "$tool" rdma > "$work/stdout" 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "no RDMA device" "$work/stderr" &&
		grep -q "rdma link add rxe0" "$work/stderr" || bench_said
}

# Three of the libraries that it is compared with may be missing.
test_compute() {
	strict="" run_ok --seconds 0.001 --runs 1 compute --json "$work/r.json" &&
		holds '{"sha256", "sha512", "deflate", "inflate", "lz4", "ec 8+2", "gcm"} ==
			{r["operation"] for r in j["rows"] if r["way"].startswith("doca")}' &&
		holds 'all(r["part_of"]["library"] > 0 for r in j["rows"]
			if r["way"].startswith("doca") and r["operation"] not in ("lz4", "ec 8+2"))'
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

ktap_plan 15
for test in test_usage \
	test_a_file_that_cannot_be_written test_throughput \
	test_the_files_say_the_same test_the_environment_is_recorded \
	test_ratios test_latency test_events test_comch test_rdma test_rdma_without_a_device \
	test_compute test_without_engines \
	test_a_file_can_be_stdout test_what_cannot_be_written_is_an_error; do
	ktap_test "${test#test_}" "$test"
done
ktap_end
