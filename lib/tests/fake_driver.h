/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A driver for tests: the functions of core/driver.h over rings in the process's own
 * memory, executed when a test says so. It answers what the kernel's interface promises,
 * and fails where a test wants it. It is as thread safe as driver.c, but does not order
 * threads that use their own queues. One file of a program includes it, in place of
 * driver.c.
 */
#ifndef DOCA_TESTS_FAKE_DRIVER_H
#define DOCA_TESTS_FAKE_DRIVER_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <open_doca.h>

#include "core/exec/pe_watch.h"
#include "core/objects.h"

#include "fake_queue.h"
#include "fake_regions.h"
#include "fake_state.h"

/* The last devices that were added to the list of the driver, by their ids. */
#define FAKE_MADE 16
static struct doca_devinfo fake_made[FAKE_MADE];

static inline void fake_list_dev(const struct doca_devinfo *info)
{
	fake_made[info->id % FAKE_MADE] = *info;
}

#if !defined(FAKE_HAS_DEVICES) && !defined(DOCA_TESTS_FAKE_NET_H)
int driver_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	if (fake.check_error)
		return fake.check_error;
	*infos = malloc((1 + FAKE_MADE) * sizeof(**infos));
	if (!*infos)
		return -ENOMEM;
	**infos = fake_dev.info;
	memcpy(*infos + 1, fake_made, sizeof(fake_made));
	*n = 1 + FAKE_MADE;
	return 0;
}
#endif

#ifndef FAKE_HAS_DEVICES
int driver_check_device(uint32_t id)
{
	(void)id;
	return fake.check_error;
}
#endif

int driver_list_functions(struct driver_function **functions, uint32_t *n)
{
	size_t size = fake.nr_functions * sizeof(**functions);

	if (fake.functions_error)
		return fake.functions_error;
	*functions = malloc(size + 1);
	if (!*functions)
		return -ENOMEM;
	if (size)
		memcpy(*functions, fake.functions, size);
	*n = fake.nr_functions;
	return 0;
}

int driver_get(void)
{
	if (fake.get_error)
		return fake.get_error;
	FAKE_COUNT(fake.refs, 1);
	return 0;
}

void driver_put(void)
{
	FAKE_COUNT(fake.refs, -1);
}

/* Pretend to be the driver in the process. */
static bool fake_in_process;

bool driver_is_in_process(void)
{
	return fake_in_process;
}

const struct doca_query *driver_caps(void)
{
	return fake.caps ? fake.caps : &caps;
}

const char *open_doca_driver(void)
{
	return fake.name ? fake.name : "process";
}

int driver_device_query(uint32_t device_id, uint16_t opcode, struct doca_device_query *out)
{
	const struct doca_query *all = driver_caps();

	(void)device_id;
	if (fake.query_error)
		return fake.query_error;
	if (!((all->out_opcodes | fake.copies) >> opcode & 1))
		return -ENOENT;
	*out = (struct doca_device_query){
		.out_flags = DOCA_OP_EXECUTED,
		.out_max_src = fake.max_src ? fake.max_src : all->out_max_length,
		.out_max_dst = all->out_max_length,
		.out_max_segments = all->out_max_segments,
		.out_max_ops = 1,
		.out_variants = fake.variants,
		.out_unit = FAKE_UNIT,
		.out_max_block = FAKE_MAX_BLOCK,
	};
	return 0;
}

int driver_worker_create(uint32_t idle_us, uint32_t *worker_id)
{
	if (!fake.workers)
		return -EOPNOTSUPP;
	if (fake.worker_error)
		return fake.worker_error;
	pthread_mutex_lock(&fake_lock);
	fake.idle_us = idle_us;
	*worker_id = ++fake.workers_made;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_worker_destroy(uint32_t worker_id)
{
	(void)worker_id;
	FAKE_COUNT(fake.workers_gone, 1);
	return 0;
}

#define for_each_queue(q)                              \
	for (q = queues; q < queues + MAX_QUEUES; q++) \
		if (q->queue)

/* Let the workers execute up to @n entries of each queue. */
static inline void fake_work(unsigned int n)
{
	struct fake_queue *q;

	for_each_queue(q) if (q->queue->worker_id && !q->kernel->need_wakeup) run(q, n);
}

/* Remove the device: all queues die, and flush. */
static inline void fake_remove_device(void)
{
	struct fake_queue *q;

	removed = true;
	for_each_queue(q)
	{
		q->kernel->dead = 1;
		if (q->kernel->state == DOCA_QUEUE_RUN)
			q->kernel->state = DOCA_QUEUE_FLUSH;
		close(q->peer);
		q->peer = -1;
	}
}

static inline void fake_break_queues(void)
{
	struct fake_queue *q;

	for_each_queue(q) q->kernel->state = DOCA_QUEUE_BROKEN;
}

/* Publish a completion without a submission. */
static inline void fake_stray_completion(uint64_t user_data)
{
	struct fake_queue *q;

	for_each_queue(q) complete(q, user_data, DOCA_STATUS_SUCCESS, 0, 0);
}

/* Behave as in the child of a fork, until fake_reset(). */
static inline void fake_fork(void)
{
	struct fake_queue *q;

	for_each_queue(q)
	{
		mprotect(q->memory, q->size, PROT_NONE);
		close(q->queue->fd);
		close(q->peer);
		ring_detach(&q->queue->ring);
		q->queue = NULL;
		fake.queues--;
	}
	driver_forks++;
}

/* Tests look themselves, instead of a thread. */
void pe_watch_start(void)
{
}

/* Register a device that was not opened, for debug mode. */
static inline void fake_add_dev(const struct doca_dev *dev)
{
	doca_priv_debug_add(dev, &doca_priv_dev_object, sizeof(*dev), 1);
}

/* Open a devinfo that is in no list; register it for debug mode. */
static inline doca_error_t fake_open(struct doca_devinfo *info, struct doca_dev **dev)
{
	doca_priv_debug_add(info, &doca_priv_devinfo_object, sizeof(*info), 1);
	return doca_dev_open(info, dev);
}

/* Open another device. */
static inline struct doca_dev *fake_new_dev(uint32_t id)
{
	struct doca_devinfo info = { .id = id, .type = DOCA_DEV_RDMA };
	struct doca_dev *dev;

	snprintf(info.name, sizeof(info.name), "fake%u", id);
	fake_list_dev(&info);
	return fake_open(&info, &dev) == DOCA_SUCCESS ? dev : NULL;
}

/* Any blob is an export of this memory from now on. */
static const struct doca_blob fake_blob = { .magic = DOCA_BLOB_MAGIC };

static inline void fake_imports(uint32_t access)
{
	fake.import.out_key = 77;
	fake.import.out_addr = 0x10000;
	fake.import.out_length = 0x2000;
	fake.import.out_access = access;
}

/* Everything that was made is released. */
#define EXPECT_CLEAN()                      \
	do {                                \
		EXPECT_EQ(fake.refs, 0);    \
		EXPECT_EQ(fake.mems, 0);    \
		EXPECT_EQ(fake.keys, 0);    \
		EXPECT_EQ(fake.exports, 0); \
		EXPECT_EQ(fake.queues, 0);  \
	} while (0)

/* Reset to the initial state, with workers or without. */
static inline void fake_reset(bool workers)
{
	if (!fake.mems && !fake.keys)
		next_mem = next_key = 0;
	fake = (struct fake){ .workers = workers, .limit.limit = UINT64_MAX };
	fake_inbox = (struct fake_inbox){ 0 };
	removed = false;
	fake_dev.gone = false;
	driver_forks = 0;
	fake_add_dev(&fake_dev);
}

/*
 * A queue is readable while the requested completion is there. But a program that waits in
 * an epoll is woken only when it comes, not if it came before the request.
 */
static void sync_queue(struct fake_queue *q)
{
	const struct doca_ring_user *user = q->queue->ring.user;
	bool inbox = q->queue->made.inbox_entries && q->ev_tail != user->ev_head;
	char c;

	while (recv(q->queue->fd, &c, 1, MSG_DONTWAIT) > 0)
		;
	if (!inbox && q->cq_tail - user->notify_at >= q->cq_tail - user->cq_head)
		q->woken = false;
	if (q->woken && q->peer >= 0)
		send(q->peer, "", 1, MSG_NOSIGNAL);
}

/* Return true if a wait for @fd would end. */
static inline bool fake_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct fake_queue *q;

	for_each_queue(q) sync_queue(q);
	return poll(&p, 1, 0) > 0;
}

#endif /* DOCA_TESTS_FAKE_DRIVER_H */
