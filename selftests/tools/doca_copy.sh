#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of doca_copy, and of the demo. They need root and the driver.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

demo=$here/../../tools/demo.sh
nobody=65534
exporter=
trap 'stop_export KILL; rm -rf "$work"' EXIT

[ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
[ -c /dev/doca ] || ktap_skip_all "needs the driver"
tool_find doca_copy

# Findings of a sanitizer are no expected failure.
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99}

make_file() {
	head -c "$1" /dev/urandom > "$work/src"
}

same() {
	cmp "$work/src" "$work/dst" && ! ls "$work"/dst.*.tmp 2> /dev/null
}

start_export() {
	rm -rf "$work/d"
	"$tool" export "$work/src" --desc "$work/d" "$@" > "$work/exporter" \
		2>&1 &
	exporter=$!
	for _ in $(seq 300); do
		[ -e "$work/d/buffer.txt" ] && return
		kill -0 $exporter 2> /dev/null || return 1
		sleep 0.1
	done
	return 1
}

stop_export() {
	local code
	[ -n "$exporter" ] || return 0
	kill -"${1:-TERM}" "$exporter" 2> /dev/null
	wait "$exporter" 2> /dev/null
	code=$?
	exporter=
	return $code
}

import() {
	rm -f "$work/dst"
	run_ok import --desc "$work/d" --out "$work/dst" "$@" && same
}

# It fails with these words and leaves nothing.
import_fails() {
	local words=$1
	shift
	rm -f "$work/dst"
	run_fail 1 "$words" import --desc "$work/d" --out "$work/dst" "$@" &&
		! ls "$work"/dst* 2> /dev/null
}

# Where the file system has files without a name, the output is one until the end.
has_output() {
	ls -l "/proc/$1/fd" 2> /dev/null | grep -Eq "$work/(#.*deleted|dst)"
}

# A slow import, until it is at work. Its process is $importer.
start_slow_import() {
	rm -f "$work/dst"
	"$tool" import --desc "$work/d" --out "$work/dst" --chunk 64 \
		--depth 1 2> "$work/stderr" &
	importer=$!
	for _ in $(seq 300); do
		has_output "$importer" && break
		sleep 0.1
	done
	sleep 0.1
}

as_user() {
	setpriv --reuid $nobody --regid "$(stat -c %g /dev/doca)" --clear-groups \
		--inh-caps=-all --bounding-set=-all "$@"
}

test_usage() {
	local words
	words="Try 'doca_copy --help'"
	run_fail 2 "$words" import f --desc d --out f &&
		run_fail 2 "$words" export a --desc d --depth 2 &&
		run_fail 2 "$words" a b --once
}

test_sizes_in_one_process() {
	local size
	for size in 0 1 4095 4096 262143 262144 262145 2097152 5000001; do
		make_file $size
		rm -f "$work/dst"
		run_ok "$work/src" "$work/dst" && same || return
	done
}

test_sizes_between_processes() {
	local size
	for size in 0 1 4096 262145 5000001; do
		make_file $size
		start_export && import && stop_export || return
	done
}

test_chunks_and_depths() {
	local how
	make_file 3000001
	start_export || return
	for how in "4095 65535" "64K 3" "1M 1" "4095M 32"; do
		import --chunk "${how% *}" --depth "${how#* }" || return
		run_ok "$work/src" "$work/dst" --chunk "${how% *}" \
			--depth "${how#* }" && same || return
	done
	stop_export
}

test_devices() {
	local dev
	make_file 100000
	run_fail 1 "no device 'no_such'" "$work/src" "$work/dst" --dev no_such ||
		return
	if [ -d /sys/class/infiniband/rxe0 ]; then
		for dev in rxe0 03:00.0 0000:03:00.0; do
			run_ok "$work/src" "$work/dst" --dev $dev && same ||
				return
		done
	fi
}

test_file_changed_after_export() {
	make_file 100000
	cp "$work/src" "$work/kept"
	start_export || return
	make_file 50
	rm -f "$work/dst"
	run_ok import --desc "$work/d" --out "$work/dst" &&
		cmp "$work/kept" "$work/dst" && stop_export
}

test_other_digest_is_refused() {
	make_file 100000
	start_export || return
	sed -i "s/^sha256: .*/sha256: $(sha256sum < /dev/null | cut -c-64)/" \
		"$work/d/buffer.txt"
	import_fails "not what was exported" && stop_export
}

test_failure_keeps_old_file() {
	make_file 100000
	start_export || return
	sed -i "s/^sha256: .*/sha256: $(sha256sum < /dev/null | cut -c-64)/" \
		"$work/d/buffer.txt"
	echo old > "$work/dst"
	run_fail 1 "not kept" import --desc "$work/d" --out "$work/dst" &&
		[ "$(cat "$work/dst")" = old ] && stop_export
}

test_altered_buffer_text() {
	local edit
	make_file 100000
	start_export || return
	cp "$work/d/buffer.txt" "$work/kept"
	for edit in 's/^length: 1/length: 2/' 's/^length: .*/length: -1/' \
		's/^length: .*/length: 99999999999999999999/' \
		's/^address: 0x/address: 0x1/' '/^sha256/d' 's/^version: 1/&9/' \
		's/^sha256: ./sha256: z/' '$aversion: 1' '$anonsense' \
		's/^file: .*/file: \x1b[2J/' 's/^file: .*/file: /'; do
		sed "$edit" "$work/kept" > "$work/d/buffer.txt"
		import_fails . && ! grep -q $'\e' "$work/stderr" || return
	done
	head -c 100000 /dev/zero > "$work/d/buffer.txt"
	import_fails "File too large" || return
	rm "$work/d/buffer.txt" && mkfifo "$work/d/buffer.txt"
	import_fails . || return
	rm "$work/d/buffer.txt"
	import_fails "Nothing is exported there" && stop_export
}

test_replay() {
	local signal
	for signal in TERM KILL; do
		make_file 100000
		start_export || return
		cp -r "$work/d" "$work/replay"
		stop_export $signal
		rm -rf "$work/d"
		mv "$work/replay" "$work/d"
		import_fails "exporter has ended" || return
	done
	# Files that a killed one has left are no obstacle.
	start_export && import && stop_export
}

test_exporter_ends_during_import() {
	local signal
	make_file 20000000
	for signal in TERM KILL; do
		start_export && start_slow_import || return
		stop_export $signal
		if wait "$importer"; then
			echo "# the import was too fast to be interrupted"
			return 1
		fi
		grep -q "copying failed" "$work/stderr" &&
			! ls "$work"/dst* 2> /dev/null || return
	done
}

test_interrupted_import() {
	make_file 20000000
	start_export && start_slow_import || return
	kill -TERM "$importer"
	! wait "$importer" && grep -q interrupted "$work/stderr" &&
		! ls "$work"/dst* 2> /dev/null && stop_export
}

test_end_of_exporter() {
	make_file 1000
	start_export && stop_export TERM &&
		[ -z "$(ls -A "$work/d")" ] || return
	start_export --once || return
	if stop_export TERM; then
		echo "# --once succeeded without an import"
		return 1
	fi
	start_export --once || return
	rm -r "$work/d"
	if wait "$exporter"; then
		echo "# --once succeeded without a descriptor"
		return 1
	fi
	start_export --once && import && wait "$exporter" || return
	exporter=
	[ -z "$(ls -A "$work/d")" ]
}

test_one_exporter_a_directory() {
	make_file 1000
	start_export || return
	run_fail 1 "another doca_copy exports" export "$work/src" \
		--desc "$work/d" && import && stop_export
}

test_other_user() {
	make_file 100000
	start_export || return
	[ "$(stat -c %a "$work/d/export.desc")" = 600 ] || return
	chmod 755 "$work/d"
	chmod 644 "$work"/d/*
	mkdir -m 777 "$work/open"
	as_user "$tool" import --desc "$work/d" --out "$work/open/dst" \
		2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "any-user" "$work/stderr" &&
		[ -z "$(ls -A "$work/open")" ] && stop_export || return
	start_export --any-user --once &&
		as_user "$tool" import --desc "$work/d" --out "$work/open/dst" \
			> /dev/null && cmp "$work/src" "$work/open/dst" &&
		wait "$exporter" || return
	exporter=
	rm -r "$work/open"
}

test_memory_limit() {
	make_file 4000000
	mkdir -m 777 "$work/open"
	as_user sh -c "ulimit -l 1024; exec $tool export $work/src \
		--desc $work/open/d" 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "RLIMIT_MEMLOCK is 1 MiB" "$work/stderr" &&
		grep -q "ulimit -l" "$work/stderr" && rm -r "$work/open"
}

test_bad_files() {
	make_file 2000000
	run_fail 1 "No such file" "$work/none" "$work/dst" &&
		run_fail 1 "not a regular file" "$work" "$work/dst" &&
		run_fail 1 "not a regular file" /dev/zero "$work/dst" &&
		run_fail 1 "how long it is" /proc/cpuinfo "$work/dst" &&
		run_fail 1 "not a regular file" "$work/src" /dev/null &&
		run_fail 1 "not a regular file" "$work/src" "$work" &&
		run_fail 1 "No such file" "$work/src" "$work/none/dst" &&
		run_fail 1 "No such file" export "$work/src" \
			--desc "$work/none/d" &&
		run_fail 1 "Not a directory" export "$work/src" \
			--desc "$work/src/d" &&
		run_fail 1 . export "$work/src" --desc "$work/src" &&
		run_fail 1 "No such file" import --desc "$work/none" \
			--out "$work/dst" || return
	truncate -s 100T "$work/huge" || return
	run_fail 1 "of memory are available" export "$work/huge" \
		--desc "$work/d2" || return
	rm "$work/huge"
	mkdir "$work/small" && mount -t tmpfs -o size=1m tmpfs "$work/small" &&
		run_fail 1 "No space" "$work/src" "$work/small/dst" &&
		[ -z "$(ls -A "$work/small")" ]
	local result=$?
	umount "$work/small"
	return $result
}

test_destination_is_link() {
	make_file 1000
	echo old > "$work/target"
	ln -sf target "$work/dst"
	run_ok "$work/src" "$work/dst" && [ -L "$work/dst" ] &&
		cmp "$work/src" "$work/target"
	local result=$?
	rm "$work/dst" "$work/target"
	[ $result -eq 0 ] && ln -s target "$work/dst" &&
		run_fail 1 "symbolic link" "$work/src" "$work/dst" &&
		[ -L "$work/dst" ] && rm "$work/dst"
}

test_permissions() {
	make_file 1000
	rm -f "$work/dst"
	(umask 027 && run_ok "$work/src" "$work/dst") && same &&
		[ "$(stat -c %a "$work/dst")" = 640 ] || return
	chmod 600 "$work/dst" && chown $nobody "$work/dst"
	run_ok "$work/src" "$work/dst" && same &&
		[ "$(stat -c '%a %u' "$work/dst")" = "600 $nobody" ] &&
		rm "$work/dst" && chmod 600 "$work/src" || return
	(umask 022 && run_ok "$work/src" "$work/dst") && same &&
		[ "$(stat -c %a "$work/dst")" = 600 ] && rm "$work/dst" &&
		chmod 644 "$work/src"
}

# A user that cannot give a file away opens it to no other user either.
test_permissions_of_others_files() {
	local group shared=$work/shared
	group=$(stat -c %g /dev/doca)
	make_file 1000
	mkdir -m 777 "$shared" && echo old > "$shared/dst" || return
	chown 0:1 "$shared/dst" && chmod 664 "$shared/dst"
	as_user "$tool" "$work/src" "$shared/dst" > "$work/stderr" 2>&1 &&
		cmp "$work/src" "$shared/dst" &&
		[ "$(stat -c '%a %u %g' "$shared/dst")" = \
			"644 $nobody $group" ] || return
	chown "0:$group" "$shared/dst" && chmod 660 "$shared/dst"
	as_user "$tool" "$work/src" "$shared/dst" > "$work/stderr" 2>&1 &&
		[ "$(stat -c '%a %u %g' "$shared/dst")" = \
			"660 $nobody $group" ] && rm -r "$shared"
}

test_no_room_to_write() {
	make_file 100000
	rm -f "$work/dst"
	(ulimit -f 50 && run_fail 1 "File too large" "$work/src" "$work/dst") &&
		! ls "$work"/dst* 2> /dev/null || return
	"$tool" "$work/src" "$work/dst" > /dev/full 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "standard output" "$work/stderr"
}

test_demo() {
	make_file 1000000
	FILE=$work/src DEV=$first_dev DOCA_COPY=$tool "$demo" \
		> "$work/stdout" 2>&1 && grep -q "demo: OK" "$work/stdout"
}

# Behind the tool's back: its own check has passed, the demo's must not.
test_demo_sees_flipped_byte() {
	make_file 1000000
	cat > "$work/flip" << END
#!/bin/sh
"$tool" "\$@" || exit
[ "\$1" = import ] || exit 0
for last; do [ "\$before" = --out ] && out=\$last; before=\$last; done
byte=\$(od -An -tu1 -j 500000 -N 1 "\$out")
printf "\\\\\$(printf %o \$((byte ^ 1)))" |
	dd of="\$out" bs=1 seek=500000 conv=notrunc status=none
END
	chmod +x "$work/flip"
	! FILE=$work/src DEV=$first_dev DOCA_COPY=$work/flip "$demo" \
		> "$work/stdout" 2>&1 &&
		grep -q "differs from the source" "$work/stdout"
}

# Pages that are pinned; the counters are kept per CPU until they are refreshed.
pins_held() {
	echo 1 >/proc/sys/vm/stat_refresh
	awk '/^nr_foll_pin_acquired/ { a = $2 }
		/^nr_foll_pin_released/ { r = $2 } END { print a - r }' \
		/proc/vmstat
}

# Unpinning is deferred.
test_nothing_stays_pinned() {
	for _ in $(seq 20); do
		[ "$(pins_held)" -eq "$pinned_before" ] && return
		sleep 0.1
	done
	echo "# $pinned_before pages were pinned, now $(pins_held)"
	return 1
}

first_dev=03:00.0
[ -d /sys/class/infiniband/rxe0 ] || first_dev=software
pinned_before=$(pins_held)

tests=$(compgen -A function test_ | grep -v nothing_stays)
ktap_plan $(($(echo "$tests" | wc -l) + 1))
for test in $tests test_nothing_stays_pinned; do
	ktap_test "${test#test_}" $test
	stop_export KILL
done
ktap_end
