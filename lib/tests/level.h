/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Common code for tests of the levels 1.3 and 1.5: the fake driver, which is in a file of
 * its own, memory, a context and a work queue. It is compiled at the level of the test.
 */
#ifndef DOCA_TESTS_LEVEL_H
#define DOCA_TESTS_LEVEL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doca_dma.h>
#include <doca_log.h>

#include "ktap.h"
#include "level_fake.h"
#include "logged_text.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)
#define INVALID(call) ERR(call, INVALID_VALUE)

/* A property is read or set as a whole, and its object must exist. */
#define CHECKS_PROPERTY(access, object, property, value, size)        \
	do {                                                          \
		INVALID(access(NULL, property, value, size));         \
		INVALID(access(object, property, NULL, size));        \
		INVALID(access(object, property, value, (size)-1));   \
		INVALID(access(object, property, value, (size) + 1)); \
	} while (0)

#define MEM_SIZE 65536
#define PAGE 4096

/* A value of doca_status that the tests need. */
#define LEVEL_BAD_ACCESS 6

static char mem[MEM_SIZE] __attribute__((aligned(PAGE)));

static struct {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_workq *workq;
} lv;

static inline struct doca_dev *open_dev(unsigned int i)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;

	OK(doca_devinfo_list_create(&list));
	OK(doca_dev_open(list[i], &dev));
	OK(doca_devinfo_list_destroy(list));
	return dev;
}

static inline struct doca_buf *take(size_t off, size_t len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_by_addr(lv.inv, lv.mmap, mem + off, len, &buf));
	return buf;
}

static inline void put(struct doca_buf *buf)
{
	OK(doca_buf_refcount_rm(buf, NULL));
}

static inline void set_up(uint32_t depth, bool workers)
{
	unsigned int i;

	level_fake_reset(workers);
	for (i = 0; i < MEM_SIZE; i++)
		mem[i] = i < MEM_SIZE / 2 ? i * 31 + (i >> 8) : 0;
	lv.dev = open_dev(0);
	OK(doca_mmap_create(NULL, &lv.mmap)); /* a NULL name or a value */
	OK(doca_mmap_start(lv.mmap));
	OK(doca_mmap_populate(lv.mmap, mem, MEM_SIZE, PAGE, NULL, NULL));
	OK(doca_mmap_dev_add(lv.mmap, lv.dev));
	OK(doca_buf_inventory_create(NULL, 64, DOCA_BUF_EXTENSION_NONE, &lv.inv));
	OK(doca_buf_inventory_start(lv.inv));
	OK(doca_dma_create(&lv.dma));
	lv.ctx = doca_dma_as_ctx(lv.dma);
	OK(doca_ctx_dev_add(lv.ctx, lv.dev));
	OK(doca_ctx_start(lv.ctx));
	OK(doca_workq_create(depth, &lv.workq));
	OK(doca_ctx_workq_add(lv.ctx, lv.workq));
}

static inline void tear_down(void)
{
	OK(doca_ctx_workq_rm(lv.ctx, lv.workq));
	OK(doca_workq_destroy(lv.workq));
	OK(doca_ctx_stop(lv.ctx));
	OK(doca_ctx_dev_rm(lv.ctx, lv.dev));
	OK(doca_dma_destroy(lv.dma));
	OK(doca_buf_inventory_destroy(lv.inv));
	OK(doca_mmap_destroy(lv.mmap));
	OK(doca_dev_close(lv.dev));
}

static inline void put_and_tear_down(struct doca_buf *src, struct doca_buf *dst)
{
	put(src);
	put(dst);
	tear_down();
}

__attribute__((constructor)) static void logged_init(void)
{
	struct doca_log_backend *backend;

	logged_file = tmpfile();
	if (!logged_file || doca_log_backend_create_with_file(logged_file, &backend) ||
	    doca_log_backend_create_with_file_sdk(logged_file, &backend))
		abort();
}

/* Expect a line of the log with these words. */
#define EXPECT_LOGGED(words)                                                  \
	do {                                                                  \
		const char *text_ = logged();                                 \
                                                                              \
		if (!strstr(text_, words))                                    \
			KTAP_SAY_("logged \"%s\", not \"%s\"", text_, words); \
	} while (0)

#endif /* DOCA_TESTS_LEVEL_H */
