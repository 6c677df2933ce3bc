// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* What devices there are and their properties, with made-up answers. */
#include "ktap.h"
#include "fake_net.h"
#include "core/driver/driver_choice.h"
#include "fake_mem.h"
#include "fault.h"
#include "logged.h"
#include "core/driver/pci.h"
#include "target_bed.h"

static struct doca_devinfo **list;
static const struct doca_devinfo *pci_card, *rxe, *software;

static void setup(void)
{
	uint32_t n;

	fake_reset();
	fake_net_reset();
	if (doca_devinfo_create_list(&list, &n) || n != 3)
		abort();
	pci_card = list[0];
	rxe = list[1];
	software = list[2];
}

static void teardown(void)
{
	EXPECT_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

TEST(list_takes_null_for_invalid)
{
	uint32_t n;

	EXPECT_EQ(doca_devinfo_create_list(NULL, &n), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_create_list(&list, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
}

TEST(list_without_memory)
{
	uint32_t n;

	fake_reset();
	fake_net_reset();
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_create_list(&list, &n),
		      NO_MEMORY, teardown());
	logged();
}

TEST(list_has_the_order_of_the_kernel)
{
	setup();
	EXPECT_EQ(doca_priv_devinfo_id(list[0]), 7);
	EXPECT_EQ(doca_priv_devinfo_id(list[1]), 9);
	EXPECT_EQ(doca_priv_devinfo_id(list[2]), 1);
	EXPECT(!list[3]);
	EXPECT_SILENT();
	teardown();
}

TEST(list_without_module_is_empty_and_says_why)
{
	uint32_t n = 5;

	setup();
	teardown();
	fake.get_err = -EACCES;
	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	EXPECT_LOGGED("no devices: no permission to open /dev/doca; join the "
		      "group doca, or set DOCA_DRIVER=process");
	teardown();
	fake.get_err = -ENOENT;
	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	EXPECT_LOGGED("modprobe doca");
	teardown();
	fake.get_err = 0;
	net.list_err = -ENOENT;
	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	EXPECT_LOGGED("modprobe doca");
	teardown();
}

TEST(list_that_cannot_be_had)
{
	uint32_t n;

	fake_reset();
	fake.get_err = -DRIVER_WORD_ERROR;
	EXPECT_EQ(doca_devinfo_create_list(&list, &n),
		  DOCA_ERROR_NOT_CONNECTED);
	EXPECT_LOGGED("cannot list devices: DOCA_DRIVER is none of");
	fake.get_err = 0;
	net.list_err = -ENOMEM;
	EXPECT_EQ(doca_devinfo_create_list(&list, &n), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("cannot list devices");
	net.list_err = -EIO;
	EXPECT_EQ(doca_devinfo_create_list(&list, &n), DOCA_ERROR_NOT_FOUND);
	EXPECT_LOGGED("cannot list devices");
	EXPECT_CLEAN();
}

/* Devices that others had before are not gone. */
TEST(list_without_file_descriptors_is_an_error)
{
	static const struct {
		int err;
		const char *why;
	} rows[] = {
		{ -EMFILE, "the process has too many files open" },
		{ -ENFILE, "the machine has too many files open" },
	};
	uint32_t n = 5;
	size_t i;

	for (i = 0; i < 2; i++) {
		fake_reset();
		fake_net_reset();
		list = NULL;
		fake.get_err = rows[i].err;
		EXPECT_EQ(doca_devinfo_create_list(&list, &n),
			  DOCA_ERROR_NOT_FOUND);
		EXPECT_LOGGED(rows[i].why);
		EXPECT(!list);
		EXPECT_EQ(n, 5);
		EXPECT_CLEAN();
	}
	fake.get_err = -ENOMEM;
	EXPECT_EQ(doca_devinfo_create_list(&list, &n), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("Cannot allocate memory");
	EXPECT_CLEAN();
}

/* Once for each name, and not for one that a device has. */
TEST(devices_that_only_targets_name_are_the_software_device)
{
	uint32_t n = 0;

	set_up_targets();
	write_target("a.json", TARGET("1", "any", ""));
	write_target("b.json", TARGET("2", "rxe0", ""));
	write_target("c.json", TARGET("3", "mlx5_7", ""));
	write_target("d.json", TARGET("4", "mlx5_7", ""));
	fake_reset();
	fake_net_reset();
	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 4);
	EXPECT_STR(list[2]->name, "software");
	EXPECT_STR(list[3]->name, "mlx5_7");
	EXPECT_EQ(list[3]->id, list[2]->id);
	EXPECT(!list[4]);
	teardown();
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_create_list(&list, &n),
		      NO_MEMORY, teardown());
	logged();
	tear_down_targets();
}

/* A sysfs of our own, with a device on a subfunction if there is a number. */
static char sysfs[] = "/tmp/test_devinfo.XXXXXX";

static void in_sysfs(const char *command)
{
	char line[512];

	snprintf(line, sizeof(line), "cd %s && %s", sysfs, command);
	EXPECT_EQ(system(line), 0);
}

static void setup_sysfs(void)
{
	setup();
	strcpy(strrchr(sysfs, '.'), ".XXXXXX");
	if (!mkdtemp(sysfs))
		abort();
	pci_sysfs = sysfs;
	in_sysfs("mkdir -p class/infiniband/mlx5_0/device "
		 "bus/pci/devices/0000:3A:00.1 bus/pci/devices/0000:03:00.0");
}

static void teardown_sysfs(void)
{
	in_sysfs("rm -r class bus");
	rmdir(sysfs);
	pci_sysfs = "/sys";
	teardown();
}

TEST(kinds_of_pci_functions)
{
	enum doca_pci_func_type type;

	setup_sysfs();
	EXPECT_EQ(doca_devinfo_get_pci_func_type(NULL, &type),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_pci_func_type(rxe, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_pci_func_type(pci_card, &type),
		  DOCA_SUCCESS);
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	in_sysfs("ln -s ../0000:03:00.0 bus/pci/devices/0000:3A:00.1/physfn");
	EXPECT_EQ(doca_devinfo_get_pci_func_type(pci_card, &type),
		  DOCA_SUCCESS);
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_VF);
	in_sysfs("echo 88 >class/infiniband/mlx5_0/device/sfnum");
	EXPECT_EQ(doca_devinfo_get_pci_func_type(pci_card, &type),
		  DOCA_SUCCESS);
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_SF);

	/* That of its interface */
	EXPECT_EQ(doca_devinfo_get_pci_func_type(rxe, &type), DOCA_SUCCESS);
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	net.pci_err = -ENOENT;
	EXPECT_EQ(doca_devinfo_get_pci_func_type(rxe, &type),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_EQ(doca_devinfo_get_pci_func_type(software, &type),
		  DOCA_ERROR_NOT_SUPPORTED);
	teardown_sysfs();
}

TEST(numbers_of_subfunctions)
{
	uint32_t n = 5;

	setup_sysfs();
	EXPECT_EQ(doca_devinfo_get_sf_index(NULL, &n),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_sf_index(pci_card, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_sf_index(pci_card, &n),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_EQ(doca_devinfo_get_sf_index(software, &n),
		  DOCA_ERROR_NOT_SUPPORTED);
	logged();
	in_sysfs("echo none >class/infiniband/mlx5_0/device/sfnum");
	EXPECT_EQ(doca_devinfo_get_sf_index(pci_card, &n),
		  DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_EQ(n, 5);
	in_sysfs("echo 88 >class/infiniband/mlx5_0/device/sfnum");
	EXPECT_EQ(doca_devinfo_get_sf_index(pci_card, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 88);
	teardown_sysfs();
}

TEST(ibdev_name)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];

	setup();
	EXPECT_EQ(doca_devinfo_get_ibdev_name(NULL, name, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ibdev_name(rxe, NULL, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ibdev_name(rxe, name, sizeof(name) - 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ibdev_name(rxe, name, sizeof(name)),
		  DOCA_SUCCESS);
	EXPECT_STR(name, "rxe0");
	EXPECT_EQ(doca_devinfo_get_ibdev_name(software, name, sizeof(name)),
		  DOCA_SUCCESS);
	EXPECT_STR(name, "software");
	teardown();
}

TEST(engine)
{
	char name[OPEN_DOCA_ENGINE_NAME_SIZE];

	setup();
	EXPECT_EQ(open_doca_devinfo_get_engine(NULL, name, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(open_doca_devinfo_get_engine(rxe, NULL, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(open_doca_devinfo_get_engine(rxe, name, sizeof(name) - 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(open_doca_devinfo_get_engine(rxe, name, sizeof(name)),
		  DOCA_SUCCESS);
	EXPECT_STR(name, "0000:6a:01.0");
	EXPECT_EQ(open_doca_devinfo_get_engine(software, name, sizeof(name)),
		  DOCA_SUCCESS);
	EXPECT_STR(name, "");
	teardown();
}

TEST(iface_name)
{
	char name[DOCA_DEVINFO_IFACE_NAME_SIZE];

	setup();
	EXPECT_EQ(doca_devinfo_get_iface_name(NULL, name, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_iface_name(rxe, NULL, sizeof(name)),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_iface_name(rxe, name, sizeof(name) - 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_iface_name(rxe, name, sizeof(name)),
		  DOCA_SUCCESS);
	EXPECT_STR(name, "eth0");
	EXPECT_EQ(doca_devinfo_get_iface_name(software, name, sizeof(name)),
		  DOCA_ERROR_OPERATING_SYSTEM);
	net.find_err = -ENODEV;
	logged();
	EXPECT_EQ(doca_devinfo_get_iface_name(rxe, name, sizeof(name)),
		  DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_SILENT();
	teardown();
}

TEST(ip_addresses)
{
	uint8_t v4[4], v6[16];

	setup();
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(NULL, v4, 4),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(rxe, NULL, 4),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(rxe, v4, 3),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(rxe, v4, 4), DOCA_SUCCESS);
	EXPECT_EQ(v4[3], 2); /* AF_INET */
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(NULL, v6, 16),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(rxe, NULL, 16),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(rxe, v6, 15),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(rxe, v6, 16), DOCA_SUCCESS);
	EXPECT_EQ(v6[15], 10); /* AF_INET6 */
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(software, v4, 4),
		  DOCA_ERROR_OPERATING_SYSTEM);
	net.addr_err = -ENOENT;
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(rxe, v4, 4),
		  DOCA_ERROR_OPERATING_SYSTEM);
	logged();
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(rxe, v6, 16),
		  DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_SILENT();
	teardown();
}

TEST(mac_address)
{
	uint8_t mac[6];

	setup();
	EXPECT_EQ(doca_devinfo_get_mac_addr(NULL, mac, 6),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_mac_addr(rxe, NULL, 6),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_mac_addr(rxe, mac, 5),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_mac_addr(rxe, mac, 6), DOCA_SUCCESS);
	EXPECT_EQ(mac[5], 0xa);
	EXPECT_EQ(doca_devinfo_get_mac_addr(software, mac, 6),
		  DOCA_ERROR_NOT_SUPPORTED);
	net.mac_err = -ENOENT;
	EXPECT_EQ(doca_devinfo_get_mac_addr(rxe, mac, 6),
		  DOCA_ERROR_NOT_SUPPORTED);
	teardown();
}

TEST(lid_and_rate)
{
	uint64_t rate;
	uint16_t lid;

	setup();
	net.port = (struct verbs_port){ true, 12, 100000000000 };
	EXPECT_EQ(doca_devinfo_get_lid(NULL, &lid), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_lid(rxe, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_lid(rxe, &lid), DOCA_SUCCESS);
	EXPECT_EQ(lid, 12);
	EXPECT_EQ(doca_devinfo_get_active_rate(NULL, &rate),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_active_rate(rxe, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_active_rate(rxe, &rate), DOCA_SUCCESS);
	EXPECT_EQ(rate, 100000000000);
	EXPECT_EQ(doca_devinfo_get_lid(software, &lid),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_EQ(doca_devinfo_get_active_rate(software, &rate),
		  DOCA_ERROR_NOT_SUPPORTED);
	net.port.infiniband = false;
	logged();
	EXPECT_EQ(doca_devinfo_get_lid(rxe, &lid), DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_SILENT();
	net.port_err = -EIO;
	EXPECT_EQ(doca_devinfo_get_lid(rxe, &lid), DOCA_ERROR_DRIVER);
	EXPECT_LOGGED("rxe0");
	EXPECT_EQ(doca_devinfo_get_active_rate(rxe, &rate), DOCA_ERROR_DRIVER);
	EXPECT_LOGGED("rxe0");
	teardown();
}

TEST(pci_address_is_that_of_the_device_or_of_its_interface)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	setup();
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(NULL, pci),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(rxe, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(pci_card, pci), DOCA_SUCCESS);
	EXPECT_STR(pci, "0000:3A:00.1");
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(rxe, pci), DOCA_SUCCESS);
	EXPECT_STR(pci, "0000:03:00.0");
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(software, pci),
		  DOCA_ERROR_OPERATING_SYSTEM);
	net.pci_err = -ENOENT;
	logged();
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(rxe, pci),
		  DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_SILENT();
	teardown();
}

static int equal(const struct doca_devinfo *info, const char *pci)
{
	uint8_t is_equal = 2;

	EXPECT_EQ(doca_devinfo_is_equal_pci_addr(info, pci, &is_equal),
		  DOCA_SUCCESS);
	return is_equal;
}

TEST(pci_addresses_are_compared_in_two_forms)
{
	static const char *const bad[] = {
		"",
		"3a:00",
		"3a:00.1 ",
		"3a:00.g",
		"a:00.1",
		"3a.00.1",
		"0000:3a:00.",
		"00000:3a:00.1",
		"00003a:00.1",
		"0000:3a:00.11",
		"0x00:3a:00.1",
	};
	uint8_t is_equal;
	size_t i;

	setup();
	EXPECT_EQ(equal(pci_card, "3a:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "3A:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "0000:3a:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "0001:3a:00.1"), 0);
	EXPECT_EQ(equal(pci_card, "3a:00.0"), 0);
	EXPECT_EQ(equal(rxe, "03:00.0"), 1);
	EXPECT_EQ(equal(software, "03:00.0"), 0);
	net.find_err = -ENODEV;
	EXPECT_EQ(equal(rxe, "03:00.0"), 0);
	net.find_err = 0;
	net.pci_err = -ENOENT;
	EXPECT_EQ(equal(rxe, "03:00.0"), 0);
	net.pci_err = -ENOMEM;
	EXPECT_EQ(doca_devinfo_is_equal_pci_addr(rxe, "03:00.0", &is_equal),
		  DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_EQ(doca_devinfo_is_equal_pci_addr(NULL, "03:00.0", &is_equal),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_is_equal_pci_addr(rxe, NULL, &is_equal),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_is_equal_pci_addr(rxe, "03:00.0", NULL),
		  DOCA_ERROR_INVALID_VALUE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		EXPECT_EQ(doca_devinfo_is_equal_pci_addr(pci_card, bad[i],
							 &is_equal),
			  DOCA_ERROR_INVALID_VALUE);
	teardown();
}

TEST(capabilities)
{
	uint16_t vhca;
	uint8_t cap;

	setup();
#define NOT_CAPABLE(fn)                                              \
	do {                                                         \
		cap = 2;                                             \
		EXPECT_EQ(fn(NULL, &cap), DOCA_ERROR_INVALID_VALUE); \
		EXPECT_EQ(fn(rxe, NULL), DOCA_ERROR_INVALID_VALUE);  \
		EXPECT_EQ(fn(rxe, &cap), DOCA_SUCCESS);              \
		EXPECT_EQ(cap, 0);                                   \
	} while (0)
	NOT_CAPABLE(doca_devinfo_cap_is_hotplug_manager_supported);
	NOT_CAPABLE(doca_devinfo_cap_is_notification_moderation_supported);
	NOT_CAPABLE(doca_devinfo_cap_is_accelerate_resource_reclaim_supported);
#undef NOT_CAPABLE
	EXPECT_EQ(doca_devinfo_get_vhca_id(NULL, &vhca),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_vhca_id(rxe, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_devinfo_get_vhca_id(rxe, &vhca),
		  DOCA_ERROR_NOT_SUPPORTED);
	teardown();
}
