#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Documentation/semantics.rst and security.rst name tests for each promise: all of them
# exist.

: "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"

# "FOLDER PROGRAM CASE", a line for each that is named in $1
named() {
	grep -oE '``(api|uapi|system|lib|process)/[a-z0-9_]+(\.[a-z0-9_]+| "[^"]+")``' "$1" |
		tr -d '`"' | sed 's#[/.]# #g'
}

# exists FOLDER PROGRAM CASE
exists() {
	case $1 in
	lib) file=$TOP/lib/tests/$2 ;;
	process)
		file=$TOP/process/tests/$2
		[ -e "$file.c" ] || file=$TOP/process/programs/$2
		;;
	*) file=$TOP/selftests/$1/$2 ;;
	esac
	if [ -e "$file.c" ]; then
		grep -Eq "TEST(_F|_F_TIMEOUT)?\(([a-z_]+, )?$3[,)]" "$file.c" \
			"$TOP"/lib/tests/*.h
	else
		grep -Fq -e "case_ \"$3\"" -e "ktap_test \"$3\"" "$file.sh"
	fi
}

missing() {
	named "$1" | while read -r folder program name; do
		exists "$folder" "$program" "$name" ||
			echo "# there is no $folder/$program: $name"
	done
}

# A promise is an item of a list.
untested() {
	awk '/^(\* |[^ ])/ { if (item != "" && item !~ /``[a-z]+\/[a-z]/)
				print "# no test of: " item
			item = "" }
		/^\* / { item = $0 }
		/^  / && item != "" { item = item $0 }' "$1"
}

# $1: number, $2: name, $3: what is wrong
report() {
	[ -z "$3" ] || echo "$3"
	[ -z "$3" ] && echo "ok $1 $2" || echo "not ok $1 $2"
}

echo "KTAP version 1"
echo "1..4"
n=0
for name in semantics security; do
	table=$TOP/Documentation/$name.rst
	report $((n += 1)) "every test that $name names exists" "$(missing "$table")"
	report $((n += 1)) "every promise of $name has a test" "$(untested "$table")"
done
