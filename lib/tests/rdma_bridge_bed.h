/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A fake verbs library that counts objects, and a device with memory and a buffer. */
#ifndef DOCA_TESTS_RDMA_BRIDGE_BED_H
#define DOCA_TESTS_RDMA_BRIDGE_BED_H

#include <infiniband/verbs.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>
#include <doca_rdma_bridge.h>

#include "ktap.h"
#include "fake_driver.h"
#include "logged.h"
#include "core/memory/mmap.h"
#include "core/device/verbs.h"

/* Existing objects, the last arguments, and calls that shall fail. */
static struct {
	int pds;
	int mrs;
	int orphans;
	int opened; /* total number */
	char name[64]; /* the last one's */
	int registered; /* total number */
	const void *addr;
	size_t len;
	int fd;
	size_t offset;
	int access;
	int prepare_err;
	int open_err;
	int close_err;
	int reg_err;
	int dereg_err;
} verbs;

static struct ibv_device device = { .name = "theirs0" };
static struct ibv_context context = { .device = &device };
__attribute__((unused)) static struct ibv_pd theirs = { .context = &context };

static char mem[8192] __attribute__((aligned(4096)));

int verbs_prepare(void)
{
	return verbs.prepare_err;
}

int verbs_prepare_domain(void)
{
	return verbs.prepare_err;
}

struct ibv_context *verbs_open_device(const char *ibdev)
{
	(void)ibdev;
	return NULL;
}

int verbs_open_pd(const char *ibdev, struct ibv_pd **pd)
{
	pthread_testcancel(); /* like opening files */
	if (strncmp(ibdev, "fake", 4))
		return -ENODEV;
	if (verbs.open_err)
		return verbs.open_err;
	*pd = calloc(1, sizeof(**pd));
	if (!*pd)
		abort();
	(*pd)->context = &context;
	snprintf(verbs.name, sizeof(verbs.name), "%s", ibdev);
	verbs.pds++;
	verbs.opened++;
	return 0;
}

int verbs_close_pd(struct ibv_pd *pd)
{
	pthread_testcancel();
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

int verbs_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access, struct ibv_mr **mr)
{
	pthread_testcancel();
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
	(*mr)->rkey = 1000 + verbs.registered;
	verbs.mrs++;
	return 0;
}

int verbs_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset, void *addr, size_t len,
			int access, struct ibv_mr **mr)
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

static inline struct doca_mmap *new_mmap(struct doca_dev *dev, uint32_t access)
{
	struct doca_mmap *mmap = NULL;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, mem, sizeof(mem)));
	OK(doca_mmap_set_permissions(mmap, access));
	OK(doca_mmap_add_dev(mmap, dev));
	return mmap;
}

static inline struct doca_buf *new_buf(struct doca_mmap *mmap)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_data(bed.inv, mmap, mem + 10, 20, &buf));
	return buf;
}

/* Make a device, a started mmap of it, and a buffer. */
static inline void set_up(uint32_t access)
{
	fake_reset(false);
	memset(&verbs, 0, sizeof(verbs));
	memset(&bed, 0, sizeof(bed));
	bed.dev = fake_new_dev(1);
	bed.mmap = new_mmap(bed.dev, access);
	OK(doca_mmap_start(bed.mmap));
	OK(doca_buf_inventory_create(4, &bed.inv));
	OK(doca_buf_inventory_start(bed.inv));
	bed.buf = new_buf(bed.mmap);
}

static inline void tear_down(void)
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

#endif /* DOCA_TESTS_RDMA_BRIDGE_BED_H */
