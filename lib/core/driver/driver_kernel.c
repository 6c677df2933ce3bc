// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The kernel module, by system calls; its devices are listed by netlink. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver_ops.h"
#include "netlink.h"

#define DRIVER_NODE "/dev/doca"

static int kernel_open(void)
{
	int fd = open(DRIVER_NODE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void kernel_close(int fd)
{
	close(fd);
}

static int kernel_call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

static int kernel_map(int fd, uint64_t offset, size_t size, int prot,
		      void **addr)
{
	*addr = mmap(NULL, size, prot, MAP_SHARED, fd, offset);
	return *addr == MAP_FAILED ? -errno : 0;
}

static void kernel_unmap(void *addr, size_t size)
{
	munmap(addr, size);
}

const struct driver_ops driver_kernel = {
	.name = "kernel",
	.open = kernel_open,
	.close = kernel_close,
	.call = kernel_call,
	.map = kernel_map,
	.unmap = kernel_unmap,
	.list = netlink_list_devices,
	.functions = netlink_list_functions,
	.check = netlink_check_device,
};
