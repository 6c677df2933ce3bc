/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: registered memory, its keys, exports and imports. */
#ifndef DOCA_TESTS_FAKE_REGIONS_H
#define DOCA_TESTS_FAKE_REGIONS_H

#include <errno.h>
#include <string.h>

#include "fake_state.h"

int driver_mem_reg(void *addr, size_t len, uint32_t access, uint32_t *mem_id,
		   struct driver_mem_limit *limit)
{
	*limit = (struct driver_mem_limit){ .limit = UINT64_MAX };
	if (fake.mem_error)
		return fake.mem_error;
	if (fake.mem_max && addr && len > fake.mem_max)
		return -ENOMEM;
	pthread_mutex_lock(&fake_lock);
	*mem_id = ++next_mem % MAX_OBJECTS;
	mems[*mem_id].addr = (uintptr_t)addr;
	mems[*mem_id].length = len;
	mems[*mem_id].access = access;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_reg_dmabuf(int fd, size_t offset, void *addr, size_t len,
			  uint32_t access, uint32_t *mem_id,
			  struct driver_mem_limit *limit)
{
	(void)fd, (void)offset, (void)addr, (void)len, (void)access;
	(void)mem_id, (void)limit;
	return -EOPNOTSUPP;
}

int driver_mem_dereg(uint32_t mem_id)
{
	if (fake.dereg_error)
		return fake.dereg_error;
	pthread_mutex_lock(&fake_lock);
	memset(&mems[mem_id], 0, sizeof(mems[mem_id]));
	for (uint32_t i = 0; i < MAX_OBJECTS; i++)
		if (keys[i].mem == mem_id)
			memset(&keys[i], 0, sizeof(keys[i]));
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int driver_mem_map(uint32_t mem_id, uint32_t device_id, uint32_t access,
		   uint32_t *key)
{
	if ((device_id != FAKE_DEVICE_ID && device_id != FAKE_OTHER_ID) ||
	    removed)
		return -ENODEV;
	pthread_mutex_lock(&fake_lock);
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
	memset(&keys[key], 0, sizeof(keys[key]));
	return 0;
}

int driver_mem_export(uint32_t key, bool any_user, void *blob, size_t size)
{
	struct doca_blob out = { .magic = DOCA_BLOB_MAGIC };

	(void)any_user;
	if (fake.export_error)
		return fake.export_error;
	if (size != sizeof(out))
		return -EMSGSIZE;
	if (!(mems[keys[key].mem].access & DOCA_ACCESS_PCI_READ))
		return -EACCES;
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
