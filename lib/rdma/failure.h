/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Translation of the status of a completion. */
#ifndef DOCA_RDMA_FAILURE_H
#define DOCA_RDMA_FAILURE_H

#include <stdbool.h>

#include <infiniband/verbs.h>

#include <doca_error.h>

struct rdma_failure {
	doca_error_t error;
	const char *why; /* for the log, with the likely cause */
};

/*
 * @flushes: the connection was broken before, so a request that was flushed has not failed by
 * itself.
 */
struct rdma_failure rdma_failure_of(enum ibv_wc_status status, bool flushes);

#endif /* DOCA_RDMA_FAILURE_H */
