// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The generic netlink family, and its messages about devices.
 *
 * Requests and notifications are per network namespace. Requests run in parallel
 * with each other and with the coming and going of devices; a dump remembers
 * ids only.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "device.h"
#include "dma/engine.h"
#include "netlink.h"

enum {
	DOCA_NL_MCGRP_DEVICE,
};

static const struct genl_multicast_group doca_nl_mcgrps[] = {
	[DOCA_NL_MCGRP_DEVICE] = { .name = DOCA_GENL_MCGRP_DEVICE },
};

const struct nla_policy doca_nl_device_policy[DOCA_GENL_A_DEV_ID + 1] = {
	[DOCA_GENL_A_DEV_ID] = { .type = NLA_U32 },
};

static int doca_nl_put_identity(struct sk_buff *skb,
				const struct doca_device *dev)
{
	char name[DOCA_DEVICE_NAME_MAX];

	doca_device_name(dev, name);
	if (nla_put_u32(skb, DOCA_GENL_A_DEV_ID, dev->id) ||
	    nla_put_string(skb, DOCA_GENL_A_DEV_NAME, name))
		return -EMSGSIZE;
	return 0;
}

static int doca_nl_put_properties(struct sk_buff *skb,
				  const struct doca_device *dev)
{
	if (nla_put_u32(skb, DOCA_GENL_A_DEV_TYPE, dev->type) ||
	    nla_put_u64_64bit(skb, DOCA_GENL_A_DEV_GUID, dev->guid,
			      DOCA_GENL_A_PAD) ||
	    nla_put_s32(skb, DOCA_GENL_A_DEV_NUMA_NODE, dev->numa_node) ||
	    nla_put_u32(skb, DOCA_GENL_A_DEV_PORTS, dev->ports))
		return -EMSGSIZE;
	if (dev->pci[0] && nla_put_string(skb, DOCA_GENL_A_DEV_PCI, dev->pci))
		return -EMSGSIZE;
	return 0;
}

static int doca_nl_put_engine(struct sk_buff *skb,
			      const struct doca_engine *engine)
{
	if (nla_put_string(skb, DOCA_GENL_A_ENGINE_NAME, engine->name) ||
	    nla_put_string(skb, DOCA_GENL_A_ENGINE_DRIVER, engine->driver) ||
	    nla_put_u32(skb, DOCA_GENL_A_ENGINE_STATE,
			READ_ONCE(engine->state)) ||
	    nla_put_u32(skb, DOCA_GENL_A_ENGINE_IOMMU, engine->iommu) ||
	    nla_put_u32(skb, DOCA_GENL_A_ENGINE_MIN_LENGTH,
			engine->min_length))
		return -EMSGSIZE;
	return 0;
}

/* Add nothing if the CPU copies for the device. */
static int doca_nl_put_engine_of(struct sk_buff *skb,
				 const struct doca_device *dev)
{
	struct doca_engine *engine = doca_device_engine(dev);
	int rc;

	if (!engine)
		return 0;
	rc = doca_nl_put_engine(skb, engine);
	doca_engine_put(engine);
	return rc;
}

/* Append a message about a device. */
static int doca_nl_put_device(struct sk_buff *skb, u32 portid, u32 seq,
			      int flags, const struct doca_device *dev,
			      enum doca_genl_cmd cmd)
{
	void *hdr;

	hdr = genlmsg_put(skb, portid, seq, &doca_nl_family, flags, cmd);
	if (!hdr)
		return -EMSGSIZE;
	if (doca_nl_put_identity(skb, dev))
		goto err_cancel;
	if (cmd != DOCA_GENL_CMD_DEV_DEL &&
	    (doca_nl_put_properties(skb, dev) ||
	     doca_nl_put_engine_of(skb, dev)))
		goto err_cancel;
	genlmsg_end(skb, hdr);
	return 0;

err_cancel:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

int doca_nl_device_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct doca_device *dev;
	struct sk_buff *msg;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_DEV_ID))
		return -EINVAL;

	dev = doca_device_find(nla_get_u32(info->attrs[DOCA_GENL_A_DEV_ID]),
			       genl_info_net(info));
	if (IS_ERR(dev)) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[DOCA_GENL_A_DEV_ID],
				    "No device with this id is seen here");
		return PTR_ERR(dev);
	}

	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg) {
		ret = -ENOMEM;
		goto out_put;
	}
	ret = doca_nl_put_device(msg, info->snd_portid, info->snd_seq, 0, dev,
				 DOCA_GENL_CMD_DEV_GET);
	if (ret)
		nlmsg_free(msg);
	else
		ret = genlmsg_reply(msg, info);
out_put:
	doca_device_put(dev);
	return ret;
}

/* Position of a dump; all zero at its beginning. */
struct doca_nl_device_dump {
	u32 pass; /* index of doca_nl_dump_order */
	u32 last; /* id of the last device of this pass */
};

static const enum doca_dev_type doca_nl_dump_order[] = {
	DOCA_DEV_RDMA,
	DOCA_DEV_ENGINE,
	DOCA_DEV_SOFTWARE,
};

int doca_nl_start_plain(struct netlink_callback *cb)
{
	if (nlmsg_attrlen(cb->nlh, GENL_HDRLEN)) {
		NL_SET_ERR_MSG(cb->extack, "A dump takes no attributes");
		return -EINVAL;
	}
	return 0;
}

int doca_nl_device_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct doca_nl_device_dump *dump = (struct doca_nl_device_dump *)cb->ctx;
	struct net *net = sock_net(cb->skb->sk);
	struct doca_device *dev;
	int ret = 0;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	while (dump->pass < ARRAY_SIZE(doca_nl_dump_order)) {
		dev = doca_device_next(dump->last,
				       doca_nl_dump_order[dump->pass], net);
		if (!dev) {
			dump->pass++;
			dump->last = 0;
			continue;
		}

		ret = doca_nl_put_device(skb, NETLINK_CB(cb->skb).portid,
					 cb->nlh->nlmsg_seq, NLM_F_MULTI, dev,
					 DOCA_GENL_CMD_DEV_GET);
		if (!ret)
			dump->last = dev->id;
		doca_device_put(dev);
		if (ret) /* the rest goes into the next message */
			break;
	}
	return skb->len ?: ret;
}

/* Unlike with NL_SET_ERR_MSG(), the text need not be a constant in the caller. */
int doca_nl_say(struct genl_info *info, int rc, const char *why)
{
	if (rc && info->extack)
		info->extack->_msg = why;
	return rc;
}

struct genl_family doca_nl_family __ro_after_init = {
	.name = DOCA_GENL_NAME,
	.version = DOCA_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.mcgrps = doca_nl_mcgrps,
	.n_mcgrps = ARRAY_SIZE(doca_nl_mcgrps),
	.module = THIS_MODULE,
};

/* A doca_nl_put_t for devices. */
static int doca_nl_put_event(struct sk_buff *skb, const void *what,
			     enum doca_genl_cmd cmd)
{
	return doca_nl_put_device(skb, 0, 0, 0, what, cmd);
}

void doca_nl_tell(struct net *net, doca_nl_put_t put, const void *what,
		  enum doca_genl_cmd cmd)
{
	struct sk_buff *msg;

	if (!genl_has_listeners(&doca_nl_family, net, DOCA_NL_MCGRP_DEVICE))
		return;

	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		goto err;
	if (put(msg, what, cmd))
		goto err_free;
	/* If a listener is full, this sets the same error as below, for all. */
	genlmsg_multicast_netns(&doca_nl_family, net, msg, 0,
				DOCA_NL_MCGRP_DEVICE, GFP_KERNEL);
	return;

err_free:
	nlmsg_free(msg);
err:
	/* Report to the listeners that they have missed a message. */
	genl_set_err(&doca_nl_family, net, 0, DOCA_NL_MCGRP_DEVICE, -ENOBUFS);
}

void doca_netlink_notify(const struct doca_device *dev, enum doca_genl_cmd cmd)
{
	struct net *net;

	/* The lock keeps the namespaces in the list, and their sockets, alive. */
	down_read(&net_rwsem);
	for_each_net(net)
		if (doca_device_visible(dev, net))
			doca_nl_tell(net, doca_nl_put_event, dev, cmd);
	up_read(&net_rwsem);
}

/* Changes are sent one by one, so the last message is right. */
static DEFINE_MUTEX(doca_nl_changes);

/* A late message is harmless: it does not claim that the device exists. */
void doca_netlink_notify_change(const struct doca_device *dev)
{
	struct net *net;

	mutex_lock(&doca_nl_changes);
	down_read(&net_rwsem);
	for_each_net(net)
		if (doca_device_is_seen(dev->id, net))
			doca_nl_tell(net, doca_nl_put_event, dev,
				     DOCA_GENL_CMD_DEV_CHANGE);
	up_read(&net_rwsem);
	mutex_unlock(&doca_nl_changes);
}
