#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs that compute, as a user without privilege who may lock 8 MiB: other programs read what
# they write, and the libraries have nothing to warn of.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"

program=${COMPUTE_FILES:-${DOCA_BUILD:-$here/../../build}/selftests/api/compute_files}
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

[ -x "$program" ] || ktap_skip_all "needs $program"
[ "${DOCA_DRIVER:-}" = process ] || [ -c /dev/doca ] || ktap_skip_all "needs the driver"
command -v doca_file >/dev/null || ktap_skip_all "needs doca_file"

# As nobody, of the group that may use the driver, where root runs this and nobody can get at
# the programs.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
[ ! -c /dev/doca ] || nobody[4]=$(stat -c %g /dev/doca)
if [ "$(id -u)" -eq 0 ] && "${nobody[@]}" test -x "$program" -a -r "${LD_LIBRARY_PATH%%:*}/."; then
	nobody+=(--inh-caps=-all --bounding-set=-all)
else
	nobody=()
fi

as_user() {
	ulimit -l 8192
	"${nobody[@]}" "$@"
}

# Its output files belong to the caller, who has made them.
run() {
	local out=${!#}
	: >"$out" && chmod 666 "$out"
	(as_user "$program" "$@") >stdout 2>stderr && [ ! -s stderr ] && return
	echo "# $*:"
	sed 's/^/# /' stderr
	return 1
}

make_files() {
	seq 30000 >src && printf 'additional data' >aad && head -c 32 /dev/urandom >key &&
		head -c 16 /dev/urandom >key16 && chmod 644 ./*
}

test_a_text_is_hashed_whole_and_in_parts() {
	local text digest
	for text in "" abc "$(seq -s, 100)"; do
		digest=$(printf %s "$text" | openssl dgst -sha256 -r | cut -d' ' -f1)
		(as_user "$program" hash "$text") >stdout 2>stderr && [ ! -s stderr ] &&
			grep -qx "whole $digest" stdout && grep -qx "parts $digest" stdout &&
			[ "$(printf %s "$text" | doca_file hash)" = "$digest  -" ] || return
	done
}

test_a_file_is_deflated_and_inflated() {
	make_files && run deflate src out && gzip -dc out | cmp - src &&
		doca_file decompress <out | cmp - src && mv stdout sum || return
	run inflate out back && cmp back src && cmp stdout sum || return
	gzip -9nc src >src.gz && chmod 644 src.gz && run inflate src.gz back && cmp back src &&
		cmp stdout sum
}

test_a_frame_is_decompressed() {
	local how
	command -v lz4 >/dev/null || return 4
	make_files
	for how in "-BX -B5" "-BD -B4" "-9 -B4" -1; do
		# shellcheck disable=SC2086
		lz4 -q $how -c src >src.lz4 && chmod 644 src.lz4 && run lz4 src.lz4 back &&
			cmp back src || return
		! by_day || break
	done
}

# Data alone, redundancy alone, and both, by day the last.
test_lost_blocks_come_back() {
	local lost
	make_files
	for lost in 5,2 3,0 4,5 1,3 0; do
		run ec 4 2 $lost src back && cmp back src || return
		! by_day || break
	done
	run ec 10 4 13,0,11,9 src back && cmp back src
}

test_a_coding_matrix_recovers_of_one_redundancy() {
	make_files && run sum src back && cmp back src
}

# With a tag of 12 bytes, it is the first of those of 16. At night with the other key, too.
test_a_message_is_sealed_and_opened() {
	local iv=000102030405060708090a0b key tag
	make_files
	for key in key key16; do
		for tag in 12 16; do
			run seal $key $iv $tag aad src out$tag && cp out$tag in &&
				run open $key $iv $tag aad in back && cmp back src || return
		done
		[ "$(stat -c %s out12)" -eq $(($(stat -c %s src) + 12)) ] &&
			cmp out12 <(head -c -4 out16) || return
		! by_day || break
	done
}

# The program makes a chunk that is the last one, as doca_file(1) describes it.
test_doca_file_decrypts_a_message() {
	make_files
	printf 'DOCA-GCM\0\0\0\1\0\10\0\0saltsalt\0\0\0\0\0\0\0\0' >header
	{ cat header && printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1'; } >place && chmod 644 place &&
		run seal key 73616c7473616c7400000000 16 place src out &&
		cat header out | doca_file decrypt -k key | cmp - src
}

ktap_all
