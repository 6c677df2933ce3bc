/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Statuses of linux/doca_ring.h as errors of DOCA. */
#ifndef DOCA_CORE_FAILURE_H
#define DOCA_CORE_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

struct failure {
	doca_error_t error; /* the task's result */
	const char *why; /* for the log */
	bool soft; /* concerns this task alone: the queue goes on */
};

/*
 * @status is not DOCA_STATUS_SUCCESS. An unknown one becomes DOCA_ERROR_DRIVER.
 */
struct failure failure_of(uint32_t status);

#endif /* DOCA_CORE_FAILURE_H */
