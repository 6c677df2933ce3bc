// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdint.h>
#include <string.h>

#include "clock.h"
#include "yardstick.h"

#ifdef __x86_64__
#define COPY_NAME "rep movsq"

static inline void copy_bytes(void *dst, const void *src, size_t size)
{
	size_t words = size / 8;
	size_t rest = size % 8;

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
#else
#define COPY_NAME "memcpy"

static inline void copy_bytes(void *dst, const void *src, size_t size)
{
	memcpy(dst, src, size);
	asm volatile("" : : "r"(dst) : "memory");
}
#endif

static int copy_open(struct way *way, const struct load *load)
{
	struct copy_way *copy = container_of(way, struct copy_way, way);

	copy->load = *load;
	copy->slots = area_slots(copy->area, load);
	return 0;
}

static int copy_run(struct way *way, double seconds, double *rate)
{
	struct copy_way *copy = container_of(way, struct copy_way, way);
	unsigned int interval = clock_interval(copy->load.size);
	size_t end = copy->slots * copy->load.size;
	uint64_t done = 0;
	size_t offset = 0;
	double start, now;
	unsigned int i;

	start = clock_now();
	do {
		for (i = 0; i < interval; i++) {
			copy_bytes(copy->area->dst + offset,
				   copy->area->src + offset, copy->load.size);
			offset += copy->load.size;
			if (offset == end)
				offset = 0;
		}
		done += interval;
		now = clock_now();
		/* However short the run is, all slots are to be copied. */
	} while (now - start < seconds || done < copy->slots);
	*rate = done / (now - start);
	return 0;
}

static void copy_close(struct way *way)
{
	(void)way;
}

void copy_way_init(struct copy_way *copy, const struct area *area)
{
	*copy = (struct copy_way){
		.way = { COPY_NAME, copy_open, copy_run, copy_close },
		.area = area,
	};
}
