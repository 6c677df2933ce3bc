/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The memory that is copied. Every way takes the same slots in the same order,
 * so that caches and pages treat all ways alike.
 */
#ifndef BENCH_AREA_H
#define BENCH_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "way.h"

struct area {
	uint8_t *src; /* the beginning of the whole */
	uint8_t *dst;
	size_t half; /* bytes of each half */
	size_t length; /* bytes of the whole */
};

int area_open(struct area *area, size_t half);
void area_close(struct area *area);

/* Return a slot for each operation in flight, or as many as there is room for. */
unsigned int area_slots(const struct area *area, const struct load *load);

/* Make the destinations differ from the sources. area_check() returns -1 if they still do. */
void area_spoil(const struct area *area, const struct load *load);
int area_check(const struct area *area, const struct load *load);

#endif /* BENCH_AREA_H */
