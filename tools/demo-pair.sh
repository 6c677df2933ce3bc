#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# demo-pair.sh [FILE]: the programs of a host and of its DPU, each a process of this
# machine. They send messages, stream a file, copy it by DMA, and wait for each other;
# sha256sum, which knows nothing of them, says whether the file has come through.
#
# The samples must be built, and the driver be loaded; the pair is made here, which needs
# root. With DOCA_DRIVER=process there is a pair. Settings, from the environment:
#   FILE        file to send, if none is given (default: this kernel's image)
#   BUILD       build directory (default: build/ beside tools/)

set -eu -o pipefail

here=$(dirname "$(realpath "$0")")
file=${1:-${FILE:-/boot/vmlinuz-$(uname -r)}}
build=${BUILD:-$here/../build}
dir=$(mktemp -d)
pair= # name of the pair that was made here
dpu= # process of the DPU's side
export DOCA_COMCH_CONNECT_MS=${DOCA_COMCH_CONNECT_MS:-30000} # for machines under load

die() {
	echo "demo: $*" >&2
	exit 1
}

clean_up() {
	[ -z "$dpu" ] || kill "$dpu" 2>/dev/null || :
	[ -z "$pair" ] || docactl pair del "$pair" || :
	rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# One side, which says who it is.
run() {
	stdbuf -oL "$build/samples/$1" "${@:2}" 2>&1 | sed -u "s/^/$2: /"
}

# A sample: both sides, with the arguments for each.
run_pair() {
	local name=$1
	echo "demo: $name"
	run "$name" dpu ${2:+-f "$2"} &
	dpu=$!
	run "$name" host ${3:+-f "$3"} || die "$name failed on the host"
	wait $dpu || die "$name failed on the DPU"
	dpu=
}

compare() {
	local sum
	sum=$(sha256sum <"$1")
	echo "sha256 of the $2: ${sum%% *}"
	[ "$sum" = "$file_sum" ] || die "the $2 differs from the file"
}

[ -r "$file" ] || die "cannot read $file; name another by FILE="
[ -x "$build/samples/comch_ping" ] || die "the samples are not built: run 'make samples'"
if [ -d "$build/lib" ]; then
	export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	PATH=$build/tools:$PATH
fi
if [ "${DOCA_DRIVER:-}" != process ]; then
	docactl pair add demo
	pair=demo
	docactl pair show
fi

file_sum=$(sha256sum <"$file")
compare "$file" "file"
run_pair comch_ping
run_pair comch_stream "$dir/streamed" "$file"
compare "$dir/streamed" "streamed file"
run_pair dma_pair "$dir/copied" "$file"
compare "$dir/copied" "copied file"
run_pair sync_event_pair
echo "demo: OK"
