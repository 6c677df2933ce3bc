// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Limits of tasks. */
#include <doca_error.h>

#include "task.h"

doca_error_t rdma_ask(const struct doca_devinfo *devinfo,
		      struct task_limits *limits)
{
	struct rdma_hca hca;
	doca_error_t ret = rdma_hca_ask(devinfo, &hca);

	if (ret != DOCA_SUCCESS)
		return ret;
	limits->tasks = hca.max_tasks;
	limits->list_len = hca.send_list;
	limits->length = hca.max_message;
	return DOCA_SUCCESS;
}

doca_error_t rdma_ask_receive(const struct doca_devinfo *devinfo,
			      struct task_limits *limits)
{
	struct rdma_hca hca;
	doca_error_t ret = rdma_hca_ask(devinfo, &hca);

	if (ret != DOCA_SUCCESS)
		return ret;
	limits->tasks = hca.max_receive_queue;
	limits->list_len = hca.receive_list;
	limits->length = hca.max_message;
	return DOCA_SUCCESS;
}

doca_error_t rdma_ask_atomic(const struct doca_devinfo *devinfo,
			     struct task_limits *limits)
{
	struct rdma_hca hca;
	doca_error_t ret = rdma_hca_ask(devinfo, &hca);

	if (ret == DOCA_SUCCESS && !hca.atomics)
		ret = DOCA_ERROR_NOT_SUPPORTED;
	return ret == DOCA_SUCCESS ? rdma_ask(devinfo, limits) : ret;
}
