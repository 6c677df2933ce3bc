#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# doca_apsh_map, where what it reads is hostile: it says so, and ends. No driver is needed.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tool_find doca_apsh_map
program=$tool
patience=$((120 * ${DOCA_TEST_PATIENCE:-1})) # seconds until something hangs

make() {
	"$here/apsh_map_hostile.py" "$@"
}

make kallsyms "$work/kallsyms"
echo 'Linux version 6.1.0-hostile (somebody)' > "$work/banner"
parts=(--btf "$work/btf" --kallsyms "$work/kallsyms" --banner "$work/banner")

test_arrays_of_themselves() {
	make btf array_of_itself "$work/btf" &&
		run_fail 1 "array of the BTF is of itself" symbols "${parts[@]}" &&
		make btf arrays_of_each_other "$work/btf" &&
		run_fail 1 "array of the BTF is of itself" symbols "${parts[@]}"
}

test_a_value_without_a_name() {
	make btf value_without_name "$work/btf" &&
		run_fail 1 "value of type 1 of the BTF has no name" symbols "${parts[@]}"
}

# As many as there can be, all at the same place.
test_members_without_names() {
	make btf members_without_names "$work/btf" || return
	(
		ulimit -t $patience
		"$tool" symbols "${parts[@]}" -o "$work/map.json"
	) || { echo "# exit code $?"; return 1; }
	[ "$(grep -o '"unnamed_field_0[_0-9]*"' "$work/map.json" | sort -u | wc -l)" -eq 65534 ]
}

# It would be the name of a file, which is printed.
test_a_release_with_escape_sequences() {
	make btf plain "$work/btf" && mkdir "$work/here" && cd "$work/here" || return
	run_ok symbols "${parts[@]}" && [ -s linux-6.1.0-hostile.json ] || return
	rm linux-* && printf 'Linux version 6.1\033[2J\007 (somebody)\n' > "$work/escapes"
	run_fail 1 "release .* not printable" symbols "${parts[@]}" --banner "$work/escapes" &&
		[ -z "$(ls)" ] && ! grep -q $'\033' "$work/stderr" || return
	run_ok symbols "${parts[@]}" --banner "$work/escapes" -o map.json
}

test_messages_have_no_escape_sequences() {
	run_fail 1 'cannot open /nowhere/\\x1b\[2J\\xc3\\xa4:' hash -f $'/nowhere/\033[2J\303\244'
}

# The user that runs this; another, if that is root, which may not open what is mapped.
this_user() {
	timeout $patience "$program" "$@"
}

plain_user() {
	timeout $patience "${plain[@]}" "$program" "$@"
}

plain=()
[ "$(id -u)" -ne 0 ] || plain=(setpriv --reuid 65534 --regid 65534 --clear-groups)

# A process of the plain user, $pid, whose root is $jail.
start_in_container() {
	jail=$work/${FUNCNAME[1]}
	command -v bwrap busybox > /dev/null && mkdir "$jail" &&
		cp "$(command -v busybox)" "$jail/busybox" && : > "$jail.pid" || return 4
	"${plain[@]}" bwrap --unshare-user --bind "$jail" / \
		/busybox sh -c 'echo $$; exec /busybox sleep 600' > "$jail.pid" &
	await has_become_busybox $! && kill -0 $! 2> /dev/null || return 4
}

# As long as bwrap, the process $1, is there.
has_become_busybox() {
	pid=$(cat "$jail.pid")
	{ [ -n "$pid" ] && [ "$(tr '\0' ' ' < "/proc/$pid/cmdline")" = "/busybox sleep 600 " ]; } ||
		! kill -0 "$1"
}

is_limited() {
	grep -q '^Max cpu time *60 ' "/proc/$1/limits" || ! kill -0 "$1"
}

# The limit is 60 s, or what the caller sets.
test_memory_that_takes_long() {
	local limited=no
	make long "$work/memory" || return
	"$program" symbols --from-memory "$work/memory" -o "$work/map.json" &
	await is_limited $! && kill $! && limited=yes
	[ $limited = yes ] || { echo "# time is not limited"; return 1; }
	(
		ulimit -S -t 2
		tool=this_user run_fail 1 "no map of .*/memory was made within 2 s" symbols \
			--from-memory "$work/memory" -o "$work/map.json"
	)
}

# It would be 2.5 GiB. AddressSanitizer needs more than any limit.
test_memory_that_takes_much() {
	! grep -q __asan_init "$program" || return 4
	make much "$work/memory" &&
		tool=this_user run_fail 1 "out of memory" symbols --from-memory "$work/memory"
}

test_parts_of_a_file_that_overlap() {
	local load=1 note=4
	make elf $load "$work/elf" &&
		tool=this_user run_fail 1 "is damaged: its parts overlap" hash -f "$work/elf" &&
		make elf $note "$work/elf" && tool=this_user run_ok hash -f "$work/elf"
}

# The process's executable is called so when it is no longer there.
deleted="busybox (deleted)"

test_a_process_in_a_container() {
	start_in_container || return
	tool=this_user run_ok hash --pid "$pid" &&
		grep -q '"path":"\\/busybox"' "$work/stdout" && cp "$work/stdout" "$work/this" &&
		tool=plain_user run_ok hash --pid "$pid" && cmp "$work/this" "$work/stdout"
	local ret=$?
	kill "$pid"
	return $ret
}

# To a file that is not in the container.
test_a_container_that_leads_elsewhere() {
	start_in_container || return
	rm "$jail/busybox" && ln -s "$(realpath /bin/true)" "$jail/$deleted" &&
		tool=this_user run_fail 1 "$deleted" hash --pid "$pid" &&
		tool=plain_user run_fail 1 "cannot open /$deleted" hash --pid "$pid"
	local ret=$?
	kill "$pid"
	return $ret
}

# To a file for which nobody writes.
test_a_container_that_blocks() {
	start_in_container || return
	rm "$jail/busybox" && mkfifo "$jail/$deleted" &&
		tool=this_user run_fail 1 "$deleted" hash --pid "$pid" &&
		tool=plain_user run_fail 1 "$deleted.* is no regular file" hash --pid "$pid"
	local ret=$?
	kill "$pid"
	return $ret
}

ktap_all
