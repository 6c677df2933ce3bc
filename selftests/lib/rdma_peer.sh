#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# In a machine to which others are connected: rdma_peer, until there is a file "stop" in the
# results. Nothing may be left of its clients.

here=$(dirname "$(readlink -f "$0")")
. "$here/ktap.sh"

resources() {
	for kind in qp cq mr pd srq; do
		rdma resource show $kind || exit
	done
}

as_before() {
	resources | cmp -s "$VM_RESULTS/before"
}

resources > "$VM_RESULTS/before"
"${DOCA_BUILD:-$here/../../build}/selftests/api/rdma_peer" &
peer=$!
until await_file "$VM_RESULTS/stop" $peer; do
	kill -0 $peer 2> /dev/null || break
done
kill $peer 2> /dev/null
wait $peer || exit
await as_before || { resources; exit 1; }
