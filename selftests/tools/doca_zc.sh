#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Zero-copy receive between two network namespaces: through the kernel and past it, what
# doca_zc(1) says of it, and what is left when the receiver ends in any way.
#
#   DOCA_ZC_COUNT   datagrams of a run (default: 300)

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/module.sh"
. "$here/../lib/tool.sh"

count=${DOCA_ZC_COUNT:-300}
traffic=${DOCA_BUILD:-$here/../../build}/selftests/api/zc_traffic
receiver=

# A receiver that a case has left behind has the interface, and the next would not.
end_what_is_left() {
	jobs -p | xargs -r kill -9 2>/dev/null
	wait 2>/dev/null
	receiver=
}

finish() {
	end_what_is_left
	ip netns del zcrx 2>/dev/null
	ip netns del zctx 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT

tool_find onload
onload=$tool
tool_find doca_zc
[ -x "$traffic" ] || ktap_skip_all "needs $traffic"
ip netns add zcrx 2>/dev/null && ip netns add zctx &&
	ip link add zc0 netns zcrx type veth peer name zc1 netns zctx ||
	ktap_skip_all "needs network namespaces and veth"
cp "$traffic" "$work/zc_traffic"
traffic=$work/zc_traffic
chmod 755 "$traffic"
export ZC_TRAFFIC_PROGRESS=$work/progress
head -c 4 /dev/zero > "$ZC_TRAFFIC_PROGRESS"
chmod 666 "$ZC_TRAFFIC_PROGRESS"

rx() {
	ip netns exec zcrx "$@"
}

tx() {
	ip netns exec zctx "$@"
}

rx ip addr add 10.9.0.1/24 dev zc0
tx ip addr add 10.9.0.2/24 dev zc1
rx ip addr add fd09::1/64 dev zc0 nodad
tx ip addr add fd09::2/64 dev zc1 nodad
rx ip link set lo up
rx ip link set zc0 up
tx ip link set zc1 up
tx ip route add 239.0.0.0/8 dev zc1

# Start the receiver, and set its number. $1: DOCA_ZC, the rest: its arguments
begin() {
	local zc=$1
	shift
	: > "$work/log"
	: > "$work/said"
	DOCA_ZC=$zc DOCA_SDK_LOG_LEVEL=50 ip netns exec zcrx ${as:-} "$onload" "$traffic" \
		receive "$@" > "$work/said" 2> "$work/log" &
	receiver=$!
	wait_until grep -q ready "$work/said" && return
	show
	return 1
}

show() {
	sed 's/^/# /' "$work/said" "$work/log"
}

# All of it was received once and is intact.
complete() {
	local code
	wait $receiver
	code=$?
	receiver=
	[ $code -eq 0 ] && return
	show
	return 1
}

# The line of the log about its path has these words.
says() {
	grep -q "$1" "$work/log" && return
	show
	return 1
}

# The last line of the log about it, what doca_zc shows, and the same for programs: all of them
# say one path, which on veth is never more than copies.
agree() {
	local log shown json
	log=$(sed -n 's/.*receives past the kernel, by .*: \([a-z-]*\)$/\1/p
		s/.*receives through the kernel.*/kernel/p' "$work/log" | tail -n 1)
	shown=$(sed -n 's/^    path: \([a-z-]*\) .*/\1/p' "$work/shown")
	json=$(sed -n 's/.*"path": *"\(.*\)".*/\1/p' "$work/json")
	[ "$log" = "$shown" ] && [ "$log" = "$json" ] && [ "$log" != zero-copy ] && return
	echo "# the log says '$log', doca_zc '$shown', and --json '$json'"
	return 1
}

no_program() {
	! rx ip -d link show zc0 | grep -q 'prog/xdp'
}

# $1: path that is wanted, $2: DOCA_ZC, $3: address, the rest: sizes
run() {
	local path=$1 zc=$2 address=$3
	shift 3
	ZC_TRAFFIC_STAY=1 begin "$zc" "$address" 5000 "$count" || return
	says "$path" || return
	tx "$traffic" send "$address" 5000 "$count" "$@" || return
	wait_until grep -q ^got "$work/said"
	rx "$tool" "$receiver" > "$work/shown"
	rx "$tool" --json "$receiver" > "$work/json"
	agree || return
	kill -9 $receiver
	wait $receiver 2>/dev/null
	receiver=
	wait_until no_program && grep -q "^got $count of .* 0 twice, 0 bad" "$work/said" && return
	show
	sed 's/^/# /' "$work/shown"
	return 1
}

past() {
	sed -n 's/.*past the kernel: \([0-9]*\),.*/\1/p' "$work/shown"
}

test_through_the_kernel() {
	run 'through the kernel: DOCA_ZC=kernel asks' kernel 10.9.0.1 64 4 1400 1472 9000 65507 &&
		grep -q '^    path: kernel (DOCA_ZC=kernel' "$work/shown" && [ "$(past)" -eq 0 ]
}

# Some come through the kernel where a lease ends before the program comes to renew it.
some_past() {
	[ "$(past)" -gt 0 ]
}

test_past_the_kernel() {
	run 'past the kernel, by zc0: copy' xdp 10.9.0.1 64 4 1400 1472 &&
		grep -q '^    path: copy (zc0)' "$work/shown" &&
		grep -q '"path": *"copy"' "$work/json" && some_past && return
	sed 's/^/# /' "$work/shown"
	return 1
}

test_fragments_come_through_the_kernel() {
	run 'past the kernel' xdp 10.9.0.1 64 9000 1400 65507 &&
		some_past && [ "$(past)" -le $((count / 2)) ] && return
	sed 's/^/# /' "$work/shown"
	return 1
}

test_by_ipv6() {
	run 'past the kernel' xdp fd09::1 64 1400 1452 9000 && some_past
}

# veth copies, which is not what "auto" is for.
test_auto_does_not_take_copies() {
	run 'through the kernel: zc0 gives copies only' auto 10.9.0.1 64 1400 &&
		[ "$(past)" -eq 0 ]
}

test_a_second_listener_of_a_group() {
	begin xdp 0.0.0.0 5001 "$count" 239.9.9.9 zc0 && says 'past the kernel' || return
	rx "$traffic" plain 239.9.9.9 5001 "$count" 239.9.9.9 zc0 > "$work/second" &
	# Until the receiver has seen it, it may miss some.
	wait_until grep -q ready "$work/second" &&
		wait_until grep -q 'another socket has its address' "$work/log" || return
	tx "$traffic" send 239.9.9.9 5001 "$count" 64 1400 || return
	wait $! 2>/dev/null
	complete && wait_until no_program &&
		wait_until grep -q "^got $count of .* 0 twice, 0 bad" "$work/second" && return
	sed 's/^/# /' "$work/second"
	return 1
}

test_a_group_is_heard_past_the_kernel() {
	begin xdp 0.0.0.0 5001 "$count" 239.9.9.9 zc0 && says 'past the kernel' || return
	tx "$traffic" send 239.9.9.9 5001 "$count" 64 1400 && complete
}

received() {
	od -An -tu4 "$ZC_TRAFFIC_PROGRESS" | tr -d ' '
}

receives_more_than() {
	[ "$(received)" -gt "$1" ]
}

# The one that comes next has it all from the kernel.
test_killed_in_the_middle() {
	begin xdp 10.9.0.1 5002 1000000 && says 'past the kernel' || return
	ip netns exec zctx "$traffic" send 10.9.0.1 5002 100000 64 & sender=$!
	wait_until receives_more_than 0 || return
	kill -9 $receiver
	wait $receiver 2>/dev/null
	receiver=
	kill $sender
	wait $sender 2>/dev/null
	wait_until no_program || {
		echo "# the XDP program is still there"
		return 1
	}
	rx "$traffic" plain 10.9.0.1 5002 100 > "$work/second" 2>&1 &
	second=$!
	wait_until grep -q ready "$work/second"
	tx "$traffic" send 10.9.0.1 5002 100 64 && wait $second && return
	sed 's/^/# /' "$work/second"
	return 1
}

# Something does, in the socket of that port.
waits_in_the_kernel() {
	rx cat /proc/net/udp | awk -v port=":$(printf %04X "$1")" \
		'index($2, port) && $5 !~ /:00000000$/ { found = 1 } END { exit !found }'
}

# Send to it now, and look there. $1: the port
left_in_the_kernel() {
	tx "$traffic" send 10.9.0.1 "$1" 10 64
	waits_in_the_kernel "$1"
}

test_stopped_it_has_the_kernel() {
	local result
	begin xdp 10.9.0.1 5003 1000000 && says 'past the kernel' || return
	kill -STOP $receiver
	wait_until left_in_the_kernel 5003
	result=$?
	kill -9 $receiver
	wait $receiver 2>/dev/null
	receiver=
	return $result
}

# $1: port. Something is sent to it until the case ends, and received.
load() {
	local before
	before=$(received)
	ip netns exec zctx env -u ZC_TRAFFIC_PROGRESS "$traffic" send 10.9.0.1 "$1" 100000 64 &
	wait_until receives_more_than "$before"
}

# Soon what is sent is in the kernel's socket. $1: its port
left_to_the_kernel() {
	wait_until no_program || {
		echo "# the XDP program is still there"
		return 1
	}
	wait_until waits_in_the_kernel "$1" && return
	show
	return 1
}

test_it_becomes_another_program() {
	begin xdp 10.9.0.1 5011 1000000 && says 'past the kernel' || return
	load 5011 || return
	kill -USR1 $receiver
	left_to_the_kernel 5011
}

# Which has the socket yet, and the program of its parent not.
test_killed_with_a_child() {
	begin xdp 10.9.0.1 5012 1000000 && says 'past the kernel' || return
	load 5012 || return
	kill -USR2 $receiver
	wait_until pgrep -P "$receiver" > /dev/null || return
	kill -9 $receiver
	wait $receiver 2>/dev/null
	receiver=
	left_to_the_kernel 5012
}

# Sockets of AF_XDP outlive that, and so they go on when it is up again.
test_an_interface_that_goes_down_under_load() {
	local before
	ZC_TRAFFIC_PATIENCE=60 begin xdp 10.9.0.1 5013 1000000 && says 'past the kernel' || return
	load 5013 || return
	rx ip link set zc0 down
	before=$(received)
	rx ip link set zc0 up
	rx ip addr add fd09::1/64 dev zc0 nodad 2>/dev/null
	tx ip neigh flush dev zc1
	wait_until has_answered && load 5013
	kill -TERM $receiver
	wait $receiver 2>/dev/null
	receiver=
	receives_more_than "$before" && [ "$before" -gt 0 ] && wait_until no_program && return
	echo "# $before received before, $(received) in all"
	show
	return 1
}

test_a_second_process_says_why_not() {
	local first
	begin xdp 10.9.0.1 5004 "$count" && says 'past the kernel' || return
	first=$receiver
	begin xdp 10.9.0.1 5005 "$count" && says 'through the kernel: zc0: .*already, of this process or of another' ||
		return
	tx "$traffic" send 10.9.0.1 5005 "$count" 64 && complete
	local result=$?
	kill -9 "$first" 2>/dev/null
	wait "$first" 2>/dev/null
	return $result
}

test_nobody_has_the_kernel() {
	chmod 711 "$work"
	as='setpriv --reuid 54321 --regid 54321 --clear-groups' begin xdp 10.9.0.1 5006 "$count" &&
		says 'through the kernel: .*CAP_NET_RAW' &&
		tx "$traffic" send 10.9.0.1 5006 "$count" 64 && complete
}

test_little_memory_may_be_locked() {
	# shellcheck disable=SC2016
	as='setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock prlimit --memlock=65536' \
		begin xdp 10.9.0.1 5007 "$count" && says "through the kernel: .*ulimit -l" &&
		tx "$traffic" send 10.9.0.1 5007 "$count" 64 && complete
}

test_another_program_is_there() {
	local object=${DOCA_BUILD:-$here/../../build}/lib/obj/xsk/prog.bpf.o result
	[ -e "$object" ] || return 4
	rx ip link set dev zc0 xdp obj "$object" sec xdp.frags 2> "$work/stderr" || return 4
	begin xdp 10.9.0.1 5008 "$count" && says 'through the kernel: .*another XDP program' &&
		tx "$traffic" send 10.9.0.1 5008 "$count" 64 && complete
	result=$?
	rx ip link set dev zc0 xdp off
	return $result
}

# $1: of both ends
set_mtu() {
	rx ip link set zc0 mtu "$1" && tx ip link set zc1 mtu "$1"
}

# Datagrams that a sender leaves to be cut in pieces come in pieces.
test_longer_frames_and_segments() {
	local result zc
	set_mtu 9000 || return
	for zc in xdp $(by_day || echo kernel); do
		run 'receives' $zc 10.9.0.1 64 1400 8000 1700 &&
			ZC_TRAFFIC_SEGMENTS=10 run 'receives' $zc 10.9.0.1 100 &&
			{ [ $zc = kernel ] || some_past; }
		result=$?
		[ $result -eq 0 ] || break
	done
	set_mtu 1500
	return $result
}

# One of the kind, with the address 10.9.3.1, its own way from the other end. $1: kind
make_other() {
	case $1 in
	bond) rx ip link add zk0 type bond mode active-backup && rx ip link set zk1 down &&
		rx ip link set zk1 master zk0 ;;
	vlan) rx ip link add zk0 link zk1 type vlan id 7 &&
		tx ip link add zk3 link zk2 type vlan id 7 ;;
	macvlan) rx ip link add zk0 link zk1 type macvlan mode bridge ;;
	esac 2>/dev/null || return
	rx ip link set zk1 up
	tx ip link set zk2 up
	rx ip addr add 10.9.3.1/24 dev zk0
	rx ip link set zk0 up
	to=zk2
	[ "$1" != vlan ] || to=zk3
	tx ip link set $to up
	tx ip addr add 10.9.3.2/24 dev $to
}

# A socket of AF_XDP on it would be deaf, or may get what was merged; this is told. A team receives
# nothing, by the kernel either, until a daemon has set its mode.
test_on_interfaces_above_others() {
	local kind tried=0 result=0
	modprobe -aq bonding 8021q macvlan
	for kind in vlan $(by_day || echo bond macvlan); do
		ip link add zk1 netns zcrx type veth peer name zk2 netns zctx || return
		if make_other $kind; then
			tried=$((tried + 1))
			ZC_TRAFFIC_SEGMENTS=10 run \
				'through the kernel: zk0 has no XDP of its own in its driver' \
				xdp 10.9.3.1 100 || result=1
		fi
		rx ip link del zk0 2>/dev/null
		rx ip link del zk1
		[ $result -eq 0 ] || { echo "# on a $kind"; return 1; }
	done
	[ $tried -gt 0 ] || return 4
}

# Datagrams that are sent before the other end knows that it is up again, and where it is, are
# dropped.
has_answered() {
	tx bash -c 'echo > /dev/udp/10.9.0.1/9'
	tx ip neigh show 10.9.0.1 dev zc1 | grep -q lladdr
}

test_an_interface_that_goes_down() {
	begin xdp 10.9.0.1 5009 "$count" && says 'past the kernel' || return
	rx ip link set zc0 down
	rx ip link set zc0 up
	rx ip addr add fd09::1/64 dev zc0 nodad 2>/dev/null
	tx ip neigh flush dev zc1
	wait_until has_answered || return
	tx "$traffic" send 10.9.0.1 5009 "$count" 64
	complete
}

# Last, for nothing is there afterwards.
test_an_interface_that_is_removed() {
	local code
	begin xdp 10.9.0.1 5010 100000 && says 'past the kernel' || return
	ip netns exec zctx "$traffic" send 10.9.0.1 5010 100000 64 2>/dev/null & sender=$!
	wait_until receives_more_than 0
	rx ip link del zc0
	kill $sender
	wait $sender 2>/dev/null
	timeout 30 tail --pid="$receiver" -f /dev/null
	code=$?
	[ $code -eq 0 ] && grep -q '0 twice, 0 bad' "$work/said" && says 'down or gone' && return
	show
	return 1
}

tests=$(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p' | grep -v removed)
# shellcheck disable=SC2086
ktap_plan $(($(echo $tests | wc -w) + 1))
for test in $tests test_an_interface_that_is_removed; do
	ktap_test "${test#test_}" "$test"
	end_what_is_left
done
ktap_end
