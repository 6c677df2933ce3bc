#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The machine that the other tests are told they run on.

. "$(dirname "$0")/../lib/ktap.sh"

# $1: RDMA device, $2: PCI address of its network interface
device_at() {
	netdev=$(cat "/sys/class/infiniband/$1/parent") || return 1
	at=$(readlink -f "/sys/class/net/$netdev/device")
	[ "$(basename "$(dirname "$at")")" = "$2" ] ||
		{ echo "# $1 is on $netdev, at $at"; return 1; }
}

two_cpus() {
	[ "$(nproc)" -ge 2 ]
}

fast_clock() {
	[ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" \
		!= hpet ]
}

case $(uname -m) in
aarch64) second=04:00.0 ;;
*) second=b1:00.0 ;;
esac
ktap_plan 5
ktap_test "rxe0 is at 03:00.0" device_at rxe0 0000:03:00.0
ktap_test "rxe1 is at $second" device_at rxe1 0000:$second
ktap_test "there are two CPUs" two_cpus
ktap_test "the clock is not hpet" fast_clock
ktap_test "the device node is there" [ -c /dev/doca ]
ktap_end
