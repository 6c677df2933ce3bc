/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Importers that have connected; of the service thread. */
#ifndef INPROC_CONNS_H
#define INPROC_CONNS_H

#include "peers.h"

/* A user that may import nothing must not keep others away. */
bool conns_have_room(uid_t uid);
/* The socket is the connection's from now on; false if there is no memory for it. */
bool conns_add(int fd, int place, uid_t uid);
/* True if there was something to do in the last moments: to be called again soon. */
bool conns_run(void);
/* Until the next connection is to have said something, in ms; -1: there is none. */
int conns_patience(void);
void conns_reap(void);
void conns_end(void);

#endif /* INPROC_CONNS_H */
