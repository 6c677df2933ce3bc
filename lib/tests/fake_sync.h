/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Part of fake_driver.h: operations on 64-bit values. */
#ifndef DOCA_TESTS_FAKE_SYNC_H
#define DOCA_TESTS_FAKE_SYNC_H

#define FAKE_PENDING 0x80000001U

/* Return the status of a wait that is over or has failed, or FAKE_PENDING. */
static uint32_t look(const struct doca_sqe *sqe, uint64_t *result)
{
	uint64_t bytes = 0, value;
	enum doca_status status;
	bool over;

	status = check(&sqe->src, 1, DOCA_ACCESS_LOCAL_READ, &bytes);
	if (status)
		return status;
	*result = __atomic_load_n((uint64_t *)sqe->src.address, __ATOMIC_ACQUIRE);
	value = *result & sqe->op[1];
	if (sqe->opcode == DOCA_OP_SYNC_WAIT_GT)
		over = value > sqe->op[0];
	else
		over = (value == sqe->op[0]) == (sqe->opcode == DOCA_OP_SYNC_WAIT_EQ);
	return over ? DOCA_STATUS_SUCCESS : FAKE_PENDING;
}

static uint32_t execute_sync(struct fake_queue *q, const struct doca_sqe *sqe, uint32_t *length,
			     uint64_t *result)
{
	bool writes = sqe->opcode == DOCA_OP_SYNC_SET || sqe->opcode == DOCA_OP_SYNC_ADD;
	const struct doca_seg *seg = writes ? &sqe->dst : &sqe->src;
	const struct doca_seg *none = writes ? &sqe->src : &sqe->dst;
	uint64_t *value = (uint64_t *)seg->address;
	uint32_t access = writes ? DOCA_ACCESS_LOCAL_WRITE : DOCA_ACCESS_LOCAL_READ;
	uint64_t bytes = 0;
	uint32_t status;

	if (sqe->aux || sqe->flags || none->key || none->length || none->address)
		return DOCA_STATUS_BAD_ENTRY;
	if (seg->length != 8)
		return DOCA_STATUS_BAD_LENGTH;
	if (seg->address % 8)
		return DOCA_STATUS_BAD_ALIGN;
	status = check(seg, 1, access, &bytes);
	if (status)
		return status;
	if (sqe->opcode >= DOCA_OP_SYNC_WAIT_GT) {
		status = look(sqe, result);
		if (status == FAKE_PENDING && q->nr_waits == q->max_waits)
			return DOCA_STATUS_BAD_WAIT;
		if (status == FAKE_PENDING)
			q->waits[q->nr_waits++] = *sqe;
		return status;
	}
	if (sqe->op[1])
		return DOCA_STATUS_BAD_ENTRY;
	if (sqe->opcode == DOCA_OP_SYNC_GET)
		*result = __atomic_load_n(value, __ATOMIC_ACQUIRE);
	else if (sqe->opcode == DOCA_OP_SYNC_SET)
		__atomic_store_n(value, sqe->op[0], __ATOMIC_RELEASE);
	else
		*result = __atomic_fetch_add(value, sqe->op[0], __ATOMIC_ACQ_REL);
	*length = writes ? 8 : 0;
	return DOCA_STATUS_SUCCESS;
}

#endif /* DOCA_TESTS_FAKE_SYNC_H */
