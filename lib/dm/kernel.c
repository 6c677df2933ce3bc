// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Device memory from the pools of doca.ko, which all processes share. It has its
 * own file of /dev/doca: closing that frees its memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/doca.h>

#include "core/base/uncancelled.h"
#include "core/driver/device_id.h"
#include "dm.h"

#define NODE "/dev/doca"

/* A child cannot use the parent's file: it opens its own. */
static struct {
	pthread_mutex_t lock;
	int fd;
	unsigned int forks;
} kernel = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? -errno : 0;
}

static int open_node(void)
{
	struct doca_query query = { .size = sizeof(query) };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = call(fd, DOCA_QUERY, &query);
	if (!err && query.out_abi_version < DOCA_ABI_VERSION)
		err = -EPROTO;
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

/* Return the process's file, or a negative errno. */
static int get_fd(void)
{
	int fd, state;

	state = lock_uncancelled(&kernel.lock);
	if (kernel.fd >= 0 && kernel.forks != forks_seen) {
		close(kernel.fd);
		kernel.fd = -1;
	}
	if (kernel.fd < 0) {
		kernel.fd = open_node();
		kernel.forks = forks_seen;
	}
	fd = kernel.fd;
	unlock_uncancelled(&kernel.lock, state);
	return fd;
}

int kernel_open(void)
{
	int fd = get_fd();

	return fd < 0 ? fd : 0;
}

static int kernel_query(uint32_t device, struct pool *pool)
{
	struct doca_dm_query arg = { .size = sizeof(arg), .device_id = device };
	int fd = get_fd();
	int err = fd < 0 ? fd : call(fd, DOCA_DM_QUERY, &arg);

	if (!err)
		*pool = (struct pool){
			.size = arg.out_length,
			.free = arg.out_free,
			.nr = arg.out_nr,
		};
	return err;
}

static int give_back(int fd, uint32_t id)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = DOCA_OBJECT_DM,
		.id = id,
	};

	return call(fd, DOCA_OBJECT_DESTROY, &arg);
}

static int map(int fd, struct chunk *chunk, size_t align, uint64_t offset)
{
	void *p = reserve(chunk->length, align);
	int err;

	if (p)
		chunk->addr = mmap(p, whole_pages(chunk->length),
				   PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_FIXED, fd, offset);
	if (p && chunk->addr != MAP_FAILED)
		return 0;
	err = -errno;
	if (p)
		munmap(p, whole_pages(chunk->length));
	give_back(fd, chunk->id);
	return err;
}

static int kernel_alloc(uint32_t device, size_t length, size_t align,
			struct chunk *chunk)
{
	struct doca_dm_alloc arg = {
		.size = sizeof(arg),
		.device_id = device,
		.length = length,
	};
	int fd = get_fd();
	int err = fd < 0 ? fd : call(fd, DOCA_DM_ALLOC, &arg);

	if (err)
		return err;
	*chunk = (struct chunk){
		.length = length,
		.id = arg.out_dm_id,
		.handle = arg.out_handle,
	};
	return map(fd, chunk, align, arg.out_offset);
}

static int kernel_import(uint32_t device, uint32_t handle, struct chunk *chunk)
{
	struct doca_dm_import arg = {
		.size = sizeof(arg),
		.device_id = device,
		.handle = handle,
	};
	int fd = get_fd();
	int err = fd < 0 ? fd : call(fd, DOCA_DM_IMPORT, &arg);

	if (err)
		return err;
	*chunk = (struct chunk){
		.length = arg.out_length,
		.id = arg.out_dm_id,
		.handle = handle,
	};
	return map(fd, chunk, sysconf(_SC_PAGESIZE), arg.out_offset);
}

static int kernel_free(struct chunk *chunk)
{
	int err = give_back(get_fd(), chunk->id);

	if (!err)
		munmap(chunk->addr, whole_pages(chunk->length));
	return err;
}

const struct backend kernel_backend = {
	.name = "kernel",
	.others = "docactl dm show lists them",
	.device_id = doca_priv_device_id,
	.query = kernel_query,
	.alloc = kernel_alloc,
	.import = kernel_import,
	.free = kernel_free,
};
