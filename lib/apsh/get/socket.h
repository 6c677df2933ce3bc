/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Which sockets there are, and whose. */
#ifndef DOCA_APSH_SOCKET_H
#define DOCA_APSH_SOCKET_H

#include "net.h"

struct owner {
	u32 pid;
	u32 fd; /* UINT32_MAX: none has it */
	char comm[17];
};

struct sockets {
	struct nodes nodes; /* addresses of struct sock_common */
	struct owner *owners; /* of each; by the lowest PID and descriptor */
	u32 max;
	u32 nr_hashed; /* so many of them are in the network's tables */
};

/*
 * Of one process, the call's; or all: of TCP, UDP and raw sockets of all namespaces by the
 * tables of the network, and of any kind by open files.
 */
bool sockets_get(struct call *c, const struct nodes *namespaces,
		 struct sockets *s);
void sockets_free(struct sockets *s);

#endif /* DOCA_APSH_SOCKET_H */
