// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "table.h"

int verbs_table_load_drivers(void)
{
	struct ibv_device **list;
	int nr = 0;

	errno = 0;
	list = ibv_get_device_list(&nr);
	if (!list)
		return errno ? -errno : -EIO;
	ibv_free_device_list(list);
	return nr;
}

struct ibv_context *verbs_table_open_device(const char *name)
{
	struct ibv_context *ctx = NULL;
	struct ibv_device **list;
	int i, err;

	list = ibv_get_device_list(NULL);
	if (!list)
		return NULL;
	err = ENODEV;
	for (i = 0; list[i] && err == ENODEV; i++) {
		if (strcmp(ibv_get_device_name(list[i]), name))
			continue;
		errno = 0;
		ctx = ibv_open_device(list[i]);
		err = errno ? errno : EIO;
	}
	ibv_free_device_list(list);
	errno = err;
	return ctx;
}

int verbs_table_open_pd(const char *ibdev, struct ibv_pd **pd)
{
	struct ibv_context *ctx;
	int err;

	ctx = verbs_table_open_device(ibdev);
	if (!ctx)
		return errno ? -errno : -EIO;
	*pd = ibv_alloc_pd(ctx);
	if (*pd)
		return 0;
	err = errno ? -errno : -EIO;
	ibv_close_device(ctx);
	return err;
}

int verbs_table_close_pd(struct ibv_pd *pd)
{
	struct ibv_context *ctx = pd->context;
	int err;

	err = ibv_dealloc_pd(pd);
	if (err)
		return -err;
	ibv_close_device(ctx);
	return 0;
}

/* Only close: calls of the verbs library would reach the parent's objects. */
void verbs_table_orphan_pd(struct ibv_pd *pd)
{
	close(pd->context->cmd_fd);
	close(pd->context->async_fd);
}

int verbs_table_reg_mr(struct ibv_pd *pd, void *addr, size_t len, int access,
		       struct ibv_mr **mr)
{
	*mr = ibv_reg_mr(pd, addr, len, access);
	if (*mr)
		return 0;
	return errno ? -errno : -EIO;
}

int verbs_table_reg_dmabuf_mr(struct ibv_pd *pd, int fd, size_t offset,
			      void *addr, size_t len, int access,
			      struct ibv_mr **mr)
{
	*mr = ibv_reg_dmabuf_mr(pd, offset, len, (uintptr_t)addr, fd, access);
	if (*mr)
		return 0;
	return errno ? -errno : -EIO;
}

int verbs_table_dereg_mr(struct ibv_mr *mr)
{
	return -ibv_dereg_mr(mr);
}
