/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Open devices, each with a copy of its devinfo.
 *
 * A device that is opened twice is one object. It counts the program's opens and,
 * separately, its users in the library, so a program may close a device too early
 * without harm.
 *
 * A device may also be made from a protection domain of the program. The driver
 * does not know such a device: it serves for keys of memory only.
 */
#ifndef DOCA_CORE_DEV_H
#define DOCA_CORE_DEV_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

#include "core/base/symver.h"
#include "core/driver/devinfo.h"

#define DEV_PORT 1 /* the RDMA port whose properties are the device's */

struct ibv_context;
struct ibv_pd;

struct doca_dev {
	struct doca_devinfo info;
	struct doca_dev *next; /* in the list of open devices */
	uint32_t opens; /* by the program */
	uint32_t refs; /* all references: opens, and users in the library */
	uint32_t generation; /* generation of the driver at the open */
	bool gone; /* it was removed; see dev_gone() */
	bool from_pd; /* the domain is the program's, unknown to the driver */
	struct ibv_pd *pd; /* made on first use */
	/* Both by the lock of verbs_events.h: */
	bool lends_pd; /* the program has it, too */
	uint32_t failures; /* number of times that all of it has failed */
};

/* The kernel's id, for calls of the driver. */
static inline uint32_t doca_priv_dev_id(const struct doca_dev *dev)
{
	return dev->info.id;
}

/*
 * Keep the device, and the driver below, alive for a user in the library.
 * Thread safe; put accepts NULL.
 */
DOCA_STABLE struct doca_dev *doca_priv_dev_get(struct doca_dev *dev);
DOCA_STABLE void doca_priv_dev_put(struct doca_dev *dev);

/* Return a matching open device of the driver, without a reference, or NULL. */
DOCA_STABLE struct doca_dev *doca_priv_dev_find(
	bool (*match)(const struct doca_devinfo *info, const void *arg),
	const void *arg);

/*
 * Return true if the device was removed. The first queue or other lane that learns
 * of it tells all others. Thread safe.
 */
static inline bool dev_gone(const struct doca_dev *dev)
{
	return __atomic_load_n(&dev->gone, __ATOMIC_RELAXED);
}

static inline void dev_set_gone(struct doca_dev *dev)
{
	__atomic_store_n(&dev->gone, true, __ATOMIC_RELAXED);
}

/* Return false, and log it, if the device was opened before a fork. */
bool dev_alive(const struct doca_dev *dev);

/* Return NOT_SUPPORTED, and log it, if the driver does not know the device. */
DOCA_STABLE doca_error_t dev_has_driver(const struct doca_dev *dev)
	DOCA_PRIVATE(dev_has_driver);

/*
 * Load what dev_get_pd() needs. It does so itself, but a caller with a lock must have done so before
 * it took that (core/base/loader.h). Logged; codes as there.
 */
doca_error_t dev_prepare_pd(const struct doca_dev *dev);

/*
 * Get the device's protection domain. The first call makes it; it goes with the
 * device. Thread safe. Returns INVALID_VALUE if the device cannot have one,
 * NO_MEMORY, or DRIVER; logged.
 */
DOCA_STABLE doca_error_t dev_get_pd(struct doca_dev *dev, struct ibv_pd **pd)
	DOCA_PRIVATE(dev_get_pd);

/*
 * Get the name of a device by now: it may have got another one since it was listed or opened, and
 * another device may have that. Its id stays its own. Returns 0 or a negative errno; -ENODEV: it was
 * removed.
 */
int dev_name_by_now(const struct doca_devinfo *devinfo,
		    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE]);

/*
 * Open a device of verbs by the name that it has by now. Return NULL and errno if that fails; ENODEV:
 * it was removed, or is no RDMA device.
 */
DOCA_STABLE struct ibv_context *
dev_open_verbs(const struct doca_devinfo *devinfo) DOCA_PRIVATE(dev_open_verbs);

/* Return true if it is the device's protection domain; make none. Thread safe. */
bool dev_has_pd(const struct doca_dev *dev, const struct ibv_pd *pd);

/* Make a device of a domain. Returns IN_USE if a device has the domain already; or DRIVER. */
doca_error_t dev_open_pd(struct ibv_pd *pd, struct doca_dev **dev);

/* Return why driver_get() has failed, and the remedy, for a line in the log. */
const char *dev_driver_reason(int err);

#endif /* DOCA_CORE_DEV_H */
