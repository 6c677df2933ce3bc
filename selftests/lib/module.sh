# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# shellcheck shell=sh
#
# Loading and unloading the module, for shell tests and the runner. The module must
# be installed, as scripts/vm/with-doca does.

# Up to 5 s for "$@" to succeed.
wait_until() {
	tries_left=100
	until "$@" 2>/dev/null; do
		tries_left=$((tries_left - 1))
		[ $tries_left -gt 0 ] || return 1
		sleep 0.05
	done
}

# Load with the parameters of the variant being run, or with "$@" if there are any.
doca_load() {
	# shellcheck disable=SC2086
	[ $# -gt 0 ] || set -- ${DOCA_MODULE_PARAMS:-}
	modprobe doca "$@" && wait_until [ -c /dev/doca ]
}

# A process that was killed may need a moment to let go of it.
doca_unload() {
	[ -d /sys/module/doca ] || return 0
	wait_until rmmod doca || rmmod doca
}

# How often each line of the module was run since the machine was started, for what
# scripts/build/module-coverage says. $1: where to; folders are kept as in the module's.
doca_keep_coverage() {
	[ -d /sys/kernel/debug/gcov ] || return 0
	find /sys/kernel/debug/gcov -path '*/kernel/*.gcda' | while read -r file; do
		kept=${file##*/kernel/}
		kept=$1/gcov/${kept#*/}
		mkdir -p "${kept%/*}"
		cat "$file" >"$kept"
	done
}
