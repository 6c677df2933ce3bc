/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Make one more of each kind of object that a call makes the kernel keep */
#ifndef SELFTESTS_UAPI_STOCK_H
#define SELFTESTS_UAPI_STOCK_H

#include "dm.h"

struct stock {
	struct doca d;
	struct buf buf;
	struct doca_blob blob;
	struct doca_dm_alloc dm;
	long rings; /* bytes with limits of their own: rings and device memory */
};

static inline int stock_up(struct stock *s)
{
	return doca_open(&s->d) ?: buf_make(&s->d, &s->buf, PAGE, ACCESS_LOCAL | ACCESS_PCI) ?:
	       mem_export(s->d.fd, s->buf.key, 0, &s->blob, NULL) ?:
	       dm_alloc(s->d.fd, s->d.device, PAGE, &s->dm);
}

/* For a user that has nothing else: files of ended processes are still there for a moment */
static inline int stock_up_alone(struct stock *s)
{
	int err = stock_up(s);

	if (!err)
		WAIT_UNTIL(fdinfo_value(s->d.fd, "doca-user-files") == 1);
	return err;
}

static inline int one_file(struct stock *s)
{
	(void)s;
	return open(DOCA_NODE, O_RDWR | O_CLOEXEC) < 0 ? -errno : 0;
}

static inline int one_memory(struct stock *s)
{
	uint32_t mem;

	return mem_reg(s->d.fd, s->buf.addr, PAGE, ACCESS_LOCAL, &mem);
}

static inline int one_mapping(struct stock *s)
{
	uint32_t key;

	return mem_map(s->d.fd, s->buf.mem, s->d.device, ACCESS_LOCAL, &key);
}

static inline int one_worker(struct stock *s)
{
	uint32_t worker;

	return worker_create(s->d.fd, 0, &worker);
}

static inline int one_queue_of(struct stock *s, uint32_t entries, uint32_t waits)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = s->d.device,
		.sq_entries = entries,
		.cq_entries = entries,
		.nr_waits = waits,
	};
	int err = doca_call(s->d.fd, DOCA_QUEUE_CREATE, &arg);

	if (!err)
		s->rings += arg.out_user_size + arg.out_kernel_size;
	return err;
}

/* The smallest queue: a page for each area */
static inline int one_queue(struct stock *s)
{
	return one_queue_of(s, 1, 0);
}

static inline int one_wait(struct stock *s)
{
	return one_queue_of(s, 1, 1);
}

static inline int one_export(struct stock *s)
{
	struct doca_blob blob;

	return mem_export(s->d.fd, s->buf.key, 0, &blob, NULL);
}

static inline int one_import(struct stock *s)
{
	return mem_import(s->d.fd, s->d.device, &s->blob, NULL);
}

static inline int one_dm(struct stock *s)
{
	struct doca_dm_alloc a;
	int err = dm_alloc(s->d.fd, s->d.device, 1, &a);

	if (!err)
		s->rings += PAGE;
	return err;
}

static inline int one_object(struct stock *s)
{
	static const uint8_t one = 1;
	uint32_t id;
	int err = matrix_create(s->d.fd, s->d.device, &one, 1, 1, &id);

	if (!err)
		s->rings += 128;
	return err;
}

static inline int one_dm_import(struct stock *s)
{
	struct doca_dm_import i;

	return dm_import(s->d.fd, s->d.device, s->dm.out_handle, &i);
}

#endif /* SELFTESTS_UAPI_STOCK_H */
