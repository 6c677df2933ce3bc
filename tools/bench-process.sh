#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# bench-process.sh [OPTION]...: measure the driver that is in the process, with the options
# of doca_bench: first what programs get of it, then what the way from a program to it
# costs, beside the same driver linked into the program. All must have been built.
#
# Settings, from the environment:
#   BUILD    build directory (default: build/ beside tools/)
#   ROUNDS   of the comparison (default: 5), in turns
set -eu

here=$(dirname "$(realpath "$0")")
build=${BUILD:-$here/../build}
rounds=${ROUNDS:-5}
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# $1: what it is called in the lines that it leaves: "NAME SIZE DEPTH RATE"
keep() {
	awk -F, -v name="$1" '!/^#/ && $1 == "copy" && $2 ~ /^"doca_dma"$/ {
		print name, $3, $4, $5 }' >>"$out/rates"
}

measure() {
	DOCA_DRIVER=process DOCA_WORKERS=1 "$build/tools/doca_bench" process \
		--runs 5 --csv - | keep process
	"$build/process/doca_bench_linked" throughput --sizes 64,4K,64K \
		--no-peers --runs 5 --csv - | keep linked
}

# Medians of the rounds.
show() {
	sort -k1,3 -k4,4g "$out/rates" | awk -v rounds="$rounds" '
	{ n[$1, $2, $3]++; rate[$1, $2, $3, n[$1, $2, $3]] = $4; seen[$2 " " $3] }
	END {
		middle = int((rounds + 1) / 2)
		for (s in seen) {
			split(s, k, " ")
			a = rate["process", k[1], k[2], middle]
			b = rate["linked", k[1], k[2], middle]
			if (a && b)
				printf "%8d %5d %14.0f %14.0f %6.2f\n", k[1], k[2], a, b, a / b
		}
	}' | sort -n -k1 -k2
}

DOCA_DRIVER=process "$build/tools/doca_bench" process "$@"
echo
echo "With a worker (DOCA_WORKERS=1), through the shared libraries and their table of"
echo "drivers, against the same code linked into the program (make bench-linked); copies"
echo "a second by doca_dma, medians of $rounds rounds:"
for ((i = 1; i <= rounds; i++)); do
	measure
done
printf '%8s %5s %14s %14s %6s\n' bytes depth process linked part
show
