// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "domain.h"
#include "msg.h"

static int open_file(struct domain *domain)
{
	struct doca_query query = { .size = sizeof(query) };

	domain->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	if (domain->fd < 0) {
		fail_errno(errno, "cannot open /dev/doca");
		hint("Is the driver loaded (modprobe doca), and are you a member of group doca? See doca(4).");
		return -1;
	}
	if (ioctl(domain->fd, DOCA_QUERY, &query))
		return fail_errno(errno, "cannot ask what the driver can do");
	if (query.out_ring_version != DOCA_RING_VERSION)
		return fail("the driver's rings are of version %u, not %d",
			    query.out_ring_version, DOCA_RING_VERSION);
	return 0;
}

static int map_area(struct domain *domain, const struct domain_conf *conf)
{
	const uint32_t access = DOCA_ACCESS_LOCAL_READ |
				DOCA_ACCESS_LOCAL_WRITE;
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)conf->area->src,
		.length = conf->area->length,
		.access = access,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = conf->device_id,
		.access = access,
	};

	domain->keys = calloc(conf->mappings, sizeof(*domain->keys));
	if (!domain->keys)
		return fail_errno(ENOMEM, "cannot keep the keys");
	if (ioctl(domain->fd, DOCA_MEM_REG, &reg)) {
		int err = errno;

		fail_errno(err, "cannot register %zu MiB",
			   conf->area->length >> 20);
		if (err == ENOMEM)
			hint("If RLIMIT_MEMLOCK is the reason, raise it with 'ulimit -l' or be root; the area is registered three times.");
		return -1;
	}
	map.mem_id = reg.out_mem_id;
	for (; domain->nr_keys < conf->mappings; domain->nr_keys++) {
		if (ioctl(domain->fd, DOCA_MEM_MAP, &map))
			return fail_errno(errno, "cannot map memory");
		domain->keys[domain->nr_keys] = map.out_key;
	}
	return 0;
}

/* Pin this thread: a worker runs where its creator does. */
static int create_worker(struct domain *domain, const struct domain_conf *conf)
{
	struct doca_worker_create arg = {
		.size = sizeof(arg),
		.idle_us = conf->idle_us,
	};
	int err;

	if (cpu_pin(conf->cpus->work))
		return -1;
	err = ioctl(domain->fd, DOCA_WORKER_CREATE, &arg) ? errno : 0;
	if (cpu_pin(conf->cpus->submit))
		return -1;
	if (err && err != EOPNOTSUPP)
		return fail_errno(err, "cannot create a worker");
	domain->worker_id = err ? 0 : arg.out_worker_id;
	return 0;
}

int domain_open(struct domain *domain, const struct domain_conf *conf)
{
	*domain = (struct domain){ .device_id = conf->device_id };
	if (!open_file(domain) && !map_area(domain, conf) &&
	    !create_worker(domain, conf))
		return 0;
	domain_close(domain);
	return -1;
}

/* Closing the file destroys everything else. */
void domain_close(struct domain *domain)
{
	free(domain->keys);
	if (domain->fd >= 0)
		close(domain->fd);
}

static int map_rings(struct queue *queue, const struct doca_queue_create *arg)
{
	char *user, *kernel;

	user = mmap(NULL, arg->out_user_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, arg->out_fd, DOCA_MMAP_USER);
	if (user == MAP_FAILED)
		return -1;
	kernel = mmap(NULL, arg->out_kernel_size, PROT_READ, MAP_SHARED,
		      arg->out_fd, DOCA_MMAP_KERNEL);
	if (kernel == MAP_FAILED) {
		munmap(user, arg->out_user_size);
		return -1;
	}
	queue->fd = arg->out_fd;
	queue->user_size = arg->out_user_size;
	queue->kernel_size = arg->out_kernel_size;
	queue->ring = (struct ring){
		.user = (struct doca_ring_user *)user,
		.kernel = (const struct doca_ring_kernel *)kernel,
		.sqes = (struct doca_sqe *)(user + arg->out_sq_off),
		.cqes = (const struct doca_cqe *)(kernel + arg->out_cq_off),
	};
	ring_init(&queue->ring, arg->sq_entries, arg->cq_entries);
	return 0;
}

int queue_open(struct queue *queue, const struct domain *domain,
	       uint32_t worker_id, unsigned int depth)
{
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = domain->device_id,
		.worker_id = worker_id,
		.sq_entries = 32, /* the library's minimum */
	};

	while (arg.sq_entries < depth)
		arg.sq_entries *= 2;
	arg.cq_entries = arg.sq_entries;
	if (ioctl(domain->fd, DOCA_QUEUE_CREATE, &arg))
		return fail_errno(errno, "cannot create a queue");
	if (map_rings(queue, &arg)) {
		fail_errno(errno, "cannot map a queue");
		close(arg.out_fd);
		return -1;
	}
	return 0;
}

void queue_close(struct queue *queue)
{
	munmap((void *)queue->ring.kernel, queue->kernel_size);
	munmap(queue->ring.user, queue->user_size);
	close(queue->fd);
}

int queue_enter(const struct queue *queue)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = queue->ring.sq_mask + 1,
	};

	return ioctl(queue->fd, DOCA_QUEUE_ENTER, &arg);
}
