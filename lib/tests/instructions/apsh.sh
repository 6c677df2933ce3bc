#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# apsh.sh PROGRAM: what a call of App Shield on one process costs, in instructions without those of
# the kernel. The difference of two runs, so that what is done once does not count. It fails if there
# are more than the bounds, which are those of Documentation/performance.rst and a tenth for
# compilers and the C library.
set -euf

# WHAT CALLS
count() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
		sed -n 's/^==[0-9]*== Collected : *//p'
}

program=$1
bad=0
for case in vads:82610 threads:57420 envars:50490 handles:59510; do
	IFS=: read -r what most <<-EOF
		$case
	EOF
	few=$(count "$what" 100)
	many=$(count "$what" 420)
	awk -v few="$few" -v many="$many" -v what="$what" -v most="$most" 'BEGIN {
		each = (many - few) / 320
		printf "%s: %.0f instructions a call, at most %d\n", what, each, most
		exit !many || each > most }' || bad=1
done
exit $bad
