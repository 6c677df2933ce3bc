#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Where doca_apsh has the memory of a saved state, and where QEMU had it. Machines are saved that
# never run; memory regions are QEMU's own list, and have to fit, but not if they are a page
# larger. No driver is needed.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
tool_find doca_apsh
command -v qemu-system-x86_64 > /dev/null || ktap_skip_all "needs qemu-system-x86_64"

elsewhere="is not where the name of the machine has memory"
echo '{}' > "$work/map"

# $1: QEMU, then its arguments: save a machine, and write its ranges of memory down, from 1 MiB on:
# below there are windows for devices.
save() {
	printf 'info mtree -f\nmigrate "exec:cat >%s"\nquit\n' "$work/state" |
		"$1" -S -nodefaults -no-user-config -display none -monitor stdio \
			"${@:2}" > "$work/tree" 2>&1
	python3 - "$work" <<- 'END'
		import json
		import re
		import sys
		work, = sys.argv[1:]
		with open(f"{work}/tree", encoding="utf-8") as f:
		    text = f.read().replace("\r", "")
		view = text.split(" Root memory region: system\n", 1)[1].split("\n\n", 1)[0]
		ranges = [(max(int(start, 16), 1 << 20), int(end, 16) + 1) for start, end in
		          re.findall(r"^ +(\w+)-(\w+) \(prio \d+, ram\): ", view, re.M)
		          if int(end, 16) >= 1 << 20]
		for i in reversed(range(1, len(ranges))):  # as those of nodes
		    if ranges[i - 1][1] == ranges[i][0]:
		        ranges[i - 1:i + 1] = [(ranges[i - 1][0], ranges[i][1])]
		for grown in range(len(ranges) + 1):
		    regions = [{"start": start, "length": end - start + 4096 * (i + 1 == grown)}
		               for i, (start, end) in enumerate(ranges)]
		    with open(f"{work}/regions{grown}", "w", encoding="utf-8") as f:
		        json.dump({"allowed_regions": regions}, f)
		with open(f"{work}/ranges", "w", encoding="utf-8") as f:
		    print(len(ranges), file=f)
	END
}

# $1: which list of regions, $2: words
look() {
	run_fail 1 "$2" -f "$work/state" --format qevm -m "$work/regions$1" -o "$work/map" ps
}

# It gets as far as to the map, which is empty. $1: number of ranges
fits() {
	local wanted=$1 i
	shift
	save "$@" || return
	[ "$(cat "$work/ranges")" = "$wanted" ] || {
		echo "# $*: $(cat "$work/ranges") ranges, not $wanted"
		return 1
	}
	look 0 "$work/map" || return
	! grep -q "$elsewhere" "$work/stderr" || return
	for ((i = 1; i <= wanted; i++)); do
		look "$i" "$elsewhere" || return
	done
}

x86=qemu-system-x86_64

node() {
	echo -object "memory-backend-ram,id=$1,size=$2" -numa "node,memdev=$1"
}

test_q35() {
	fits 1 $x86 -M q35 -m 64M && fits 1 $x86 -M q35 -m 2815M && fits 2 $x86 -M q35 -m 2816M &&
		fits 2 $x86 -M q35 -m 4G
}

test_i440fx() {
	fits 1 $x86 -M pc -m 3583M && fits 2 $x86 -M pc -m 3584M && fits 2 $x86 -M pc -m 4G
}

test_backends_of_any_name() {
	fits 1 $x86 -M q35,memory-backend=guest.ram -m 64M \
		-object memory-backend-ram,id=guest.ram,size=64M
}

test_nodes() {
	# shellcheck disable=SC2046
	fits 2 $x86 -M q35 -m 3G $(node ram-node0 1G) $(node ram-node1 2G) &&
		save $x86 -M q35 -m 128M $(node mem0 64M) $(node mem1 64M) &&
		look 0 "which of its blocks are memory"
}

test_what_was_plugged_in() {
	save $x86 -M q35 -m 64M,slots=1,maxmem=1G \
		-object memory-backend-ram,id=hot.mem1,size=128M -device pc-dimm,memdev=hot.mem1 &&
		look 0 "the place of block hot.mem1, of 134217728 bytes, is not known" &&
		grep -q "134217728 bytes of memory regions, from 0x100000000 on, are not in" \
			"$work/stderr" && look 1 "$elsewhere"
}

# The name and the size are those of a machine that fits.
test_layouts_that_no_name_tells() {
	save $x86 -M q35 -cpu EPYC,phys-bits=48 -m 4G,slots=1,maxmem=1100G &&
		look 0 "the memory region at 0x10000000000, up to 0x10080000000, $elsewhere" &&
		save $x86 -M q35,max-ram-below-4g=1G -m 2G && look 0 "$elsewhere"
}

test_arm64() {
	command -v qemu-system-aarch64 > /dev/null || return 4
	fits 1 qemu-system-aarch64 -M virt -m 64M && save qemu-system-aarch64 -M virt-2.7 -m 64M &&
		look 0 "it has no target-page-bits"
}

ktap_all
