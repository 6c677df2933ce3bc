# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of installed libraries, which programs find by pkg-config; for scripts of lib/tests, to be
# included by them.

: "${CC:=gcc}" "${CXX:=g++}" "${TOP:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${O:=$TOP/build}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
libdir=$dir/root/lib
export PKG_CONFIG_PATH="$libdir/pkgconfig"
n=0

case_() {
	n=$((n + 1))
	name=$1
	shift
	"$@" >"$dir/out" 2>&1
	case $? in
	0) echo "ok $n $name" ;;
	4) echo "ok $n $name # SKIP $(tail -n 1 "$dir/out")" ;;
	*)
		sed 's/^/# /' "$dir/out"
		echo "not ok $n $name"
		;;
	esac
}

# Several scripts do so at a time, and what is built is built once.
installs() {
	mkdir -p "$O" && MAKEFLAGS='' flock -o "$O" make -s -C "$TOP/lib" O="$O" UNDER= PREFIX="$dir/root" \
		LIBDIR="$libdir" CC="$CC" install
}

# For a case without which there is none: return 4 if this fails.
needs() {
	command -v "$1" >/dev/null && return
	echo "needs $1"
	return 1
}

# with_archives COMMAND...: with static libraries alone
with_archives() {
	mv "$libdir" "$libdir-shared" && mkdir "$libdir" &&
		cp -r "$libdir-shared"/*.a "$libdir-shared/pkgconfig" "$libdir"
	"$@"
	code=$?
	rm -r "$libdir"
	mv "$libdir-shared" "$libdir"
	return $code
}
