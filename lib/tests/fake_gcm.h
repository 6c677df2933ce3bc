/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Part of fake_driver.h: messages. The cipher adds a byte to each, and the tag has the sum of
 * the message in each of its bytes.
 */
#ifndef DOCA_TESTS_FAKE_GCM_H
#define DOCA_TESTS_FAKE_GCM_H

#include "fake_matrix.h"

/* Add a byte to all data of a side behind the additional data; return the sum in the clear. */
static uint8_t fake_cipher(const struct doca_seg *src, const struct doca_seg *dst, uint64_t length,
			   uint64_t aad, uint8_t add, bool decrypts)
{
	uint8_t sum = 0, in, out;

	for (uint64_t at = 0; at < length; at++) {
		in = *byte_at(src, at);
		out = at < aad ? in : decrypts ? in - add : in + add;
		sum += decrypts ? out : in;
		*byte_at(dst, at) = out;
	}
	return sum + add;
}

static uint32_t execute_gcm(const struct fake_queue *q, const struct doca_sqe *sqe,
			    uint32_t *length)
{
	typeof(&fake_objects[0]) key = &fake_objects[sqe->aux % MAX_OBJECTS];
	const struct doca_seg *src = &sqe->src, *dst = &sqe->dst;
	bool decrypts = sqe->opcode == DOCA_OP_GCM_DECRYPT;
	uint32_t nr_src = 1, nr_dst = 1, tag, i, status = 0;
	uint64_t in = 0, out = 0;
	uint8_t add, sum;

	fake.sealed = *sqe;
	tag = sqe->flags & DOCA_SQE_GCM_TAG_12 ? 12 : 16;
	if (sqe->flags & DOCA_SQE_SRC_LIST)
		src = list_of(q, src, &nr_src);
	if (sqe->flags & DOCA_SQE_DST_LIST)
		dst = list_of(q, dst, &nr_dst);
	if (!src || !dst || (sqe->flags >> DOCA_SQE_GCM_IV_SHIFT & 15) != 12)
		return DOCA_STATUS_BAD_ENTRY;
	if (src->key || src->length)
		status = check(src, nr_src, DOCA_ACCESS_LOCAL_READ, &in);
	if (!status)
		status = check(dst, nr_dst, DOCA_ACCESS_LOCAL_WRITE, &out);
	if (status)
		return status;
	if (key->type != DOCA_OBJECT_GCM_KEY)
		return DOCA_STATUS_BAD_OBJECT;
	if (decrypts && in < sqe->gcm.aad_length + tag)
		return DOCA_STATUS_TAG;
	if (in < sqe->gcm.aad_length || in > FAKE_MAX_LENGTH ||
	    out < (decrypts ? in - tag : in + tag))
		return DOCA_STATUS_BAD_LENGTH;
	add = key->coefficients[0] + sqe->gcm.iv[0] + 1;
	sum = fake_cipher(src, dst, decrypts ? in - tag : in, sqe->gcm.aad_length, add, decrypts);
	for (i = 0; i < tag; i++) {
		if (!decrypts)
			*byte_at(dst, in + i) = sum;
		else if (*byte_at(src, in - tag + i) != sum)
			return DOCA_STATUS_TAG;
	}
	*length = decrypts ? in - tag : in + tag;
	return DOCA_STATUS_SUCCESS;
}

#endif /* DOCA_TESTS_FAKE_GCM_H */
