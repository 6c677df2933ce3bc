#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# A library as scripts/build/new-library writes it, in a copy of the tree: it is built, its
# task runs, its functions refuse what is no object of theirs, it is installed, and
# doca_caps and the manual know it. What of the copy is not new is not built again.
: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}" "${O:=$TOP/build}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$dir/tree
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$dir/out" 2>&1; then
		echo "ok $n $name"
	else
		tail -n 50 "$dir/out" | sed 's/^/# /'
		echo "not ok $n $name"
	fi
}

is_written() {
	mkdir -p "$tree/build/lib-asan/tests" &&
		cp -a "$TOP/include" "$TOP/kernel" "$TOP/lib" "$TOP/process" "$TOP/scripts" \
			"$TOP/uapi" "$TOP/VERSION" "$tree" &&
		mkdir "$tree/Documentation" "$tree/tools" &&
		cp -a "$TOP/Documentation/man" "$tree/Documentation" &&
		cp -a "$TOP"/tools/* "$tree/tools" &&
		cp -a "$O/lib" "$tree/build" &&
		cp -a "$O"/lib-asan/obj "$O"/lib-asan/process "$O"/lib-asan/lib* "$tree/build/lib-asan" &&
		"$tree/scripts/build/new-library" probe &&
		! "$tree/scripts/build/new-library" probe &&
		! "$tree/scripts/build/new-library" Probe
}

is_built() {
	MAKEFLAGS='' make -s -C "$tree/lib" O="$tree/build" UNDER= \
		"$tree/build/lib/libdoca_probe.so" "$tree/build/lib/libdoca_probe.a" &&
		MAKEFLAGS='' make -s -C "$tree/lib" O="$tree/build" UNDER=asan \
			"$tree/build/lib-asan/tests/test_probe" \
			"$tree/build/lib-asan/tests/test_objects"
}

its_task_runs() {
	: >"$dir/record"
	DOCA_TESTS_RECORD=$dir/record "$tree/build/lib-asan/tests/test_probe"
}

# Each code that its header documents was expected by its test.
its_codes_are_tested() {
	HEADERS="$tree/include/doca_probe.h $tree/include/doca_error.h"
	# words on purpose
	"$TOP/scripts/build/error-codes" report /dev/null "$dir/record" $HEADERS \
		>"$dir/codes"
	grep doca_probe "$dir/codes"
	! grep -q "^# doca_probe" "$dir/codes" && grep "^ok.*doca_probe.h" "$dir/codes"
}

its_functions_refuse() {
	"$tree/build/lib-asan/tests/test_objects" &&
		grep doca_probe_task_copy_set_conf "$tree/build/lib-asan/tests/walks.h"
}

doca_caps_knows_it() {
	MAKEFLAGS='' make -s -C "$tree/tools" O="$tree/build" UNDER= \
		"$tree/build/tools/doca_caps" &&
		LD_LIBRARY_PATH=$tree/build/lib "$tree/build/tools/doca_caps" --list-libs |
		grep '^probe  *installed'
}

the_manual_has_it() {
	MAKEFLAGS='' make -s -C "$tree/Documentation/man" O="$tree/build" &&
		grep 'Fo doca_probe_task_copy_set_conf' \
			"$tree/build/man/doca_probe_task_copy_set_conf.3"
}

echo "KTAP version 1"
echo "1..7"
case_ "it is written, and once only" is_written
case_ "it is built" is_built
case_ "its task runs" its_task_runs
case_ "its codes are tested" its_codes_are_tested
case_ "its functions refuse what is no object" its_functions_refuse
case_ "doca_caps knows it" doca_caps_knows_it
case_ "the manual has it" the_manual_has_it
