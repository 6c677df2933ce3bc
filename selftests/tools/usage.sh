#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# All tools have these in common: help, version, and messages about mistakes on their
# command line. No driver is needed, for nothing gets as far.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
strict=yes
tools="doca_apsh doca_apsh_map doca_bench doca_caps doca_copy doca_file doca_zc docactl"

for name in $tools; do
	tool_find $name
done

# The tool's output has a line that begins with these words.
prints() {
	local words=$1
	shift
	run_ok "$@" && grep -q -m 1 -- "^$words" "$work/stdout" && return
	echo "# '$*' does not print '$words'"
	return 1
}

# Wrong usage, which is told with these words, by the tool's name, and where help is.
refuses() {
	run_fail 2 "$@" &&
		[ "$(wc -l < "$work/stderr")" -eq 2 ] &&
		grep -q "^[^ ]*${tool##*/}: " "$work/stderr" &&
		grep -q "^Try '${tool##*/} --help'.$" "$work/stderr" && return
	sed 's/^/# /' "$work/stderr"
	return 1
}

test_an_option_means_the_same_everywhere() {
	local version=$(cat "$here/../../VERSION")
	for name in $tools; do
		tool_find "$name"
		prints "$name (Open DOCA) $version, DOCA 3" -v &&
			prints "$name (Open DOCA) $version, DOCA 3" --version &&
			prints "Usage: $name" -h &&
			prints "Usage: $name" --help &&
			grep -q -- '^  -v, --version ' "$work/stdout" &&
			refuses "invalid option -- 'V'" -V || return
	done
}

test_options_that_there_are_not() {
	for name in $tools; do
		tool_find "$name"
		refuses "unrecognized option '--no-such'" --no-such &&
			refuses "invalid option -- 'x'" -x || return
	done
}

test_help_is_a_command_where_there_are_commands() {
	tool_find docactl
	prints "Usage: docactl" help && grep -q "^Examples:" "$work/stdout" &&
		prints "Usage: docactl queue " help queue &&
		prints "Usage: docactl revoke EXPORT" help revoke &&
		prints "Usage: docactl memory " help mem &&
		prints "Usage: docactl user " help u &&
		refuses "'x' is no command" help x &&
		refuses "unexpected argument 'file'" help queue file || return
	tool_find doca_copy
	prints "Usage: doca_copy" help || return
	tool_find doca_bench
	prints "Usage: doca_bench" help
}

test_what_there_is_instead_is_named() {
	tool_find docactl
	refuses "no command given" &&
		refuses "'nonsense' is no command; it is one of device, file, memory, mapping, export, queue, dm, engine, pair, representor, comch, connection, worker, user, summary, top, monitor, metrics, revoke or help$" nonsense &&
		refuses "'' is no command" '' &&
		refuses "'m' .* may be memory, mapping, monitor or metrics$" m &&
		refuses "'me' is no filter; it is one of file, pid, uid or dev$" \
			file me || return
	tool_find doca_bench
	refuses "'bogus' is no plan; it is one of throughput, latency, events, process, comch, rdma, compute, engines or help$" \
		bogus || return
	tool_find doca_caps
	refuses "'x' is no library .*; it is one of common, dma, comch, sha, aes_gcm, compress, erasure_coding, eth, rdma, dm, apsh, dpdk_bridge, mmap_advise or sync_event$" \
		--lib x
}

test_values_that_are_missing() {
	tool_find docactl
	refuses "pid: the value is missing" file show pid &&
		refuses "revoke: the number of an export is missing" revoke &&
		refuses "requires an argument -- 'n'" top -n || return
	tool_find doca_copy
	refuses "no file given" &&
		refuses "no destination given for 'a'" a &&
		refuses "export: no file given" export &&
		refuses "import: --desc DIR is missing" import &&
		refuses "import: --out FILE is missing" import --desc d &&
		refuses "option '--depth' requires an argument" a b --depth ||
		return
	tool_find doca_caps
	refuses "requires an argument -- 'p'" -p || return
	tool_find doca_bench
	refuses "--depths: the list is empty" --depths , &&
		refuses "--csv: the name is empty" --csv ''
}

test_what_comes_behind_the_last_argument() {
	tool_find docactl
	refuses "summary: unexpected argument 'x'" summary x &&
		refuses "monitor: unexpected argument 'all'" monitor all &&
		refuses "metrics: unexpected argument 'uid'" metrics uid 1 ||
		return
	tool_find doca_copy
	refuses "unexpected argument 'c'" a b c &&
		refuses "unexpected argument 'x'" export a x --desc d || return
	tool_find doca_zc
	refuses "unexpected argument '2'" 1 2 &&
		refuses "PID: '0' is not a number from 1 to" 0 &&
		refuses "PID: 'x' is not a number from 1 to" x || return
	tool_find doca_caps
	refuses "unexpected argument 'x'" --list-devs x || return
	tool_find doca_bench
	refuses "one plan at a time, not also 'events'" latency events
}

test_numbers() {
	local n
	tool_find docactl
	for n in -1 -12 4294967296 99999999999999999999 0x10 1x ' 1' +1 ''; do
		refuses "'$n' is not a number from 0 to 4294967295" \
			revoke "$n" &&
			refuses "'$n' is not a number from 0 to 4294967295" \
				file show pid "$n" &&
			refuses "count: '$n' is not a number" top -n "$n" ||
			return
	done
	refuses "'-3' is not a number" revoke 1 -3 2 &&
		refuses "delay: '-1' is not between" top -d -1 || return
	tool_find doca_copy
	for n in 0 -1 5G 99999999999999999999 99999999999999999999K \
		18014398509481985K 1x 1KB ''; do
		refuses "chunk: '$n' is not a number from 1 to 4294967295" \
			a b --chunk "$n" || return
	done
	refuses "depth: '8K' is not a number from 1 to 65535" a b --depth 8K ||
		return
	tool_find doca_bench
	for n in -1 4097 99999999999999999999 1x; do
		refuses "depths: '$n' is not a number from 1 to 4096" \
			--depths "1,$n" || return
	done
	refuses "seconds: 'nan'" --seconds nan &&
		refuses "sizes: '0' is not a number" --sizes 0
}

test_engines() {
	local long
	long=$(printf '%064d' 0)
	tool_find docactl
	prints "Usage: docactl engine " help eng &&
		refuses "'x' is no engine command; it is one of list, show, add, remove, attach or detach$" \
			engine x &&
		refuses "engine: unexpected argument 'dev'" engine list dev x &&
		refuses "engine: the name of a device is missing" engine add &&
		refuses "engine: the name of a device is missing" engine rem &&
		refuses "engine attach: to which device" engine attach a &&
		refuses "engine: the name of a device is missing" engine detach &&
		refuses "engine: '' is not the name of a device" engine add a '' &&
		refuses "engine: '$long' is not the name" engine remove "$long" &&
		refuses "json is only for the list" --json engine add a
}

test_a_filter_is_given_once() {
	tool_find docactl
	refuses "pid is given more than once" file pid 1 pid 2 &&
		refuses "users is given more than once" pair add users any users same &&
		refuses "a representor belongs to no file; it has no filter" representor file 3 &&
		refuses "uid is given more than once" file uid root uid 0 &&
		refuses "uid is given more than once" file uid 0 uid root &&
		refuses "uid: there is no user 'no-such-user'" file uid no-such-user &&
		refuses "dev is given more than once" queue dev a dev b
}

ktap_all
