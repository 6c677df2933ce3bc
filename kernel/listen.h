/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Servers, which clients find by name on a function. */
#ifndef DOCA_LISTEN_H
#define DOCA_LISTEN_H

#include <linux/doca.h>

#include "function.h"

struct doca_endpoint;
struct doca_ucmd;

/**
 * struct doca_listen_info - properties of a server, for listings
 * @function_id: id of its function
 * @function: name of its function
 * @name: its name
 * @max_message: bytes
 */
struct doca_listen_info {
	u32 function_id;
	char function[DOCA_FUNCTION_NAME_MAX];
	char name[DOCA_SERVER_NAME_SIZE];
	u32 max_message;
};

int doca_ioctl_queue_listen(struct doca_ucmd *ucmd);
int doca_ioctl_queue_connect(struct doca_ucmd *ucmd);
/* Return false if it does not listen. */
bool doca_listen_info(struct doca_endpoint *endpoint,
		      struct doca_listen_info *info);
/* No client finds it any more. */
void doca_listen_end(struct doca_endpoint *endpoint);

#endif
