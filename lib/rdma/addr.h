/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Addresses of peers, and their forms. */
#ifndef DOCA_RDMA_ADDR_H
#define DOCA_RDMA_ADDR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include <infiniband/verbs.h>

#include <doca_rdma.h>

#define RDMA_ADDR_TEXT 64 /* bytes; the longest is IPv6 with an interface */

struct doca_rdma_addr {
	enum doca_rdma_addr_type type;
	bool of_connection; /* it goes with its slot, not by the program */
	uint16_t port;
	uint32_t scope; /* index of the interface, of addresses of a link; 0: none */
	union ibv_gid gid; /* IPv4 is ::ffff:a.b.c.d */
	char text[RDMA_ADDR_TEXT];
};

/* Allocate one of a connection. Return NULL if there is no memory. Freeing NULL is fine. */
struct doca_rdma_addr *rdma_addr_alloc(void);
void rdma_addr_free(struct doca_rdma_addr *addr);

bool rdma_gid_is_v4(const union ibv_gid *gid);
bool rdma_gid_is_of_link(const union ibv_gid *gid);

/* Make a socket's address of IPv4 or IPv6. */
void rdma_sockaddr_make(const union ibv_gid *gid, uint32_t scope, uint16_t port,
			struct sockaddr_storage *to);

/* Take a socket's address over. */
void rdma_addr_set(struct doca_rdma_addr *addr, const struct sockaddr *from);

#endif /* DOCA_RDMA_ADDR_H */
