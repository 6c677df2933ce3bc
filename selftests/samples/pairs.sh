#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Samples with two sides, each of which is a process. With the module this needs root,
# which pairs devices with RDMA and without; the samples are run by another user. With
# DOCA_DRIVER=process the caller runs them, and there is a pair.

here=$(dirname "$(realpath "$0")")
top=$here/../..
build=$(realpath "${DOCA_BUILD:-$top/build}")
built=$build/selftests/samples
. "$here/../lib/ktap.sh"

in_process() {
	[ "${DOCA_DRIVER:-}" = process ]
}

in_process || [ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
in_process || [ -c /dev/doca ] || ktap_skip_all "needs the driver"
[ -d "$built/comch_ping" ] || ktap_skip_all "needs the samples"

work=$(mktemp -d)
chmod 777 "$work"
trap 'end_dpu; in_process || with_rdma; rm -rf "$work"' EXIT
dpu=
# No test depends on how fast a server is there.
export DOCA_COMCH_CONNECT_MS=600000
# Other runs of this script by the same user have the same names of servers.
mkdir -m 700 "$work/names"
! in_process || export DOCA_RUNTIME_DIR=$work/names
head -c 700001 /dev/urandom > "$work/file"

# In a process that becomes one side of a sample.
exec_side() {
	local name=$1
	shift
	exec_as_user "$built/$name/$name" "$@"
}

exec_as_user() {
	in_process || set -- setpriv --reuid 1000 --regid "$(stat -c %g /dev/doca)" \
		--clear-groups --inh-caps=-all --bounding-set=-all "$@"
	exec "$@" < /dev/null
}

host() {
	(exec_side "$1" host "${@:2}" > "$work/host.out" 2> "$work/host.err")
}

start_dpu() {
	(exec_side "$1" dpu "${@:2}" > "$work/dpu.out" 2> "$work/dpu.err") &
	dpu=$!
}

end_dpu() {
	[ -n "$dpu" ] || return 0
	kill "$dpu" 2> /dev/null
	wait "$dpu" 2> /dev/null
	dpu=
}

show() {
	echo "# not as it should be: $*"
	for side in dpu host; do
		sed "s/^/# $side: /" "$work/$side.out" "$work/$side.err"
	done
	return 1
}

# The DPU's side has succeeded, both have printed these words, and logged nothing.
both_are_right() {
	local result
	wait "$dpu"
	result=$?
	dpu=
	[ $result -eq 0 ] && grep -Eq -- "$1" "$work/dpu.out" &&
		grep -Eq -- "$2" "$work/host.out" &&
		! [ -s "$work/dpu.err" ] && ! [ -s "$work/host.err" ]
}

# $1: sample, $2 and $3: words of the DPU's side and the host's; $dpu_flags, $host_flags
run_pair() {
	# words on purpose
	# shellcheck disable=SC2086
	start_dpu "$1" ${dpu_flags:-}
	# shellcheck disable=SC2086
	host "$1" ${host_flags:-} && both_are_right "$2" "$3" || show "$1"
}

test_comch_ping() {
	run_pair comch_ping '^The host says: ping 3$' '^The DPU answers: ping 3$'
}

test_by_the_addresses_that_programs_have() {
	local answered='^3 of 3 messages were answered$'
	dpu_flags="-p 03:00.0 -r b1:00.0" host_flags="-p 0000:b1:00.0" \
		run_pair comch_ping "$answered" "$answered"
}

test_comch_stream() {
	dpu_flags="-f $work/streamed" host_flags="-f $work/file" run_pair comch_stream \
		'^700001 bytes have come$' '^700001 of 700001 bytes .* right$' &&
		cmp "$work/file" "$work/streamed"
}

test_dma_pair() {
	dpu_flags="-f $work/copied" host_flags="-f $work/file" run_pair dma_pair \
		'^700001 bytes were copied$' '^700001 of 700001 bytes .* right$' &&
		cmp "$work/file" "$work/copied"
}

test_sync_event_pair() {
	local modes
	for modes in calls:tasks tasks:calls; do
		dpu_flags="-m ${modes%:*}" host_flags="-m ${modes#*:}" run_pair sync_event_pair \
			'^It was 0, and the host has made it 10$' \
			'^The DPU has made it 1, then 15$' || return
	done
}

test_without_its_server_a_client_says_so() {
	DOCA_COMCH_CONNECT_MS=0 host comch_ping && return 1
	grep -q 'there was no server "comch_ping"' "$work/host.err" &&
		grep -q '^the server: not connected' "$work/host.err" || show comch_ping
}

# Commands of the README's section, without its remarks.
commands() {
	sed -n '/^## A host and its DPU$/,/^## [^A]/s/^    \([^#]*[^# ]\).*/\1/p' "$top/README.md"
}

# As a user does it: root's, the DPU's in another terminal, and those that end by themselves.
follow() {
	case $1 in
	"make demo-pair") BUILD=$build FILE=$work/file "$top/tools/demo-pair.sh" ;;
	"make "*) ;; # has been done
	sudo*) in_process || ${1#sudo} ;;
	*\ dpu*)
		(exec_as_user bash -c "exec $1" > "$work/dpu.out" 2> "$work/dpu.err") &
		dpu=$!
		;;
	*\ host*)
		(exec_as_user bash -c "exec $1" > "$work/host.out" 2> "$work/host.err") &&
			both_are_right '' '' || show "$1"
		;;
	*) (exec_as_user bash -c "exec $1") > "$work/out" ;;
	esac
}

test_what_the_readme_says() {
	local line folder=$work/tree
	[ -x "$build/samples/comch_ping" ] || return 4
	[ "$(cat /sys/module/doca/parameters/workers 2> /dev/null)" != N ] || return 4 # no news
	mkdir -p "$folder" && ln -sfn "$build" "$folder/build" && cd "$folder" ||
		return
	in_process || without_pair
	rm -f /tmp/stream /tmp/copy # they may be another user's
	[ "$(commands | grep -c ' host')" -eq 4 ] && while read -r line; do
		follow "$line" > "$work/followed" 2>&1 && continue
		echo "# '$line' has failed:"
		sed 's/^/# /' "$work/followed"
		return 1
	done < <(commands)
}

test_without_a_pair_a_side_says_so() {
	in_process && return 4 # there is always one
	without_pair
	host comch_ping && return 1
	grep -q "'docactl pair add'" "$work/host.err" || show comch_ping
}

with_pair() {
	in_process || docactl pair show | grep -q ^pair0 || docactl pair add
}

without_pair() {
	docactl pair del pair0 2> /dev/null
	return 0
}

# Software devices take the addresses that soft-RoCE's leave. These come back in the end.
without_rdma() {
	local dir name
	without_pair
	for dir in /sys/class/infiniband/rxe*; do
		[ -e "$dir" ] || continue
		name=$(basename "$dir")
		echo "$name $(cat "$dir/parent")" >> "$work/removed"
		rdma link delete "$name" || return
	done
}

with_rdma() {
	local name netdev
	without_pair
	[ -e "$work/removed" ] || return 0
	while read -r name netdev; do
		rdma link add "$name" type rxe netdev "$netdev" || return
	done < "$work/removed"
	rm "$work/removed"
}

# $1: end of their names
run_tests() {
	local suffix=$1 test
	shift
	for test; do
		with_pair
		ktap_test "${test#test_}$suffix" "$test"
		end_dpu
	done
}

mapfile -t all < <(compgen -A function test_)
samples=(test_comch_ping test_comch_stream test_dma_pair test_sync_event_pair)
if in_process || [ ! -d /sys/class/infiniband/rxe1 ]; then
	ktap_plan ${#all[@]}
	run_tests "" "${all[@]}"
else
	ktap_plan $((${#all[@]} + ${#samples[@]} + 2))
	run_tests "" "${all[@]}"
	ktap_test devices_without_rdma without_rdma
	run_tests _without_rdma "${samples[@]}"
	ktap_test devices_with_rdma with_rdma
fi
ktap_end
