/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Descriptors of connections, which the two sides exchange: all that a queue pair has to know
 * of its peer.
 */
#ifndef DOCA_RDMA_DESC_H
#define DOCA_RDMA_DESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#define RDMA_DESC_SIZE 96
#define RDMA_DESC_VERSION 1

struct rdma_end {
	bool ethernet;
	enum ibv_mtu mtu;
	uint8_t rd_atomic; /* reads and atomic operations that it answers at a time */
	uint8_t sl;
	uint8_t port;
	uint16_t lid;
	uint32_t qp_num;
	uint32_t psn;
	union ibv_gid gid;
};

void rdma_desc_write(uint8_t desc[RDMA_DESC_SIZE], const struct rdma_end *end);

/* Return NULL, or what is wrong with the bytes. */
const char *rdma_desc_read(const void *desc, size_t size, struct rdma_end *end);

#endif /* DOCA_RDMA_DESC_H */
