// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Ports of devices, with a DPDK that probes everything. */
#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include <doca_dpdk.h>

#include "ktap.h"
#include "fake_net.h"
#include "fake_driver.h"
#include "logged.h"

/* Arguments of the last probe, and its result. */
static struct {
	char bus[16];
	char name[64];
	char args[64];
	int err;
} probed;

/* Replaces DPDK's function, which needs devices. */
int rte_eal_hotplug_add(const char *bus, const char *name, const char *args)
{
	snprintf(probed.bus, sizeof(probed.bus), "%s", bus);
	snprintf(probed.name, sizeof(probed.name), "%s", name);
	snprintf(probed.args, sizeof(probed.args), "%s", args);
	return probed.err;
}

/* Open a device with this PCI address, which may be another DPDK device's name. */
static struct doca_dev *open_dev(const char *pci)
{
	struct doca_devinfo info = {
		.id = 9,
		.type = DOCA_DEV_RDMA,
		.name = "fake9",
	};
	struct doca_dev *dev = NULL;

	fake_reset(false);
	fake_net_reset();
	memset(&probed, 0, sizeof(probed));
	strcpy(info.pci, pci);
	OK(fake_open(&info, &dev));
	logged();
	return dev;
}

TEST(a_function_of_pci_is_probed_by_its_address)
{
	struct doca_dev *dev = open_dev("0000:3A:00.1");

	OK(doca_dpdk_port_probe(dev, "mprq_en=1"));
	EXPECT_STR(probed.bus, "pci");
	EXPECT_STR(probed.name, "0000:3A:00.1");
	EXPECT_STR(probed.args, "mprq_en=1");
	OK(doca_dev_close(dev));
}

TEST(soft_roce_is_probed_by_its_interface)
{
	struct doca_dev *dev = open_dev("");

	OK(doca_dpdk_port_probe(dev, ""));
	EXPECT_STR(probed.bus, "vdev");
	EXPECT_STR(probed.name, "net_af_packet_doca9");
	EXPECT_STR(probed.args, "iface=eth0");
	OK(doca_dpdk_port_probe(dev, "qpairs=1"));
	EXPECT_STR(probed.args, "qpairs=1,iface=eth0");
	OK(doca_dev_close(dev));
}

/* Another device may have its PCI address. */
TEST(a_device_in_software_is_probed_by_its_interface)
{
	struct doca_dev *dev = open_dev("0000:3A:00.1");

	dev->info.type = DOCA_DEV_SOFTWARE;
	strcpy(dev->info.iface, "veth0");
	OK(doca_dpdk_port_probe(dev, ""));
	EXPECT_STR(probed.bus, "vdev");
	EXPECT_STR(probed.args, "iface=veth0");
	dev->info.iface_made_up = true;
	FAILS(doca_dpdk_port_probe(dev, ""), INVALID_VALUE, "no profile names one");
	OK(doca_dev_close(dev));
}

/* The device itself decides which it is. */
TEST(arguments_name_no_device)
{
	static const char *const args[] = { "0000:3A:00.1", "03:00.0", "mprq_en=1,0000:03:00.0",
					    "03:00.0,mprq_en=1" };
	struct doca_dev *dev = open_dev("0000:3A:00.1");
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		ERR(doca_dpdk_port_probe(dev, args[i]), INVALID_VALUE);
	EXPECT_STR(probed.name, "");
	OK(doca_dpdk_port_probe(dev, "representor=0,mprq_en=1"));
	OK(doca_dev_close(dev));
}

TEST(a_probe_that_fails)
{
	struct doca_dev *dev = open_dev("");
	char args[1100];

	probed.err = -ENOMEM;
	FAILS(doca_dpdk_port_probe(dev, ""), NO_MEMORY,
	      "fake9 as net_af_packet_doca9: Cannot allocate memory");
	probed.err = -EINVAL;
	FAILS(doca_dpdk_port_probe(dev, ""), DRIVER, "Invalid argument");
	probed.err = 0;
	memset(args, 'a', sizeof(args) - 1);
	args[sizeof(args) - 1] = '\0';
	probed.name[0] = '\0';
	ERR(doca_dpdk_port_probe(dev, args), INVALID_VALUE);
	EXPECT_STR(probed.name, "");
	netdev_fails.find_err = -ENODEV;
	FAILS(doca_dpdk_port_probe(dev, ""), INVALID_VALUE, "fake9 has no network interface");
	OK(doca_dev_close(dev));
}

TEST(ports_and_devices_find_each_other)
{
	static char *argv[] = { "test",	    "--no-huge",      "-m",	     "16",
				"--no-pci", "--no-telemetry", "--no-shconf", "-l",
				"0",	    "--log-level",    "1",	     "--vdev",
				"net_null0" };
	struct doca_dev *dev, *found = NULL;
	uint16_t port = 77;

	if (rte_eal_init(sizeof(argv) / sizeof(argv[0]), argv) < 0)
		SKIP("DPDK does not start here");
	dev = open_dev("net_null0");
	OK(doca_dpdk_get_first_port_id(dev, &port));
	OK(doca_dpdk_port_as_dev(port, &found));
	EXPECT(found == dev);
	OK(doca_dev_close(dev));
	ERR(doca_dpdk_port_as_dev(port, &found), NOT_FOUND);
	dev = open_dev("net_null1");
	ERR(doca_dpdk_get_first_port_id(dev, &port), NOT_FOUND);
	ERR(doca_dpdk_port_as_dev(port, &found), NOT_FOUND);
	ERR(doca_dpdk_port_as_dev(port + 1, &found), NOT_FOUND);
	OK(doca_dev_close(dev));
	EXPECT_CLEAN();
}
