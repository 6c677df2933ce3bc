// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps of another process, made from its exports. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/driver/driver.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

/* The most common cause is that the two sides use different drivers. */
static doca_error_t foreign_error(void)
{
	if (driver_is_in_process())
		LOG_ERR("cannot import memory: the in-process driver does not "
			"find who has exported it: its process has ended, is in "
			"another container without a common DOCA_RUNTIME_DIR or "
			"on another machine, or has the doca module for a "
			"driver; open_doca_driver() says which each has");
	else
		LOG_ERR("cannot import memory: the export descriptor was made "
			"by another kernel, by the in-process driver of a "
			"process, or before the doca module was loaded");
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t import_error(const struct doca_dev *dev, int err)
{
	switch (err) {
	case -EINVAL:
		LOG_ERR("cannot import memory: not an export descriptor");
		return DOCA_ERROR_INVALID_VALUE;
	case -EPROTONOSUPPORT:
		LOG_ERR("cannot import memory: an export descriptor of another "
			"version");
		return DOCA_ERROR_NOT_SUPPORTED;
	case -EXDEV:
		return foreign_error();
	case -EPERM:
		LOG_ERR("cannot import memory: the process that answers is not "
			"that of the user who has exported it, or what it gives "
			"is not safe to use");
		return DOCA_ERROR_NOT_PERMITTED;
	case -ETIMEDOUT:
		LOG_ERR("cannot import memory: the process that has exported it "
			"does not answer; it may be stopped");
		return DOCA_ERROR_TIME_OUT;
	case -EPROTO:
		LOG_ERR("cannot import memory: the process that has exported it "
			"has another release of the library");
		return DOCA_ERROR_NOT_SUPPORTED;
	case -ENOKEY:
		LOG_ERR("cannot import memory: the export was revoked, the "
			"descriptor was altered, or its owner has exited");
		return DOCA_ERROR_INVALID_VALUE;
	case -EACCES:
		LOG_ERR("cannot import memory: another user exported it; let "
			"them export with DOCA_EXPORT_SCOPE=any in the "
			"environment");
		return DOCA_ERROR_NOT_PERMITTED;
	case -ENODEV:
		LOG_ERR("cannot import memory: %s was removed", dev->info.name);
		return DOCA_ERROR_INVALID_VALUE;
	case -ENOMEM:
	case -ENOSPC:
	case -EDQUOT:
		LOG_ERR("cannot import memory: %s",
			err == -ENOMEM ? "out of memory" :
			driver_is_in_process() ?
					 "too many imports from the process "
					 "that has exported it, which takes "
					 "1024 of each of 64 importers, or "
					 "as many as DOCA_IMPORTERS names in "
					 "its environment, and an eighth of "
					 "those of another user; or from more "
					 "than 64 such; destroy mmaps that "
					 "are not needed" :
					 "too many imports, destroy mmaps that "
					 "are not needed");
		return DOCA_ERROR_NO_MEMORY;
	default:
		LOG_ERR("cannot import memory: %s", errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
}

static doca_error_t import_pci(struct doca_mmap *mmap, struct doca_dev *dev,
			       const void *blob, size_t len)
{
	struct doca_mem_import import = { 0 };
	doca_error_t res;
	int err;

	res = dev_has_driver(dev);
	if (res != DOCA_SUCCESS)
		return res;
	err = driver_mem_import(doca_priv_dev_id(dev), blob, len, &import);
	if (err)
		return import_error(dev, err);
	mmap_set_key(&mmap->one, import.out_key);
	mmap->addr = (void *)(uintptr_t)import.out_addr;
	mmap->len = import.out_length;
	mmap->writable = import.out_access & DOCA_ACCESS_LOCAL_WRITE;
	return DOCA_SUCCESS;
}

/*
 * The first word of a descriptor tells its kind of export. An import has a range, and is
 * writable or not; it has a key of the driver if the driver knows it.
 */
static const struct import_kind {
	uint32_t magic;
	doca_error_t (*import)(struct doca_mmap *mmap, struct doca_dev *dev,
			       const void *blob, size_t len);
} kinds[] = {
	{ DOCA_BLOB_MAGIC, import_pci },
	{ MMAP_RDMA_MAGIC, mmap_import_rdma },
};

/* No descriptor is longer than a program has room for, and the driver's sizes have 32 bits. */
static const struct import_kind *find_kind(const void *blob, size_t len)
{
	uint32_t magic;
	size_t i;

	if (len < sizeof(magic) || len > MMAP_MAX_BLOB)
		return NULL;
	memcpy(&magic, blob, sizeof(magic));
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (le32toh(magic) == kinds[i].magic)
			return &kinds[i];
	return NULL;
}

static doca_error_t import_blob(struct doca_mmap *mmap, struct doca_dev *dev,
				const void *blob, size_t len)
{
	const struct import_kind *kind = find_kind(blob, len);
	doca_error_t res;

	if (!kind)
		return import_error(dev, -EINVAL);
	res = mmap_add(mmap, dev);
	if (res == DOCA_SUCCESS)
		res = kind->import(mmap, dev, blob, len);
	if (res != DOCA_SUCCESS)
		return res;
	mmap->has_range = true;
	mmap->from_export = true;
	mmap->max_devs = 1;
	mmap->was_started = true;
	mmap->started = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
					  const void *export_desc,
					  size_t export_desc_len,
					  struct doca_dev *dev,
					  struct doca_mmap **mmap)
{
	struct doca_mmap *new;
	doca_error_t res;

	if (!given(export_desc) || !given(export_desc_len) || !valid(dev) ||
	    !given(mmap) || !dev_alive(dev))
		return DOCA_ERROR_INVALID_VALUE;
	new = mmap_new();
	if (!new)
		return OUT_OF_MEMORY("an mmap");
	res = import_blob(new, dev, export_desc, export_desc_len);
	if (res != DOCA_SUCCESS) {
		mmap_free(new);
		return res;
	}
	if (user_data)
		new->user_data = *user_data;
	LOG_DBG("mmap %p is imported through %s: %zu bytes", (void *)new,
		dev->info.name, new->len);
	*mmap = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
	const struct doca_devinfo *devinfo, uint8_t *from_export)
{
	if (!valid(devinfo) || !given(from_export))
		return DOCA_ERROR_INVALID_VALUE;
	*from_export = 1;
	return DOCA_SUCCESS;
}
