/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Importers that have connected; for the service thread alone. */
#ifndef INPROC_CONNS_H
#define INPROC_CONNS_H

#include "peers.h"

/*
 * Return true if there is room for a connection of the user; a user that may
 * import nothing must not keep others away.
 */
bool conns_have_room(uid_t uid);
/*
 * Return true if one more process of the user may connect, when there are so many: of all
 * users, of those other than the program's, and of that one.
 */
bool conns_admit(uid_t uid, unsigned int nr, unsigned int foreign,
		 unsigned int of_user);
/* Give the socket to a new connection; false if there is no memory for it. */
bool conns_add(int fd, int place, uid_t uid);
/* Serve all connections. Return true if there was work lately: call it again soon. */
bool conns_run(void);
/* Return the ms in which the next connection must have said something; -1: there is none. */
int conns_patience(void);
void conns_reap(void);
void conns_end(void);

#endif /* INPROC_CONNS_H */
