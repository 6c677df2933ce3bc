/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Servers, which clients find by name on a function. */
#ifndef DOCA_LISTEN_H
#define DOCA_LISTEN_H

struct doca_endpoint;
struct doca_ucmd;

int doca_ioctl_queue_listen(struct doca_ucmd *ucmd);
int doca_ioctl_queue_connect(struct doca_ucmd *ucmd);
/* No client finds it any more. */
void doca_listen_end(struct doca_endpoint *endpoint);

#endif
