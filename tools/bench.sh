#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# bench.sh [OPTION]...: measure the driver, which must be loaded, with the options of
# doca_bench. Its figures are those of the machine at this moment: whatever else
# runs on the same CPUs, on the host of a virtual machine too, spoils them.
#
# Settings, from the environment:
#   BUILD             build directory (default: build/ beside tools/); what is
#                     installed is used if nothing was built there
#   DOCA_BENCH_ARGS   options for doca_bench, before those that are given
#   DOCA_ZC           how zero-copy receive is to go (default: xdp); see onload_zc(3)

set -eu

here=$(dirname "$(realpath "$0")")
build=${BUILD:-$here/../build}
bench=doca_bench
if [ -x "$build/tools/doca_bench" ]; then
	LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
	bench=$build/tools/doca_bench
fi
# One way to receive datagrams is there under onload alone, if that was not left out.
onload=$(dirname "$(command -v "$bench")")/onload
under=
case " ${DOCA_BENCH_ARGS:-} $* " in
*" datagrams "*)
	[ ! -x "$onload" ] || under=$onload
	DOCA_ZC=${DOCA_ZC:-xdp}
	export DOCA_ZC
	;;
esac
# shellcheck disable=SC2086
exec $under "$bench" ${DOCA_BENCH_ARGS:-} "$@"
