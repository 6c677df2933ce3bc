// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Devices come and go while a program runs; it sees them without further steps, in their order. */
#include <doca_rdma.h>

#include "bed.h"

#define NAME "rxehot"
#define NETDEV "docahot0"
#define LEN 65536

FIXTURE(hotplug)
{
	long pins;
};

static int plug(void)
{
	return bed_shell("rdma link add " NAME " type rxe netdev " NETDEV);
}

static int unplug(void)
{
	return bed_shell("rdma link delete " NAME);
}

FIXTURE_SETUP(hotplug)
{
	/* A case that was ended has left them. */
	bed_shell("(rdma link delete " NAME "; ip link delete " NETDEV ") 2>/dev/null");
	if (bed_shell("ip link add " NETDEV " type dummy"))
		SKIP_SETUP("needs a dummy network interface");
	ASSERT_EQ(0, bed_shell("ip link set " NETDEV " up"));
	self->pins = pins_held();
}

FIXTURE_TEARDOWN(hotplug)
{
	bed_shell("ip link delete " NETDEV);
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Find the device in a new list, which the caller destroys; NULL, and no list, if it is absent. */
static struct doca_devinfo *find(struct doca_devinfo ***list, uint32_t *nr)
{
	char has[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t i;

	*nr = 0;
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
	ASSERT_LT(0, nr_before);
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
	bed_fill(mem, LEN / 2, 1);
	ASSERT_OK(bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, first, dev, &map));
	ASSERT_OK(bed_create(&other, dev, bed.pe));
	ASSERT_OK(doca_ctx_start(other.ctx));
	EXPECT_OK(bed_copy(&other, map, mem, map, mem + LEN / 2, LEN / 2));
	EXPECT_TRUE(BED_UNTIL(&bed, other.succeeded == 1));
	EXPECT_EQ(0, memcmp(mem, mem + LEN / 2, LEN / 2));
	bed_fill(mem, LEN / 2, 2);

	ASSERT_EQ(0, unplug());
	EXPECT_TRUE(BED_UNTIL(&bed, bed_is_idle(other.ctx)));
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(other.ctx));
	/* The other device goes on, and the open one can still be queried and closed. */
	EXPECT_OK(bed_copy(&bed, map, mem, map, mem + LEN / 2, LEN / 2));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded == 1));
	EXPECT_EQ(0, memcmp(mem, mem + LEN / 2, LEN / 2));
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

static void on_received(struct doca_rdma_task_receive *task, union doca_data data,
			union doca_data ctx_data)
{
	(void)ctx_data;
	*(doca_error_t *)data.ptr = doca_task_get_status(doca_rdma_task_receive_as_task(task));
	doca_task_free(doca_rdma_task_receive_as_task(task));
}

/*
 * Nothing of this program is on the device but a context that waits for messages. The removal
 * waits until the device is closed, and the device itself tells nothing of it.
 */
TEST_F(hotplug, lost_by_a_context_of_rdma)
{
	doca_error_t ended = DOCA_ERROR_UNKNOWN;
	union doca_data data = { .ptr = &ended };
	struct doca_rdma_task_receive *task;
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_dev *dev;
	struct doca_pe *pe;
	int fds[2], status = -1;
	pid_t pid;
	char c;

	ASSERT_EQ(0, plug());
	/* The child must not have what is opened later. */
	ASSERT_EQ(0, pipe(fds));
	pid = quiet_fork();
	if (!pid)
		_exit(read(fds[0], &c, 1) == 1 ? unplug() : 1);
	dev = bed_open_dev(NAME);
	ASSERT_NE(NULL, dev);
	ASSERT_OK(doca_pe_create(&pe));
	ASSERT_OK(doca_rdma_create(dev, &rdma));
	ctx = doca_rdma_as_ctx(rdma);
	ASSERT_OK(doca_rdma_task_receive_set_conf(rdma, on_received, on_received, 1));
	ASSERT_OK(doca_pe_connect_ctx(pe, ctx));
	ASSERT_OK(doca_ctx_start(ctx));
	ASSERT_OK(doca_rdma_task_receive_allocate_init(rdma, NULL, data, &task));
	ASSERT_OK(doca_task_submit(doca_rdma_task_receive_as_task(task)));
	ASSERT_EQ(1, write(fds[1], "", 1));
	EXPECT_TRUE(AWAIT_BY(doca_pe_progress(pe), bed_is_idle(ctx)));
	EXPECT_EQ(DOCA_ERROR_SHUTDOWN, ended);
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(ctx));
	EXPECT_OK(doca_rdma_destroy(rdma));
	EXPECT_OK(doca_pe_destroy(pe));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(fds[0]);
	close(fds[1]);
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
