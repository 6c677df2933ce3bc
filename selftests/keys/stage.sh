#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# stage.sh FOLDER PROGRAM NUMBER: in a guest, as root, run the program, which stops after each of its
# steps; say in FOLDER that it has come so far, and wait until the memory was searched.
# Meanwhile what can tell of keys does: traces, listings, and a core file.

folder=$1
# It is in memory, and so is the core file.
cd /dev/shm || exit 1

show() {
	: >"$folder/$1"
	until [ -e "$folder/$1.seen" ]; do
		sleep 0.2
	done
}

echo core >/proc/sys/kernel/core_pattern &&
	echo 1 >/sys/kernel/tracing/events/doca/enable &&
	echo 'module doca +p' >/sys/kernel/debug/dynamic_debug/control || exit 1

coproc keys { exec "$2" "$3"; }
pid=$!
exec 5<&"${keys[0]}" 6>&"${keys[1]}"
while read -r step <&5; do
	! command -v docactl >/dev/null || docactl file >listing || exit 1
	show "$step"
	echo >&6
done
wait "$pid" || exit 1
ls -l core* && show ended && cp core* "$folder/part" && mv "$folder/part" "$folder/core"
