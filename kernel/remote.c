// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Mappings of remote memory: each has a struct doca_memory of its own, without pages. */
#include <linux/err.h>

#include "memory.h"
#include "remote.h"
#include "ucmd.h"

int doca_remote_import(struct doca_ucmd *ucmd, const struct doca_blob *blob)
{
	struct doca_mem_import *arg = ucmd->arg;
	struct doca_mapping *mapping;
	struct doca_remote *remote;
	struct doca_memory *memory;
	int rc;

	rc = doca_remote_ops->import(blob, &remote);
	if (rc)
		return rc;
	memory = doca_memory_create_remote(remote);
	if (IS_ERR(memory)) {
		doca_remote_ops->release(remote);
		return PTR_ERR(memory);
	}
	/*
	 * It grants no access: the CPU's path refuses operations on it, and they go to the
	 * provider.
	 */
	mapping = doca_mapping_create(ucmd->file, memory, NULL, arg->device_id,
				      0);
	rc = PTR_ERR_OR_ZERO(mapping);
	if (!rc) {
		arg->out_access = remote->access;
		arg->out_addr = remote->addr;
		arg->out_length = remote->length;
		arg->out_flags = doca_mapping_flags(mapping);
		rc = doca_mapping_publish(mapping, ucmd, &arg->out_key);
	}
	/* The memory has no other mapping, so it ends with this one. */
	doca_memory_die(memory);
	doca_object_put(&memory->obj);
	return rc;
}
