# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# shellcheck shell=sh
#
# KTAP for shell tests: ktap_plan N, then N times ktap_test NAME COMMAND..., whose
# exit status decides (4: skipped), then ktap_end. Or, in bash, ktap_all alone.

ktap_count=0
ktap_failed=0

ktap_plan() {
	echo "KTAP version 1"
	echo "1..$1"
}

ktap_skip_all() {
	echo "KTAP version 1"
	echo "1..0 # SKIP $*"
	exit 4
}

ktap_test() {
	ktap_name=$1
	shift
	ktap_count=$((ktap_count + 1))
	ktap_begin=${EPOCHREALTIME-}
	"$@"
	ktap_code=$?
	# Only bash can tell without a process; a log shows so what makes a run long.
	[ -z "$ktap_begin" ] || [ $((${EPOCHREALTIME%[.,]*} - ${ktap_begin%[.,]*})) -lt 5 ] ||
		echo "# took $((${EPOCHREALTIME%[.,]*} - ${ktap_begin%[.,]*})) s"
	case $ktap_code in
	0) echo "ok $ktap_count $ktap_name" ;;
	4) echo "ok $ktap_count $ktap_name # SKIP" ;;
	*)
		echo "not ok $ktap_count $ktap_name"
		ktap_failed=$((ktap_failed + 1))
		;;
	esac
}

ktap_end() {
	[ $ktap_failed -eq 0 ]
	exit
}

# By day each rule is shown once, as in rounds.h.
by_day() {
	[ "${DOCA_TEST_ROUNDS:-1}" -eq 1 ]
}

# Until "$@" succeeds. How long that may take only decides that something hangs.
await() {
	ktap_tries=$((1200 * ${DOCA_TEST_PATIENCE:-1}))
	until "$@" 2>/dev/null; do
		[ $((ktap_tries -= 1)) -gt 0 ] || return 1
		sleep 0.05
	done
}

# Until there is a file, unless a process ends before. $1: file, $2: process
await_file() {
	await ktap_is_there_or_over "$1" "$2" && [ -e "$1" ]
}

ktap_is_there_or_over() {
	[ -e "$1" ] || ! kill -0 "$2"
}

# The functions that are named; without any, all of the script that are called test_*.
ktap_all() {
	# shellcheck disable=SC2046,SC3044
	[ $# -gt 0 ] || set -- $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p')
	[ $# -gt 0 ] || exit 1
	ktap_plan $#
	for ktap_function; do
		ktap_test "${ktap_function#test_}" "$ktap_function"
	done
	ktap_end
}
