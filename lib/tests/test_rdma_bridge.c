// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Protection domains and keys of memory, over a verbs library that counts. */
#include <sys/mman.h>

#include <infiniband/verbs.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_rdma_bridge.h>

#include "ktap.h"
#include "fake_mem.h"
#include "fault.h"
#include "logged.h"
#include "core/memory/mmap.h"
#include "core/device/verbs.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

/* What there is now, what was asked last, and what is to fail. */
static struct {
	int pds;
	int mrs;
	int orphans;
	int opened; /* ever */
	int registered; /* ever */
	const void *addr;
	size_t len;
	int fd;
	size_t offset;
	int access;
	int open_err;
	int close_err;
	int reg_err;
	int dereg_err;
} verbs;

static struct ibv_device device = { .name = "theirs0" };
static struct ibv_context context = { .device = &device };
static struct ibv_pd theirs = { .context = &context };

static char mem[8192] __attribute__((aligned(4096)));

int verbs_open_pd(const char *ibdev, struct ibv_pd **pd)
{
	if (strncmp(ibdev, "fake", 4))
		return -ENODEV;
	if (verbs.open_err)
		return verbs.open_err;
	*pd = calloc(1, sizeof(**pd));
	if (!*pd)
		abort();
	(*pd)->context = &context;
	verbs.pds++;
	verbs.opened++;
	return 0;
}

int verbs_close_pd(struct ibv_pd *pd)
{
	if (verbs.close_err)
		return verbs.close_err;
	free(pd);
	verbs.pds--;
	return 0;
}

void verbs_orphan_pd(struct ibv_pd *pd)
{
	free(pd);
	verbs.pds--;
	verbs.orphans++;
}

int verbs_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access,
		 struct ibv_mr **mr)
{
	verbs.addr = addr;
	verbs.len = len;
	verbs.access = access;
	if (verbs.reg_err)
		return verbs.reg_err;
	*mr = calloc(1, sizeof(**mr));
	if (!*mr)
		abort();
	(*mr)->pd = pd;
	(*mr)->lkey = 100 + ++verbs.registered;
	verbs.mrs++;
	return 0;
}

int verbs_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset, void *addr,
			size_t len, int access, struct ibv_mr **mr)
{
	verbs.fd = fd;
	verbs.offset = offset;
	return verbs_reg_mr(pd, addr, len, access, mr);
}

int verbs_dereg_mr(struct ibv_mr *mr)
{
	if (verbs.dereg_err)
		return verbs.dereg_err;
	free(mr);
	verbs.mrs--;
	return 0;
}

static struct {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_buf *buf;
} bed;

static struct doca_mmap *new_mmap(struct doca_dev *dev, uint32_t access)
{
	struct doca_mmap *mmap = NULL;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, mem, sizeof(mem)));
	OK(doca_mmap_set_permissions(mmap, access));
	OK(doca_mmap_add_dev(mmap, dev));
	return mmap;
}

static struct doca_buf *new_buf(struct doca_mmap *mmap)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_data(bed.inv, mmap, mem + 10, 20,
					      &buf));
	return buf;
}

/* A device, an mmap of it that is started, and a buffer. */
static void set_up(uint32_t access)
{
	fake_reset();
	memset(&verbs, 0, sizeof(verbs));
	memset(&bed, 0, sizeof(bed));
	bed.dev = fake_dev(1);
	bed.mmap = new_mmap(bed.dev, access);
	OK(doca_mmap_start(bed.mmap));
	OK(doca_buf_inventory_create(4, &bed.inv));
	OK(doca_buf_inventory_start(bed.inv));
	bed.buf = new_buf(bed.mmap);
}

static void tear_down(void)
{
	if (bed.buf)
		OK(doca_buf_dec_refcount(bed.buf, NULL));
	OK(doca_mmap_destroy(bed.mmap));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_dev_close(bed.dev));
	EXPECT_EQ(verbs.mrs, 0);
	EXPECT_EQ(verbs.pds, 0);
	EXPECT_CLEAN();
}

TEST(nothing_is_opened_unless_asked_for)
{
	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE);
	tear_down();
	EXPECT_EQ(verbs.opened, 0);
	EXPECT_EQ(verbs.registered, 0);
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
		{ DOCA_ACCESS_FLAG_RDMA_READ,
		  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ },
		{ DOCA_ACCESS_FLAG_RDMA_WRITE,
		  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE },
		{ DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC },
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

/* Memory that cannot be written is registered as such. */
TEST(memory_that_is_only_readable)
{
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_RDMA_READ);
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	OK(doca_mmap_stop(bed.mmap));
	fake.write_err = -EFAULT;
	OK(doca_mmap_start(bed.mmap));
	bed.buf = new_buf(bed.mmap);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	EXPECT_EQ(verbs.access, IBV_ACCESS_REMOTE_READ);
	tear_down();
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

/* Of two devices, the key of the one that was added last */
TEST(key_of_another_device_ends_with_it_too)
{
	struct doca_dev *other;
	struct doca_mmap *mmap;
	struct doca_buf *buf;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	other = fake_dev(2);
	mmap = new_mmap(bed.dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_mmap_add_dev(mmap, other));
	OK(doca_mmap_start(mmap));
	buf = new_buf(mmap);
	OK(doca_rdma_bridge_get_buf_mkey(buf, other, &mkey));
	EXPECT_EQ(verbs.mrs, 1);
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_mmap_stop(mmap));
	EXPECT_EQ(verbs.mrs, 0);
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(other));
	tear_down();
}

TEST(mmap_whose_region_is_in_use_does_not_stop)
{
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	verbs.dereg_err = -EBUSY;
	ERR(doca_mmap_stop(bed.mmap), NOT_PERMITTED);
	EXPECT_LOGGED("cannot take memory back from fake1");
	verbs.dereg_err = 0;
	bed.buf = new_buf(bed.mmap);
	OK(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey));
	EXPECT_EQ(verbs.registered, 1);
	tear_down();
}

TEST(registration_that_fails)
{
	static const struct {
		int err;
		doca_error_t res;
		const char *why;
	} cases[] = {
		{ -EINVAL, DOCA_ERROR_NOT_SUPPORTED, "the permissions 0x8" },
		{ -EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, "fake1" },
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "RLIMIT_MEMLOCK" },
		{ -EFAULT, DOCA_ERROR_INVALID_VALUE, "not mapped" },
		{ -EIO, DOCA_ERROR_DRIVER, "Input/output error" },
	};
	struct ibv_pd *pd = NULL;
	uint32_t mkey = 3;
	size_t i;

	set_up(DOCA_ACCESS_FLAG_RDMA_ATOMIC);
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		verbs.reg_err = cases[i].err;
		EXPECT_EQ(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev,
							&mkey),
			  cases[i].res);
		EXPECT_LOGGED(cases[i].why);
		EXPECT_EQ(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd,
								 &mkey),
			  cases[i].res);
		EXPECT_LOGGED(cases[i].why);
	}
	EXPECT_EQ(mkey, 3);
	verbs.reg_err = 0;
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
	ERR(doca_mmap_start(mmap), NOT_SUPPORTED);
	EXPECT_LOGGED("cannot register a dma-buf with theirs0");
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	close(fd);
	tear_down();
}

TEST(null_is_invalid)
{
	struct doca_dev *dev;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	ERR(doca_rdma_bridge_get_buf_mkey(NULL, bed.dev, &mkey), INVALID_VALUE);
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, NULL, &mkey), INVALID_VALUE);
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, NULL),
	    INVALID_VALUE);
	ERR(doca_rdma_bridge_get_dev_pd(NULL, &pd), INVALID_VALUE);
	ERR(doca_rdma_bridge_get_dev_pd(bed.dev, NULL), INVALID_VALUE);
	ERR(doca_rdma_bridge_get_mmap_mkey_from_pd(NULL, &theirs, &mkey),
	    INVALID_VALUE);
	ERR(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, NULL, &mkey),
	    INVALID_VALUE);
	ERR(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, &theirs, NULL),
	    INVALID_VALUE);
	ERR(doca_rdma_bridge_open_dev_from_pd(NULL, &dev), INVALID_VALUE);
	ERR(doca_rdma_bridge_open_dev_from_pd(&theirs, NULL), INVALID_VALUE);
	EXPECT_EQ(verbs.opened, 0);
	tear_down();
}

TEST(device_that_the_mmap_does_not_have)
{
	struct doca_dev *other;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	other = fake_dev(2);
	logged();
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, other, &mkey),
	    INVALID_VALUE);
	EXPECT_LOGGED("no memory key for fake2");
	OK(doca_rdma_bridge_get_dev_pd(other, &pd));
	ERR(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &mkey),
	    INVALID_VALUE);
	EXPECT_LOGGED("of no device of the mmap");
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
	ERR(doca_rdma_bridge_get_mmap_mkey_from_pd(bed.mmap, pd, &mkey),
	    BAD_STATE);
	EXPECT_LOGGED("not started");
	tear_down();
}

TEST(import_has_no_key)
{
	struct doca_mmap *import;
	struct doca_buf *buf;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_mmap_create_from_export(NULL, "x", 1, bed.dev, &import));
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, import, (void *)0x10000,
					      8, &buf));
	ERR(doca_rdma_bridge_get_buf_mkey(buf, bed.dev, &mkey), NOT_SUPPORTED);
	EXPECT_LOGGED("memory of another process");
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_mmap_destroy(import));
	tear_down();
}

TEST(software_device_has_no_domain)
{
	struct doca_devinfo info = { .id = 9,
				     .type = DOCA_DEV_SOFTWARE,
				     .name = "software" };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_buf *buf;
	struct ibv_pd *pd;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(fake_open(&info, &dev));
	ERR(doca_rdma_bridge_get_dev_pd(dev, &pd), BAD_STATE);
	EXPECT_LOGGED("software is no RDMA device");
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	bed.buf = NULL;
	OK(doca_mmap_stop(bed.mmap));
	mmap = new_mmap(dev, 0);
	OK(doca_mmap_start(mmap));
	buf = new_buf(mmap);
	ERR(doca_rdma_bridge_get_buf_mkey(buf, dev, &mkey), INVALID_VALUE);
	EXPECT_LOGGED("software is no RDMA device");
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
	fake.check_err = -ENODEV;
	ERR(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE);
	EXPECT_LOGGED("fake1: it was removed");
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), DRIVER);
	EXPECT_LOGGED("fake1: it was removed");
	fake.check_err = 0;
	verbs.open_err = -EACCES;
	ERR(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE);
	EXPECT_LOGGED("fake1: Permission denied");
	verbs.open_err = -ENOMEM;
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey), NO_MEMORY);
	EXPECT_LOGGED("fake1");
	tear_down();
}

TEST(device_whose_domain_is_in_use_does_not_close)
{
	struct ibv_pd *pd, *again;
	struct doca_dev *dev;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	dev = fake_dev(2);
	OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
	verbs.close_err = -EBUSY;
	ERR(doca_dev_close(dev), IN_USE);
	EXPECT_LOGGED("cannot close fake2: its protection domain");
	OK(doca_rdma_bridge_get_dev_pd(dev, &again));
	EXPECT(pd == again);
	verbs.close_err = 0;
	OK(doca_dev_close(dev));
	EXPECT_EQ(verbs.pds, 0);
	tear_down();
}

/* The mmap goes last, with a queue pair of the program's still in the domain. */
TEST(domain_that_is_in_use_when_its_last_mmap_goes)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct ibv_pd *pd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	dev = fake_dev(2);
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

TEST(device_from_a_domain)
{
	struct doca_dev *dev, *again;
	struct doca_mmap *mmap;
	struct ibv_pd *pd;
	struct doca_buf *buf;
	uint32_t mkey;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	fake.get_err = -ENOENT; /* no module is needed */
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &dev));
	OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
	EXPECT(pd == &theirs);
	EXPECT(!doca_dev_as_devinfo(dev));
	ERR(doca_rdma_bridge_open_dev_from_pd(&theirs, &again), IN_USE);
	EXPECT_LOGGED("a device's already");

	mmap = new_mmap(dev, DOCA_ACCESS_FLAG_RDMA_READ);
	fake.reg_calls = 0;
	OK(doca_mmap_start(mmap));
	EXPECT_EQ(fake.reg_calls, 0);
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

	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_rdma_bridge_open_dev_from_pd(&theirs, &dev),
		      NO_MEMORY, OK(doca_dev_close(dev)));
}

TEST(domain_of_a_device_makes_no_other)
{
	struct doca_dev *dev;
	struct ibv_pd *pd;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	logged();
	ERR(doca_rdma_bridge_open_dev_from_pd(pd, &dev), IN_USE);
	EXPECT_LOGGED("a device's already");
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

	fake.map_err = -ENOMEM; /* after the region was made */
	ERR(doca_mmap_start(mmap), NO_MEMORY);
	logged();
	EXPECT_EQ(verbs.mrs, 0);
	EXPECT_EQ(fake.mems, 1);
	fake.map_err = 0;
	verbs.reg_err = -EINVAL;
	ERR(doca_mmap_start(mmap), NOT_SUPPORTED);
	EXPECT_LOGGED("theirs0");
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
	ERR(doca_mmap_create_from_export(NULL, "x", 1, dev, &mmap),
	    NOT_SUPPORTED);
	EXPECT_LOGGED("theirs0 was made from a protection domain");
	mmap = new_mmap(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	OK(doca_mmap_start(mmap));
	ERR(doca_mmap_export_pci(mmap, dev, &desc, &len), NOT_SUPPORTED);
	EXPECT_LOGGED("theirs0 was made from a protection domain");
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
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
	ERR(doca_rdma_bridge_get_dev_pd(bed.dev, &pd), BAD_STATE);
	EXPECT_LOGGED("before this process was forked");
	ERR(doca_rdma_bridge_get_buf_mkey(bed.buf, bed.dev, &mkey),
	    INVALID_VALUE);
	EXPECT_LOGGED("before this process was forked");
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	OK(doca_mmap_destroy(bed.mmap));
	EXPECT_EQ(verbs.mrs, 1);
	OK(doca_buf_inventory_destroy(bed.inv));
	/* what the fork itself has done in the child */
	verbs_orphan_pd(bed.dev->pd);
	bed.dev->pd = NULL;
	OK(doca_dev_close(bed.dev));
	EXPECT_EQ(fake.refs, 1);
	free(mr);
	driver_forks = 0;
}
