// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Connects DOCA and the verbs library: protection domains of devices, and keys of memory. */
#include <infiniband/verbs.h>

#include <doca_rdma_bridge.h>

#include "buf.h"
#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/device/verbs_events.h"
#include "core/objects.h"
#include "mmap.h"

LOG_SOURCE("COMMON::RDMA_BRIDGE");

doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
					 struct ibv_pd **pd)
{
	doca_error_t res;
	int state;

	if (!valid(dev) || !given(pd))
		return DOCA_ERROR_INVALID_VALUE;
	/* a domain changes nothing that the program sees of a device */
	res = dev_get_pd((struct doca_dev *)dev, pd);
	if (res != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	state = verbs_events_lock();
	((struct doca_dev *)dev)->lends_pd = true;
	verbs_events_unlock(state);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
					       struct doca_dev **dev)
{
	if (!given(pd) || !given(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return dev_open_pd(pd, dev);
}

static doca_error_t get_mkey(struct doca_mmap *mmap, struct mmap_key *key,
			     uint32_t *mkey)
{
	if (!dev_alive(key->dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->from_export) {
		LOG_ERR("memory of another process has no memory key here: let "
			"its owner ask for one");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return mmap_get_lkey(mmap, key, mkey);
}

doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
					   struct doca_dev *dev, uint32_t *mkey)
{
	struct mmap_key *key;

	if (!valid(buf) || !valid(dev) || !given(mkey))
		return DOCA_ERROR_INVALID_VALUE;
	key = mmap_find(buf->mmap, dev);
	if (!key) {
		LOG_ERR("no memory key for %s: its mmap was not given to the "
			"device, call doca_mmap_add_dev()",
			dev->info.name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return get_mkey(buf->mmap, key, mkey);
}

/* Compare existing domains only; make none. */
static struct mmap_key *find_pd(const struct doca_mmap *mmap,
				const struct ibv_pd *pd)
{
	struct mmap_key *key;

	for (key = mmap->keys; key < mmap->keys + mmap->nr_devs; key++)
		if (dev_has_pd(key->dev, pd))
			return key;
	return NULL;
}

doca_error_t
doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap,
				       struct ibv_pd *pd, uint32_t *mkey)
{
	struct mmap_key *key;

	if (!valid(mmap) || !given(pd) || !given(mkey))
		return DOCA_ERROR_INVALID_VALUE;
	if (!__atomic_load_n(&mmap->started, __ATOMIC_SEQ_CST)) {
		LOG_ERR("no memory key: the mmap is not started");
		return DOCA_ERROR_BAD_STATE;
	}
	key = find_pd(mmap, pd);
	if (!key) {
		LOG_ERR("no memory key for this protection domain: it is of no "
			"device of the mmap");
		return DOCA_ERROR_INVALID_VALUE;
	}
	return get_mkey((struct doca_mmap *)mmap, key, mkey);
}
