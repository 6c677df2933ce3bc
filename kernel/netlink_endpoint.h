/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Listings of endpoints and of their connections, for the table of commands in netlink_dump.c. */
#ifndef DOCA_NETLINK_ENDPOINT_H
#define DOCA_NETLINK_ENDPOINT_H

#include <linux/types.h>

struct doca_file;
struct doca_nl_out;

/*
 * List queues with an inbox, and the connections of such queues: from the queue *@queue on, which
 * is set to the first that did not fit. Call them under the file's lock.
 */
int doca_nl_list_endpoints(const struct doca_nl_out *out,
			   struct doca_file *file, u32 *queue);
int doca_nl_list_connections(const struct doca_nl_out *out,
			     struct doca_file *file, u32 *queue);

#endif
