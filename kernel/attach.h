/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Calls by which queues become producers and consumers. */
#ifndef DOCA_ATTACH_H
#define DOCA_ATTACH_H

struct doca_endpoint;
struct doca_queue;
struct doca_ucmd;

/* A call on @queue; @parent is the queue that it attaches to. */
int doca_attach(struct doca_queue *queue, struct doca_queue *parent,
		struct doca_ucmd *ucmd);
int doca_ioctl_queue_announce(struct doca_ucmd *ucmd);
/* Detach it for good, and tell its queue if it @hears. Does not wait. */
void doca_attach_end(struct doca_endpoint *endpoint, bool hears);
/* Call it after doca_attach_end(), in the run section, when there is no further step. */
void doca_attach_close(struct doca_endpoint *endpoint);
void doca_attach_free(struct doca_endpoint *endpoint);

#endif
