/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The bed of RDMA tests: two contexts of one engine, the requester and the responder, on a fake
 * device; memory of the responder, and what the requester has imported of it.
 */
#ifndef DOCA_TESTS_RDMA_BED_H
#define DOCA_TESTS_RDMA_BED_H

#include <doca_rdma.h>

#include "bed.h"
#include "clock.h"
#include "fake_hca.h"
#include "rdma/connection.h"

#define RDMA_NR 16 /* tasks of a kind */
#define RDMA_ALL                                                          \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

/* Members begin with 0 for the requester, 1 for the responder. */
static struct {
	struct doca_dev *dev;
	struct doca_rdma *rdma[2];
	struct doca_rdma_connection *conn[2];
	struct doca_mmap *mmap; /* bed.mem, for local use and for peers */
	struct doca_mmap *peers; /* bed.mem as a peer's */

	/* The last task that completed, and what is told of it. */
	struct doca_task *task;
	doca_error_t status;
	struct doca_rdma_task_receive *receive;
	doca_error_t statuses[64];
	unsigned int nr;
	void (*then)(struct doca_task *task);
} rb;

static const union doca_data no_data;

static inline void ended(struct doca_task *task, char c)
{
	record(c);
	rb.task = task;
	rb.status = doca_task_get_status(task);
	if (rb.nr < 64)
		rb.statuses[rb.nr++] = rb.status;
	if (rb.then)
		rb.then(task);
}

/* One callback for tasks of all kinds, by the letter of its result. */
#define RDMA_ENDED(kind)                                                                      \
	static inline void kind##_done(struct doca_rdma_task_##kind *task,                    \
				       union doca_data task_data, union doca_data ctx_data)   \
	{                                                                                     \
		(void)task_data, (void)ctx_data;                                              \
		ended(doca_rdma_task_##kind##_as_task(task), 'S');                            \
	}                                                                                     \
	static inline void kind##_failed(struct doca_rdma_task_##kind *task,                  \
					 union doca_data task_data, union doca_data ctx_data) \
	{                                                                                     \
		(void)task_data, (void)ctx_data;                                              \
		ended(doca_rdma_task_##kind##_as_task(task), 'E');                            \
	}

RDMA_ENDED(send)
RDMA_ENDED(send_imm)
RDMA_ENDED(read)
RDMA_ENDED(write)
RDMA_ENDED(write_imm)
RDMA_ENDED(atomic_cmp_swp)
RDMA_ENDED(atomic_fetch_add)

static inline void received(struct doca_rdma_task_receive *task, union doca_data task_data,
			    union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	rb.receive = task;
	ended(doca_rdma_task_receive_as_task(task), 'R');
}

static inline void not_received(struct doca_rdma_task_receive *task, union doca_data task_data,
				union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	rb.receive = task;
	ended(doca_rdma_task_receive_as_task(task), 'X');
}

static inline struct doca_ctx *ctx_of(int side)
{
	return doca_rdma_as_ctx(rb.rdma[side]);
}

static inline enum doca_ctx_states rdma_state(int side)
{
	enum doca_ctx_states now = -1;

	OK(doca_ctx_get_state(ctx_of(side), &now));
	return now;
}

static inline void set_conf(struct doca_rdma *rdma, uint32_t n)
{
	OK(doca_rdma_task_receive_set_conf(rdma, received, not_received, n));
	OK(doca_rdma_task_send_set_conf(rdma, send_done, send_failed, n));
	OK(doca_rdma_task_send_imm_set_conf(rdma, send_imm_done, send_imm_failed, n));
	OK(doca_rdma_task_read_set_conf(rdma, read_done, read_failed, n));
	OK(doca_rdma_task_write_set_conf(rdma, write_done, write_failed, n));
	OK(doca_rdma_task_write_imm_set_conf(rdma, write_imm_done, write_imm_failed, n));
	OK(doca_rdma_task_atomic_cmp_swp_set_conf(rdma, atomic_cmp_swp_done, atomic_cmp_swp_failed,
						  n));
	OK(doca_rdma_task_atomic_fetch_add_set_conf(rdma, atomic_fetch_add_done,
						    atomic_fetch_add_failed, n));
}

/* With it, progress tells of each change of a state. */
static inline void on_rdma_state(const union doca_data user_data, struct doca_ctx *ctx,
				 enum doca_ctx_states prev, enum doca_ctx_states next)
{
	(void)user_data, (void)ctx, (void)prev, (void)next;
}

static inline void new_context(int side)
{
	OK(doca_rdma_create(rb.dev, &rb.rdma[side]));
	set_conf(rb.rdma[side], RDMA_NR);
	OK(doca_rdma_set_permissions(rb.rdma[side], RDMA_ALL));
	OK(doca_ctx_set_state_changed_cb(ctx_of(side), on_rdma_state));
	OK(doca_pe_connect_ctx(bed.pe, ctx_of(side)));
}

static inline struct doca_mmap *new_rdma_mmap(uint32_t access)
{
	struct doca_mmap *mmap = new_mmap(bed.mem, MEM_SIZE, rb.dev);

	OK(doca_mmap_set_permissions(mmap, access));
	OK(doca_mmap_start(mmap));
	return mmap;
}

static inline struct doca_mmap *new_import(struct doca_mmap *mmap)
{
	struct doca_mmap *import = NULL;
	const void *desc;
	size_t len;

	OK(doca_mmap_export_rdma(mmap, rb.dev, &desc, &len));
	OK(doca_mmap_create_from_export(NULL, desc, len, rb.dev, &import));
	return import;
}

/* Make the contexts, without starting them. Each device is another one, and is asked. */
static inline void rdma_set_up(void)
{
	static uint32_t id = 100;
	static char name[16];

	memset(&bed, 0, sizeof(bed));
	memset(&rb, 0, sizeof(rb));
	fake_reset(false);
	unsetenv("DOCA_RDMA_FIRST_CONTACT");
	snprintf(name, sizeof(name), "fake%u", ++id);
	hca_reset(name);
	for (size_t i = 0; i < MEM_SIZE / 2; i++)
		bed.mem[i] = 'A' + i % 23;
	rb.dev = fake_new_dev(id);
	OK(doca_pe_create(&bed.pe));
	bed.inv = new_inventory(2 * MAX_TASKS);
	rb.mmap = new_rdma_mmap(RDMA_ALL);
	rb.peers = new_import(rb.mmap);
	new_context(0);
	new_context(1);
}

/* Give the device another id, with which it is asked again what it can do. */
static inline void rdma_renumber(int by)
{
	rb.dev->info.id += by;
	fake_list_dev(&rb.dev->info);
}

/* Connect a new connection of each side. */
static inline void connect_both(void)
{
	const void *details[2];
	size_t size[2];

	for (int i = 0; i < 2; i++)
		OK(doca_rdma_export(rb.rdma[i], &details[i], &size[i], &rb.conn[i]));
	for (int i = 0; i < 2; i++)
		OK(doca_rdma_connect(rb.rdma[i], details[!i], size[!i], rb.conn[i]));
}

static inline void rdma_start(void)
{
	for (int i = 0; i < 2; i++)
		OK(doca_ctx_start(ctx_of(i)));
}

static inline void rdma_begin(void)
{
	rdma_set_up();
	rdma_start();
	connect_both();
}

/* Give a task and its buffers back. */
static inline void drop(struct doca_task *task)
{
	if (task_src(task))
		put(task_src(task));
	if (task_dst(task))
		put(task_dst(task));
	doca_task_free(task);
}

static inline void stop_all(void)
{
	rb.then = drop;
	for (int i = 0; i < 2; i++)
		if (rb.rdma[i] && rdma_state(i) != DOCA_CTX_STATE_STOPPING)
			doca_ctx_stop(ctx_of(i));
	drain(bed.pe);
	for (int i = 0; i < 2; i++)
		if (rb.rdma[i])
			EXPECT_EQ(rdma_state(i), DOCA_CTX_STATE_IDLE);
}

/* Stop and destroy everything. Nothing is left, and nothing was logged that no test has read. */
static inline void rdma_end(void)
{
	stop_all();
	for (int i = 0; i < 2; i++)
		if (rb.rdma[i])
			OK(doca_rdma_destroy(rb.rdma[i]));
	OK(doca_pe_destroy(bed.pe));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_mmap_destroy(rb.peers));
	OK(doca_mmap_destroy(rb.mmap));
	OK(doca_dev_close(rb.dev));
	EXPECT_EQ(hca.qps + hca.srqs + hca.cqs + hca.channels + hca.mrs + hca.pds, 0);
	EXPECT_EQ(hca.contexts, 0);
	EXPECT_SILENT();
	EXPECT_CLEAN();
}

/* Make a buffer in an mmap, with that much data and room behind it. */
static inline struct doca_buf *a_buf(struct doca_mmap *mmap, size_t off, size_t data, size_t room)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_addr(bed.inv, mmap, bed.mem + off, data + room, &buf));
	OK(doca_buf_set_data(buf, bed.mem + off, data));
	return buf;
}

static inline struct doca_buf *local_data(size_t off, size_t len)
{
	return a_buf(rb.mmap, off, len, 0);
}

static inline struct doca_buf *local_room(size_t off, size_t len)
{
	return a_buf(rb.mmap, off, 0, len);
}

static inline struct doca_task *a_receive(struct doca_buf *buf)
{
	struct doca_rdma_task_receive *task = NULL;

	OK(doca_rdma_task_receive_allocate_init(rb.rdma[1], buf, no_data, &task));
	return doca_rdma_task_receive_as_task(task);
}

static inline struct doca_task *a_send(struct doca_buf *buf)
{
	struct doca_rdma_task_send *task = NULL;

	OK(doca_rdma_task_send_allocate_init(rb.rdma[0], rb.conn[0], buf, no_data, &task));
	return doca_rdma_task_send_as_task(task);
}

static inline struct doca_task *a_send_imm(struct doca_buf *buf, uint32_t imm)
{
	struct doca_rdma_task_send_imm *task = NULL;

	OK(doca_rdma_task_send_imm_allocate_init(rb.rdma[0], rb.conn[0], buf, imm, no_data, &task));
	return doca_rdma_task_send_imm_as_task(task);
}

static inline struct doca_task *a_write(struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_rdma_task_write *task = NULL;

	OK(doca_rdma_task_write_allocate_init(rb.rdma[0], rb.conn[0], src, dst, no_data, &task));
	return doca_rdma_task_write_as_task(task);
}

static inline struct doca_task *a_write_imm(struct doca_buf *src, struct doca_buf *dst,
					    uint32_t imm)
{
	struct doca_rdma_task_write_imm *task = NULL;

	OK(doca_rdma_task_write_imm_allocate_init(rb.rdma[0], rb.conn[0], src, dst, imm, no_data,
						  &task));
	return doca_rdma_task_write_imm_as_task(task);
}

static inline struct doca_task *a_read(struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_rdma_task_read *task = NULL;

	OK(doca_rdma_task_read_allocate_init(rb.rdma[0], rb.conn[0], src, dst, no_data, &task));
	return doca_rdma_task_read_as_task(task);
}

static inline struct doca_task *a_cmp_swp(struct doca_buf *dst, struct doca_buf *result,
					  uint64_t cmp, uint64_t swap)
{
	struct doca_rdma_task_atomic_cmp_swp *task = NULL;

	OK(doca_rdma_task_atomic_cmp_swp_allocate_init(rb.rdma[0], rb.conn[0], dst, result, cmp,
						       swap, no_data, &task));
	return doca_rdma_task_atomic_cmp_swp_as_task(task);
}

static inline struct doca_task *a_fetch_add(struct doca_buf *dst, struct doca_buf *result,
					    uint64_t add)
{
	struct doca_rdma_task_atomic_fetch_add *task = NULL;

	OK(doca_rdma_task_atomic_fetch_add_allocate_init(rb.rdma[0], rb.conn[0], dst, result, add,
							 no_data, &task));
	return doca_rdma_task_atomic_fetch_add_as_task(task);
}

static inline void submit(struct doca_task *task)
{
	OK(doca_task_submit(task));
}

/* Submit, progress, and return what was recorded. */
static inline const char *run_one(struct doca_task *task)
{
	submit(task);
	drain(bed.pe);
	return took();
}

#endif /* DOCA_TESTS_RDMA_BED_H */
