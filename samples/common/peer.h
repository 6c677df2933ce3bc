/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A server and a client that are to be connected by RDMA, on one machine or two. Each needs
 * a few bytes from the other one first, which go over TCP here. Any other way is as good
 * where nobody else can read it: the descriptor of memory has the key to it.
 */
#ifndef SAMPLES_PEER_H
#define SAMPLES_PEER_H

#include <stddef.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "sample.h"

#define PEER_MAX 4096 /* bytes that are swapped at a time */

enum peer_role { PEER_SERVER = 1, PEER_CLIENT };

struct peer {
	struct doca_dev *dev;
	struct doca_pe *pe;
	int socket; /* -1: both sides are done */
};

/* Read the command line, which names a role, and may name a device, an address and a GID. */
enum peer_role peer_start(const char *name, int argc, char **argv);

/* Open the RDMA device, or say how to get one, and make the engine. */
void peer_open(struct peer *peer);

/* Set what the command line says for contexts: the GID. */
void peer_configure(struct doca_rdma *rdma);

/* Connect to the other side over TCP; the server waits for it. */
void peer_meet(struct peer *peer, enum peer_role role);

/* Give bytes to the other side, and get those that it gives: return how many. */
size_t peer_swap(struct peer *peer, const void *ours, size_t length,
		 void *theirs, size_t size);

/* Make progress, or sleep until there is some; give up if the other side has gone. */
void peer_progress(struct peer *peer);

/* Wait until the other side is done as well; from then on it may go. */
void peer_part(struct peer *peer);

/* Stop a context, and wait until it is idle. */
void peer_stop(struct peer *peer, struct doca_ctx *ctx);

void peer_close(struct peer *peer);

#endif
