/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * All that the driver can do, as steps that are made one after the other, for tests
 * that let one of them go wrong: and the proof that nothing remains of it.
 */
#ifndef DOCA_WORLD_H
#define DOCA_WORLD_H

#include <linux/genetlink.h>

#include "../lib/dmabuf.h"
#include "doca_nl.h"
#include "doca_ring.h"

#define WORLD_LENGTH (16 * PAGE)
#define WORLD_ENTRIES 16

/* All that there is, of a process that exports to itself */
struct world {
	struct doca watch; /* the same user's, to see what he is charged for */
	char quotas[1024]; /* before */
	int family; /* of netlink */
	uint32_t worker_idle_us;
	struct doca d;
	int peer; /* another open file, the importer */
	int dmabuf;
	struct buf buf;
	uint32_t dmabuf_mem;
	struct doca_blob blob;
	uint32_t export_id;
	uint32_t imported; /* key */
	uint32_t worker;
	struct queue entered; /* by the caller, and by the worker: */
	struct queue worked;
	bool pushed;
};

/*
 * A step returns 0 or the negative errno, and may be called again if it failed. None
 * may allocate memory or use what does: it fails as well.
 */
struct step {
	const char *name;
	int (*run)(struct world *w);
};

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

static inline int step_reg(struct world *w)
{
	return mem_reg(w->d.fd, w->buf.addr, WORLD_LENGTH, ACCESS_LOCAL | ACCESS_PCI,
		       &w->buf.mem);
}

static inline int step_reg_dmabuf(struct world *w)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.flags = DOCA_MEM_REG_DMABUF,
		.addr = 0x10000,
		.length = PAGE,
		.access = ACCESS_LOCAL,
		.dmabuf_fd = w->dmabuf,
	};

	return w->dmabuf < 0 ? 0 : doca_call(w->d.fd, DOCA_MEM_REG, &reg);
}

static inline int step_map(struct world *w)
{
	return mem_map(w->d.fd, w->buf.mem, w->d.device, ACCESS_LOCAL,
		       &w->buf.key);
}

static inline int step_export(struct world *w)
{
	return mem_export(w->d.fd, w->buf.key, 0, &w->blob, &w->export_id);
}

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

/* With its mappings */
static inline int step_queue(struct world *w)
{
	return queue_create(&w->entered, &w->d,
			    (struct doca_queue_create){ .sq_entries = WORLD_ENTRIES,
							.cq_entries = WORLD_ENTRIES,
							.nr_segments = 4,
							.nr_waits = 2 });
}

static inline int step_worker_queue(struct world *w)
{
	return queue_open(&w->worked, &w->d, w->worker, WORLD_ENTRIES, 0);
}

/* Copies of both kinds, a wait that is over at once, and one that never is */
static inline void push_all(struct world *w)
{
	struct doca_seg to = seg_of(&w->buf, 0, PAGE);
	struct doca_seg from = seg_of(&w->buf, PAGE, PAGE);
	struct doca_seg value = seg_of(&w->buf, 0, sizeof(uint64_t));

	w->entered.segs[0] = from;
	queue_push(&w->entered, sqe_copy(to, from));
	queue_push(&w->entered, sqe_copy_list(to, seg_list(0, 1),
					      DOCA_SQE_SRC_LIST));
	queue_push(&w->entered,
		   sqe_sync_wait(DOCA_OP_SYNC_WAIT_EQ, value, 0, ~0ULL));
	queue_push(&w->entered,
		   sqe_sync_wait(DOCA_OP_SYNC_WAIT_NE, value, 0, ~0ULL));
	queue_announce(&w->entered);
	queue_push(&w->worked, sqe_copy(to, from));
	queue_announce(&w->worked);
	w->pushed = true;
}

static inline int step_enter(struct world *w)
{
	if (!w->pushed)
		push_all(w);
	return queue_enter(w->entered.fd, UINT32_MAX, NULL);
}

static inline int step_wake(struct world *w)
{
	return queue_enter(w->worked.fd, UINT32_MAX, NULL);
}

/* Nothing was lost of what was submitted while calls failed */
static inline int step_reap(struct world *w)
{
	struct doca_cqe cqe;
	int i, err;

	for (i = 0; i < 3; i++) {
		err = queue_wait(&w->entered, &cqe);
		if (err || cqe.status)
			return err ? err : -EIO;
	}
	err = queue_wait(&w->worked, &cqe);
	return err || !cqe.status ? err : -EIO;
}

static inline int step_poll(struct world *w)
{
	int revents = queue_revents(&w->entered, POLLIN, 0);

	return revents < 0 ? revents : 0;
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

static inline int step_fdinfo(struct world *w)
{
	int err = read_fdinfo(w->d.fd);

	return err ? err : read_fdinfo(w->worked.fd);
}

/* Ask for a listing; the first message of it is made at once */
static inline int list_begin(int sock, int family, int cmd)
{
	struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
	} request = {
		.nl = { .nlmsg_len = sizeof(request),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.genl = { .cmd = cmd, .version = DOCA_GENL_VERSION },
	};

	return send(sock, &request, sizeof(request), 0) < 0 ? -errno : 0;
}

static inline int list_end(int sock)
{
	char answer[16384];
	struct nlmsghdr *nl = (void *)answer;
	ssize_t n;

	for (;;) {
		n = recv(sock, answer, sizeof(answer), 0);
		if (n < 0)
			return -errno;
		if (nl->nlmsg_type == NLMSG_ERROR)
			return ((struct nlmsgerr *)NLMSG_DATA(nl))->error;
		if (nl->nlmsg_type == NLMSG_DONE)
			return *(int *)NLMSG_DATA(nl);
	}
}

static inline int list(int sock, const struct world *w, int cmd)
{
	int err = list_begin(sock, w->family, cmd);

	return err ? err : list_end(sock);
}

static inline int step_list(struct world *w)
{
	int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int cmd, err;

	if (sock < 0)
		return -errno;
	err = list(sock, w, DOCA_GENL_CMD_DEV_GET);
	for (cmd = DOCA_GENL_CMD_FILE_GET; cmd <= DOCA_GENL_CMD_QUEUE_GET; cmd++)
		if (!err)
			err = list(sock, w, cmd);
	close(sock);
	return err;
}

static inline int step_stop(struct world *w)
{
	return queue_stop(w->entered.fd);
}

static inline int close_fd(int *fd)
{
	int err = *fd >= 0 && close(*fd) ? -errno : 0;

	*fd = -1;
	return err;
}

static inline int unmap_area(void *addr, size_t size)
{
	return addr && munmap(addr, size) ? -errno : 0;
}

static inline int end_queue(struct queue *q)
{
	int err = unmap_area(q->user, q->geo.out_user_size);

	if (err)
		return err;
	q->user = NULL;
	err = unmap_area((void *)q->kernel, q->geo.out_kernel_size);
	if (err)
		return err;
	q->kernel = NULL;
	return close_fd(&q->fd);
}

static inline int step_end_queue(struct world *w)
{
	return end_queue(&w->entered);
}

static inline int step_end_worker_queue(struct world *w)
{
	return end_queue(&w->worked);
}

static inline int step_end_worker(struct world *w)
{
	return w->worker ? worker_destroy(w->d.fd, w->worker) : 0;
}

static inline int step_unmap_imported(struct world *w)
{
	return mem_unmap(w->peer, w->imported);
}

static inline int step_unmap(struct world *w)
{
	return mem_unmap(w->d.fd, w->buf.key);
}

static inline int step_revoke(struct world *w)
{
	return export_revoke(w->d.fd, w->export_id);
}

static inline int step_dereg(struct world *w)
{
	return mem_dereg(w->d.fd, w->buf.mem);
}

static inline int step_close_peer(struct world *w)
{
	return close_fd(&w->peer);
}

static inline int step_close(struct world *w)
{
	return close_fd(&w->d.fd);
}

#define STEP(name) { #name, step_##name }
#define MAKE_ALL                                                               \
	STEP(open), STEP(open_peer), STEP(query), STEP(reg), STEP(reg_dmabuf), \
		STEP(map), STEP(export), STEP(import), STEP(worker),           \
		STEP(queue), STEP(worker_queue), STEP(enter), STEP(wake),      \
		STEP(reap), STEP(poll), STEP(fdinfo), STEP(list)

/* All is used, and then given back one by one */
static const struct step orderly[] = {
	MAKE_ALL, STEP(stop), STEP(end_queue), STEP(end_worker_queue),
	STEP(end_worker), STEP(unmap_imported), STEP(unmap), STEP(revoke),
	STEP(dereg), STEP(close_peer), STEP(close),
	{},
};

/* The memory goes while all others use it */
static const struct step memory_first[] = {
	MAKE_ALL, STEP(dereg), STEP(end_worker_queue), STEP(close_peer),
	STEP(end_queue), STEP(close),
	{},
};

/* The file goes first: what belonged to it goes with it or with the others */
static const struct step file_first[] = {
	MAKE_ALL, STEP(close), STEP(end_queue), STEP(close_peer),
	STEP(end_worker_queue),
	{},
};

/* One that can be registered, or -1 */
static inline int make_dmabuf(void)
{
	int fd = dmabuf_heap(PAGE, true);

	return fd < 0 ? dmabuf_vgem(PAGE, true) : fd;
}

/* What the user of an open file is charged for, as text */
static inline void read_quotas(int fd, char *text, size_t size)
{
	char path[64], line[128];
	size_t n = 0;
	FILE *f;

	*text = '\0';
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "doca-user-", 10) && n < size)
			n += snprintf(text + n, size - n, "%s", line);
	fclose(f);
}

/* The user's file @watch stays open. */
static inline int world_init(struct world *w, const struct doca *watch,
			     uint32_t worker_idle_us)
{
	struct family nl;
	int err = family_open(&nl);

	if (err)
		return err;
	family_close(&nl);
	*w = (struct world){
		.watch = *watch,
		.family = nl.family,
		.worker_idle_us = worker_idle_us,
		.d = { .fd = -1, .device = watch->device },
		.peer = -1,
		.dmabuf = make_dmabuf(),
		.entered = { .fd = -1 },
		.worked = { .fd = -1 },
	};
	read_quotas(watch->fd, w->quotas, sizeof(w->quotas));
	return 0;
}

static inline int world_begin(struct world *w)
{
	w->buf.addr = pages_alloc(WORLD_LENGTH);
	return w->buf.addr ? 0 : -ENOMEM;
}

/* Whether all is as it was before, after some time at most */
static inline bool world_is_gone(const struct world *w)
{
	uint64_t end = now_ns() + WAIT_NS;
	char is[sizeof(w->quotas)];
	struct pins pins;

	do {
		read_quotas(w->watch.fd, is, sizeof(is));
		if (!strcmp(is, w->quotas)) {
			pins = pins_settle(w->watch.pins);
			return !memcmp(&pins, &w->watch.pins, sizeof(pins));
		}
		pause_us(1000);
	} while (now_ns() < end);
	fprintf(stderr, "# before:\n%s# after:\n%s", w->quotas, is);
	return false;
}

/* What there is of it goes, and no trace of it remains. */
static inline bool world_end(struct world *w)
{
	if (end_queue(&w->entered) || end_queue(&w->worked) ||
	    close_fd(&w->peer) || close_fd(&w->d.fd) ||
	    unmap_area(w->buf.addr, WORLD_LENGTH))
		return false;
	w->buf.addr = NULL;
	w->pushed = false;
	w->worker = 0;
	return world_is_gone(w);
}

#endif /* DOCA_WORLD_H */
