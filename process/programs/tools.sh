#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tools, without the module and without privilege.

here=$(dirname "$(readlink -f "$0")")
. "$here/../../selftests/lib/ktap.sh"

late_server=${BUILD:-$here/../../build}/selftests/process/late_server.so
work=$(mktemp -d)
chmod 777 "$work"
trap 'rm -rf "$work"' EXIT

# As nobody, where root runs this and nobody can get at the programs.
as_user() {
	local nobody=65534
	if [ "$(id -u)" -eq 0 ] &&
		setpriv --reuid $nobody --regid $nobody --clear-groups doca_caps --version \
			>"$work/probe" 2>&1; then
		setpriv --reuid $nobody --regid $nobody --clear-groups "$@"
	else
		"$@"
	fi
}

test_caps_says_which_driver_it_is() {
	as_user doca_caps --drivers >"$work/out" &&
		grep -Eq '^ *driver +process$' "$work/out" &&
		as_user doca_caps --drivers --json | grep -q '"driver": *"process"'
}

test_there_are_two_devices() {
	as_user doca_caps --list-devs --json >"$work/out" &&
		python3 - "$work/out" <<-'END'
			import json, sys
			devs = json.load(open(sys.argv[1]))["rows"]
			assert [d["ibdev_name"] for d in devs][:2] == ["software", "software1"]
			assert [d["iface_name"] for d in devs][:2] == ["p0", "p1"]
			assert all(d["mac_addr"] is None for d in devs[:2])
		END
}

test_they_are_a_pair() {
	as_user doca_caps --list-rep-devs --json >"$work/out" &&
		python3 - "$work/out" <<-'END'
			import json, sys
			dpu, host = json.load(open(sys.argv[1]))["rows"][:2]
			rep, = dpu["representors"]
			assert dpu["pci_addr"] == "0000:03:00.0" and host["representors"] == []
			assert rep["pci_addr"] == host["pci_addr"] == "0000:b1:00.0"
			assert rep["vuid"] == "OPENDOCA-pair0" and rep["iface_name"] == "p1"
		END
}

test_a_file_is_copied_on_each_device() {
	local dev
	head -c 3000001 /dev/urandom >"$work/src" && chmod 644 "$work/src" || return
	for dev in 03:00.0 b1:00.0 software1; do
		rm -f "$work/dst"
		as_user doca_copy --dev $dev "$work/src" "$work/dst" >"$work/out" &&
			cmp "$work/src" "$work/dst" || return
	done
}

test_a_copy_of_a_private_file_is_private() {
	as_user sh -c 'umask 022 && head -c 1000 /dev/urandom >"$1" && chmod 600 "$1" &&
		doca_copy "$1" "$1.copy"' sh "$work/private" >"$work/out" &&
		[ "$(stat -c %a "$work/private.copy")" = 600 ] && rm -f "$work"/private*
}

# The copy is of more than 64 KiB, which is all the locked memory that containers have.
test_no_memory_is_locked() {
	rm -f "$work/dst"
	(ulimit -l 64 && as_user doca_copy "$work/src" "$work/dst" >"$work/out") &&
		cmp "$work/src" "$work/dst"
}

# As any user, and without locked memory.
test_a_file_is_copied_out_of_another_process() {
	chmod 644 "$work/src" &&
		as_user "$here/../../tools/demo.sh" "$work/src" >"$work/out" 2>&1 &&
		grep -q "demo: OK" "$work/out"
}

test_whose_exporter_has_ended_is_told() {
	local pid
	mkdir "$work/desc" && chmod 777 "$work/desc" || return
	doca_copy export "$work/src" --desc "$work/desc" >"$work/export" 2>&1 &
	pid=$!
	await_file "$work/desc/buffer.txt" $pid
	cp -r "$work/desc" "$work/stale"
	kill -9 $pid
	wait $pid 2>/dev/null
	doca_copy import --desc "$work/stale" --out "$work/import" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && [ ! -e "$work/import" ] &&
		grep -q "its process has ended" "$work/err"
}

test_an_exporter_leaves_nothing_where_others_met_it() {
	local pid code
	as_user mkdir -m 700 "$work/run" || return
	as_user env DOCA_RUNTIME_DIR="$work/run" doca_copy export "$work/src" \
		--desc "$work/once" --once >"$work/export" 2>&1 &
	pid=$!
	await_file "$work/once/buffer.txt" $pid
	ls "$work/run" | grep -q sock || return
	as_user env DOCA_RUNTIME_DIR="$work/run" doca_copy import --desc "$work/once" \
		--out "$work/met" >"$work/out" 2>&1
	code=$?
	wait $pid && [ $code -eq 0 ] && [ -z "$(ls -A "$work/run")" ] && return
	ls -A "$work/run"
	return 1
}

# Check which ways are measured, not how fast they are. A container may refuse
# process_vm_readv().
test_bench_measures_what_programs_get() {
	local way
	as_user doca_bench process --seconds 0.001 --runs 1 --csv - >"$work/out" 2>"$work/err" ||
		return
	for way in memcpy module doca_dma 'doca_dma, batches' 'doca_dma, import' \
		'doca_pe, import'; do
		grep -q ",\"$way\"," "$work/out" || {
			echo "no $way"
			return 1
		}
	done
	! as_user doca_bench throughput >"$work/out" 2>"$work/err" &&
		grep -q 'process' "$work/err"
}

# It is the driver that decides, by the CPUs that the thread has when it opens the device.
test_bench_has_the_worker_that_it_is_asked_for() {
	[ "$(nproc)" -gt 1 ] || return 4
	as_user env DOCA_WORKERS=1 DOCA_SDK_LOG_LEVEL=60 doca_bench process --seconds 0.001 \
		--runs 1 --csv - >"$work/out" 2>"$work/err" && grep -q 'has worker' "$work/out" "$work/err"
}

test_bench_measures_the_channel() {
	local way
	[ "$(nproc)" -gt 1 ] || return 4
	as_user doca_bench comch --seconds 0.001 --runs 1 --csv - >"$work/out" 2>"$work/err" ||
		return
	for way in trip,.socketpair trip,.doca_comch 'trip,.doca_comch, asleep' trip,.eventfd \
		send,.doca_dma send,.doca_comch; do
		grep -q "^$way\"," "$work/out" || {
			echo "no $way"
			return 1
		}
	done
}

# Whatever the server misses while it waits for a CPU, the last message has an answer.
test_bench_ends_a_channel_whose_server_is_late() {
	[ "$(nproc)" -gt 1 ] || return 4
	[ -e "$late_server" ] || return 4
	as_user env LD_PRELOAD="$late_server" doca_bench comch --seconds 0.001 --runs 1 \
		--csv - >"$work/out" 2>"$work/err" && grep -q "^held up [1-9]" "$work/err" || {
		sed "s/^/# /" "$work/err"
		return 1
	}
}

test_bench_measures_what_computes() {
	local way
	as_user doca_bench compute --seconds 0.001 --runs 1 --csv - >"$work/out" 2>"$work/err" ||
		return
	for way in sha256,.libcrypto sha256,.doca_sha deflate,.zlib inflate,.doca_compress \
		lz4,.doca_compress 'ec 8+2,.doca_ec' gcm,.doca_aes_gcm; do
		grep -q "^$way\"," "$work/out" || {
			echo "no $way"
			return 1
		}
	done
}

test_bench_goes_on_without_a_library() {
	mkdir -p "$work/broken" && : >"$work/broken/liblz4.so.1" &&
		as_user env LD_LIBRARY_PATH="$work/broken:${LD_LIBRARY_PATH:-}" doca_bench compute \
			--seconds 0.001 --runs 1 --csv - >"$work/out" 2>"$work/err" || return
	[ "$(grep -c "liblz4.so.1 with LZ4_decompress_safe() is not installed" "$work/err")" -eq 1 ] &&
		[ "$(grep -c '^lz4,"doca_compress"' "$work/out")" -eq 3 ] &&
		! grep -q '^lz4,"liblz4"' "$work/out"
}

test_who_asks_for_the_module_gets_no_other() {
	[ ! -e /dev/doca ] || return 4
	DOCA_DRIVER=kernel doca_caps >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "the module is not loaded" "$work/err"
}

test_who_asks_for_nothing_is_warned_once() {
	[ ! -e /dev/doca ] || return 4
	(unset DOCA_DRIVER && doca_copy "$work/src" "$work/dst") >"$work/out" 2>"$work/err" &&
		[ "$(wc -l <"$work/err")" -eq 1 ] &&
		grep -q "WRN.*in-process driver (no /dev/doca)" "$work/err"
}

test_an_unknown_word_is_refused() {
	DOCA_DRIVER=other doca_caps >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "none of auto, kernel and process" "$work/err"
}

ktap_all
