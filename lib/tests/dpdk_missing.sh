#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# In place of the tests of the DPDK bridge, where it was not built.
echo "KTAP version 1"
echo "1..1"
echo "ok 1 dpdk # SKIP libdpdk-dev is not installed"
