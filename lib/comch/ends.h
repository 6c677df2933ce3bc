/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Ends of connections, made by the other side, by the program or by their
 * context. The program is told last, when all that it has sent has completed.
 */
#ifndef DOCA_COMCH_ENDS_H
#define DOCA_COMCH_ENDS_H

#include "core/exec/lane.h"
#include "party.h"

/* Mark a connection as closed by the other side. */
void connection_ended(struct doca_comch_connection *connection);

/*
 * Close a connection for the program, which is not told of its end. Return
 * false if it is closed already.
 */
bool connection_drop(struct doca_comch_connection *connection);

/*
 * Close all connections, because the context stops. Send first what was
 * submitted, as far as there is room.
 */
void party_close_all(struct party *party);

/* Tell the program of one connection that has ended. */
enum lane_turn party_tell_end(struct party *party);

#endif /* DOCA_COMCH_ENDS_H */
