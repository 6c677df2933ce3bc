/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Properties of RDMA devices. */
#ifndef DOCA_RDMA_HCA_H
#define DOCA_RDMA_HCA_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include <doca_error.h>
#include <doca_types.h>

struct doca_devinfo;

/* Properties that never change. */
struct rdma_hca {
	bool atomics;
	bool ethernet; /* its link layer; otherwise InfiniBand */
	uint32_t max_message; /* bytes */
	uint32_t max_send_queue;
	uint32_t max_receive_queue;
	uint32_t max_tasks; /* number in one context */
	uint32_t send_list; /* buffers of a list */
	uint32_t read_list; /* likewise of a task that reads */
	uint32_t receive_list;
	uint32_t gids; /* size of the table */
	uint8_t rd_atomic; /* reads and atomic operations in flight, of a peer */
	uint8_t init_rd_atomic; /* and of our own */
};

/* The way in which a context uses the port. */
struct rdma_port {
	enum ibv_mtu mtu; /* active one */
	uint16_t lid;
	uint32_t gid_index;
	union ibv_gid gid;
	uint32_t scope; /* index of the GID's interface; 0: it has none */
};

#define RDMA_MAX_GIDS 1024

/* The GIDs of the port that are addresses, each once. */
struct rdma_gids {
	uint32_t nr;
	struct ibv_gid_entry entries[RDMA_MAX_GIDS];
};

/*
 * Get the properties of a device. Return NOT_SUPPORTED if it has no connections of the
 * kind that is meant here, or DRIVER, with a line in the log.
 */
doca_error_t rdma_hca_ask(const struct doca_devinfo *devinfo,
			  struct rdma_hca *hca);

/* Both enumerations have the powers of two from 256 on. */
static inline enum ibv_mtu rdma_mtu_of(enum doca_mtu_size mtu)
{
	return (enum ibv_mtu)((unsigned int)mtu + IBV_MTU_256);
}

static inline enum doca_mtu_size rdma_mtu_from(enum ibv_mtu mtu)
{
	return (enum doca_mtu_size)((unsigned int)mtu - IBV_MTU_256);
}

/* Get the active MTU and the LID. Return 0 or a negative errno. */
int rdma_port_ask(struct ibv_context *context, struct rdma_port *port);

/*
 * Choose the GID for connections: an IPv4 address of RoCE v2, else an IPv6 address that is not
 * of the link alone, else one of the link. Return -ENOENT if there is none.
 */
int rdma_gid_choose(struct ibv_context *context, uint32_t *index);

/* Return 0 or a negative errno. */
int rdma_gids_ask(struct ibv_context *context, struct rdma_gids *gids);

#endif /* DOCA_RDMA_HCA_H */
