// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps shared with another process: the exporter gets a descriptor from the kernel,
 * which its holder can import until the exporter stops the mmap. An mmap may be exported in
 * several ways, with one descriptor each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/driver/driver.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

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

static doca_error_t make_pci_blob(const struct doca_mmap *mmap,
				  struct mmap_key *key)
{
	const char *scope = secure_getenv("DOCA_EXPORT_SCOPE");
	bool any_user = scope && !strcmp(scope, "any");
	uint32_t len = driver_caps()->out_blob_size;
	void *blob;
	int err;

	if (!dev_alive(key->dev) || refused(len > MMAP_MAX_BLOB))
		return DOCA_ERROR_DRIVER;
	blob = malloc(len);
	if (!blob)
		return OUT_OF_MEMORY("an export");
	err = driver_mem_export(key->key, any_user, blob, len);
	if (err) {
		free(blob);
		return export_error(key->dev, err);
	}
	key->blobs[MMAP_PCI] = (struct mmap_blob){ blob, len };
	LOG_DBG("mmap %p is exported for %s%s: a descriptor of %u bytes",
		(const void *)mmap, key->dev->info.name,
		any_user ? ", to all users" : "", len);
	return DOCA_SUCCESS;
}

static doca_error_t check_dev(const struct doca_mmap *mmap,
			      const struct doca_dev *dev)
{
	if (mmap_find(mmap, dev))
		return DOCA_SUCCESS;
	return FAIL(NOT_FOUND,
		    "cannot export mmap %p for %s: it was not given to the "
		    "device, call doca_mmap_add_dev()",
		    (const void *)mmap, dev->info.name);
}

doca_error_t mmap_may_export(const struct doca_mmap *mmap,
			     const struct doca_dev *dev, uint32_t access)
{
	doca_error_t res;
	char names[128];

	if (!mmap->started || mmap->from_export)
		return FAIL(NOT_PERMITTED, "cannot export mmap %p: it is %s",
			    (const void *)mmap,
			    mmap->from_export ? "an import" : "not started");
	res = check_dev(mmap, dev);
	if (res != DOCA_SUCCESS)
		return res;
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
	struct mmap_blob *blob;
	struct mmap_key *key;
	doca_error_t res;

	if (!valid(mmap) || !valid(dev) || !given(export_desc) ||
	    !given(export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	mmap_lock(mmap);
	res = mmap_may_export(mmap, dev, MMAP_PCI_ACCESS);
	if (res != DOCA_SUCCESS)
		goto out;
	res = dev_has_driver(dev);
	if (res != DOCA_SUCCESS)
		goto out;
	key = mmap_find(mmap, dev);
	blob = &key->blobs[MMAP_PCI];
	if (!blob->bytes) {
		res = make_pci_blob(mmap, key);
		if (res != DOCA_SUCCESS)
			goto out;
	}
	mmap->exported = true;
	*export_desc = blob->bytes;
	*export_desc_len = blob->len;
out:
	mmap_unlock(mmap);
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
