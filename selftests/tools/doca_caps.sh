#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Tests of doca_caps. They need the driver, and root to unload it.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/module.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes

[ -c /dev/doca ] || ktap_skip_all "needs the driver"
tool_find doca_caps

# A Python expression about what was printed, as r, must hold.
json() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r.pop("version") == 1
r = r.get("rows", r)
if not eval(sys.argv[2]):
	print("#", sys.argv[2], "does not hold in", json.dumps(r))
	sys.exit(1)' "$work/stdout" "$1"
}

# Name and value, with any blanks between them.
has() {
	grep -Eq "^ *$1 +$2\$" "$work/stdout" && return
	echo "# no '$1 $2' in:"
	sed 's/^/# /' "$work/stdout"
	return 1
}

has_rxe() {
	[ -e /sys/class/infiniband/rxe0 ]
}

test_usage() {
	run_fail 2 "unexpected argument 'x'" x &&
		run_fail 2 "one list at a time" --list-devs --list-libs &&
		run_fail 2 "no library with capabilities" --lib other &&
		run_fail 2 "there cannot be '--lib'" --lib dma --list-devs &&
		run_fail 2 "there cannot be '--pci-addr'" -p 03:00.0 --list-libs &&
		run_fail 2 "there cannot be '--pci-addr'" -p 03:00.0 --levels &&
		run_fail 2 "there cannot be '--pci-addr'" -p 03:00.0 --drivers &&
		run_fail 2 "one list at a time, not also '--drivers'" --levels --drivers &&
		run_fail 2 "one list at a time" --levels --list-libs
}

test_the_software_device_can_copy() {
	run_ok && grep -q '^PCI: none$' "$work/stdout" &&
		has task_memcpy supported && has mmap_export_pci supported &&
		has hotplug_manager unsupported &&
		has task_memcpy_max_buf_size '[1-9][0-9]+'
}

test_one_library() {
	run_ok --lib dma --json && json 'len(r) >= 1' &&
		json 'all(set(d) == {"pci_addr", "dma"} for d in r)' &&
		json 'all(d["dma"]["task_memcpy"] is True for d in r)' &&
		json 'all(d["dma"]["task_memcpy_max_buf_list_len"] >= 1 for d in r)'
}

# The device in software has capabilities of each library that has any.
test_every_library_is_asked() {
	run_ok -p software --json && json 'set(r[0]) >= {"pci_addr", "common",
		"dm", "dma", "dpdk_bridge", "eth", "mmap_advise", "sync_event"}' &&
		json 'r[0]["dma"]["max_num_tasks"] >= 64' &&
		json 'r[0]["mmap_advise"]["task_cache_invalidate"] is True' &&
		json 'r[0]["mmap_advise"]["task_cache_invalidate_max_buf_size"] > 0' &&
		run_ok -p software && has task_cache_invalidate supported
}

# RDMA devices alone reach events by a network.
test_sync_events() {
	run_ok --lib sync_event --json || return
	json 'all(len(d["sync_event"]) == 14 for d in r)' &&
		json 'all(v is ("dpa" not in k and "gpu" not in k) for d in r
			for k, v in d["sync_event"].items() if "net" not in k)' &&
		run_ok -p software --lib sync_event && has task_wait_gt supported &&
		has export_to_remote_pci supported && has export_to_gpu unsupported &&
		has export_to_remote_net unsupported || return
	! has_rxe || { run_ok -p rxe0 --lib sync_event && has export_to_remote_net supported &&
		has remote_net_create_from_export supported &&
		has remote_net_export_to_gpu unsupported; }
}

# The numbers are those that doca_rdma_set_gid_index() takes.
test_rdma() {
	has_rxe || return 4
	run_ok -p rxe0 --lib rdma && has task_send supported &&
		has task_atomic_fetch_add supported &&
		has transport_type_rc supported && has transport_type_dc unsupported &&
		has max_message_size '[1-9][0-9]+' && has gids '0 fe80:.*, 1 ::ffff:192.0.2.1.*' &&
		run_ok -p software --lib rdma && has task_send unsupported &&
		has gids unknown
}

# $1: driver of device memory, also of each device
tells_driver() {
	run_ok --drivers && has device_memory "$1" && has driver "$1" &&
		run_ok --drivers --json &&
		json "r == {'driver': '$1', 'device_memory': '$1'}" &&
		run_ok --lib dm && has driver "$1" &&
		run_ok --lib dm --json &&
		json "all(d['dm'] == {'driver': '$1'} for d in r)"
}

test_the_driver_of_device_memory() {
	tells_driver kernel && DOCA_DRIVER=auto tells_driver kernel &&
		DOCA_DRIVER=kernel tells_driver kernel &&
		DOCA_DRIVER=process tells_driver process
}

# As somebody who may not open the driver: what has failed is told, and nothing instead.
test_the_driver_that_may_not_be_opened() {
	local whole=$tool tool=$work/as_nobody strict=
	printf '#!/bin/sh\nexec setpriv --reuid 54321 --regid 54321 --clear-groups "%s" "$@"\n' \
		"$whole" > "$tool" && chmod +x "$tool" && chmod 755 "$work" || return
	for DOCA_DRIVER in '' auto kernel; do
		export DOCA_DRIVER
		run_ok --drivers && has device_memory unknown &&
			grep -q "no permission to open /dev/doca" "$work/stderr" &&
			run_ok --drivers --json &&
			json "r == {'driver': None, 'device_memory': None}" || return
	done
	DOCA_DRIVER=other
	run_ok --drivers && has device_memory unknown &&
		grep -q "none of auto, kernel and process" "$work/stderr" || return
	DOCA_DRIVER=process
	run_ok --drivers && has device_memory process
	set -- $?
	unset DOCA_DRIVER
	return "$1"
}

# Where it is not installed nothing is known.
test_the_dpdk_bridge() {
	run_ok --lib dpdk_bridge
	if "$tool" --list-libs | grep -q 'dpdk_bridge *installed'; then
		has rep_port unsupported
	else
		has rep_port unknown
	fi
}

test_one_device() {
	has_rxe || return 4
	run_ok -p rxe0 --list-devs && has ibdev_name rxe0 &&
		[ "$(grep -c ^PCI: "$work/stdout")" = 1 ] &&
		run_ok -p 03:00.0 --list-devs && has ibdev_name rxe0 &&
		run_ok --pci-addr 0000:03:00.0 && has task_memcpy supported &&
		run_fail 1 "there is no device '04:00.7'" -p 04:00.7 &&
		run_fail 1 "there is no device 'rxe9'" -p rxe9
}

test_properties_are_those_of_the_interface() {
	local iface mac
	has_rxe || return 4
	iface=$(cat /sys/class/infiniband/rxe0/parent)
	mac=$(cat "/sys/class/net/$iface/address")
	run_ok --list-devs -p rxe0 --json && json 'len(r) == 1' &&
		json 'r[0]["pci_addr"] == "0000:03:00.0"' &&
		json "r[0]['iface_name'] == '$iface'" &&
		json "r[0]['mac_addr'] == '$mac'"
}

test_every_device_is_listed() {
	local name
	run_ok --list-devs --json || return
	for name in $(ls /sys/class/infiniband 2> /dev/null); do
		json "'$name' in [d['ibdev_name'] for d in r]" || return
	done
	json 'r[-1]["ibdev_name"] == "software"' &&
		json 'r[-1]["pci_addr"] is None'
}

test_there_are_no_representors() {
	run_ok --list-rep-devs && has representors none &&
		run_ok --list-rep-devs --json &&
		json 'all(d["representors"] == [] for d in r)'
}

test_targets_are_representors() {
	mkdir "$work/targets" &&
		echo '{"vuid": "V1", "device": "any", "memory": {"kcore": true}}' \
			>"$work/targets/here.json" || return
	export DOCA_TARGETS_DIR="$work/targets"
	run_ok --list-rep-devs --json &&
		json 'all(x["vuid"] for d in r for x in d["representors"])' &&
		json 'all(len(d["representors"]) == 1 for d in r)'
	result=$?
	unset DOCA_TARGETS_DIR
	return $result
}

test_libraries_are_installed() {
	run_ok --list-libs && has common installed && has dma installed &&
		has sync_event installed &&
		run_ok --list-libs --json && json 'r["libraries"]["argp"] == r["libraries"]["dm"] == "installed"'
}

test_levels_are_installed() {
	local level
	for level in 3.0 1.5 1.3; do
		run_ok --levels && has "$level" installed &&
			run_ok --levels --json &&
			json "r['levels']['$level'] == 'installed'" || return
	done
}

test_what_cannot_be_written_is_an_error() {
	"$tool" > /dev/full 2> "$work/stderr"
	[ $? -eq 1 ] && grep -q "cannot write" "$work/stderr"
}

# There is always a device in software, so that there is none at all is a failure.
test_without_driver() {
	local how result=0
	[ "$(id -u)" -eq 0 ] || return 4
	doca_unload || return
	for how in '' --json --list-devs --list-rep-devs '--lib dma' '-p rxe0'; do
		# shellcheck disable=SC2086
		DOCA_DRIVER=kernel run_fail 1 "there is no DOCA device" $how &&
			grep -q "modprobe doca" "$work/stderr" || result=1
	done
	# Those of RDMA devices, which need no driver, are there, too.
	strict='' run_ok --list-devs --json &&
		json "[d['iface_name'] for d in r if d['iface_kind'] == 'made up'] == ['p0', 'p1']" &&
		grep -q "in-process driver (no /dev/doca)" "$work/stderr" || result=1
	strict='' DOCA_DRIVER=other run_fail 1 "not connected" --list-devs || result=1
	run_ok --list-libs && has dma installed || result=1
	DOCA_DRIVER=process run_ok --drivers && has device_memory process || result=1
	strict='' run_ok --drivers && has device_memory process &&
		grep -q "as there is no /dev/doca" "$work/stderr" || result=1
	strict='' DOCA_DRIVER=kernel run_ok --drivers && has device_memory unknown &&
		grep -q "load doca.ko" "$work/stderr" || result=1
	doca_load && return $result
}

ktap_all
