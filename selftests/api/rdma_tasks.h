/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A side of RDMA connections with memory of its own, tasks of all kinds, and a record of their
 * ends, for tests that have one process or several.
 */
#ifndef SELFTESTS_API_RDMA_TASKS_H
#define SELFTESTS_API_RDMA_TASKS_H

#include <poll.h>

#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "bed.h"
#include "task_bufs.h"

#define RDMA_ALL                                                          \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)
#define RDMA_TASKS 64 /* a side has so many of each kind */
#define RDMA_LOG 256
#define RDMA_LIST 32 /* buffers of a list, at most */
#define RDMA_GAP 64 /* bytes between the pieces of a list */

struct rdma_side {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_rdma_connection *connection;
	struct doca_mmap *mmap, *peers; /* peers: memory of the other side */
	char *mem, *peer_mem; /* memory of both, where each side has it */
	size_t len;
};

/* Ends of all tasks of this process, in their order, since a test has set it to 0. */
static struct {
	unsigned int nr, bad;
	doca_error_t status; /* status of the first that has failed */
	struct doca_rdma_task_receive *receive; /* the last one that has ended */
	struct {
		uint64_t task; /* as it was numbered */
		doca_error_t status;
	} log[RDMA_LOG];
} ended;

static const union doca_data none;

static inline void rdma_end(struct doca_task *task)
{
	doca_error_t status = doca_task_get_status(task);

	if (ended.nr < RDMA_LOG) {
		ended.log[ended.nr].task = doca_task_get_user_data(task).u64;
		ended.log[ended.nr].status = status;
	}
	ended.nr++;
	if (status && !ended.bad++)
		ended.status = status;
}

static inline void on_receive(struct doca_rdma_task_receive *task, union doca_data task_data,
			      union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	ended.receive = task;
	rdma_end(doca_rdma_task_receive_as_task(task));
}

/* Kinds of tasks of which there is nothing more to record. */
#define RDMA_EACH(of)                                                             \
	of(send) of(send_imm) of(read) of(write) of(write_imm) of(atomic_cmp_swp) \
		of(atomic_fetch_add) of(remote_net_sync_event_get)                \
			of(remote_net_sync_event_notify_set) of(remote_net_sync_event_notify_add)

#define RDMA_END(kind)                                                                    \
	static inline void on_##kind(struct doca_rdma_task_##kind *task,                  \
				     union doca_data task_data, union doca_data ctx_data) \
	{                                                                                 \
		(void)task_data, (void)ctx_data;                                          \
		rdma_end(doca_rdma_task_##kind##_as_task(task));                          \
	}

RDMA_EACH(RDMA_END)

#define RDMA_CONF(kind) doca_rdma_task_##kind##_set_conf(rdma, on_##kind, on_##kind, RDMA_TASKS),

/* Permit lists as long as the device has them. */
static inline doca_error_t rdma_set_tasks(struct doca_rdma *rdma, struct doca_dev *dev)
{
	const doca_error_t set[] = { RDMA_CONF(receive) RDMA_EACH(RDMA_CONF) };
	uint32_t list = 1;
	doca_error_t rc;
	size_t i;

	for (i = 0; i < sizeof(set) / sizeof(set[0]); i++)
		if (set[i])
			return set[i];
	rc = doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		doca_dev_as_devinfo(dev), DOCA_RDMA_TRANSPORT_TYPE_RC, &list);
	return rc ? rc : doca_rdma_task_receive_set_dst_buf_list_len(rdma, list);
}

/* Make a side without a context, on an engine of its own with @pe NULL. */
static inline doca_error_t rdma_make_side(struct rdma_side *side, struct doca_dev *dev,
					  struct doca_pe *pe, size_t len)
{
	doca_error_t rc;

	*side = (struct rdma_side){ .dev = dev, .pe = pe, .len = len };
	if (!pe && (rc = doca_pe_create(&side->pe)))
		return rc;
	side->mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((rc = doca_buf_inventory_create(8 * RDMA_TASKS, &side->inv)) ||
	    (rc = doca_buf_inventory_start(side->inv)))
		return rc;
	return bed_mmap(side->mem, len, RDMA_ALL, dev, NULL, &side->mmap);
}

/* Make two sides on one engine. */
static inline doca_error_t rdma_make_both(struct rdma_side *a, struct rdma_side *b,
					  struct doca_dev *dev, size_t len)
{
	doca_error_t rc = rdma_make_side(a, dev, NULL, len);

	return rc ? rc : rdma_make_side(b, dev, a->pe, len);
}

/* Make its context, without starting it. With @gid -1, the GID is the library's choice. */
static inline doca_error_t rdma_prepare(struct rdma_side *side, int gid, uint32_t permissions)
{
	doca_error_t rc;

	if ((rc = doca_rdma_create(side->dev, &side->rdma)) ||
	    (rc = rdma_set_tasks(side->rdma, side->dev)) ||
	    (rc = doca_rdma_set_permissions(side->rdma, permissions)) ||
	    (gid >= 0 && (rc = doca_rdma_set_gid_index(side->rdma, gid))))
		return rc;
	side->ctx = doca_rdma_as_ctx(side->rdma);
	return doca_pe_connect_ctx(side->pe, side->ctx);
}

static inline doca_error_t rdma_start(struct rdma_side *side, int gid, uint32_t permissions)
{
	doca_error_t rc = rdma_prepare(side, gid, permissions);

	return rc ? rc : doca_ctx_start(side->ctx);
}

/* Give @to what @from has exported. */
static inline doca_error_t rdma_share(struct rdma_side *from, struct rdma_side *to)
{
	const void *desc;
	doca_error_t rc;
	size_t len;

	rc = doca_mmap_export_rdma(from->mmap, from->dev, &desc, &len);
	if (rc)
		return rc;
	return doca_mmap_create_from_export(NULL, desc, len, to->dev, &to->peers);
}

/* Connect two contexts of this process. */
static inline doca_error_t rdma_connect_both(struct doca_rdma *a, struct doca_rdma *b,
					     struct doca_rdma_connection **from_a,
					     struct doca_rdma_connection **from_b)
{
	const void *of_a, *of_b;
	size_t len_a, len_b;
	doca_error_t rc;

	if ((rc = doca_rdma_export(a, &of_a, &len_a, from_a)) ||
	    (rc = doca_rdma_export(b, &of_b, &len_b, from_b)) ||
	    (rc = doca_rdma_connect(a, of_b, len_b, *from_a)))
		return rc;
	return doca_rdma_connect(b, of_a, len_a, *from_b);
}

/* Stop and destroy what a side has; one that was not made has nothing. */
static inline void rdma_drop(struct __test_metadata *_metadata, struct rdma_side *side)
{
	if (side->ctx) {
		doca_ctx_stop(side->ctx);
		EXPECT_TRUE(AWAIT_BY(doca_pe_progress(side->pe), bed_is_idle(side->ctx)));
	}
	if (side->rdma)
		EXPECT_OK(doca_rdma_destroy(side->rdma));
	if (side->inv)
		EXPECT_OK(doca_buf_inventory_destroy(side->inv));
	if (side->peers)
		EXPECT_OK(doca_mmap_destroy(side->peers));
	if (side->mmap)
		EXPECT_OK(doca_mmap_destroy(side->mmap));
	if (side->mem)
		munmap(side->mem, side->len);
}

/* Progress; where nothing happens and the side waits for events, wait for the engine. */
static inline bool rdma_step(struct doca_pe *pe, bool waits)
{
	struct pollfd p = { .events = POLLIN };

	if (doca_pe_progress(pe) || !waits)
		return true;
	if (doca_pe_get_notification_handle(pe, &p.fd) || doca_pe_request_notification(pe) ||
	    poll(&p, 1, patiently(25000)) != 1)
		return false;
	return !doca_pe_clear_notification(pe, p.fd);
}

/* Progress until so many tasks have ended. */
static inline bool rdma_await(struct doca_pe *pe, bool waits, unsigned int nr)
{
	bool woken = true;

	return AWAIT_BY(woken = rdma_step(pe, waits), ended.nr >= nr || !woken) && woken;
}

/* Return what rxe0 has counted, or -1. */
static inline long rdma_counter(const char *name)
{
	char path[128];
	long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/infiniband/rxe0/ports/1/hw_counters/%s", name);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

/* Kinds of tasks that move any number of bytes. */
enum rdma_kind {
	RDMA_SEND,
	RDMA_SEND_IMM,
	RDMA_WRITE,
	RDMA_WRITE_IMM,
	RDMA_READ,
	RDMA_KINDS,
};

static inline bool rdma_takes_receive(enum rdma_kind kind)
{
	return kind == RDMA_SEND || kind == RDMA_SEND_IMM || kind == RDMA_WRITE_IMM;
}

/*
 * Make a task, numbered, and submit it. A message has no @dst; immediate data is the number, too.
 * Return NULL if that fails.
 */
static inline struct doca_task *rdma_submit(struct rdma_side *side, enum rdma_kind kind,
					    struct doca_rdma_connection *to, struct doca_buf *src,
					    struct doca_buf *dst, uint64_t number)
{
	const union doca_data data = { .u64 = number };
	struct doca_rdma_task_write_imm *write_imm;
	struct doca_rdma_task_send_imm *send_imm;
	struct doca_rdma_task_write *write;
	struct doca_rdma_task_send *send;
	struct doca_rdma_task_read *read;
	struct doca_rdma *rdma = side->rdma;
	struct doca_task *task = NULL;

	if (kind == RDMA_SEND && !doca_rdma_task_send_allocate_init(rdma, to, src, data, &send))
		task = doca_rdma_task_send_as_task(send);
	else if (kind == RDMA_SEND_IMM &&
		 !doca_rdma_task_send_imm_allocate_init(rdma, to, src, number, data, &send_imm))
		task = doca_rdma_task_send_imm_as_task(send_imm);
	else if (kind == RDMA_WRITE &&
		 !doca_rdma_task_write_allocate_init(rdma, to, src, dst, data, &write))
		task = doca_rdma_task_write_as_task(write);
	else if (kind == RDMA_WRITE_IMM && !doca_rdma_task_write_imm_allocate_init(
						   rdma, to, src, dst, number, data, &write_imm))
		task = doca_rdma_task_write_imm_as_task(write_imm);
	else if (kind == RDMA_READ &&
		 !doca_rdma_task_read_allocate_init(rdma, to, src, dst, data, &read))
		task = doca_rdma_task_read_as_task(read);
	return task && !doca_task_submit(task) ? task : NULL;
}

static inline struct doca_rdma_task_receive *rdma_receive(struct rdma_side *side,
							  struct doca_buf *dst, uint64_t number)
{
	struct doca_rdma_task_receive *receive = NULL;
	const union doca_data data = { .u64 = number };

	if (doca_rdma_task_receive_allocate_init(side->rdma, dst, data, &receive) ||
	    doca_task_submit(doca_rdma_task_receive_as_task(receive)))
		return NULL;
	return receive;
}

/* Bytes that are a list, or lie in one piece: lengths of the pieces. */
struct rdma_pieces {
	size_t lengths[RDMA_LIST];
	unsigned int nr;
};

/* So many bytes, cut into pieces of different lengths. */
static inline struct rdma_pieces rdma_cut(size_t total, unsigned int nr)
{
	struct rdma_pieces cut = { .nr = nr };
	unsigned int i;

	for (i = 0; i < nr - 1; i++, total -= cut.lengths[i - 1])
		cut.lengths[i] = total / nr / 2 + i;
	cut.lengths[nr - 1] = total;
	return cut;
}

/* Make a list of buffers at an address, with data or with room; each has a byte at least. */
static inline struct doca_buf *rdma_list(struct rdma_side *side, struct doca_mmap *mmap, char *at,
					 const struct rdma_pieces *cut, bool data)
{
	struct doca_buf *head = NULL, *buf;
	unsigned int i;
	size_t len;

	for (i = 0; i < cut->nr; at += len + RDMA_GAP, i++) {
		len = cut->lengths[i];
		buf = a_buf(side->inv, mmap, at, data ? len : 0, data && len ? 0 : len + !len);
		if (!buf || (head && doca_buf_chain_list(head, buf)))
			return NULL;
		if (!head)
			head = buf;
	}
	return head;
}

/* Copy the bytes of all pieces behind each other, and overwrite them with @over. */
static inline void rdma_gather(char *to, char *at, const struct rdma_pieces *cut, char over)
{
	unsigned int i;

	for (i = 0; i < cut->nr; at += cut->lengths[i] + RDMA_GAP, i++) {
		memcpy(to, at, cut->lengths[i]);
		memset(at, over, cut->lengths[i]);
		to += cut->lengths[i];
	}
}

#endif /* SELFTESTS_API_RDMA_TASKS_H */
