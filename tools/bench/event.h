/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The yardstick for events. */
#ifndef BENCH_EVENT_H
#define BENCH_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "way.h"

struct eventfd_way {
	struct way way;
	const struct cpus *cpus;
	bool polls; /* the answering thread polls */

	/* while it is open */
	int question;
	int answer;
	_Alignas(128) uint32_t asked;
	bool stop;
};

void eventfd_way_init(struct eventfd_way *ew, const struct cpus *cpus,
		      bool polls);

#endif /* BENCH_EVENT_H */
