#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# eth.sh PROGRAM: what an Ethernet queue costs for a frame, in instructions, beside its sockets
# alone. The difference of two runs, so that what is done once does not count. It fails if there
# are more than the bounds, which are those of Documentation/performance.rst and a tenth for
# compilers.
set -euf

# WHAT FRAMES BATCH
count() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
		--toggle-collect="take_from_$1" "$program" "$@" 2>&1 |
		sed -n 's/^==[0-9]*== Collected : *//p'
}

program=$1
bad=0
for case in xsk:1:740 rxq:1:1325 xsk:32:562 rxq:32:1021; do
	IFS=: read -r what batch most <<-EOF
		$case
	EOF
	few=$(count "$what" 320 "$batch")
	many=$(count "$what" 640 "$batch")
	awk -v few="$few" -v many="$many" -v what="$what" -v batch="$batch" -v most="$most" 'BEGIN {
		each = (many - few) / 320
		printf "%s, bursts of %2d: %.1f instructions, at most %d\n", what, batch, each, most
		exit !many || each > most }' || bad=1
done
exit $bad
