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
	local said changed
	command -v git >/dev/null || die "git is missing: install it, for packages are made of what is committed"
	said=$(LC_ALL=C git -C "$top" rev-parse --show-toplevel 2>&1) || :
	[[ $said != *"dubious ownership"* ]] ||
		die "git does not read $top, which is another user's: be that user, or run 'git config --global --add safe.directory $top'"
	[ "$said" = "$top" ] ||
		die "$top is no clone of git, and packages are made of what is committed: clone the tree"
	changed=$(git -C "$top" status --porcelain | sed -n '1s/^...//p')
	[ -z "$changed" ] ||
		die "$changed is not as it was committed: commit or stash it, for packages are made of HEAD"
}

check_changelog() {
	local version
	version=$(sed -n '/^## / { s/^## \([^ ,]*\).*/\1/p; q }' "$top/CHANGELOG.md")
	[ "$version" = "$release" ] ||
		die "CHANGELOG.md begins with ${version:-no release}, and VERSION is of $release: add its entry, '## $release'"
}

# To standard output, as tar. Rights on files are packed, too: neither git's setting nor the builder's
# umask may decide on them.
archive() {
	git -C "$top" -c tar.umask=0022 archive --format=tar --prefix="open-doca-$release/" HEAD
}

umask 022
# Inner makes have variables of their own.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
