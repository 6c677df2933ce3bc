// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory maps of peers in a network: the exporter's descriptor has the address of the memory
 * and the key of its region. The key is a secret, and no kernel checks it here: a peer that is
 * connected names it, and the exporter's device lets it in.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "core/device/dev.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::MMAP");

/* Little endian. */
struct rdma_desc {
	uint32_t magic;
	uint16_t version;
	uint16_t length; /* bytes of all of it */
	uint64_t addr;
	uint64_t len;
	uint32_t rkey;
	uint32_t access; /* MMAP_RDMA_ACCESS */
	uint8_t reserved[24]; /* 0 */
	uint32_t crc; /* sum of all bytes before it */
	uint32_t zero;
};

_Static_assert(sizeof(struct rdma_desc) == 64, "there is no padding");

/* Memory that the driver only reads has a region that is only read. */
static uint32_t access_of(const struct doca_mmap *mmap)
{
	uint32_t access = mmap->access & MMAP_RDMA_ACCESS;

	return mmap->writable ? access : access & DOCA_ACCESS_FLAG_RDMA_READ;
}

static doca_error_t make_blob(const struct doca_mmap *mmap,
			      struct mmap_key *key)
{
	struct rdma_desc *desc;

	if (!access_of(mmap))
		return FAIL(NOT_PERMITTED,
			    "cannot export mmap %p for RDMA: it is only read, "
			    "and has no DOCA_ACCESS_FLAG_RDMA_READ",
			    (const void *)mmap);
	desc = calloc(1, sizeof(*desc));
	if (!desc)
		return OUT_OF_MEMORY("an export");
	desc->magic = htole32(MMAP_RDMA_MAGIC);
	desc->version = htole16(MMAP_RDMA_VERSION);
	desc->length = htole16(sizeof(*desc));
	desc->addr = htole64((uintptr_t)mmap->addr);
	desc->len = htole64(mmap->len);
	desc->rkey = htole32(key->rkey);
	desc->access = htole32(access_of(mmap));
	desc->crc = htole32(crc32c(desc, offsetof(struct rdma_desc, crc)));
	key->blobs[MMAP_RDMA] = (struct mmap_blob){ desc, sizeof(*desc) };
	LOG_DBG("mmap %p is exported through %s for RDMA", (const void *)mmap,
		key->dev->info.name);
	return DOCA_SUCCESS;
}

static doca_error_t check_device(const struct doca_mmap *mmap,
				 const struct doca_dev *dev)
{
	if (!dev_alive(dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (dev->from_pd)
		return FAIL(
			NOT_SUPPORTED,
			"cannot export mmap %p for RDMA: %s was made from a "
			"protection domain; open a device from a list",
			(const void *)mmap, dev->info.name);
	if (dev->info.type != DOCA_DEV_RDMA)
		return FAIL(NOT_SUPPORTED,
			    "cannot export mmap %p for RDMA: %s is no RDMA "
			    "device; processes of the same machine can use "
			    "doca_mmap_export_pci()",
			    (const void *)mmap, dev->info.name);
	return DOCA_SUCCESS;
}

/*
 * A bridge imports memory of its client, to hand it on to a third machine. Verbs register what
 * their caller has mapped, which an import is not. The arguments may be wrong all the same.
 */
static doca_error_t refuse_import(const struct doca_mmap *mmap,
				  const struct doca_dev *dev)
{
	if (!mmap_find(mmap, dev))
		return FAIL(NOT_FOUND,
			    "cannot export mmap %p for %s: it was imported for "
			    "another device",
			    (const void *)mmap, dev->info.name);
	if (!dev_alive(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return FAIL(NOT_SUPPORTED,
		    "cannot export mmap %p for RDMA: it is memory of another "
		    "process, and %s registers only what this process has "
		    "mapped; copy to memory of this process by doca_dma, and "
		    "export that, or have its owner export it",
		    (const void *)mmap, dev->info.name);
}

static doca_error_t check_mmap(const struct doca_mmap *mmap,
			       const struct doca_dev *dev)
{
	if (mmap->from_export && !mmap->rkey_dev)
		return refuse_import(mmap, dev);
	return mmap_may_export(mmap, dev, MMAP_RDMA_ACCESS);
}

/* Call it with the lock held, also if the mmap is not thread safe: a task may make the region. */
static doca_error_t export_key(struct doca_mmap *mmap, struct mmap_key *key)
{
	doca_error_t res = check_device(mmap, key->dev);

	if (res == DOCA_SUCCESS && !key->mr)
		res = mmap_make_mr(mmap, key);
	if (res == DOCA_SUCCESS && !key->blobs[MMAP_RDMA].bytes)
		res = make_blob(mmap, key);
	return res;
}

/* Nothing is loaded for what is refused. Others may change it by the time that the lock is held again. */
static doca_error_t prepare(struct doca_mmap *mmap, const struct doca_dev *dev)
{
	int state = lock_uncancelled(&mmap->lock);
	doca_error_t res = check_mmap(mmap, dev);

	if (res == DOCA_SUCCESS)
		res = check_device(mmap, dev);
	unlock_uncancelled(&mmap->lock, state);
	return res == DOCA_SUCCESS ? dev_prepare_pd(dev) : res;
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
				   const struct doca_dev *dev,
				   const void **export_desc,
				   size_t *export_desc_len)
{
	struct mmap_key *key;
	doca_error_t res;
	int state;

	if (!valid(mmap) || !valid(dev) || !given(export_desc) ||
	    !given(export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	res = prepare(mmap, dev);
	if (res != DOCA_SUCCESS)
		return res;
	state = lock_uncancelled(&mmap->lock);
	res = check_mmap(mmap, dev);
	key = mmap_find(mmap, dev);
	if (res == DOCA_SUCCESS)
		res = export_key(mmap, key);
	if (res == DOCA_SUCCESS) {
		mmap->exported = true;
		*export_desc = key->blobs[MMAP_RDMA].bytes;
		*export_desc_len = key->blobs[MMAP_RDMA].len;
	}
	unlock_uncancelled(&mmap->lock, state);
	return res;
}

static bool is_intact(const struct rdma_desc *desc)
{
	uint32_t access = le32toh(desc->access);
	uint64_t len = le64toh(desc->len);

	return le16toh(desc->length) == sizeof(*desc) &&
	       le32toh(desc->crc) ==
		       crc32c(desc, offsetof(struct rdma_desc, crc)) &&
	       !desc->zero && len && le64toh(desc->addr) + len - 1 >= len - 1 &&
	       access && !(access & ~(uint32_t)MMAP_RDMA_ACCESS);
}

doca_error_t mmap_import_rdma(struct doca_mmap *mmap, struct doca_dev *dev,
			      const void *blob, size_t len)
{
	struct rdma_desc desc;

	if (dev->info.type != DOCA_DEV_RDMA || dev->from_pd)
		return FAIL(NOT_SUPPORTED,
			    "cannot import memory of a peer: %s is no RDMA "
			    "device of a list",
			    dev->info.name);
	if (len == sizeof(desc)) {
		memcpy(&desc, blob, len);
		if (le16toh(desc.version) != MMAP_RDMA_VERSION)
			return FAIL(NOT_SUPPORTED,
				    "cannot import memory of a peer: its "
				    "descriptor is of version %u, not %u",
				    le16toh(desc.version), MMAP_RDMA_VERSION);
	}
	if (len != sizeof(desc) || !is_intact(&desc))
		return FAIL(INVALID_VALUE,
			    "cannot import memory of a peer: its descriptor "
			    "was cut or altered");
	mmap->one.rkey = le32toh(desc.rkey);
	mmap->rkey_dev = dev;
	mmap->addr = (void *)(uintptr_t)le64toh(desc.addr);
	mmap->len = le64toh(desc.len);
	mmap->access = le32toh(desc.access);
	return DOCA_SUCCESS;
}
