// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The list of devices and their properties, with fake answers; opening, closing, and references. */
#include "ktap.h"
#include "fake_net.h"
#include "core/driver/driver_choice.h"
#include "fake_driver.h"
#include "fault.h"
#include "logged.h"
#include "core/driver/pci.h"
#include "target_bed.h"

static struct doca_devinfo **list;
static const struct doca_devinfo *pci_card, *rxe;
static struct doca_devinfo *software;

static void setup(void)
{
	uint32_t n;

	fake_reset(false);
	fake_net_reset();
	if (doca_devinfo_create_list(&list, &n) || n != 3)
		abort();
	pci_card = list[0];
	rxe = list[1];
	software = list[2];
}

static void teardown(void)
{
	OK(doca_devinfo_destroy_list(list));
	EXPECT_CLEAN();
}

TEST(list_without_memory)
{
	uint32_t n;

	fake_reset(false);
	fake_net_reset();
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_create_list(&list, &n), NO_MEMORY, teardown());
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

/* Without the module it is empty; devices that were found earlier stay. */
TEST(list_that_is_empty_or_cannot_be_had_says_why)
{
	static const struct {
		int get_error, list_err;
		doca_error_t res;
		const char *why;
	} cases[] = {
		{ -EACCES, 0, DOCA_SUCCESS,
		  "no devices: no permission to open /dev/doca; join the "
		  "group doca, or set DOCA_DRIVER=process" },
		{ -ENOENT, 0, DOCA_SUCCESS, "modprobe doca" },
		{ 0, -ENOENT, DOCA_SUCCESS, "modprobe doca" },
		{ -DRIVER_WORD_ERROR, 0, DOCA_ERROR_NOT_CONNECTED,
		  "cannot list devices: DOCA_DRIVER is none of" },
		{ 0, -ENOMEM, DOCA_ERROR_NO_MEMORY, "cannot list devices" },
		{ 0, -EIO, DOCA_ERROR_NOT_FOUND, "cannot list devices" },
		{ -EMFILE, 0, DOCA_ERROR_NOT_FOUND, "the process has too many files open" },
		{ -ENFILE, 0, DOCA_ERROR_NOT_FOUND, "the machine has too many files open" },
		{ -ENOMEM, 0, DOCA_ERROR_NO_MEMORY, "Cannot allocate memory" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t n = 5;

		fake_reset(false);
		fake_net_reset();
		list = NULL;
		fake.get_error = cases[i].get_error;
		net.list_err = cases[i].list_err;
		EXPECT_EQ(doca_devinfo_create_list(&list, &n), cases[i].res);
		EXPECT_LOGGED(cases[i].why);
		EXPECT_EQ(n, cases[i].res ? 5 : 0);
		EXPECT_EQ(!list, !!cases[i].res);
		if (list)
			teardown();
		EXPECT_CLEAN();
	}
}

/* One alias for each name, and none for a name that a device has. */
TEST(devices_that_only_targets_name_are_the_software_device)
{
	uint32_t n = 0;

	set_up_targets();
	write_target("a.json", TARGET("1", "any", ""));
	write_target("b.json", TARGET("2", "rxe0", ""));
	write_target("c.json", TARGET("3", "mlx5_7", ""));
	write_target("d.json", TARGET("4", "mlx5_7", ""));
	fake_reset(false);
	fake_net_reset();
	ASSERT(doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS);
	EXPECT_EQ(n, 4);
	EXPECT_STR(list[2]->name, "software");
	EXPECT_STR(list[3]->name, "mlx5_7");
	EXPECT_EQ(list[3]->id, list[2]->id);
	EXPECT(!list[4]);
	teardown();
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_create_list(&list, &n), NO_MEMORY, teardown());
	logged();
	tear_down_targets();
}

/* A fake sysfs, with a device on a subfunction if there is a number. */
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
	OK(doca_devinfo_get_pci_func_type(pci_card, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	in_sysfs("ln -s ../0000:03:00.0 bus/pci/devices/0000:3A:00.1/physfn");
	OK(doca_devinfo_get_pci_func_type(pci_card, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_VF);
	in_sysfs("echo 88 >class/infiniband/mlx5_0/device/sfnum");
	OK(doca_devinfo_get_pci_func_type(pci_card, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_SF);

	/* The interface's type. */
	OK(doca_devinfo_get_pci_func_type(rxe, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	netdev_fails.pci_err = -ENOENT;
	ERR(doca_devinfo_get_pci_func_type(rxe, &type), NOT_SUPPORTED);
	ERR(doca_devinfo_get_pci_func_type(software, &type), NOT_SUPPORTED);
	/* The machine's device at a made-up address does not matter. */
	strcpy(software->pci, "0000:3A:00.1");
	OK(doca_devinfo_get_pci_func_type(software, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	teardown_sysfs();
}

TEST(numbers_of_subfunctions)
{
	uint32_t n = 5;

	setup_sysfs();
	ERR(doca_devinfo_get_sf_index(pci_card, &n), NOT_SUPPORTED);
	ERR(doca_devinfo_get_sf_index(software, &n), NOT_SUPPORTED);
	logged();
	in_sysfs("echo none >class/infiniband/mlx5_0/device/sfnum");
	ERR(doca_devinfo_get_sf_index(pci_card, &n), OPERATING_SYSTEM);
	EXPECT_EQ(n, 5);
	in_sysfs("echo 88 >class/infiniband/mlx5_0/device/sfnum");
	OK(doca_devinfo_get_sf_index(pci_card, &n));
	EXPECT_EQ(n, 88);
	teardown_sysfs();
}

TEST(names)
{
	char name[OPEN_DOCA_ENGINE_NAME_SIZE + DOCA_DEVINFO_IBDEV_NAME_SIZE +
		  DOCA_DEVINFO_IFACE_NAME_SIZE];

	setup();
	ERR(doca_devinfo_get_ibdev_name(rxe, name, DOCA_DEVINFO_IBDEV_NAME_SIZE - 1),
	    INVALID_VALUE);
	OK(doca_devinfo_get_ibdev_name(rxe, name, sizeof(name)));
	EXPECT_STR(name, "rxe0");
	OK(doca_devinfo_get_ibdev_name(software, name, sizeof(name)));
	EXPECT_STR(name, "software");

	ERR(open_doca_devinfo_get_engine(rxe, name, OPEN_DOCA_ENGINE_NAME_SIZE - 1), INVALID_VALUE);
	OK(open_doca_devinfo_get_engine(rxe, name, sizeof(name)));
	EXPECT_STR(name, "0000:6a:01.0");
	OK(open_doca_devinfo_get_engine(software, name, sizeof(name)));
	EXPECT_STR(name, "");

	ERR(doca_devinfo_get_iface_name(rxe, name, DOCA_DEVINFO_IFACE_NAME_SIZE - 1),
	    INVALID_VALUE);
	OK(doca_devinfo_get_iface_name(rxe, name, sizeof(name)));
	EXPECT_STR(name, "eth0");
	ERR(doca_devinfo_get_iface_name(software, name, sizeof(name)), OPERATING_SYSTEM);
	netdev_fails.find_err = -ENODEV;
	logged();
	ERR(doca_devinfo_get_iface_name(rxe, name, sizeof(name)), OPERATING_SYSTEM);
	EXPECT_SILENT();
	teardown();
}

TEST(addresses)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint8_t v4[4], v6[16], mac[6];

	setup();
	ERR(doca_devinfo_get_ipv4_addr(rxe, v4, 3), INVALID_VALUE);
	OK(doca_devinfo_get_ipv4_addr(rxe, v4, 4));
	EXPECT_EQ(v4[3], 2); /* the last byte is AF_INET */
	ERR(doca_devinfo_get_ipv6_addr(rxe, v6, 15), INVALID_VALUE);
	OK(doca_devinfo_get_ipv6_addr(rxe, v6, 16));
	EXPECT_EQ(v6[15], 10); /* the last byte is AF_INET6 */
	ERR(doca_devinfo_get_ipv4_addr(software, v4, 4), OPERATING_SYSTEM);
	netdev_fails.addr_err = -ENOENT;
	ERR(doca_devinfo_get_ipv4_addr(rxe, v4, 4), OPERATING_SYSTEM);
	logged();
	ERR(doca_devinfo_get_ipv6_addr(rxe, v6, 16), OPERATING_SYSTEM);
	EXPECT_SILENT();
	ERR(doca_devinfo_get_mac_addr(rxe, mac, 5), INVALID_VALUE);
	OK(doca_devinfo_get_mac_addr(rxe, mac, 6));
	EXPECT_EQ(mac[5], 0xa);
	ERR(doca_devinfo_get_mac_addr(software, mac, 6), NOT_SUPPORTED);
	netdev_fails.mac_err = -ENOENT;
	ERR(doca_devinfo_get_mac_addr(rxe, mac, 6), NOT_SUPPORTED);
	OK(doca_devinfo_get_pci_addr_str(pci_card, pci));
	EXPECT_STR(pci, "0000:3A:00.1");
	OK(doca_devinfo_get_pci_addr_str(rxe, pci));
	EXPECT_STR(pci, "0000:03:00.0");
	ERR(doca_devinfo_get_pci_addr_str(software, pci), OPERATING_SYSTEM);
	netdev_fails.pci_err = -ENOENT;
	logged();
	ERR(doca_devinfo_get_pci_addr_str(rxe, pci), OPERATING_SYSTEM);
	EXPECT_SILENT();
	teardown();
}

/* The interface is @name, or there is none. */
static void has_iface(const char *name, bool is_real)
{
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE], pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint8_t v4[4], v6[16], mac[6];

	EXPECT_EQ(doca_devinfo_get_iface_name(software, text, sizeof(text)),
		  *name ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
	if (*name)
		EXPECT_STR(text, name);
	EXPECT_EQ(doca_devinfo_get_mac_addr(software, mac, 6),
		  is_real ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_EQ(doca_devinfo_get_ipv4_addr(software, v4, 4),
		  is_real ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_EQ(doca_devinfo_get_ipv6_addr(software, v6, 16),
		  is_real ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
	EXPECT_EQ(doca_devinfo_get_pci_addr_str(software, pci),
		  is_real ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
}

TEST(a_device_in_software_has_the_interface_that_is_named)
{
	setup();
	strcpy(software->iface, "veth0");
	has_iface("veth0", true);
	/* It disappears, and comes back. */
	netdev_fails.named_err = -ENODEV;
	has_iface("veth0", false);
	netdev_fails.named_err = 0;
	has_iface("veth0", true);
	teardown();
}

TEST(a_name_that_is_made_up_is_of_no_interface)
{
	setup();
	strcpy(software->iface, "p0");
	software->iface_made_up = true;
	netdev_fails.named_err = -ENODEV;
	has_iface("p0", false);
	/* If an interface has the name, the name is that interface's alone. */
	netdev_fails.named_err = 0;
	logged();
	has_iface("", false);
	EXPECT_SILENT();
	teardown();
}

TEST(lid_and_rate)
{
	uint64_t rate;
	uint16_t lid;

	setup();
	net.port = (struct verbs_port){ true, 12, 100000000000 };
	OK(doca_devinfo_get_lid(rxe, &lid));
	EXPECT_EQ(lid, 12);
	OK(doca_devinfo_get_active_rate(rxe, &rate));
	EXPECT_EQ(rate, 100000000000);
	ERR(doca_devinfo_get_lid(software, &lid), NOT_SUPPORTED);
	ERR(doca_devinfo_get_active_rate(software, &rate), NOT_SUPPORTED);
	EXPECT_STR(net.asked, "rxe0");
	net.renamed = "rxe_new";
	OK(doca_devinfo_get_lid(rxe, &lid));
	EXPECT_STR(net.asked, "rxe_new");
	net.port.infiniband = false;
	logged();
	ERR(doca_devinfo_get_lid(rxe, &lid), NOT_SUPPORTED);
	EXPECT_SILENT();
	net.port_err = -EIO;
	FAILS(doca_devinfo_get_lid(rxe, &lid), DRIVER, "rxe0");
	FAILS(doca_devinfo_get_active_rate(rxe, &rate), DRIVER, "rxe0");
	teardown();
}

static int equal(const struct doca_devinfo *info, const char *pci)
{
	uint8_t is_equal = 2;

	OK(doca_devinfo_is_equal_pci_addr(info, pci, &is_equal));
	return is_equal;
}

TEST(pci_addresses_are_compared_in_two_forms)
{
	static const char *const bad[] = { "",
					   "3a:00",
					   "3a:00.1 ",
					   "3a:00.g",
					   "a:00.1",
					   "3a.00.1",
					   "0000:3a:00.",
					   "00000:3a:00.1",
					   "00003a:00.1",
					   "0000:3a:00.11",
					   "0x00:3a:00.1" };
	uint8_t is_equal;

	setup();
	EXPECT_EQ(equal(pci_card, "3a:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "3A:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "0000:3a:00.1"), 1);
	EXPECT_EQ(equal(pci_card, "0001:3a:00.1"), 0);
	EXPECT_EQ(equal(pci_card, "3a:00.0"), 0);
	EXPECT_EQ(equal(rxe, "03:00.0"), 1);
	EXPECT_EQ(equal(software, "03:00.0"), 0);
	netdev_fails.find_err = -ENODEV;
	EXPECT_EQ(equal(rxe, "03:00.0"), 0);
	netdev_fails.find_err = 0;
	netdev_fails.pci_err = -ENOENT;
	EXPECT_EQ(equal(rxe, "03:00.0"), 0);
	netdev_fails.pci_err = -ENOMEM;
	ERR(doca_devinfo_is_equal_pci_addr(rxe, "03:00.0", &is_equal), OPERATING_SYSTEM);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ERR(doca_devinfo_is_equal_pci_addr(pci_card, bad[i], &is_equal), INVALID_VALUE);
	teardown();
}

TEST(capabilities)
{
	uint16_t vhca;
	uint8_t cap;

	setup();
#define NOT_CAPABLE(fn)            \
	do {                       \
		cap = 2;           \
		OK(fn(rxe, &cap)); \
		EXPECT_EQ(cap, 0); \
	} while (0)
	NOT_CAPABLE(doca_devinfo_cap_is_hotplug_manager_supported);
	NOT_CAPABLE(doca_devinfo_cap_is_notification_moderation_supported);
	NOT_CAPABLE(doca_devinfo_cap_is_accelerate_resource_reclaim_supported);
#undef NOT_CAPABLE
	ERR(doca_devinfo_get_vhca_id(rxe, &vhca), NOT_SUPPORTED);
	teardown();
}

static struct doca_devinfo an_rxe(uint32_t id)
{
	struct doca_devinfo info = { .id = id, .type = DOCA_DEV_RDMA };

	strcpy(info.name, "rxe0");
	return info;
}

TEST(open_without_driver_says_why)
{
	static const struct refusal cases[] = {
		{ -ENOENT, DOCA_ERROR_NOT_CONNECTED,
		  "cannot open rxe0: the module is not loaded; load it with modprobe doca" },
		{ -EACCES, DOCA_ERROR_NOT_CONNECTED, "join the group doca" },
		{ -EPROTO, DOCA_ERROR_NOT_CONNECTED, "different versions" },
		{ -EDQUOT, DOCA_ERROR_NOT_CONNECTED, "parameter of the doca module" },
		{ -EMFILE, DOCA_ERROR_NOT_CONNECTED, "the process has too many files open" },
	};
	struct doca_devinfo one = an_rxe(1);
	struct doca_dev *dev;

	fake_reset(false);
	EXPECT_REFUSALS(cases, fake.get_error, fake_open(&one, &dev));
	EXPECT_CLEAN();
}

TEST(open_without_memory)
{
	struct doca_devinfo one = an_rxe(1);
	struct doca_dev *dev;

	fake_reset(false);
	EXPECT_FAULTS(FAULT_ALLOC, fake_open(&one, &dev), NO_MEMORY, OK(doca_dev_close(dev)));
	EXPECT_CLEAN();
}

TEST(open_of_a_removed_device_is_not_connected)
{
	struct doca_devinfo one = an_rxe(1);
	struct doca_dev *dev;

	fake_reset(false);
	fake.check_error = -ENODEV;
	FAILS(fake_open(&one, &dev), NOT_CONNECTED, "cannot open rxe0: it was removed");
	EXPECT_CLEAN();
}

TEST(same_device_is_same_object)
{
	struct doca_devinfo one = an_rxe(1), again = an_rxe(1), two = an_rxe(2);
	struct doca_dev *a, *b, *c;

	fake_reset(false);
	OK(fake_open(&one, &a));
	OK(fake_open(&again, &b));
	OK(fake_open(&two, &c));
	EXPECT(a == b);
	EXPECT(a != c);
	EXPECT_EQ(doca_priv_dev_id(a), 1);
	EXPECT_EQ(doca_priv_dev_id(c), 2);
	EXPECT_EQ(fake.refs, 2);
	OK(doca_dev_close(a));
	EXPECT_EQ(fake.refs, 2);
	OK(doca_dev_close(b));
	EXPECT_EQ(fake.refs, 1);
	OK(doca_dev_close(c));
	EXPECT_CLEAN();
}

TEST(devinfo_is_valid_while_open)
{
	struct doca_devinfo *list = malloc(sizeof(*list));
	struct doca_dev *dev;

	fake_reset(false);
	ASSERT(list);
	*list = an_rxe(3);
	OK(fake_open(list, &dev));
	free(list);
	ASSERT(doca_dev_as_devinfo(dev));
	EXPECT_EQ(doca_priv_devinfo_id(doca_dev_as_devinfo(dev)), 3);
	EXPECT_STR(doca_dev_as_devinfo(dev)->name, "rxe0");
	OK(doca_dev_close(dev));
	EXPECT_CLEAN();
}

TEST(close_of_null_succeeds)
{
	OK(doca_dev_close(NULL));
}

TEST(closed_device_lives_while_the_library_uses_it)
{
	struct doca_devinfo one = an_rxe(1);
	struct doca_dev *dev;

	fake_reset(false);
	OK(fake_open(&one, &dev));
	EXPECT(doca_priv_dev_get(dev) == dev);
	OK(doca_dev_close(dev));
	EXPECT_EQ(fake.refs, 1);
	FAILS(doca_dev_close(dev), IN_USE, "rxe0 is closed more often than it was opened");
	EXPECT_EQ(doca_priv_dev_id(dev), 1);
	doca_priv_dev_put(dev);
	doca_priv_dev_put(NULL);
	EXPECT_CLEAN();
}

TEST(child_of_a_fork_has_devices_of_its_own)
{
	struct doca_devinfo one = an_rxe(1);
	struct doca_dev *parents, *ours;

	fake_reset(false);
	OK(fake_open(&one, &parents));
	/* a fork does this to the driver in the child */
	driver_forks++;
	fake.refs = 0;
	EXPECT(!dev_alive(parents));
	EXPECT_LOGGED("rxe0 was opened before this process was forked");
	OK(fake_open(&one, &ours));
	EXPECT(dev_alive(ours));
	EXPECT(ours != parents);
	OK(doca_dev_close(parents));
	EXPECT_EQ(fake.refs, 1);
	OK(doca_dev_close(ours));
	EXPECT_CLEAN();
}

TEST(resource_reclaim_is_not_supported)
{
	struct doca_dev *dev;

	fake_reset(false);
	dev = fake_new_dev(1);
	ASSERT(dev);
	FAILS(doca_dev_accelerate_resource_reclaim(dev), NOT_SUPPORTED, "fake1");
	OK(doca_dev_close(dev));
}
