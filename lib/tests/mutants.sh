#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Documentation/mutants.rst has the list of the mutations that there are, each is caught
# by tests that exist, and the classes that must not be missing have two of them.

: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
patches=$TOP/selftests/mutants

# The list as it should be, against the one that is there
differences() {
	awk '/^   \* - ``/ { list = 1 } /^[^ ]/ { list = 0 } list && NF' \
		"$TOP/Documentation/mutants.rst" >"$own/is"
	"$TOP/scripts/build/mutants" --table >"$own/should" 2>&1
	diff "$own/is" "$own/should" | sed 's/^/# /'
}

# "FOLDER PROGRAM CASE", without CASE where the program as such is named
named() {
	sed -n 's/^Caught-by: \([^ ]*\) on .*/\1/p' "$patches"/*.patch |
		sed 's#[/.]# #g' | sort -u
}

# exists FOLDER PROGRAM CASE, which may also be a variant of a fixture, as a macro names it.
# Scripts name their cases where they run them.
exists() {
	if [ -e "$TOP/selftests/$1/$2.sh" ]; then
		grep -Eqs "^[[:space:]]*check ${3:-}\\b" "$TOP/selftests/$1/$2.sh"
		return
	fi
	case $1 in
	process) file=$(ls "$TOP"/process/*/"$2.c") ;;
	lib) file=$(ls "$TOP/lib/tests/$2.c" "$TOP/lib/tests/onload/${2#test_onload_}.c" \
		"$TOP/lib/tests/dm/test_${2#test_dm_}.c" 2>/dev/null | head -n 1) ;;
	*) file=$TOP/selftests/$1/$2.c ;;
	esac
	grep -Eqs "^[A-Z][A-Z_]*\(([a-z_]+, )?${3:-[a-z_]+}[,)]" "$file"
}

missing() {
	named | while read -r folder program name; do
		exists "$folder" "$program" "$name" ||
			echo "# there is no $folder/$program${name:+.$name}"
	done
}

classes='a dropped bounds check
a missing barrier
a second fetch
a missing put
a leaked pin
an unchecked permission
a lost wake-up
a wrong generation
a missing uncharge
an unlocked table walk'

without_mutation() {
	echo "$classes" | while read -r class; do
		[ "$(grep -lx "Class: $class" "$patches"/*.patch | wc -l)" -ge 2 ] ||
			echo "# there are no two mutations: $class"
	done
}

# $1: number, $2: name, $3: what is wrong
report() {
	[ -z "$3" ] || echo "$3"
	[ -z "$3" ] && echo "ok $1 $2" || echo "not ok $1 $2"
}

own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
echo "KTAP version 1"
echo "1..3"
report 1 "every mutation is documented" "$(differences)"
report 2 "every test that is named exists" "$(missing)"
report 3 "every class has two mutations" "$(without_mutation)"
