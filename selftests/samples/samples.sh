#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The samples run, each of which checks what it has done, and say so. They need root and
# the module, or DOCA_DRIVER=process. DOCA_SAMPLES_UNDER is a command that runs each of them.

self=$(realpath "$0")
here=$(dirname "$self")
build=${DOCA_BUILD:-$here/../../build}
built=$build/selftests/samples
. "$here/../lib/ktap.sh"

in_process() {
	[ "${DOCA_DRIVER:-}" = process ]
}

in_process || [ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
in_process || [ -c /dev/doca ] || ktap_skip_all "needs the driver"
[ -d "$built/pe_polling" ] || ktap_skip_all "needs the samples"

work=$(mktemp -d)
exporter=
trap 'end_exporter; rm -rf "$work"' EXIT
cd "$work" || exit 1

samples() {
	local dir
	for dir in "$built"/*/; do
		basename "$dir"
	done
}

show() {
	sed 's/^/# /' "$work/$1.out" "$work/$1.err"
	return 1
}

# A sample must succeed and print these words, and nothing on stderr but what matches
# $logged.
run_ok() {
	local name=$1 words=$2
	shift 2
	timeout 60 ${DOCA_SAMPLES_UNDER:-} "$built/$name/$name" "$@" > "$work/$name.out" \
		2> "$work/$name.err" < /dev/null &&
		grep -Eq -- "$words" "$work/$name.out" &&
		! grep -Evq -- "${logged:-^$}" "$work/$name.err" || show "$name"
}

# It must fail, and have these words on stderr.
run_fail() {
	local name=$1 words=$2 code
	shift 2
	timeout 60 ${DOCA_SAMPLES_UNDER:-} "$built/$name/$name" "$@" > "$work/$name.out" \
		2> "$work/$name.err" < /dev/null
	code=$?
	[ $code -eq 1 ] && grep -Eq -- "$words" "$work/$name.err" && return
	echo "# exit status $code of $name $*, or not '$words':"
	show "$name"
}

# An exporter, until its descriptor is there. It reads from a pipe, which is kept open.
start_exporter() {
	local name=$1
	shift
	rm -f "$work/pipe" "$work/desc"
	mkfifo "$work/pipe" && exec 5<> "$work/pipe" || return
	timeout 60 ${DOCA_SAMPLES_UNDER:-} "$built/$name/$name" -d "$work/desc" "$@" \
		> "$work/$name.out" 2> "$work/$name.err" < "$work/pipe" &
	exporter=$!
	await_file "$work/desc" $exporter || show "$name"
}

# It has done its work, says these words, and leaves no descriptor.
exporter_is_done() {
	local name=$1 words=$2
	echo >&5
	wait "$exporter" || show "$name" || return
	exporter=
	exec 5>&-
	grep -q "$words" "$work/$name.out" && [ ! -s "$work/$name.err" ] &&
		[ ! -e "$work/desc" ] || show "$name"
}

end_exporter() {
	[ -n "$exporter" ] || return 0
	kill "$exporter" 2> /dev/null
	wait "$exporter" 2> /dev/null
	exporter=
}

test_dma_local_copy() {
	run_ok dma_local_copy '^32 bytes: Copied by DMA$'
}

test_pe_polling() {
	run_ok pe_polling '^16 of 16 pieces are copied, after [0-9]+ looks$'
}

# Linked with the library, and with it once more by doca_dm.
test_device_memory() {
	[ -e /sys/class/infiniband/rxe0 ] || return 4
	run_ok device_memory '^rxe0 has [1-9][0-9]* bytes of device memory$' rxe0 &&
		grep -q 'reach its 8192 bytes: written by the CPU' \
			"$work/device_memory.out"
}

# lib/tests/onload.sh tests the data that they receive.
test_receivers_ask_for_onload() {
	run_fail zc_udp_receive "^run it as 'onload " &&
		run_fail zc_udp_kernel "^run it as 'onload "
}

# lib/tests and selftests/apsh test the rows that they print.
test_app_shield_asks_for_a_target() {
	run_fail apsh_ps 'doca_apsh target add' &&
		run_fail apsh_watch '^NONE: ' -u NONE -t 1 &&
		run_fail apsh_net '^NONE: ' --vuid NONE &&
		run_fail apsh_attest '^NONE: ' -u NONE -n 1 -e /nowhere
}

test_pe_event() {
	run_ok pe_event '^16 of 16 pieces are copied, after [0-9]+ waits$'
}

test_pe_async_stop() {
	run_ok pe_async_stop '^[0-9]+ tasks were done, [0-9]+ were flushed'
}

test_pe_multi_context() {
	run_ok pe_multi_context 'pieces are copied, the event has counted' ||
		return
	[ -d /sys/class/infiniband/rxe1 ] || return 0
	grep -q '^device 2 has copied 4 pieces$' "$work/pe_multi_context.out" &&
		grep -q '^12 pieces .* counted 12$' "$work/pe_multi_context.out"
}

test_pe_reactive() {
	run_ok pe_reactive '^64 of 64 pieces are copied, by 4 tasks'
}

test_pe_task_error() {
	local logged='\[ERR\].* failed: .*with it 58 more tasks'
	run_ok pe_task_error '^1 task failed, 58 were flushed, 59 submitted' &&
		grep -q '^piece 5: ' "$work/pe_task_error.out" &&
		[ "$(wc -l < "$work/pe_task_error.err")" -eq 1 ]
}

test_pe_task_resubmit() {
	run_ok pe_task_resubmit 'by 4 tasks, submitted again 12 times$'
}

test_pe_task_submit_ex() {
	run_ok pe_task_submit_ex \
		'^64 tasks were in flight, 64 of 64 pieces are copied$'
}

test_gcm_message() {
	local logged='\[WRN\].* failed: the data is not authentic; the context goes on$'
	run_ok gcm_message '^opened: to: Bob Meet me at the fountain\.$' &&
		grep -q '^changed: refused$' "$work/gcm_message.out"
}

# Files of no bytes, of parts alone, and of a part and more.
test_sha_file() {
	local size
	for size in 0 2097152 3000001; do
		head -c $size /dev/urandom > "$work/file"
		run_ok sha_file '^[0-9a-f]{64}  ' -f "$work/file" &&
			sha256sum --status -c "$work/sha_file.out" || return
	done
	run_fail sha_file 'No such file' -f "$work/none"
}

test_ec_lose_two() {
	run_ok ec_lose_two '^blocks 1 and 3 are back$'
}

test_compress_roundtrip() {
	local logged='\[WRN\].* failed: .*; the context goes on$'
	run_ok compress_roundtrip '^65536 bytes are [0-9]{3,4}, with the CRC-32 [0-9a-f]{8} ' &&
		grep -q '^back: as it was$' "$work/compress_roundtrip.out" &&
		grep -q '^cut off: refused$' "$work/compress_roundtrip.out"
}

test_graph_sha_dma() {
	run_ok graph_sha_dma "^$(printf abc | sha256sum | cut -c-64)  abc\$" -t abc
}

test_workq() {
	run_ok workq '^16 pieces are copied, at most 4 at a time$'
}

test_graph() {
	run_ok graph '^10 of 10 instances have compared'
}

test_dma_copy_host_and_dpu() {
	in_process && return 4 # no other process is reached
	start_exporter dma_copy_host -t "a text of the test's" &&
		run_ok dma_copy_dpu "^The host says: a text of the test's" \
			-d "$work/desc" &&
		exporter_is_done dma_copy_host "has come back"
}

test_sync_event_local_and_remote_pci() {
	in_process && return 4 # no other process is reached
	start_exporter sync_event_local_pci &&
		run_ok sync_event_remote_pci '^The value was 0, then 2$' \
			-d "$work/desc" &&
		exporter_is_done sync_event_local_pci "gone, with 3"
}

test_exporter_without_importer_fails() {
	start_exporter dma_copy_host || return
	echo >&5
	wait "$exporter" && return 1
	exporter=
	grep -q "has not come back" "$work/dma_copy_host.out"
}

test_descriptor_of_the_past_is_refused() {
	start_exporter dma_copy_host && cp "$work/desc" "$work/kept" || return
	end_exporter
	run_fail dma_copy_dpu '^import: ' -d "$work/kept" &&
		run_fail sync_event_remote_pci '^import: ' -d "$work/kept" &&
		run_fail dma_copy_dpu 'No such file' -d "$work/none"
}

test_device_by_address() {
	local name address
	address=$(readlink -f /sys/class/net/eth1/device/..) || return 4
	address=$(basename "$address")
	for name in pe_polling pe_multi_context; do
		run_ok $name 'pieces are copied' -p "${address#0000:}" &&
			run_ok $name 'pieces are copied' \
				--pci-addr 0000:03:00.0 || return
	done
}

test_wrong_addresses_are_refused() {
	run_fail pe_polling '^the arguments: ' -p &&
		run_fail pe_polling '^the arguments: ' -p 0000:03:00.00 &&
		run_fail pe_polling '^03:00: ' -p 03:00 &&
		run_fail pe_polling 'a device that can do this' -p 04:00.7
}

test_all_have_help_and_refuse_other_arguments() {
	local name
	for name in $(samples); do
		case $name in
		device_memory | zc_udp_*) continue ;; # have none of DOCA's flags
		esac
		run_ok "$name" '-p, --pci-addr' --help &&
			run_fail "$name" '^the arguments: ' --no-such-flag &&
			run_fail "$name" '^the arguments: ' no_such_command ||
			return
	done
}

# Those that were built alone, those that were built together, and the tests.
test_all_are_built_and_tested() {
	local name
	for name in $(samples); do
		[ -x "$build/samples/$name" ] &&
			grep -Eq "(run_ok|run_fail|start_exporter|run_pair) $name( |$)" \
				"$self" "$here/pairs.sh" "$here/rdma.sh" &&
			continue
		echo "# $name is not in samples/meson.build, or has no test"
		return 1
	done
}

# Pages that are pinned; the counters are kept per CPU until they are refreshed.
pins_held() {
	echo 1 > /proc/sys/vm/stat_refresh
	awk '/^nr_foll_pin_acquired/ { a = $2 }
		/^nr_foll_pin_released/ { r = $2 } END { print a - r }' \
		/proc/vmstat
}

pins_are_as_before() {
	[ "$(pins_held)" -eq "$pinned_before" ]
}

# Unpinning is deferred.
test_nothing_stays_pinned() {
	in_process && return 4 # nothing is pinned
	await pins_are_as_before && return
	echo "# $pinned_before pages were pinned, now $(pins_held)"
	return 1
}

in_process || pinned_before=$(pins_held)

tests=$(compgen -A function test_ | grep -v nothing_stays)
ktap_plan $(($(echo "$tests" | wc -l) + 1))
for test in $tests test_nothing_stays_pinned; do
	ktap_test "${test#test_}" "$test"
	end_exporter
done
ktap_end
