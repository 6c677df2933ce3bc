// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Keys of memory, with a fake verbs library that counts. */
#include <sys/mman.h>

#include "rdma_bridge_bed.h"

TEST(nothing_is_opened_unless_asked_for)
{
	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE);
	tear_down();
	EXPECT_EQ(verbs.opened, 0);
	EXPECT_EQ(verbs.registered, 0);
}

/* Another one may have its name of before. */
TEST(a_device_that_was_renamed_is_opened_by_its_name)
{
	struct ibv_pd *pd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fake_made[2] = fake_made[1];
	fake_made[2].id = 2;
	strcpy(fake_made[1].name, "fake_new");
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	EXPECT_STR(verbs.name, "fake_new");
	tear_down();
}

TEST(key_is_made_once_and_found_again)
{
	uint32_t first, second, by_pd;
	struct ibv_pd *pd = NULL;
	struct doca_buf *other;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &first));
	EXPECT(verbs.addr == mem);
	EXPECT_EQ(verbs.len, sizeof(mem));
	other = new_buf(bed.mmap);
	OK(doca_rdma_bridge_get_buf_mkey(other, bed.dev, &second));
	OK(doca_buf_dec_refcount(other, NULL));
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	OK(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &by_pd));
	EXPECT_EQ(first, 101);
	EXPECT_EQ(second, 101);
	EXPECT_EQ(by_pd, 101);
	EXPECT_EQ(verbs.opened, 1);
	EXPECT_EQ(verbs.registered, 1);
	EXPECT_SILENT();
	tear_down();
}

TEST(permissions)
{
	static const struct {
		uint32_t doca;
		int verbs;
	} cases[] = {
		{ DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, 0 },
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, IBV_ACCESS_LOCAL_WRITE },
		{ DOCA_ACCESS_FLAG_PCI_READ_ONLY, IBV_ACCESS_LOCAL_WRITE },
		{ DOCA_ACCESS_FLAG_RDMA_READ, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ },
		{ DOCA_ACCESS_FLAG_RDMA_WRITE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE },
		{ DOCA_ACCESS_FLAG_RDMA_ATOMIC, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC },
	};
	uint32_t mkey;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(cases[i].doca);
		OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
		EXPECT_EQ(verbs.access, cases[i].verbs);
		tear_down();
	}
}

/* Memory that is not writable, or read-only for the driver, is registered as such. */
TEST(memory_that_is_only_readable)
{
	uint32_t mkey;
	int i;

	for (i = 0; i < 2; i++) {
		set_up(DOCA_ACCESS_FLAG_RDMA_READ | (i ? DOCA_ACCESS_FLAG_RDMA_WRITE : 0));
		OK(doca_buf_dec_refcount(bed.buf, NULL));
		OK(doca_mmap_stop(bed.mmap));
		fake.write_error = i ? 0 : -EFAULT;
		fake.reg_refuse = DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_RDMA_WRITE;
		OK(doca_mmap_start(bed.mmap));
		bed.buf = new_buf(bed.mmap);
		OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
		EXPECT_EQ(verbs.access, IBV_ACCESS_REMOTE_READ);
		tear_down();
	}
}

TEST(key_ends_with_the_start_of_its_mmap)
{
	uint32_t before, after;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &before));
	EXPECT_EQ(verbs.mrs, 1);
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	OK(doca_mmap_stop(bed.mmap));
	EXPECT_EQ(verbs.mrs, 0);
	OK(doca_mmap_start(bed.mmap));
	EXPECT_EQ(verbs.mrs, 0);
	bed.buf = new_buf(bed.mmap);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &after));
	EXPECT_EQ(after, before + 1);
	tear_down();
}

TEST(mmap_whose_region_is_in_use_does_not_stop)
{
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	verbs.dereg_err = -EBUSY;
	FAILS(doca_mmap_stop(bed.mmap), NOT_PERMITTED, "cannot take memory back from fake1");
	verbs.dereg_err = 0;
	bed.buf = new_buf(bed.mmap);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	EXPECT_EQ(verbs.registered, 1);
	tear_down();
}

TEST(registration_that_fails)
{
	static const struct refusal cases[] = {
		{ -EINVAL, DOCA_ERROR_NOT_SUPPORTED, "permissions of mmap" },
		{ -EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, "fake1" },
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "RLIMIT_MEMLOCK" },
		{ -EFAULT, DOCA_ERROR_INVALID_VALUE, "ask, RDMA_ATOMIC" },
		{ -EIO, DOCA_ERROR_DRIVER, "Input/output error" },
	};
	struct ibv_pd *pd = NULL;
	uint32_t mkey = 3;

	set_up(DOCA_ACCESS_FLAG_RDMA_ATOMIC);
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	EXPECT_REFUSALS(cases, verbs.reg_err,
			doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	EXPECT_REFUSALS(cases, verbs.reg_err,
			doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &mkey));
	EXPECT_EQ(mkey, 3);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	tear_down();
}

TEST(dma_buf)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t mkey;
	int fd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fd = memfd_create("dma-buf", 0);
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_dmabuf_memrange(mmap, fd, mem, 4096, sizeof(mem)));
	OK(doca_mmap_add_dev(mmap, dev));
	OK(doca_mmap_start(mmap));
	EXPECT_EQ(verbs.fd, mmap->dmabuf_fd);
	EXPECT_EQ(verbs.offset, 4096);
	EXPECT(verbs.addr == mem);
	EXPECT_EQ(verbs.len, sizeof(mem));
	OK(doca_rdma_bridge_get_mmap_mkey_from_pd(mmap, &theirs, &mkey));
	OK(doca_mmap_stop(mmap));
	verbs.reg_err = -EOPNOTSUPP;
	FAILS(doca_mmap_start(mmap), NOT_SUPPORTED, "cannot register a dma-buf with theirs0");
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	close(fd);
	tear_down();
}

TEST(device_that_the_mmap_does_not_have)
{
	struct doca_dev *other;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	other = fake_new_dev(2);
	FAILS(doca_rdma_bridge_get_buf_mkey(bed.buf, other, &mkey), INVALID_VALUE,
	      "no memory key for fake2");
	OK(doca_rdma_bridge_get_dev_pd(other, &pd));
	FAILS(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &mkey), INVALID_VALUE,
	      "of no device of the mmap");
	OK(doca_dev_close(other));
	tear_down();
}

TEST(mmap_that_is_not_started)
{
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	bed.buf = NULL;
	OK(doca_mmap_stop(bed.mmap));
	FAILS(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &mkey), BAD_STATE,
	      "not started");
	tear_down();
}

TEST(import_has_no_key)
{
	struct doca_mmap *import;
	struct doca_buf *buf;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fake_imports(DOCA_ACCESS_LOCAL_READ);
	OK(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), bed.dev, &import));
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, import, (void *)0x10000, 8, &buf));
	FAILS(doca_rdma_bridge_get_buf_mkey(buf, bed.dev, &mkey), NOT_SUPPORTED,
	      "memory of another process");
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_mmap_destroy(import));
	tear_down();
}

TEST(child_of_a_fork_does_not_touch_the_parents)
{
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	mr = mmap_find(bed.mmap, bed.dev)->mr;
	driver_forks++;
	FAILS(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE,
	      "before this process was forked");
	FAILS(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), INVALID_VALUE,
	      "before this process was forked");
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	OK(doca_mmap_destroy(bed.mmap));
	EXPECT_EQ(verbs.mrs, 1);
	OK(doca_buf_inventory_destroy(bed.inv));
	/* the fork itself has done this in the child */
	verbs_orphan_pd(bed.dev->pd);
	bed.dev->pd = NULL;
	OK(doca_dev_close(bed.dev));
	EXPECT_EQ(fake.refs, 1);
	free(mr);
	driver_forks = 0;
}
