#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# The manual as people read it: rendered, with quotes that close and columns that stand apart,
# and with each command, option and library that there is.

here=$(dirname "$(realpath "$0")")
. "$here/../lib/ktap.sh"
. "$here/../lib/tool.sh"

trap 'rm -rf "$work"' EXIT
man=$here/../../Documentation/man
command -v groff >/dev/null || ktap_skip_all "needs groff"
command -v python3 >/dev/null || ktap_skip_all "needs python3"

for page in "$man"/*.[1-9]; do
	groff -mandoc -Tutf8 -P-cbou -rLL=100n -rHY=0 "$page" >"$work/${page##*/}" 2>"$work/err" ||
		ktap_skip_all "groff has no mdoc"
done

# $1: what is looked for, $2...: pages
looks() {
	python3 "$here/manual.py" "$@" >"$work/found"
	sed 's/^/# /' "$work/found"
	[ ! -s "$work/found" ]
}

test_quotes_are_closed() {
	looks quotes "$work"/*.[1-9]
}

test_keys_of_json_have_quotes() {
	looks keys "$work"/*.[1-9]
}

test_columns_stand_apart() {
	looks columns "$work"/*.[1-9]
}

test_what_is_looked_for_is_found() {
	looks self
}

# $1: page; reads a word a line
names() {
	local word missing=
	while read -r word; do
		grep -Eq -- "(^|[^[:alnum:]_-])$word([^[:alnum:]_-]|\$)" "$work/$1" ||
			missing="$missing $word"
	done
	[ -z "$missing" ] || echo "# $1 does not name$missing"
	[ -z "$missing" ]
}

# The alternatives that a complaint ends with.
alternatives() {
	sed -n "s/.*it is one of //p" "$work/stderr" | sed 's/ or /, /; s/, /\n/g'
}

test_each_command_is_named() {
	local tool_name page bad=0
	for tool_name in doca_apsh doca_apsh_map doca_bench doca_file docactl; do
		[ -x "${BUILD:-/}/tools/$tool_name" ] || [ -z "${BUILD:-}" ] || continue
		tool_find $tool_name
		page=$(basename "$man"/$tool_name.[1-9])
		run_fail 2 "it is one of" nonsense && alternatives >"$work/words" || return
		[ "$(wc -l <"$work/words")" -gt 3 ] && names "$page" <"$work/words" || bad=1
	done
	printf '%s\n' export import help | names doca_copy.1 || bad=1
	printf '%s\n' target record | names doca_apsh.1 || bad=1
	tool_find doca_caps
	run_fail 2 "it is one of" --lib x && alternatives | names doca_caps.1 || bad=1
	return $bad
}

test_each_option_is_named() {
	local tool_name page bad=0
	for tool_name in doca_apsh doca_apsh_map doca_bench doca_caps doca_copy doca_file doca_zc docactl; do
		[ -x "${BUILD:-/}/tools/$tool_name" ] || [ -z "${BUILD:-}" ] || continue
		tool_find $tool_name
		page=$(basename "$man"/$tool_name.[1-9])
		run_ok --help && grep -oE -- '(^|[ ,[])--[a-z][a-z-]*' "$work/stdout" |
			tr -d ' ,[' | sort -u | names "$page" || bad=1
	done
	return $bad
}

# But those that onload(1) loads.
test_each_library_is_named() {
	sed -n 's/^$(call library,\([^,]*\),.*/lib\1/p' "$here/../../lib/libs.mk" |
		grep -vxE 'libonload(_xdp)?' >"$work/words"
	[ "$(wc -l <"$work/words")" -gt 7 ] && sed -n '/Library  /,/^$/p' "$work/doca.7" >"$work/table" &&
		names table <"$work/words"
}

ktap_all
