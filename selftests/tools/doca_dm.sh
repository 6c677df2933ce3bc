#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs of rdma-core that use device memory, unmodified, on soft RoCE under doca_dm.
# They are of Debian's ibverbs-utils and python3-pyverbs.
#
#   DOCA_TEST_PASSES   how often those of device memory are run, whose sizes are random
#                      (default: once)

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/module.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
rdma_core=/usr/share/doc/rdma-core/tests
patience=${DOCA_TEST_PATIENCE:-1}

[ -e /sys/class/infiniband/rxe1 ] || ktap_skip_all "needs the RDMA devices rxe0 and rxe1"
command -v ibv_rc_pingpong >/dev/null || ktap_skip_all "needs ibverbs-utils"
tool_find doca_dm
ulimit -l unlimited

test_usage() {
	run_fail 2 "which program is missing" &&
		run_fail 2 "unknown option '--other'" --other true &&
		run_ok --help && grep -q '^Usage: doca_dm' "$work/stdout" &&
		run_ok --version && grep -q '^doca_dm (Open DOCA) [0-9.]*, DOCA 3' "$work/stdout" &&
		run_ok -- true && run_ok true &&
		run_fail 127 "no-such-program" no-such-program &&
		run_fail 3 said sh -c 'echo said >&2; exit 3'
}

test_the_library_must_be_there() {
	sed 's/libopen_doca_dm/libopen_doca_no/' "$tool" > "$work/doca_dm" &&
		chmod +x "$work/doca_dm" || return
	local tool=$work/doca_dm
	run_fail 1 "does not find libopen_doca_no.so.2" true
}

# A line more, and the empty one behind it; all others as they were. $1: device
tells_the_size() {
	local line='maximum available device memory:'
	ibv_devinfo -v -d "$1" | grep -v '^$' > "$work/without" &&
		run_ok ibv_devinfo -v -d "$1" &&
		grep -q "$line.*16777216Bytes" "$work/stdout" &&
		grep -v "^\$\|$line" "$work/stdout" | diff "$work/without" - | sed 's/^/# /'
	[ "${PIPESTATUS[1]}" = 0 ]
}

test_ibv_devinfo_tells_the_size() {
	tells_the_size rxe0 && tells_the_size rxe1
}

# $1: device
max_dm_size() {
	run_ok python3 -c 'import sys, pyverbs.device as d
print(d.Context(name=sys.argv[1]).query_device_ex().max_dm_size)' "$1" &&
		cat "$work/stdout"
}

test_the_size_is_told() {
	local size=$(($(cat /sys/module/doca/parameters/dm_size) << 20))
	python3 -c 'import pyverbs' 2>/dev/null || return 4
	[ "$(max_dm_size rxe0)" = $size ] && [ "$(max_dm_size rxe1)" = $size ] &&
		[ $size -gt 0 ]
}

# The list of device memory that a user sees, as d, meets a Python expression.
# $1: user, who may have none, $2: expression
listing() {
	setpriv --reuid "$1" --clear-groups docactl --json dm show > "$work/stdout" &&
		python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))["rows"]
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$work/stdout" "$2" && return
	sed 's/^/# /' "$work/stdout"
	return 1
}

# The list as text has this process's row, by the titles of the columns. $1: process id
row() {
	docactl dm show > "$work/stdout" && [ "$(wc -l < "$work/stdout")" -eq 2 ] &&
		awk -v pid="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			NR == 2 { good = $at["ID"] > 0 && $at["DEVICE"] == "rxe1" &&
				$at["MRS"] == 1 && $at["PID"] == pid && $at["LENGTH"] ~ /^[1-9]/ }
			END { exit !good }' "$work/stdout" && return
	sed 's/^/# /' "$work/stdout"
	return 1
}

test_docactl_lists_it() {
	local pid result
	python3 -c 'import pyverbs' 2>/dev/null || return 4
	mkfifo "$work/go" && exec 5<> "$work/go" || return
	"$tool" python3 -c 'import pyverbs.device as d, pyverbs.enums as e
from pyverbs.mr import DMMR
from pyverbs.pd import PD
ctx = d.Context(name="rxe1")
dm = d.DM(ctx, d.AllocDmAttr(length=5000))
pd = PD(ctx)
mr = DMMR(pd, 4096, e.IBV_ACCESS_ZERO_BASED | e.IBV_ACCESS_LOCAL_WRITE, dm=dm, offset=0)
print("ready", flush=True)
input()
mr.close()
dm.close()' < "$work/go" > "$work/ready" 2>&1 &
	pid=$!
	for _ in $(seq 300); do
		grep -q ready "$work/ready" && break
		sleep 0.1
	done
	listing 0 "len(d) == 1 and d[0]['length'] == 5000 and d[0]['mrs'] == 1 and
		d[0]['device'] == 'rxe1' and d[0]['pid'] == $pid and d[0]['uid'] == 0 and
		d[0]['id'] > 0 and not d[0]['imported']" && listing 54321 'd == []' &&
		row "$pid"
	result=$?
	echo >&5
	wait $pid
	exec 5>&-
	[ $result -eq 0 ] || sed 's/^/# /' "$work/ready"
	return $result
}

# Print the index of the GID that is the device's IPv4 address. $1: device
gid_index() {
	local i
	for i in 0 1 2 3; do
		case $(cat "/sys/class/infiniband/$1/ports/1/gids/$i" 2>/dev/null) in
		*0000:ffff:*)
			echo $i
			return
			;;
		esac
	done
	echo 1
}

# $1: device of the server, $2: of the client, $3: index of their GIDs, the rest: options
pingpong() {
	local server=$1 client=$2 gid=$3 pid code i
	shift 3
	"$tool" ibv_rc_pingpong -d "$server" -g "$gid" -n 1000 "$@" \
		> "$work/server" 2>&1 &
	pid=$!
	for i in $(seq $((100 * patience))); do
		ss -ltn 2>/dev/null | grep -q ':18515' && break
		sleep .1
	done
	timeout $((60 * patience)) "$tool" ibv_rc_pingpong -d "$client" -g "$gid" \
		-n 1000 "$@" 127.0.0.1 > "$work/stdout" 2>&1
	code=$?
	[ $code -eq 0 ] || kill $pid 2>/dev/null
	wait $pid || code=1
	[ $code -eq 0 ] && grep -q '^1000 iters in' "$work/stdout" &&
		grep -q '^1000 iters in' "$work/server" && return
	sed 's/^/# /' "$work/server" "$work/stdout"
	return 1
}

test_pingpong_on_one_device() {
	pingpong rxe0 rxe0 "$(gid_index rxe0)" -j
}

# By link-local addresses: of the others both are this machine's own.
test_pingpong_between_two_devices() {
	pingpong rxe0 rxe1 0 -j
}

# Has a command use memory of the process, as somebody who may not open the driver.
as_nobody() {
	printf '#!/bin/sh\nexec setpriv --reuid 54321 --regid 54321 --clear-groups \
		env DOCA_DRIVER=process "%s" "$@"\n' "$tool" > "$work/as_nobody" &&
		chmod 755 "$work/as_nobody" && chmod 666 /dev/infiniband/uverbs* || return
	local tool=$work/as_nobody
	"$@"
}

pingpongs() {
	pingpong rxe0 rxe0 "$(gid_index rxe0)" -j && pingpong rxe0 rxe1 0 -j
}

test_pingpong_with_memory_of_the_process() {
	DOCA_DRIVER=process pingpongs && as_nobody pingpongs
}

# All that our own programs send, the ends of the memory among it. The library that they
# are linked with is the one that is installed.
traffic() {
	cp "${DOCA_BUILD:-$here/../../build}/selftests/api/device_memory_traffic" "$work" &&
		chmod 755 "$work/device_memory_traffic" || return 4
	(cd "$work" && run_ok "$work/device_memory_traffic") &&
		grep -q '^ok ' "$work/stdout" && ! grep '^not ok' "$work/stdout"
}

test_traffic_with_memory_of_the_process() {
	DOCA_DRIVER=process traffic && as_nobody traffic
}

# Nothing of ours is in the kernel; and a line says so.
test_without_the_module() {
	local result
	doca_unload || return
	run_ok ibv_devinfo -v -d rxe0 && grep -q 'device memory:.*16777216Bytes' "$work/stdout" &&
		grep -q 'as there is no /dev/doca' "$work/stderr" && pingpongs &&
		as_nobody pingpongs
	result=$?
	doca_load && return $result
}

# Where librdmacm opens the device, and the program does not know of the library.
test_a_program_of_librdmacm() {
	local program=${DOCA_BUILD:-$here/../../build}/selftests/api/device_memory_cm_plain
	[ -x "$program" ] || return 4
	if "$program" > "$work/stdout" 2>&1 && ! grep -q '# SKIP' "$work/stdout"; then
		echo "# it needs no doca_dm"
		return 1
	fi
	run_ok "$program" || return
	! grep '# SKIP' "$work/stdout" || return 4
}

test_without_doca_dm_there_is_none() {
	if timeout 20 ibv_rc_pingpong -d rxe0 -g 1 -j > "$work/stdout" 2>&1; then
		return 1
	fi
	grep -qi "dm" "$work/stdout"
}

# Needs python3-pyverbs. Unpacked once, and as it is.
prepare() {
	[ -d $rdma_core ] && python3 -c 'import pyverbs' 2>/dev/null || return
	[ ! -d "$work/tests" ] || return 0
	cp -a $rdma_core "$work/tests" && find "$work/tests" -name '*.gz' -exec gunzip {} +
}

# Print the verdicts of the modules of rdma-core's tests, one line "TEST VERDICT" each.
# $1: with what, the rest: tests
verdicts() {
	local with=$1
	shift
	# shellcheck disable=SC2086 # nothing, or one word
	(cd "$work" && timeout 300 $with python3 -W ignore tests/run_tests.py --dev rxe0 \
		--gid "$(gid_index rxe0)" -v "$@") 2>&1 |
		tee "$work/verbose" |
		awk '/^test_[a-z0-9_]+ \(/ { name = $2 }
			name && match($0, /(^|\.\.\. )(ok|FAIL|ERROR|skipped)( .*)?$/) {
				verdict = substr($0, RSTART)
				sub(/^\.\.\. /, "", verdict)
				sub(/ .*/, "", verdict)
				print name, verdict
				name = ""
			}' |
		sort
}

rdma_core_tests() {
	prepare || return 4
	local i
	for i in $(seq "${DOCA_TEST_PASSES:-1}"); do
		verdicts "$tool" tests.test_device.DMTest tests.test_device.SharedDMTest \
			tests.test_mr.DeviceMemoryAPITest tests.test_mr.DeviceMemoryTest \
			> "$work/verdicts"
		[ "$(grep -c ' ok$' "$work/verdicts")" -eq 13 ] &&
			[ "$(grep -c ' skipped$' "$work/verdicts")" -eq 1 ] &&
			[ "$(wc -l < "$work/verdicts")" -eq 14 ] && continue
		echo "# pass $i:"
		sed 's/^/# /' "$work/verbose"
		return 1
	done
}

test_rdma_core_tests_of_device_memory() {
	rdma_core_tests
}

test_rdma_core_tests_with_memory_of_the_process() {
	DOCA_DRIVER=process rdma_core_tests && as_nobody rdma_core_tests
}

test_rdma_core_tests_that_need_none() {
	prepare || return 4
	local others='DMTest|SharedDMTest|DeviceMemory'
	verdicts "" | grep -vE "$others" > "$work/without"
	verdicts "$tool" | grep -vE "$others" > "$work/with"
	[ "$(wc -l < "$work/without")" -gt 100 ] || {
		sed 's/^/# /' "$work/verbose" | tail -n 20
		return 1
	}
	# Some of them depend on how fast the machine is: they are asked again.
	local names i
	for i in 1 2 3; do
		diff "$work/without" "$work/with" > "$work/diff" && return
		sed 's/^/# /' "$work/diff"
		names=$(sed -nE 's/^[<>] \((.*)\) .*/\1/p' "$work/diff" | sort -u)
		# shellcheck disable=SC2086 # words
		verdicts "" $names > "$work/without"
		# shellcheck disable=SC2086
		verdicts "$tool" $names > "$work/with"
		[ -s "$work/with" ] || break
	done
	diff "$work/without" "$work/with"
}

ktap_all
