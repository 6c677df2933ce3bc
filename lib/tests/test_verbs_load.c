// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Verbs are loaded without a lock of ours: constructors may call the library, and fork, in the thread
 * that loads. They are loaded once in a process, so each test has its own.
 */
#include <infiniband/verbs.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>
#include <doca_rdma_bridge.h>

#include "core/device/verbs_load.h"
#include "core/verbs/table.h"
#include "fake_driver.h"
#include "in_child.h"
#include "logged.h"

static struct ibv_device device = { .name = "theirs0" };
static struct ibv_context context = { .device = &device };
static struct ibv_pd theirs = { .context = &context }, ours = { .context = &context };
static struct ibv_mr region = { .lkey = 11, .rkey = 12 };

static char mem[4096];

static struct {
	unsigned int loads, drivers;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
} bed;

static int open_pd(const char *ibdev, struct ibv_pd **pd)
{
	(void)ibdev;
	*pd = &ours;
	return 0;
}

static int close_pd(struct ibv_pd *pd)
{
	(void)pd;
	return 0;
}

static void orphan_pd(struct ibv_pd *pd)
{
	(void)pd;
}

static int reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access, struct ibv_mr **mr)
{
	(void)addr, (void)len, (void)access;
	region.pd = pd;
	*mr = &region;
	return 0;
}

static int dereg_mr(struct ibv_mr *mr)
{
	(void)mr;
	return 0;
}

static const struct verbs_table table = {
	.open_pd = open_pd,
	.close_pd = close_pd,
	.orphan_pd = orphan_pd,
	.reg_mr = reg_mr,
	.dereg_mr = dereg_mr,
};

/* A lock that is held would be waited for in vain. */
static void construct(void)
{
	struct doca_dev *dev = fake_new_dev(9);
	size_t len;
	void *addr;

	OK(doca_dev_close(dev));
	OK(doca_mmap_get_memrange(bed.mmap, &addr, &len));
	IN_CHILD();
}

int verbs_load(const struct verbs_table **loaded)
{
	if (!bed.loads++)
		construct();
	*loaded = &table;
	return 0;
}

int verbs_load_all(const struct verbs_table **loaded)
{
	verbs_load(loaded);
	if (!bed.drivers++)
		construct();
	return 0;
}

int verbs_enter(int *cancel_state)
{
	*cancel_state = 0;
	return 0;
}

void verbs_leave(int cancel_state)
{
	(void)cancel_state;
}

static void new_mmap(struct doca_dev *dev)
{
	OK(doca_mmap_create(&bed.mmap));
	OK(doca_mmap_set_memrange(bed.mmap, mem, sizeof(mem)));
	OK(doca_mmap_set_permissions(bed.mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
						       DOCA_ACCESS_FLAG_RDMA_READ));
	OK(doca_mmap_enable_thread_safety(bed.mmap));
	if (dev)
		OK(doca_mmap_add_dev(bed.mmap, dev));
}

static void set_up(void)
{
	fake_reset(false);
	alarm(20);
	bed.dev = fake_new_dev(1);
	new_mmap(bed.dev);
	OK(doca_mmap_start(bed.mmap));
	EXPECT_EQ(bed.loads, 0);
}

static void tear_down(void)
{
	EXPECT(bed.loads > 0);
	OK(doca_mmap_destroy(bed.mmap));
	OK(doca_dev_close(bed.dev));
	EXPECT_CLEAN();
}

static void get_domain(void)
{
	struct ibv_pd *pd = NULL;

	set_up();
	OK(doca_rdma_bridge_get_dev_pd(bed.dev, &pd));
	EXPECT(pd == &ours);
	tear_down();
}

TEST(a_domain_is_made)
{
	IN_CHILD(get_domain());
}

static void get_key(void)
{
	struct doca_buf_inventory *inv;
	struct doca_buf *buf;
	uint32_t mkey = 0;

	set_up();
	OK(doca_buf_inventory_create(1, &inv));
	OK(doca_buf_inventory_start(inv));
	OK(doca_buf_inventory_buf_get_by_data(inv, bed.mmap, mem, 8, &buf));
	OK(doca_rdma_bridge_get_buf_mkey(buf, bed.dev, &mkey));
	EXPECT_EQ(mkey, 11);
	OK(doca_buf_dec_refcount(buf, NULL));
	OK(doca_buf_inventory_destroy(inv));
	tear_down();
}

TEST(a_key_is_made)
{
	IN_CHILD(get_key());
}

static void export(void)
{
	const void *desc;
	size_t len;

	set_up();
	OK(doca_mmap_export_rdma(bed.mmap, bed.dev, &desc, &len));
	tear_down();
}

TEST(memory_is_exported)
{
	IN_CHILD(export());
}

/* The mmap registers its memory when it starts. */
static void start(void)
{
	fake_reset(false);
	alarm(20);
	new_mmap(NULL);
	OK(doca_rdma_bridge_open_dev_from_pd(&theirs, &bed.dev));
	OK(doca_mmap_add_dev(bed.mmap, bed.dev));
	OK(doca_mmap_start(bed.mmap));
	tear_down();
}

TEST(memory_of_a_domain_starts)
{
	IN_CHILD(start());
}
