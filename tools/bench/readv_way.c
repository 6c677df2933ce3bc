// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <sys/uio.h>

#include "lender.h"
#include "loop.h"
#include "msg.h"

static INLINED int submit(void *self, unsigned int n)
{
	struct readv_way *rw = self;
	const struct area *area = rw->way.area;
	size_t size = rw->load.size;

	while (n--) {
		size_t offset = rw->slot * size;
		struct iovec to = { area->dst + offset, size };
		struct iovec from = { area->src + offset, size };

		if (process_vm_readv(rw->lender->pid, &to, 1, &from, 1, 0) !=
		    (ssize_t)size)
			return fail_errno(errno,
					  "cannot read the other process");
		rw->slot = (rw->slot + 1) % rw->slots;
	}
	return 0;
}

/* Operations are done at once. */
static INLINED int reap(void *self)
{
	struct readv_way *rw = self;

	return rw->load.depth;
}

static int readv_open(struct way *way, const struct load *load)
{
	struct readv_way *rw = container_of(way, struct readv_way, way);

	rw->load = *load;
	rw->slots = area_slots(way->area, load);
	rw->slot = 0;
	return 0;
}

static int readv_run(struct way *way, struct meter *meter)
{
	struct readv_way *rw = container_of(way, struct readv_way, way);

	return loop_run(rw, &rw->load, meter, submit, reap);
}

void readv_way_init(struct readv_way *rw, const struct lender *lender)
{
	*rw = (struct readv_way){
		.way = {
			.name = "process_vm_readv",
			.open = readv_open,
			.run = readv_run,
			.area = lender->area,
		},
		.lender = lender,
	};
}
