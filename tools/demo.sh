#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# demo.sh [FILE]: one process exports a file's bytes from its memory, another
# copies them out of it by DMA, and sha256sum, which knows nothing of either, says
# whether the copy is right.
#
# The driver must be loaded. Settings, from the environment:
#   FILE        file to copy, if none is given (default: this kernel's image)
#   DEV         device, by PCI address or name (default: 03:00.0)
#   BUILD       build directory (default: build/ beside tools/); what is installed
#               is used if nothing was built there
#   DOCA_COPY   the program (default: that of BUILD, else the installed one)

set -eu

here=$(dirname "$(realpath "$0")")
file=${1:-${FILE:-/boot/vmlinuz-$(uname -r)}}
dev=${DEV:-03:00.0}
build=${BUILD:-$here/../build}
dir=$(mktemp -d)
exporter=

die() {
	echo "demo: $*" >&2
	exit 1
}

clean_up() {
	[ -z "$exporter" ] || kill "$exporter" 2>/dev/null || :
	rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# The exporter has something to say only until its descriptor is there.
wait_for_descriptor() {
	tries=600
	until [ -e "$dir/desc/buffer.txt" ]; do
		kill -0 "$exporter" 2>/dev/null || die "the exporter failed"
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "the exporter does not get ready"
		sleep 0.1
	done
}

[ -r "$file" ] || die "cannot read $file; name another by FILE="
if [ -x "$build/tools/doca_copy" ]; then
	LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
	copy=${DOCA_COPY:-$build/tools/doca_copy}
else
	copy=${DOCA_COPY:-doca_copy}
fi

echo "demo: device $dev, file $file"
"$copy" export "$file" --desc "$dir/desc" --dev "$dev" --once &
exporter=$!
wait_for_descriptor
"$copy" import --desc "$dir/desc" --out "$dir/copy" --dev "$dev" ||
	die "the import failed"
wait "$exporter" || die "the exporter failed"
exporter=

source_sum=$(sha256sum < "$file")
copy_sum=$(sha256sum < "$dir/copy")
echo "sha256 of the source: ${source_sum%% *}"
echo "sha256 of the copy:   ${copy_sum%% *}"
[ "$source_sum" = "$copy_sum" ] || die "the copy differs from the source"
echo "demo: OK"
