// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * GCM_ENCRYPT and GCM_DECRYPT: a message is one step, for the cipher cannot be interrupted. It
 * works on the data where that is; additional data and the tag are copied, once.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "access.h"
#include "algo/gcm.h"
#include "bytes.h"
#include "flight.h"
#include "op_object.h"
#include "ops.h"

/* Maximum bytes of additional data and data. */
#define DOCA_GCM_MAX_LENGTH SZ_2M
/* A message that is no longer is done at once. */
#define DOCA_GCM_SMALL_LENGTH SZ_16K
/* It takes about as long as a copy of so many times its bytes. */
#define DOCA_GCM_COST 4
/* Bytes that are zeroed at a time. */
#define DOCA_GCM_ZEROS SZ_4K

/* Bytes that a key takes besides, for its transforms. */
#define DOCA_GCM_KEY_BESIDE (2 * SZ_4K)

/* Bits of the variants: types of keys, by half of their words; sizes of tags, by their bytes. */
#define DOCA_GCM_VARIANTS                                        \
	(BIT_ULL(1) | BIT_ULL(2) | BIT_ULL(DOCA_GCM_TAG_SHORT) | \
	 BIT_ULL(DOCA_GCM_TAG))

#define DOCA_GCM_FLAGS_IV (15 << DOCA_SQE_GCM_IV_SHIFT)

struct doca_gcm_work {
	u8 run[DOCA_GCM_RUN];
	struct doca_gcm_piece src[DOCA_GCM_MAX_PIECES];
	struct doca_gcm_piece dst[DOCA_GCM_MAX_PIECES];
};

/* Memory that ciphers get in scatterlists. */
struct doca_gcm_linear {
	u8 aad[DOCA_GCM_MAX_AAD];
	u8 request[DOCA_GCM_REQUEST];
	u8 tag[DOCA_GCM_TAG];
	struct doca_gcm gcm;
};

static bool doca_gcm_decrypts(const struct doca_op *op)
{
	return op->sqe.opcode == DOCA_OP_GCM_DECRYPT;
}

static u32 doca_gcm_tag_length(const struct doca_op *op)
{
	return op->sqe.flags & DOCA_SQE_GCM_TAG_12 ? DOCA_GCM_TAG_SHORT :
						     DOCA_GCM_TAG;
}

/* Bytes of additional data and data, on either side. */
static u64 doca_gcm_length(const struct doca_op *op)
{
	return op->src.length -
	       (doca_gcm_decrypts(op) ? doca_gcm_tag_length(op) : 0);
}

/* Bytes of the destination. */
static u64 doca_gcm_output(const struct doca_op *op)
{
	return doca_gcm_length(op) +
	       (doca_gcm_decrypts(op) ? 0 : doca_gcm_tag_length(op));
}

/* The entry has room for other lengths of the vector, which no cipher here takes. */
static u32 doca_gcm_check(const struct doca_op *op)
{
	u16 iv = op->sqe.flags & DOCA_GCM_FLAGS_IV;

	return iv == DOCA_GCM_IV << DOCA_SQE_GCM_IV_SHIFT ?
		       DOCA_STATUS_SUCCESS :
		       DOCA_STATUS_NOT_SUPPORTED;
}

static u32 doca_gcm_fits(const struct doca_op *op)
{
	u32 aad_length = op->sqe.gcm.aad_length;

	if (aad_length > DOCA_GCM_MAX_AAD)
		return DOCA_STATUS_BAD_LENGTH;
	/* The sender of the message has chosen it. */
	if (doca_gcm_decrypts(op) &&
	    op->src.length < (u64)aad_length + doca_gcm_tag_length(op))
		return DOCA_STATUS_TAG;
	if (doca_gcm_length(op) < aad_length ||
	    doca_gcm_length(op) > DOCA_GCM_MAX_LENGTH ||
	    doca_gcm_output(op) > op->dst.length)
		return DOCA_STATUS_BAD_LENGTH;
	return DOCA_STATUS_SUCCESS;
}

/* Find where the next @length bytes of a side are. */
static u32 doca_gcm_find(struct doca_queue *queue, struct doca_op_side *side,
			 u32 access, u32 length, struct doca_gcm_piece *pieces,
			 u32 *nr)
{
	struct doca_gcm_piece *piece;
	u32 status;

	for (*nr = 0; length; length -= piece->length) {
		if (*nr == DOCA_GCM_MAX_PIECES)
			return DOCA_STATUS_NOT_SUPPORTED;
		piece = &pieces[(*nr)++];
		status = doca_bytes_take(queue, side, access, length,
					 &piece->side, &piece->length);
		if (status)
			return status;
	}
	return DOCA_STATUS_SUCCESS;
}

static u32 doca_gcm_status(int rc)
{
	switch (rc) {
	case 0:
		return DOCA_STATUS_SUCCESS;
	case -EBADMSG:
		return DOCA_STATUS_TAG;
	case -EOPNOTSUPP:
		return DOCA_STATUS_NOT_SUPPORTED;
	case -EFAULT:
		return DOCA_STATUS_BAD_MEMORY;
	default:
		return DOCA_STATUS_FAILED;
	}
}

/* Copy the additional data, and find everything else; both sides are then behind the data. */
static u32 doca_gcm_load(struct doca_queue *queue, struct doca_op *op,
			 struct doca_gcm *gcm)
{
	struct doca_gcm_linear *linear = doca_queue_linear(queue);
	struct doca_gcm_work *work = doca_queue_workspace(queue);
	u32 status;

	*gcm = (struct doca_gcm){
		.key = op->object->space,
		.request = linear->request,
		.aad = linear->aad,
		.aad_length = op->sqe.gcm.aad_length,
		.tag = linear->tag,
		.tag_length = doca_gcm_tag_length(op),
		.length = doca_gcm_length(op) - op->sqe.gcm.aad_length,
		.src = work->src,
		.dst = work->dst,
	};
	memcpy(gcm->iv, op->sqe.gcm.iv, DOCA_GCM_IV);
	status = doca_bytes_read(queue, &op->src, linear->aad, gcm->aad_length);
	if (status)
		return status;
	doca_bytes_skip(&op->dst, gcm->aad_length);
	return doca_gcm_find(queue, &op->src, DOCA_ACCESS_LOCAL_READ,
			     gcm->length, work->src, &gcm->nr_src) ?:
		       doca_gcm_find(queue, &op->dst, DOCA_ACCESS_LOCAL_WRITE,
				     gcm->length, work->dst, &gcm->nr_dst);
}

/* The additional data is written last: until then the source may be the same memory. */
static u32 doca_gcm_write_aad(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_gcm_linear *linear = doca_queue_linear(queue);

	op->dst.index = 0;
	op->dst.offset = 0;
	return doca_bytes_write(queue, &op->dst, linear->aad,
				op->sqe.gcm.aad_length);
}

/*
 * Nobody sees data of a message that has failed, even if the memory's key was revoked meanwhile. Where
 * nothing was decrypted the destination stays as it was.
 */
static void doca_gcm_zero(struct doca_queue *queue, struct doca_op *op,
			  const struct doca_gcm *gcm)
{
	const struct doca_gcm_piece *piece = gcm->dst;
	u32 i, at, part;

	memset(gcm->aad, 0, max_t(u32, gcm->aad_length, DOCA_GCM_ZEROS));
	for (i = 0; i < gcm->nr_dst; i++, piece++)
		for (at = 0; at < piece->length; at += part) {
			struct doca_backed_side to = piece->side;

			part = min_t(u32, piece->length - at, DOCA_GCM_ZEROS);
			to.at += at;
			doca_bytes_copy(to,
					(struct doca_backed_side){ gcm->aad },
					part);
		}
	doca_gcm_write_aad(queue, op);
}

static u32 doca_gcm_encrypt(struct doca_queue *queue, struct doca_op *op,
			    struct doca_gcm *gcm)
{
	struct doca_gcm_work *work = doca_queue_workspace(queue);
	void *space = doca_queue_space(queue, DOCA_OP_GCM_ENCRYPT);

	return doca_gcm_status(doca_algo_gcm_encrypt(space, work->run, gcm)) ?:
		       doca_bytes_write(queue, &op->dst, gcm->tag,
					gcm->tag_length);
}

static u32 doca_gcm_decrypt(struct doca_queue *queue, struct doca_op *op,
			    struct doca_gcm *gcm)
{
	struct doca_gcm_work *work = doca_queue_workspace(queue);
	void *space = doca_queue_space(queue, DOCA_OP_GCM_DECRYPT);

	return doca_bytes_read(queue, &op->src, gcm->tag, gcm->tag_length) ?:
		       doca_gcm_status(doca_algo_gcm_decrypt(space, work->run,
							     gcm));
}

/* The operation ends, in one way or another. */
static u32 doca_gcm_end(struct doca_op *op, u32 status)
{
	doca_op_object_put(op);
	/* The memory is another process's. */
	return status == DOCA_STATUS_START ? DOCA_STATUS_NOT_SUPPORTED : status;
}

static u32 doca_gcm_step(struct doca_queue *queue, struct doca_op *op)
{
	struct doca_gcm_linear *linear = doca_queue_linear(queue);
	struct doca_gcm *gcm = &linear->gcm;
	u32 status;

	status = doca_gcm_load(queue, op, gcm);
	if (!status)
		status = doca_gcm_decrypts(op) ?
				 doca_gcm_decrypt(queue, op, gcm) :
				 doca_gcm_encrypt(queue, op, gcm);
	if (!status)
		status = doca_gcm_write_aad(queue, op);
	if (status && gcm->ran && doca_gcm_decrypts(op))
		doca_gcm_zero(queue, op, gcm);
	if (!status)
		op->done = doca_gcm_output(op);
	if (!status || status == DOCA_STATUS_TAG)
		op->result[1] = op->src.length;
	return doca_gcm_end(op, status);
}

/* Everything is checked before the first byte is read. */
static u32 doca_gcm_begin(struct doca_queue *queue, struct doca_op *op)
{
	op->object = NULL;
	return doca_gcm_check(op)		     ?:
		       doca_bytes_load(queue, op)    ?:
		       doca_op_object_get(queue, op) ?:
						       doca_gcm_fits(op);
}

static u32 doca_gcm_prepare(struct doca_queue *queue, struct doca_op *op)
{
	u32 status = doca_gcm_begin(queue, op);

	if (status)
		return doca_gcm_end(op, status);
	op->length = op->src.length;
	if (op->length > DOCA_GCM_SMALL_LENGTH)
		return DOCA_STATUS_AGAIN;
	op->cost = op->length * DOCA_GCM_COST;
	return doca_gcm_step(queue, op);
}

static u64 doca_gcm_variants(void)
{
	return doca_algo_has_gcm() ? DOCA_GCM_VARIANTS : 0;
}

static int doca_gcm_open(void *space, const struct doca_op_args *args)
{
	return doca_algo_gcm_open(space);
}

static int doca_gcm_key_size(const struct doca_object_create *arg)
{
	if ((arg->length != 16 && arg->length != 32) || arg->rows ||
	    arg->columns)
		return -EINVAL;
	return DOCA_GCM_KEY;
}

static int doca_gcm_key_create(void *space,
			       const struct doca_object_create *arg,
			       const void *data)
{
	return doca_algo_gcm_key_create(space, data, arg->length);
}

static const struct doca_op_object_type doca_gcm_key_type = {
	.number = DOCA_OBJECT_GCM_KEY,
	.beside = DOCA_GCM_KEY_BESIDE,
	.size = doca_gcm_key_size,
	.create = doca_gcm_key_create,
	.destroy = doca_algo_gcm_key_destroy,
};

const struct doca_op_type doca_op_gcm_encrypt = {
	.name = "gcm_encrypt",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST | DOCA_GCM_FLAGS_IV |
		 DOCA_SQE_GCM_TAG_12,
	.aux = DOCA_AUX_OBJECT,
	.object = &doca_gcm_key_type,
	.nr_op = 2,
	.max_src = DOCA_GCM_MAX_LENGTH,
	.max_dst = DOCA_GCM_MAX_LENGTH + DOCA_GCM_TAG,
	.variants = doca_gcm_variants,
	.prepare = doca_gcm_prepare,
	.step = doca_gcm_step,
	.workspace = sizeof(struct doca_gcm_work),
	.linear = sizeof(struct doca_gcm_linear),
	.space = DOCA_GCM_SPACE,
	.open = doca_gcm_open,
	.close = doca_algo_gcm_close,
};

const struct doca_op_type doca_op_gcm_decrypt = {
	.name = "gcm_decrypt",
	.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST | DOCA_GCM_FLAGS_IV |
		 DOCA_SQE_GCM_TAG_12,
	.aux = DOCA_AUX_OBJECT,
	.object = &doca_gcm_key_type,
	.nr_op = 2,
	.max_src = DOCA_GCM_MAX_LENGTH + DOCA_GCM_TAG,
	.max_dst = DOCA_GCM_MAX_LENGTH,
	.variants = doca_gcm_variants,
	.prepare = doca_gcm_prepare,
	.step = doca_gcm_step,
	.workspace = sizeof(struct doca_gcm_work),
	.linear = sizeof(struct doca_gcm_linear),
	.space = DOCA_GCM_SPACE,
	.open = doca_gcm_open,
	.close = doca_algo_gcm_close,
};
