/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Connections of the communication channel to other processes: the provider of far ends. */
#ifndef INPROC_CHANNEL_H
#define INPROC_CHANNEL_H

#include "shim/kernel.h"

#include "function.h"

/* Connections of a process, to clients and to servers. */
#define CHANNELS_MAX 1024

/* Have the driver look for servers in other processes, and be found by their clients. */
void channels_start(void);

/* For the service thread: */

/* Give the socket of a client, which has its place, to a new connection of this server. */
void channel_accept(int fd, int place, struct doca_function *function,
		    const char *name);
/* Do what other threads have left for it, and free those that have ended. */
void channels_run(void);
/* Return the ms in which the next client must have said something; -1: there is none. */
int channels_patience(void);
/* All endpoints are closed: end the rest. */
void channels_end(void);

#endif /* INPROC_CHANNEL_H */
