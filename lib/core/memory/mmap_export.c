// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps shared with another process: the exporter gets a descriptor from
 * the kernel, which its holder can import until the exporter stops the mmap.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/objects.h"
#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/driver/driver.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

/* Programs keep descriptors in buffers of this size. */
#define MAX_DESC_LEN 512

static doca_error_t export_error(const struct doca_dev *dev, int err)
{
	switch (err) {
	case -ENOMEM:
	case -EDQUOT:
		LOG_ERR("cannot export memory for %s: %s", dev->info.name,
			err == -ENOMEM ? "out of memory" :
					 "the user has too many exports");
		return DOCA_ERROR_NO_MEMORY;
	case -ENOENT:
	case -ENODEV:
		LOG_ERR("cannot export memory for %s: the device was removed",
			dev->info.name);
		return DOCA_ERROR_DRIVER;
	default:
		LOG_ERR("cannot export memory for %s: %s%s", dev->info.name,
			errno_text(err),
			driver_is_in_process() ?
				"; other processes could not connect to this "
				"one. DOCA_RUNTIME_DIR, if it is set, must name "
				"a directory that is the user's alone" :
				"");
		return DOCA_ERROR_DRIVER;
	}
}

static doca_error_t make_blob(const struct doca_mmap *mmap,
			      struct mmap_key *key)
{
	const char *scope = secure_getenv("DOCA_EXPORT_SCOPE");
	bool any_user = scope && !strcmp(scope, "any");
	uint32_t len = driver_caps()->out_blob_size;
	void *blob;
	int err;

	if (!dev_alive(key->dev) || refused(len > MAX_DESC_LEN))
		return DOCA_ERROR_DRIVER;
	blob = malloc(len);
	if (!blob)
		return OUT_OF_MEMORY("an export");
	err = driver_mem_export(key->key, any_user, blob, len);
	if (err) {
		free(blob);
		return export_error(key->dev, err);
	}
	key->blob = blob;
	key->blob_len = len;
	LOG_DBG("mmap %p is exported for %s%s: a descriptor of %u bytes",
		(const void *)mmap, key->dev->info.name,
		any_user ? ", to all users" : "", len);
	return DOCA_SUCCESS;
}

/* What both kinds of export ask first; with the lock. */
static doca_error_t may_export(const struct doca_mmap *mmap,
			       const struct doca_dev *dev, uint32_t access)
{
	char names[128];

	if (!mmap->started || mmap->from_export)
		return FAIL(NOT_PERMITTED, "cannot export mmap %p: it is %s",
			    (const void *)mmap,
			    mmap->from_export ? "an import" : "not started");
	if (!mmap_find(mmap, dev))
		return FAIL(NOT_FOUND,
			    "cannot export mmap %p for %s: it was not given to "
			    "the device, call doca_mmap_add_dev()",
			    (const void *)mmap, dev->info.name);
	if (!(mmap->access & access)) {
		LOG_ERR("cannot export mmap %p for %s: its permissions are %s; "
			"ask for %s access with doca_mmap_set_permissions()",
			(const void *)mmap, dev->info.name,
			mmap_access_names(mmap, names, sizeof(names)),
			access == MMAP_PCI_ACCESS ?
				"DOCA_ACCESS_FLAG_PCI_READ_ONLY or _READ_WRITE" :
				"DOCA_ACCESS_FLAG_RDMA_");
		return DOCA_ERROR_NOT_PERMITTED;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap,
				  const struct doca_dev *dev,
				  const void **export_desc,
				  size_t *export_desc_len)
{
	struct mmap_key *key;
	doca_error_t res;

	if (!valid(mmap) || !valid(dev) || !given(export_desc) ||
	    !given(export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	res = may_export(mmap, dev, MMAP_PCI_ACCESS);
	if (res != DOCA_SUCCESS)
		goto out;
	res = dev_has_driver(dev);
	if (res != DOCA_SUCCESS)
		goto out;
	key = mmap_find(mmap, dev);
	if (!key->blob) {
		res = make_blob(mmap, key);
		if (res != DOCA_SUCCESS)
			goto out;
	}
	mmap->exported = true;
	*export_desc = key->blob;
	*export_desc_len = key->blob_len;
out:
	mmap_unlock(mmap);
	return res;
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
				   const struct doca_dev *dev,
				   const void **export_desc,
				   size_t *export_desc_len)
{
	doca_error_t res;

	if (!valid(mmap) || !valid(dev) || !given(export_desc) ||
	    !given(export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	res = may_export(mmap, dev, MMAP_RDMA_ACCESS);
	mmap_unlock(mmap);
	if (res != DOCA_SUCCESS)
		return res;
	LOG_ERR("exports for RDMA are not supported: processes of the same "
		"machine can use doca_mmap_export_pci()");
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* Which driver each side has is what is most often wrong. */
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
					 "1024 of each of 64 importers and 8 "
					 "of another user, or from more than "
					 "64 such; destroy mmaps that are not "
					 "needed" :
					 "too many imports, destroy mmaps that "
					 "are not needed");
		return DOCA_ERROR_NO_MEMORY;
	default:
		LOG_ERR("cannot import memory: %s", errno_text(err));
		return DOCA_ERROR_DRIVER;
	}
}

static void set_import(struct doca_mmap *mmap,
		       const struct doca_mem_import *import)
{
	mmap_set_key(&mmap->one, import->out_key);
	mmap->addr = (void *)(uintptr_t)import->out_addr;
	mmap->len = import->out_length;
	mmap->has_range = true;
	mmap->writable = import->out_access & DOCA_ACCESS_LOCAL_WRITE;
	mmap->from_export = true;
	mmap->max_devs = 1;
	mmap->was_started = true;
	mmap->started = true;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
					  const void *export_desc,
					  size_t export_desc_len,
					  struct doca_dev *dev,
					  struct doca_mmap **mmap)
{
	struct doca_mem_import import = { 0 };
	struct doca_mmap *new;
	doca_error_t res;
	int err;

	if (!given(export_desc) || !given(export_desc_len) || !valid(dev) ||
	    !given(mmap) || !dev_alive(dev))
		return DOCA_ERROR_INVALID_VALUE;
	res = dev_has_driver(dev);
	if (res != DOCA_SUCCESS)
		return res;
	/* none is longer, and the driver's sizes are of 32 bits */
	if (export_desc_len > MAX_DESC_LEN)
		return import_error(dev, -EINVAL);
	new = mmap_new();
	if (!new)
		return OUT_OF_MEMORY("an mmap");
	res = mmap_add(new, dev);
	if (res != DOCA_SUCCESS)
		goto err_free;
	err = driver_mem_import(doca_priv_dev_id(dev), export_desc,
				export_desc_len, &import);
	if (err) {
		res = import_error(dev, err);
		goto err_free;
	}
	set_import(new, &import);
	if (user_data)
		new->user_data = *user_data;
	LOG_DBG("mmap %p is imported through %s: %zu bytes", (void *)new,
		dev->info.name, new->len);
	*mmap = new;
	return DOCA_SUCCESS;

err_free:
	mmap_free(new);
	return res;
}

doca_error_t
doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
				      uint8_t *mmap_export)
{
	if (!valid(devinfo) || !given(mmap_export))
		return DOCA_ERROR_INVALID_VALUE;
	*mmap_export = 1;
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
