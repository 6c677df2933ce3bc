#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of docactl. They need root, the driver and doca_copy, whose exporter and
# importer are what there is to see.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/module.sh"
. "$here/../lib/tool.sh"

copy=$(command -v doca_copy)
nobody=65534
size=1000000
large=100000000 # copied in small pieces it takes longer than any test
exporter= importer=
trap 'end_all; rm -rf "$work"' EXIT

[ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
[ -c /dev/doca ] || ktap_skip_all "needs the driver"
[ -x "$copy" ] || ktap_skip_all "needs doca_copy"
tool_find docactl

# One python judges all that is printed, for it takes a second to start. It reads a line for
# each question, and answers with one.
coproc JUDGE { exec python3 -u -c '
import json, sys
for line in sys.stdin:
    path, p, i, wanted = line.rstrip("\n").split("\t", 3)
    p, i = int(p), int(i)
    try:
        with open(path) as f:
            if "lines" in wanted:
                lines = [json.loads(s) for s in f]
            else:
                d = json.load(f)
                assert d.pop("version") == 1
                d = d.get("rows", d)
        print("yes" if eval(f"({wanted})") else "no")
    except Exception as e:
        print(repr(e).replace("\n", " "))
'; }
exec 8<&"${JUDGE[0]}" 9>&"${JUDGE[1]}"

# An expression of python about what is printed as JSON, d; p and i are the process
# ids of exporter and importer.
json() {
	local wanted=$1 verdict
	shift
	run_ok --json "$@" || return
	printf '%s\t%s\t%s\t%s\n' "$work/stdout" "${exporter:-0}" "${importer:-0}" \
		"${wanted//[$'\n\t']/ }" >&9
	read -r verdict <&8
	[ "$verdict" != yes ] || return 0
	echo "# '$*' is not as in $wanted ($verdict):"
	sed 's/^/# /' "$work/stdout"
	return 1
}

start_export() {
	local program=${1:-$copy}
	truncate -s $size "$work/src"
	rm -rf "$work/d"
	"$program" export "$work/src" --desc "$work/d" > /dev/null 2>&1 &
	exporter=$!
	for _ in $(seq 300); do
		[ -e "$work/d/buffer.txt" ] && return
		kill -0 $exporter 2> /dev/null || return 1
		sleep 0.1
	done
	return 1
}

# A slow one, until it is at work
start_import() {
	rm -f "$work"/dst*
	"$copy" import --desc "$work/d" --out "$work/dst" --chunk 64 \
		--depth 1 > /dev/null 2> "$work/importer" &
	importer=$!
	for _ in $(seq 300); do
		"$tool" --json queue show pid $importer |
			grep -q '"completed": *[1-9]' && return
		sleep 0.1
	done
	return 1
}

end_all() {
	local pid
	for pid in $importer $exporter; do
		kill -KILL "$pid" 2> /dev/null
		wait "$pid" 2> /dev/null
	done
	importer='' exporter=''
}

as_user() {
	setpriv --reuid $nobody --regid "$(stat -c %g /dev/doca)" \
		--clear-groups --inh-caps=-all --bounding-set=-all "$@"
}

has_workers() {
	[ "$(cat /sys/module/doca/parameters/workers)" = Y ]
}

# How many lines there are below the titles
rows() {
	[ $(($(wc -l < "$work/stdout") - 1)) -eq "$1" ] && return
	echo "# not $1 rows:"
	sed 's/^/# /' "$work/stdout"
	return 1
}

test_usage() {
	local words="Try 'docactl --help'"
	run_fail 2 "$words" file show nonsense 1 &&
		run_fail 2 "$words" file show dev rxe0 &&
		run_fail 2 "$words" memory dev rxe0 &&
		run_fail 2 "$words" device show pid 1 &&
		run_fail 2 "$words" summary pid 1 &&
		run_fail 2 "$words" revoke 1 2 3x &&
		run_fail 2 "$words" --json revoke 1 &&
		run_fail 2 "$words" pair nonsense &&
		run_fail 2 "$words" pair show pair0 &&
		run_fail 2 "$words" pair add dpu &&
		run_fail 2 "$words" pair add x dpu &&
		run_fail 2 "$words" pair add x y z &&
		run_fail 2 "$words" pair add dpu a dpu b &&
		run_fail 2 "$words" pair add users nobody &&
		run_fail 2 "$words" --json pair add &&
		run_fail 2 "$words" pair del &&
		run_fail 2 "$words" representor pair0 &&
		run_fail 2 "$words" -n 1 file show &&
		run_fail 2 "$words" top -d 0 &&
		run_fail 2 "$words" top -d nan
}

test_devices() {
	run_ok device show && grep -q '^ID ' "$work/stdout" &&
		grep -q ' software ' "$work/stdout" &&
		json 'd[-1]["name"] == "software"
		and len({x["id"] for x in d}) == len(d)' device &&
		json 'len(d) == 1 and d[0]["type"] == "software"' \
			device show dev software &&
		run_fail 1 "there is no device 'no_such'" device show dev no_such &&
		run_fail 1 "there is no device 'no_such'" queue dev no_such &&
		run_fail 1 "there is no device 'no_such'" top dev no_such &&
		json 'd == []' queue dev software || return
	[ -d /sys/class/infiniband/rxe0 ] || return 0
	json 'len(d) == 1 and d[0]["type"] == "rdma" and d[0]["ports"] == 1' \
		dev dev rxe0
}

# As the libraries know them, also where a soft RDMA device has that of its interface
test_addresses_are_those_of_doca_caps() {
	local caps
	caps=$(command -v doca_caps) && [ -d /sys/class/infiniband/rxe0 ] ||
		return 4
	"$caps" --list-devs --json > "$work/caps" &&
		json '{x["name"]: x.get("pci") for x in d} ==
		{x["ibdev_name"]: x["pci_addr"]
			for x in json.load(open("'"$work"'/caps"))["rows"]}' device &&
		json 'd[0]["pci"] == "0000:03:00.0"' device dev rxe0 &&
		run_ok device dev rxe0 && grep -q ' 0000:03:00.0 ' "$work/stdout"
}

test_renamed_device() {
	[ -d /sys/class/infiniband/rxe1 ] || return 4
	local id result
	run_ok --json device show dev rxe1 || return
	id=$(sed -nE 's/.*"id": *([0-9]+).*/\1/p' "$work/stdout")
	rdma dev set rxe1 name renamed || return
	json "len(d) == 1 and d[0]['id'] == $id" device show dev renamed &&
		run_fail 1 "there is no device 'rxe1'" device show dev rxe1
	result=$?
	rdma dev set renamed name rxe1 &&
		json "d[0]['id'] == $id" device show dev rxe1 && return $result
}

test_nothing_there() {
	local kind
	for kind in file memory mapping export worker queue dm; do
		run_ok $kind show && rows 0 && json 'd == []' $kind || return
	done
	json 'd["devices"] > 0 and sum(d.values()) == d["devices"]' summary
}

test_exporter() {
	start_export || return
	json 'len(d) == 1 and d[0]["state"] == "live" and d[0]["pid"] == p
		and d[0]["length"] == '$size' and d[0]["imports"] == 0
		and d[0]["comm"] == "doca_copy" and d[0]["uid"] == 0
		and d[0]["address"] > 0 and d[0]["any_user"] is False
		and "pci-read" in d[0]["access"]' export show &&
		json 'len(d) == 1 and d[0]["memories"] == 1 and d[0]["exports"] == 1
		and d[0]["pinned_bytes"] >= '$size file show pid $exporter &&
		json 'len(d) == 1 and d[0]["length"] == '$size memory &&
		json 'len(d) == 1 and d[0]["memory"] > 0 and "export" not in d[0]' \
			mapping show &&
		json 'd["exports"] == 1 and d["pinned_bytes"] >= '$size \
			summary || return
	run_ok export show && rows 1 && grep -q " live .* $exporter .*doca_copy$" \
		"$work/stdout" && run_ok summary &&
		grep -q '^exports:  1$' "$work/stdout"
}

test_importer_at_work() {
	local there=1
	size=$large start_export && start_import || return
	has_workers || there=0
	json 'len(lines) == 2
		and all(x["queues"][0]["pid"] == i for x in lines)
		and all(x["ops_per_s"] > 0 for x in lines)
		and all(x["bytes_per_s"] > 0 for x in lines)
		and all(("working_percent" in x["queues"][0]) == '$there'
			for x in lines)' top -d 0.5 -n 2 || return
	# The rest is seen at leisure.
	kill -STOP $importer
	json 'len(d) == 1 and d[0]["imports"] == 1' export &&
		json 'len(d) == 1 and d[0]["pid"] == i and d[0]["state"] == "run"
		and d[0]["completed"] > 0 and d[0]["bytes"] > 0
		and d[0]["errors"] == 0' queue show pid $importer &&
		json 'sum(1 for x in d if "export" in x and x["pid"] == i) == 1' \
			mapping &&
		json "len(d) == $there" worker show pid $importer &&
		json "all(x['working_ns'] > 0 and x['queues'] == 1 for x in d)" \
			worker || return
	run_ok top -d 0.2 -n 1 && grep -q '^1 queues: ' "$work/stdout" &&
		grep -q "OPS/S" "$work/stdout"
}

test_filters() {
	local file
	start_export || return
	file=$("$tool" --json file | python3 -c \
		'import json, sys; print(json.load(sys.stdin)["rows"][0]["file"])')
	run_ok memory show file "$file" && rows 1 &&
		run_ok memory show file $((file + 1)) && rows 0 &&
		run_ok memory show uid root pid $exporter && rows 1 &&
		run_ok memory show uid 1 pid $exporter && rows 0 &&
		run_ok mem pid $exporter && rows 1 &&
		run_fail 1 "there is no device 'no_such'" export dev no_such &&
		run_ok top -n 1 -d 0.1 pid $exporter && rows 1
}

# A row of a listing of users. $1: resource, $2: expression about it
row() {
	json '[x for x in d if x["uid"] == 0 and x["resource"] == "'"$1"'" and '"$2"'] != []' user
}

one_file() {
	row files 'x["used"] == 1' > /dev/null
}

test_users() {
	start_export || return
	# Files of ended processes still count for the user for a moment.
	await one_file && row exports 'x["used"] == 1 and x["limit"] > 1' &&
		row locked-bytes '"limit" not in x and x["used"] >= '$size &&
		json 'len({x["uid"] for x in d}) == 1' user show uid 0 &&
		json 'd == []' user uid 1 && run_ok user && grep -q '^UID  *RESOURCE ' "$work/stdout" &&
		as_user "$tool" user > "$work/stdout" && rows 0
}

test_metrics() {
	start_export && await one_file && run_ok metrics --users &&
		"$here/prom_format.py" < "$work/stdout" &&
		grep -qx 'doca_exports 1' "$work/stdout" &&
		grep -qx 'doca_user_exports{uid="0"} 1' "$work/stdout" &&
		grep -qx 'doca_listings_interrupted 0' "$work/stdout" &&
		grep -q '^doca_user_max_exports [1-9]' "$work/stdout" &&
		grep -q '^doca_device_queues{device="software",state="run"} ' "$work/stdout" || return
	cp "$work/stdout" "$work/metrics"
	json 'all("\ndoca_users_%s " % x["resource"].replace("-", "_") in
		open("'"$work"'/metrics").read() for x in d)' user || return
	as_user "$tool" metrics > "$work/stdout" 2> "$work/stderr" && return 1
	[ ! -s "$work/stdout" ] && grep -q "as root" "$work/stderr"
}

test_sos_collects_what_there_is() {
	local command n=0
	"$here/sos_commands.py" > "$work/commands" || return
	while read -r command; do
		n=$((n + 1))
		$command > "$work/stdout" 2> "$work/stderr" < /dev/null && continue
		echo "# '$command':"
		sed 's/^/# /' "$work/stderr"
		return 1
	done < "$work/commands"
	[ $n -ge 10 ]
}

only_export() {
	"$tool" --json export | python3 -c \
		'import json, sys; print(json.load(sys.stdin)["rows"][0]["export"])'
}

test_revoke() {
	local id
	size=$large start_export && start_import && kill -STOP $importer &&
		id=$(only_export) && run_ok revoke "$id" || return
	kill -CONT $importer
	if wait $importer; then
		echo "# the import went on"
		return 1
	fi
	importer=
	grep -q "copying failed" "$work/importer" &&
		json 'len(d) == 1 and d[0]["state"] == "revoked"
		and d[0]["imports"] == 0' export &&
		run_fail 1 "No export with this id" revoke "$id" &&
		grep -q "docactl export show" "$work/stderr" &&
		run_fail 1 "No export with this id" revoke 4294967295 || return
	# The exporter has not noticed anything; nobody can import any more.
	kill -0 $exporter && ! "$copy" import --desc "$work/d" \
		--out "$work/dst" 2> /dev/null && kill -TERM $exporter
	wait $exporter
	exporter=
}

test_revoke_several() {
	local id
	start_export && id=$(only_export) || return
	run_fail 1 "No export with this id" revoke 4294967295 "$id" &&
		json 'd[0]["state"] == "revoked"' export
}

test_other_user() {
	local id
	start_export && id=$(only_export) || return
	as_user "$tool" memory > "$work/stdout" && rows 0 || return
	as_user "$tool" device > "$work/stdout" &&
		grep -q software "$work/stdout" || return
	as_user "$tool" revoke "$id" 2> "$work/stderr" && return 1
	grep -q "needs CAP_SYS_ADMIN" "$work/stderr" &&
		grep -q "as root" "$work/stderr" &&
		json 'd[0]["state"] == "live"' export
}

# Nothing is claimed that was not asked for, and what is refused says why.
test_engines() {
	json 'all(e["state"] == "free" for e in d)' engine &&
		run_ok engine list && grep -q "^NAME  *STATE" "$work/stdout" &&
		run_fail 1 "there is no such device" engine add no_such &&
		grep -q "docactl engine list" "$work/stderr" &&
		run_fail 1 "there is no such engine" engine remove no_such &&
		run_fail 1 "there is no such engine" engine attach no_such software &&
		run_fail 1 "there is no device 'no_such'" engine attach x no_such &&
		run_fail 1 "no engine is attached" engine detach software ||
		return
	as_user "$tool" engine > /dev/null || return
	as_user "$tool" engine add no_such 2> "$work/stderr" && return 1
	grep -q "needs CAP_SYS_ADMIN" "$work/stderr" &&
		grep -q "as root" "$work/stderr" || return
	as_user "$tool" engine detach software 2> "$work/stderr" && return 1
	grep -q "needs CAP_SYS_ADMIN" "$work/stderr"
}

# Where there are devices at the two addresses these are taken, else two are made.
test_pair() {
	local dpu=pair0-dpu host=pair0-host caps
	if [ -d /sys/class/infiniband/rxe1 ]; then
		dpu=rxe0 host=rxe1
	fi
	run_ok pair && rows 0 && json 'd == []' representor &&
		run_ok pair add || return
	json 'len(d) == 1 and d[0]["pair"] == "pair0" and d[0]["users"] == "same"
		and d[0]["dpu"] == "'$dpu'" and d[0]["dpu_pci"] == "0000:03:00.0"
		and d[0]["host"] == "'$host'" and d[0]["host_pci"] == "0000:b1:00.0"' \
		pair show && run_ok pair show && rows 1 &&
		json 'len(d) == 1 and d[0]["vuid"] == "OPENDOCA-pair0"
		and d[0]["device"] == "'$dpu'" and d[0]["pci"] == "0000:b1:00.0"' \
			representor show && as_user "$tool" pair > /dev/null &&
		json 'd["pairs"] == 1' summary || return
	if caps=$(command -v doca_caps); then
		"$caps" --list-rep-devs --json > "$work/caps" || return
		python3 - "$work/caps" << 'END' || return
import json, sys
d = {x["pci_addr"]: x["representors"] for x in json.load(open(sys.argv[1]))["rows"]}
r = d.pop("0000:03:00.0")
assert len(r) == 1 and r[0]["vuid"] == "OPENDOCA-pair0", r
assert r[0]["pci_addr"] == "0000:b1:00.0" and r[0]["pci_func_type"] == "PF", r
assert not any(d.values()), d
END
	fi
	run_ok pair del pair0 && json 'd == []' pair &&
		json 'not any("pair0" in x["name"] for x in d)' device
}

test_pair_refused() {
	run_ok pair add || return
	run_fail 1 "there is a pair of this name" pair add &&
		grep -q "docactl pair show" "$work/stderr" &&
		run_fail 1 "in a pair already" pair add x dpu software &&
		grep -q "docactl pair add NAME" "$work/stderr" &&
		run_fail 1 "in a pair already" pair add x dpu software host b1:00.0 &&
		run_fail 1 "cannot be both sides" pair add x dpu software host software &&
		run_fail 1 "a name has" pair add x/y dpu 0000:03:00.0 host software &&
		run_fail 1 "there is no device 'no_such'" pair add x dpu no_such &&
		grep -q "docactl device" "$work/stderr" || return
	as_user "$tool" pair add x dpu 03:00.0 host software 2> "$work/stderr" && return 1
	grep -q "needs CAP_SYS_ADMIN" "$work/stderr" &&
		grep -q "as root" "$work/stderr" || return
	as_user "$tool" pair del pair0 2> "$work/stderr" && return 1
	grep -q "needs CAP_SYS_ADMIN" "$work/stderr" || return
	# One that is not there is no reason to leave the others.
	run_ok pair add second dpu 03:00.0 host software users any &&
		json 'd[1]["users"] == "any" and d[1]["host"] == "software"' pair &&
		run_fail 1 "there is no pair of this name" pair del no_such second pair0 &&
		json 'd == []' pair
}

two_ends_are_listed() {
	"$tool" --json connection > "$work/connections" &&
		[ "$(grep -c '"connection"' "$work/connections")" -eq 2 ]
}

# Both ends of a channel are in one process, which runs until it is killed.
test_comch() {
	local bench result
	bench=$(command -v doca_bench) && [ "$(nproc)" -gt 1 ] || return 4
	run_ok pair add && json 'd == []' comch show && json 'd == []' connection show || return
	"$bench" comch --seconds 60 > /dev/null 2>&1 &
	exporter=$!
	await two_ends_are_listed &&
		json 'sorted(e["role"] for e in d)[:2] == ["client", "server"]
			and all(e["pid"] == p and e["connections"] == 1 for e in d
				if e["role"] in ("client", "server"))
			and [(e["pair"], e["server"]) for e in d if e["role"] == "server"]
				== [("pair0", "doca_bench %d" % p)]' comch &&
		json '[(a["peer_file"], a["peer_queue"], a["peer_connection"]) for a in d]
			== [(a["file"], a["queue"], a["connection"]) for a in d[::-1]]' connection &&
		json 'd == []' comch pid 1 && run_ok comch &&
		grep -q "^FILE .*ROLE .*SERVER$" "$work/stdout" &&
		as_user "$tool" --json comch > "$work/own" && [ "$(tr -d ' \n' < "$work/own")" = '{"version":1,"rows":[]}' ]
	result=$?
	end_all
	"$tool" pair del pair0 && return $result
}

test_pair_of_one_device() {
	[ -d /sys/class/infiniband/rxe1 ] || return 4
	local netdev result
	netdev=$(cat /sys/class/infiniband/rxe1/parent) && rdma link delete rxe1 || return
	run_fail 1 "there is a device at 0000:03:00.0, but none at 0000:b1:00.0" pair add &&
		grep -q "host DEVICE" "$work/stderr" &&
		run_fail 1 "there is no device at 0000:b1:00.0 for the host" pair add dpu rxe0 &&
		run_ok pair add host software && json 'd[0]["dpu"] == "rxe0"' pair
	result=$?
	"$tool" pair del pair0
	rdma link add rxe1 type rxe netdev "$netdev" && return $result
}

# A monitor that does not listen yet misses what is told.
pair_is_heard() {
	grep -q ^pair-delete "$work/events" || { "$tool" pair add && "$tool" pair del pair0 && false; }
}

test_pair_monitor() {
	local pid
	"$tool" monitor > "$work/events" &
	pid=$!
	await pair_is_heard
	kill $pid
	wait $pid
	grep -q '^pair-add pair_id [0-9]* pair pair0 dpu_id [0-9]* dpu ' "$work/events" &&
		grep -q '^pair-delete pair_id [0-9]* pair pair0$' "$work/events"
}

# A name that steers terminals must not get through.
test_hostile_name() {
	local name=$work/$'\x1b[2J\xff"x'
	cp "$copy" "$name" && start_export "$name" || return
	json 'd[0]["comm"] == "?[2J?\"x"' file && run_ok file &&
		! grep -q $'\x1b' "$work/stdout"
}

test_monitor() {
	[ -d /sys/class/infiniband/rxe1 ] || return 4
	local netdev how
	netdev=$(cat /sys/class/infiniband/rxe1/parent) || return
	for how in '' --json; do
		"$tool" monitor $how > "$work/events" &
		local pid=$!
		# Until it listens it hears nothing.
		for _ in $(seq 20); do
			rdma link delete rxe1 &&
				rdma link add rxe1 type rxe netdev "$netdev"
			sleep 0.3
			[ "$(wc -l < "$work/events")" -ge 2 ] && break
		done
		kill $pid
		wait $pid
		if [ -n "$how" ]; then
			python3 - "$work/events" << 'END' || return
import json, sys
e = [json.loads(s) for s in open(sys.argv[1])]
d = [x for x in e if x["event"] == "delete"][0]
a = [x for x in e if x["event"] == "add"][-1]
assert a["name"] == d["name"] == "rxe1" and a["id"] > d["id"], e
assert a["type"] == "rdma" and "type" not in d, e
END
		else
			grep -q '^add id [0-9]* name rxe1 type rdma pci 0' \
				"$work/events" || return
			grep -q '^delete id [0-9]* name rxe1$' \
				"$work/events" || return
		fi
	done
}

test_monitor_ends_with_the_driver() {
	local workers=/sys/module/doca/parameters/workers pid result
	workers=$(cat $workers)
	"$tool" monitor > /dev/null 2> "$work/stderr" &
	pid=$!
	sleep 1
	kill -0 $pid && modprobe -r doca || return
	timeout 10 tail --pid=$pid -f /dev/null || kill $pid
	wait $pid
	result=$?
	modprobe doca workers="$workers" || return
	[ $result -eq 1 ] && grep -q "was unloaded" "$work/stderr"
}

test_cannot_write() {
	"$tool" device > /dev/full 2> "$work/stderr" && return 1
	grep -q "No space left" "$work/stderr"
}

# Last, for the driver is loaded anew.
test_without_driver() {
	doca_unload || return
	run_fail 1 "not loaded" device show && grep -q modprobe "$work/stderr"
	local result=$?
	doca_load && return $result
}

tests=$(compgen -A function test_ | grep -v test_without_driver)
ktap_plan $(($(echo "$tests" | wc -l) + 1))
for test in $tests test_without_driver; do
	ktap_test "${test#test_}" $test
	end_all
done
ktap_end
