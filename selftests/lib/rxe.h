/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The soft-RoCE device of test machines, for tests that take it away. */
#ifndef DOCA_TEST_RXE_H
#define DOCA_TEST_RXE_H

/* As it was, for the next test; it is the first interface's. */
#define RXE0_RESTORE                                                           \
	"rdma link show rxe0/1 >/dev/null 2>&1 || "                            \
	"rdma link add rxe0 type rxe netdev "                                  \
	"$(ls -d /sys/bus/pci/devices/0000:03:00.0/virtio*/net/* "             \
	"| xargs -n1 basename)"
#define RXE0_REMOVE "rdma link delete rxe0"

#endif
