#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs of earlier releases run with the libraries that were built: scripts/build/abi compares the
# interfaces, and notices what would break them; and samples of the past, compiled with its headers
# and linked with its symbols, do their work. make check-abi runs both.

top=$(realpath "$(dirname "$(realpath "$0")")/../..")
. "$top/selftests/lib/ktap.sh"
: "${BUILD:=$top/build}"

command -v abidw >/dev/null || ktap_skip_all "needs abigail-tools"
machine=$(sed 's/-.*//' "$BUILD/lib/machine")
past=$top/abi/$machine
[ -d "$past" ] || ktap_skip_all "abi/ has nothing of $machine"
[ "$machine" = "$(uname -m)" ] || ktap_skip_all "programs of $machine do not run here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

test_libraries_have_what_programs_need() {
	"$top/scripts/build/abi" check >"$work/said" 2>&1 || {
		sed 's/^/# /' "$work/said"
		return 1
	}
	! grep -q '^ok .* # SKIP' "$work/said" && return
	sed -n 's/^ok [0-9]* \(.*\) # SKIP/# \1 was left out of the build/p' "$work/said"
	return 4
}

# A tree with one small library, whose baseline is that of this tree
ext=lib/onload/onload_ext
make_tree() {
	local f
	rm -rf "$work/tree"
	mkdir -p "$work/tree/abi/$machine" "$work/tree/build/lib" || return
	for f in scripts/build/abi scripts/build/public-types selftests/lib/ktap.sh abi/ignored.suppr $ext/stubs.c $ext/libonload_ext.map \
		lib/libs.mk; do
		install -D "$top/$f" "$work/tree/$f" || return
	done
	cp -r "$top/include" "$work/tree" &&
		cp "$past/libonload_ext.xml" "$work/tree/abi/$machine" &&
		cp "$BUILD/lib/machine" "$work/tree/build/lib"
}

# edit FILE SCRIPT: by sed, which must find what it changes
edit() {
	cp "$work/tree/$1" "$work/old" && sed -i "$2" "$work/tree/$1" && ! cmp -s "$work/old" "$work/tree/$1"
}

build_tree() {
	gcc -g -fPIC -shared -D_GNU_SOURCE -I"$work/tree/include" -o "$work/tree/build/lib/libonload_ext.so" \
		"$work/tree/$ext/stubs.c" -Wl,-soname,libonload_ext.so.1 \
		-Wl,--version-script="$work/tree/$ext/libonload_ext.map"
}

passes() {
	build_tree && BUILD=$work/tree/build "$work/tree/scripts/build/abi" check >"$work/said" 2>&1 && return
	sed 's/^/# /' "$work/said"
	return 1
}

# fails WORDS [NAME]: of what it says about the change
fails() {
	local name=${2:-libonload_ext}
	build_tree || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" check >"$work/said" 2>&1 &&
		grep -q "^not ok [0-9]* $name$" "$work/said" && grep -q "^# .*$1" "$work/said" && return
	echo "# not '$1':"
	sed 's/^/# /' "$work/said"
	return 1
}

test_additions_pass() {
	make_tree && passes || return
	edit $ext/libonload_ext.map 's/^	onload_zc_send;/&\n	onload_added;/' &&
		edit $ext/stubs.c '$a EXPORT int onload_added(void);\nEXPORT int onload_added(void)\n{\n	return 0;\n}' &&
		edit include/onload/extensions.h 's/^	ONLOAD_FD_FEAT_UDP_TX_TS_HDR.*/	ONLOAD_FD_FEAT_UDP_TX_TS_HDR = 1,\n	ONLOAD_FD_FEAT_ADDED = 2,/' &&
		passes
}

test_a_symbol_that_is_gone_fails() {
	make_tree && edit $ext/libonload_ext.map '/^	onload_zc_send;/d' &&
		fails "Removed function.*" && grep -q "onload_zc_send" "$work/said"
}

test_another_value_of_an_enumeration_fails() {
	make_tree && edit include/onload/extensions.h 's/^	ONLOAD_FD_FEAT_UDP_TX_TS_HDR.*/	ONLOAD_FD_FEAT_UDP_TX_TS_HDR = 7,/' &&
		fails "'onload_fd_feature::ONLOAD_FD_FEAT_UDP_TX_TS_HDR' from value '1' to '7'"
}

test_another_public_structure_fails() {
	make_tree && edit include/onload/extensions_zc.h 's/^struct onload_zc_iovec {/&\n	int added;/' &&
		fails "onload_zc_iovec.*"
}

# Those that programs lay over memory, and values that no function has in its type
test_another_type_that_no_function_has_fails() {
	make_tree && cp "$past"/types*.xml "$work/tree/abi/$machine" && passes || return
	edit include/onload/extensions_timestamping.h 's/^struct onload_timestamp {/&\n	int added;/' &&
		fails "'struct onload_timestamp':" types || return
	make_tree && cp "$past"/types*.xml "$work/tree/abi/$machine" || return
	edit include/doca_apsh_attr.h '/^typedef.* DOCA_APSH_ENVARS_PID_TYPE;/s/uint32_t/uint64_t/' &&
		edit include/doca-1.3/doca_dma.h '/^enum doca_dma_devinfo_caps {/,/}/s/,$/ + 8,/' &&
		fails "'typedef DOCA_APSH_ENVARS_PID_TYPE':" types &&
		fails "'enum doca_dma_devinfo_caps':" types_1_3
}

test_another_parameter_fails() {
	make_tree && edit include/onload/extensions.h '/^int onload_thread_set_spin/s/int spin)/long spin)/' &&
		edit $ext/stubs.c '/onload_thread_set_spin/,/;/s/int spin/long spin/' &&
		fails "parameter 2 of type 'int' changed"
}

test_a_library_that_is_gone_fails() {
	make_tree && edit lib/libs.mk '/call library,onload_ext,/d' || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" check >"$work/said" 2>&1 &&
		grep -q "it is gone" "$work/said"
}

test_a_library_without_types_fails() {
	make_tree && build_tree && strip -g "$work/tree/build/lib/libonload_ext.so" || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" check >"$work/said" 2>&1 &&
		grep -q "built without -g" "$work/said"
}

# A release does not move the baseline over a break.
test_what_breaks_programs_is_not_written() {
	make_tree && edit $ext/libonload_ext.map '/^	onload_zc_send;/d' && build_tree || return
	edit lib/libs.mk '/^$(call library,onload_ext,/!d' || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" write >"$work/said" 2>&1 &&
		grep -q "onload_zc_send" "$work/said" && grep -q "^abi: programs of the last release" "$work/said" &&
		cmp "$past/libonload_ext.xml" "$work/tree/abi/$machine/libonload_ext.xml"
}

# It would not be held from then on.
test_a_baseline_of_some_libraries_is_not_written() {
	make_tree && build_tree || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" write >"$work/said" 2>&1 &&
		[ "$(wc -l <"$work/said")" -eq 1 ] && grep -q "^abi: libdoca_common was left out" "$work/said" &&
		cmp "$past/libonload_ext.xml" "$work/tree/abi/$machine/libonload_ext.xml" && return
	sed 's/^/# /' "$work/said"
	return 1
}

# One that was built without -g would be held to nothing, and the others to this release.
test_all_of_a_baseline_is_written_or_nothing() {
	make_tree && edit lib/libs.mk '/^$(call library,onload_ext,/!d' && build_tree || return
	git -C "$work/tree" init -q && git -C "$work/tree" add -A include lib scripts &&
		git -C "$work/tree" -c user.name=n -c user.email=e commit -q -m all || return
	rm "$work/tree/abi/$machine/libonload_ext.xml" && cp "$work/tree/build/lib/libonload_ext.so" \
		"$work/tree/build/lib/libz_last.so" && strip -g "$work/tree/build/lib/libz_last.so" || return
	! BUILD=$work/tree/build "$work/tree/scripts/build/abi" write >"$work/said" 2>&1 &&
		grep -q "^abi: libz_last cannot be described" "$work/said" && [ ! -e "$work/tree/abi/commit" ] &&
		! ls "$work/tree/abi/$machine"/*.xml 2>/dev/null || return
	rm "$work/tree/build/lib/libz_last.so"
	BUILD=$work/tree/build "$work/tree/scripts/build/abi" write >"$work/said" 2>&1 &&
		ls "$work/tree/abi/$machine"/{libonload_ext,types,types_1_3}.xml >/dev/null && [ -s "$work/tree/abi/commit" ] && return
	sed 's/^/# /' "$work/said"
	return 1
}

# "NAME VERSION DEFAULT", without the last two where there is no version
symbols_of() {
	sed -nE "s/^<elf-symbol name='([^']*)' (version='([^']*)' is-default-version='(yes|no)')?.*/\1 \3 \4/p" "$1"
}

# A library of the past, to link with: $1. It has its name and symbols, and no code.
write_stub() {
	local soname
	soname=$(sed -n "s/^<abi-corpus .*soname='\([^']*\)'.*/\1/p" "$past/$1.xml")
	symbols_of "$past/$1.xml" | awk '
		{ print ".globl f" NR "\n.type f" NR ", @function\nf" NR ":" }
		{ print ".symver f" NR ", " $1 ($3 == "yes" ? "@@" : "@") $2 }' >"$work/stub.s"
	symbols_of "$past/$1.xml" | awk '!seen[$2]++ { print $2 " { };" }' >"$work/stub.map"
	gcc -shared -nostdlib -Wl,-soname,"$soname" -Wl,--version-script="$work/stub.map" \
		-o "$work/past/$1.so" "$work/stub.s"
}

# The objects that samples share are of the level of 3.0, whichever they have.
compile_common() {
	local name
	for name in area descriptor sample; do
		gcc -c -DDOCA_ALLOW_EXPERIMENTAL_API -I"$work/past/include" -o "$work/past/$name.o" \
			"$work/past/samples/common/$name.c" || return
	done
}

# runs SAMPLE: one that needs no other process, nor arguments
runs() {
	local name=$1 level=
	[ "$name" != workq ] || level=-I$work/past/include/doca-1.3
	# nothing, or an option
	# shellcheck disable=SC2086
	gcc -DDOCA_ALLOW_EXPERIMENTAL_API $level -I"$work/past/include" -o "$work/past/$name" \
		"$work/past/samples/$name/$name.c" "$work"/past/*.o \
		-L"$work/past" ${level:+-ldoca_1_3} -ldoca_argp -ldoca_dma -ldoca_common &&
		LD_BIND_NOW=1 LD_LIBRARY_PATH=$BUILD/lib DOCA_DRIVER=process "$work/past/$name" >"$work/said" 2>&1 && return
	echo "# $name:"
	sed 's/^/# /' "$work/said"
	return 1
}

# The commit of the past may not be there: in a clone that is shallow, or a tree that is no clone.
test_samples_of_the_past_run() {
	local library name bad=0
	mkdir "$work/past"
	git -C "$top" archive "$(cat "$top/abi/commit")" include samples 2>/dev/null | tar -C "$work/past" -x 2>/dev/null ||
		return 4
	for library in common dma argp 1_3; do
		write_stub libdoca_$library || return
	done
	compile_common || return
	for name in dma_local_copy graph pe_event pe_multi_context pe_polling pe_reactive pe_task_error \
		pe_task_resubmit workq; do
		runs $name || bad=1
	done
	return $bad
}

ktap_all
