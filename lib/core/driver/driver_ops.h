/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The interface of a driver to driver.c: the calls of /dev/doca, and a list of devices.
 * Functions return 0 or a negative errno. File descriptors are real ones of the process:
 * they can be polled, and the child of a fork closes them. Only the driver that made
 * them knows more of them.
 */
#ifndef DOCA_CORE_DRIVER_OPS_H
#define DOCA_CORE_DRIVER_OPS_H

#include <stddef.h>
#include <stdint.h>

struct doca_devinfo;
struct driver_function;

struct driver_ops {
	const char *name;
	/* Return a file descriptor. */
	int (*open)(void);
	void (*close)(int fd);
	/* Execute a request of linux/doca.h, of the driver or of a queue. */
	int (*call)(int fd, unsigned long request, void *arg);
	/* Map an area of a queue, like mmap() with MAP_SHARED. */
	int (*map)(int fd, uint64_t offset, size_t size, int prot, void **addr);
	void (*unmap)(void *addr, size_t size);
	/*
	 * Make a queue's descriptor unreadable until more arrives. NULL if the
	 * descriptor becomes unreadable by itself.
	 */
	void (*rearm)(int fd);
	/* Like driver_list_devices(), _list_functions() and _check_device(). */
	int (*list)(struct doca_devinfo **infos, uint32_t *n);
	int (*functions)(struct driver_function **functions, uint32_t *n);
	int (*check)(uint32_t id);
};

extern const struct driver_ops driver_kernel;
extern const struct driver_ops driver_process;

#endif /* DOCA_CORE_DRIVER_OPS_H */
