/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Part of fake_driver.h: hashes. A digest has the sum of all bytes of the source in each of its
 * bytes.
 */
#ifndef DOCA_TESTS_FAKE_HASH_H
#define DOCA_TESTS_FAKE_HASH_H

#define FAKE_SESSIONS 64

static struct {
	uint8_t algorithm; /* 0: not begun */
	uint8_t sum;
} fake_sessions[FAKE_SESSIONS + 1];

static const struct {
	uint8_t digest, block;
} fake_hashes[] = { { 0, 0 }, { 20, 64 }, { 32, 64 }, { 64, 128 } };

static bool is_whole(const struct doca_sqe *sqe)
{
	return sqe->flags & DOCA_SQE_HASH_FIRST && sqe->flags & DOCA_SQE_HASH_LAST;
}

/* Check the sides; return the bytes of each. */
static uint32_t check_hash(const struct fake_queue *q, const struct doca_sqe *sqe,
			   const struct doca_seg **src, uint32_t *nr, uint64_t *in, uint64_t *out)
{
	bool last = sqe->flags & DOCA_SQE_HASH_LAST;
	uint32_t status = DOCA_STATUS_SUCCESS;

	*nr = 1;
	*src = sqe->flags & DOCA_SQE_SRC_LIST ? list_of(q, &sqe->src, nr) : &sqe->src;
	if (!*src || (!last && (sqe->dst.key || sqe->dst.length || sqe->dst.address)) ||
	    (is_whole(sqe) && sqe->aux))
		return DOCA_STATUS_BAD_ENTRY;
	if (!is_whole(sqe) && !sqe->aux)
		return DOCA_STATUS_BAD_SESSION;
	if ((*src)->key || (*src)->length)
		status = check(*src, *nr, DOCA_ACCESS_LOCAL_READ, in);
	if (!status && (sqe->dst.key || sqe->dst.length))
		status = check(&sqe->dst, 1, DOCA_ACCESS_LOCAL_WRITE, out);
	return status;
}

static uint8_t sum_of(const struct doca_seg *segs, uint32_t nr, uint8_t sum)
{
	for (uint32_t i = 0; i < nr; i++)
		for (uint32_t k = 0; k < segs[i].length; k++)
			sum += ((const uint8_t *)segs[i].address)[k];
	return sum;
}

static uint32_t execute_hash(const struct fake_queue *q, const struct doca_sqe *sqe,
			     uint32_t *length)
{
	bool last = sqe->flags & DOCA_SQE_HASH_LAST;
	typeof(&fake_sessions[0]) session = &fake_sessions[sqe->aux];
	uint8_t algorithm = sqe->hash.algorithm, sum;
	uint64_t in = 0, out = 0;
	const struct doca_seg *src;
	uint32_t nr, status;

	fake.hashed = *sqe;
	status = check_hash(q, sqe, &src, &nr, &in, &out);
	if (status)
		return status;
	if (in > FAKE_MAX_LENGTH || (last && out < fake_hashes[algorithm].digest) ||
	    (!last && (!in || in % fake_hashes[algorithm].block)))
		return DOCA_STATUS_BAD_LENGTH;
	if (sqe->flags & DOCA_SQE_HASH_FIRST)
		session->sum = 0;
	else if (session->algorithm != algorithm)
		return DOCA_STATUS_BAD_SESSION;
	sum = sum_of(src, nr, session->sum);
	session->sum = sum;
	session->algorithm = last ? 0 : algorithm;
	if (!last)
		return DOCA_STATUS_SUCCESS;
	*length = fake_hashes[algorithm].digest;
	memset((void *)sqe->dst.address, sum, *length);
	return DOCA_STATUS_SUCCESS;
}

#endif /* DOCA_TESTS_FAKE_HASH_H */
