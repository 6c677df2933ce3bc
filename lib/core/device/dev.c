// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Open devices, one object for each device however often it is opened, and
 * their protection domains.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/verbs.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "core/driver/driver.h"
#include "core/driver/driver_choice.h"
#include "core/driver/profile.h"
#include "core/driver/release.h"
#include "core/objects.h"
#include "dev.h"
#include "verbs.h"

LOG_SOURCE("COMMON::DEV");

/* Protects the list of devices and their counts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev *devs;

static void fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void fork_child(void)
{
	struct doca_dev *dev;

	for (dev = devs; dev; dev = dev->next) {
		if (dev->pd && !dev->from_pd)
			verbs_orphan_pd(dev->pd);
		dev->pd = NULL;
	}
	pthread_mutex_unlock(&lock);
}

/* A fork must not leave the child a locked lock, which no thread would release. */
static void watch_forks(void)
{
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}

static void watch_forks_once(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
}

const char *dev_driver_reason(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return "the module is not loaded; load it with modprobe doca, or "
		       "do not set DOCA_DRIVER=kernel";
	case -EACCES:
	case -EPERM:
		return "no permission to open /dev/doca; join the group doca, or "
		       "set DOCA_DRIVER=process";
	case -DRIVER_WORD_ERROR:
		return "DOCA_DRIVER is none of auto, kernel and process";
	case -PROFILE_ERROR:
		return "DOCA_PROFILE cannot be used, as was logged before";
	case -EPROTO:
		return driver_release_reason();
	case -EDQUOT:
		return "the user has too many files of /dev/doca open; the limit "
		       "is a parameter of the doca module";
	default:
		return errno_text(err);
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

doca_error_t dev_has_driver(const struct doca_dev *dev)
{
	if (!dev->from_pd)
		return DOCA_SUCCESS;
	LOG_ERR("%s was made from a protection domain, which is good for keys "
		"of memory only: open a device from a list",
		dev->info.name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* Call it with the lock held. */
static struct doca_dev *find_open(uint32_t id)
{
	struct doca_dev *dev;

	for (dev = devs; dev; dev = dev->next)
		if (dev->info.id == id && !dev->from_pd &&
		    driver_current(dev->generation))
			return dev;
	return NULL;
}

/* Call it with the lock held. Returns NULL if out of memory. */
static struct doca_dev *add(const struct doca_devinfo *info)
{
	struct doca_dev *dev = calloc(1, sizeof(*dev));

	if (!dev)
		return NULL;
	dev->info = *info;
	dev->generation = driver_generation();
	dev->next = devs;
	devs = dev;
	doca_priv_debug_add(dev, &doca_priv_dev_object, sizeof(*dev), 1);
	return dev;
}

/* Takes over a reference on the driver. */
static struct doca_dev *get_or_add(const struct doca_devinfo *info)
{
	struct doca_dev *dev;
	bool found;

	pthread_mutex_lock(&lock);
	dev = find_open(info->id);
	found = dev;
	if (!dev)
		dev = add(info);
	if (dev) {
		dev->opens++;
		dev->refs++;
	}
	pthread_mutex_unlock(&lock);
	if (found || !dev)
		driver_put();
	return dev;
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	struct doca_dev *opened;
	int err;

	if (!valid(devinfo) || !given(dev))
		return DOCA_ERROR_INVALID_VALUE;
	watch_forks_once();
	err = driver_get();
	if (err) {
		LOG_ERR("cannot open %s: %s", devinfo->name,
			dev_driver_reason(err));
		return DOCA_ERROR_NOT_CONNECTED;
	}
	err = driver_check_device(devinfo->id);
	if (err) {
		LOG_ERR("cannot open %s: %s", devinfo->name,
			err == -ENODEV ? "it was removed" :
					 dev_driver_reason(err));
		driver_put();
		return DOCA_ERROR_NOT_CONNECTED;
	}
	opened = get_or_add(devinfo);
	if (!opened)
		return OUT_OF_MEMORY("a device");
	LOG_DBG("device %s is opened", opened->info.name);
	*dev = opened;
	return DOCA_SUCCESS;
}

struct doca_dev *doca_priv_dev_find(
	bool (*match)(const struct doca_devinfo *info, const void *arg),
	const void *arg)
{
	struct doca_dev *dev;

	pthread_mutex_lock(&lock);
	for (dev = devs; dev; dev = dev->next)
		if (dev->opens && !dev->from_pd &&
		    driver_current(dev->generation) && match(&dev->info, arg))
			break;
	pthread_mutex_unlock(&lock);
	return dev;
}

struct doca_dev *doca_priv_dev_get(struct doca_dev *dev)
{
	pthread_mutex_lock(&lock);
	dev->refs++;
	pthread_mutex_unlock(&lock);
	return dev;
}

/*
 * Call it with the lock held, before the last reference goes. Return false if
 * the program still has something in the protection domain.
 */
static bool close_pd(struct doca_dev *dev)
{
	int err;

	if (!dev->pd || dev->from_pd)
		return true;
	err = verbs_close_pd(dev->pd);
	if (err) {
		LOG_ERR("cannot close %s: its protection domain: %s; destroy "
			"first what was made in it, such as queue pairs",
			dev->info.name, errno_text(err));
		return false;
	}
	dev->pd = NULL;
	return true;
}

/* Call it with the lock held. Return true if it was the last reference. */
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
	LOG_DBG("device %s is closed", dev->info.name);
	if (driver_current(dev->generation) && !dev->from_pd)
		driver_put();
	doca_priv_debug_free(dev);
}

/* A protection domain in use stays until the end of the process. */
void doca_priv_dev_put(struct doca_dev *dev)
{
	bool last;
	int state;

	if (!dev)
		return;
	state = lock_uncancelled(&lock);
	if (dev->refs == 1)
		close_pd(dev);
	last = drop(dev);
	unlock_uncancelled(&lock, state);
	if (last)
		release(dev);
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
	bool last = false;
	bool closes;
	bool open;
	int state;

	if (!dev)
		return DOCA_SUCCESS;
	if (!valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	state = lock_uncancelled(&lock);
	/* not open: remaining references are the library's */
	open = dev->opens;
	closes = open && (dev->refs > 1 || close_pd(dev));
	if (closes) {
		dev->opens--;
		last = drop(dev);
	}
	unlock_uncancelled(&lock, state);
	if (last)
		release(dev);
	if (closes)
		return DOCA_SUCCESS;
	if (!open)
		LOG_ERR("%s is closed more often than it was opened; objects "
			"that use it are left",
			dev->info.name);
	return DOCA_ERROR_IN_USE;
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
	if (!dev || !valid(dev))
		return NULL;
	return dev->from_pd ? NULL : (struct doca_devinfo *)&dev->info;
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
	if (!valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	LOG_ERR("%s has no resources that could be reclaimed faster",
		dev->info.name);
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* The device of a program's own domain has no id. */
int dev_name_by_now(const struct doca_devinfo *devinfo,
		    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE])
{
	struct doca_devinfo *infos;
	uint32_t n, i = 0;
	int err;

	memcpy(name, devinfo->name, sizeof(devinfo->name));
	if (!devinfo->id)
		return 0;
	err = driver_list_devices(&infos, &n);
	if (err)
		return err;
	while (i < n && infos[i].id != devinfo->id)
		i++;
	if (i < n)
		memcpy(name, infos[i].name, sizeof(infos[i].name));
	free(infos);
	return i < n ? 0 : -ENODEV;
}

struct ibv_context *dev_open_verbs(const struct doca_devinfo *devinfo)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	int err = devinfo->type == DOCA_DEV_RDMA ? 0 : -ENODEV;

	if (!err)
		err = dev_name_by_now(devinfo, name);
	if (!err)
		return verbs_open_device(name);
	errno = -err;
	return NULL;
}

static doca_error_t pd_error(const struct doca_dev *dev, int err)
{
	LOG_ERR("cannot make a protection domain of %s: %s", dev->info.name,
		err == -ENODEV ? "it was removed" : errno_text(err));
	return err == -ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_DRIVER;
}

/* Those from a domain were prepared when they were opened, and others than RDMA have none. */
doca_error_t dev_prepare_pd(const struct doca_dev *dev)
{
	int err = 0;

	if (dev->info.type == DOCA_DEV_RDMA && !dev->from_pd)
		err = verbs_prepare();
	return err ? pd_error(dev, err) : DOCA_SUCCESS;
}

/* Call it with the lock held. */
static doca_error_t open_pd(struct doca_dev *dev)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	int err;

	if (dev->info.type != DOCA_DEV_RDMA) {
		LOG_ERR("%s is no RDMA device: it has no protection domain and "
			"no memory keys",
			dev->info.name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	err = dev_name_by_now(&dev->info, name);
	if (!err)
		err = verbs_open_pd(name, &dev->pd);
	return err ? pd_error(dev, err) : DOCA_SUCCESS;
}

doca_error_t dev_get_pd(struct doca_dev *dev, struct ibv_pd **pd)
{
	doca_error_t res;
	int state;

	if (!dev_alive(dev))
		return DOCA_ERROR_INVALID_VALUE;
	res = dev_prepare_pd(dev);
	if (res != DOCA_SUCCESS)
		return res;
	state = lock_uncancelled(&lock);
	if (!dev->pd)
		res = open_pd(dev);
	if (res == DOCA_SUCCESS)
		*pd = dev->pd;
	unlock_uncancelled(&lock, state);
	return res;
}

bool dev_has_pd(const struct doca_dev *dev, const struct ibv_pd *pd)
{
	bool same;

	pthread_mutex_lock(&lock);
	same = dev->pd == pd;
	pthread_mutex_unlock(&lock);
	return same;
}

/* Call it with the lock held. */
static struct doca_dev *find_pd(const struct ibv_pd *pd)
{
	struct doca_dev *dev;

	for (dev = devs; dev; dev = dev->next)
		if (dev->pd == pd)
			return dev;
	return NULL;
}

doca_error_t dev_open_pd(struct ibv_pd *pd, struct doca_dev **dev)
{
	struct doca_devinfo info = { .type = DOCA_DEV_RDMA };
	doca_error_t res = DOCA_SUCCESS;
	struct doca_dev *new;
	int err;

	err = verbs_prepare_domain(); /* mmaps register memory with a lock held */
	if (err == -ENOMEM)
		return OUT_OF_MEMORY("the calls of verbs");
	if (err)
		return FAIL(DRIVER,
			    "cannot open a device from a protection domain: %s",
			    errno_text(err));
	watch_forks_once();
	snprintf(info.name, sizeof(info.name), "%s", pd->context->device->name);
	pthread_mutex_lock(&lock);
	if (find_pd(pd)) {
		res = FAIL(IN_USE,
			   "cannot open a device from a protection domain "
			   "that is a device's already");
		goto out;
	}
	new = add(&info);
	if (!new) {
		res = OUT_OF_MEMORY("a device");
		goto out;
	}
	new->opens = 1;
	new->refs = 1;
	new->from_pd = true;
	new->pd = pd;
	*dev = new;
out:
	pthread_mutex_unlock(&lock);
	return res;
}
