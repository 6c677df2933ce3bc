/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * How connections end: by the other side, by the program, or with their
 * context. The program is told last, when all that it has sent has come to an
 * end.
 */
#ifndef DOCA_COMCH_ENDS_H
#define DOCA_COMCH_ENDS_H

#include "core/exec/lane.h"
#include "party.h"

/* The other side has closed it. */
void connection_ended(struct doca_comch_connection *connection);

/*
 * The program closes it, and will not be told. False if it is closed already.
 */
bool connection_drop(struct doca_comch_connection *connection);

/*
 * The context stops: what was submitted is sent, as far as there is room, and
 * all are closed.
 */
void party_close_all(struct party *party);

/* Tell the program of one that has ended. */
enum lane_turn party_tell_end(struct party *party);

#endif /* DOCA_COMCH_ENDS_H */
