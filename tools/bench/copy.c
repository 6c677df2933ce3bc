// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdint.h>
#include <string.h>

#include "loop.h"
#include "yardstick.h"

struct copy_run {
	const struct area *area;
	size_t size;
	size_t offset;
	size_t end; /* end of all slots */
	uint64_t left; /* slots not copied to yet */
};

static INLINED size_t next_offset(struct copy_run *run)
{
	size_t offset = run->offset;

	run->offset += run->size;
	if (run->offset == run->end)
		run->offset = 0;
	if (run->left)
		run->left--;
	return offset;
}

static INLINED int submit_memcpy(void *self, unsigned int n)
{
	struct copy_run *run = self;

	while (n--) {
		size_t offset = next_offset(run);

		memcpy(run->area->dst + offset, run->area->src + offset,
		       run->size);
		asm volatile("" : : : "memory");
	}
	return 0;
}

#ifdef __x86_64__
#define LOOP_NAME "rep movsq"

static INLINED int submit_loop(void *self, unsigned int n)
{
	struct copy_run *run = self;

	while (n--) {
		size_t offset = next_offset(run);
		uint8_t *dst = run->area->dst + offset;
		const uint8_t *src = run->area->src + offset;
		size_t words = run->size / 8;
		size_t rest = run->size % 8;

		asm volatile("rep movsq"
			     : "+D"(dst), "+S"(src), "+c"(words)
			     :
			     : "memory");
		if (rest)
			asm volatile("rep movsb"
				     : "+D"(dst), "+S"(src), "+c"(rest)
				     :
				     : "memory");
	}
	return 0;
}
#else
#define LOOP_NAME "loop"
#define submit_loop submit_memcpy
#endif

/* Operations are done at once. */
static INLINED int reap(void *self)
{
	(void)self;
	return 1;
}

static int copy_open(struct way *way, const struct load *load)
{
	struct copy_way *copy = container_of(way, struct copy_way, way);

	copy->load = (struct load){ .size = load->size, .depth = 1 };
	copy->slots = area_slots(way->area, load);
	return 0;
}

static INLINED int run_with(struct way *way, struct meter *meter,
			    loop_submit_fn submit)
{
	struct copy_way *copy = container_of(way, struct copy_way, way);
	struct copy_run run = {
		.area = way->area,
		.size = copy->load.size,
		.end = copy->slots * copy->load.size,
		.left = copy->slots,
	};

	if (loop_run(&run, &copy->load, meter, submit, reap))
		return -1;
	/* Copy all slots, however short the run was. */
	return submit(&run, run.left);
}

static int memcpy_run(struct way *way, struct meter *meter)
{
	return run_with(way, meter, submit_memcpy);
}

static int loop_copy_run(struct way *way, struct meter *meter)
{
	return run_with(way, meter, submit_loop);
}

void memcpy_way_init(struct copy_way *copy, const struct area *area)
{
	*copy = (struct copy_way){
		.way = {
			.name = "memcpy",
			.open = copy_open,
			.run = memcpy_run,
			.area = area,
			.serial = true,
		},
	};
}

void copy_way_init(struct copy_way *copy, const struct area *area)
{
	*copy = (struct copy_way){
		.way = {
			.name = LOOP_NAME,
			.open = copy_open,
			.run = loop_copy_run,
			.area = area,
			.serial = true,
		},
	};
}
