// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The core library's objects, as debug mode knows them. */
#include <stddef.h>

#include "core/device/dev.h"
#include "core/device/rep.h"
#include "core/exec/task.h"
#include "core/memory/buf.h"
#include "objects.h"

static bool buf_released(const void *object)
{
	const struct doca_buf *buf = object;

	return !buf->refcount;
}

static bool task_released(const void *object)
{
	const struct doca_task *task = object;

	return task->state == TASK_FREE;
}

static const struct object_type *task_exact(const void *object)
{
	const struct doca_task *task = object;

	/* a task has no type yet while its context starts */
	return task->type ? task->type->object : &doca_priv_task_object;
}

const struct object_type doca_priv_buf_object = {
	.name = "buffer",
	.released = buf_released,
};

const struct object_type doca_priv_buf_arr_object = { .name = "buffer array" };
const struct object_type doca_priv_buf_inventory_object = {
	.name = "buffer inventory"
};
const struct object_type doca_priv_buf_pool_object = { .name = "buffer pool" };
const struct object_type doca_priv_mmap_object = { .name = "mmap" };

const struct object_type doca_priv_devinfo_object = {
	.name = "device information"
};
const struct object_type doca_priv_devinfo_list_object = {
	.name = "list of devices"
};
const struct object_type doca_priv_devinfo_rep_object = {
	.name = "representor information"
};
const struct object_type doca_priv_devinfo_rep_list_object = {
	.name = "list of representors"
};

const struct object_type doca_priv_dev_object = {
	.name = "device",
	.as = &doca_priv_devinfo_object,
	.offset = offsetof(struct doca_dev, info),
};

const struct object_type doca_priv_dev_rep_object = {
	.name = "representor",
	.as = &doca_priv_devinfo_rep_object,
	.offset = offsetof(struct doca_dev_rep, info),
};

const struct object_type doca_priv_ctx_object = { .name = "context" };
const struct object_type doca_priv_pe_object = { .name = "progress engine" };
const struct object_type doca_priv_task_batch_object = { .name = "task batch" };

const struct object_type doca_priv_task_object = {
	.name = "task",
	.exact = task_exact,
	.released = task_released,
	.gone = "is gone, its context was stopped",
};

const struct object_type doca_priv_graph_object = { .name = "graph" };
const struct object_type doca_priv_graph_instance_object = {
	.name = "graph instance"
};
const struct object_type doca_priv_graph_node_object = { .name = "graph node" };

const struct object_type doca_mmap_advise_object = {
	.name = "doca_mmap_advise",
	.as = &doca_priv_ctx_object,
};

const struct object_type doca_sync_event_object = {
	.name = "doca_sync_event",
	.as = &doca_priv_ctx_object,
};
