/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: creation and destruction of queues. */
#ifndef DOCA_TESTS_FAKE_QUEUE_H
#define DOCA_TESTS_FAKE_QUEUE_H

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake_exec.h"
#include "fake_state.h"

/* The fake uses this field in another way than driver.c. */
#define queue_number made.out_fd

static struct fake_queue *find(const struct driver_queue *queue)
{
	return &queues[queue->queue_number];
}

static struct fake_queue *find_free(const struct driver_queue *queue)
{
	struct fake_queue *q = queues;

	pthread_mutex_lock(&fake_lock);
	while (q->queue)
		q++;
	*q = (struct fake_queue){ .queue = (struct driver_queue *)queue };
	fake.queues++;
	pthread_mutex_unlock(&fake_lock);
	return q;
}

int driver_queue_create(struct driver_queue *queue, const struct driver_queue_attr *attr)
{
	size_t user = 4096, kernel = 4096;
	size_t seg_off, cq_off, size;
	struct doca_queue_create made = { 0 };
	struct fake_queue *q;
	int fds[2];

	pthread_mutex_lock(&fake_lock);
	fake.attr = *attr;
	pthread_mutex_unlock(&fake_lock);
	if (fake.queue_error)
		return fake.queue_error;
	if (removed)
		return -ENODEV;
	if (attr->opcodes & ~(driver_caps()->out_opcodes | fake.copies))
		return -EOPNOTSUPP;
	if (!attr->entries || attr->entries & (attr->entries - 1) ||
	    attr->entries > caps.out_max_queue_entries ||
	    attr->segments > caps.out_max_queue_segments || attr->waits > caps.out_max_queue_waits)
		return -EINVAL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds))
		return -errno;

	seg_off = user + attr->entries * sizeof(struct doca_sqe);
	cq_off = seg_off + attr->segments * sizeof(struct doca_seg) + kernel;
	cq_off = (cq_off + 63) & ~63UL;
	size = cq_off + attr->entries * sizeof(struct doca_cqe);
	size = fake_lay_out(&made, attr, cq_off - kernel, size);
	q = find_free(queue);
	q->size = size;
	q->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	q->kernel = (void *)(q->memory + cq_off - kernel);
	q->cqes = (void *)(q->memory + cq_off);
	q->nr_segs = attr->segments;
	q->max_waits = attr->waits;
	q->opcodes = attr->opcodes ? attr->opcodes : caps.out_opcodes;
	q->peer = fds[1];
	q->kernel->need_wakeup = !attr->worker_id || fake.asleep;

	*queue = (struct driver_queue){
		.ring = {
			.user = (void *)q->memory,
			.kernel = q->kernel,
			.sqes = (void *)(q->memory + user),
			.segs = (void *)(q->memory + seg_off),
			.cqes = q->cqes,
		},
		.fd = fds[0],
		.worker_id = attr->worker_id,
		.generation = driver_generation(),
		.made = made,
	};
	queue->queue_number = q - queues;
	ring_init(&queue->ring, attr->entries, attr->entries);
	return 0;
}

void driver_queue_destroy(struct driver_queue *queue)
{
	struct fake_queue *q;

	if (!driver_current(queue->generation))
		return;
	q = find(queue);
	munmap(q->memory, q->size);
	close(queue->fd);
	if (q->peer >= 0)
		close(q->peer);
	pthread_mutex_lock(&fake_lock);
	q->queue = NULL;
	fake.queues--;
	pthread_mutex_unlock(&fake_lock);
}

int driver_queue_enter(struct driver_queue *queue)
{
	struct fake_queue *q = find(queue);

	FAKE_COUNT(fake.enters, 1);
	if (fake.enter_fails)
		return -ENODEV;
	if (queue->worker_id && !fake.late)
		__atomic_store_n(&q->kernel->need_wakeup, 0, __ATOMIC_SEQ_CST);
	else
		run(q, fake.enter_budget ? fake.enter_budget : UINT32_MAX);
	return 0;
}

int driver_queue_execute(struct driver_queue *queue)
{
	fake_inbox.executes++;
	run(find(queue), UINT32_MAX);
	return 0;
}

bool driver_queue_is_late(struct driver_queue *queue)
{
	(void)queue;
	return fake.late;
}

void driver_queue_rearm(struct driver_queue *queue)
{
	(void)queue;
}

int driver_queue_stop(struct driver_queue *queue)
{
	struct fake_queue *q = find(queue);

	FAKE_COUNT(fake.stops, 1);
	if (state_of(q) == DOCA_QUEUE_RUN)
		set_state(q, DOCA_QUEUE_FLUSH);
	return 0;
}

#endif /* DOCA_TESTS_FAKE_QUEUE_H */
