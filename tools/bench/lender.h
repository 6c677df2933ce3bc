/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A process that exports the sources of its copy of an area to this process. */
#ifndef BENCH_LENDER_H
#define BENCH_LENDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "area.h"
#include "cpu.h"

struct lender {
	pid_t pid;
	/* its addresses are the same in both */
	const struct area *area;
	struct lent *lent; /* shared with the process */
};

struct lent {
	uint32_t state;
	size_t length; /* length of the descriptor */
	char descriptor[1024];
};

/* Call it before this process opens the driver. The lender runs on the worker's CPU. */
int lender_open(struct lender *lender, const struct area *area,
		const struct cpus *cpus, const char *device);
void lender_close(struct lender *lender);

/* The alternative for programs: process_vm_readv() in the thread itself. */
struct readv_way {
	struct way way;
	const struct lender *lender;
	struct load load; /* while it is open */
	unsigned int slots;
	unsigned int slot;
};

void readv_way_init(struct readv_way *rw, const struct lender *lender);

#endif /* BENCH_LENDER_H */
