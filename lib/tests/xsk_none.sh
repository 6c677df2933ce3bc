#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Where libxdp is missing, lib/xsk/none stands for what needs it: each function of xsk.h
# is there as well, so that libraries that call it can be linked.

: "${CC:=gcc}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
xsk=$TOP/lib/xsk
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for name in none/none frame mode net packet; do
	"$CC" -D_GNU_SOURCE -I"$TOP/include" -I"$TOP/uapi" -I"$TOP/lib" -c \
		-o "$dir/${name#*/}.o" "$xsk/$name.c" || exit 1
done
nm -g --defined-only "$dir"/*.o | awk 'NF == 3 { print $3 }' | sort >"$dir/defined"
grep -oE '\<xsk_[a-z_]+\(' "$xsk/xsk.h" | tr -d '(' | sort -u >"$dir/declared"

echo "KTAP version 1"
echo "1..1"
missing=$(comm -23 "$dir/declared" "$dir/defined" | xargs)
if [ -s "$dir/declared" ] && [ -z "$missing" ]; then
	echo "ok 1 every_function_is_there"
else
	echo "# not defined without libxdp: $missing"
	echo "not ok 1 every_function_is_there"
	exit 1
fi
