/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The calls of device memory, each as a function that returns 0 or the negative errno. */
#ifndef SELFTESTS_UAPI_DM_H
#define SELFTESTS_UAPI_DM_H

#include "doca_uapi.h"

static inline int dm_query(int fd, uint32_t device, struct doca_dm_query *q)
{
	*q = (struct doca_dm_query){ .size = sizeof(*q), .device_id = device };
	return doca_call(fd, DOCA_DM_QUERY, q);
}

static inline int dm_alloc(int fd, uint32_t device, uint64_t length,
			   struct doca_dm_alloc *a)
{
	*a = (struct doca_dm_alloc){
		.size = sizeof(*a),
		.device_id = device,
		.length = length,
	};
	return doca_call(fd, DOCA_DM_ALLOC, a);
}

static inline int dm_import(int fd, uint32_t device, uint32_t handle,
			    struct doca_dm_import *i)
{
	*i = (struct doca_dm_import){
		.size = sizeof(*i),
		.device_id = device,
		.handle = handle,
	};
	return doca_call(fd, DOCA_DM_IMPORT, i);
}

static inline int dm_free(int fd, uint32_t id)
{
	return object_destroy(fd, DOCA_OBJECT_DM, id);
}

static inline size_t dm_pages(uint64_t length)
{
	return (length + PAGE - 1) / PAGE * PAGE;
}

/* NULL on failure, with errno */
static inline uint8_t *dm_map(int fd, uint64_t length, uint64_t offset)
{
	void *p = mmap(NULL, dm_pages(length), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, offset);

	return p == MAP_FAILED ? NULL : p;
}

#endif
