/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A thread on the other CPU, at the far end of a wire. It sends or receives a burst on
 * request, while the measured thread waits. So neither thread runs ahead of the other, no
 * datagram is lost for lack of room, and the near end's time is measured alone.
 */
#ifndef BENCH_FAR_H
#define BENCH_FAR_H

#include <pthread.h>

#include "burst.h"

struct far {
	int fd; /* owned by the caller */
	int cpu;
	bool receives; /* receives bursts, instead of sending them */

	/* while it runs */
	pthread_t thread;
	struct burst burst;
	struct burst_messages messages;
	_Alignas(128) uint32_t asked;
	bool stop;
	_Alignas(128) uint32_t done;
	bool failed;
};

int far_start(struct far *far, const struct load *load);
/* Request the next burst, and wait until it is sent or received. */
int far_burst(struct far *far);
void far_stop(struct far *far);

#endif /* BENCH_FAR_H */
