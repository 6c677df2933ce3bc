#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# "make uninstall" removes the files that "make install" puts to a folder, and nothing else.

here=$(dirname "$(realpath "$0")")
top=$here/../..
. "$here/../lib/ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

# tree TARGET: with the variables of an installation below this folder alone.
tree() {
	make -s -C "$top" O="$BUILD" DESTDIR="$work" PREFIX=/usr "$1" >"$work.log" 2>&1 &&
		rm "$work.log" && return
	sed 's/^/# /' "$work.log"
	return 1
}

list() {
	(cd "$work" && find . -mindepth 1 ! -type d | sort)
}

test_what_others_have_there_stays() {
	mkdir -p "$work/usr/include" "$work/usr/lib/pkgconfig"
	echo 1 >"$work/usr/include/other.h"
	tree install || return
	echo 2 >"$work/usr/include/doca-dpu/other.h"
	[ "$(list | wc -l)" -gt 100 ] || return
	tree uninstall || return
	[ "$(list)" = "./usr/include/doca-dpu/other.h
./usr/include/other.h" ] && [ -d "$work/usr/lib/pkgconfig" ] && return
	list | sed 's/^/# /'
	return 1
}

test_folders_of_ours_are_removed() {
	tree install && tree uninstall || return
	[ -z "$(find "$work" -type d \( -name '*doca*' -o -name onload \) \
		! -path '*/doca-dpu')" ]
}

test_nothing_is_lost_where_nothing_is_installed() {
	tree uninstall && [ -e "$work/usr/include/other.h" ]
}

# As of root, for whom a user has built it.
test_nothing_is_left_to_build() {
	local since=$work.since
	make -s -C "$top" O="$BUILD" lib tools man >/dev/null && touch "$since" &&
		make -s -C "$top" O="$BUILD" DESTDIR="$work/home" PREFIX=/home install &&
		[ -z "$(find "$BUILD"/lib "$BUILD"/tools "$BUILD"/man -newer "$since" -print)" ]
	local code=$?
	rm "$since"
	return $code
}

test_tools_find_their_libraries() {
	local tool
	for tool in apsh bench caps copy dm file zc; do
		env -u LD_LIBRARY_PATH "$work/home/home/bin/doca_$tool" --version || return
	done
	env -u LD_LIBRARY_PATH "$work/home/home/bin/onload" true &&
		env -u LD_LIBRARY_PATH "$work/home/home/bin/doca_dm" true
}

# The makes of parts, which packagers may call alone, refuse them, too.
test_folders_that_are_no_names_are_refused() {
	local part name
	for part in . lib tools Documentation/man; do
		for name in '/a;b' '/a b' '/a ' relative; do
			make -n -C "$top/$part" O="$BUILD" PREFIX="$name" install >"$work.log" 2>&1 || {
				grep -q 'PREFIX is "' "$work.log" && continue
			}
			echo "# $part takes '$name', or does not say what is wrong:"
			tail -n 3 "$work.log" | sed 's/^/# /'
			return 1
		done
	done
}

ktap_plan 6
ktap_test what_others_have_there_stays test_what_others_have_there_stays
ktap_test folders_of_ours_are_removed test_folders_of_ours_are_removed
ktap_test nothing_is_lost_where_nothing_is_installed \
	test_nothing_is_lost_where_nothing_is_installed
ktap_test nothing_is_left_to_build test_nothing_is_left_to_build
ktap_test tools_find_their_libraries test_tools_find_their_libraries
ktap_test folders_that_are_no_names_are_refused test_folders_that_are_no_names_are_refused
ktap_end
