#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# instructions.sh PROGRAM PROGRAM_1_3: what a 64-byte copy costs, in instructions: the submitting
# thread from doca_task_submit() to its return and from doca_pe_progress() through an
# empty callback to its return, the worker in its turns; and what it costs as a job of
# DOCA 1.3, beside the same loop of today, with what a destination needs to be used again.
# The difference of two runs, so that what is done once does not count. It fails if there are more
# than the bounds, which are those of Documentation/performance.rst and a tenth for compilers.
# Patterns are for callgrind.
set -euf

library="doca_task_submit* doca_pe_progress*"
bad=0

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
		printf "%.1f", (many - few) / 320
	}'
}

# WORDS EACH BOUND: none that were counted are too many, too.
judge() {
	printf '%s, at most %d\n' "$1" "$3"
	awk -v each="$2" -v most="$3" 'BEGIN { exit each <= 0 || each > most }' || bad=1
}

# The aims are those of Documentation/performance.rst.
for case in 1:75:141 32:45:141; do
	batch=${case%%:*}
	aim=${case#*:}
	each=$(count_each "$library" "$1" "$batch")
	judge "batches of $batch: $each instructions a task, aim ${aim%:*}" "$each" "${aim#*:}"
done
each=$(count_each doca_queue_batch "$1" 32)
judge "the worker, batches of 32: $each instructions a task" "$each" 276

loop="$library doca_buf_reset_data_len"
level="doca13_workq_submit doca13_workq_progress_retrieve"
for case in 1:80:96 32:60:93; do
	batch=${case%%:*}
	aim=${case#*:}
	now=$(count_each "$loop" "$1" "$batch")
	each=$(count_each "$level" "$2" "$batch")
	more=$(awk -v now="$now" -v each="$each" 'BEGIN { print each - now }')
	judge "DOCA 1.3, batches of $batch: $more more than today's $now, aim ${aim%:*}" "$more" "${aim#*:}"
done
exit $bad
