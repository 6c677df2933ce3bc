#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Ethernet queues between two network namespaces, each with an interface: tcpdump(8), which
# knows nothing of them, says whether what a queue sends is right. What a queue receives is
# lib/test_eth_wire. The interfaces are those of soft-RoCE devices, or, without
# the module, of devices in software, of which a profile says so.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"

traffic=${ETH_TRAFFIC:-${DOCA_BUILD:-$here/../../build}/selftests/api/eth_traffic}
work=$(mktemp -d)

finish() {
	jobs -p | xargs -r kill -9 2>/dev/null
	wait 2>/dev/null
	rdma link del eth_rx 2>/dev/null
	rdma link del eth_tx 2>/dev/null
	ip netns del ethrx 2>/dev/null
	ip netns del ethtx 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT

rx() {
	ip netns exec ethrx "$@"
}

tx() {
	ip netns exec ethtx "$@"
}

# Neither speaks unasked.
quiet() {
	"$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1
	"$1" ip link set "$2" up
}

[ -x "$traffic" ] || ktap_skip_all "needs $traffic"
command -v tcpdump >/dev/null || ktap_skip_all "needs tcpdump"
modprobe -aq veth rdma_rxe 2>/dev/null
ip netns add ethrx 2>/dev/null && ip netns add ethtx &&
	ip link add rx0 netns ethrx type veth peer name tx0 netns ethtx ||
	ktap_skip_all "needs network namespaces and veth"
quiet rx rx0
quiet tx tx0
if [ "${DOCA_DRIVER:-}" = process ]; then
	in_process=1
	export DOCA_PROFILE=$work/profile
	cat > "$DOCA_PROFILE" <<-END
		{ "profile": 1, "devices": [ { "ibdev": "eth_rx", "iface": "rx0" },
			{ "ibdev": "eth_tx", "iface": "tx0" } ] }
	END
else
	in_process=
	rx rdma link add eth_rx type rxe netdev rx0 &&
		tx rdma link add eth_tx type rxe netdev tx0 || ktap_skip_all "needs soft-RoCE"
fi

show() {
	sed 's/^/# /' "$@" | cut -c 1-120 | head -10
	return 1
}

# $1: rx or tx. No function stands between, for it is tcpdump that is to be killed.
capture() {
	ip netns exec "eth$1" tcpdump -U -i "${1}0" -w "$work/pcap" 2> "$work/tcpdump" &
	dumper=$!
	await grep -q listening "$work/tcpdump"
}

# When it has this many frames. $1: how many
end_capture() {
	await has_frames "$1" || show "$work/tcpdump"
	kill $dumper
	wait $dumper
}

# Lines of bytes are indented: tcpdump prints them as well of a frame that it does not know.
has_frames() {
	[ "$(dump | grep -c '^[^[:blank:]]')" -ge "$1" ]
}

dump() {
	tcpdump -t -n -r "$work/pcap" "$@" 2>/dev/null
}

# Each a line. What is before them is not of the frame.
hex() {
	dump -xx "$@" | awk '/^[^\t ]/ { if (h != "") print h; h = "" }
		/^[\t ]+0x/ { for (i = 2; i <= NF; i++) h = h $i }
		END { if (h != "") print h }'
}

sent() {
	sed -n "s/^$1 //p" "$work/sent"
}

# $1: what of the input, $2: what it must be
same() {
	cmp -s "$1" "$2" && return
	echo "# not what was sent:"
	diff "$1" "$2" | show -
}

# Plain frames 20, of a batch 16, with checksums 6, of two LSO tasks 10 each.
test_it_sends_what_it_is_given() {
	capture rx
	tx "$traffic" eth_tx > "$work/sent" 2> "$work/log" || show "$work/log" || return
	end_capture 62
	sent frame > "$work/wanted"
	hex ether proto 0x88b5 > "$work/seen"
	[ "$(wc -l < "$work/seen")" -eq 36 ] && same "$work/seen" "$work/wanted"
}

# IP and UDP; what is behind their headers begins at byte 42, or 62.
test_checksums_are_right() {
	dump -vv udp > "$work/text"
	[ "$(grep -c 'udp sum ok' "$work/text")" -eq 6 ] &&
		! grep -q 'bad\|wrong' "$work/text" || show "$work/text" || return
	{
		hex udp and ip | sed 's/^.\{84\}/4 /'
		hex udp and ip6 | sed 's/^.\{124\}/6 /'
	} > "$work/seen"
	sent udp | awk '{ print (NR % 2 ? "4 " : "6 ") $0 }' | sort -s -k1,1 > "$work/wanted"
	same "$work/seen" "$work/wanted"
}

# $1: ip or ip6, $2: digits of its headers and TCP's, $3: which of the tasks
segments() {
	local n flags
	dump -vv -S tcp and "$1" | grep 'Flags' > "$work/text"
	! grep -q 'incorrect\|bad' "$work/text" &&
		[ "$(grep -c '(correct)' "$work/text")" -eq 10 ] || show "$work/text" || return
	for n in 0 1 2 3 4 5 6 7 8 9; do
		flags='\[\.\]'
		[ $n -lt 9 ] || flags='\[P\.\]'
		sed -n $((n + 1))p "$work/text" |
			grep -q "Flags $flags.* seq $((n * 1000)):$((n * 1000 + 1000)).*length 1000" ||
			show "$work/text" || return
	done
	hex tcp and "$1" | cut -c "$(($2 + 1))-" | tr -d '\n' > "$work/seen"
	sent lso | sed -n "$3p" | tr -d '\n' > "$work/wanted"
	same "$work/seen" "$work/wanted"
}

test_segments_are_right() {
	segments ip 108 1 && segments ip6 148 2 || return
	# Identifications follow each other, and wrap.
	dump -v tcp and ip | sed -n 's/.* id \([0-9]*\),.*/\1/p' > "$work/seen"
	{ seq 65534 65535; seq 0 7; } > "$work/wanted"
	same "$work/seen" "$work/wanted"
}

# doca_caps says this of a device in the first namespace. $1: device, $2: options that choose
# what it says, $3: condition of python on d, for the device
told() {
	rx doca_caps -p "$1" $2 --json > "$work/caps" 2> "$work/log" &&
		python3 -c "import json, sys; d = json.load(sys.stdin)['rows'][0]; assert ($3)" < "$work/caps" ||
		show "$work/caps" "$work/log"
}

# It can do nothing, and says so.
has_none() {
	told "$1" "--lib eth" "d['eth']['rxq_regular'] is False and d['eth']['txq_regular'] is False" &&
		told "$1" --list-devs "d['mac_addr'] is None and d['ipv4_addr'] is None" || return
	! rx "$traffic" "$1" > "$work/sent" 2> "$work/log" &&
		grep -q "$2" "$work/log" || show "$work/log"
}

test_an_interface_comes_and_goes() {
	local mac
	[ $in_process ] || return 4
	mac=$(rx cat /sys/class/net/rx0/address)
	rx ip addr add 10.9.1.1/24 dev rx0
	told eth_rx --list-devs "d['mac_addr'] == '$mac' and d['ipv4_addr'] == '10.9.1.1' and
		d['iface_name'] == 'rx0' and d['iface_kind'] == 'real'" || return
	rx ip link set rx0 down && rx ip link set rx0 name other0 || return
	has_none eth_rx "there is no rx0 in this network namespace"
	mac=$?
	rx ip link set other0 name rx0 && rx ip link set rx0 up && [ $mac -eq 0 ] &&
		told eth_rx "--lib eth" "d['eth']['rxq_regular']"
}

# An interface that is called as a device in software is by default is none of its.
test_a_name_that_is_made_up_takes_no_frames() {
	local result
	[ $in_process ] || return 4
	DOCA_PROFILE='' told software --list-devs "d['iface_name'] == 'p0' and
		d['iface_kind'] == 'made up'" || return
	rx ip link set rx0 down && rx ip link set rx0 name p0 && rx ip link set p0 up || return
	DOCA_PROFILE='' has_none software "no profile names one" &&
		DOCA_PROFILE='' told software --list-devs "d['iface_name'] is None"
	result=$?
	rx ip link set p0 down && rx ip link set p0 name rx0 && rx ip link set rx0 up &&
		[ $result -eq 0 ]
}

ktap_plan 5
for test in it_sends_what_it_is_given checksums_are_right segments_are_right \
	an_interface_comes_and_goes a_name_that_is_made_up_takes_no_frames; do
	ktap_test $test test_$test
done
ktap_end
