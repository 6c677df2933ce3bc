/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Buffers of tasks, which go with them. */
#ifndef SELFTESTS_API_TASK_BUFS_H
#define SELFTESTS_API_TASK_BUFS_H

#include <stddef.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_pe.h>

/* Make a buffer with data and room behind. */
static inline struct doca_buf *a_buf(struct doca_buf_inventory *inv, struct doca_mmap *mmap,
				     void *at, size_t data, size_t room)
{
	struct doca_buf *buf = NULL;

	if (doca_buf_inventory_buf_get_by_addr(inv, mmap, at, data + room, &buf))
		return NULL;
	doca_buf_set_data(buf, at, data);
	return buf;
}

static inline void put(struct doca_task *task, struct doca_buf *one, struct doca_buf *other)
{
	doca_task_free(task);
	if (one)
		doca_buf_dec_refcount(one, NULL);
	if (other)
		doca_buf_dec_refcount(other, NULL);
}

#endif /* SELFTESTS_API_TASK_BUFS_H */
