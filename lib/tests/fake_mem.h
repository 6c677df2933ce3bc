/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A driver without a kernel, for the objects that describe devices and memory. It
 * counts what it was asked to make and to release, and fails where a test says.
 * Included by one file of a program, in place of driver.c.
 */
#ifndef DOCA_TESTS_FAKE_MEM_H
#define DOCA_TESTS_FAKE_MEM_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/debug.h"
#include "core/device/dev.h"
#include "core/driver/driver.h"

static struct {
	/* what is there now */
	int refs;
	int mems;
	int keys;
	int exports;
	/* what was asked last */
	void *addr;
	size_t len;
	int dmabuf_fd; /* 0: it was no dma-buf */
	size_t dmabuf_offset;
	uint32_t reg_access;
	uint32_t map_access;
	bool any_user;
	int reg_calls;
	uint32_t last_key;
	/* what is to fail, negative errnos */
	int get_err;
	int reg_err;
	int write_err; /* only if write access is asked for */
	int dereg_err;
	int map_err;
	uint32_t map_err_device; /* only for this one; 0 for all */
	int unmap_err;
	int export_err;
	int import_err;
	int check_err;
	struct driver_mem_limit limit;
	struct doca_query caps;
	struct doca_mem_import import;
} fake;

uint32_t driver_forks;

static void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.caps.out_blob_size = DOCA_BLOB_SIZE;
	fake.import.out_key = 77;
	fake.import.out_addr = 0x10000;
	fake.import.out_length = 0x2000;
	fake.import.out_access = DOCA_ACCESS_LOCAL_READ;
}

/* Everything that was made was released. */
#define EXPECT_CLEAN()                      \
	do {                                \
		EXPECT_EQ(fake.refs, 0);    \
		EXPECT_EQ(fake.mems, 0);    \
		EXPECT_EQ(fake.keys, 0);    \
		EXPECT_EQ(fake.exports, 0); \
	} while (0)

int driver_get(void)
{
	if (fake.get_err)
		return fake.get_err;
	fake.refs++;
	return 0;
}

void driver_put(void)
{
	fake.refs--;
}

/* Whether it is the one in the process. */
static bool fake_in_process;

bool driver_is_in_process(void)
{
	return fake_in_process;
}

const struct doca_query *driver_caps(void)
{
	return &fake.caps;
}

int driver_mem_reg(void *addr, size_t len, uint32_t access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	fake.reg_calls++;
	fake.addr = addr;
	fake.len = len;
	fake.reg_access = access;
	*limit = fake.limit;
	if (fake.reg_err)
		return fake.reg_err;
	if (fake.write_err && (access & DOCA_ACCESS_LOCAL_WRITE))
		return fake.write_err;
	fake.mems++;
	*mem_id = 5;
	return 0;
}

int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len,
			  uint32_t access, uint32_t *mem_id,
			  struct driver_mem_limit *limit)
{
	fake.dmabuf_fd = fd;
	fake.dmabuf_offset = offset;
	return driver_mem_reg(addr, len, access, mem_id, limit);
}

/* As the kernel does, it takes back the keys and the exports as well. */
int driver_mem_dereg(uint32_t mem_id)
{
	if (fake.dereg_err)
		return fake.dereg_err;
	if (mem_id != 5 || !fake.mems)
		abort();
	fake.mems--;
	fake.keys = 0;
	fake.exports = 0;
	return 0;
}

int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access,
		   uint32_t *key)
{
	if (mem_id != 5)
		abort();
	fake.map_access = access;
	if (fake.map_err &&
	    (!fake.map_err_device || fake.map_err_device == device_id))
		return fake.map_err;
	fake.keys++;
	*key = ++fake.last_key;
	return 0;
}

int driver_mem_unmap(uint32_t key)
{
	if (fake.unmap_err)
		return fake.unmap_err;
	if (key != fake.import.out_key)
		abort();
	fake.keys--;
	return 0;
}

int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size)
{
	fake.any_user = any_user;
	if (fake.export_err)
		return fake.export_err;
	fake.exports++;
	memset(blob, key, size);
	return 0;
}

int driver_mem_import(uint32_t device_id, const void *blob, size_t size,
		      struct doca_mem_import *out)
{
	(void)device_id;
	(void)blob;
	(void)size;
	if (fake.import_err)
		return fake.import_err;
	fake.keys++;
	*out = fake.import;
	return 0;
}

#ifndef DOCA_TESTS_FAKE_NET_H
int driver_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	(void)infos;
	(void)n;
	return -ENOENT;
}
#endif

int driver_check_device(uint32_t id)
{
	(void)id;
	return fake.check_err;
}

/* A devinfo that is in no list; debug mode would not know it. */
static __attribute__((unused)) doca_error_t fake_open(struct doca_devinfo *info,
						      struct doca_dev **dev)
{
	doca_priv_debug_add(info, DEBUG_DEVINFO, sizeof(*info), 1);
	return doca_dev_open(info, dev);
}

/* A devinfo as a list would have it, and the device that it describes. */
static __attribute__((unused)) struct doca_dev *fake_dev(uint32_t id)
{
	struct doca_devinfo info = { .id = id, .type = DOCA_DEV_RDMA };
	struct doca_dev *dev;

	snprintf(info.name, sizeof(info.name), "fake%u", id);
	return fake_open(&info, &dev) == DOCA_SUCCESS ? dev : NULL;
}

#endif /* DOCA_TESTS_FAKE_MEM_H */
