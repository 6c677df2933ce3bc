// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The library's calls of its driver, the same for every kind of driver. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <open_doca.h>

#include "core/base/clock.h"
#include "core/base/uncancelled.h"
#include "driver.h"
#include "driver_choice.h"
#include "driver_ops.h"
#include "profile.h"
#include "release.h"

/*
 * The lock covers opening, closing and the list of queues, which exists for the
 * child of a fork to close. Calls need no lock: the caller's reference keeps fd.
 */
static struct {
	pthread_mutex_t lock;
	const struct driver_ops *ops;
	bool settled; /* opened once: the choice is final */
	bool has_choice; /* the environment was read */
	enum driver_choice choice;
	unsigned int refs;
	int fd;
	struct doca_query caps;
	struct list queues;
} driver = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.ops = &driver_kernel,
	.fd = -1,
	.queues = { &driver.queues, &driver.queues },
};

uint32_t driver_forks;

static void fork_prepare(void)
{
	pthread_mutex_lock(&driver.lock);
}

static void fork_parent(void)
{
	pthread_mutex_unlock(&driver.lock);
}

/*
 * The kernel refuses the child's calls and has not copied the rings into it.
 * What is left are file descriptors, which would keep the parent's queues alive
 * after it has died.
 */
static void fork_child(void)
{
	struct driver_queue *queue;
	struct list *pos;

	list_for_each(pos, &driver.queues) {
		queue = list_entry(pos, struct driver_queue, link);
		close(queue->fd);
		ring_detach(&queue->ring);
	}
	list_init(&driver.queues);
	if (driver.fd >= 0)
		close(driver.fd);
	driver.fd = -1;
	driver.refs = 0;
	driver_forks++;
	pthread_mutex_unlock(&driver.lock);
}

/* A constructor, because a fork in progress ignores handlers that are registered later. */
static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}

static int call(int fd, unsigned long request, void *arg)
{
	return driver.ops->call(fd, request, arg);
}

static int open_by(const struct driver_ops *ops)
{
	int fd, ret;

	driver.ops = ops;
	fd = ops->open();
	if (fd < 0)
		return fd;

	memset(&driver.caps, 0, sizeof(driver.caps));
	driver.caps.size = sizeof(driver.caps);
	ret = call(fd, DOCA_QUERY, &driver.caps);
	if (!ret && (driver.caps.out_ring_version != DOCA_RING_VERSION ||
		     driver.caps.out_abi_version < DOCA_ABI_VERSION)) {
		driver_note_release(&driver.caps);
		ret = -EPROTO;
	}
	if (ret) {
		ops->close(fd);
		return ret;
	}
	driver.fd = fd;
	driver.settled = true;
	return 0;
}

static int driver_open(const struct profile_source *profile)
{
	int ret;

	ret = profile_load(profile);
	if (ret)
		return ret;
	if (driver.settled)
		return open_by(driver.ops);
	if (driver.choice == DRIVER_CHOICE_UNKNOWN)
		return -DRIVER_WORD_ERROR;
	if (driver.choice == DRIVER_CHOICE_PROCESS)
		return open_by(&driver_process);
	ret = open_by(&driver_kernel);
	if (driver.choice == DRIVER_CHOICE_AUTO && driver_is_absent(ret))
		ret = open_by(&driver_process);
	return ret;
}

int driver_get(void)
{
	struct profile_source profile;
	int ret = 0, state;
	bool in_process;

	profile_prepare(&profile);
	state = lock_uncancelled(&driver.lock);
	if (!driver.has_choice)
		driver.choice = driver_choice();
	driver.has_choice = true;
	if (!driver.refs)
		ret = driver_open(&profile);
	if (!ret)
		driver.refs++;
	in_process = driver.settled && driver.ops == &driver_process;
	unlock_uncancelled(&driver.lock, state);
	if (in_process)
		driver_tell_process(driver.choice == DRIVER_CHOICE_PROCESS);
	else if (!ret)
		driver_tell_release();
	return ret;
}

void driver_put(void)
{
	int state = lock_uncancelled(&driver.lock);

	if (driver.refs && !--driver.refs) {
		driver.ops->close(driver.fd);
		driver.fd = -1;
	}
	unlock_uncancelled(&driver.lock, state);
}

const char *open_doca_driver(void)
{
	const char *name;

	pthread_mutex_lock(&driver.lock);
	name = driver.settled ? driver.ops->name : NULL;
	pthread_mutex_unlock(&driver.lock);
	return name;
}

/* The result is final: a process never changes its driver. */
bool driver_is_in_process(void)
{
	return driver.ops == &driver_process;
}

const struct doca_query *driver_caps(void)
{
	return &driver.caps;
}

int driver_device_query(uint32_t device_id, uint16_t opcode,
			struct doca_device_query *out)
{
	*out = (struct doca_device_query){
		.size = sizeof(*out),
		.device_id = device_id,
		.opcode = opcode,
	};
	return call(driver.fd, DOCA_DEVICE_QUERY, out);
}

/* With the lock held, for a list may change which devices there are. */
int driver_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	int state = lock_uncancelled(&driver.lock);
	int ret = driver.ops->list(infos, n);

	unlock_uncancelled(&driver.lock, state);
	return ret;
}

int driver_list_functions(struct driver_function **functions, uint32_t *n)
{
	return driver.ops->functions(functions, n);
}

int driver_check_device(uint32_t id)
{
	return driver.ops->check(id);
}

static int mem_reg(struct doca_mem_reg *arg, uint32_t *access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	int ret;

	arg->size = sizeof(*arg);
	arg->access = *access;
	ret = call(driver.fd, DOCA_MEM_REG, arg);
	if (!ret)
		*access = arg->out_access;
	*mem_id = arg->out_mem_id;
	limit->limit = arg->out_limit;
	limit->used = arg->out_used;
	return ret;
}

int driver_mem_reg(void *addr, size_t len, uint32_t *access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	struct doca_mem_reg arg = {
		.addr = (uintptr_t)addr,
		.length = len,
	};

	return mem_reg(&arg, access, mem_id, limit);
}

int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len,
			  uint32_t *access, uint32_t *mem_id,
			  struct driver_mem_limit *limit)
{
	struct doca_mem_reg arg = {
		.flags = DOCA_MEM_REG_DMABUF,
		.addr = (uintptr_t)addr,
		.length = len,
		.dmabuf_fd = fd,
		.dmabuf_offset = offset,
	};

	return mem_reg(&arg, access, mem_id, limit);
}

static int destroy(enum doca_object_type type, uint32_t id)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = type,
		.id = id,
	};

	return call(driver.fd, DOCA_OBJECT_DESTROY, &arg);
}

int driver_object_create(struct doca_object_create *arg,
			 struct driver_object *object)
{
	int ret;

	arg->size = sizeof(*arg);
	ret = call(driver.fd, DOCA_OBJECT_CREATE, arg);
	object->type = arg->type;
	object->id = arg->out_object_id;
	object->generation = driver_generation();
	return ret;
}

void driver_object_destroy(const struct driver_object *object)
{
	if (driver_current(object->generation))
		destroy(object->type, object->id);
}

int driver_mem_dereg(uint32_t mem_id)
{
	return destroy(DOCA_OBJECT_MEMORY, mem_id);
}

int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access,
		   uint32_t *key)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = mem_id,
		.device_id = device_id,
		.access = access,
	};
	int ret = call(driver.fd, DOCA_MEM_MAP, &arg);

	*key = arg.out_key;
	return ret;
}

int driver_mem_unmap(uint32_t key)
{
	struct doca_mem_unmap arg = {
		.size = sizeof(arg),
		.key = key,
	};

	return call(driver.fd, DOCA_MEM_UNMAP, &arg);
}

int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size)
{
	struct doca_mem_export arg = {
		.size = sizeof(arg),
		.flags = any_user ? DOCA_EXPORT_ANY_USER : 0,
		.key = key,
		.blob_size = size,
		.blob = (uintptr_t)blob,
	};

	return call(driver.fd, DOCA_MEM_EXPORT, &arg);
}

int driver_mem_import(uint32_t device_id, const void *blob, size_t size,
		      struct doca_mem_import *out)
{
	*out = (struct doca_mem_import){
		.size = sizeof(*out),
		.device_id = device_id,
		.blob_size = size,
		.blob = (uintptr_t)blob,
	};
	return call(driver.fd, DOCA_MEM_IMPORT, out);
}

int driver_worker_create(uint32_t idle_us, uint32_t *worker_id)
{
	struct doca_worker_create arg = {
		.size = sizeof(arg),
		.idle_us = idle_us,
	};
	int ret = call(driver.fd, DOCA_WORKER_CREATE, &arg);

	*worker_id = arg.out_worker_id;
	return ret;
}

int driver_worker_destroy(uint32_t worker_id)
{
	return destroy(DOCA_OBJECT_WORKER, worker_id);
}

static int queue_map(struct driver_queue *queue)
{
	const struct driver_ops *ops = driver.ops;
	const struct doca_queue_create *made = &queue->made;
	void *user, *kernel;
	int ret;

	ret = ops->map(made->out_fd, DOCA_MMAP_USER, made->out_user_size,
		       PROT_READ | PROT_WRITE, &user);
	if (ret)
		return ret;
	ret = ops->map(made->out_fd, DOCA_MMAP_KERNEL, made->out_kernel_size,
		       PROT_READ, &kernel);
	if (ret) {
		ops->unmap(user, made->out_user_size);
		return ret;
	}

	queue->ring = (struct ring){
		.user = user,
		.kernel = kernel,
		.sqes = (void *)((char *)user + made->out_sq_off),
		.segs = (void *)((char *)user + made->out_seg_off),
		.cqes = (void *)((char *)kernel + made->out_cq_off),
	};
	ring_init(&queue->ring, made->sq_entries, made->cq_entries);
	return 0;
}

/*
 * Under the lock throughout, so that a fork in another thread sees either no
 * file descriptor or one that is in the list.
 */
int driver_queue_create(struct driver_queue *queue,
			const struct driver_queue_attr *attr)
{
	struct doca_queue_create *arg = &queue->made;
	int ret, state;

	*arg = (struct doca_queue_create){
		.size = sizeof(*arg),
		.device_id = attr->device_id,
		.worker_id = attr->worker_id,
		.sq_entries = attr->entries,
		.cq_entries = attr->entries,
		.nr_segments = attr->segments,
		.nr_waits = attr->waits,
		.nr_ops = attr->ops,
		.nr_sessions = attr->sessions,
		.opcodes = attr->opcodes,
		.inbox_entries = attr->inbox,
		.recv_slots = attr->recv_slots,
		.send_slots = attr->send_slots,
		.slot_size = attr->slot_size,
	};
	if (arg->nr_ops > driver.caps.out_max_queue_ops)
		arg->nr_ops = driver.caps.out_max_queue_ops;

	state = lock_uncancelled(&driver.lock);
	ret = call(driver.fd, DOCA_QUEUE_CREATE, arg);
	if (ret)
		goto out_unlock;
	ret = queue_map(queue);
	if (ret) {
		driver.ops->close(arg->out_fd);
		goto out_unlock;
	}
	queue->fd = arg->out_fd;
	queue->worker_id = attr->worker_id;
	queue->patience = (struct patience){
		.endless = !attr->worker_id || attr->patient ||
			   !(driver.caps.out_features & DOCA_FEATURE_EXECUTE),
	};
	queue->generation = driver_generation();
	list_add_tail(&driver.queues, &queue->link);
out_unlock:
	unlock_uncancelled(&driver.lock, state);
	return ret;
}

/*
 * In the child of a fork there is nothing to undo, and other mappings may have
 * the addresses of the rings by now.
 */
void driver_queue_destroy(struct driver_queue *queue)
{
	int state;

	if (!driver_current(queue->generation))
		return;

	state = lock_uncancelled(&driver.lock);
	list_del(&queue->link);
	driver.ops->unmap((void *)queue->ring.kernel,
			  queue->made.out_kernel_size);
	driver.ops->unmap(queue->ring.user, queue->made.out_user_size);
	driver.ops->close(queue->fd);
	unlock_uncancelled(&driver.lock, state);
}

/*
 * Time a call that executes, or wakes a worker that calls may replace. One that has stood in for
 * a worker on its way tells nothing about it.
 */
static int enter_timed(struct driver_queue *queue, struct doca_queue_enter *arg)
{
	struct patience *p = &queue->patience;
	uint64_t begin = clock_ns();
	int ret;

	if (patience_executes(p, ring_consumed(&queue->ring)))
		arg->flags = DOCA_ENTER_EXECUTE;
	ret = call(queue->fd, DOCA_QUEUE_ENTER, arg);
	if (arg->flags || !arg->out_entries)
		patience_called(p, ring_consumed(&queue->ring),
				clock_ns() - begin);
	return ret;
}

int driver_queue_enter(struct driver_queue *queue)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = queue->ring.sq_mask + 1,
	};

	if (!queue->patience.endless)
		return enter_timed(queue, &arg);
	return call(queue->fd, DOCA_QUEUE_ENTER, &arg);
}

int driver_queue_execute(struct driver_queue *queue)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = queue->ring.sq_mask + 1,
	};

	if (driver.caps.out_features & DOCA_FEATURE_EXECUTE)
		arg.flags = DOCA_ENTER_EXECUTE;
	return call(queue->fd, DOCA_QUEUE_ENTER, &arg);
}

bool driver_queue_is_late(struct driver_queue *queue)
{
	uint32_t taken;

	if (queue->patience.endless)
		return false;
	taken = ring_consumed(&queue->ring);
	return patience_ends(&queue->patience, taken,
			     ring_bytes(&queue->ring, taken), clock_ns());
}

void driver_queue_rearm(struct driver_queue *queue)
{
	if (driver.ops->rearm)
		driver.ops->rearm(queue->fd);
}

int driver_queue_stop(struct driver_queue *queue)
{
	struct doca_queue_stop arg = {
		.size = sizeof(arg),
	};

	return call(queue->fd, DOCA_QUEUE_STOP, &arg);
}

int driver_queue_call(const struct driver_queue *queue, unsigned long request,
		      void *arg)
{
	return call(queue->fd, request, arg);
}
