// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Protection domains of devices, and devices that are made from a domain. */
#include "rdma_bridge_bed.h"
#include "fault.h"

TEST(software_device_has_no_domain)
{
	struct doca_devinfo info = { .id = 9, .type = DOCA_DEV_SOFTWARE, .name = "software" };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_buf *buf;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(fake_open(&info, &dev));
	FAILS(doca_rdma_bridge_get_dev_pd(dev, &pd), BAD_STATE, "software is no RDMA device");
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	bed.buf = NULL;
	OK(doca_mmap_stop(bed.mmap));
	mmap = new_mmap(dev, 0);
	OK(doca_mmap_start(mmap));
	buf = new_buf(mmap);
	FAILS(doca_rdma_bridge_get_buf_mkey(buf, dev, &mkey), INVALID_VALUE,
	      "software is no RDMA device");
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	tear_down();
}

TEST(device_that_cannot_be_opened)
{
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fake.check_error = -ENODEV;
	FAILS(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE, "fake1: it was removed");
	FAILS(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), DRIVER,
	      "fake1: it was removed");
	fake.check_error = 0;
	verbs.open_err = -EACCES;
	FAILS(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE, "fake1: Permission denied");
	verbs.open_err = -ENOMEM;
	FAILS(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), NO_MEMORY, "fake1");
	tear_down();
}

TEST(verbs_that_cannot_be_loaded)
{
	struct doca_dev *dev;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	verbs.prepare_err = -ELIBACC;
	FAILS(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE, "protection domain of fake1");
	FAILS(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), DRIVER,
	      "protection domain of fake1");
	FAILS(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev), DRIVER,
	      "cannot open a device from a protection domain: ");
	verbs.prepare_err = -ENOMEM;
	FAILS(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev), NO_MEMORY, "the calls of verbs");
	verbs.prepare_err = 0;
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	tear_down();
}

TEST(device_whose_domain_is_in_use_does_not_close)
{
	struct ibv_pd *pd, *again;
	struct doca_dev *dev;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	dev = fake_new_dev(2);
	OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
	verbs.close_err = -EBUSY;
	FAILS(doca_dev_close(dev), IN_USE, "cannot close fake2: its protection domain");
	OK(doca_rdma_bridge_get_dev_pd(dev, &again));
	EXPECT(pd == again);
	verbs.close_err = 0;
	OK(doca_dev_close(dev));
	EXPECT_EQ(verbs.pds, 0);
	tear_down();
}

/* The mmap goes last, while a queue pair of the program is still in the domain. */
TEST(domain_that_is_in_use_when_its_last_mmap_goes)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct ibv_pd *pd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	dev = fake_new_dev(2);
	mmap = new_mmap(dev, 0);
	OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
	OK(doca_dev_close(dev));
	verbs.close_err = -EBUSY;
	OK(doca_mmap_destroy(mmap));
	EXPECT_LOGGED("cannot close fake2: its protection domain");
	EXPECT_EQ(verbs.pds, 1);
	verbs.close_err = 0;
	verbs_close_pd(pd);
	tear_down();
}

/* Keep nothing on the stack: a sanitizer expects this function to return. */
static void *get_while_cancelled(void *arg)
{
	static struct ibv_pd *pd;
	static uint32_t mkey;

	pthread_cancel(pthread_self());
	if (doca_rdma_bridge_get_dev_pd(arg, &pd) ||
	    doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey) || doca_dev_close(arg))
		return arg;
	pthread_testcancel();
	return arg;
}

TEST(threads_that_get_what_is_not_there_yet_are_cancelled_later)
{
	pthread_t thread;
	uint32_t mkey;
	void *result = NULL;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	EXPECT(!pthread_create(&thread, NULL, get_while_cancelled, fake_new_dev(2)));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	alarm(20);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	tear_down();
	alarm(0);
	EXPECT_EQ(verbs.pds, 0);
}

static void *start_while_cancelled(void *mmap)
{
	pthread_cancel(pthread_self());
	if (!doca_mmap_start(mmap))
		pthread_testcancel();
	return mmap;
}

TEST(threads_that_start_an_mmap_are_cancelled_later)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	pthread_t thread;
	void *result = NULL;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	mmap = new_mmap(dev, 0);
	OK(doca_mmap_enable_thread_safety(mmap));
	EXPECT(!pthread_create(&thread, NULL, start_while_cancelled, mmap));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	alarm(20);
	OK(doca_mmap_destroy(mmap));
	alarm(0);
	OK(doca_dev_close(dev));
	tear_down();
}

TEST(device_from_a_domain)
{
	struct doca_devinfo_rep **reps;
	struct doca_dev *dev, *again;
	struct doca_mmap *mmap;
	struct ibv_pd *pd;
	struct doca_buf *buf;
	uint32_t mkey, nr;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fake.get_error = -ENOENT; /* works without the module */
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
	EXPECT(pd == &theirs);
	EXPECT(!doca_dev_as_devinfo(dev));
	FAILS(doca_rdma_bridge_open_dev_from_pd(&theirs, &again), IN_USE, "a device's already");
	FAILS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &nr),
	      NOT_SUPPORTED, "from a protection domain");

	mmap = new_mmap(dev, DOCA_ACCESS_FLAG_RDMA_READ);
	fake.regs = 0;
	OK(doca_mmap_start(mmap));
	EXPECT_EQ(fake.regs, 0);
	EXPECT_EQ(verbs.registered, 1);
	EXPECT_EQ(verbs.access, IBV_ACCESS_REMOTE_READ);
	OK(doca_rdma_bridge_get_mmap_mkey_from_pd(mmap, &theirs, &mkey));
	EXPECT_EQ(mkey, 101);
	buf = new_buf(mmap);
	OK(doca_rdma_bridge_get_buf_mkey(buf, dev, &mkey));
	EXPECT_EQ(mkey, 101);
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	EXPECT_EQ(verbs.opened, 0);
	/* free for another device */
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	OK(doca_dev_close(dev));
	tear_down();
}

TEST(no_device_from_a_domain_without_memory)
{
	struct doca_dev *dev;

	EXPECT_FAULTS(FAULT_ALLOC, doca_rdma_bridge_open_dev_from_pd(&theirs, &dev), NO_MEMORY,
		      OK(doca_dev_close(dev)));
}

TEST(domain_of_a_device_makes_no_other)
{
	struct doca_dev *dev;
	struct ibv_pd *pd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	FAILS(doca_rdma_bridge_open_dev_from_pd(pd, &dev), IN_USE, "a device's already");
	tear_down();
}

TEST(device_from_a_domain_with_one_of_the_driver)
{
	struct doca_dev *dev;
	struct doca_mmap *mmap;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	mmap = new_mmap(dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_mmap_add_dev(mmap, bed.dev));
	OK(doca_mmap_start(mmap));
	EXPECT_EQ(fake.mems, 2);
	EXPECT_EQ(verbs.mrs, 1);
	OK(doca_mmap_stop(mmap));
	EXPECT_EQ(verbs.mrs, 0);

	fake.map_error = -ENOMEM; /* fails after the region was made */
	ERR(doca_mmap_start(mmap), NO_MEMORY);
	logged();
	EXPECT_EQ(verbs.mrs, 0);
	EXPECT_EQ(fake.mems, 1);
	fake.map_error = 0;
	verbs.reg_err = -EINVAL;
	FAILS(doca_mmap_start(mmap), NOT_SUPPORTED, "theirs0");
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	tear_down();
}

TEST(device_from_a_domain_does_nothing_else)
{
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	const void *desc;
	size_t len;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	FAILS(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), dev, &mmap),
	      NOT_SUPPORTED, "theirs0 was made from a protection domain");
	mmap = new_mmap(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	OK(doca_mmap_start(mmap));
	FAILS(doca_mmap_export_pci(mmap, dev, &desc, &len), NOT_SUPPORTED,
	      "theirs0 was made from a protection domain");
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	tear_down();
}
