// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * RDMA devices become devices.
 *
 * An RDMA device that moves to another network namespace is removed and added, so it gets
 * a new id. While it removes a device, the RDMA core waits for our remove function and
 * for every reference to the device. So nothing here waits for user space or takes a
 * reference.
 */
#include <linux/err.h>
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <rdma/ib_verbs.h>

#include "device.h"
#include "ib.h"
#include "netlink.h"

static_assert(DOCA_DEVICE_NAME_MAX == IB_DEVICE_NAME_MAX);

static struct ib_client doca_ib_client;

static bool doca_ib_visible(const struct doca_device *dev,
			    const struct net *net)
{
	return rdma_dev_access_netns(dev->ibdev, net);
}

/*
 * The parent may be a part of a PCI function, such as a subfunction on the auxiliary bus.
 * A soft RDMA device has no parent.
 */
static void doca_ib_copy_pci(struct doca_device *dev, struct ib_device *ibdev)
{
	struct device *parent = ibdev->dev.parent;

	while (parent && !dev_is_pci(parent))
		parent = parent->parent;
	if (parent)
		strscpy(dev->pci, pci_name(to_pci_dev(parent)),
			sizeof(dev->pci));
}

static int doca_ib_add(struct ib_device *ibdev)
{
	struct doca_device *dev;
	int ret;

	dev = doca_device_alloc(DOCA_DEV_RDMA, dev_name(&ibdev->dev));
	if (IS_ERR(dev)) {
		ret = PTR_ERR(dev);
		goto err_log;
	}

	dev->guid = be64_to_cpu(ibdev->node_guid);
	dev->numa_node = ibdev_to_node(ibdev);
	dev->ports = ibdev->phys_port_cnt;
	dev->visible = doca_ib_visible;
	dev->ibdev = ibdev;
	doca_ib_copy_pci(dev, ibdev);

	ret = doca_device_register(dev);
	if (ret)
		goto err_put;

	ib_set_client_data(ibdev, &doca_ib_client, dev);
	doca_netlink_notify(dev, DOCA_GENL_CMD_DEV_ADD);
	return 0;

err_put:
	doca_device_put(dev);
err_log:
	dev_err(&ibdev->dev, "doca: cannot add the device: %d\n", ret);
	return ret;
}

static void doca_ib_remove(struct ib_device *ibdev, void *client_data)
{
	struct doca_device *dev = client_data;

	doca_device_unregister(dev);
	doca_netlink_notify(dev, DOCA_GENL_CMD_DEV_DEL);
	dev->ibdev = NULL;
	doca_device_put(dev);
}

static void doca_ib_rename(struct ib_device *ibdev, void *client_data)
{
	struct doca_device *dev = client_data;

	doca_device_rename(dev, dev_name(&ibdev->dev));
	doca_netlink_notify(dev, DOCA_GENL_CMD_DEV_ADD);
}

static struct ib_client doca_ib_client = {
	.name = "doca",
	.add = doca_ib_add,
	.remove = doca_ib_remove,
	.rename = doca_ib_rename,
	/* the CPU copies: kernel verbs are not needed */
	.no_kverbs_req = 1,
};

/*
 * Clients learn of a removal in the reverse order of their registration, and ib_uverbs
 * waits for processes that hold a device open if its driver cannot take it from them. We
 * must learn of it before that, so ib_uverbs comes first. It is requested by name: with a
 * soft dependency modprobe -r would try to unload it, and fail while others use it.
 */
int doca_ib_init(void)
{
	request_module("ib_uverbs");
	return ib_register_client(&doca_ib_client);
}

void doca_ib_exit(void)
{
	ib_unregister_client(&doca_ib_client);
}
