/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_erasure_coding.h
 * @brief Erasure coding: redundancy for blocks of data, and recovery of lost
 * blocks.
 *
 * Data is cut into blocks of the same length. A coding matrix makes blocks of
 * redundancy of them. If no more blocks are lost than there is redundancy,
 * whichever they are, a matrix that is made for this loss brings them back. If
 * data changes, a matrix that is made for this change makes the new redundancy
 * of the old one, without the data that has not changed.
 *
 * A doca_ec is a context (see doca_ctx.h) with four kinds of tasks: create,
 * recover, update and galois_mul. Each takes a matrix, multiplies it with the
 * blocks of its source, and appends the resulting blocks to its destination,
 * whose data length grows. They differ in name alone, and any matrix may be
 * given to any task:
 *
 * - a source has as many blocks as the matrix has columns, one behind the
 *   other, and the destination room for as many as it has rows;
 * - the length of a block is the source's divided by the columns: a multiple of
 *   64 bytes, up to doca_ec_cap_get_max_block_size();
 * - both sides may be lists of buffers, up to
 *   doca_ec_cap_get_max_buf_list_len() each, which may cut blocks anywhere;
 * - they must not overlap: then the bytes of the destination are undefined.
 *
 * Arithmetic is that of GF(2^8) with the polynomial 0x11d. Coefficients of row
 * i and column j are 2^(i * j) for Vandermonde, and 1 / ((k + i) xor j) for
 * Cauchy, with k blocks of data. From a Cauchy matrix all losses can be
 * recovered; from a Vandermonde matrix those with up to 4 blocks of redundancy
 * and 21 of data, and not all of larger ones. Its first row is ones: a matrix
 * for one block of redundancy makes the sum of all, and brings any one block
 * back when it is given the others.
 *
 * A task fails with DOCA_ERROR_INVALID_VALUE if the lengths are others than
 * above, a list is too long, or the destination has too little room. With the
 * driver's own code in the process (doca(7)), memory of another process fails
 * with DOCA_ERROR_NOT_SUPPORTED: copy it (doca_dma.h). As with tasks of all
 * kinds, the context then stops: see doca_ctx.h. What was written until then
 * stays. Data that is changed while a task is in flight gives any result.
 *
 * Tasks may complete in another order than they were submitted.
 *
 * Thread safety: a doca_ec belongs, as every context, with its progress engine,
 * its tasks and its matrices to one thread at a time. The capabilities of
 * devices may be asked for by any thread.
 */
#ifndef DOCA_ERASURE_CODING_H
#define DOCA_ERASURE_CODING_H

#include <inttypes.h>
#include <stddef.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_ec;
struct doca_ec_matrix;
struct doca_ec_task_create;
struct doca_ec_task_galois_mul;
struct doca_ec_task_recover;
struct doca_ec_task_update;
struct doca_task;

/** @brief Types of coding matrices. @since DOCA 3.0 */
enum doca_ec_matrix_type {
	/** @brief Cauchy: all losses can be recovered from. */
	DOCA_EC_MATRIX_TYPE_CAUCHY = 1,
	/** @brief Vandermonde: the first block of redundancy is the sum. */
	DOCA_EC_MATRIX_TYPE_VANDERMONDE = 2,
};

/**
 * @brief Create a context.
 *
 * @param[in] dev  Device; the context keeps it open.
 * @param[out] ec  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no such tasks.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_create(struct doca_dev *dev, struct doca_ec **ec);

/**
 * @brief Destroy a context. It is disconnected from its progress engine.
 *
 * @param[in] ec  Context that is idle and has no matrices.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ec is NULL.
 * @retval DOCA_ERROR_IN_USE  It is not idle, or a matrix of it is left.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_destroy(struct doca_ec *ec);

/**
 * @brief The context as which it is started and stopped.
 *
 * @param[in] ec  Context.
 *
 * @return The same context, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p ec is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_ec_as_ctx(struct doca_ec *ec);

/**
 * @brief Get the maximum length of a block.
 *
 * @param[in] devinfo          Device.
 * @param[out] max_block_size  Bytes. All blocks of a source together have up to
 *                             1 GiB. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_get_max_block_size(const struct doca_devinfo *devinfo,
					    uint64_t *max_block_size);

/**
 * @brief Get the maximum length of a task's lists.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and of the destination.
 *                               Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
				 uint32_t *max_buf_list_len);

/**
 * @brief Check whether a device has create tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has none.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_cap_task_create_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has recover tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has none.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_cap_task_recover_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has update tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has none.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_cap_task_update_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has galois_mul tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has none.
 * @retval DOCA_ERROR_DRIVER  The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_cap_task_galois_mul_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Create a coding matrix.
 *
 * @param[in] ec                Context, in any state.
 * @param[in] type              Type.
 * @param[in] data_block_count  Blocks of data, 1 to 128.
 * @param[in] rdnc_block_count  Blocks of redundancy, 1 to 32.
 * @param[out] matrix           The matrix, to be destroyed by
 *                              doca_ec_matrix_destroy(). Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or another argument is
 *         not as above.
 * @retval DOCA_ERROR_NO_MEMORY  No memory, or too many matrices: 65535 of the
 *         process, or of the user more than max_objects or max_ring_bytes,
 *         parameters of the doca module, allow.
 * @retval DOCA_ERROR_DRIVER  The driver could not make it, for the device was
 *         removed, or this is the child of a fork.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create(struct doca_ec *ec,
				   enum doca_ec_matrix_type type,
				   size_t data_block_count,
				   size_t rdnc_block_count,
				   struct doca_ec_matrix **matrix);

/**
 * @brief Create a coding matrix of coefficients of the program's own.
 *
 * @param[in] ec                Context, in any state.
 * @param[in] data              @p rdnc_block_count rows of @p data_block_count
 *                              coefficients each, row by row. They are copied.
 * @param[in] data_block_count  Blocks of data, 1 to 128.
 * @param[in] rdnc_block_count  Blocks of redundancy, 1 to 32.
 * @param[out] matrix           The matrix, to be destroyed by
 *                              doca_ec_matrix_destroy(). Set on success only.
 *
 * Whether losses can be recovered from is not checked here.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or another argument is
 *         not as above.
 * @retval DOCA_ERROR_NO_MEMORY  No memory, or too many matrices: 65535 of the
 *         process, or of the user more than max_objects or max_ring_bytes,
 *         parameters of the doca module, allow.
 * @retval DOCA_ERROR_DRIVER  The driver could not make it, for the device was
 *         removed, or this is the child of a fork.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create_from_raw(struct doca_ec *ec, uint8_t *data,
					    size_t data_block_count,
					    size_t rdnc_block_count,
					    struct doca_ec_matrix **matrix);

/**
 * @brief Create a matrix that brings lost blocks back.
 *
 * @param[in] ec               Context, in any state.
 * @param[in] coding_matrix    Matrix that has made the redundancy.
 * @param[in] missing_indices  The lost blocks, in any order, each once: from 0
 *                             on those of data, then those of redundancy.
 * @param[in] n_missing        Their number: 1 up to the number of blocks of
 *                             redundancy.
 * @param[out] matrix          The matrix, to be destroyed by
 *                             doca_ec_matrix_destroy(). Set on success only.
 *
 * The source of a task with it has as many of the other blocks as there is
 * data: the first ones, in ascending order. The destination gets the lost
 * blocks in the order of @p missing_indices. The coding matrix is not needed
 * any more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, an index or the number
 *         is not as above, or a coding matrix that is not Cauchy does not allow
 *         it.
 * @retval DOCA_ERROR_NO_MEMORY  No memory, or too many matrices: 65535 of the
 *         process, or of the user more than max_objects or max_ring_bytes,
 *         parameters of the doca module, allow.
 * @retval DOCA_ERROR_DRIVER  The driver could not make it, for the device was
 *         removed, or this is the child of a fork.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_matrix_create_recover(struct doca_ec *ec,
			      const struct doca_ec_matrix *coding_matrix,
			      uint32_t missing_indices[], size_t n_missing,
			      struct doca_ec_matrix **matrix);

/**
 * @brief Create a matrix that makes redundancy for data that has changed.
 *
 * @param[in] ec              Context, in any state.
 * @param[in] coding_matrix   Matrix that has made the redundancy.
 * @param[in] update_indices  The blocks of data that have changed, ascending,
 *                            from 0 on.
 * @param[in] n_updates       Their number: 1 up to the number of blocks of
 *                            data; twice it and the number of blocks of
 *                            redundancy are up to 128.
 * @param[out] matrix         The matrix, to be destroyed by
 *                            doca_ec_matrix_destroy(). Set on success only.
 *
 * The source of a task with it has the old data of the changed blocks, then
 * their new data, then all blocks of the old redundancy. The destination gets
 * the new redundancy. The coding matrix is not needed any more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or an index or the
 *         number is not as above.
 * @retval DOCA_ERROR_NO_MEMORY  No memory, or too many matrices: 65535 of the
 *         process, or of the user more than max_objects or max_ring_bytes,
 *         parameters of the doca module, allow.
 * @retval DOCA_ERROR_DRIVER  The driver could not make it, for the device was
 *         removed, or this is the child of a fork.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ec_matrix_create_update(struct doca_ec *ec,
			     const struct doca_ec_matrix *coding_matrix,
			     uint32_t update_indices[], size_t n_updates,
			     struct doca_ec_matrix **matrix);

/**
 * @brief Destroy a matrix.
 *
 * @param[in] matrix  Matrix that no task in flight uses. Tasks that name it
 *                    must get another one before they are submitted again.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p matrix is NULL.
 * @retval DOCA_ERROR_IN_USE  A task in flight uses it.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_destroy(struct doca_ec_matrix *matrix);

/**
 * @brief Called when a create task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the data length of
 * the destination is as before.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_ec_task_create_completion_cb_t)(
	struct doca_ec_task_create *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable create tasks.
 *
 * @param[in] ec                             Context that is idle.
 * @param[in] successful_task_completion_cb  Called when a task is done.
 * @param[in] error_task_completion_cb       Called when a task has failed.
 * @param[in] num_tasks                      Number of tasks that can be
 *                                           allocated at a time, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         larger than a context may have.
 * @retval DOCA_ERROR_BAD_STATE  The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_create_set_conf(
	struct doca_ec *ec,
	doca_ec_task_create_completion_cb_t successful_task_completion_cb,
	doca_ec_task_create_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a create task.
 *
 * @param[in] ec                    Context that is running.
 * @param[in] coding_matrix         Matrix, as a rule from
 *                                  doca_ec_matrix_create(), of the same
 *                                  context.
 * @param[in] original_data_blocks  Blocks of data: a buffer or a list; NULL if
 *                                  it is set later.
 * @param[in] rdnc_blocks           Room for the blocks of redundancy: a buffer
 *                                  or a list; NULL if it is set later.
 * @param[in] user_data             Value of the program's own for the task.
 * @param[out] task                 The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ec, @p coding_matrix or @p task is NULL,
 *         or the matrix is of another context.
 * @retval DOCA_ERROR_BAD_STATE  The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY  All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_create_allocate_init(
	struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
	const struct doca_buf *original_data_blocks,
	struct doca_buf *rdnc_blocks, union doca_data user_data,
	struct doca_ec_task_create **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_create_as_task(struct doca_ec_task_create *task);

/**
 * @brief Get the matrix.
 *
 * @param[in] task  Task.
 *
 * @return The matrix; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *
doca_ec_task_create_get_coding_matrix(const struct doca_ec_task_create *task);

/**
 * @brief Set the matrix.
 *
 * @param[in] task           Task that is not in flight; otherwise nothing
 *                           happens but a line in the log.
 * @param[in] coding_matrix  Matrix, as a rule from doca_ec_matrix_create(), of
 *                           the same context; otherwise likewise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_coding_matrix(
	struct doca_ec_task_create *task,
	const struct doca_ec_matrix *coding_matrix);

/**
 * @brief Get the source.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_create_get_original_data_blocks(
	const struct doca_ec_task_create *task);

/**
 * @brief Set the source.
 *
 * @param[in] task                  Task that is not in flight; otherwise
 *                                  nothing happens but a line in the log.
 * @param[in] original_data_blocks  Blocks of data: a buffer or a list; NULL
 *                                  takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_original_data_blocks(
	struct doca_ec_task_create *task,
	const struct doca_buf *original_data_blocks);

/**
 * @brief Get the destination.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_ec_task_create_get_rdnc_blocks(const struct doca_ec_task_create *task);

/**
 * @brief Set the destination.
 *
 * @param[in] task         Task that is not in flight; otherwise nothing happens
 *                         but a line in the log.
 * @param[in] rdnc_blocks  Room for the blocks of redundancy: a buffer or a
 *                         list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_rdnc_blocks(struct doca_ec_task_create *task,
					 struct doca_buf *rdnc_blocks);

/**
 * @brief Called when a recover task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the data length of
 * the destination is as before.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_ec_task_recover_completion_cb_t)(
	struct doca_ec_task_recover *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable recover tasks.
 *
 * @param[in] ec                             Context that is idle.
 * @param[in] successful_task_completion_cb  Called when a task is done.
 * @param[in] error_task_completion_cb       Called when a task has failed.
 * @param[in] num_tasks                      Number of tasks that can be
 *                                           allocated at a time, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         larger than a context may have.
 * @retval DOCA_ERROR_BAD_STATE  The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_recover_set_conf(
	struct doca_ec *ec,
	doca_ec_task_recover_completion_cb_t successful_task_completion_cb,
	doca_ec_task_recover_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a recover task.
 *
 * @param[in] ec                     Context that is running.
 * @param[in] recover_matrix         Matrix, as a rule from
 *                                   doca_ec_matrix_create_recover(), of the
 *                                   same context.
 * @param[in] available_blocks       Blocks that are left: a buffer or a list;
 *                                   NULL if it is set later.
 * @param[in] recovered_data_blocks  Room for the lost blocks: a buffer or a
 *                                   list; NULL if it is set later.
 * @param[in] user_data              Value of the program's own for the task.
 * @param[out] task                  The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ec, @p recover_matrix or @p task is
 *         NULL, or the matrix is of another context.
 * @retval DOCA_ERROR_BAD_STATE  The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY  All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_recover_allocate_init(
	struct doca_ec *ec, const struct doca_ec_matrix *recover_matrix,
	const struct doca_buf *available_blocks,
	struct doca_buf *recovered_data_blocks, union doca_data user_data,
	struct doca_ec_task_recover **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_ec_task_recover_as_task(struct doca_ec_task_recover *task);

/**
 * @brief Get the matrix.
 *
 * @param[in] task  Task.
 *
 * @return The matrix; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_recover_get_recover_matrix(
	const struct doca_ec_task_recover *task);

/**
 * @brief Set the matrix.
 *
 * @param[in] task            Task that is not in flight; otherwise nothing
 *                            happens but a line in the log.
 * @param[in] recover_matrix  Matrix, as a rule from
 *                            doca_ec_matrix_create_recover(), of the same
 *                            context; otherwise likewise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_recover_matrix(
	struct doca_ec_task_recover *task,
	const struct doca_ec_matrix *recover_matrix);

/**
 * @brief Get the source.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_recover_get_available_blocks(
	const struct doca_ec_task_recover *task);

/**
 * @brief Set the source.
 *
 * @param[in] task              Task that is not in flight; otherwise nothing
 *                              happens but a line in the log.
 * @param[in] available_blocks  Blocks that are left: a buffer or a list; NULL
 *                              takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_available_blocks(
	struct doca_ec_task_recover *task,
	const struct doca_buf *available_blocks);

/**
 * @brief Get the destination.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_recover_get_recovered_data(
	const struct doca_ec_task_recover *task);

/**
 * @brief Set the destination.
 *
 * @param[in] task                   Task that is not in flight; otherwise
 *                                   nothing happens but a line in the log.
 * @param[in] recovered_data_blocks  Room for the lost blocks: a buffer or a
 *                                   list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_recovered_data_blocks(
	struct doca_ec_task_recover *task,
	struct doca_buf *recovered_data_blocks);

/**
 * @brief Called when an update task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the data length of
 * the destination is as before.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_ec_task_update_completion_cb_t)(
	struct doca_ec_task_update *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable update tasks.
 *
 * @param[in] ec                             Context that is idle.
 * @param[in] successful_task_completion_cb  Called when a task is done.
 * @param[in] error_task_completion_cb       Called when a task has failed.
 * @param[in] num_tasks                      Number of tasks that can be
 *                                           allocated at a time, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         larger than a context may have.
 * @retval DOCA_ERROR_BAD_STATE  The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_update_set_conf(
	struct doca_ec *ec,
	doca_ec_task_update_completion_cb_t successful_task_completion_cb,
	doca_ec_task_update_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate an update task.
 *
 * @param[in] ec                                Context that is running.
 * @param[in] update_matrix                     Matrix, as a rule from
 *                                              doca_ec_matrix_create_update(),
 *                                              of the same context.
 * @param[in] original_updated_and_rdnc_blocks  Old data, new data, and old
 *                                              redundancy: a buffer or a list;
 *                                              NULL if it is set later.
 * @param[in] updated_rdnc_blocks               Room for the new redundancy: a
 *                                              buffer or a list; NULL if it is
 *                                              set later.
 * @param[in] user_data                         Value of the program's own for
 *                                              the task.
 * @param[out] task                             The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ec, @p update_matrix or @p task is NULL,
 *         or the matrix is of another context.
 * @retval DOCA_ERROR_BAD_STATE  The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY  All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_update_allocate_init(
	struct doca_ec *ec, const struct doca_ec_matrix *update_matrix,
	const struct doca_buf *original_updated_and_rdnc_blocks,
	struct doca_buf *updated_rdnc_blocks, union doca_data user_data,
	struct doca_ec_task_update **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_update_as_task(struct doca_ec_task_update *task);

/**
 * @brief Get the matrix.
 *
 * @param[in] task  Task.
 *
 * @return The matrix; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *
doca_ec_task_update_get_update_matrix(const struct doca_ec_task_update *task);

/**
 * @brief Set the matrix.
 *
 * @param[in] task           Task that is not in flight; otherwise nothing
 *                           happens but a line in the log.
 * @param[in] update_matrix  Matrix, as a rule from
 *                           doca_ec_matrix_create_update(), of the same
 *                           context; otherwise likewise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_update_matrix(
	struct doca_ec_task_update *task,
	const struct doca_ec_matrix *update_matrix);

/**
 * @brief Get the source.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_update_get_original_updated_and_rdnc_blocks(
	const struct doca_ec_task_update *task);

/**
 * @brief Set the source.
 *
 * @param[in] task                              Task that is not in flight;
 *                                              otherwise nothing happens but a
 *                                              line in the log.
 * @param[in] original_updated_and_rdnc_blocks  Old data, new data, and old
 *                                              redundancy: a buffer or a list;
 *                                              NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_original_updated_and_rdnc_blocks(
	struct doca_ec_task_update *task,
	const struct doca_buf *original_updated_and_rdnc_blocks);

/**
 * @brief Get the destination.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_update_get_updated_rdnc_blocks(
	const struct doca_ec_task_update *task);

/**
 * @brief Set the destination.
 *
 * @param[in] task                 Task that is not in flight; otherwise nothing
 *                                 happens but a line in the log.
 * @param[in] updated_rdnc_blocks  Room for the new redundancy: a buffer or a
 *                                 list; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_updated_rdnc_blocks(
	struct doca_ec_task_update *task, struct doca_buf *updated_rdnc_blocks);

/**
 * @brief Called when a galois_mul task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the data length of
 * the destination is as before.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_ec_task_galois_mul_completion_cb_t)(
	struct doca_ec_task_galois_mul *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable galois_mul tasks.
 *
 * @param[in] ec                             Context that is idle.
 * @param[in] successful_task_completion_cb  Called when a task is done.
 * @param[in] error_task_completion_cb       Called when a task has failed.
 * @param[in] num_tasks                      Number of tasks that can be
 *                                           allocated at a time, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         larger than a context may have.
 * @retval DOCA_ERROR_BAD_STATE  The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_galois_mul_set_conf(
	struct doca_ec *ec,
	doca_ec_task_galois_mul_completion_cb_t successful_task_completion_cb,
	doca_ec_task_galois_mul_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a galois_mul task.
 *
 * @param[in] ec             Context that is running.
 * @param[in] coding_matrix  Matrix, of any kind, of the same context.
 * @param[in] src_buf        Blocks to multiply with it: a buffer or a list;
 *                           NULL if it is set later.
 * @param[in] dst_buf        Room for the products: a buffer or a list; NULL if
 *                           it is set later.
 * @param[in] user_data      Value of the program's own for the task.
 * @param[out] task          The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ec, @p coding_matrix or @p task is NULL,
 *         or the matrix is of another context.
 * @retval DOCA_ERROR_BAD_STATE  The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY  All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_galois_mul_allocate_init(
	struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_ec_task_galois_mul **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_ec_task_galois_mul_as_task(struct doca_ec_task_galois_mul *task);

/**
 * @brief Get the matrix.
 *
 * @param[in] task  Task.
 *
 * @return The matrix; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_galois_mul_get_coding_matrix(
	const struct doca_ec_task_galois_mul *task);

/**
 * @brief Set the matrix.
 *
 * @param[in] task           Task that is not in flight; otherwise nothing
 *                           happens but a line in the log.
 * @param[in] coding_matrix  Matrix, of any kind, of the same context; otherwise
 *                           likewise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_coding_matrix(
	struct doca_ec_task_galois_mul *task,
	const struct doca_ec_matrix *coding_matrix);

/**
 * @brief Get the source.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_ec_task_galois_mul_get_src_buf(const struct doca_ec_task_galois_mul *task);

/**
 * @brief Set the source.
 *
 * @param[in] task     Task that is not in flight; otherwise nothing happens but
 *                     a line in the log.
 * @param[in] src_buf  Blocks to multiply with it: a buffer or a list; NULL
 *                     takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_src_buf(struct doca_ec_task_galois_mul *task,
					 const struct doca_buf *src_buf);

/**
 * @brief Get the destination.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_ec_task_galois_mul_get_dst_buf(const struct doca_ec_task_galois_mul *task);

/**
 * @brief Set the destination.
 *
 * @param[in] task     Task that is not in flight; otherwise nothing happens but
 *                     a line in the log.
 * @param[in] dst_buf  Room for the products: a buffer or a list; NULL takes it
 *                     away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_dst_buf(struct doca_ec_task_galois_mul *task,
					 struct doca_buf *dst_buf);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ERASURE_CODING_H */
