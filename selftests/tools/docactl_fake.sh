#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# docactl over a family that is preloaded, see fake_family.c: users, metrics, and the form of JSON;
# and what packaging/ has for administrators.

here=$(dirname "$(realpath "$0")")
top=$here/../..
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tool_find docactl
command -v python3 >/dev/null || ktap_skip_all "needs python3"
"${CC:-cc}" -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -shared -fPIC -I"$top/uapi" \
	-o "$work/fake.so" "$here/fake_family.c" 2>"$work/stderr" || {
	sed 's/^/# /' "$work/stderr"
	ktap_skip_all "needs a C compiler for this machine"
}

# fake SETTING=VALUE... -- ARGUMENT...: what docactl does over the fake family
fake() {
	local settings=()
	while [ "$1" != -- ]; do
		settings+=("$1")
		shift
	done
	shift
	(
		export FAKE_COUNTS=$work/counts LD_PRELOAD=$work/fake.so "${settings[@]}"
		exec "$tool" "$@"
	) >"$work/stdout" 2>"$work/stderr" </dev/null
}

# says CODE WORDS: how the last one ended, with one line and one of what to do
says() {
	local code=$?
	[ $code -eq "$1" ] && [ ! -s "$work/stdout" ] && grep -q "^docactl: .*$2" "$work/stderr" &&
		[ "$(wc -l <"$work/stderr")" -le 2 ] && return
	echo "# exit code $code:"
	sed 's/^/# /' "$work/stderr"
	return 1
}

is_well_formed() {
	"$here/prom_format.py" <"$work/stdout" >"$work/faults" && [ ! -s "$work/stderr" ] && return
	sed 's/^/# /' "$work/faults" "$work/stderr"
	return 1
}

# has LINE...: of metrics
has() {
	local line bad=0
	for line; do
		grep -qxF -e "$line" "$work/stdout" && continue
		echo "# no '$line'"
		bad=1
	done
	return $bad
}

test_metrics_are_well_formed() {
	fake FAKE_USERS=3 FAKE_QUEUES=5 -- metrics --users && is_well_formed &&
		has 'doca_devices 3' 'doca_pairs 1' 'doca_files 3' 'doca_queues 9' \
			'doca_pinned_bytes 24576' 'doca_users 3' 'doca_listings_interrupted 0' \
			"doca_build_info{version=\"$(cat "$top/VERSION")\"} 1" \
			'doca_device_queues{device="software",state="run"} 2' \
			'doca_device_queues{device="software",state="broken"} 1' \
			'doca_device_pending_operations{device="software"} 9' \
			'doca_device_completed_operations{device="software"} 3298534883328' \
			'doca_user_ring_bytes{uid="2"} 7' 'doca_user_max_ring_bytes 1000' \
			'doca_users_ring_bytes 21' \
			'doca_user_locked_bytes{uid="0"} 15' \
			'doca_engine_state{engine="0000:00:01.0",state="live"} 1' \
			'doca_engine_copied_bytes_total{engine="0000:00:01.0"} 1000' &&
		! grep -q '0000:00:02.0\|max_locked\|max_dmamap' "$work/stdout"
}

# A quote, a backslash, a line's end and a byte that is no text
test_labels_are_escaped() {
	fake FAKE_USERS=1 FAKE_QUEUES=2 -- metrics && is_well_formed &&
		has 'doca_device_failed_operations{device="a\"b\\c?d?"} 1'
}

test_promtool_agrees() {
	command -v promtool >/dev/null || {
		echo "# there is no promtool, which is in Debian's package prometheus"
		return 4
	}
	fake FAKE_USERS=300 FAKE_QUEUES=20 -- metrics --users && promtool check metrics <"$work/stdout"
}

refuses_format() {
	printf '%b' "$1" | "$here/prom_format.py" >"$work/faults"
	[ $? -eq 1 ] && grep -q -e "$2" "$work/faults" && return
	echo "# '$1' is not refused by '$2'"
	return 1
}

test_bad_format_is_found() {
	local head='# HELP a A metric.\n# TYPE a gauge\n'
	printf '%ba 1\n' "$head" | "$here/prom_format.py" || return
	refuses_format '' 'no samples' &&
		refuses_format "${head}a 1" 'has no end' &&
		refuses_format "${head}a 1\na 1\n" 'a sample twice' &&
		refuses_format "${head}a{b=\"1\",c=\"2\"} 1\na{c=\"2\",b=\"1\"} 1\n" 'a sample twice' &&
		refuses_format "${head}b 1\n" 'of another metric' &&
		refuses_format "${head}a{b=\"c\"d\"} 1\n" 'cannot be read' &&
		refuses_format "${head}a{b=\"\\\\\\\\c\"} 1\n${head}" 'declared twice' &&
		refuses_format "${head}a{b=\"1\",b=\"2\"} 1\n" 'a label twice' &&
		refuses_format "${head}a x\n" 'cannot be read' &&
		refuses_format '# TYPE a gauge\na 1\n' 'no HELP' &&
		refuses_format '# HELP a_total A metric.\n# TYPE a_total gauge\na_total 1\n' 'a gauge' &&
		refuses_format '# HELP a A metric.\n# TYPE a counter\na 1\n' 'a counter' &&
		refuses_format '# HELP a_ms A metric.\n# TYPE a_ms gauge\na_ms 1\n' 'not a base unit'
}

# However many users and contexts there are, it asks as often; and what it reads is bounded by what
# there is, which a datagram has 40 or more of.
test_requests_are_few() {
	local few many reads
	fake FAKE_USERS=1 FAKE_QUEUES=1 -- metrics && read -r few reads <"$work/counts" &&
		fake FAKE_USERS=100 FAKE_QUEUES=1000 -- metrics && is_well_formed &&
		read -r many reads <"$work/counts" || return
	[ "$few" -eq 8 ] && [ "$many" -eq 8 ] && [ "$reads" -le 80 ] && return
	echo "# $few requests for one user, $many and $reads reads for 100"
	return 1
}

# A series that was there once is kept by Prometheus, so users have none unless that is asked for.
test_users_make_no_series() {
	fake FAKE_USERS=1 -- metrics && is_well_formed &&
		has 'doca_user_max_queues 1000' 'doca_users_queues 6' 'doca_users_locked_bytes 15' &&
		! grep -q 'uid=' "$work/stdout" && sed 's/ [0-9]*$//' "$work/stdout" >"$work/one" &&
		fake FAKE_USERS=300 -- metrics && has 'doca_users_queues 1800' &&
		sed 's/ [0-9]*$//' "$work/stdout" | cmp "$work/one" -
}

test_series_of_users_are_bounded_in_a_file() {
	fake FAKE_USERS=300 -- metrics --users && is_well_formed &&
		has 'doca_users 300' 'doca_user_queues{uid="255"} 6' \
			'doca_user_queues{uid="others"} 264' &&
		[ "$(grep -c '^doca_user_queues{' "$work/stdout")" -eq 257 ] &&
		fake FAKE_USERS=256 -- metrics --users && ! grep -q others "$work/stdout"
}

test_without_driver_or_right_it_says_what_to_do() {
	fake FAKE_ABSENT=1 -- metrics
	says 1 'the driver is not loaded' && grep -q 'modprobe doca' "$work/stderr" || return
	fake FAKE_ABSENT=1 -- user
	says 1 'the driver is not loaded' || return
	fake FAKE_DENIED=1 FAKE_USERS=1 -- metrics
	says 1 'metrics are of all users' && grep -q 'as root' "$work/stderr" || return
	fake FAKE_DENIED=12 FAKE_USERS=1 -- metrics
	says 1 'Cannot allocate memory'
}

# Half of the figures would be worse than none.
test_what_is_broken_writes_nothing() {
	fake FAKE_BROKEN=1 FAKE_USERS=1 FAKE_QUEUES=1000 -- metrics
	says 1 'Cannot allocate memory'
}

# A full disk is noticed, so that the file that is there stays.
test_what_cannot_be_written_fails() {
	[ -c /dev/full ] || return 4
	LD_PRELOAD=$work/fake.so FAKE_USERS=1 "$tool" metrics >/dev/full 2>"$work/stderr"
	[ $? -eq 1 ] && grep -q 'cannot write' "$work/stderr"
}

test_kernels_without_engines_are_no_error() {
	fake FAKE_NO_ENGINES=1 FAKE_USERS=1 -- metrics && is_well_formed &&
		has 'doca_users 1' && ! grep -q '^doca_engine' "$work/stdout"
}

# A user that goes meanwhile is in none of the figures; one that always does is told of.
test_interrupted_listings_begin_anew() {
	fake FAKE_USERS=3 FAKE_INTERRUPTED=2 -- metrics --users && is_well_formed &&
		has 'doca_users 2' 'doca_listings_interrupted 0' &&
		! grep -q 'uid="2"' "$work/stdout" && read -r requests _ <"$work/counts" &&
		[ "$requests" -eq 10 ] || return
	fake FAKE_USERS=3 FAKE_INTERRUPTED=99 -- metrics && is_well_formed &&
		has 'doca_users 3' 'doca_listings_interrupted 1' &&
		read -r requests _ <"$work/counts" && [ "$requests" -eq 11 ]
}

test_users_are_shown() {
	fake FAKE_USERS=2 -- user &&
		grep -Eq '^ *1 +ring-bytes +7 +1000 +1$' "$work/stdout" &&
		grep -Eq '^ *1 +locked-bytes +15 +- +-$' "$work/stdout" &&
		fake FAKE_USERS=2 -- user show uid 1 && [ "$(wc -l <"$work/stdout")" -eq 16 ] &&
		fake FAKE_USERS=2 -- user uid 5 && [ "$(wc -l <"$work/stdout")" -eq 1 ] || return
	fake FAKE_USERS=1 -- user pid 1
	says 2 "only 'uid' can be given" || return
	fake FAKE_USERS=1 -- user dev software
	says 2 "cannot be chosen by 'dev'" || return
	fake FAKE_USERS=1 -- --json metrics
	says 2 'json is not for metrics' || return
	fake FAKE_USERS=1 -- --users user
	says 2 'users is for metrics'
}

# has_form ROWS: a document, and in all of its names no unit by another word; those of levels and of the
# environment of a measurement are free
has_form() {
	python3 - "$work/stdout" "$1" <<'END' && return
import json, re, sys

def names(value):
    if isinstance(value, dict):
        value = {k: v for k, v in value.items() if k not in ("environment", "levels")}
        yield from value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from names(one)

document = json.load(open(sys.argv[1]))
assert document["version"] == 1, document
assert ("rows" in document) == (sys.argv[2] == "rows")
assert isinstance(document.get("rows", []), list)
for name in names(document):
    assert re.fullmatch("[a-z0-9_.]+", name), name
    assert not re.search("_(second|seconds|sec|byte|nsec|usec|pct)(_|$)", name), name
END
	sed 's/^/# /' "$work/stdout"
	return 1
}

test_json_has_one_form() {
	local kind how tool=$tool
	for kind in device file memory mapping export queue dm engine pair representor comch \
		connection worker user; do
		fake FAKE_USERS=2 FAKE_QUEUES=2 -- --json $kind && has_form rows || return
	done
	fake FAKE_USERS=1 -- --json summary && has_form - || return
	export DOCA_DRIVER=process
	tool_find doca_caps
	for how in '' --list-devs --list-rep-devs; do
		run_ok $how --json && has_form rows || return
	done
	for how in --list-libs --levels --drivers; do
		run_ok $how --json && has_form - || return
	done
	tool_find doca_bench
	run_ok --seconds 0.001 --runs 1 process --json - && has_form rows || return
	if [ -x "$BUILD/tools/doca_zc" ]; then
		tool_find doca_zc
		strict='' run_ok --json && has_form rows || return
	fi
}

# run_unit SETTING=VALUE...: what the service runs, over the fake family, for another folder, and with
# $work/driver for the folder of the module
run_unit() {
	local line
	line=$(sed -e ':a' -e '/\\$/{N;s/\\\n[[:blank:]]*/ /;ta' -e '}' \
		"$top/packaging/node_exporter/doca-metrics.service" |
		sed -n "s,/sys/module/doca,$work/driver,;s,^ExecStart=/bin/sh -c '\(.*\)'\$,\1,p")
	[ -n "$line" ] || {
		echo "# the service has no line that can be run here"
		return 3
	}
	mkdir -p "$work/run" && PATH=$(dirname "$tool"):$PATH LD_PRELOAD=$work/fake.so \
		TO=$work/doca.prom RUNTIME_DIRECTORY=$work/run \
		env "$@" /bin/sh -c "$line" 2>"$work/stderr"
}

test_unit_replaces_the_file_at_once() {
	mkdir -p "$work/driver" && run_unit FAKE_USERS=1 && grep -qx 'doca_users 1' "$work/doca.prom" &&
		[ ! -e "$work/doca.prom.new" ] && run_unit FAKE_USERS=2 &&
		grep -qx 'doca_users 2' "$work/doca.prom" || return
	run_unit FAKE_DENIED=1
	[ $? -eq 1 ] && grep -qx 'doca_users 2' "$work/doca.prom" && [ ! -e "$work/doca.prom.new" ]
}

# Makes a library with which no file is removed: as if another one were there at once
make_stubborn() {
	printf 'int unlinkat(int dir, const char *name, int flags)\n{\n\treturn 0;\n}\n' |
		"${CC:-cc}" -shared -fPIC -o "$work/stubborn.so" -x c -
}

# Or into a pipe, which is open for writing here, so that nobody waits for its reader
test_unit_writes_through_no_link() {
	local victim
	mkdir -p "$work/driver" && make_stubborn && echo mine >"$work/victim" && mkfifo "$work/pipe" &&
		exec 3<>"$work/pipe" || return
	for victim in victim pipe /dev/null; do
		ln -sf "$victim" "$work/doca.prom.new" && run_unit FAKE_USERS=1 &&
			[ -f "$work/doca.prom" ] && [ ! -L "$work/doca.prom" ] &&
			ln -sf "$victim" "$work/doca.prom.new" || return
		run_unit FAKE_USERS=2 LD_PRELOAD="$work/fake.so $work/stubborn.so"
		[ $? -eq 1 ] && grep -qx 'doca_users 1' "$work/doca.prom" || return
	done
	[ "$(cat "$work/victim")" = mine ] && ! read -r -t 0 -u 3
}

test_unit_says_that_there_is_no_folder() {
	mkdir -p "$work/driver"
	run_unit FAKE_USERS=1 TO="$work/none/doca.prom"
	[ $? -eq 1 ] && grep -q "no folder for $work/none/doca.prom" "$work/stderr"
}

# Old figures are no figures of now.
test_unit_leaves_none_without_driver() {
	mkdir -p "$work/driver" && run_unit FAKE_USERS=1 && [ -e "$work/doca.prom" ] || return
	rmdir "$work/driver" && run_unit FAKE_ABSENT=1 && [ ! -e "$work/doca.prom" ]
}

# Tells what systemd says of the units, with the service changed by a script of sed
complaints_of_units() {
	rm -rf "$work/units" && mkdir "$work/units" && cp "$top"/packaging/node_exporter/* "$work/units" &&
		sed -i "$1" "$work/units/doca-metrics.service" || return
	systemd-analyze verify --man=no "$work"/units/doca-metrics.* 2>&1 | grep doca-metrics
}

test_units_are_understood() {
	command -v systemd-analyze >/dev/null || return 4
	complaints_of_units 's/^ProtectHome=.*/ProtectHome=nonsense/' >"$work/faults" || {
		echo "# nothing is said of a value that is wrong"
		return 1
	}
	! complaints_of_units ''
}

# Each command that the plug-in of sos names works: docactl's over the fake family.
test_sos_runs_what_there_is() {
	local command n=0 bad=0
	"$here/sos_commands.py" >"$work/commands" || return
	while read -r command; do
		n=$((n + 1))
		(
			case $command in
			docactl*) export LD_PRELOAD=$work/fake.so FAKE_USERS=1 ;;
			*) export DOCA_DRIVER=process ;;
			esac
			PATH=$(dirname "$tool"):$PATH
			$command
		) >"$work/stdout" 2>"$work/stderr" </dev/null && [ -s "$work/stdout" ] && continue
		echo "# '$command':"
		sed 's/^/# /' "$work/stderr"
		bad=1
	done <"$work/commands"
	[ $bad -eq 0 ] && [ $n -ge 10 ]
}

ktap_all
