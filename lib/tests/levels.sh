#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The levels 1.3 and 1.5: their headers compile alone with every compiler and standard, in
# both forms of the lists; the library has exactly their symbols, and calls public functions
# alone. What they declare is what their tests call.

: "${CC:=gcc}" "${CXX:=g++}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${O:=$TOP/build}"
inc=$TOP/include
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	if out=$("$@" 2>&1); then
		echo "ok $n $name"
	else
		echo "$out" | sed 's/^/# /'
		echo "not ok $n $name"
	fi
}

# LEVEL
paths() {
	[ "$1" = 1.5 ] && echo "-I$inc/doca-1.5"
	echo "-I$inc/doca-1.3 -I$inc"
}

# LEVEL, with a source on stdin: with all compilers and standards
compiles() {
	cat >"$dir/source"
	for compiler in "$CC -std=c11 -xc" "$CC -std=c17 -xc" "clang -std=c11 -xc" \
		"clang -std=c17 -xc" "$CXX -std=c++17 -xc++" "clang++ -std=c++17 -xc++"
	do
		case $compiler in
		clang*) command -v clang >/dev/null || continue ;;
		esac
		# words on purpose
		$compiler -Wall -Wextra -Werror -fsyntax-only $(paths "$1") \
			"$dir/source" || return
	done
}

alone() {
	for level in 1.3 1.5; do
		printf '#include <%s>\nextern int x;\n' "$1" | compiles $level ||
			return
	done
}

both_forms='#include <doca_dev.h>
	doca_error_t f(struct doca_dev *dev);
	doca_error_t f(struct doca_dev *dev)
	{
		struct doca_devinfo_remote **remotes;
		struct doca_devinfo **infos;
		uint32_t nr;

		if (doca_devinfo_list_create(&infos) != DOCA_SUCCESS ||
		    doca_devinfo_list_create(&infos, &nr) != DOCA_SUCCESS ||
		    doca_devinfo_remote_list_create(dev, &remotes) != DOCA_SUCCESS)
			return DOCA_ERROR_UNKNOWN;
		return doca_devinfo_remote_list_create(
			dev, DOCA_DEV_REMOTE_FILTER_NET, &remotes, &nr);
	}'

# A program of that time includes doca_ctx.h and doca_dma.h, and logs.
program='#include <string.h>
	#include <doca_ctx.h>
	#include <doca_dma.h>
	#include <doca_log.h>
	#include <doca_version.h>
	DOCA_LOG_REGISTER(A::B);
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	struct doca_dev *dev;
	int f(void);
	int f(void)
	{
		union doca_data data;
		memset(&data, 0, sizeof(data));
		DOCA_LOG_ERR("%s", doca_get_error_string(DOCA_SUCCESS));
		DOCA_LOG_INFO("%s %s", doca_version(), doca_version_runtime());
		return data.u64 == DOCA_DMA_JOB_MEMCPY;
	}'

# The header has the names that a program asks it for, in both levels.
in_both_levels() {
	echo "$1" | compiles 1.3 && echo "$1" | compiles 1.5
}

# Names and sizes that programs have in their sources.
values() {
	cat <<-'END' | compiles 1.3 || return
	#include <doca_dma.h>
	struct doca_dma_job_memcpy job = {
		{ DOCA_DMA_JOB_MEMCPY, DOCA_JOB_FLAGS_NONE, 0, { 0 } }, 0, 0, 0 };
	struct doca_event event = { 0, { 0 }, { 0 } };
	int all[] = {
		sizeof(struct doca_pci_bdf) == 2 ? 1 : -1,
		DOCA_WORKQ_RETRIEVE_FLAGS_NONE, DOCA_BUF_EXTENSION_NONE,
		DOCA_BUF_EXTENSION_LINKED_LIST, DOCA_MMAP_MAX_NUM_CHUNKS,
		DOCA_MMAP_MAX_NUM_DEVICES, DOCA_DEVINFO_PROPERTY_VUID,
		DOCA_DEVINFO_PROPERTY_PCI_ADDR, DOCA_DEVINFO_PROPERTY_IPV4_ADDR,
		DOCA_DEVINFO_PROPERTY_IPV6_ADDR, DOCA_DEVINFO_PROPERTY_IFACE_NAME,
		DOCA_DEVINFO_PROPERTY_IBDEV_NAME, DOCA_DEVINFO_REMOTE_PROPERTY_VUID,
		DOCA_DMA_CAP_HW_OFFLOAD, DOCA_MMAP_NAME, DOCA_MMAP_NUM_BUFS,
		DOCA_MMAP_EXPORTED, DOCA_MMAP_FROM_EXPORT, DOCA_MMAP_ACCESS_FLAGS,
		DOCA_BUF_INVENTORY_NAME, DOCA_BUF_INVENTORY_NUM_ELEMENTS,
		DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, DOCA_BUF_INVENTORY_EXTENSIONS,
		DOCA_WORKQ_DEPTH };
	uint16_t raw(void);
	uint16_t raw(void)
	{
		struct doca_pci_bdf bdf;

		bdf.raw = 0;
		bdf.bus = 3;
		bdf.device = 1;
		bdf.function = 2;
		return bdf.raw;
	}
	END
	cat <<-'END' | compiles 1.5
	#include <doca_dma.h>
	struct doca_dma_job_memcpy job = {
		{ DOCA_DMA_JOB_MEMCPY, DOCA_JOB_FLAGS_NONE, 0, { 0 } }, 0, 0 };
	END
}

exports() {
	grep -ho 'DOCA_1_[35]([a-z][a-z_]*)' "$inc"/doca-1.3/*.h |
		sed 's/DOCA_1_\(.\)(\(.*\))/doca1\1_\2/' | grep -v _name$ |
		sort -u >"$dir/declared"
	sed -n 's/^\tdoca1/doca1/; s/^\(doca1.*\);$/\1/p' \
		"$TOP/lib/api13/libdoca_1_3.map" | sort >"$dir/exported"
	diff "$dir/declared" "$dir/exported"
}

# Nothing that is not in the headers of level 3.0, and nothing of it is defined here.
# Debug mode apart, whose registry of objects is one for all levels.
calls_the_public() {
	lib=$O/lib/libdoca_1_3.so
	nm -D --undefined-only "$lib" | sed -n 's/.* \(doca[a-z0-9_]*\).*/\1/p' |
		grep -vx 'doca_priv_debug.*\|doca_priv_.*_object' | while read -r f; do
			grep -qw "$f" "$inc"/doca_*.h || echo "$f is not public"
		done | grep . && return 1
	nm -D --undefined-only "$lib" | grep -q 'doca_task_submit@' &&
		! nm -D --defined-only "$lib" | grep -v ' A DOCA_\| doca1[35]_'
}

# Libraries that level 1.3 is linked to are as they would be without it.
core_has_nothing_of_it() {
	! nm -D "$O/lib/libdoca_common.so" "$O/lib/libdoca_dma.so" | grep 'doca1[35]_'
}

# Each call of level 1.3 has an entry in the manual, and a line that says how to port it.
is_documented() {
	sed -n '/_count\|_filtered/d; s/^\tdoca13_\(.*\);$/doca_\1/p' \
		"$TOP/lib/api13/libdoca_1_3.map" | while read -r f; do
		grep -q "^\.Fn $f\b" "$TOP/Documentation/man/doca_1_3.7" ||
			echo "$f is not in doca_1_3(7)"
		grep -q "^$f() " "$TOP/Documentation/levels.rst" ||
			echo "$f is not in levels.rst"
	done | grep . && return 1
	return 0
}

echo "KTAP version 1"
headers=$(cd "$inc/doca-1.3" && echo doca_*.h)
# words on purpose
set -- $headers
echo "1..$(($# + 7))"
for h in $headers; do
	case_ "$h compiles alone" alone "$h"
done
case_ "both forms of lists" in_both_levels "$both_forms"
case_ "a program that includes doca_ctx.h has all" in_both_levels "$program"
case_ "names that programs use" values
case_ "what is declared is exported" exports
case_ "the library calls public functions alone" calls_the_public
case_ "the other libraries have nothing of it" core_has_nothing_of_it
case_ "manual and porting table have all of level 1.3" is_documented
