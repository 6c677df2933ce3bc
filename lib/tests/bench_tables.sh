#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# scripts/bench/tables: a table has the figures of its run, and nothing else changes.
: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. "$TOP/selftests/lib/ktap.sh"

tables() {
	"$TOP/scripts/bench/tables" "$@"
}

# PLAN FIELDS: two ways of one operation.
results() {
	cat <<END
{"environment": {"plan": "$1", "CPUs": "2, of some kind", "figures": "median of 3 runs"},
"rows": [
 {"operation": "copy", "way": "limit", "size": 4096, "depth": 1, "ops_per_s": 5000000.0,
  "bytes_per_s": 20480000000, $2 "part_of": {}},
 {"operation": "copy", "way": "doca_dma", "size": 4096, "depth": 1, "ops_per_s": 2500000.0,
  "bytes_per_s": 10240000000, $2 "part_of": {"limit": 0.5}}]}
END
}

document() {
	printf 'Before\n\n.. bench: %s\nold\n.. bench: end\n\nAfter\n' "$1"
}

writes_rates() {
	results peers >"$dir/run.json" && document peers >"$dir/doc.rst" &&
		tables "$dir/run.json" "$dir/doc.rst" &&
		diff "$dir/doc.rst" - <<'END'
Before

.. bench: peers

CPUs: 2, of some kind; figures: median of 3 runs.

==========  =====  =========  ================
operation   depth  limit      doca_dma
==========  =====  =========  ================
copy 4 KiB  1      20.5 GB/s  10.2 GB/s (0.50)
==========  =====  =========  ================

.. bench: end

After
END
}

writes_times() {
	results peers-latency '"p50_ns": 203, "p99_ns": 2510,' >"$dir/run.json" &&
		document peers-latency >"$dir/doc.rst" && tables "$dir/run.json" "$dir/doc.rst" &&
		grep -q '^copy 4 KiB *203 ns *203 ns *2.51 us *0.50$' "$dir/doc.rst"
}

# A unit is that of the rounded figure, and a size is told exactly.
rounds_first() {
	results peers-latency '"p50_ns": 999.6, "p99_ns": 9996,' | sed 's/4096/1536/' >"$dir/odd.json" &&
		document peers-latency >"$dir/odd.rst" && tables "$dir/odd.json" "$dir/odd.rst" &&
		grep -q '^copy 1536 B *1.00 us *1.00 us *10.0 us *0.50$' "$dir/odd.rst"
}

writes_the_same_again() {
	cp "$dir/doc.rst" "$dir/was.rst" && tables "$dir/run.json" "$dir/doc.rst" &&
		cmp "$dir/was.rst" "$dir/doc.rst"
}

refuses() {
	document peers >"$dir/doc.rst" && cp "$dir/doc.rst" "$dir/was.rst"
	! tables "$dir/run.json" "$dir/doc.rst" && ! tables "$dir/doc.rst" &&
		! tables /dev/null "$dir/doc.rst" && cmp "$dir/was.rst" "$dir/doc.rst"
}

# It must be possible to write those that the document has.
knows_those_of_the_document() {
	cp "$TOP/Documentation/performance.rst" "$dir/doc.rst" &&
		results peers >"$dir/run.json" &&
		results peers-latency '"p50_ns": 203, "p99_ns": 2510,' >"$dir/times.json" &&
		tables "$dir/run.json" "$dir/times.json" "$dir/doc.rst"
}

command -v python3 >/dev/null || ktap_skip_all "needs python3"
ktap_plan 6
ktap_test writes_rates writes_rates
ktap_test writes_times writes_times
ktap_test rounds_first rounds_first
ktap_test writes_the_same_again writes_the_same_again
ktap_test refuses_what_has_no_table refuses
ktap_test knows_those_of_the_document knows_those_of_the_document
ktap_end
