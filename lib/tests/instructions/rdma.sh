#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# rdma.sh PROGRAM: what the library costs for a task of RDMA, in instructions, from
# doca_task_submit_ex() to its return and from doca_pe_progress() to the callback and to its
# return. The difference of two runs, so that what is done once does not count. It fails if there
# are more than the bounds, which are those of Documentation/performance.rst and a tenth for compilers.
# Patterns are for callgrind, which stops to count in the second ones.
set -euf

counted='doca_task_submit_ex doca_pe_progress'
left_out='hca_post_send hca_post_receive hca_poll write_done send_done received'

# WHAT TASKS BATCH
count() {
	toggles=
	for function in $counted $left_out; do
		toggles="$toggles --toggle-collect=$function"
	done
	# shellcheck disable=SC2086
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no $toggles \
		"$program" "$@" 2>&1 | sed -n 's/^==[0-9]*== Collected : *//p'
}

program=$1
bad=0
for case in write:1:150:316 write:16:150:313 send:1:150:270 send:16:150:267 \
	receive:1:110:284 receive:16:110:295 idle:1:60:142; do
	IFS=: read -r what batch aim most <<-EOF
		$case
	EOF
	few=$(count "$what" 320 "$batch")
	many=$(count "$what" 640 "$batch")
	awk -v few="$few" -v many="$many" -v what="$what" -v batch="$batch" -v aim="$aim" \
		-v most="$most" 'BEGIN {
		each = (many - few) / 320
		printf "%s, batches of %2d: %.1f instructions, aim %d, at most %d\n",
			what, batch, each, aim, most
		exit !many || each > most }' || bad=1
done
exit $bad
