/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Asynchronous events of verbs devices. To read one is to wait, unless a look has found that there is
 * one: so the reader holds this lock from the look on. It is also held while the program is given a
 * device's protection domain, after which it reads the events itself. All devices have the same.
 */
#ifndef DOCA_CORE_VERBS_EVENTS_H
#define DOCA_CORE_VERBS_EVENTS_H

#include "core/base/symver.h"

/* Returns the state for verbs_events_unlock(). A fork waits for the lock. */
DOCA_STABLE int verbs_events_lock(void) DOCA_PRIVATE(verbs_events_lock);
DOCA_STABLE void verbs_events_unlock(int state)
	DOCA_PRIVATE(verbs_events_unlock);

#endif /* DOCA_CORE_VERBS_EVENTS_H */
