// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_dev.h>
#include <doca_mmap.h>
#include <infiniband/verbs.h>

#include "bench/device.h"
#include "bench/msg.h"
#include "pin.h"

static int doca_open(struct way *way, const struct load *load)
{
	struct pin_way *pw = container_of(way, struct pin_way, way);

	(void)load;
	return device_open(pw->device, &pw->doca.dev);
}

static void doca_close(struct way *way)
{
	struct pin_way *pw = container_of(way, struct pin_way, way);

	doca_dev_close(pw->doca.dev);
}

static void doca_dereg(struct pin_way *pw)
{
	if (pw->doca.mmap)
		doca_mmap_destroy(pw->doca.mmap);
	pw->doca.mmap = NULL;
}

static int doca_reg(struct pin_way *pw)
{
	struct doca_mmap **mmap = &pw->doca.mmap;
	doca_error_t err;

	err = doca_mmap_create(mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(*mmap, pw->memory->addr,
					     pw->memory->length);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(
			*mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(*mmap, pw->doca.dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(*mmap);
	if (err == DOCA_SUCCESS)
		return 0;
	doca_dereg(pw);
	return fail_doca(err, "cannot register memory");
}

void pin_doca_init(struct pin_way *pw, const struct pin_area *memory,
		   const char *device)
{
	*pw = (struct pin_way){
		.way = {
			.name = "doca_mmap",
			.open = doca_open,
			.run = pin_run,
			.close = doca_close,
		},
		.memory = memory,
		.device = device,
		.reg = doca_reg,
		.dereg = doca_dereg,
	};
}

static int verbs_open(struct way *way, const struct load *load)
{
	struct pin_way *pw = container_of(way, struct pin_way, way);
	struct ibv_device **list = ibv_get_device_list(NULL);

	(void)load;
	if (list && list[0])
		pw->verbs.context = ibv_open_device(list[0]);
	if (list)
		ibv_free_device_list(list);
	if (!pw->verbs.context)
		return fail("cannot open an RDMA device");
	pw->verbs.pd = ibv_alloc_pd(pw->verbs.context);
	if (pw->verbs.pd)
		return 0;
	ibv_close_device(pw->verbs.context);
	return fail("cannot allocate a protection domain");
}

static void verbs_close(struct way *way)
{
	struct pin_way *pw = container_of(way, struct pin_way, way);

	ibv_dealloc_pd(pw->verbs.pd);
	ibv_close_device(pw->verbs.context);
}

static int verbs_reg(struct pin_way *pw)
{
	pw->verbs.mr = ibv_reg_mr(pw->verbs.pd, pw->memory->addr,
				  pw->memory->length, IBV_ACCESS_LOCAL_WRITE);
	if (!pw->verbs.mr)
		return fail_errno(errno, "ibv_reg_mr");
	return 0;
}

static void verbs_dereg(struct pin_way *pw)
{
	ibv_dereg_mr(pw->verbs.mr);
}

bool pin_verbs_init(struct pin_way *pw, const struct pin_area *memory)
{
	int nr = 0;
	struct ibv_device **list = ibv_get_device_list(&nr);

	if (list)
		ibv_free_device_list(list);
	*pw = (struct pin_way){
		.way = {
			.name = "ibv_reg_mr",
			.open = verbs_open,
			.run = pin_run,
			.close = verbs_close,
		},
		.memory = memory,
		.reg = verbs_reg,
		.dereg = verbs_dereg,
	};
	return nr;
}
