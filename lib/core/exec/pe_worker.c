// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The driver's worker of a progress engine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "pe.h"

LOG_SOURCE("COMMON::PE");

#define IDLE_US 20 /* microseconds of polling before a worker sleeps */

static uint32_t idle_us(void)
{
	const char *s = secure_getenv("DOCA_IDLE_US");
	unsigned long value;
	char *end;

	if (!s || !*s)
		return IDLE_US;
	if (!strcmp(s, "never"))
		return DOCA_IDLE_NEVER;
	errno = 0;
	value = strtoul(s, &end, 10);
	if (errno || *end || *s == '-' || value >= DOCA_IDLE_NEVER) {
		LOG_WARN("DOCA_IDLE_US=%s is neither a number of microseconds "
			 "nor \"never\"; using %u",
			 s, IDLE_US);
		return IDLE_US;
	}
	return value;
}

uint32_t pe_worker(struct doca_pe *pe)
{
	uint32_t idle;
	int err;

	if (pe->worker_id || pe->no_worker)
		return pe->worker_id;
	err = driver_get();
	if (err)
		return 0;
	idle = idle_us();
	pe->patient = idle == DOCA_IDLE_NEVER;
	err = driver_worker_create(idle, &pe->worker_id);
	if (!err) {
		LOG_DBG("progress engine %p has worker %u", (void *)pe,
			pe->worker_id);
		return pe->worker_id;
	}
	driver_put();
	pe->worker_id = 0;
	pe->no_worker = true;
	if (err == -EOPNOTSUPP)
		LOG_INFO("workers are switched off, by a parameter of the doca "
			 "module or, without it, by DOCA_WORKERS; tasks run in "
			 "the thread that submits them");
	else
		LOG_WARN("no worker: %s; tasks run in the thread that submits "
			 "them",
			 errno_text(err));
	return 0;
}

void pe_worker_destroy(struct doca_pe *pe)
{
	if (!pe->worker_id)
		return;
	driver_worker_destroy(pe->worker_id);
	driver_put();
}
