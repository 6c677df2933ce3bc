// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "core/base/errno_text.h"
#include "iface.h"

static bool has_real_name(const struct doca_devinfo *devinfo)
{
	return devinfo->iface[0] && !devinfo->iface_made_up;
}

int doca_priv_iface_find(const struct doca_devinfo *devinfo,
			 struct netdev *netdev)
{
	if (devinfo->type == DOCA_DEV_RDMA)
		return netdev_find(devinfo->name, netdev);
	if (!has_real_name(devinfo))
		return -ENODEV;
	return netdev_named(devinfo->iface, netdev);
}

const char *doca_priv_iface_none(const struct doca_devinfo *devinfo,
				 char text[IFACE_NONE])
{
	struct netdev netdev;
	int err = doca_priv_iface_find(devinfo, &netdev);

	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
		snprintf(text, IFACE_NONE,
			 "%s cannot be asked for its network interface: %s",
			 devinfo->name, errno_text(err));
	else if (has_real_name(devinfo))
		snprintf(text, IFACE_NONE,
			 "%s has no network interface: there is no %s in this "
			 "network namespace",
			 devinfo->name, devinfo->iface);
	else if (devinfo->type == DOCA_DEV_SOFTWARE)
		snprintf(text, IFACE_NONE,
			 "%s has no network interface: it is in software, and "
			 "no profile names one (DOCA_PROFILE, see doca(7))",
			 devinfo->name);
	else
		snprintf(
			text, IFACE_NONE,
			"%s has no network interface in this network namespace",
			devinfo->name);
	return text;
}
