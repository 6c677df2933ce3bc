/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Servers of the communication channel that other processes find by name. A name belongs to
 * its pair, and to the user's processes unless the pair is for all users. In a directory that
 * DOCA_RUNTIME_DIR names it is a file, and beside it is one whose lock its owner has.
 */
#ifndef INPROC_SERVERS_H
#define INPROC_SERVERS_H

#include "shim/kernel.h"

#include "function.h"

/* Servers of a process. */
#define SERVERS_MAX 512

struct sockaddr_un;

/* Gets the socket of a client, with its place. For the service thread. */
typedef void servers_accept(int fd, int place, struct doca_function *function,
			    const char *name);

/* For struct doca_far_ops. The service thread must run. */
int servers_listen(struct doca_function *function, const char *name,
		   servers_accept *accept, void **server);
void servers_unlisten(void *server);

/* Return the size of the address of a server, or -EINVAL if it is too long. */
int servers_address(const struct doca_function *function, const char *name,
		    struct sockaddr_un *address);

/* For the service thread: like listen_patience(); free those that have ended. */
int servers_patience(void);
void servers_reap(void);

#endif /* INPROC_SERVERS_H */
