/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Fake devices, and answers of the operating system about them; it fails where a test
 * wants it. One file of a program includes it, in place of netlink.c, netdev.c and
 * verbs.c.
 */
#ifndef DOCA_TESTS_FAKE_NET_H
#define DOCA_TESTS_FAKE_NET_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/dev.h"
#include "core/device/verbs.h"
#include "core/driver/driver.h"
#include "fake_netdev.h"

/* Negative errnos of calls that shall fail, and answers. */
static struct {
	int list_err;
	int port_err;
	struct verbs_port port;
	const char *asked; /* the device whose port was asked for last */
	const char *renamed; /* name of the second device; NULL: the one that it had */
} net;

static const struct doca_devinfo known[] = {
	{ .id = 7, .type = DOCA_DEV_RDMA, .name = "mlx5_0", .pci = "0000:3A:00.1" },
	{ .id = 9, .type = DOCA_DEV_RDMA, .name = "rxe0", .engine = "0000:6a:01.0" },
	{ .id = 1, .type = DOCA_DEV_SOFTWARE, .name = "software" },
};

int driver_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	if (net.list_err)
		return net.list_err;
	*infos = malloc(sizeof(known));
	if (!*infos)
		return -ENOMEM;
	memcpy(*infos, known, sizeof(known));
	if (net.renamed)
		strcpy((*infos)[1].name, net.renamed);
	*n = 3;
	return 0;
}

int verbs_query_port(const char *ibdev, struct verbs_port *port)
{
	static char asked[DOCA_DEVINFO_IBDEV_NAME_SIZE];

	strcpy(asked, ibdev);
	net.asked = asked;
	*port = net.port;
	return net.port_err;
}

static void fake_net_reset(void)
{
	memset(&net, 0, sizeof(net));
	memset(&netdev_fails, 0, sizeof(netdev_fails));
}

#endif /* DOCA_TESTS_FAKE_NET_H */
