#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The machines that "make check" boots for K=KERNEL T=TEST, and what they have that not all have: what
# wants that has a machine of its own. And that a machine without its devices runs nothing, nor one
# with a module of other sources, and that no list of programs is short of some.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/selftests"
printf '%s\n' 'uapi starved_ends' 'uapi memory' 'uapi retire_starved' 'uapi engine_copy' \
	'uapi engine_unsafe' 'uapi timing_costs' 'api flows' 'api timing_rdma' 'tools docactl.sh' \
	>"$work/selftests/list"

# machines KERNEL TEST: a line for each, "NAME[!][+][~]: PROGRAMS", with "!" where it preempts itself,
# "+" where it has engines, and "~" where its clock counts instructions
machines() {
	DOCA_BUILD=$work python3 - "$here/../../scripts/check" "$@" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		import tiers
		for m in tiers.of_kernel(*sys.argv[2:]):
		    mark = "!" * ("preempt=full" in m.options) + "+" * ("--engines" in m.options) + \
		        "~" * ("--icount" in m.options)
		    programs = [t.program for t in m.tests if t.variant != "enter"]
		    print(f"{m.name}{mark}:", *programs)
	END
}

# expect KERNEL TEST LINE...
expect() {
	local got kernel=$1 test=$2
	shift 2
	got=$(machines "$kernel" "$test")
	[ "$got" = "$(printf '%s\n' "$@")" ] && return
	printf '# %s\n' "$kernel $test: not as wanted:" "${got//$'\n'/; }"
	return 1
}

apart='6.1-preempted!: starved_ends retire_starved'

test_a_whole_kernel() {
	expect 6.1 '' '6.1: memory flows docactl.sh' "$apart"
}

test_a_group() {
	expect 6.1 uapi '6.1: memory' "$apart" && expect 6.1 api '6.1: flows'
}

test_a_program() {
	expect 6.1 memory '6.1: memory' &&
		expect 6.1 uapi/starved_ends '6.1-preempted!: starved_ends' &&
		expect 6.1 docactl '6.1: docactl.sh' &&
		expect 6.1 timing_rdma '6.1-timing~: timing_rdma' &&
		expect 6.1 engine_copy '6.1-engines!+: engine_copy' &&
		expect 6.1 engine_unsafe '6.1-engines-unsafe+: engine_unsafe'
}

# Its machine says so.
test_no_program() {
	expect 6.1 no_such '6.1:'
}

# begins STATUS: what a guest with two cards says where the command "rdma" ends so
begins() (
	status=$1 cards="one two" number=1
	eval "$(sed -n '/^[a-z_]*() {$/,/^}$/p' "$here/../../scripts/vm/guest")"
	ip() { :; }
	modprobe() { :; }
	name_cards() { i=2; }
	rdma() { return "$status"; }
	has_clock() { :; }
	run_command() { echo "it begins"; }
	eval "$(grep 'run_command$' "$here/../../scripts/vm/guest")"
)

test_no_command_begins_without_a_device() {
	[ "$(begins 0)" = "it begins" ] &&
		[ "$(begins 1)" = "guest: there is no device rxe0, and no command is run" ]
}

# with_doca SUM: what with-doca says in a guest whose module has that sum, where 1 is what was built last
with_doca() {
	local modules=$work/root/lib/modules
	mkdir -p "$work/bin" "$modules/$(uname -r)"
	printf '#!/bin/sh\n' | tee "$work/bin/tar" "$work/bin/cp" >"$work/bin/modprobe"
	chmod +x "$work"/bin/*
	echo 1 >"$modules/sources"
	echo "$1" >"$modules/$(uname -r)/sources"
	PATH=$work/bin:$PATH VM_RESULTS=$work DOCA_BUILD=$work "$here/../../scripts/vm/with-doca" echo begins 2>&1
}

test_no_command_begins_with_a_module_of_other_sources() {
	[ "$(with_doca 1)" = begins ] && [[ $(with_doca 2) == *"is of other sources: run 'make root'"* ]] &&
		! with_doca 2 >/dev/null
}

# made RELEASE: there is a module for it, which is none, as depmod says
made() {
	"$work/tree/scripts/build/module-root" "$work/made" "$1" "$work/doca.ko" "$work/system" 2>"$work/err"
}

# is_of_these RELEASE
is_of_these() {
	cmp -s "$work/made/lib/modules"/{"$1"/,}sources
}

test_a_module_is_of_the_sources_that_it_was_built_of() {
	local tree=$work/tree system=$work/system
	mkdir -p "$tree"/{kernel,uapi,scripts/build} "$system/kernel"
	cp "$here/../../scripts/build/module-root" "$tree/scripts/build"
	touch "$tree/VERSION" "$system"/modules.{order,builtin,builtin.modinfo} "$work/doca.ko"
	made 6.1.0-one && made 6.1.0-two && is_of_these 6.1.0-one && is_of_these 6.1.0-two || return
	echo more >"$tree/kernel/more.c"
	made 6.1.0-two && is_of_these 6.1.0-two && ! is_of_these 6.1.0-one || return
	made 6.1.0-one && is_of_these 6.1.0-one
}

# lists GROUP...: have selftests/Makefile list programs of these, in a tree that is made up
lists() {
	local tree=$work/tree kselftest
	kselftest=$tree/build/linux/tools/testing/selftests
	mkdir -p "$kselftest" "$tree"/selftests/{good,bad} "$tree/process/programs"
	ln -sfn "$(realpath "$here/../../lib")" "$tree/lib"
	: >"$kselftest/lib.mk"
	printf 'all:\n\t@:\nemit_tests:\n\t@echo good:program\n' >"$tree/selftests/good/Makefile"
	printf 'all:\n\t@:\nemit_tests:\n\t@exit 1\n' >"$tree/selftests/bad/Makefile"
	printf 'all:\n\t@:\n' >"$tree/process/programs/Makefile"
	rm -f "$tree/build/selftests/list"
	make -s -C "$tree/selftests" -f "$(realpath "$here/../Makefile")" O="$tree/build" groups="$*" all \
		2>/dev/null && cat "$tree/build/selftests/list"
}

test_a_list_is_of_all_groups() {
	[ "$(lists good)" = "good program" ] && ! lists bad good
}

ktap_all
