# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
# shellcheck shell=bash
#
# For the tests of a tool, after ktap.sh: tool_find NAME, and what it does is in
# $work/stdout and $work/stderr.
#
#   BUILD    build directory whose programs are tested (default: what is installed)
#   strict   not empty: a success leaves nothing on stderr, a failure nothing on stdout

work=$(mktemp -d)
chmod 755 "$work"
tool=

tool_find() {
	tool=$(command -v "$1")
	if [ -n "${BUILD:-}" ]; then
		export LD_LIBRARY_PATH="$BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
		tool=$BUILD/tools/$1
	fi
	[ -x "$tool" ] || ktap_skip_all "needs $1"
}

# The tool must succeed, or fail with this code and these words on stderr.
run_ok() {
	"$tool" "$@" > "$work/stdout" 2> "$work/stderr" < /dev/null &&
		{ [ -z "${strict:-}" ] || [ ! -s "$work/stderr" ]; } && return
	echo "# '$*':"
	sed 's/^/# /' "$work/stderr"
	return 1
}

run_fail() {
	local wanted=$1 words=$2 code
	shift 2
	"$tool" "$@" > "$work/stdout" 2> "$work/stderr" < /dev/null
	code=$?
	[ $code -eq "$wanted" ] && grep -q -- "$words" "$work/stderr" &&
		{ [ -z "${strict:-}" ] || [ ! -s "$work/stdout" ]; } && return
	echo "# '$*': exit code $code, not $wanted, or not '$words':"
	sed 's/^/# /' "$work/stderr"
	return 1
}
