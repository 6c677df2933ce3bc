#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# In a guest whose IOMMU does not translate: no engine is taken, and the refusal names the
# remedy, by netlink and in the kernel's log. The fast one reaches 4 GiB: what a guest with
# less has is not bounced for it, but it could write to all of that.
set -u

remedy='boot with the IOMMU on'
fast=$remedy
if [ "$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo)" -lt 3000000 ]; then
	fast='no IOMMU confines it'
fi

# $1: device, $2: what is said of it
refused() {
	! docactl engine add "$1" 2>/tmp/said && grep -q "$2" /tmp/said
}

echo 1..4
n=0
check() {
	n=$((n + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $n $name"
	else
		echo "not ok $n $name"
	fi
}
none_is_taken() {
	docactl engine list >/tmp/list && ! grep -qw live /tmp/list
}
log_says_so() {
	dmesg | grep -q "$remedy"
}
check fast_one_refused refused 0000:00:10.0 "$fast"
# On arm64 there is no memory below 1 GiB, and then its driver does not take it.
if [ -e /sys/bus/pci/drivers/testdma/0000:00:11.0 ]; then
	check narrow_one_refused refused 0000:00:11.0 "$remedy"
else
	n=$((n + 1))
	echo "ok $n narrow_one_refused # SKIP it reaches no memory"
fi
check none_is_taken none_is_taken
check log_says_so log_says_so
