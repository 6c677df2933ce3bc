#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of doca_file: what it writes is read by other programs, and what they write by it. They
# need root and the driver, or DOCA_DRIVER=process.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

running=
trap 'end_running KILL; rm -rf "$work"' EXIT

in_process() {
	[ "${DOCA_DRIVER:-}" = process ]
}

in_process || [ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
in_process || [ -c /dev/doca ] || ktap_skip_all "needs the driver"
tool_find doca_file
cd "$work" || exit 1

# Data that can be compressed, and more than a task takes.
make_file() {
	local bytes=$1
	yes "a line, and its number: $bytes" | head -c $((bytes / 2)) >src
	head -c $((bytes - bytes / 2)) /dev/urandom >>src
}

make_keys() {
	head -c 32 /dev/urandom >key && head -c 16 /dev/urandom >other
}

# $1: file, $2: offset; one byte is another one
flip() {
	local byte
	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	printf "\\$(printf %o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

nothing_is_left() {
	local left
	left=$(ls -d out ./*.tmp 2>/dev/null)
	rm -f out
	[ -z "$left" ] || echo "# left: $left"
	[ -z "$left" ]
}

# It waits for more input, of which it has had $1 bytes.
start_on_pipe() {
	local bytes=$1
	shift
	rm -f pipe && mkfifo pipe && exec 5<>pipe || return
	"$tool" "$@" <pipe >stdout 2>stderr 5>&- &
	running=$!
	head -c "$bytes" /dev/zero >&5
}

end_running() {
	[ -n "$running" ] || return 0
	kill -"$1" "$running" 2>/dev/null
	exec 5>&-
	wait "$running" 2>/dev/null
	local code=$?
	running=
	return $code
}

test_usage() {
	run_fail 2 "-k FILE is missing" encrypt src &&
		run_fail 2 "-n K+M is missing" encode src &&
		run_fail 2 "is not two numbers" encode -n 4 src &&
		run_fail 2 "from 1 to 32" encode -n 4+33 src &&
		run_fail 2 "-k is not for hash" hash -k key src &&
		run_fail 2 "is for one file" compress -o out src src &&
		run_fail 2 "-t writes nothing" decompress -t -o out src
}

test_digests_are_those_of_coreutils() {
	local size algorithm
	for size in 0 1 1048576 3000001; do
		make_file $size
		for algorithm in 1 256 512; do
			"$tool" hash -a sha$algorithm src "$(printf 'none/../a\\b\nc')" - \
				<src >list 2>stderr
			[ $? -eq 1 ] && sha${algorithm}sum --status -c <(sed 's/-$/src/' list) &&
				[ "$(wc -l <list)" -eq 2 ] || return
		done
	done
}

test_lists_are_checked() {
	local name
	make_file 100000
	name=$(printf 'a\\b\nc')
	cp src "$name"
	sha256sum src "$name" >list && sha1sum -b src >>list && sha512sum src >>list &&
		"$tool" hash src "$name" | cmp - <(head -2 list) &&
		run_ok hash -c list && [ "$(grep -c ': OK$' stdout)" -eq 4 ] || return
	run_fail 1 "cannot read none" hash -c none list &&
		[ "$(grep -c ': OK$' stdout)" -eq 4 ] && echo >>src || return
	run_fail 1 "3 of 4" hash -c list && grep -q '^src: FAILED$' stdout &&
		run_fail 1 "has no digests" hash -c src
}

test_gzip_reads_what_is_compressed() {
	local size level
	for size in 0 1 524288 524289 5000001; do
		make_file $size
		rm -f src.gz
		run_ok compress src && gzip -dc src.gz | cmp - src &&
			run_ok decompress -f -o out src.gz && cmp src out &&
			"$tool" compress <src | "$tool" decompress | cmp - src || return
	done
	for level in 1 9; do
		"$tool" compress -$level -o - src | gzip -dc | cmp - src || return
	done
	rm src.gz out
}

# Members of known length and of unknown length, one and more, and zeros behind.
test_what_gzip_writes_is_decompressed() {
	local size
	for size in 0 1 5000001; do
		make_file $size
		gzip -9c src >a.gz && gzip -1c <src >b.gz && "$tool" compress <src >c.gz || return
		cat a.gz c.gz b.gz a.gz c.gz >src.gz
		head -c 200000 /dev/zero >>src.gz
		"$tool" decompress <src.gz | cmp - <(cat src src src src src) || return
	done
	rm ./*.gz
}

test_what_lz4_writes_is_decompressed() {
	local how size
	command -v lz4 >/dev/null || return 4
	for size in 0 1 9000001; do
		make_file $size
		for how in -1 "-9 -BD" "-B4 -BD" "-BX -B5" "-BD -BX -B6" --no-frame-crc \
			--content-size; do
			# shellcheck disable=SC2086
			lz4 -q $how -c src >src.lz4
			{ cat src.lz4; printf 'Q*M\30\3\0\20\0abc'; head -c 1048576 /dev/zero
				cat src.lz4; } >two.lz4
			"$tool" decompress <two.lz4 | cmp - <(cat src src) || return
		done
	done
	rm src.lz4 two.lz4
}

# $1: words, $2: file; the same from standard input, of which nothing is written before
is_damaged() {
	run_fail 1 "$1" decompress -o out "$2" && nothing_is_left
}

test_damage_is_told_with_its_place() {
	make_file 3000000
	"$tool" compress <src >a.gz
	cp a.gz b.gz && flip b.gz 1400000 &&
		is_damaged 'b.gz: damaged at byte [0-9]*' b.gz || return
	head -c 1400000 a.gz >b.gz && is_damaged 'damaged at byte 1400000: it ends' b.gz || return
	gzip -nc src >a.gz && head -c 1400000 a.gz >b.gz &&
		is_damaged 'damaged at byte 1400000: it ends' b.gz || return
	cp a.gz b.gz && flip b.gz $(($(stat -c %s a.gz) - 2)) &&
		is_damaged 'damaged at byte 0: the length of this member' b.gz || return
	{ cat a.gz; echo more; } >b.gz && is_damaged 'behind the last member' b.gz || return
	is_damaged "neither gzip's nor LZ4's" src || return
	# An invalid type of block.
	{ head -c 10 a.gz; head -c 100 /dev/zero | tr '\0' '\377'; } >b.gz &&
		is_damaged 'damaged at byte 1[0-9]: this is no DEFLATE' b.gz || return
	rm a.gz b.gz
	command -v lz4 >/dev/null || return 0
	lz4 -qc -B4 src >a.lz4 && cp a.lz4 b.lz4 && flip b.lz4 1400000 &&
		is_damaged 'damaged at byte 0: the checksum of this frame' b.lz4 &&
		head -c 1400000 a.lz4 >b.lz4 && is_damaged 'byte 1400000: it ends' b.lz4 &&
		cp a.lz4 b.lz4 && flip b.lz4 4 && is_damaged 'damaged at byte 0' b.lz4 &&
		rm a.lz4 b.lz4
}

test_encrypted_files_come_back() {
	local size
	make_keys
	od -An -tx1 key | tr -d ' \n' >digits
	for size in 0 1 524288 1048576 3000001; do
		make_file $size
		rm -f src.enc
		run_ok encrypt -k key src && run_ok decrypt -f -o out -k digits src.enc &&
			cmp src out && "$tool" encrypt -k other <src |
			"$tool" decrypt -k other | cmp - src || return
	done
	run_fail 1 "the key is another one" decrypt -t -k other src.enc &&
		run_fail 1 "has no key" decrypt -t -k src src.enc && rm out src.enc
}

# By another implementation of AES-GCM, from the manual's description.
test_the_format_is_that_of_the_manual() {
	python3 -c 'import cryptography' 2>/dev/null || return 4
	make_keys && make_file 1500000 && run_ok encrypt -k key -o src.enc src &&
		python3 - <<-'END' >out && cmp src out && rm out src.enc
			import struct, sys
			from cryptography.hazmat.primitives.ciphers.aead import AESGCM
			data = open("src.enc", "rb").read()
			header, rest = data[:32], data[32:]
			name, version, size = struct.unpack(">8sII", header[:16])
			assert (name, version, header[24:]) == (b"DOCA-GCM", 1, bytes(8))
			gcm, nr = AESGCM(open("key", "rb").read()), 0
			while rest:
			    chunk, rest = rest[:size + 16], rest[size + 16:]
			    sys.stdout.buffer.write(gcm.decrypt(
			        header[16:24] + struct.pack(">I", nr), chunk,
			        header + struct.pack(">QQ", nr, not rest)))
			    nr += 1
		END
}

test_changes_of_encrypted_files_are_noticed() {
	local chunk=$((524288 + 16))
	make_keys && make_file 1500000 && run_ok encrypt -k key -o a src || return
	cp a b && flip b 700000 &&
		run_fail 1 "damaged at byte $((32 + chunk)):" decrypt -k key -o out b || return
	head -c $((32 + 2 * chunk)) a >b &&
		run_fail 1 "byte $((32 + chunk)): .*the end is missing" decrypt -k key -o out b || return
	{ cat a; echo; } >b && run_fail 1 "the end is missing" decrypt -k key -o out b || return
	{ head -c 32 a; tail -c +$((33 + chunk)) a | head -c $chunk; tail -c +33 a; } >b &&
		run_fail 1 "damaged at byte 32:" decrypt -k key -o out b || return
	run_ok encrypt -k key -o c src &&
		{ head -c 32 a; tail -c +33 c; } >b &&
		run_fail 1 "damaged at byte 32:" decrypt -k key -o out b &&
		run_fail 1 "does not begin as" decrypt -k key -o out src && nothing_is_left &&
		rm a b c
}

# lose N+M: any M files, which come back as they were
lose() {
	local n=$1 lost kept=kept
	lost=$(shuf -i 0-$((${n%+*} + ${n#*+} - 1)) -n "${n#*+}")
	rm -rf $kept set.ec* && run_ok encode -n "$n" -o set src && mkdir $kept &&
		cp set.ec* $kept || return
	for i in $lost; do
		rm "set.ec$(printf %03d "$i")"
	done
	"$tool" recover -o - set 2>stderr | cmp - src && run_ok recover set &&
		run_ok recover -t set || return
	for i in "$kept"/*; do
		cmp "$i" "${i##*/}" || return
	done
}

test_lost_files_come_back() {
	local n size
	for size in 0 1 3000001; do
		make_file $size
		for n in 1+1 1+3 4+2; do
			lose $n || { echo "# $n of $size"; return 1; }
		done
	done
	lose 128+32 || return
	rm -r set.ec* kept
}

test_damaged_files_are_lost() {
	make_file 3000000 && run_ok encode -n 4+2 -m vandermonde -o set src &&
		cp set.ec003 kept && flip set.ec003 400000 && : >set.ec005 || return
	run_fail 1 "set.ec003: it was changed" recover -t set &&
		grep -q "set.ec005: it ends" stderr &&
		"$tool" recover -o - set 2>stderr | cmp - src &&
		run_ok recover set && cmp set.ec003 kept || return
	flip set.ec001 20 && rm set.ec004 && flip set.ec005 999 &&
		run_fail 1 "of 6 files 4 are needed, and 3 are good" recover -o out set &&
		grep -q "damaged: .ec001 .ec004 .ec005" stderr && nothing_is_left &&
		run_fail 1 "no file none.ec000" recover none && rm set.ec* kept
}

# Digests are right, but there is less data than the headers say.
test_a_length_that_is_made_up_is_noticed() {
	make_file 100000 && run_ok encode -n 2+1 -o set src && python3 - <<-'END' || return
		import hashlib, struct
		for i in range(3):
		    with open(f"set.ec{i:03}", "r+b") as f:
		        header = bytearray(f.read(64 + 3 * 32))
		        struct.pack_into(">Q", header, 24, 1 << 62)
		        f.seek(0)
		        f.write(header + hashlib.sha256(header).digest())
	END
	run_fail 1 "set.ec000: its chunks are not as many" recover -t set &&
		run_fail 1 "0 are good" recover -o out set && nothing_is_left && rm set.ec*
}

test_files_of_two_sets_are_not_mixed() {
	make_file 100000 && run_ok encode -n 3+2 -o set src && cp set.ec002 kept &&
		run_ok encode -f -n 3+2 -o set src && cp kept set.ec002 &&
		run_ok recover set && grep -q "ec002: it was written at another time" stderr &&
		! cmp -s kept set.ec002 && cp set.ec000 set.ec001 && run_ok recover set &&
		grep -q "ec001: its name is that of another" stderr && rm set.ec* kept
}

# Three of a set that needs four, beside all that another needs.
test_the_set_that_is_good_is_recovered() {
	make_file 100000 && run_ok encode -n 4+2 -o set src && rm set.ec000 set.ec001 set.ec002 &&
		make_file 50000 && run_ok encode -n 2+2 -o new src && mv new.ec000 set.ec000 &&
		mv new.ec001 set.ec001 && cp set.ec003 kept || return
	"$tool" recover -o - set 2>stderr | cmp - src &&
		grep -q "of another set, too, of which too few are good" stderr &&
		run_fail 1 "With -f they may be replaced" recover set && cmp kept set.ec003 &&
		[ ! -e set.ec002 ] && run_ok recover -f set && cmp new.ec003 set.ec003 &&
		run_ok recover -t set && rm set.ec* new.ec* kept
}

# Five of a set that needs six, none of which is in the way of another.
test_a_set_that_replaces_no_other_is_recovered() {
	make_file 100000 && run_ok encode -n 6+2 -o set src && cp set.ec003 kept &&
		rm set.ec000 set.ec001 set.ec002 && make_file 50000 &&
		run_ok encode -n 2+1 -o new src && cp new.ec000 set.ec000 &&
		cp new.ec001 set.ec001 && flip set.ec001 40000 && cp new.ec002 set.ec002 || return
	run_ok recover set && cmp new.ec001 set.ec001 && rm set.ec002 && run_ok recover set &&
		cmp new.ec002 set.ec002 && cmp kept set.ec003 && rm set.ec* new.ec* kept
}

# A socket cannot be opened, by root neither.
test_a_file_that_cannot_be_opened_is_told_once() {
	make_file 1000 && run_ok encode -n 2+2 -o set src && run_ok encode -n 2+2 -o new src &&
		mv new.ec001 set.ec001 && rm set.ec002 set.ec003 new.ec* && python3 - <<-'END' || return
		import socket
		socket.socket(socket.AF_UNIX).bind("set.ec002")
	END
	run_fail 1 "ec002: it could not be read" recover -t set &&
		[ "$(grep -c 'cannot read set.ec002' stderr)" -eq 1 ] && rm set.ec*
}

test_no_file_is_replaced_unasked() {
	make_file 1000 && echo old >src.gz || return
	run_fail 1 "src.gz exists" compress src && [ "$(cat src.gz)" = old ] &&
		run_ok compress -f src && gzip -dc src.gz | cmp - src || return
	echo old >set.ec001
	run_fail 1 "set.ec001 exists" encode -n 1+1 -o set src && [ ! -e set.ec000 ] &&
		rm set.ec001 src.gz
}

# Nobody may read a new file who may not read the one that it is made of.
test_private_files_stay_private() {
	(
		umask 022 && make_keys && make_file 1000 && chmod 640 src && run_ok compress src &&
			chmod 600 src && run_ok encrypt -k key -o src.enc src &&
			run_ok encode -n 1+1 -o set src || return
		[ "$(stat -c %a src.gz src.enc set.ec000 set.ec001 | tr '\n' ' ')" = \
			"640 600 600 600 " ] || return
		rm set.ec001 && run_ok recover set && run_ok recover -o out set &&
			[ "$(stat -c %a set.ec001 out | tr '\n' ' ')" = "600 600 " ] || return
		"$tool" compress -o more <src && [ "$(stat -c %a more)" = 600 ] &&
			rm src.gz src.enc set.ec* out more
	)
}

# To the output of another group, the group of the source is others.
test_a_group_that_may_not_read_is_none_of_others() {
	[ "$(id -u)" -eq 0 ] || return 4
	(
		umask 022 && make_file 1000 && chgrp 1 src && chmod 604 src && run_ok compress src &&
			[ "$(stat -c '%a %g' src.gz)" = "600 $(id -g)" ] && rm src.gz src
	)
}

# A new name is in its directory only when the directory was written, too.
test_names_are_made_durable() {
	local here
	here=$(pwd -P)
	command -v strace >/dev/null || return 4
	nm -D "$tool" 2>/dev/null | grep -q __asan && return 4
	make_file 1000
	strace -y -qq -e trace=linkat,fsync -o calls "$tool" encode -n 2+1 -o set src || return
	tail -1 calls | grep -q "^fsync([0-9]*<$here>) *= 0" && rm set.ec* || return
	strace -y -qq -e trace=linkat,fsync -o calls "$tool" compress src || return
	tail -1 calls | grep -q "^fsync([0-9]*<$here>) *= 0" && rm src.gz calls
}

# One that cannot be read cannot be synced by itself.
test_names_in_a_closed_directory_are_made_durable() {
	local without=()
	command -v strace >/dev/null || return 4
	nm -D "$tool" 2>/dev/null | grep -q __asan && return 4
	[ "$(id -u)" -ne 0 ] || without=(setpriv --bounding-set=-dac_override,-dac_read_search)
	make_file 1000 && mkdir -m 300 closed || return
	"${without[@]}" strace -qq -e trace=linkat,syncfs -o calls "$tool" compress \
		-o closed/src.gz src || return
	tail -1 calls | grep -q "^syncfs([0-9]*) *= 0" && chmod 700 closed && rm -r closed calls
}

# The name that appears meanwhile is another's.
test_a_file_that_appears_is_not_replaced() {
	start_on_pipe 1000000 compress -o out && echo new >out || return
	exec 5>&-
	wait "$running"
	[ $? -eq 1 ] && running= && grep -q "cannot write out: File exists" stderr &&
		[ "$(cat out)" = new ] && rm out
}

# Whether a file without a name can be made here: in an overlay of Linux 6.1 it cannot.
has_nameless() {
	python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)' 2>/dev/null
}

test_nothing_is_left_by_interruption() {
	local signal
	make_keys
	for signal in TERM $(has_nameless && echo KILL); do
		start_on_pipe 3000000 encrypt -k key -o out || return
		! end_running $signal && nothing_is_left || return
		start_on_pipe 3000000 encode -n 3+2 -o set - || return
		! end_running $signal && ! ls set.* 2>/dev/null || return
	done
}

# All that there was so far is written, and yet the end was not seen.
test_an_interruption_between_frames_is_a_failure() {
	command -v lz4 >/dev/null || return 4
	# The pipe takes the frame at once.
	make_file 10000 && lz4 -qc src >src.lz4 && start_on_pipe 0 decompress &&
		cat src.lz4 >&5 || return
	while [ "$(stat -c %s stdout)" -lt 10000 ]; do
		kill -0 "$running" || return
	done
	! end_running TERM && grep -q interrupted stderr && rm src.lz4
}

# For 64 MiB, and without a sanitizer, which takes more.
test_memory_is_bounded() {
	local how peak
	nm -D "$tool" 2>/dev/null | grep -q __asan && return 4
	make_keys
	for how in hash compress "encrypt -k key" "encode -n 4+2 -o set -"; do
		# shellcheck disable=SC2086
		start_on_pipe 67108864 $how || return
		peak=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$running/status)
		end_running TERM
		echo "# $how: $peak KiB"
		[ "$peak" -lt 16384 ] || return
	done
}

test_some_files_of_many_fail() {
	make_file 1000
	cp src more
	run_fail 1 "cannot read none" compress src none more && gzip -dc src.gz | cmp - src &&
		gzip -dc more.gz | cmp - src && rm src.gz more.gz || return
	"$tool" compress - more <src | gzip -dc | cmp - src && gzip -dc more.gz | cmp - more &&
		rm more.gz more
}

test_output_that_cannot_be_written() {
	make_file 3000000
	"$tool" compress <src >/dev/full 2>stderr
	[ $? -eq 1 ] && grep -q "standard output: No space" stderr &&
		run_fail 1 "No such file" compress -o none/out src &&
		run_fail 1 "not a regular file" compress -f -o /dev/null src
}

ktap_all
