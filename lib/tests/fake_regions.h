/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: registered memory, its keys, exports and imports. */
#ifndef DOCA_TESTS_FAKE_REGIONS_H
#define DOCA_TESTS_FAKE_REGIONS_H

#include <errno.h>
#include <string.h>

#include "fake_state.h"

int driver_mem_reg(void *addr, size_t len, uint32_t *access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	FAKE_COUNT(fake.regs, 1);
	fake.addr = addr;
	fake.len = len;
	fake.reg_access = *access;
	*limit = fake.limit;
	if (fake.mem_error)
		return fake.mem_error;
	if (fake.write_error && (*access & DOCA_ACCESS_LOCAL_WRITE))
		return fake.write_error;
	if (fake.mem_max && addr && len > fake.mem_max)
		return -ENOMEM;
	*access &= ~fake.reg_refuse;
	pthread_mutex_lock(&fake_lock);
	fake.mems++;
	*mem_id = ++next_mem % MAX_OBJECTS;
	mems[*mem_id].addr = (uintptr_t)addr;
	mems[*mem_id].length = len;
	mems[*mem_id].access = *access;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len, uint32_t *access,
			  uint32_t *mem_id, struct driver_mem_limit *limit)
{
	fake.dmabuf_fd = fd;
	fake.dmabuf_offset = offset;
	return driver_mem_reg(addr, len, access, mem_id, limit);
}

static void drop_key(uint32_t key)
{
	fake.keys -= !!keys[key].length;
	fake.exports -= keys[key].exported;
	memset(&keys[key], 0, sizeof(keys[key]));
}

/* Like the kernel, remove its keys and exports as well. */
int driver_mem_dereg(uint32_t mem_id)
{
	if (fake.dereg_error)
		return fake.dereg_error;
	pthread_mutex_lock(&fake_lock);
	fake.mems--;
	memset(&mems[mem_id], 0, sizeof(mems[mem_id]));
	for (uint32_t i = 0; i < MAX_OBJECTS; i++)
		if (keys[i].mem == mem_id)
			drop_key(i);
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access, uint32_t *key)
{
	fake.map_access = access;
	if (removed)
		return -ENODEV;
	if (fake.map_error && (!fake.map_error_device || fake.map_error_device == device_id))
		return fake.map_error;
	pthread_mutex_lock(&fake_lock);
	fake.keys++;
	*key = ++next_key % MAX_OBJECTS;
	keys[*key].addr = mems[mem_id].addr;
	keys[*key].length = mems[mem_id].length;
	keys[*key].access = access;
	keys[*key].mem = mem_id;
	keys[*key].device = device_id;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_unmap(uint32_t key)
{
	if (fake.unmap_error)
		return fake.unmap_error;
	drop_key(key);
	return 0;
}

int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size)
{
	struct doca_blob out = { .magic = DOCA_BLOB_MAGIC };

	fake.any_user = any_user;
	if (fake.export_error)
		return fake.export_error;
	if (size != sizeof(out))
		return -EMSGSIZE;
	if (!(mems[keys[key].mem].access & DOCA_ACCESS_PCI_READ))
		return -EACCES;
	fake.exports += !keys[key].exported;
	keys[key].exported = true;
	out.export_id = keys[key].mem;
	memcpy(blob, &out, sizeof(out));
	return 0;
}

int driver_mem_import(uint32_t device_id, const void *blob, size_t size,
		      struct doca_mem_import *out)
{
	struct doca_blob in;
	uint32_t access, mem;
	int err;

	if (fake.import_error)
		return fake.import_error;
	*out = fake.import;
	if (out->out_key) {
		fake.keys++;
		keys[out->out_key].length = out->out_length;
		return 0;
	}
	if (size != sizeof(in))
		return -EINVAL;
	memcpy(&in, blob, sizeof(in));
	if (in.magic != DOCA_BLOB_MAGIC)
		return -EINVAL;
	mem = in.export_id;
	if (mem >= MAX_OBJECTS || !mems[mem].length)
		return -ENOKEY;
	access = DOCA_ACCESS_LOCAL_READ;
	if (mems[mem].access & DOCA_ACCESS_PCI_WRITE)
		access |= DOCA_ACCESS_LOCAL_WRITE;
	err = driver_mem_map(mem, device_id, access, &out->out_key);
	if (err)
		return err;
	out->out_access = access;
	out->out_addr = mems[mem].addr;
	out->out_length = mems[mem].length;
	return 0;
}

#endif /* DOCA_TESTS_FAKE_REGIONS_H */
