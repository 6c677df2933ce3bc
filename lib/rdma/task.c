// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_error.h>

#include "task.h"

doca_error_t rdma_connection_fits(const struct doca_rdma *rdma,
				  const struct doca_rdma_connection *connection,
				  const struct log_site *site)
{
	if (connection->rdma != rdma)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): connection %p is not one of %s %p",
			       site->func, (const void *)connection,
			       rdma->ctx.type->name, (const void *)rdma);
	if (connection->state == RDMA_CLOSED || connection->state == RDMA_FREE)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): connection %u was disconnected",
			       site->func, connection->id);
	return DOCA_SUCCESS;
}

doca_error_t rdma_task_new(struct doca_rdma *rdma, unsigned int pool,
			   struct doca_rdma_connection *connection,
			   const void *out, union doca_data user_data,
			   struct rdma_task **task, const struct log_site *site)
{
	struct doca_task *base;
	doca_error_t ret;

	if (!ctx_is(CTX_OF(rdma), &doca_rdma_object, site) ||
	    (connection &&
	     rdma_connection_fits(rdma, connection, site) != DOCA_SUCCESS))
		return DOCA_ERROR_INVALID_VALUE;
	ret = task_new(&rdma->ctx, &doca_rdma_object, pool, out, user_data,
		       &base, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*task = list_entry(base, struct rdma_task, task);
	(*task)->rdma = (struct rdma_values){
		.connection = connection,
		.connection_id = connection ? connection->id : 0,
	};
	task_set_src(base, NULL);
	task_set_dst(base, NULL);
	return DOCA_SUCCESS;
}

void rdma_task_set_connection(struct doca_task *task,
			      const struct object_type *object,
			      struct doca_rdma_connection *connection,
			      const struct log_site *site)
{
	if (!task_may_set(task, object, site) ||
	    rdma_connection_fits(rdma_of(task->ctx), connection, site) !=
		    DOCA_SUCCESS)
		return;
	values_of(task)->connection = connection;
	values_of(task)->connection_id = connection->id;
}
