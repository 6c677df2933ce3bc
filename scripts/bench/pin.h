/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Registration of large memory: the time, and the kernel memory that it takes. */
#ifndef BENCH_PIN_H
#define BENCH_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/way.h"

/* Memory that is populated before it is registered. */
struct pin_area {
	uint8_t *addr;
	size_t length;
	size_t mapped; /* bytes of the whole mapping, from its beginning */
};

/* Pages of memory: 4 KiB, 2 MiB if available, or 2 MiB from the reserve. */
enum pages { PAGES_SMALL, PAGES_HUGE, PAGES_HUGETLB };

/* Returns 1 if there are no such pages. */
int pin_area_open(struct pin_area *area, size_t length, enum pages pages);
void pin_area_close(struct pin_area *area);

struct pin_way {
	struct way way;
	const struct pin_area *memory;
	const char *device;
	int (*reg)(struct pin_way *pw);
	void (*dereg)(struct pin_way *pw);
	union {
		struct {
			struct doca_dev *dev;
			struct doca_mmap *mmap;
		} doca;
		struct {
			struct ibv_context *context;
			struct ibv_pd *pd;
			struct ibv_mr *mr;
		} verbs;
	};
};

/* The run() of all such ways. */
int pin_run(struct way *way, struct meter *meter);

void pin_doca_init(struct pin_way *pw, const struct pin_area *memory,
		   const char *device);

/* Return false if there is no RDMA device. */
bool pin_verbs_init(struct pin_way *pw, const struct pin_area *memory);

#endif /* BENCH_PIN_H */
