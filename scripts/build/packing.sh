# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# shellcheck shell=bash
#
# Functions of deb and rpm. A package has what is committed, and nothing else: so it is the same
# wherever it is built.

top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
release=$(cat "$top/VERSION")

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

check_tree() {
	local changed
	[ "$(git -C "$top" rev-parse --show-toplevel 2>/dev/null)" = "$top" ] ||
		die "$top is no clone of git, and packages are made of what is committed: clone the tree"
	changed=$(git -C "$top" status --porcelain | sed -n '1s/^...//p')
	[ -z "$changed" ] ||
		die "$changed is not as it was committed: commit or stash it, for packages are made of HEAD"
}

# To standard output, as tar. Rights on files are packed, too: neither git's setting nor the builder's
# umask may decide on them.
archive() {
	git -C "$top" -c tar.umask=0022 archive --format=tar --prefix="open-doca-$release/" HEAD
}

umask 022
# Inner makes have variables of their own.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
