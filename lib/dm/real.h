/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_DM_REAL_H
#define DOCA_DM_REAL_H

#include <stdint.h>

#include <infiniband/verbs.h>

extern struct real {
	struct ibv_context *(*open_device)(struct ibv_device *device);
	struct ibv_context *(*import_device)(int fd);
	int (*close_device)(struct ibv_context *context);
	int (*dereg_mr)(struct ibv_mr *mr);
	int (*rereg_mr)(struct ibv_mr *mr, int flags, struct ibv_pd *pd,
			void *addr, size_t length, int access);
	struct ibv_dm *(*import_dm)(struct ibv_context *context,
				    uint32_t handle);
	void (*unimport_dm)(struct ibv_dm *dm);
} real;

#endif /* DOCA_DM_REAL_H */
