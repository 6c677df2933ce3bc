// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA devices in the list of the driver in the process, of a sysfs that is made up. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_dev.h>

#include "core/driver/devinfo.h"
#include "core/driver/driver.h"
#include "core/driver/ibdevs.h"
#include "core/driver/pci.h"
#include "fault.h"
#include "in_child.h"
#include "logged.h"

static char root[] = "/tmp/ibdevsXXXXXX";

__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
	char command[512];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	EXPECT_EQ(system(command), 0);
}

static void plug(int node, const char *name, const char *guid, const char *function)
{
	const char *c = "class/infiniband";

	run("cd %s && mkdir -p %s/%s/ports/1 %s/%s/ports/2 %s_verbs/uverbs%d pci/%s &&"
	    "echo %s >%s_verbs/uverbs%d/ibdev && echo %s >%s/%s/node_guid &&"
	    "echo 1 >pci/%s/numa_node && ln -s ../../../pci/%s %s/%s/device &&"
	    ": >nodes/uverbs%d",
	    root, c, name, c, name, c, node, function, name, c, node, guid, c, name, function,
	    function, c, name, node);
}

static void begin(void)
{
	static char nodes[64];

	EXPECT(mkdtemp(root));
	snprintf(nodes, sizeof(nodes), "%s/nodes", root);
	run("mkdir %s %s/class", nodes, root);
	pci_sysfs = root;
	ibdevs_nodes = nodes;
	setenv("DOCA_DRIVER", "process", 1);
}

static void end(void)
{
	run("rm -r %s", root);
}

/* As sysfs does with one that is removed. */
static void unplug(int node, const char *name)
{
	const char *c = "class/infiniband";

	run("cd %s && rm -r %s/%s pci/* && mkdir -p away && mv %s_verbs/uverbs%d away/$(ls away | wc -l)",
	    root, c, name, c, node);
}

static void expect_devices(const char *names)
{
	char all[256] = "", name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo **list;
	uint32_t n = 0;

	OK(doca_devinfo_create_list(&list, &n));
	for (uint32_t i = 0; i < n; i++) {
		OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
		strcat(strcat(all, name), " ");
	}
	EXPECT_STR(all, names);
	OK(doca_devinfo_destroy_list(list));
}

static void expect_none(void)
{
	begin();
	expect_devices("software software1 ");
	end();
}

TEST(a_machine_without_one)
{
	IN_CHILD(expect_none());
}

static void expect_order(void)
{
	begin();
	plug(1, "rxe1", "5054:00ff:fe00:0002", "virtual");
	plug(0, "mlx5_0", "0c42:a103:00ab:cdef", "0000:03:00.1");
	expect_devices("software software1 mlx5_0 rxe1 ");
	end();
}

TEST(those_in_software_come_first)
{
	IN_CHILD(expect_order());
}

static void expect_changes(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t n = 0;

	begin();
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	OK(doca_devinfo_create_list(&list, &n));
	EXPECT_EQ(n, 3);
	OK(doca_dev_open(list[2], &dev));
	unplug(0, "rxe0");
	expect_devices("software software1 ");
	ERR(doca_dev_open(list[2], &dev), NOT_CONNECTED);
	EXPECT_LOGGED("was removed");
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	expect_devices("software software1 rxe0 ");
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
	end();
}

TEST(devices_come_and_go)
{
	IN_CHILD(expect_changes());
}

static struct doca_dev *open_third(struct doca_devinfo ***list)
{
	struct doca_dev *dev = NULL;
	uint32_t n = 0;

	OK(doca_devinfo_create_list(list, &n));
	EXPECT_EQ(n, 3);
	if (n == 3)
		OK(doca_dev_open((*list)[2], &dev));
	return dev;
}

static void expect_replaced(void)
{
	struct doca_devinfo **before, **after;
	struct doca_dev *old, *new;

	begin();
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	old = open_third(&before);
	unplug(0, "rxe0");
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	new = open_third(&after);
	EXPECT(new != old);
	EXPECT_EQ(driver_check_device(before[2]->id), -ENODEV);
	EXPECT_EQ(driver_check_device(after[2]->id), 0);
	OK(doca_dev_close(old));
	OK(doca_dev_close(new));
	OK(doca_devinfo_destroy_list(before));
	OK(doca_devinfo_destroy_list(after));
	end();
}

/* One that has come under a name that was there is another device. */
TEST(a_device_is_replaced_between_two_lists)
{
	IN_CHILD(expect_replaced());
}

static void expect_it_stays(const struct doca_devinfo *info)
{
	EXPECT_EQ(driver_check_device(info->id), 0);
	EXPECT_SILENT();
}

static void expect_renamed(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;

	begin();
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	dev = open_third(&list);
	run("cd %s/class && mv infiniband/rxe0 infiniband/mlx5_7 &&"
	    "echo mlx5_7 >infiniband_verbs/uverbs0/ibdev",
	    root);
	expect_devices("software software1 mlx5_7 ");
	expect_it_stays(list[2]);
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
	end();
}

TEST(a_device_that_gets_another_name_stays)
{
	IN_CHILD(expect_renamed());
}

static void expect_hidden(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;

	begin();
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	plug(1, "rxe1", "5054:00ff:fe00:0002", "virtual1");
	run("rm %s/nodes/uverbs1", root);
	dev = open_third(&list);
	run("rm %s/nodes/uverbs0", root);
	expect_devices("software software1 ");
	expect_it_stays(list[2]);
	run(": >%s/nodes/uverbs0", root);
	expect_devices("software software1 rxe0 ");
	expect_it_stays(list[2]);
	run(": >%s/nodes/uverbs1", root);
	expect_devices("software software1 rxe0 rxe1 ");
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
	end();
}

TEST(a_node_that_cannot_be_opened_hides_a_device_and_does_not_end_it)
{
	IN_CHILD(expect_hidden());
}

/* Leave room for so many more file descriptors. */
static void limit_files(int room)
{
	int next = dup(STDERR_FILENO);
	struct rlimit limit;

	close(next);
	EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = next + room;
	EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void expect_kept(void)
{
	struct doca_devinfo **list, *infos;
	struct doca_dev *dev;
	uint32_t n = 0;

	begin();
	plug(0, "rxe0", "5054:00ff:fe00:0001", "virtual");
	dev = open_third(&list);
	for (int room = 0; room < 2; room++) {
		limit_files(room);
		EXPECT_EQ(driver_list_devices(&infos, &n), -EMFILE);
		expect_it_stays(list[2]);
	}
	limit_files(32);
	pci_sysfs = "/nowhere";
	expect_devices("software software1 rxe0 ");
	expect_it_stays(list[2]);
	OK(doca_dev_close(dev));
	OK(doca_devinfo_destroy_list(list));
	end();
}

/* With no descriptor left, and with a root folder that has no sysfs. */
TEST(devices_that_cannot_be_looked_at_stay)
{
	IN_CHILD(expect_kept());
}

TEST(what_is_told_of_a_device)
{
	struct ibdevs list;

	begin();
	plug(0, "mlx5_0", "0c42:a103:00ab:cdef", "0000:03:00.1");
	plug(1, "rxe0", "broken", "virtual");
	run("mkdir %s/class/infiniband_verbs/abi_version", root);
	run("rm %s/pci/virtual/numa_node", root);
	EXPECT_EQ(ibdevs_list(&list), 0);
	EXPECT_EQ(list.n, 2);
	EXPECT_STR(list.devs[0].info.name, "mlx5_0");
	EXPECT_STR(list.devs[0].info.pci, "0000:03:00.1");
	EXPECT_EQ(list.devs[0].info.guid, 0x0c42a10300abcdef);
	EXPECT_EQ(list.devs[0].info.nr_ports, 2);
	EXPECT_EQ(list.devs[0].info.numa_node, 1);
	EXPECT_EQ(list.devs[0].info.type, DOCA_DEV_RDMA);
	EXPECT_STR(list.devs[1].info.name, "rxe0");
	EXPECT_STR(list.devs[1].info.pci, "");
	EXPECT_EQ(list.devs[1].info.guid, 0);
	EXPECT_EQ(list.devs[1].info.numa_node, -1);
	free(list.devs);
	fault_at(FAULT_ALLOC, 2);
	EXPECT_EQ(ibdevs_list(&list), -ENOMEM);
	fault_at(FAULT_ALLOC, 0);
	end();
}
