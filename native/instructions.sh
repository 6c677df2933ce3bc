#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# instructions.sh PROGRAM: what a 64-byte copy costs the submitting thread, in
# instructions from doca_task_submit() to its return and from doca_pe_progress()
# through an empty callback to its return. The difference of two runs, so that what is
# done once does not count.
set -eu

count() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --fair-sched=yes \
		--collect-atstart=no --toggle-collect='doca_task_submit*' \
		--toggle-collect='doca_pe_progress*' "$1" "$2" "$3" 2>&1 |
		sed -n 's/^==[0-9]*== Collected : *//p'
}

# The aims are those of Documentation/performance.rst.
for case in 1:75 32:45; do
	batch=${case%:*}
	few=$(count "$1" 320 "$batch")
	many=$(count "$1" 640 "$batch")
	awk -v few="$few" -v many="$many" -v batch="$batch" -v aim="${case#*:}" 'BEGIN {
		if (!many) exit 1
		printf "batches of %2d: %.1f instructions a task, aim %d\n", batch,
		       (many - few) / 320, aim
	}'
done
