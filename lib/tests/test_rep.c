// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Representors: targets beside a device. */
#include <errno.h>
#include <sys/resource.h>

#include "ktap.h"
#include "fake_net.h"
#include "fake_driver.h"
#include "fault.h"
#include "logged.h"
#include "core/device/rep.h"
#include "target_bed.h"

static struct doca_dev *dev;
static struct doca_devinfo_rep **list;
static uint32_t n;

static void setup(void)
{
	fake_reset(false);
	fake_net_reset();
	set_up_targets();
	dev = fake_new_dev(7);
	if (!dev)
		abort();
}

static void teardown(void)
{
	OK(doca_dev_close(dev));
	EXPECT_CLEAN();
	tear_down_targets();
}

static uint32_t nr_reps(int filter)
{
	n = 99;
	OK(doca_devinfo_rep_create_list(dev, filter, &list, &n));
	EXPECT(n == 99 || !list[n]);
	return n;
}

TEST(targets_are_listed_of_their_device)
{
	setup();
	write_target("a.json", TARGET("1", "any", ""));
	write_target("b.json", TARGET("2", "fake7", ""));
	write_target("c.json", TARGET("3", "fake8", ""));
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_NET), 2);
	EXPECT_STR(list[0]->vuid, "1");
	EXPECT_STR(list[1]->vuid, "2");
	OK(doca_devinfo_rep_destroy_list(list));
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_ALL), 2);
	OK(doca_devinfo_rep_destroy_list(list));
	EXPECT_SILENT();
	teardown();
}

/* The fake devices are mlx5_0, rxe0 and the software device, which has id 1. */
TEST(targets_of_no_device_are_the_software_device_s)
{
	setup();
	write_target("a.json", TARGET("1", "mlx5_7", ""));
	write_target("b.json", TARGET("2", "mlx5_0", ""));
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_NET), 1);
	EXPECT_STR(list[0]->vuid, "2");
	OK(doca_devinfo_rep_destroy_list(list));
	OK(doca_dev_close(dev));
	dev = fake_new_dev(1);
	ASSERT(dev);
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_NET), 1);
	EXPECT_STR(list[0]->vuid, "1");
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

/* Programs without interest in targets get no messages about them. */
TEST(a_bad_target_is_a_matter_of_representors_alone)
{
	struct doca_devinfo **devices;

	setup();
	write_target("a.json", "{");
	OK(doca_devinfo_create_list(&devices, &n));
	EXPECT_SILENT();
	OK(doca_devinfo_destroy_list(devices));
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_NET), 0);
	EXPECT_LOGGED("a.json: it is empty, or ends too early");
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

TEST(the_first_of_a_vuid_is_listed)
{
	setup();
	write_target("b.json", TARGET("1", "any", ""));
	write_target("a.json", TARGET("1", "fake7", ""));
	EXPECT_EQ(nr_reps(DOCA_DEVINFO_REP_FILTER_NET), 1);
	EXPECT_LOGGED("target b is left out: there is another");
	EXPECT_STR(list[0]->target->name, "a");
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

TEST(lists_take_no_unknown_filter)
{
	setup();
	ERR(doca_devinfo_rep_create_list(dev, 1, &list, &n), INVALID_VALUE);
	FAILS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_EMULATED, &list, &n),
	      NOT_SUPPORTED, "fake7 has no emulated functions");
	teardown();
}

TEST(lists_without_file_descriptors)
{
	struct rlimit old, none;

	setup();
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 0;
	logged();
	setrlimit(RLIMIT_NOFILE, &none);
	ERR(doca_devinfo_rep_create_list(dev, 0, &list, &n), OPERATING_SYSTEM);
	setrlimit(RLIMIT_NOFILE, &old);
	EXPECT_LOGGED("(EMFILE)");
	teardown();
}

static struct doca_devinfo_rep *one(void)
{
	write_target("a.json", TARGET(VUID, "any", ""));
	return nr_reps(DOCA_DEVINFO_REP_FILTER_NET) == 1 ? list[0] : NULL;
}

TEST(an_open_representor_outlives_its_list_and_device)
{
	char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
	struct doca_devinfo_rep *info;
	struct doca_dev_rep *rep;

	setup();
	info = one();
	ASSERT(info);
	EXPECT_FAULTS(FAULT_ALLOC, doca_dev_rep_open(info, &rep), NO_MEMORY,
		      OK(doca_dev_rep_close(rep)));
	OK(doca_dev_rep_open(info, &rep));
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
	OK(doca_devinfo_rep_get_vuid(doca_dev_rep_as_devinfo(rep), vuid, sizeof(vuid)));
	EXPECT_STR(vuid, VUID);
	EXPECT_STR(doca_priv_rep_target(rep)->file.path, "/dev/shm/vm");
	OK(doca_dev_rep_close(rep));
}

TEST(properties_of_targets)
{
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
	enum doca_pci_func_type type;
	struct doca_devinfo_rep *info;
	uint16_t vhca;
	uint8_t u8;

	setup();
	info = one();
	ASSERT(info);
	ERR(doca_devinfo_rep_get_vuid(info, text, 127), INVALID_VALUE);
	OK(doca_devinfo_rep_get_vuid(info, text, 128));
	EXPECT_STR(text, VUID);
	OK(doca_devinfo_rep_get_pci_addr_str(info, text));
	EXPECT_STR(text, "");
	ERR(doca_devinfo_rep_is_equal_pci_addr(info, "", &u8), INVALID_VALUE);
	u8 = 2;
	OK(doca_devinfo_rep_is_equal_pci_addr(info, "03:00.0", &u8));
	EXPECT_EQ(u8, 0);
	OK(doca_devinfo_rep_get_pci_func_type(info, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	u8 = 2;
	OK(doca_devinfo_rep_get_is_hotplug(info, &u8));
	EXPECT_EQ(u8, 0);
	ERR(doca_devinfo_rep_get_iface_name(info, text, 1), INVALID_VALUE);
	logged();
	ERR(doca_devinfo_rep_get_iface_name(info, text, sizeof(text)), NOT_SUPPORTED);
	ERR(doca_devinfo_rep_get_vhca_id(info, &vhca), NOT_SUPPORTED);
	EXPECT_SILENT();
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

/* Device 7 is paired with rxe0, and device 9, which is rxe0, with the software device. */
static const struct driver_function functions[] = {
	{ .id = 3, .dpu = 7, .host = 9, .vuid = "OPENDOCA-pair0" },
	{ .id = 4, .dpu = 9, .host = 1, .vuid = "OPENDOCA-pair1" },
};

static void have_functions(uint32_t nr)
{
	fake.functions = functions;
	fake.nr_functions = nr;
}

static void expect_function(const struct doca_devinfo_rep *info, const char *vuid, const char *pci,
			    const char *iface)
{
	char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
	enum doca_pci_func_type type;
	uint16_t vhca;
	uint8_t u8;

	OK(doca_devinfo_rep_get_vuid(info, text, sizeof(text)));
	EXPECT_STR(text, vuid);
	OK(doca_devinfo_rep_get_pci_addr_str(info, text));
	EXPECT_STR(text, pci);
	OK(doca_devinfo_rep_is_equal_pci_addr(info, "03:00.0", &u8));
	EXPECT_EQ(u8, *pci != '\0');
	OK(doca_devinfo_rep_is_equal_pci_addr(info, "0000:b1:00.0", &u8));
	EXPECT_EQ(u8, 0);
	ERR(doca_devinfo_rep_is_equal_pci_addr(info, "", &u8), INVALID_VALUE);
	OK(doca_devinfo_rep_get_pci_func_type(info, &type));
	EXPECT_EQ(type, DOCA_PCI_FUNC_TYPE_PF);
	OK(doca_devinfo_rep_get_is_hotplug(info, &u8));
	EXPECT_EQ(u8, 0);
	ERR(doca_devinfo_rep_get_vhca_id(info, &vhca), NOT_SUPPORTED);
	if (!*iface) {
		ERR(doca_devinfo_rep_get_iface_name(info, text, sizeof(text)), NOT_SUPPORTED);
		return;
	}
	OK(doca_devinfo_rep_get_iface_name(info, text, sizeof(text)));
	EXPECT_STR(text, iface);
}

TEST(a_dpu_s_device_has_a_representor_of_the_host_s)
{
	static const int filters[] = { 0, DOCA_DEVINFO_REP_FILTER_ALL,
				       DOCA_DEVINFO_REP_FILTER_NET };
	struct doca_dev_rep *rep;
	uint8_t equal;

	setup();
	have_functions(2);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		ASSERT(nr_reps(filters[i]) == 1);
		expect_function(list[0], "OPENDOCA-pair0", "0000:03:00.0", "eth0");
		OK(doca_devinfo_rep_destroy_list(list));
	}
	ASSERT(nr_reps(0) == 1);
	OK(doca_dev_rep_open(list[0], &rep));
	OK(doca_devinfo_rep_destroy_list(list));
	/* It was removed, but the representor keeps its data. */
	have_functions(0);
	netdev_fails.find_err = -ENODEV;
	expect_function(doca_dev_rep_as_devinfo(rep), "OPENDOCA-pair0", "", "");
	EXPECT(!doca_priv_rep_target(rep));
	netdev_fails.find_err = 0;
	netdev_fails.pci_err = -ENOMEM;
	ERR(doca_devinfo_rep_is_equal_pci_addr(doca_dev_rep_as_devinfo(rep), "03:00.0", &equal),
	    OPERATING_SYSTEM);
	OK(doca_dev_rep_close(rep));
	EXPECT_EQ(nr_reps(0), 0);
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

TEST(a_host_s_device_has_none)
{
	setup();
	OK(doca_dev_close(dev));
	dev = fake_new_dev(9);
	ASSERT(dev);
	have_functions(1);
	EXPECT_EQ(nr_reps(0), 0);
	OK(doca_devinfo_rep_destroy_list(list));
	/* It may be on a DPU's side as well, for a device without an address. */
	have_functions(2);
	ASSERT(nr_reps(0) == 1);
	expect_function(list[0], "OPENDOCA-pair1", "", "");
	OK(doca_devinfo_rep_destroy_list(list));
	teardown();
}

TEST(functions_come_before_targets)
{
	setup();
	have_functions(1);
	write_target("a.json", TARGET("1", "any", ""));
	write_target("b.json", TARGET("OPENDOCA-pair0", "any", ""));
	logged();
	ASSERT(nr_reps(0) == 2);
	EXPECT_LOGGED("target b is left out: there is another");
	EXPECT_STR(list[0]->vuid, "OPENDOCA-pair0");
	EXPECT(!list[0]->target);
	EXPECT_STR(list[1]->vuid, "1");
	EXPECT_EQ(list[1]->function, 0);
	OK(doca_devinfo_rep_destroy_list(list));
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_rep_create_list(dev, 0, &list, &n), NO_MEMORY,
		      OK(doca_devinfo_rep_destroy_list(list)));
	teardown();
}

TEST(functions_that_cannot_be_listed_or_seen)
{
	static const struct driver_function unseen = { .id = 5, .dpu = 7, .host = 8, .vuid = "x" };

	setup();
	fake.functions = &unseen;
	fake.nr_functions = 1;
	EXPECT_EQ(nr_reps(0), 0);
	OK(doca_devinfo_rep_destroy_list(list));
	fake.functions_error = -EIO;
	FAILS(doca_devinfo_rep_create_list(dev, 0, &list, &n), OPERATING_SYSTEM,
	      "cannot list the pairs of fake7");
	teardown();
}

TEST(capabilities)
{
	const struct doca_devinfo *info;
	uint8_t cap;

	setup();
	info = doca_dev_as_devinfo(dev);
#define CAPABLE(fn, expected)             \
	do {                              \
		cap = 2;                  \
		OK(fn(info, &cap));       \
		EXPECT_EQ(cap, expected); \
	} while (0)
	CAPABLE(doca_devinfo_rep_cap_is_filter_all_supported, 1);
	CAPABLE(doca_devinfo_rep_cap_is_filter_net_supported, 1);
	CAPABLE(doca_devinfo_rep_cap_is_filter_emulated_supported, 0);
#undef CAPABLE
	teardown();
}
