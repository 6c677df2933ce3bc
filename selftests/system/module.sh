#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Loading and unloading: refused while a file is open, without a trace otherwise.

lib=$(dirname "$0")/../lib
. "$lib/ktap.sh"
. "$lib/module.sh"

loaded() {
	[ -d /sys/module/doca ] && [ -c /dev/doca ]
}

kept_by_a_file() {
	exec 3<>/dev/doca || return 1
	if modprobe -r doca 2>/dev/null; then
		exec 3>&-
		echo "# it was unloaded under an open file"
		doca_load
		return 1
	fi
	exec 3>&-
	loaded
}

unloads() {
	modprobe -r doca || return 1
	[ ! -d /sys/module/doca ] && [ ! -e /dev/doca ]
}

# The kernel says that the module taints it once, and nothing else.
silent() {
	before=$(dmesg | wc -l)
	for _ in 1 2 3 4 5; do
		modprobe -r doca && doca_load || return 1
	done
	said=$(dmesg | tail -n "+$((before + 1))")
	[ -z "$said" ] || { echo "$said" | sed 's/^/# /'; return 1; }
}

# Other users of ib_uverbs do not matter.
unloads_beside_others() {
	modprobe rdma_ucm || return 1
	modprobe -r doca && doca_load
}

# An RDMA device comes and goes while the module does.
races_with_devices() {
	netdev=$(cat /sys/class/infiniband/rxe1/parent 2>/dev/null) ||
		{ echo "# no rxe1"; return 1; }
	rc=0
	(
		for _ in 1 2 3 4 5 6 7 8; do
			rdma link delete rxe1
			rdma link add rxe1 type rxe netdev "$netdev"
		done
	) &
	for _ in 1 2 3 4; do
		modprobe -r doca && doca_load || rc=1
	done
	wait
	[ -d /sys/class/infiniband/rxe1 ] && return $rc
}

ktap_plan 6
loaded || doca_load
ktap_test "it is kept by an open file" kept_by_a_file
ktap_test "it unloads" unloads
ktap_test "it loads again" doca_load
ktap_test "it says nothing" silent
ktap_test "it unloads while others use ib_uverbs" unloads_beside_others
ktap_test "it loads and unloads while devices come and go" races_with_devices
ktap_end
