// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stddef.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>

#include "bench/device.h"
#include "bench/loop.h"
#include "bench/msg.h"
#include "scale.h"

static void never(struct doca_dma_task_memcpy *task, union doca_data task_data,
		  union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

static doca_error_t start_and_stop(struct ctx_way *cw, struct doca_dma *dma)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(dma);
	doca_error_t err;

	err = doca_dma_task_memcpy_set_conf(dma, never, never, 32);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(cw->pe, ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_stop(ctx);
	return err;
}

static int submit(void *self, unsigned int n)
{
	struct ctx_way *cw = self;
	struct doca_dma *dma;
	doca_error_t err;

	(void)n;
	err = doca_dma_create(cw->dev, &dma);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot create a DMA context");
	err = start_and_stop(cw, dma);
	doca_dma_destroy(dma);
	return err == DOCA_SUCCESS ?
		       0 :
		       fail_doca(err, "cannot start or stop a DMA context");
}

/* Operations are done at once. */
static int reap(void *self)
{
	(void)self;
	return 1;
}

static int ctx_run(struct way *way, struct meter *meter)
{
	struct ctx_way *cw = container_of(way, struct ctx_way, way);
	static const struct load one = { .size = 1 << 16, .depth = 1 };

	/* Read the clock after each operation, as for large copies. */
	return loop_rate(cw, &one, meter, submit, reap);
}

static void ctx_close(struct way *way)
{
	struct ctx_way *cw = container_of(way, struct ctx_way, way);

	if (cw->pe)
		doca_pe_destroy(cw->pe);
	cw->pe = NULL;
	doca_dev_close(cw->dev);
}

static int ctx_open(struct way *way, const struct load *load)
{
	struct ctx_way *cw = container_of(way, struct ctx_way, way);
	doca_error_t err;

	(void)load;
	if (device_open(cw->device, &cw->dev))
		return -1;
	err = doca_pe_create(&cw->pe);
	if (err == DOCA_SUCCESS)
		return 0;
	cw->pe = NULL;
	ctx_close(way);
	return fail_doca(err, "cannot create a progress engine");
}

void ctx_way_init(struct ctx_way *cw, const char *device)
{
	*cw = (struct ctx_way){
		.way = {
			.name = "doca_ctx",
			.open = ctx_open,
			.run = ctx_run,
			.close = ctx_close,
		},
		.device = device,
	};
}
