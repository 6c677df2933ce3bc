/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Open devices, each with a copy of its devinfo.
 *
 * The same device opened twice is the same object. It counts the program's opens
 * and, apart from them, the objects of the library that use it, so that a program
 * which closes a device too early hurts nothing.
 *
 * A device may also be made from a protection domain of the program's own. The
 * driver does not know it: it is good for keys of memory, and for nothing else.
 */
#ifndef DOCA_CORE_DEV_H
#define DOCA_CORE_DEV_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

#include "core/driver/devinfo.h"

#define DEV_PORT 1 /* the RDMA port whose properties are the device's */

struct ibv_pd;

struct doca_dev {
	struct doca_devinfo info;
	struct doca_dev *next; /* in the list of open devices */
	uint32_t opens; /* by the program */
	uint32_t refs; /* all: opens and users in the library */
	uint32_t generation; /* of the driver */
	bool gone; /* it was removed; by dev_gone() and dev_set_gone() */
	bool from_pd; /* the domain is the program's; the driver has no part */
	struct ibv_pd *pd; /* made when it is first asked for */
};

/* The kernel's id, for calls of the driver. */
static inline uint32_t doca_priv_dev_id(const struct doca_dev *dev)
{
	return dev->info.id;
}

/*
 * A user in the library keeps the device, and the driver under it, alive. Both
 * are thread safe; put accepts NULL.
 */
DOCA_STABLE struct doca_dev *doca_priv_dev_get(struct doca_dev *dev);
DOCA_STABLE void doca_priv_dev_put(struct doca_dev *dev);

/* An open device of the driver that matches, without a reference, or NULL. */
DOCA_STABLE struct doca_dev *doca_priv_dev_find(
	bool (*match)(const struct doca_devinfo *info, const void *arg),
	const void *arg);

/*
 * Was it removed? The first queue or other lane that learns of it tells all others.
 * Thread safe.
 */
static inline bool dev_gone(const struct doca_dev *dev)
{
	return __atomic_load_n(&dev->gone, __ATOMIC_RELAXED);
}

static inline void dev_set_gone(struct doca_dev *dev)
{
	__atomic_store_n(&dev->gone, true, __ATOMIC_RELAXED);
}

/* False, with a line in the log, if it was opened before a fork. */
bool dev_alive(const struct doca_dev *dev);

/* NOT_SUPPORTED, with a line in the log, if the driver does not know it. */
doca_error_t dev_has_driver(const struct doca_dev *dev);

/*
 * Its protection domain, which is made at the first call and goes with the
 * device. Thread safe. INVALID_VALUE if it cannot have one, NO_MEMORY, or DRIVER;
 * with a line in the log.
 */
doca_error_t dev_get_pd(struct doca_dev *dev, struct ibv_pd **pd);

/* Is this its protection domain? None is made. Thread safe. */
bool dev_has_pd(const struct doca_dev *dev, const struct ibv_pd *pd);

/* IN_USE if a device has the domain already. */
doca_error_t dev_open_pd(struct ibv_pd *pd, struct doca_dev **dev);

/* Why driver_get() has failed, and the remedy, for a line in the log. */
const char *dev_driver_reason(int err);

#endif /* DOCA_CORE_DEV_H */
