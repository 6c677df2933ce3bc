// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Devices: opening, closing, and who keeps them alive. */
#include "ktap.h"
#include "fake_mem.h"
#include "fault.h"
#include "logged.h"

static struct doca_devinfo info(uint32_t id)
{
	struct doca_devinfo info = { .id = id, .type = DOCA_DEV_RDMA };

	strcpy(info.name, "rxe0");
	return info;
}

TEST(open_takes_null_for_invalid)
{
	struct doca_devinfo one = info(1);
	struct doca_dev *dev;

	fake_reset();
	EXPECT_EQ(doca_dev_open(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(fake_open(&one, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_CLEAN();
}

TEST(open_without_driver_says_why)
{
	static const struct {
		int err;
		const char *why;
	} cases[] = {
		{ -ENOENT, "cannot open rxe0: the module is not loaded; load "
			   "it with modprobe doca" },
		{ -EACCES, "join the group doca" },
		{ -EPROTO, "different versions" },
		{ -EDQUOT, "parameter of the doca module" },
		{ -EMFILE, "the process has too many files open" },
	};
	struct doca_devinfo one = info(1);
	struct doca_dev *dev;
	size_t i;

	fake_reset();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.get_err = cases[i].err;
		logged();
		EXPECT_EQ(fake_open(&one, &dev), DOCA_ERROR_NOT_CONNECTED);
		EXPECT_LOGGED(cases[i].why);
	}
	EXPECT_CLEAN();
}

TEST(open_without_memory)
{
	struct doca_devinfo one = info(1);
	struct doca_dev *dev;

	fake_reset();
	EXPECT_FAULTS(FAULT_ALLOC, fake_open(&one, &dev), NO_MEMORY,
		      EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS));
	EXPECT_CLEAN();
}

TEST(open_of_a_removed_device_is_not_connected)
{
	struct doca_devinfo one = info(1);
	struct doca_dev *dev;

	fake_reset();
	fake.check_err = -ENODEV;
	logged();
	EXPECT_EQ(fake_open(&one, &dev), DOCA_ERROR_NOT_CONNECTED);
	EXPECT_LOGGED("cannot open rxe0: it was removed");
	EXPECT_CLEAN();
}

TEST(same_device_is_same_object)
{
	struct doca_devinfo one = info(1), again = info(1), two = info(2);
	struct doca_dev *a, *b, *c;

	fake_reset();
	ASSERT(fake_open(&one, &a) == DOCA_SUCCESS);
	ASSERT(fake_open(&again, &b) == DOCA_SUCCESS);
	ASSERT(fake_open(&two, &c) == DOCA_SUCCESS);
	EXPECT(a == b);
	EXPECT(a != c);
	EXPECT_EQ(doca_priv_dev_id(a), 1);
	EXPECT_EQ(doca_priv_dev_id(c), 2);
	EXPECT_EQ(fake.refs, 2);
	EXPECT_EQ(doca_dev_close(a), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 2);
	EXPECT_EQ(doca_dev_close(b), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 1);
	EXPECT_EQ(doca_dev_close(c), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

TEST(close_of_null_succeeds)
{
	EXPECT_EQ(doca_dev_close(NULL), DOCA_SUCCESS);
}

TEST(devinfo_is_valid_while_open)
{
	struct doca_devinfo *list = malloc(sizeof(*list));
	struct doca_dev *dev;

	fake_reset();
	ASSERT(list);
	*list = info(3);
	ASSERT(fake_open(list, &dev) == DOCA_SUCCESS);
	free(list);
	ASSERT(doca_dev_as_devinfo(dev));
	EXPECT_EQ(doca_priv_devinfo_id(doca_dev_as_devinfo(dev)), 3);
	EXPECT_STR(doca_dev_as_devinfo(dev)->name, "rxe0");
	EXPECT(!doca_dev_as_devinfo(NULL));
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

TEST(closed_device_lives_while_the_library_uses_it)
{
	struct doca_devinfo one = info(1);
	struct doca_dev *dev;

	fake_reset();
	ASSERT(fake_open(&one, &dev) == DOCA_SUCCESS);
	EXPECT(doca_priv_dev_get(dev) == dev);
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 1);
	logged();
	EXPECT_EQ(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	EXPECT_LOGGED("rxe0 is closed more often than it was opened");
	EXPECT_EQ(doca_priv_dev_id(dev), 1);
	doca_priv_dev_put(dev);
	doca_priv_dev_put(NULL);
	EXPECT_CLEAN();
}

TEST(child_of_a_fork_has_devices_of_its_own)
{
	struct doca_devinfo one = info(1);
	struct doca_dev *parents, *ours;

	fake_reset();
	ASSERT(fake_open(&one, &parents) == DOCA_SUCCESS);
	/* what a fork does to the driver in the child */
	driver_forks++;
	fake.refs = 0;
	EXPECT(!dev_alive(parents));
	EXPECT_LOGGED("rxe0 was opened before this process was forked");
	ASSERT(fake_open(&one, &ours) == DOCA_SUCCESS);
	EXPECT(dev_alive(ours));
	EXPECT(ours != parents);
	EXPECT_EQ(doca_dev_close(parents), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 1);
	EXPECT_EQ(doca_dev_close(ours), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

TEST(resource_reclaim_is_not_supported)
{
	struct doca_dev *dev;

	fake_reset();
	dev = fake_dev(1);
	ASSERT(dev);
	EXPECT_EQ(doca_dev_accelerate_resource_reclaim(NULL),
		  DOCA_ERROR_INVALID_VALUE);
	logged();
	EXPECT_EQ(doca_dev_accelerate_resource_reclaim(dev),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_LOGGED("fake1");
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
}
