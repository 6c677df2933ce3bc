#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tools and samples as they are in a container: user 1000 without capabilities, in
# namespaces of its own, with 64 KiB of locked memory, 64 MiB of shared memory, and the
# system calls of process/driver/syscalls alone. Needs Debian's bubblewrap and
# python3-seccomp, and, for what containers may call, golang-github-containers-common.

self=$(realpath "$0")
here=$(dirname "$self")
top=$here/../..
build=${DOCA_BUILD:-${BUILD:-$top/build}}
profile=/usr/share/containers/seccomp.json
calls=$top/process/driver/syscalls
. "$here/../../selftests/lib/ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The folders of the test come last, for they may be in /tmp.
contain() {
	(ulimit -l 64 && bwrap --unshare-all --uid 1000 --gid 1000 --cap-drop ALL \
		--ro-bind / / --proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm \
		--tmpfs /tmp --ro-bind "$top" "$top" --ro-bind "$build" "$build" \
		--bind "$work" "$work" --die-with-parent \
		--setenv DOCA_DRIVER process --setenv DOCA_BUILD "$build" "$@")
}

confine() {
	contain "$here/confine" "$calls" "$@"
}

contain true 2>"$work/err" || ktap_skip_all "bwrap: $(head -n 1 "$work/err")"
/usr/bin/python3 -c 'import seccomp' 2>"$work/err" || ktap_skip_all "no python3-seccomp"

test_every_container_may_make_these_calls() {
	[ -e $profile ] || return 4
	"$here/confine" "$calls" --allowed $profile | sed 's/^/# not allowed: /' >"$work/out"
	cat "$work/out" && [ ! -s "$work/out" ]
}

test_other_calls_are_refused() {
	contain /bin/pwd >"$work/out" && ! confine /bin/pwd >"$work/out" 2>&1
}

test_the_container_has_what_containers_have() {
	contain sh -c 'id -u; ulimit -l; sed -n "s/^CapEff:\t*//p" /proc/self/status
		df --output=size /dev/shm | tail -n 1' | tr -s ' \n' ' ' >"$work/out"
	[ "$(cat "$work/out")" = "1000 64 0000000000000000 65536 " ]
}

test_caps_says_which_driver_it_is() {
	confine doca_caps --drivers >"$work/out" 2>"$work/err" &&
		grep -Eq '^ *driver +process$' "$work/out" && [ ! -s "$work/err" ]
}

test_a_file_is_copied() {
	local workers
	head -c 9000001 /dev/urandom >"$work/src" || return
	for workers in 0 1; do
		rm -f "$work/dst"
		DOCA_WORKERS=$workers confine doca_copy "$work/src" "$work/dst" \
			>"$work/out" && cmp "$work/src" "$work/dst" || return
	done
}

# The two programs of the demo, in one container.
test_a_file_is_copied_out_of_another_process() {
	# shellcheck disable=SC2016
	contain sh -c 'confine="$1/confine $2"
		$confine doca_copy export "$3/src" --desc "$3/desc" --once &
		until [ -e "$3/desc/buffer.txt" ]; do kill -0 $! || exit; sleep 0.1; done
		$confine doca_copy import --desc "$3/desc" --out "$3/import" && wait $!' \
		sh "$here" "$calls" "$work" >"$work/out" 2>&1 &&
		cmp "$work/src" "$work/import"
}

# Exporter and importer of which neither sees the other's processes and network.
# $1: what each gets of where to meet
copy_between_containers() {
	rm -rf "$work/desc" "$work/import"
	# shellcheck disable=SC2086
	contain $1 doca_copy export "$work/src" --desc "$work/desc" >"$work/export" 2>&1 &
	await_file "$work/desc/buffer.txt" $!
	# shellcheck disable=SC2086
	contain $1 doca_copy import --desc "$work/desc" --out "$work/import" \
		>"$work/out" 2>"$work/err"
	local code=$?
	kill $! && wait $! 2>/dev/null
	return $code
}

test_containers_that_share_a_directory_share_memory() {
	mkdir -m 700 "$work/run" || return
	copy_between_containers "--setenv DOCA_RUNTIME_DIR $work/run" &&
		cmp "$work/src" "$work/import"
}

test_containers_that_share_none_are_told() {
	! copy_between_containers "" && [ ! -e "$work/import" ] &&
		grep -q 'another container' "$work/err"
}

# The README's commands for containers run as they are written there; the exporter is left alone.
test_the_commands_of_the_readme_run() {
	sed -n '/^## Without the module/,/^## /s/^    //p' "$top/README.md" |
		sed '/^make/d; s/#.*//
			/ export /s,$, \& until [ -e /tmp/d/buffer.txt ]; do sleep 0.1; done,' \
			>"$work/readme"
	[ "$(wc -l <"$work/readme")" -eq 5 ] || return
	# shellcheck disable=SC2016
	contain sh -euc '. "$1"; cmp /etc/os-release /tmp/copy' sh "$work/readme" >"$work/out" 2>&1
}

test_samples_run() {
	contain --setenv DOCA_SAMPLES_UNDER "$here/confine $calls" \
		"$here/../../selftests/samples/samples.sh" >"$work/out" 2>&1 &&
		grep -q '^ok' "$work/out" && return
	grep -E '^(not ok|#)' "$work/out"
	return 1
}

# For changes of the list: some calls are other machines' names, or rare.
test_what_is_never_called_is_named() {
	command -v strace >/dev/null || return 4
	for program in "doca_copy $work/src $work/dst" "doca_caps"; do
		# shellcheck disable=SC2086
		DOCA_WORKERS=1 DOCA_DRIVER=process strace -f -qq -o "$work/strace" $program \
			>"$work/out" 2>&1 || return
		sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$work/strace"
	done | sort -u >"$work/called"
	grep -q mmap "$work/called" || return
	sed '/^#/d' "$calls" | tr -s ' ' '\n' | grep . | sort |
		comm -23 - "$work/called" | tr '\n' ' ' | sed 's/^/# not called by the tools: /'
	echo
}

ktap_all
