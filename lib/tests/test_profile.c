// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The effect of a profile on software devices of the driver in the process. It is read
 * once, so each needs its own process.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_dev.h>

#include "core/base/text_file.h"
#include "core/device/dev.h"
#include "core/device/names.h"
#include "core/device/rep.h"
#include "core/driver/ibdevs.h"
#include "core/driver/pci.h"
#include "core/driver/profile.h"
#include "in_child.h"
#include "logged.h"

#define ENTRY(ibdev, pci, iface) \
	"{\"ibdev\": \"" ibdev "\", \"pci\": \"" pci "\", \"iface\": \"" iface "\"}"
#define DEVICES(...) "{\"profile\": 1, \"devices\": [" __VA_ARGS__ "]}"

static char path[] = "/tmp/test_profile.XXXXXX";

static void remove_profile(void)
{
	unlink(path);
}

static void write_profile(const char *text)
{
	int fd = mkstemp(path);
	size_t len = strlen(text);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len || close(fd) ||
	    setenv("DOCA_PROFILE", path, 1) || setenv("DOCA_DRIVER", "process", 1) ||
	    atexit(remove_profile))
		abort();
	ibdevs_nodes = "/nowhere";
	logged();
}

static int load_profile(void)
{
	struct profile_source source;

	profile_prepare(&source);
	return profile_load(&source);
}

/* Check the names of a device, "" for none. */
static void expect_device(struct doca_devinfo *info, const char *ibdev, const char *pci,
			  const char *iface)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	char address[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";
	char interface[DOCA_DEVINFO_IFACE_NAME_SIZE] = "";
	uint8_t equal = 0;

	EXPECT_EQ(doca_devinfo_get_ibdev_name(info, name, sizeof(name)), 0);
	EXPECT_STR(name, ibdev);
	doca_devinfo_get_pci_addr_str(info, address);
	EXPECT_STR(address, pci);
	doca_devinfo_get_iface_name(info, interface, sizeof(interface));
	EXPECT_STR(interface, iface);
	if (*pci) {
		EXPECT_EQ(doca_devinfo_is_equal_pci_addr(info, pci, &equal), 0);
		EXPECT_EQ(equal, 1);
	}
}

static void three_devices(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t nr;

	write_profile(DEVICES(ENTRY("mlx5_0", "0000:ca:00.0", "p0") "," ENTRY(
		"mlx5_1", "0000:ca:00.1", "p1") ", {\"iface\": \"en3f0pf0sf0\"}"));
	OK(doca_devinfo_create_list(&list, &nr));
	ASSERT(nr == 3);
	expect_device(list[0], "mlx5_0", "0000:ca:00.0", "p0");
	expect_device(list[1], "mlx5_1", "0000:ca:00.1", "p1");
	expect_device(list[2], "software2", "", "en3f0pf0sf0");
	OK(doca_dev_open(list[2], &dev));
	expect_device(doca_dev_as_devinfo(dev), "software2", "", "en3f0pf0sf0");
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
}

TEST(devices_have_the_names_of_the_profile)
{
	IN_CHILD(three_devices());
}

static void one_device(void)
{
	struct doca_devinfo **list;
	uint32_t nr;

	write_profile("{\"profile\": 1, \"name\": \"one\", \"devices\": [" ENTRY(
		"mlx5_0", "0000:CA:00.0", "p7") "]}");
	OK(doca_devinfo_create_list(&list, &nr));
	ASSERT(nr == 2);
	expect_device(list[0], "mlx5_0", "0000:CA:00.0", "p7");
	expect_device(list[1], "software1", "0000:b1:00.0", "p1");
	OK(doca_devinfo_destroy_list(list));
}

TEST(devices_that_it_does_not_name_keep_their_own)
{
	IN_CHILD(one_device());
}

/* A real interface has all properties. */
static void real_interface(void)
{
	static const uint8_t local[4] = { 127, 0, 0, 1 };
	struct doca_devinfo **list;
	uint8_t mac[6] = { 1 }, v4[4];
	doca_error_t ret;
	uint32_t nr;

	write_profile(DEVICES("{}, {\"iface\": \"lo\"}"));
	OK(doca_devinfo_create_list(&list, &nr));
	ASSERT(nr == 2);
	expect_device(list[0], "software", "0000:03:00.0", "p0");
	ERR(doca_devinfo_get_mac_addr(list[0], mac, 6), NOT_SUPPORTED);
	expect_device(list[1], "software1", "0000:b1:00.0", "lo");
	OK(doca_devinfo_get_mac_addr(list[1], mac, 6));
	EXPECT_EQ(mac[0] | mac[5], 0);
	ret = doca_devinfo_get_ipv4_addr(list[1], v4, 4);
	EXPECT(ret == DOCA_ERROR_OPERATING_SYSTEM || !memcmp(v4, local, 4));
	OK(doca_devinfo_destroy_list(list));
}

TEST(an_interface_that_it_names_is_the_device_s)
{
	IN_CHILD(real_interface());
}

/*
 * The in-process driver does not list the machine's RDMA devices: programs find their names,
 * but a device at an address is not DOCA's.
 */
static void unlisted(void)
{
	char sysfs[] = "/tmp/test_profile.XXXXXX", line[128];
	struct doca_devinfo **list;
	uint32_t nr;

	ASSERT(mkdtemp(sysfs));
	snprintf(line, sizeof(line),
		 "cd %s && mkdir -p class/infiniband/mlx5_0 bus/pci/devices/0000:ca:00.1/net",
		 sysfs);
	EXPECT_EQ(system(line), 0);
	pci_sysfs = sysfs;
	write_profile(DEVICES(
		ENTRY("mlx5_0", "0000:ca:00.0", "p0") "," ENTRY("mlx5_1", "0000:ca:00.1", "p1")));
	OK(doca_devinfo_create_list(&list, &nr));
	EXPECT_LOGGED("a device mlx5_0 or 0000:ca:00.0 of its own");
	ASSERT(nr == 2);
	EXPECT_STR(list[0]->name, "software");
	EXPECT_STR(list[1]->name, "mlx5_1");
	EXPECT_STR(list[1]->pci, "0000:ca:00.1");
	OK(doca_devinfo_destroy_list(list));
	snprintf(line, sizeof(line), "rm -r %s", sysfs);
	EXPECT_EQ(system(line), 0);
}

/* A device of the machine must not be taken for a software device. */
static void name_list(void)
{
	struct doca_devinfo infos[] = {
		{ .type = DOCA_DEV_RDMA, .name = "mlx5_0", .pci = "0000:cb:00.0" },
		{ .type = DOCA_DEV_SOFTWARE, .name = "software" },
		{ .type = DOCA_DEV_SOFTWARE, .name = "software1" },
	};
	uint32_t nr;

	write_profile(DEVICES(ENTRY("mlx5_0", "0000:ca:00.0", "p0") "," ENTRY(
		"mlx5_1", "0000:ca:00.1", "p1") "," ENTRY("mlx5_2", "0000:ca:00.2", "p2")));
	EXPECT_EQ(load_profile(), 0);
	profile_devices(&nr);
	EXPECT_EQ(nr, 3);
	logged();
	names_apply(infos, 3);
	EXPECT_STR(infos[0].name, "mlx5_0");
	EXPECT_STR(infos[1].name, "software");
	EXPECT_STR(infos[1].pci, "");
	EXPECT_STR(infos[2].name, "mlx5_1");
	EXPECT_LOGGED("a device mlx5_0 or 0000:ca:00.0 of its own");
	infos[0].name[0] = '\0';
	names_apply(infos, 2);
	EXPECT_STR(infos[1].name, "mlx5_0");
	EXPECT_SILENT();
}

/* One is at an address that the profile names, one was put there by an administrator. */
static void placed(void)
{
	struct doca_devinfo infos[] = {
		{ .type = DOCA_DEV_RDMA, .name = "rxe0", .pci = "0000:CA:00.0" },
		{ .type = DOCA_DEV_SOFTWARE, .name = "software" },
		{ .type = DOCA_DEV_SOFTWARE,
		  .name = "p-dpu",
		  .pci = "0000:ca:00.1",
		  .placed = true },
		{ .type = DOCA_DEV_SOFTWARE, .name = "software1" },
		{ .type = DOCA_DEV_SOFTWARE, .name = "software2" },
	};

	write_profile(DEVICES(ENTRY("mlx5_0", "0000:ca:00.0", "p0") "," ENTRY(
		"mlx5_1", "0000:ca:00.1", "p1") "," ENTRY("mlx5_2", "0000:ca:00.2", "p2")));
	EXPECT_EQ(load_profile(), 0);
	names_apply(infos, 5);
	EXPECT_STR(infos[1].name, "software");
	EXPECT_STR(infos[1].pci, "");
	EXPECT_STR(infos[2].name, "p-dpu");
	EXPECT_STR(infos[3].name, "software1");
	EXPECT_STR(infos[4].name, "mlx5_2");
	EXPECT_STR(infos[4].pci, "0000:ca:00.2");
}

static void too_many(void)
{
	struct doca_devinfo info = { .type = DOCA_DEV_SOFTWARE };

	write_profile(DEVICES(
		ENTRY("mlx5_0", "0000:ca:00.0", "p0") "," ENTRY("mlx5_1", "0000:ca:00.1", "p1")));
	EXPECT_EQ(load_profile(), 0);
	logged();
	names_apply(&info, 1);
	EXPECT_STR(info.name, "mlx5_0");
	EXPECT_LOGGED("names 2 devices, and there are 1 software devices");
}

TEST(devices_of_the_machine_keep_what_is_theirs)
{
	IN_CHILD(name_list());
	IN_CHILD(too_many());
	IN_CHILD(unlisted());
	IN_CHILD(placed());
}

/* Write for each device, in order, the name and VUID of the device it represents, or nothing. */
static void expect_pairs(const char *const (*expected)[2], uint32_t n)
{
	struct doca_devinfo_rep **reps;
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t nr, nr_reps;

	OK(doca_devinfo_create_list(&list, &nr));
	ASSERT(nr == n);
	for (uint32_t i = 0; i < n; i++) {
		OK(doca_dev_open(list[i], &dev));
		OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &reps, &nr_reps));
		EXPECT_EQ(nr_reps, expected[i][0] ? 1 : 0);
		if (nr_reps && expected[i][0]) {
			EXPECT_STR(reps[0]->host.name, expected[i][0]);
			EXPECT_STR(reps[0]->vuid, expected[i][1]);
		}
		OK(doca_devinfo_rep_destroy_list(reps));
		OK(doca_dev_close(dev));
	}
	OK(doca_devinfo_destroy_list(list));
}

static void no_profile(void)
{
	static const char *const pairs[][2] = { { "software1", "OPENDOCA-pair0" }, { 0 } };
	struct doca_devinfo_rep **reps;
	struct doca_devinfo **list;
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
	struct doca_dev *dev;
	uint32_t nr;

	write_profile("");
	setenv("DOCA_PROFILE", "", 1);
	expect_pairs(pairs, 2);
	/* The driver was closed and opened again: the pair is the same. */
	expect_pairs(pairs, 2);
	OK(doca_devinfo_create_list(&list, &nr));
	OK(doca_dev_open(list[0], &dev));
	OK(doca_devinfo_rep_create_list(dev, 0, &reps, &nr));
	ASSERT(nr == 1);
	OK(doca_devinfo_rep_get_pci_addr_str(reps[0], pci));
	EXPECT_STR(pci, "0000:b1:00.0");
	OK(doca_devinfo_rep_get_iface_name(reps[0], iface, sizeof(iface)));
	EXPECT_STR(iface, "p1");
	OK(doca_devinfo_rep_destroy_list(reps));
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
}

static void first_two(void)
{
	static const char *const pairs[][2] = { { "b", "OPENDOCA-pair0" }, { 0 }, { 0 } };

	write_profile(DEVICES("{\"ibdev\": \"a\"}, {\"ibdev\": \"b\"}, {\"ibdev\": \"c\"}"));
	expect_pairs(pairs, 3);
}

#define PAIRS(...)                                                                          \
	"{\"profile\": 1, \"pairs\": [" __VA_ARGS__ "], \"devices\": [{\"ibdev\": \"a\"}, " \
	"{\"pci\": \"0000:ca:00.0\"}, {\"iface\": \"p7\"}, {\"ibdev\": \"d\"}]}"
#define PAIR(dpu, host) "{\"dpu\": \"" dpu "\", \"host\": \"" host "\"}"

static void said(void)
{
	static const char *const pairs[][2] = {
		{ 0 },
		{ "a", "OPENDOCA-pair1" },
		{ "d", "OPENDOCA-pair0" },
		{ 0 },
	};

	write_profile(PAIRS("{\"dpu\": \"p7\", \"host\": \"d\", \"users\": \"any\"}, " PAIR(
		"0000:CA:00.0", "a")));
	expect_pairs(pairs, 4);
}

static void no_pairs(void)
{
	static const char *const pairs[4][2] = { { 0 } };

	write_profile(PAIRS());
	expect_pairs(pairs, 4);
}

TEST(pairs_are_the_first_two_or_what_the_profile_says)
{
	IN_CHILD(no_profile());
	IN_CHILD(first_two());
	IN_CHILD(said());
	IN_CHILD(no_pairs());
}

/* The list always fails, and logs why each time; @words are in the warning before it. */
static void expect_refused(const char *words)
{
	struct doca_devinfo **list;
	const char *text;
	uint32_t nr;

	ERR(doca_devinfo_create_list(&list, &nr), NOT_FOUND);
	text = logged();
	if (!strstr(text, words) || !strstr(text, "[ERR]"))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
	FAILS(doca_devinfo_create_list(&list, &nr), NOT_FOUND,
	      "DOCA_PROFILE cannot be used, as was logged before");
}

static void refuse(const char *text, const char *words)
{
	write_profile(text);
	expect_refused(words);
}

TEST(wrong_profiles_are_refused)
{
	char long_name[256] = "";

	snprintf(long_name, sizeof(long_name),
		 "{\"profile\": 1, \"devices\": [{\"ibdev\": \"%0100d\"}]}", 1);
	IN_CHILD(refuse("", "it is empty"));
	IN_CHILD(refuse("[]", "is no object"));
	IN_CHILD(refuse("{\"profile\": 1", "ends too early"));
	IN_CHILD(refuse("{\"profile\": 1}", "has no \"devices\""));
	IN_CHILD(refuse("{\"devices\": []}", "has no \"profile\""));
	IN_CHILD(refuse("{\"profile\": 2, \"devices\": []}", "is 2"));
	IN_CHILD(refuse("{\"profile\": \"1\", \"devices\": []}", "is no whole number"));
	IN_CHILD(refuse(DEVICES(), "has 0 elements, not 1 to 16"));
	IN_CHILD(refuse(DEVICES("1"), "is no object"));
	IN_CHILD(refuse(DEVICES("{\"name\": \"p0\"}"), "\"name\" is no key of \"devices\""));
	IN_CHILD(refuse("{\"profile\": 1, \"caps\": {}, \"devices\": [{}]}", "\"caps\" is no key"));
	IN_CHILD(refuse(DEVICES("{\"pci\": \"03:00.0\"}"), "is no address such as"));
	IN_CHILD(refuse(DEVICES("{\"ibdev\": \"a b\"}"), "has a blank"));
	IN_CHILD(refuse(DEVICES("{\"iface\": \"sixteenlettersxx\"}"), "has more than 15 bytes"));
	IN_CHILD(refuse(long_name, "\"ibdev\" has more than"));
	IN_CHILD(refuse(DEVICES("{\"ibdev\": \"a\"}, {\"ibdev\": \"A\"}"),
			"two elements with the same value"));
	IN_CHILD(refuse(DEVICES("{\"iface\": \"a\"}, {}, {\"iface\": \"a\"}"),
			"two elements with the same value"));
}

TEST(wrong_pairs_are_refused)
{
	IN_CHILD(refuse("{\"profile\": 1, \"devices\": [{}], \"pairs\": {}}", "is no array"));
	IN_CHILD(refuse(PAIRS("{\"dpu\": \"a\"}"), "has no \"host\""));
	IN_CHILD(refuse(PAIRS(PAIR("a", "software1")), "\"host\" is no device of the profile"));
	IN_CHILD(refuse(PAIRS(PAIR("a", "A")), "has a device on both sides"));
	IN_CHILD(refuse(PAIRS(PAIR("a", "d") "," PAIR("p7", "d")), "in another one"));
	IN_CHILD(refuse(PAIRS(PAIR("a", "d") "," PAIR("d", "p7")), "in another one"));
	IN_CHILD(refuse(PAIRS(PAIR("a", "d") "," PAIR("p7", "a")), "in another one"));
	IN_CHILD(refuse(PAIRS("{\"dpu\": \"a\", \"host\": \"d\", \"users\": \"all\"}"),
			"is neither any nor same"));
}

static void no_file(const char *name, const char *words)
{
	write_profile("");
	setenv("DOCA_PROFILE", name, 1);
	expect_refused(words);
}

static void big_file(void)
{
	write_profile("");
	EXPECT_EQ(truncate(path, TEXT_FILE_MAX + 1), 0);
	expect_refused("it has more than 1 MiB");
}

TEST(files_that_are_none_are_refused)
{
	IN_CHILD(no_file("bluefield-3", "write ./bluefield-3"));
	IN_CHILD(no_file("/nowhere/x.json", "No such file"));
	IN_CHILD(no_file("/tmp/", "Is a directory"));
	IN_CHILD(big_file());
}

static void none(void)
{
	struct doca_devinfo **list;
	uint32_t nr;

	write_profile("");
	setenv("DOCA_PROFILE", "", 1);
	OK(doca_devinfo_create_list(&list, &nr));
	ASSERT(nr == 2);
	expect_device(list[0], "software", "0000:03:00.0", "p0");
	OK(doca_devinfo_destroy_list(list));
}

TEST(an_empty_value_is_none)
{
	IN_CHILD(none());
}

/* Want of files does not last as long as the process. */
static void without_files(void)
{
	struct rlimit limit, none;
	int next;

	write_profile(DEVICES(ENTRY("mlx5_0", "0000:ca:00.0", "p0")));
	next = dup(0);
	close(next);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){ .rlim_cur = next, .rlim_max = limit.rlim_max };
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
	EXPECT_EQ(load_profile(), -EMFILE);
	EXPECT(strstr(logged(), "EMFILE"));
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	EXPECT_EQ(load_profile(), 0);
}

TEST(a_profile_is_read_once_there_are_files)
{
	IN_CHILD(without_files());
}

/* Whatever kept its reader from being loaded may be over, too. */
static void without_reader(void)
{
	struct profile_source source = { .path = path, .err = -ELIBACC };

	write_profile(DEVICES(ENTRY("mlx5_0", "0000:ca:00.0", "p0")));
	EXPECT_EQ(profile_load(&source), -PROFILE_ERROR);
	EXPECT_SILENT();
	EXPECT_EQ(load_profile(), 0);
	unsetenv("DOCA_PROFILE");
	EXPECT_EQ(load_profile(), 0);
}

TEST(a_profile_is_read_once_its_reader_is_loaded)
{
	IN_CHILD(without_reader());
}
