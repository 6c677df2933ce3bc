/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Data and functions that the files of this folder share. */
#ifndef DOCA_XSK_INTERNAL_H
#define DOCA_XSK_INTERNAL_H

#include "sys.h"

struct port;

struct xsk {
	struct xsk_sys_queue queues[STEER_QUEUES];
	uint32_t filled[STEER_QUEUES]; /* in each fill ring, not submitted */
	uint32_t nr_queues;
	uint32_t turn; /* queue to be polled next */
	uint32_t run; /* frames taken from it in its turn */
	struct xsk *host; /* has the chunks; itself, unless it shares */
	char *memory;
	uint32_t *given; /* chunks that are in no ring yet */
	uint32_t nr_given;
	uint32_t nr_chunks;
	uint32_t slice; /* chunks of each queue */
	uint8_t *owner; /* owner of each chunk */
	struct xsk_sys_sizes sizes;
	uint32_t room;
	enum xsk_mode mode;
	int epoll_fd;
	char ifname[16];

	/* for steer.c, under its lock */
	struct port *port;
	struct xsk *next; /* next of the port */
	uint32_t receiver; /* its place in the map of sockets */
	bool numbered;
	uint16_t number;
};

/*
 * sockets.c: open sockets on the first @nr queues of the interface, in the host's memory.
 * After the close nothing keeps the interface, also in the child of a fork; it may be
 * closed again.
 */
int sockets_open(struct xsk *xsk, uint32_t nr, struct xsk_why *why);
void sockets_close(struct xsk *xsk);

/* steer.c: the interface has the program from now on, but no frame comes yet. */
int port_add_xsk(struct xsk *xsk, struct xsk_why *why);
void port_del_xsk(struct xsk *xsk, bool forked);

#endif /* DOCA_XSK_INTERNAL_H */
