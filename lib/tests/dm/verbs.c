// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Stands between libopen_doca_dm and libibverbs: a device without memory, one with
 * memory, and registrations that only record their arguments.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

struct ibv_device fake_plain = { .name = "plain0", .dev_name = "uverbs0" };
struct ibv_device fake_other = { .name = "plain1", .dev_name = "uverbs1" };
struct ibv_device fake_owner = { .name = "owner0", .dev_name = "uverbs2" };
/* A device of a provider without extended calls. */
struct ibv_device fake_old = { .name = "old0", .dev_name = "uverbs3" };

struct fake_mr fake_last;
int fake_errno;
int fake_mrs;

static int query_device_ex(struct ibv_context *verbs, const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t size)
{
	struct ibv_device_attr_ex all = { .orig_attr.max_qp = 7 };

	(void)input;
	if (verbs->device == &fake_owner)
		all.max_dm_size = OWNER_SIZE;
	memcpy(attr, &all, size);
	return 0;
}

static struct ibv_dm *owner_alloc(struct ibv_context *verbs, struct ibv_alloc_dm_attr *attr)
{
	static struct ibv_dm dm;

	(void)attr;
	dm.context = verbs;
	dm.handle = 4711;
	return &dm;
}

static int owner_free(struct ibv_dm *dm)
{
	return dm->handle == 4711 ? 0 : EINVAL;
}

static int never_called(void)
{
	abort();
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct verbs_context *vctx = calloc(1, sizeof(*vctx));

	if (!vctx)
		return NULL;
	vctx->context.device = device;
	vctx->sz = sizeof(*vctx);
	vctx->query_device_ex = query_device_ex;
	if (device != &fake_old)
		vctx->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	if (device == &fake_owner) {
		vctx->alloc_dm = owner_alloc;
		vctx->free_dm = owner_free;
		vctx->reg_dm_mr = (void *)never_called;
	}
	return &vctx->context;
}

struct ibv_context *ibv_import_device(int fd)
{
	return fd == 77 ? ibv_open_device(&fake_plain) : NULL;
}

int ibv_close_device(struct ibv_context *verbs)
{
	if (verbs->device == &fake_old)
		free((char *)verbs - offsetof(struct verbs_context, context));
	else
		free(verbs_get_ctx(verbs));
	return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				unsigned int access)
{
	struct ibv_mr *mr;

	if (fake_errno) {
		errno = fake_errno;
		return NULL;
	}
	mr = calloc(1, sizeof(*mr));
	if (!mr)
		return NULL;
	fake_last = (struct fake_mr){ addr, length, iova, access, 0 };
	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	fake_mrs++;
	return mr;
}

/* Like libibverbs, use the range to undo what was told to the kernel. */
int ibv_dereg_mr(struct ibv_mr *mr)
{
	if (fake_errno)
		return fake_errno;
	fake_last = (struct fake_mr){ .addr = mr->addr, .length = mr->length };
	fake_mrs--;
	free(mr);
	return 0;
}

/* Like libibverbs: a region that has failed must not be used any more. */
int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		 int access)
{
	if (fake_errno) {
		errno = fake_errno;
		return IBV_REREG_MR_ERR_CMD;
	}
	fake_last = (struct fake_mr){ addr, length, 0, access, flags };
	if (flags & IBV_REREG_MR_CHANGE_PD)
		mr->pd = pd;
	if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
		mr->addr = addr;
		mr->length = length;
	}
	return 0;
}

struct ibv_dm *ibv_import_dm(struct ibv_context *verbs, uint32_t handle)
{
	(void)verbs;
	(void)handle;
	errno = EOPNOTSUPP;
	return NULL;
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	dm->handle = 0;
}
