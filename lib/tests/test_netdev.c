// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The operating system's answers about the interface that every machine has. */
#include <errno.h>
#include <net/if.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "ktap.h"
#include "core/device/dev.h"
#include "core/device/netdev.h"
#include "core/driver/netlink.h"
#include "core/driver/pci.h"
#include "core/device/verbs.h"

static struct netdev loopback(void)
{
	struct netdev lo = { .index = if_nametoindex("lo"), .name = "lo" };

	return lo;
}

TEST(loopback_has_an_address)
{
	static const uint8_t local[4] = { 127, 0, 0, 1 };
	struct netdev lo = loopback();
	uint8_t addr[4];
	int err;

	err = netdev_get_addr(&lo, AF_INET, addr, sizeof(addr));
	if (err == -ENOENT)
		SKIP("lo is down");
	EXPECT_EQ(err, 0);
	EXPECT(!memcmp(addr, local, 4));
}

TEST(loopback_has_a_mac_and_no_pci_function)
{
	struct netdev lo = loopback();
	uint8_t mac[6] = { 1, 1, 1, 1, 1, 1 };
	uint8_t wrong[8];
	char pci[13];

	EXPECT_EQ(netdev_get_mac(&lo, mac, sizeof(mac)), 0);
	EXPECT_EQ(mac[0] | mac[5], 0);
	EXPECT_EQ(netdev_get_mac(&lo, wrong, sizeof(wrong)), -ENOENT);
	EXPECT_EQ(netdev_get_pci(&lo, pci), -ENOENT);
}

TEST(interfaces_have_names)
{
	struct netdev lo = loopback(), found = { 0 };

	EXPECT_EQ(netdev_named("lo", &found), 0);
	EXPECT_EQ(found.index, lo.index);
	EXPECT_STR(found.name, "lo");
	EXPECT_EQ(netdev_named("no-such-if", &found), -ENODEV);
	EXPECT_EQ(netdev_named("", &found), -ENODEV);
}

/* sysfs may belong to another namespace with an interface of the same name. */
TEST(pci_function_is_that_of_the_interface_s_number)
{
	char sysfs[] = "/tmp/test_netdev.XXXXXX", line[256], pci[13] = "";
	struct netdev lo = loopback();

	ASSERT(mkdtemp(sysfs));
	snprintf(line, sizeof(line),
		 "cd %s && mkdir -p class/net/lo 0000:03:00.0/virtio1 && "
		 "ln -s ../../../0000:03:00.0/virtio1 class/net/lo/device && "
		 "echo %d >class/net/lo/ifindex",
		 sysfs, lo.index);
	EXPECT_EQ(system(line), 0);
	pci_sysfs = sysfs;
	EXPECT_EQ(netdev_get_pci(&lo, pci), 0);
	EXPECT_STR(pci, "0000:03:00.0");
	lo.index++;
	EXPECT_EQ(netdev_get_pci(&lo, pci), -ENOENT);
	pci_sysfs = "/sys";
	snprintf(line, sizeof(line), "rm -r %s", sysfs);
	EXPECT_EQ(system(line), 0);
}

TEST(interface_that_is_not_there)
{
	struct netdev none = { .index = 1 << 30, .name = "no-such-if" };
	uint8_t addr[16];
	char pci[13];

	EXPECT_EQ(netdev_get_addr(&none, AF_INET6, addr, 16), -ENOENT);
	EXPECT_EQ(netdev_get_mac(&none, addr, 6), -ENODEV);
	EXPECT_EQ(netdev_get_pci(&none, pci), -ENOENT);
}

TEST(rdma_device_that_is_not_there)
{
	struct verbs_port port;
	struct netdev netdev;
	int err;

	/* EPROTONOSUPPORT: this kernel has no RDMA at all */
	err = netdev_find("no-such-device", &netdev);
	EXPECT(err == -ENODEV || err == -EPROTONOSUPPORT);
	EXPECT(verbs_query_port("no-such-device", &port) < 0);
}

TEST(forms_of_pci_addresses)
{
	EXPECT(pci_has_form("0000:3a:00.0", PCI_ADDR_FORM));
	EXPECT(pci_has_form("FFFF:ff:1f.7", PCI_ADDR_FORM));
	EXPECT(pci_has_form("3a:00.0", PCI_BDF_FORM));
	EXPECT(!pci_has_form("virtio0", PCI_BDF_FORM));
	EXPECT(!pci_has_form("0000:3a:00", PCI_ADDR_FORM));
	EXPECT(!pci_has_form("0000:3a:00.0/", PCI_ADDR_FORM));
	EXPECT(!pci_has_form("", PCI_BDF_FORM));
	EXPECT(pci_is_function("0000:3a:00.0"));
	EXPECT(pci_is_function("10000:3a:00.0"));
	EXPECT(!pci_is_function("3a:00.0"));
	EXPECT(!pci_is_function("pci0000:3a"));
	EXPECT(!pci_is_function("0000:3a:00.0:pcie001"));
	EXPECT(!pci_is_function("virtio0"));
	EXPECT(!pci_is_function(""));
}

TEST(family_that_is_not_there)
{
	struct doca_devinfo *infos = NULL;
	uint32_t n = 0;
	int err;

	err = netlink_list_devices(&infos, &n);
	if (!err) {
		free(infos);
		SKIP("the module is loaded");
	}
	EXPECT_EQ(err, -ENOENT);
	EXPECT_EQ(netlink_check_device(1), -ENOENT);
}
