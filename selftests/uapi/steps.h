/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* All uses of the driver, as steps that follow one another. */
#ifndef DOCA_STEPS_H
#define DOCA_STEPS_H

#include <sys/epoll.h>

#include "dm.h"
#include "doca_nl_raw.h"
#include "doca_ring.h"

#define WORLD_LENGTH (16 * PAGE)
#define WORLD_ENTRIES 16

/* All objects of a process that exports to itself */
struct world {
	struct doca watch; /* a file of the user, to see its charges */
	char quotas[1024]; /* charges before */
	int family; /* netlink family */
	uint32_t worker_idle_us;
	struct doca d;
	int peer; /* another open file, the importer's */
	int dmabuf;
	struct buf buf;
	struct buf small, huge, hugetlb, shared; /* memory of other kinds */
	struct doca_blob blob;
	uint32_t export_id;
	uint32_t imported; /* key */
	uint32_t worker;
	/* Queues: executed by the caller, by the worker, and the importer's */
	struct queue entered;
	struct queue worked;
	struct queue theirs;
	bool pushed;
	/* Device memory, and the importer's part of it */
	struct doca_dm_alloc dm;
	struct doca_dm_import dm_import;
	uint8_t *dm_addr;
};

#define WORLD_DM (3 * PAGE)

/*
 * A step returns 0 or the negative errno, and may be called again if it failed. It must
 * not allocate memory, for that fails as well. A step that only looks may also be called
 * again after it succeeded.
 */
struct step {
	const char *name;
	int (*run)(struct world *w);
	bool looks;
};

/* A step that is one call */
#define CALL(name, call) \
	static inline int step_##name(struct world *w) \
	{ \
		return call; \
	}

static inline int step_open(struct world *w)
{
	w->d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	return w->d.fd < 0 ? -errno : 0;
}

static inline int step_open_peer(struct world *w)
{
	w->peer = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	return w->peer < 0 ? -errno : 0;
}

static inline int step_query(struct world *w)
{
	struct doca_query q;

	return query(w->d.fd, &q);
}

CALL(reg, mem_reg(w->d.fd, w->buf.addr, WORLD_LENGTH, ACCESS_LOCAL | ACCESS_PCI, &w->buf.mem))

static inline int reg_dmabuf(int fd, int dmabuf)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.flags = DOCA_MEM_REG_DMABUF,
		.addr = 0x10000,
		.length = PAGE,
		.access = ACCESS_LOCAL,
		.dmabuf_fd = dmabuf,
	};

	return dmabuf < 0 ? 0 : doca_call(fd, DOCA_MEM_REG, &reg);
}

CALL(reg_dmabuf, reg_dmabuf(w->d.fd, w->dmabuf))

static inline int reg_whole(struct world *w, struct buf *b)
{
	return mem_reg(w->d.fd, b->addr, b->length, ACCESS_LOCAL, &b->mem);
}

CALL(reg_small, reg_whole(w, &w->small))
CALL(reg_huge, reg_whole(w, &w->huge))
CALL(reg_hugetlb, reg_whole(w, &w->hugetlb))
CALL(reg_shared, reg_whole(w, &w->shared))
CALL(map, mem_map(w->d.fd, w->buf.mem, w->d.device, ACCESS_LOCAL, &w->buf.key))
CALL(export, mem_export(w->d.fd, w->buf.key, 0, &w->blob, &w->export_id))

static inline int step_import(struct world *w)
{
	struct doca_mem_import in;
	int err = mem_import(w->peer, w->d.device, &w->blob, &in);

	w->imported = in.out_key;
	return err;
}

static inline int step_worker(struct world *w)
{
	int err = worker_create(w->d.fd, w->worker_idle_us, &w->worker);

	return err == -EOPNOTSUPP ? 0 : err;
}

static inline int step_queue(struct world *w)
{
	struct doca_queue_create geo = {
		.size = sizeof(geo),
		.device_id = w->d.device,
		.sq_entries = WORLD_ENTRIES,
		.cq_entries = WORLD_ENTRIES,
		.nr_segments = 4,
		.nr_waits = 2,
	};
	int err = doca_call(w->d.fd, DOCA_QUEUE_CREATE, &geo);

	w->entered = (struct queue){ .fd = err ? -1 : geo.out_fd, .geo = geo };
	return err;
}

CALL(mmap, queue_map(&w->entered))
CALL(worker_queue, queue_open_waits(&w->worked, &w->d, w->worker, WORLD_ENTRIES, 1))

static inline int step_peer_queue(struct world *w)
{
	struct doca peer = { .fd = w->peer, .device = w->d.device };

	return queue_open(&w->theirs, &peer, 0, WORLD_ENTRIES, 0);
}

#define ENTERED 8 /* entries that complete, for each queue */
#define WORKED 2
#define THEIRS 1

/* All operations; a wait that ends at once, and one that never does */
static inline void push_entered(struct world *w)
{
	struct doca_seg to = seg_of(&w->buf, 0, PAGE);
	struct doca_seg from = seg_of(&w->buf, PAGE, PAGE);
	struct doca_seg zero = seg_of(&w->buf, 0, sizeof(uint64_t));
	struct doca_seg value = seg_of(&w->buf, 4 * PAGE, sizeof(uint64_t));
	struct queue *q = &w->entered;

	q->segs[0] = from;
	queue_push(q, sqe_nop(0));
	queue_push(q, sqe_copy(to, from));
	queue_push(q, sqe_copy_list(to, seg_list(0, 1), DOCA_SQE_SRC_LIST));
	queue_push(q, (struct doca_sqe){ .opcode = DOCA_OP_INVALIDATE,
					 .dst = seg_of(&w->buf, 5 * PAGE, PAGE) });
	queue_push(q, sqe_sync_write(DOCA_OP_SYNC_SET, value, 1));
	queue_push(q, sqe_sync_write(DOCA_OP_SYNC_ADD, value, 1));
	queue_push(q, sqe_sync_get(value));
	queue_push(q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_EQ, zero, 0, ~0ULL));
	queue_push(q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_NE, zero, 0, ~0ULL));
	queue_announce(q);
}

/* A copy, and a wait for a value that the queue above writes */
static inline void push_worked(struct world *w)
{
	struct doca_seg value = seg_of(&w->buf, 4 * PAGE, sizeof(uint64_t));

	queue_push(&w->worked, sqe_copy(seg_of(&w->buf, 6 * PAGE, PAGE),
					seg_of(&w->buf, 7 * PAGE, PAGE)));
	queue_push(&w->worked, sqe_sync_wait(DOCA_OP_SYNC_WAIT_NE, value, 0, ~0ULL));
	queue_announce(&w->worked);
}

static inline void push_theirs(struct world *w)
{
	queue_push(&w->theirs,
		   sqe_copy(seg_at(w->imported, w->buf.addr + 2 * PAGE, PAGE),
			    seg_at(w->imported, w->buf.addr + 3 * PAGE, PAGE)));
	queue_announce(&w->theirs);
}

static inline int step_enter(struct world *w)
{
	if (!w->pushed) {
		push_entered(w);
		push_worked(w);
		push_theirs(w);
		w->pushed = true;
	}
	return queue_enter(w->entered.fd, UINT32_MAX, NULL);
}

CALL(wake, queue_enter(w->worked.fd, UINT32_MAX, NULL))
CALL(peer_enter, queue_enter(w->theirs.fd, UINT32_MAX, NULL))

static inline int reap(struct queue *q, int count)
{
	struct doca_cqe cqe;
	int err = 0;

	while (!err && count--) {
		err = queue_wait(q, &cqe);
		if (!err && cqe.status)
			err = -EIO;
	}
	return err;
}

/* No entry that was submitted while calls failed is lost */
static inline int step_reap(struct world *w)
{
	int err = reap(&w->entered, ENTERED);

	if (!err)
		err = reap(&w->worked, WORKED);
	return err ? err : reap(&w->theirs, THEIRS);
}

static inline int step_poll(struct world *w)
{
	int revents = queue_revents(&w->entered, POLLIN, 0);

	return revents < 0 ? revents : 0;
}

static inline int step_epoll(struct world *w)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLHUP };
	int fd = epoll_create1(EPOLL_CLOEXEC);
	int err = fd < 0 ? -errno : 0;

	if (!err && epoll_ctl(fd, EPOLL_CTL_ADD, w->worked.fd, &event))
		err = -errno;
	if (!err && epoll_wait(fd, &event, 1, 0) < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

static inline int read_fdinfo(int of)
{
	char path[64], text[2048];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", of);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text));
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 ? n : 0;
}

CALL(fdinfo_file, read_fdinfo(w->d.fd))
CALL(fdinfo_queue, read_fdinfo(w->worked.fd))

#define CALL_LIST(what, CMD) \
	CALL(list_##what, ask(w->family, DOCA_GENL_CMD_##CMD##_GET, NLM_F_DUMP, 0, 0))

CALL_LIST(devices, DEV)
CALL_LIST(files, FILE)
CALL_LIST(memories, MEMORY)
CALL_LIST(mappings, MAPPING)
CALL_LIST(exports, EXPORT)
CALL_LIST(workers, WORKER)
CALL_LIST(queues, QUEUE)
CALL_LIST(dms, DM)

static inline int step_dm_query(struct world *w)
{
	struct doca_dm_query q;

	return dm_query(w->d.fd, w->d.device, &q);
}

CALL(dm_alloc, dm_alloc(w->d.fd, w->d.device, WORLD_DM, &w->dm))
CALL(dm_import, dm_import(w->peer, w->d.device, w->dm.out_handle, &w->dm_import))

static inline int step_dm_map(struct world *w)
{
	w->dm_addr = dm_map(w->peer, WORLD_DM, w->dm_import.out_offset);
	return w->dm_addr ? 0 : -errno;
}

static inline int unmap_area(void *addr, size_t size)
{
	return addr && munmap(addr, size) ? -errno : 0;
}

static inline int unmap_dm(struct world *w)
{
	int err = unmap_area(w->dm_addr, WORLD_DM);

	if (!err)
		w->dm_addr = NULL;
	return err;
}

CALL(dm_unmap, unmap_dm(w))
CALL(dm_free_import, dm_free(w->peer, w->dm_import.out_dm_id))
CALL(dm_free, dm_free(w->d.fd, w->dm.out_dm_id))
CALL(find_device, ask(w->family, DOCA_GENL_CMD_DEV_GET, NLM_F_ACK, DOCA_GENL_A_DEV_ID, w->d.device))

/* It may have been revoked although the answer was lost. */
static inline int step_revoke_by_admin(struct world *w)
{
	int err = ask(w->family, DOCA_GENL_CMD_EXPORT_REVOKE, NLM_F_ACK,
		      DOCA_GENL_A_EXPORT_ID, w->blob.export_id);

	return err == -ENOENT ? 0 : err;
}

static inline int step_import_revoked(struct world *w)
{
	int err = mem_import(w->peer, w->d.device, &w->blob, NULL);

	return err == -ENOKEY ? 0 : err ? err : -EIO;
}

CALL(stop, queue_stop(w->entered.fd))
CALL(stop_worker_queue, queue_stop(w->worked.fd))

static inline int close_fd(int *fd)
{
	int err = *fd >= 0 && close(*fd) ? -errno : 0;

	*fd = -1;
	return err;
}

static inline int unmap_queue(struct queue *q)
{
	int err = unmap_area(q->user, q->geo.out_user_size);

	if (err)
		return err;
	q->user = NULL;
	err = unmap_area((void *)q->kernel, q->geo.out_kernel_size);
	if (!err)
		q->kernel = NULL;
	return err;
}

static inline int end_queue(struct queue *q)
{
	int err = unmap_queue(q);

	return err ? err : close_fd(&q->fd);
}

CALL(end_queue, end_queue(&w->entered))
CALL(end_worker_queue, end_queue(&w->worked))
CALL(end_peer_queue, end_queue(&w->theirs))

/* Their mappings live on, even after their files. */
static inline int step_close_queues(struct world *w)
{
	int err = close_fd(&w->entered.fd);

	if (!err)
		err = close_fd(&w->worked.fd);
	return err ? err : close_fd(&w->theirs.fd);
}

static inline int step_unmap_queues(struct world *w)
{
	int err = unmap_queue(&w->entered);

	if (!err)
		err = unmap_queue(&w->worked);
	return err ? err : unmap_queue(&w->theirs);
}

CALL(end_worker, w->worker ? worker_destroy(w->d.fd, w->worker) : 0)
CALL(unmap_imported, mem_unmap(w->peer, w->imported))
CALL(unmap, mem_unmap(w->d.fd, w->buf.key))
CALL(revoke, export_revoke(w->d.fd, w->export_id))
CALL(dereg, mem_dereg(w->d.fd, w->buf.mem))
CALL(dereg_small, mem_dereg(w->d.fd, w->small.mem))
CALL(dereg_huge, mem_dereg(w->d.fd, w->huge.mem))
CALL(close_peer, close_fd(&w->peer))
CALL(close, close_fd(&w->d.fd))

#define STEP(name) { #name, step_##name, false }
#define LOOK(name) { #name, step_##name, true }
#define MAKE_ALL                                                               \
	STEP(open), STEP(open_peer), LOOK(query), STEP(reg), STEP(reg_dmabuf), \
		STEP(map), STEP(export), STEP(import), STEP(worker),           \
		STEP(queue), STEP(mmap), STEP(worker_queue), STEP(peer_queue), \
		LOOK(dm_query), STEP(dm_alloc), STEP(dm_import), STEP(dm_map), \
		STEP(enter), STEP(wake), STEP(peer_enter), STEP(reap),         \
		LOOK(poll), LOOK(epoll), LOOK(fdinfo_file),                    \
		LOOK(fdinfo_queue), LOOK(find_device), LOOK(list_devices),     \
		LOOK(list_files), LOOK(list_memories), LOOK(list_mappings),    \
		LOOK(list_exports), LOOK(list_workers), LOOK(list_queues),     \
		LOOK(list_dms)

/* Number of the steps */
static const struct step made[] = { MAKE_ALL };
#define NR_MADE (sizeof(made) / sizeof(made[0]))

/* Everything is used, and then given back one by one */
static const struct step orderly[] = {
	MAKE_ALL, STEP(stop), STEP(stop_worker_queue), STEP(end_queue),
	STEP(end_worker_queue), STEP(end_worker), STEP(end_peer_queue),
	STEP(unmap_imported), STEP(unmap), STEP(revoke), STEP(dereg),
	STEP(dm_unmap), STEP(dm_free_import), STEP(dm_free),
	STEP(close_peer), STEP(close),
	{},
};

/* The memory goes while all others use it */
static const struct step memory_first[] = {
	MAKE_ALL, STEP(dereg), STEP(end_worker_queue), STEP(close_peer),
	STEP(end_queue), STEP(close), STEP(end_peer_queue),
	{},
};

/* The file goes first: its objects go with it or with the others */
static const struct step file_first[] = {
	MAKE_ALL, STEP(close), STEP(end_queue), STEP(close_peer),
	STEP(end_peer_queue), STEP(end_worker_queue),
	{},
};

/* The importer goes first, with its objects */
static const struct step importer_first[] = {
	MAKE_ALL, STEP(close_peer), STEP(end_peer_queue), STEP(revoke),
	STEP(end_worker_queue), STEP(end_worker), STEP(close), STEP(end_queue),
	{},
};

/* An administrator revokes the export; mappings are left last */
static const struct step mappings_last[] = {
	MAKE_ALL, STEP(revoke_by_admin), STEP(import_revoked),
	STEP(close_queues), STEP(close), STEP(close_peer), STEP(unmap_queues),
	STEP(dm_unmap),
	{},
};

/* Memory of all kinds; only the end of the file gives back some of it */
static const struct step memories[] = {
	STEP(open), STEP(reg_small), STEP(reg_huge), STEP(reg_hugetlb),
	STEP(reg_shared),
	LOOK(fdinfo_file), LOOK(list_memories), STEP(dereg_small),
	STEP(dereg_huge), STEP(close),
	{},
};

#endif /* DOCA_STEPS_H */
