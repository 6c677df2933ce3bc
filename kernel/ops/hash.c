// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * HASH: digests of one piece, or of several, between which a session keeps the state. The
 * state that runs is in the workspace; a session has only what was saved when its last
 * operation succeeded. A failure ends the session.
 */
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "algo.h"
#include "bytes.h"
#include "flight.h"
#include "ops.h"

/* A hash takes about as long as a copy of so many times its bytes. */
#define DOCA_HASH_COST 8
/* Bytes of a step: it takes as long as one of a copy. A hash of no more is done at once. */
#define DOCA_HASH_STEP (DOCA_OP_STEP_LENGTH / DOCA_HASH_COST)

/* Lengths of an algorithm, in bytes. */
struct doca_hash_form {
	u8 block;
	u8 digest;
};

static const struct doca_hash_form doca_hash_forms[] = {
	[DOCA_HASH_SHA1] = { .block = 64, .digest = 20 },
	[DOCA_HASH_SHA256] = { .block = 64, .digest = 32 },
	[DOCA_HASH_SHA512] = { .block = 128, .digest = 64 },
};

/**
 * struct doca_hash_session - a hash between two of its operations
 * @algorithm: &enum doca_hash; 0 if it was not begun
 * @state: saved
 */
struct doca_hash_session {
	u64 algorithm;
	u8 state[DOCA_HASH_STATE];
};

struct doca_hash_space {
	u32 nr_sessions;
};

struct doca_hash_work {
	u8 run[DOCA_HASH_RUN];
	u8 stage[DOCA_BYTES_STAGE];
};

static bool doca_hash_is_last(const struct doca_op *op)
{
	return op->sqe.flags & DOCA_SQE_HASH_LAST;
}

static bool doca_hash_is_whole(const struct doca_op *op)
{
	const u16 whole = DOCA_SQE_HASH_FIRST | DOCA_SQE_HASH_LAST;

	return (op->sqe.flags & whole) == whole;
}

/* NULL if the entry names none. */
static struct doca_hash_session *doca_hash_session(struct doca_queue *queue,
						   const struct doca_op *op)
{
	return op->sqe.aux ? doca_queue_session(queue, &op->sqe) : NULL;
}

/* Check what is wrong or right whatever memory the entry names. */
static u32 doca_hash_check(const struct doca_op *op)
{
	const struct doca_sqe *sqe = &op->sqe;
	const struct doca_seg *dst = &sqe->dst;
	bool whole = doca_hash_is_whole(op);

	if (memchr_inv(sqe->hash.zero, 0, sizeof(sqe->hash.zero)) ||
	    (whole && sqe->aux))
		return DOCA_STATUS_BAD_ENTRY;
	if (!whole && !sqe->aux)
		return DOCA_STATUS_BAD_SESSION;
	if (!doca_hash_is_last(op) && (sqe->flags & DOCA_SQE_DST_LIST ||
				       dst->key | dst->length | dst->address))
		return DOCA_STATUS_BAD_ENTRY;
	if (!sqe->hash.algorithm ||
	    sqe->hash.algorithm >= ARRAY_SIZE(doca_hash_forms))
		return DOCA_STATUS_NOT_SUPPORTED;
	return DOCA_STATUS_SUCCESS;
}

static const struct doca_hash_form *doca_hash_form(const struct doca_op *op)
{
	return &doca_hash_forms[array_index_nospec(op->sqe.hash.algorithm,
						   ARRAY_SIZE(doca_hash_forms))];
}

static bool doca_hash_fits(const struct doca_op *op)
{
	const struct doca_hash_form *form = doca_hash_form(op);
	u64 length = op->src.length;

	if (length > DOCA_OP_MAX_LENGTH)
		return false;
	if (doca_hash_is_last(op))
		return op->dst.length >= form->digest;
	return length && !(length % form->block);
}

static u32 doca_hash_status(int rc)
{
	if (!rc)
		return DOCA_STATUS_SUCCESS;
	return rc == -EOPNOTSUPP ? DOCA_STATUS_NOT_SUPPORTED :
				   DOCA_STATUS_FAILED;
}

/* Have the state in the workspace: a new one, or the session's. */
static u32 doca_hash_resume(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_hash_session *session = doca_hash_session(queue, op);
	struct doca_hash_work *work = doca_queue_workspace(queue);
	u32 algorithm = array_index_nospec(op->sqe.hash.algorithm,
					   ARRAY_SIZE(doca_hash_forms));

	if (op->sqe.flags & DOCA_SQE_HASH_FIRST) {
		if (session)
			memzero_explicit(session, sizeof(*session));
		return doca_hash_status(doca_algo_hash_begin(work->run,
							     algorithm));
	}
	if (session->algorithm != algorithm)
		return DOCA_STATUS_BAD_SESSION;
	return doca_hash_status(doca_algo_hash_load(work->run, algorithm,
						    session->state));
}

static u32 doca_hash_write(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_hash_work *work = doca_queue_workspace(queue);
	u32 length = doca_hash_form(op)->digest;
	u8 digest[DOCA_HASH_DIGEST];
	u32 status;

	status = doca_hash_status(doca_algo_hash_final(work->run, digest)) ?:
		 doca_bytes_write(queue, &op->dst, digest, length);
	/* Some of it may have been written. */
	op->done = doca_bytes_passed(&op->dst);
	return status;
}

static u32 doca_hash_save(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_hash_session *session = doca_hash_session(queue, op);
	struct doca_hash_work *work = doca_queue_workspace(queue);

	session->algorithm = op->sqe.hash.algorithm;
	return doca_hash_status(doca_algo_hash_save(work->run,
						    session->state));
}

/* The operation ends, in one way or another; nothing of it stays but a session that goes on. */
static u32 doca_hash_end(struct doca_queue *queue, struct doca_op *op,
			 u32 status)
{
	struct doca_hash_session *session = doca_hash_session(queue, op);
	struct doca_hash_work *work = doca_queue_workspace(queue);

	/* The memory is another process's. */
	if (status == DOCA_STATUS_START)
		status = DOCA_STATUS_NOT_SUPPORTED;
	if (!status)
		status = doca_hash_is_last(op) ? doca_hash_write(queue, op) :
						 doca_hash_save(queue, op);
	if (session && (status || doca_hash_is_last(op)))
		memzero_explicit(session, sizeof(*session));
	memzero_explicit(work->run, sizeof(work->run));
	return status;
}

static u32 doca_hash_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_hash_work *work = doca_queue_workspace(queue);
	u64 *consumed = &op->result[1];
	u32 left = min_t(u64, op->length - *consumed, DOCA_HASH_STEP);
	struct doca_bytes bytes;
	u32 status = DOCA_STATUS_SUCCESS;

	for (; left && !status; left -= bytes.length) {
		status = doca_bytes_next(queue, &op->src, work->stage, left,
					 &bytes);
		if (status)
			break;
		status = doca_hash_status(doca_algo_hash_update(work->run,
								bytes.at,
								bytes.length));
		*consumed += bytes.length;
	}
	if (!status && *consumed < op->length)
		return DOCA_STATUS_AGAIN;
	return doca_hash_end(queue, op, status);
}

static u32 doca_hash_cancel(struct doca_queue *queue, struct doca_op *op)
{
	return doca_hash_end(queue, op, DOCA_STATUS_CANCELED);
}

/* Everything is checked before the first byte is read. */
static u32 doca_hash_begin(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_hash_check(op) ?: doca_bytes_load(queue, op);

	if (status)
		return status;
	if (!doca_hash_fits(op))
		return DOCA_STATUS_BAD_LENGTH;
	op->length = op->src.length;
	return doca_hash_resume(queue, op);
}

static u32 doca_hash_prepare(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_hash_begin(queue, op);

	if (status)
		return doca_hash_end(queue, op, status);
	if (op->length > DOCA_HASH_STEP)
		return DOCA_STATUS_AGAIN;
	op->cost = op->length * DOCA_HASH_COST;
	return doca_hash_step(queue, op);
}

static int doca_hash_open(void *space, const struct doca_op_args *args)
{
	struct doca_hash_space *own = space;

	static_assert(sizeof(struct doca_hash_session) == 256);
	own->nr_sessions = args->nr_sessions;
	return 0;
}

/* Operations whose queue has failed have left their sessions as they were. */
static void doca_hash_close(void *space)
{
	struct doca_hash_space *own = space;
	void *sessions = space + ALIGN(sizeof(*own), sizeof(u64));

	memzero_explicit(sessions, own->nr_sessions *
					   sizeof(struct doca_hash_session));
}

const struct doca_op_type doca_op_hash = {
	.name = "hash",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST | DOCA_SQE_HASH_FIRST |
		 DOCA_SQE_HASH_LAST,
	.aux = DOCA_AUX_SESSION,
	.nr_op = 1,
	.max_src = DOCA_OP_ANY,
	.max_dst = DOCA_HASH_DIGEST,
	.variants = doca_algo_hashes,
	.prepare = doca_hash_prepare,
	.step = doca_hash_step,
	.cancel = doca_hash_cancel,
	.workspace = sizeof(struct doca_hash_work),
	.space = sizeof(struct doca_hash_space),
	.session = sizeof(struct doca_hash_session),
	.open = doca_hash_open,
	.close = doca_hash_close,
};
