// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Functions by netlink: listing, adding and removing them. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "function.h"
#include "netlink.h"
#include "netlink_function.h"

const struct nla_policy doca_nl_function_policy[DOCA_GENL_A_HOST_PCI + 1] = {
	[DOCA_GENL_A_ANY_USER] = { .type = NLA_FLAG },
	[DOCA_GENL_A_FUNCTION_ID] = { .type = NLA_U32 },
	[DOCA_GENL_A_FUNCTION_NAME] = { .type = NLA_NUL_STRING },
	[DOCA_GENL_A_DPU_ID] = { .type = NLA_U32 },
	[DOCA_GENL_A_DPU_PCI] = { .type = NLA_NUL_STRING },
	[DOCA_GENL_A_HOST_ID] = { .type = NLA_U32 },
	[DOCA_GENL_A_HOST_PCI] = { .type = NLA_NUL_STRING },
};

/* Put the attribute of the device's id; those of its name and address follow. */
static int doca_nl_put_side(struct sk_buff *skb, int attr,
			    const struct doca_device *device)
{
	char name[DOCA_DEVICE_NAME_MAX];

	static_assert(DOCA_GENL_A_DPU_ID + 2 == DOCA_GENL_A_DPU_PCI);
	static_assert(DOCA_GENL_A_HOST_ID + 2 == DOCA_GENL_A_HOST_PCI);

	doca_device_name(device, name);
	if (nla_put_u32(skb, attr, device->id) ||
	    nla_put_string(skb, attr + 1, name))
		return -EMSGSIZE;
	if (device->pci[0] && nla_put_string(skb, attr + 2, device->pci))
		return -EMSGSIZE;
	return 0;
}

static int doca_nl_put_properties(struct sk_buff *skb,
				  const struct doca_function *function)
{
	char vuid[DOCA_FUNCTION_VUID_MAX];

	doca_function_vuid(function, vuid);
	if (nla_put_string(skb, DOCA_GENL_A_FUNCTION_VUID, vuid) ||
	    doca_nl_put_side(skb, DOCA_GENL_A_DPU_ID, function->dpu.device) ||
	    doca_nl_put_side(skb, DOCA_GENL_A_HOST_ID, function->host.device))
		return -EMSGSIZE;
	if (function->any_user && nla_put_flag(skb, DOCA_GENL_A_ANY_USER))
		return -EMSGSIZE;
	return 0;
}

/* Append a message about a function. */
static int doca_nl_put_function(struct sk_buff *skb, u32 portid, u32 seq,
				int flags, const struct doca_function *function,
				enum doca_genl_cmd cmd)
{
	void *hdr;

	hdr = genlmsg_put(skb, portid, seq, &doca_nl_family, flags, cmd);
	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, DOCA_GENL_A_FUNCTION_ID, function->id) ||
	    nla_put_string(skb, DOCA_GENL_A_FUNCTION_NAME, function->name) ||
	    (cmd != DOCA_GENL_CMD_FUNCTION_DEL &&
	     doca_nl_put_properties(skb, function))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

int doca_nl_function_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id = info->attrs[DOCA_GENL_A_FUNCTION_ID];
	struct doca_function *function;
	struct sk_buff *msg;
	int rc;

	if (GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_FUNCTION_ID))
		return -EINVAL;
	function = doca_function_find(nla_get_u32(id), genl_info_net(info));
	if (!function) {
		NL_SET_ERR_MSG_ATTR(info->extack, id,
				    "No pair with this id is seen here");
		return -ENOENT;
	}
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg) {
		rc = -ENOMEM;
		goto out_put;
	}
	rc = doca_nl_put_function(msg, info->snd_portid, info->snd_seq, 0,
				  function, DOCA_GENL_CMD_FUNCTION_GET);
	if (rc)
		nlmsg_free(msg);
	else
		rc = genlmsg_reply(msg, info);
out_put:
	doca_function_put(function);
	return rc;
}

/* Position of a dump: the last id. All zero at its beginning. */
struct doca_nl_function_dump {
	u32 last;
};

int doca_nl_function_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct doca_nl_function_dump *dump =
		(struct doca_nl_function_dump *)cb->ctx;
	struct net *net = sock_net(cb->skb->sk);
	struct doca_function *function;
	int rc = 0;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	while (!rc && (function = doca_function_next(dump->last, net))) {
		rc = doca_nl_put_function(skb, NETLINK_CB(cb->skb).portid,
					  cb->nlh->nlmsg_seq, NLM_F_MULTI,
					  function, DOCA_GENL_CMD_FUNCTION_GET);
		if (!rc)
			dump->last = function->id;
		doca_function_put(function);
	}
	/* Functions that did not fit go into the next message. */
	return skb->len ?: rc;
}

/*
 * Administrators come one by one, so that notifications have the order of the changes. No
 * one without the privilege takes it.
 */
static DEFINE_MUTEX(doca_nl_functions);

/* A doca_nl_put_t for functions. */
static int doca_nl_put_event(struct sk_buff *skb, const void *what,
			     enum doca_genl_cmd cmd)
{
	return doca_nl_put_function(skb, 0, 0, 0, what, cmd);
}

static void doca_nl_tell_function(const struct doca_function *function,
				  enum doca_genl_cmd cmd)
{
	struct net *net;

	down_read(&net_rwsem);
	for_each_net(net)
		if (doca_function_visible(function, net))
			doca_nl_tell(net, doca_nl_put_event, function, cmd);
	up_read(&net_rwsem);
}

/* Notify about the devices that the function has made. */
static void doca_nl_tell_devices(const struct doca_function *function,
				 enum doca_genl_cmd cmd)
{
	if (!function->made)
		return;
	doca_netlink_notify(function->dpu.device, cmd);
	doca_netlink_notify(function->host.device, cmd);
}

static int doca_nl_function_allowed(struct sk_buff *skb, struct genl_info *info)
{
	if (!netlink_capable(skb, CAP_SYS_ADMIN))
		return doca_nl_say(info, -EPERM,
				   "it needs CAP_SYS_ADMIN in the initial user namespace");
	if (GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_FUNCTION_NAME))
		return doca_nl_say(info, -EINVAL, "the pair's name is missing");
	return 0;
}

static int doca_nl_function_add(struct genl_info *info,
				const struct doca_function_attr *attr)
{
	struct doca_function *function;
	const char *why;

	mutex_lock(&doca_nl_functions);
	function = doca_function_add(attr, &why);
	if (!IS_ERR(function)) {
		doca_nl_tell_devices(function, DOCA_GENL_CMD_DEV_ADD);
		doca_nl_tell_function(function, DOCA_GENL_CMD_FUNCTION_ADD);
		doca_function_put(function);
	}
	mutex_unlock(&doca_nl_functions);
	return doca_nl_say(info, PTR_ERR_OR_ZERO(function), why);
}

static struct doca_device *doca_nl_side(struct genl_info *info, int attr)
{
	return doca_device_find(nla_get_u32(info->attrs[attr]),
				genl_info_net(info));
}

static int doca_nl_function_add_ids(struct genl_info *info,
				    struct doca_function_attr *attr)
{
	int rc = -ENODEV;

	attr->dpu = doca_nl_side(info, DOCA_GENL_A_DPU_ID);
	if (IS_ERR(attr->dpu))
		return doca_nl_say(info, rc, "there is no such DPU's device");
	attr->host = doca_nl_side(info, DOCA_GENL_A_HOST_ID);
	if (IS_ERR(attr->host))
		doca_nl_say(info, rc, "there is no such host's device");
	else
		rc = doca_nl_function_add(info, attr);
	if (!IS_ERR(attr->host))
		doca_device_put(attr->host);
	doca_device_put(attr->dpu);
	return rc;
}

int doca_nl_function_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct doca_function_attr attr = {};
	int rc = doca_nl_function_allowed(skb, info);

	if (rc)
		return rc;
	attr.name = nla_data(attrs[DOCA_GENL_A_FUNCTION_NAME]);
	attr.any_user = attrs[DOCA_GENL_A_ANY_USER];
	if (attrs[DOCA_GENL_A_DPU_ID] && attrs[DOCA_GENL_A_HOST_ID] &&
	    !attrs[DOCA_GENL_A_DPU_PCI] && !attrs[DOCA_GENL_A_HOST_PCI])
		return doca_nl_function_add_ids(info, &attr);
	if (!attrs[DOCA_GENL_A_DPU_PCI] || !attrs[DOCA_GENL_A_HOST_PCI] ||
	    attrs[DOCA_GENL_A_DPU_ID] || attrs[DOCA_GENL_A_HOST_ID])
		return doca_nl_say(info, -EINVAL,
				   "it takes two devices, or two addresses");
	attr.dpu_pci = nla_data(attrs[DOCA_GENL_A_DPU_PCI]);
	attr.host_pci = nla_data(attrs[DOCA_GENL_A_HOST_PCI]);
	return doca_nl_function_add(info, &attr);
}

/* Announce it while its devices can still be seen. */
static bool doca_nl_function_del(struct doca_function *function)
{
	bool mine;

	mutex_lock(&doca_nl_functions);
	mine = doca_function_unlink(function);
	if (mine) {
		doca_nl_tell_function(function, DOCA_GENL_CMD_FUNCTION_DEL);
		doca_function_end(function);
		doca_nl_tell_devices(function, DOCA_GENL_CMD_DEV_DEL);
	}
	mutex_unlock(&doca_nl_functions);
	return mine;
}

int doca_nl_function_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct doca_function *function;
	int rc = doca_nl_function_allowed(skb, info);
	const char *name;

	if (rc)
		return rc;
	name = nla_data(info->attrs[DOCA_GENL_A_FUNCTION_NAME]);
	function = doca_function_named(name, genl_info_net(info));
	rc = function && doca_nl_function_del(function) ? 0 : -ENOENT;
	if (function)
		doca_function_put(function);
	return doca_nl_say(info, rc, "there is no pair of this name");
}
