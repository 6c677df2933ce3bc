#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# instructions.sh PROGRAM PROGRAM_1_3: what a 64-byte copy costs, in instructions: the submitting
# thread from doca_task_submit() to its return and from doca_pe_progress() through an
# empty callback to its return, the worker in its turns; and what it costs as a job of
# DOCA 1.3, beside the same loop of today, with what a destination needs to be used again.
# The difference of two runs, so
# that what is done once does not count.
# Patterns are for callgrind.
set -euf

library="doca_task_submit* doca_pe_progress*"

# FUNCTIONS PROGRAM TASKS BATCH
count() {
	toggles=
	for function in $1; do
		toggles="$toggles --toggle-collect=$function"
	done
	# shellcheck disable=SC2086
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --fair-sched=yes \
		--collect-atstart=no $toggles "$2" "$3" "$4" 2>&1 |
		sed -n 's/^==[0-9]*== Collected : *//p'
}

# FUNCTIONS PROGRAM BATCH
count_each() {
	few=$(count "$1" "$2" 320 "$3")
	many=$(count "$1" "$2" 640 "$3")
	awk -v few="$few" -v many="$many" 'BEGIN {
		if (!many) exit 1
		printf "%.1f instructions a task", (many - few) / 320
	}'
}

# The aims are those of Documentation/performance.rst.
for case in 1:75 32:45; do
	batch=${case%:*}
	each=$(count_each "$library" "$1" "$batch")
	printf 'batches of %2d: %s, aim %d\n' "$batch" "$each" "${case#*:}"
done
each=$(count_each doca_queue_batch "$1" 32)
printf 'the worker, batches of 32: %s\n' "$each"

loop="$library doca_buf_reset_data_len"
level="doca13_workq_submit doca13_workq_progress_retrieve"
for case in 1:80 32:60; do
	batch=${case%:*}
	now=$(count_each "$loop" "$1" "$batch")
	each=$(count_each "$level" "$2" "$batch")
	printf 'DOCA 1.3, batches of %2d: %s, and %s now; aim %d more\n' \
		"$batch" "$each" "${now%% *}" "${case#*:}"
done
