/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What a driver is to driver.c: the calls of /dev/doca, and a list of devices. Functions
 * return 0 or a negative errno. The file descriptors are the process's own, and only
 * the driver that gave them knows more of them than that they can be polled and that
 * the child of a fork closes them.
 */
#ifndef DOCA_CORE_DRIVER_OPS_H
#define DOCA_CORE_DRIVER_OPS_H

#include <stddef.h>
#include <stdint.h>

struct doca_devinfo;

struct driver_ops {
	const char *name;
	/* A file descriptor, or a negative errno. */
	int (*open)(void);
	void (*close)(int fd);
	/* A request of linux/doca.h, of the driver or of a queue. */
	int (*call)(int fd, unsigned long request, void *arg);
	/* An area of a queue, as mmap() does it with MAP_SHARED. */
	int (*map)(int fd, uint64_t offset, size_t size, int prot, void **addr);
	void (*unmap)(void *addr, size_t size);
	/*
	 * Where what makes a queue's descriptor readable stays: have it not be, until
	 * there is more. NULL where it tells what is.
	 */
	void (*rearm)(int fd);
	/* As driver_list_devices() and driver_check_device(). */
	int (*list)(struct doca_devinfo **infos, uint32_t *n);
	int (*check)(uint32_t id);
};

extern const struct driver_ops driver_kernel;
extern const struct driver_ops driver_process;

#endif /* DOCA_CORE_DRIVER_OPS_H */
