#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Failures of a pair of machines that scripts/check takes for QEMU's, and tries again.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

oops='Oops: int3: 0000'
ours='Oops: int3: 0000 doca_ioctl [doca]'

# pair WHAT ARGUMENTS...: as faults_of_qemu.py says
pair() {
	rm -rf "$work/results"
	DOCA_BUILD=$work python3 "$here/faults_of_qemu.py" "$@"
}

# expect_of WHAT RESULT ARGUMENTS...
expect_of() {
	local got what=$1 result=$2
	shift 2
	got=$(pair "$what" "$@")
	[ "$got" = "$result" ] && return
	echo "# $what $*: $got, not $result"
	return 1
}

# expect RESULT CODE PEERS_CODE CONSOLE PEERS_CONSOLE: of one boot
expect() {
	expect_of boot "$@"
}

test_none() {
	expect '0 False' 0 0 '' '' && expect '0 False' 0 0 "$oops" "$oops"
}

test_in_the_machine() {
	expect '1 True' 1 0 "$oops" '' && expect '1 False' 1 0 '' '' && expect '1 False' 1 0 "$ours" ''
}

test_in_the_peer_before_the_end() {
	expect '2 True' None 2 '' "$oops" && expect '2 False' None 2 '' "$ours" && expect '1 False' None 0 '' ''
}

test_in_the_peer_behind_a_pass() {
	expect '2 True' 0 2 '' "$oops" && expect '2 False' 0 2 '' "$ours" && expect '2 False' 0 2 "$oops" ''
}

# A failure of the machine's own is not the peer's.
test_in_the_peer_beside_a_failure() {
	expect '1 False' 1 2 '' "$oops"
}

# A second try of a peer that failed runs all that has passed, or it could not fail.
test_all_is_run_again_behind_the_peer() {
	expect_of execute 'one two / one two: 2 passed, 0 failed' \
		'0 2 one,two' '0 0 one,two' &&
		expect_of execute 'one two / one two: 1 passed, 1 failed' \
			'0 2 one,two' '0 0 one,-two' &&
		expect_of execute 'one two / one two: 2 passed, 1 failed' \
			'0 2 one,two' '0 2 one,two' &&
		expect_of execute 'one two / one two: 2 passed, 0 failed' \
			'None 2 one' '0 0 one,two'
}

test_all_is_run_again_behind_the_machine() {
	expect_of execute 'one two / one two: 2 passed, 0 failed' '1 0 one' '0 0 one,two' &&
		expect_of execute 'one two / one two: 2 passed, 0 failed' \
			'1 0 one,two' '0 0 one,two'
}

# No second try takes back what has failed while the peer was there.
test_a_failure_stays_one() {
	expect_of execute 'one two: 1 passed, 1 failed' '1 0 -one,two' &&
		expect_of execute 'one two / one: 1 passed, 1 failed' '125 0 one,-two' '0 0 one'
}

# And one that may be the doing of the peer's end is run again, and not forgotten.
test_a_failure_beside_a_fault_of_the_peer() {
	expect_of execute 'one two / one two: 2 passed, 0 failed, flaky one' 'None 2 -one' '0 0 one,two' &&
		expect_of execute 'one two / one two: 2 passed, 0 failed, flaky two' \
			'0 2 one,-two' '0 0 one,two' &&
		expect_of execute 'one two / one two: 1 passed, 1 failed' '0 2 one,-two' '0 0 one,-two'
}

# But what its kernel complains of is its own, and what its peer's does is the peer's.
test_a_complaint_beside_a_fault_of_the_peer() {
	expect '2 False' None 2 'KASAN: doca_ioctl' "$oops" && expect '2 True' None 2 'fine' "$oops"
}

test_a_complaint_of_the_peer_beside_a_fault() {
	expect '2 False' 2 0 "$oops" 'KASAN: doca_ioctl' && expect '2 True' 2 2 "$oops" "$oops"
}

test_a_pair_without_a_fault_is_run_once() {
	expect_of execute 'one two: 2 passed, 0 failed' '0 0 one,two' &&
		expect_of execute 'one two: 1 passed, 1 failed' '1 0 one,-two'
}

ktap_all
