// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Devices come and go while a program runs; it sees them without further steps, in their order. */
#include "bed.h"

#define NAME "rxehot"
#define NETDEV "docahot0"
#define LEN 65536

FIXTURE(hotplug)
{
	long pins;
};

static int shell(const char *command)
{
	int rc = system(command);

	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

static int plug(void)
{
	return shell("rdma link add " NAME " type rxe netdev " NETDEV);
}

static int unplug(void)
{
	return shell("rdma link delete " NAME);
}

FIXTURE_SETUP(hotplug)
{
	if (shell("ip link add " NETDEV " type dummy 2>/dev/null && "
		  "ip link set " NETDEV " up"))
		SKIP_SETUP("needs a dummy network interface");
	self->pins = pins_held();
}

FIXTURE_TEARDOWN(hotplug)
{
	shell("ip link delete " NETDEV);
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Find the device in a new list, which the caller destroys; NULL, and no list, if it is absent. */
static struct doca_devinfo *find(struct doca_devinfo ***list, uint32_t *nr)
{
	char has[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t i;

	if (doca_devinfo_create_list(list, nr))
		return NULL;
	for (i = 0; i < *nr; i++)
		if (!doca_devinfo_get_ibdev_name((*list)[i], has, sizeof(has)) &&
		    !strcmp(has, NAME))
			return (*list)[i];
	return NULL;
}

TEST_F(hotplug, listed_from_its_coming_to_its_going)
{
	struct doca_devinfo **before, **with, **after, *info;
	char netdev[DOCA_DEVINFO_IFACE_NAME_SIZE];
	uint32_t nr_before, nr_with, nr_after;
	struct doca_dev *dev;

	ASSERT_EQ(NULL, find(&before, &nr_before));
	ASSERT_EQ(0, plug());
	info = find(&with, &nr_with);
	ASSERT_NE(NULL, info);
	EXPECT_EQ(nr_before + 1, nr_with);
	EXPECT_OK(doca_devinfo_get_iface_name(info, netdev, sizeof(netdev)));
	EXPECT_STREQ(NETDEV, netdev);
	ASSERT_OK(doca_dev_open(info, &dev));
	ASSERT_OK(doca_dev_close(dev));

	ASSERT_EQ(0, unplug());
	EXPECT_EQ(NULL, find(&after, &nr_after));
	EXPECT_EQ(nr_before, nr_after);
	/* A list shows the devices of its time; a device that is gone cannot be opened. */
	EXPECT_ERR(NOT_CONNECTED, doca_dev_open(info, &dev));
	EXPECT_OK(doca_devinfo_destroy_list(before));
	EXPECT_OK(doca_devinfo_destroy_list(with));
	EXPECT_OK(doca_devinfo_destroy_list(after));
}

/* A device that came later works like the first one, with an mmap of both. */
TEST_F(hotplug, used_and_lost)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_dev *first, *dev;
	struct doca_mmap *map;
	struct bed bed, other;
	char *mem;

	first = bed_open_dev(NULL);
	ASSERT_NE(NULL, first);
	ASSERT_OK(bed_create(&bed, first, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	ASSERT_EQ(0, plug());
	dev = bed_open_dev(NAME);
	ASSERT_NE(NULL, dev);
	mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, first, dev, &map));
	ASSERT_OK(bed_create(&other, dev, bed.pe));
	ASSERT_OK(doca_ctx_start(other.ctx));
	EXPECT_OK(bed_copy(&other, map, mem, map, mem + LEN / 2, LEN / 2));
	EXPECT_TRUE(BED_UNTIL(&bed, other.succeeded == 1));

	ASSERT_EQ(0, unplug());
	EXPECT_TRUE(BED_UNTIL(&bed, bed_state_of(&other) == DOCA_CTX_STATE_IDLE));
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(other.ctx));
	/* The other device goes on, and the open one can still be queried and closed. */
	EXPECT_OK(bed_copy(&bed, map, mem, map, mem + LEN / 2, LEN / 2));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded == 1));
	EXPECT_OK(doca_devinfo_get_ibdev_name(doca_dev_as_devinfo(dev), name, sizeof(name)));
	EXPECT_STREQ(NAME, name);
	EXPECT_OK(bed_destroy(&other));
	EXPECT_OK(doca_ctx_stop(bed.ctx));
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_mmap_stop(map));
	EXPECT_ERR(INVALID_VALUE, doca_mmap_start(map));
	EXPECT_OK(doca_mmap_rm_dev(map, dev));
	EXPECT_OK(doca_mmap_start(map));
	EXPECT_OK(doca_mmap_destroy(map));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_OK(doca_dev_close(first));
}

TEST(the_most_capable_device_comes_first)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	struct doca_devinfo **list;
	uint32_t n;

	if (bed_in_process())
		SKIP(return, "in process all devices are alike");
	ASSERT_OK(doca_devinfo_create_list(&list, &n));
	if (n < 2)
		SKIP(goto out, "only one device");
	EXPECT_OK(doca_devinfo_get_ibdev_name(list[n - 1], name, sizeof(name)));
	EXPECT_STREQ("software", name);
out:
	EXPECT_OK(doca_devinfo_destroy_list(list));
}

TEST_HARNESS_MAIN
