#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Programs that compute, without the module.

here=$(dirname "$(readlink -f "$0")")
COMPUTE_FILES=${BUILD:-$here/../../build}/selftests/process/compute_files \
	exec "$here/../../selftests/api/compute.sh"
