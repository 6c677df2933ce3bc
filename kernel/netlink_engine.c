// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* DMA engines by netlink: listing, adding and removing them. */
#include <linux/capability.h>
#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <net/genetlink.h>

#include "dma/check.h"
#include "dma/discover.h"
#include "dma/engine.h"
#include "netlink.h"
#include "netlink_engine.h"

static_assert(DOCA_DEVICE_NAME_MAX <= 64);

const struct nla_policy doca_nl_attach_policy[DOCA_GENL_A_ENGINE_NAME + 1] = {
	[DOCA_GENL_A_DEV_ID] = { .type = NLA_U32 },
	[DOCA_GENL_A_ENGINE_NAME] = { .type = NLA_NUL_STRING,
				      .len = DOCA_DEVICE_NAME_MAX - 1 },
};

const struct nla_policy doca_nl_engine_policy[DOCA_GENL_A_ENGINE_NAME + 1] = {
	[DOCA_GENL_A_ENGINE_NAME] = { .type = NLA_NUL_STRING,
				      .len = DOCA_DEVICE_NAME_MAX - 1 },
};

#if IS_ENABLED(CONFIG_DMA_ENGINE)
static int doca_nl_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, DOCA_GENL_A_PAD);
}

static int doca_nl_put_count(struct sk_buff *skb, int attr,
			     const atomic64_t *count)
{
	return doca_nl_put_u64(skb, attr, atomic64_read(count));
}

/* Append the attributes of a device that is an engine or could be one. */
static int doca_nl_put_provider(struct sk_buff *skb, const char *name,
				const char *driver, struct device *provider,
				u32 state)
{
	if (nla_put_string(skb, DOCA_GENL_A_ENGINE_NAME, name) ||
	    nla_put_string(skb, DOCA_GENL_A_ENGINE_DRIVER, driver) ||
	    nla_put_u32(skb, DOCA_GENL_A_ENGINE_STATE, state))
		return -EMSGSIZE;
	if (dev_is_pci(provider) &&
	    nla_put_string(skb, DOCA_GENL_A_DEV_PCI, dev_name(provider)))
		return -EMSGSIZE;
	return 0;
}

static int doca_nl_put_engine(struct sk_buff *skb, struct doca_engine *engine)
{
	return doca_nl_put_provider(skb, engine->name, engine->driver,
				    engine->provider,
				    READ_ONCE(engine->state)) ||
	       nla_put_u32(skb, DOCA_GENL_A_ENGINE_IOMMU, engine->iommu) ||
	       nla_put_u32(skb, DOCA_GENL_A_ENGINE_MASK_BITS,
			   fls64(engine->mask)) ||
	       nla_put_u32(skb, DOCA_GENL_A_DEV_ID, engine->id) ||
	       (engine->coherent &&
		nla_put_flag(skb, DOCA_GENL_A_ENGINE_COHERENT)) ||
	       nla_put_u32(skb, DOCA_GENL_A_ENGINE_MIN_LENGTH,
			   engine->min_length) ||
	       doca_nl_put_count(skb, DOCA_GENL_A_BYTES,
				 &engine->stats.bytes) ||
	       doca_nl_put_count(skb, DOCA_GENL_A_OPS, &engine->stats.ops) ||
	       doca_nl_put_count(skb, DOCA_GENL_A_ENGINE_DESCS,
				 &engine->stats.descs) ||
	       doca_nl_put_count(skb, DOCA_GENL_A_ENGINE_REDONE,
				 &engine->stats.redone) ||
	       doca_nl_put_count(skb, DOCA_GENL_A_ENGINE_TIMEOUTS,
				 &engine->stats.timeouts) ||
	       nla_put_u32(skb, DOCA_GENL_A_ENGINE_MAPS,
			   READ_ONCE(engine->nr_maps));
}

/* The driver may be unbound meanwhile: only access the device. */
static int doca_nl_put_spare(struct sk_buff *skb, struct doca_spare *spare)
{
	struct device *dev = spare->dev;

	return doca_nl_put_provider(skb, dev_name(dev), spare->driver, dev,
				    DOCA_ENGINE_FREE) ||
	       nla_put_u32(skb, DOCA_GENL_A_ENGINE_MASK_BITS,
			   fls64(dma_get_mask(dev)));
}

static void *doca_nl_engine_begin(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &doca_nl_family, NLM_F_MULTI,
			   DOCA_GENL_CMD_ENGINE_GET);
}

static int doca_nl_engine_end(struct sk_buff *skb, void *hdr, int rc)
{
	if (rc) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* Position of a dump; all zero at its beginning. */
struct doca_nl_engine_dump {
	u32 last; /* id of the last engine */
	u32 spare; /* number of other devices that were listed */
	bool spares;
};

static int doca_nl_dump_engines(struct sk_buff *skb,
				struct netlink_callback *cb,
				struct doca_nl_engine_dump *dump)
{
	struct doca_engine *engine;
	void *hdr;
	int rc;

	while ((engine = doca_engine_next(dump->last))) {
		hdr = doca_nl_engine_begin(skb, cb);
		rc = !hdr ? -EMSGSIZE :
		     doca_nl_engine_end(skb, hdr,
					doca_nl_put_engine(skb, engine));
		if (!rc)
			dump->last = engine->id;
		doca_engine_put(engine);
		if (rc)
			return rc;
	}
	dump->spares = true;
	return 0;
}

static int doca_nl_dump_spares(struct sk_buff *skb,
			       struct netlink_callback *cb,
			       struct doca_nl_engine_dump *dump)
{
	struct doca_spares *spares = doca_spares_find();
	struct doca_spare *spare;
	void *hdr;
	int rc = 0;

	if (!spares)
		return -ENOMEM;
	for (; dump->spare < spares->nr; dump->spare++) {
		spare = &spares->all[dump->spare];
		hdr = doca_nl_engine_begin(skb, cb);
		rc = !hdr ? -EMSGSIZE :
		     doca_nl_engine_end(skb, hdr, doca_nl_put_spare(skb, spare));
		if (rc)
			break;
	}
	doca_spares_free(spares);
	return rc;
}

int doca_nl_engine_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct doca_nl_engine_dump *dump = (struct doca_nl_engine_dump *)cb->ctx;
	int rc = 0;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	if (!dump->spares)
		rc = doca_nl_dump_engines(skb, cb, dump);
	if (!rc)
		rc = doca_nl_dump_spares(skb, cb, dump);
	/* Engines that did not fit go into the next message. */
	return skb->len ?: rc;
}

/* Check the sender's rights, and that it names an engine and a device. */
static int doca_nl_engine_allowed(struct sk_buff *skb, struct genl_info *info,
				  bool engine, bool device)
{
	if (!netlink_capable(skb, CAP_SYS_ADMIN))
		return doca_nl_say(info, -EPERM,
				   "it needs CAP_SYS_ADMIN in the initial user namespace");
	if (engine && GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_ENGINE_NAME))
		return doca_nl_say(info, -EINVAL, "which engine is not said");
	if (device && GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_DEV_ID))
		return doca_nl_say(info, -EINVAL, "which device is not said");
	return 0;
}

static const char *doca_nl_engine_name(struct genl_info *info)
{
	return nla_data(info->attrs[DOCA_GENL_A_ENGINE_NAME]);
}

static int doca_nl_engine_change(struct sk_buff *skb, struct genl_info *info,
				 int (*change)(const char *name,
					       const char **why))
{
	const char *why;
	int rc;

	rc = doca_nl_engine_allowed(skb, info, true, false);
	if (rc)
		return rc;
	rc = change(doca_nl_engine_name(info), &why);
	return doca_nl_say(info, rc, why);
}

int doca_nl_engine_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return doca_nl_engine_change(skb, info, doca_engine_add_name);
}

int doca_nl_engine_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return doca_nl_engine_change(skb, info, doca_engine_del_name);
}

/* Find the device as the sender's namespace sees it, with a reference; or NULL. */
static struct doca_device *doca_nl_device(struct genl_info *info)
{
	struct doca_device *device =
		doca_device_find(nla_get_u32(info->attrs[DOCA_GENL_A_DEV_ID]),
				 genl_info_net(info));

	return IS_ERR(device) ? NULL : device;
}

static int doca_nl_attach(struct genl_info *info, struct doca_device *device)
{
	struct doca_engine *engine = doca_engine_find(doca_nl_engine_name(info));
	const char *why;
	int rc;

	if (!engine)
		return doca_nl_say(info, -ENODEV, "there is no such engine");
	rc = doca_engine_attach(engine, device, &why);
	doca_engine_put(engine);
	return doca_nl_say(info, rc, why);
}

static int doca_nl_detach(struct genl_info *info, struct doca_device *device)
{
	const char *why = NULL;
	int rc = doca_engine_detach(device, &why);

	return doca_nl_say(info, rc, why);
}

static int doca_nl_with_device(struct genl_info *info,
			       int (*change)(struct genl_info *info,
					     struct doca_device *device))
{
	struct doca_device *device = doca_nl_device(info);
	int rc;

	if (!device)
		return doca_nl_say(info, -ENODEV, "there is no such device");
	rc = change(info, device);
	if (!rc)
		doca_netlink_notify_change(device);
	doca_device_put(device);
	return rc;
}

int doca_nl_engine_attach_doit(struct sk_buff *skb, struct genl_info *info)
{
	return doca_nl_engine_allowed(skb, info, true, true) ?:
	       doca_nl_with_device(info, doca_nl_attach);
}

int doca_nl_engine_detach_doit(struct sk_buff *skb, struct genl_info *info)
{
	return doca_nl_engine_allowed(skb, info, false, true) ?:
	       doca_nl_with_device(info, doca_nl_detach);
}
#else
int doca_nl_engine_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return -EOPNOTSUPP;
}

int doca_nl_engine_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return -EOPNOTSUPP;
}

int doca_nl_engine_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return -EOPNOTSUPP;
}

int doca_nl_engine_attach_doit(struct sk_buff *skb, struct genl_info *info)
{
	return -EOPNOTSUPP;
}

int doca_nl_engine_detach_doit(struct sk_buff *skb, struct genl_info *info)
{
	return -EOPNOTSUPP;
}
#endif
