#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# zc.sh PROGRAM: what onload_zc_recv() costs for a datagram of 64 bytes that bypasses the kernel, in
# instructions. The difference of two runs, so that what is done once does not count. It fails if
# there are more than the bounds, which are those of Documentation/performance.rst and a tenth for
# compilers.
set -euf

# BURST ROUNDS
count() {
	BURST=$1 ROUNDS=$2 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--toggle-collect=onload_zc_recv "$program" 2>&1 |
		awk '/^# datagrams:/ { n = 1 } /Collected/ { all = $NF } END { print n ? all : 0 }'
}

program=$1
bad=0
for case in 1:2154 32:1620; do
	burst=${case%:*}
	few=$(count "$burst" 200)
	many=$(count "$burst" 400)
	[ "$few" -gt 0 ] || { echo "not counted: needs an interface and CAP_NET_ADMIN"; exit 0; }
	awk -v few="$few" -v many="$many" -v burst="$burst" -v most="${case#*:}" 'BEGIN {
		each = (many - few) / 200 / burst
		printf "bursts of %2d: %.1f instructions a datagram, at most %d\n", burst, each, most
		exit each > most }' || bad=1
done
exit $bad
