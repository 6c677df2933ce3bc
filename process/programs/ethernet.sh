#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Ethernet queues of devices in software.

here=$(dirname "$(readlink -f "$0")")
ETH_TRAFFIC=${BUILD:-$here/../../build}/selftests/process/eth_traffic \
	exec "$here/../../selftests/api/ethernet.sh"
