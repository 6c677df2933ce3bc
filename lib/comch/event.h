/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Events of a party's inbox. */
#ifndef DOCA_COMCH_EVENT_H
#define DOCA_COMCH_EVENT_H

#include "core/exec/lane.h"
#include "party.h"

/* Take the oldest event, and free its room. Return false if there is none. */
bool event_take(struct party *party, struct doca_event *event);

/* Tell the program of one event. */
enum lane_turn event_deliver(struct party *party);

#endif /* DOCA_COMCH_EVENT_H */
