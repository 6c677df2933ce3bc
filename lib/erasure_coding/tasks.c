// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The tasks, which are one operation: blocks of the destination are a matrix times blocks of the
 * source. They differ in what programs call the sides.
 */
#include <doca_error.h>

#include "ec.h"

LOG_SOURCE("EC::TASK");

/* All tasks look like this. */
struct ec_task {
	struct doca_task task;
	const struct doca_ec_matrix *matrix;
};

struct doca_ec_task_create {
	struct doca_task task;
	const struct doca_ec_matrix *matrix;
};

struct doca_ec_task_recover {
	struct doca_task task;
	const struct doca_ec_matrix *matrix;
};

struct doca_ec_task_update {
	struct doca_task task;
	const struct doca_ec_matrix *matrix;
};

struct doca_ec_task_galois_mul {
	struct doca_task task;
	const struct doca_ec_matrix *matrix;
};

/* Programs may not change a matrix; the library counts who uses it. */
static struct doca_ec_matrix *matrix_of(const struct doca_task *task)
{
	return (struct doca_ec_matrix *)list_entry(task, struct ec_task, task)
		->matrix;
}

static doca_error_t ec_validate(const struct doca_task *task)
{
	const struct task_limits *limits = &task->pool->limits;
	const struct doca_ec_matrix *matrix = matrix_of(task);
	struct task_bytes bytes;
	uint64_t block;
	doca_error_t ret;

	ret = doca_priv_task_check(task, &bytes);
	if (ret != DOCA_SUCCESS)
		return ret;
	block = bytes.src / matrix->columns;
	if (bytes.src % matrix->columns || block % limits->unit ||
	    block > limits->block)
		return FAIL(INVALID_VALUE,
			    "%s task %p: the source has %llu bytes for %u "
			    "blocks; each must be a multiple of %u, up to %u",
			    task->type->name, (const void *)task,
			    (unsigned long long)bytes.src, matrix->columns,
			    limits->unit, limits->block);
	if (bytes.dst >= block * matrix->rows)
		return DOCA_SUCCESS;
	return FAIL(INVALID_VALUE,
		    "%s task %p: the destination has room for %llu bytes, "
		    "%u blocks have %llu",
		    task->type->name, (const void *)task,
		    (unsigned long long)bytes.dst, matrix->rows,
		    (unsigned long long)block * matrix->rows);
}

static void ec_prepare(struct doca_task *task, struct doca_sqe *sqe,
		       struct doca_seg *run, uint32_t first)
{
	struct doca_ec_matrix *matrix = matrix_of(task);

	task_prepare_bufs(task, sqe, run, first);
	sqe->aux = matrix->object.id;
	matrix->nr_inflight++;
}

static void ec_finish(struct doca_task *task, uint32_t length,
		      const uint64_t *result)
{
	(void)result;
	matrix_of(task)->nr_inflight--;
	task_finish_bufs(task, length);
}

static bool is_of(const struct doca_ec_matrix *matrix,
		  const struct doca_ctx *ctx, const struct log_site *site)
{
	if (matrix->ec == list_entry(ctx, struct doca_ec, ctx))
		return true;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "%s(): invalid argument: matrix %p is of another EC", site->func,
	       (const void *)matrix);
	return false;
}

/* All of a type but its name and the names of its sides. */
#define EC_TASK(tsk)                                          \
	TASK_OBJECT(tsk),                                     \
		.validate = ec_validate, .finish = ec_finish, \
		.ring = { .opcode = DOCA_OP_GF_MATRIX, .prepare = ec_prepare }
#define EC_SRC(text)                                     \
	{                                                \
		.name = text, .list = true, .data = true \
	}
#define EC_DST(text)                                       \
	{                                                  \
		.name = text, .list = true, .writes = true \
	}

/* NAME(ec, matrix, src, dst, user_data, &task); the buffers may be NULL */
#define DEFINE_EC_ALLOC(name, pool, tsk)                                    \
	DEFINE_ALLOC(doca_ec, pool, tsk)                                    \
	doca_error_t name(struct doca_ec *ec,                               \
			  const struct doca_ec_matrix *matrix,              \
			  const struct doca_buf *src, struct doca_buf *dst, \
			  union doca_data user_data, struct tsk **task)     \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
		doca_error_t ret;                                           \
                                                                            \
		if (!valid_ctx(ec, doca_ec) || !valid(matrix) ||            \
		    !valid_or_null(src) || !valid_or_null(dst) ||           \
		    !given(task) || !is_of(matrix, &ec->ctx, &site))        \
			return DOCA_ERROR_INVALID_VALUE;                    \
		ret = tsk##_alloc_(ec, user_data, task, &site);             \
		if (ret != DOCA_SUCCESS)                                    \
			return ret;                                         \
		task_set_src(&(*task)->task, src);                          \
		task_set_dst(&(*task)->task, dst);                          \
		(*task)->matrix = matrix;                                   \
		return DOCA_SUCCESS;                                        \
	}

/* NAME(task, matrix) */
#define DEFINE_EC_SET_MATRIX(name, tsk)                                    \
	void name(struct tsk *task, const struct doca_ec_matrix *matrix)   \
	{                                                                  \
		static const struct log_site site = LOG_SITE;              \
                                                                           \
		if (task_may_set(TASK_OF(task), &tsk##_object_, &site) &&  \
		    valid(matrix) && is_of(matrix, task->task.ctx, &site)) \
			task->matrix = matrix;                             \
	}

DEFINE_TASK(doca_ec_task_create)

const struct task_type ec_task_create = {
	EC_TASK(doca_ec_task_create),
	.name = "create",
	.src = EC_SRC("original data"),
	.dst = EC_DST("place for redundancy"),
};

DEFINE_SET_CONF(doca_ec_task_create_set_conf, doca_ec, EC_CREATE,
		doca_ec_task_create)
DEFINE_EC_ALLOC(doca_ec_task_create_allocate_init, EC_CREATE,
		doca_ec_task_create)
DEFINE_AS_TASK(doca_ec_task_create_as_task, doca_ec_task_create)
DEFINE_TASK_GET(doca_ec_task_create_get_coding_matrix, doca_ec_task_create,
		const struct doca_ec_matrix *, matrix)
DEFINE_EC_SET_MATRIX(doca_ec_task_create_set_coding_matrix, doca_ec_task_create)
DEFINE_GET_BUF(doca_ec_task_create_get_original_data_blocks,
	       doca_ec_task_create, const struct doca_buf, src)
DEFINE_SET_BUF(doca_ec_task_create_set_original_data_blocks,
	       doca_ec_task_create, const struct doca_buf, src)
DEFINE_GET_BUF(doca_ec_task_create_get_rdnc_blocks, doca_ec_task_create,
	       struct doca_buf, dst)
DEFINE_SET_BUF(doca_ec_task_create_set_rdnc_blocks, doca_ec_task_create,
	       struct doca_buf, dst)

DEFINE_TASK(doca_ec_task_recover)

const struct task_type ec_task_recover = {
	EC_TASK(doca_ec_task_recover),
	.name = "recover",
	.src = EC_SRC("available data"),
	.dst = EC_DST("place for recovered data"),
};

DEFINE_SET_CONF(doca_ec_task_recover_set_conf, doca_ec, EC_RECOVER,
		doca_ec_task_recover)
DEFINE_EC_ALLOC(doca_ec_task_recover_allocate_init, EC_RECOVER,
		doca_ec_task_recover)
DEFINE_AS_TASK(doca_ec_task_recover_as_task, doca_ec_task_recover)
DEFINE_TASK_GET(doca_ec_task_recover_get_recover_matrix, doca_ec_task_recover,
		const struct doca_ec_matrix *, matrix)
DEFINE_EC_SET_MATRIX(doca_ec_task_recover_set_recover_matrix,
		     doca_ec_task_recover)
DEFINE_GET_BUF(doca_ec_task_recover_get_available_blocks, doca_ec_task_recover,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_ec_task_recover_set_available_blocks, doca_ec_task_recover,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_ec_task_recover_get_recovered_data, doca_ec_task_recover,
	       struct doca_buf, dst)
DEFINE_SET_BUF(doca_ec_task_recover_set_recovered_data_blocks,
	       doca_ec_task_recover, struct doca_buf, dst)

DEFINE_TASK(doca_ec_task_update)

const struct task_type ec_task_update = {
	EC_TASK(doca_ec_task_update),
	.name = "update",
	.src = EC_SRC("data and redundancy"),
	.dst = EC_DST("place for new redundancy"),
};

DEFINE_SET_CONF(doca_ec_task_update_set_conf, doca_ec, EC_UPDATE,
		doca_ec_task_update)
DEFINE_EC_ALLOC(doca_ec_task_update_allocate_init, EC_UPDATE,
		doca_ec_task_update)
DEFINE_AS_TASK(doca_ec_task_update_as_task, doca_ec_task_update)
DEFINE_TASK_GET(doca_ec_task_update_get_update_matrix, doca_ec_task_update,
		const struct doca_ec_matrix *, matrix)
DEFINE_EC_SET_MATRIX(doca_ec_task_update_set_update_matrix, doca_ec_task_update)
DEFINE_GET_BUF(doca_ec_task_update_get_original_updated_and_rdnc_blocks,
	       doca_ec_task_update, const struct doca_buf, src)
DEFINE_SET_BUF(doca_ec_task_update_set_original_updated_and_rdnc_blocks,
	       doca_ec_task_update, const struct doca_buf, src)
DEFINE_GET_BUF(doca_ec_task_update_get_updated_rdnc_blocks, doca_ec_task_update,
	       struct doca_buf, dst)
DEFINE_SET_BUF(doca_ec_task_update_set_updated_rdnc_blocks, doca_ec_task_update,
	       struct doca_buf, dst)

DEFINE_TASK(doca_ec_task_galois_mul)

const struct task_type ec_task_galois_mul = {
	EC_TASK(doca_ec_task_galois_mul),
	.name = "galois mul",
	.src = EC_SRC("source"),
	.dst = EC_DST("destination"),
};

DEFINE_SET_CONF(doca_ec_task_galois_mul_set_conf, doca_ec, EC_GALOIS_MUL,
		doca_ec_task_galois_mul)
DEFINE_EC_ALLOC(doca_ec_task_galois_mul_allocate_init, EC_GALOIS_MUL,
		doca_ec_task_galois_mul)
DEFINE_AS_TASK(doca_ec_task_galois_mul_as_task, doca_ec_task_galois_mul)
DEFINE_TASK_GET(doca_ec_task_galois_mul_get_coding_matrix,
		doca_ec_task_galois_mul, const struct doca_ec_matrix *, matrix)
DEFINE_EC_SET_MATRIX(doca_ec_task_galois_mul_set_coding_matrix,
		     doca_ec_task_galois_mul)
DEFINE_GET_BUF(doca_ec_task_galois_mul_get_src_buf, doca_ec_task_galois_mul,
	       const struct doca_buf, src)
DEFINE_SET_BUF(doca_ec_task_galois_mul_set_src_buf, doca_ec_task_galois_mul,
	       const struct doca_buf, src)
DEFINE_GET_BUF(doca_ec_task_galois_mul_get_dst_buf, doca_ec_task_galois_mul,
	       struct doca_buf, dst)
DEFINE_SET_BUF(doca_ec_task_galois_mul_set_dst_buf, doca_ec_task_galois_mul,
	       struct doca_buf, dst)
