/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: objects of operations; matrices, and the product of one and blocks. */
#ifndef DOCA_TESTS_FAKE_MATRIX_H
#define DOCA_TESTS_FAKE_MATRIX_H

#include <errno.h>
#include <string.h>

#include "fake_state.h"

/* The index is the id, and is never 0. */
static struct {
	enum doca_object_type type; /* 0: there is none */
	uint32_t rows, columns;
	uint8_t coefficients[32 * 128]; /* or what it is made of */
} fake_objects[MAX_OBJECTS];

int driver_object_create(struct doca_object_create *arg, struct driver_object *object)
{
	uint32_t id = 1;

	if (fake.object_error)
		return fake.object_error;
	while (fake_objects[id].type)
		id++;
	fake.objects++;
	fake_objects[id].type = arg->type;
	fake_objects[id].rows = arg->rows;
	fake_objects[id].columns = arg->columns;
	memcpy(fake_objects[id].coefficients, (const void *)(uintptr_t)arg->data, arg->length);
	*object = (struct driver_object){ arg->type, id, driver_generation() };
	return 0;
}

void driver_object_destroy(const struct driver_object *object)
{
	if (!driver_current(object->generation))
		return;
	fake.objects--;
	fake_objects[object->id].type = 0;
}

static uint8_t fake_product(uint8_t a, uint8_t b)
{
	uint8_t product = 0;

	for (int bit = 7; bit >= 0; bit--) {
		product = product << 1 ^ (product & 0x80 ? 0x1d : 0);
		if (b >> bit & 1)
			product ^= a;
	}
	return product;
}

static uint8_t *byte_at(const struct doca_seg *segs, uint64_t at)
{
	for (; at >= segs->length; segs++)
		at -= segs->length;
	return (uint8_t *)segs->address + at;
}

static uint32_t execute_matrix(const struct fake_queue *q, const struct doca_sqe *sqe,
			       uint32_t *length)
{
	typeof(&fake_objects[0]) matrix = &fake_objects[sqe->aux % MAX_OBJECTS];
	const struct doca_seg *src = &sqe->src, *dst = &sqe->dst;
	uint32_t nr_src = 1, nr_dst = 1, status, r, c;
	uint64_t in = 0, out = 0, block, at;

	if (sqe->flags & DOCA_SQE_SRC_LIST)
		src = list_of(q, src, &nr_src);
	if (sqe->flags & DOCA_SQE_DST_LIST)
		dst = list_of(q, dst, &nr_dst);
	if (!src || !dst)
		return DOCA_STATUS_BAD_ENTRY;
	if (matrix->type != DOCA_OBJECT_GF_MATRIX)
		return DOCA_STATUS_BAD_OBJECT;
	status = check(src, nr_src, DOCA_ACCESS_LOCAL_READ, &in);
	status = status ? status : check(dst, nr_dst, DOCA_ACCESS_LOCAL_WRITE, &out);
	if (status)
		return status;
	block = in / matrix->columns;
	if (!in || in % matrix->columns || block % FAKE_UNIT || block > FAKE_MAX_BLOCK ||
	    out < block * matrix->rows)
		return DOCA_STATUS_BAD_LENGTH;
	for (r = 0; r < matrix->rows; r++)
		for (at = 0; at < block; at++) {
			uint8_t sum = 0;

			for (c = 0; c < matrix->columns; c++)
				sum ^= fake_product(matrix->coefficients[r * matrix->columns + c],
						    *byte_at(src, c * block + at));
			*byte_at(dst, r * block + at) = sum;
		}
	*length = block * matrix->rows;
	return DOCA_STATUS_SUCCESS;
}

#endif /* DOCA_TESTS_FAKE_MATRIX_H */
