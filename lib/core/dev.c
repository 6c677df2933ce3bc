// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Open devices: one object for each, however often it is opened. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dev.h"
#include "driver.h"
#include "log.h"
#include "netlink.h"

LOG_SOURCE("COMMON::DEV");

/* The list, and the counts of what is on it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev *devs;

static void fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_done(void)
{
	pthread_mutex_unlock(&lock);
}

/* A thread that forks must not leave the child a lock that nobody holds. */
static void watch_forks(void)
{
	pthread_atfork(fork_prepare, fork_done, fork_done);
}

const char *dev_driver_reason(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return "the module is not loaded; load it with modprobe doca";
	case -EACCES:
	case -EPERM:
		return "no permission to open /dev/doca; join the group doca";
	case -EPROTO:
		return "the module and the libraries are of different versions; "
		       "install both from one release";
	case -EDQUOT:
		return "the user has too many files of /dev/doca open; the limit "
		       "is a parameter of the doca module";
	default:
		return strerror(-err);
	}
}

bool dev_alive(const struct doca_dev *dev)
{
	if (driver_current(dev->generation))
		return true;
	LOG_ERR("%s was opened before this process was forked: open it here",
		dev->info.name);
	return false;
}

/* With the lock. */
static struct doca_dev *find_open(uint32_t id)
{
	struct doca_dev *dev;

	for (dev = devs; dev; dev = dev->next)
		if (dev->info.id == id && driver_current(dev->generation))
			return dev;
	return NULL;
}

/* Takes over a reference on the driver. */
static struct doca_dev *get_or_add(const struct doca_devinfo *info)
{
	struct doca_dev *dev;
	bool found;

	pthread_mutex_lock(&lock);
	dev = find_open(info->id);
	found = dev;
	if (!dev) {
		dev = calloc(1, sizeof(*dev));
		if (!dev)
			goto out;
		dev->info = *info;
		dev->generation = driver_generation();
		dev->next = devs;
		devs = dev;
	}
	dev->opens++;
	dev->refs++;
out:
	pthread_mutex_unlock(&lock);
	if (found || !dev)
		driver_put();
	return dev;
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int err;

	if (!devinfo || !dev)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_once(&once, watch_forks);
	err = driver_get();
	if (err) {
		LOG_ERR("cannot open %s: %s", devinfo->name,
			dev_driver_reason(err));
		return DOCA_ERROR_NOT_CONNECTED;
	}
	err = netlink_check_device(devinfo->id);
	if (err) {
		LOG_ERR("cannot open %s: %s", devinfo->name,
			err == -ENODEV ? "it was removed" :
					 dev_driver_reason(err));
		driver_put();
		return DOCA_ERROR_NOT_CONNECTED;
	}
	*dev = get_or_add(devinfo);
	return *dev ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

struct doca_dev *doca_priv_dev_get(struct doca_dev *dev)
{
	pthread_mutex_lock(&lock);
	dev->refs++;
	pthread_mutex_unlock(&lock);
	return dev;
}

/* With the lock; true if it was the last reference. */
static bool drop(struct doca_dev *dev)
{
	struct doca_dev **link;

	if (--dev->refs)
		return false;
	for (link = &devs; *link != dev; link = &(*link)->next)
		;
	*link = dev->next;
	return true;
}

static void release(struct doca_dev *dev)
{
	if (driver_current(dev->generation))
		driver_put();
	free(dev);
}

void doca_priv_dev_put(struct doca_dev *dev)
{
	bool last;

	if (!dev)
		return;
	pthread_mutex_lock(&lock);
	last = drop(dev);
	pthread_mutex_unlock(&lock);
	if (last)
		release(dev);
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
	bool last = false;
	bool open;

	if (!dev)
		return DOCA_SUCCESS;
	pthread_mutex_lock(&lock);
	/* closed too often: what is left belongs to its users in the library */
	open = dev->opens;
	if (open) {
		dev->opens--;
		last = drop(dev);
	}
	pthread_mutex_unlock(&lock);
	if (last)
		release(dev);
	return open ? DOCA_SUCCESS : DOCA_ERROR_IN_USE;
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
	return dev ? (struct doca_devinfo *)&dev->info : NULL;
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
	if (!dev)
		return DOCA_ERROR_INVALID_VALUE;
	LOG_ERR("%s has no resources that could be reclaimed faster",
		dev->info.name);
	return DOCA_ERROR_NOT_SUPPORTED;
}
