/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sockets and their owners. */
#ifndef DOCA_APSH_SOCKET_H
#define DOCA_APSH_SOCKET_H

#include "net.h"

struct owner {
	u32 pid;
	u32 fd; /* UINT32_MAX: no process has it */
	char comm[17];
};

struct sockets {
	struct nodes nodes; /* addresses of struct sock_common */
	struct owner *owners; /* owner of each: the lowest PID and descriptor */
	u32 max;
	u32 nr_hashed; /* number of those in the network's tables */
};

/*
 * Collect the sockets of one process, the call's; or all: TCP, UDP and raw sockets of all
 * namespaces from the network's tables, and sockets of any kind from open files.
 */
bool sockets_get(struct call *c, const struct nodes *namespaces,
		 struct sockets *s);
void sockets_free(struct sockets *s);

#endif /* DOCA_APSH_SOCKET_H */
