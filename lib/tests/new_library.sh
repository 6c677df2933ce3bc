#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# A library and its operation as scripts/build/new-library writes them, in a copy of the tree:
# they are built, their tests pass, and what lists libraries has them. What of the copy is not
# new is not built again: so the operation is one whose number is set aside.
: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}" "${O:=$TOP/build}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$dir/tree
asan=$tree/build/lib-asan
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
	mkdir -p "$asan/tests" "$tree/build/linux" &&
		cp -a "$TOP/debian" "$TOP/include" "$TOP/kernel" "$TOP/lib" "$TOP/packaging" "$TOP/process" "$TOP/scripts" \
			"$TOP/selftests" "$TOP/tools" "$TOP/uapi" "$TOP/VERSION" "$tree" &&
		mkdir "$tree/Documentation" &&
		cp "$TOP/README.md" "$TOP/CHANGELOG.md" "$tree" &&
		cp -a "$TOP/Documentation/man" "$TOP/Documentation/uapi.rst" "$tree/Documentation" &&
		cp -a "$O/lib" "$tree/build" &&
		cp -a "$O"/lib-asan/obj "$O"/lib-asan/process "$O"/lib-asan/lib* "$asan" || return
	# Any style does where the kernel's was not unpacked, which takes long.
	cp "$TOP/build/linux/.clang-format" "$tree/build/linux" ||
		echo 'DisableFormat: true' >"$tree/build/linux/.clang-format"
	"$tree/scripts/build/new-library" --value 'uint64_t key' probe3 transform one two
}

is_written_once() {
	! "$tree/scripts/build/new-library" probe3 another one &&
		! "$tree/scripts/build/new-library" other memcpy one &&
		! "$tree/scripts/build/new-library" other sync one &&
		! "$tree/scripts/build/new-library" debug another one &&
		! "$tree/scripts/build/new-library" Other another one
}

# make FOLDER UNDER GOAL...
build() {
	folder=$1 under=$2
	shift 2
	MAKEFLAGS='' make -s -C "$tree/$folder" O="$tree/build" UNDER="$under" "$@"
}

is_built() {
	build lib '' "$tree/build/lib/libdoca_probe3.so" "$tree/build/lib/libdoca_probe3.a" &&
		build lib asan "$asan/tests/test_probe3" "$asan/tests/test_objects" &&
		build process asan "$tree/build/process-asan/tests/test_probe3" \
			"$tree/build/process-asan/tests/test_ops"
}

its_tasks_run() {
	: >"$dir/record"
	DOCA_TESTS_RECORD=$dir/record "$asan/tests/test_probe3"
}

# Each code that its header documents was expected by its test.
its_codes_are_tested() {
	HEADERS="$tree/include/doca_probe3.h $tree/include/doca_error.h"
	# words on purpose
	"$TOP/scripts/build/error-codes" report /dev/null "$dir/record" $HEADERS \
		>"$dir/codes"
	grep doca_probe3 "$dir/codes"
	! grep -q "^# doca_probe3" "$dir/codes" && grep "^ok.*doca_probe3.h" "$dir/codes"
}

its_functions_refuse() {
	"$asan/tests/test_objects" &&
		grep doca_probe3_task_two_set_conf "$asan/tests/walks.h"
}

its_operation_is_executed() {
	"$tree/build/process-asan/tests/test_probe3" &&
		"$tree/build/process-asan/tests/test_ops"
}

doca_caps_knows_it() {
	build tools '' "$tree/build/tools/doca_caps" &&
		LD_LIBRARY_PATH=$tree/build/lib DOCA_DRIVER=process \
			"$tree/build/tools/doca_caps" >"$dir/caps" &&
		grep -A9 'probe3' "$dir/caps" | grep 'task_two .*supported'
}

the_manual_has_it() {
	build Documentation/man '' &&
		grep 'Fo doca_probe3_task_two_set_conf' \
			"$tree/build/man/doca_probe3_task_two_set_conf.3"
}

its_package_has_its_symbols() {
	"$tree/selftests/tools/packages.sh" &&
		grep -x '%{_libdir}/libdoca_probe3.so.\*' "$tree/packaging/open-doca.spec"
}

# Another operation, which has no number yet. It is not built, for all includes the numbers.
a_number_is_added() {
	"$tree/scripts/build/new-library" other_one other_op task &&
		TOP=$tree "$tree/lib/tests/layout.sh" >"$dir/layout" &&
		! grep '^not ok' "$dir/layout" &&
		grep '^DOCA_OP_OTHER_OP ' "$tree/lib/tests/layout.txt" &&
		grep '^[0-9]* OTHER_OP ' "$tree/Documentation/uapi.rst"
}

echo "KTAP version 1"
echo "1..11"
case_ "it is written" is_written
case_ "it is written once only" is_written_once
case_ "it is built" is_built
case_ "its tasks run" its_tasks_run
case_ "its codes are tested" its_codes_are_tested
case_ "its functions refuse what is no object" its_functions_refuse
case_ "its operation is executed" its_operation_is_executed
case_ "doca_caps knows it" doca_caps_knows_it
case_ "the manual has it" the_manual_has_it
case_ "its package has its symbols" its_package_has_its_symbols
case_ "an operation without a number gets one" a_number_is_added
