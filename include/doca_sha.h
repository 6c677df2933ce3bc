/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_sha.h
 * @brief SHA: digests of memory, by SHA-1, SHA-256 or SHA-512.
 *
 * A doca_sha is a context (see doca_ctx.h) with two kinds of tasks. A hash task
 * makes the digest of its source, which may be a list of buffers, and may have
 * no data; the digest is appended to the destination, one buffer with room for
 * it, whose data length grows.
 *
 * A partial hash task makes the digest of data that comes in parts. It is
 * submitted once for each part, and has the state of the hash in between:
 *
 * - the first submission begins a hash;
 * - each part but the last is a multiple of the algorithm's block, and not
 *   empty, and the destination is not looked at;
 * - before the last part is submitted, the program calls
 *   doca_sha_task_partial_hash_set_is_final_buf(); then the digest is written,
 *   and doca_sha_task_partial_hash_get_has_result() returns 1;
 * - doca_sha_task_partial_hash_reset() lets the task begin another hash. If it
 *   is submitted after its result without that, or after a failure, it fails
 *   with DOCA_ERROR_BAD_STATE.
 *
 * The next part is submitted when the one before is done. The parts of several
 * tasks come in any order.
 *
 * In a process with the driver's own code (doca(7)), digests are made by
 * libcrypto; where it is not installed, or ISA-L or zlib is not, whichever the
 * plug-in open-doca-2/compute.so was built with, a line in the log says so, and
 * no device makes any.
 *
 * A task fails with DOCA_ERROR_INVALID_VALUE if its source is longer than
 * doca_sha_cap_get_max_src_buf_size(), its list than
 * doca_sha_cap_get_max_list_buf_num_elem(), if the destination has less room
 * than doca_sha_cap_get_min_dst_buf_size(), or if a part has another length
 * than above. With the driver's own code in the process, memory of another
 * process fails with DOCA_ERROR_NOT_SUPPORTED: copy it (doca_dma.h). As with
 * tasks of all kinds, the context then stops: see doca_ctx.h. Data that is
 * changed while a task is in flight gives any digest.
 *
 * Tasks may complete in another order than they were submitted.
 *
 * Thread safety: a doca_sha belongs, as every context, with its progress engine
 * and its tasks to one thread at a time. The capabilities of devices may be
 * asked for by any thread.
 */
#ifndef DOCA_SHA_H
#define DOCA_SHA_H

#include <inttypes.h>
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
struct doca_sha;
struct doca_sha_task_hash;
struct doca_sha_task_partial_hash;
struct doca_task;

/** @brief Algorithms. @since DOCA 3.0 */
enum doca_sha_algorithm {
	/** @brief SHA-1: 20 bytes. */
	DOCA_SHA_ALGORITHM_SHA1,
	/** @brief SHA-256: 32 bytes. */
	DOCA_SHA_ALGORITHM_SHA256,
	/** @brief SHA-512: 64 bytes. */
	DOCA_SHA_ALGORITHM_SHA512,
};

/**
 * @brief Create a context.
 *
 * @param[in] dev   Device; the context keeps it open.
 * @param[out] sha  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device makes no digests.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha);

/**
 * @brief Destroy a context. It is disconnected from its progress engine.
 *
 * @param[in] sha  Context that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p sha is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_destroy(struct doca_sha *sha);

/**
 * @brief The context as which it is started and stopped.
 *
 * @param[in] sha  Context.
 *
 * @return The same context, for the functions of doca_ctx.h and doca_pe.h;
 * NULL if @p sha is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha);

/**
 * @brief Get the maximum number of tasks of a context.
 *
 * @param[in] sha             Context.
 * @param[out] max_num_tasks  Tasks of both kinds together. Set on success
 *                            only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha,
					    uint32_t *max_num_tasks);

/**
 * @brief Get the maximum length of a task's list.
 *
 * @param[in] devinfo                 Device.
 * @param[out] max_list_buf_num_elem  Buffers of the source. Set on success
 *                                    only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
				       uint32_t *max_list_buf_num_elem);

/**
 * @brief Get the maximum number of bytes of one task.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_src_buf_size  Bytes of the source, of all buffers of a list
 *                               together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo,
				  uint64_t *max_src_buf_size);

/**
 * @brief Get the length of a digest.
 *
 * @param[in] devinfo            Device.
 * @param[in] algorithm          Algorithm.
 * @param[out] min_dst_buf_size  Bytes of room that the destination needs: 20,
 *                               32 or 64. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
				  enum doca_sha_algorithm algorithm,
				  uint32_t *min_dst_buf_size);

/**
 * @brief Get the unit of the parts of a hash.
 *
 * @param[in] devinfo              Device.
 * @param[in] algorithm            Algorithm.
 * @param[out] partial_block_size  Bytes of which each part but the last is a
 *                                 multiple: 64, and 128 for SHA-512. Set on
 *                                 success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not do that.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_get_partial_hash_block_size(const struct doca_devinfo *devinfo,
					 enum doca_sha_algorithm algorithm,
					 uint32_t *partial_block_size);

/**
 * @brief Check whether a device makes whole hashes.
 *
 * @param[in] devinfo    Device.
 * @param[in] algorithm  Algorithm.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It does not, with this algorithm.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_task_hash_get_supported(const struct doca_devinfo *devinfo,
				     enum doca_sha_algorithm algorithm);

/**
 * @brief Check whether a device makes hashes in parts.
 *
 * @param[in] devinfo    Device.
 * @param[in] algorithm  Algorithm.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It does not, with this algorithm.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_cap_task_partial_hash_get_supported(const struct doca_devinfo *devinfo,
					     enum doca_sha_algorithm algorithm);

/**
 * @brief Called when a hash task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the destination has
 * no more data than before.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_sha_task_hash_completion_cb_t)(
	struct doca_sha_task_hash *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable hash tasks.
 *
 * @param[in] sha                 Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] log_num_tasks       Binary logarithm of the number of tasks that
 *                                can be allocated at a time: 0 is one task, 10
 *                                are 1024. The number is limited by
 *                                doca_sha_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number too
 *         large.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_conf(
	struct doca_sha *sha,
	doca_sha_task_hash_completion_cb_t task_completion_cb,
	doca_sha_task_hash_completion_cb_t task_error_cb,
	uint8_t log_num_tasks);

/**
 * @brief Allocate a hash task.
 *
 * @param[in] sha        Context that is running.
 * @param[in] algorithm  Algorithm.
 * @param[in] src_buf    Source, or its list; NULL if it is set later.
 * @param[in] dst_buf    Destination, one buffer; NULL if it is set later.
 * @param[in] user_data  Value of the program's own for the task.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p sha or @p task is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not have the algorithm.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha,
					   enum doca_sha_algorithm algorithm,
					   const struct doca_buf *src_buf,
					   struct doca_buf *dst_buf,
					   union doca_data user_data,
					   struct doca_sha_task_hash **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task     Task that is not in flight.
 * @param[in] src_buf  Source, or its list; NULL takes it away.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task,
					const struct doca_buf *src_buf);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return The source that was set last; NULL if there is none, or if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_sha_task_hash_get_src(const struct doca_sha_task_hash *task);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task     Task that is not in flight.
 * @param[in] dst_buf  Destination, one buffer; NULL takes it away.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task,
					struct doca_buf *dst_buf);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return The destination that was set last; NULL if there is none, or if @p
 * task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_sha_task_hash_get_dst(const struct doca_sha_task_hash *task);

/**
 * @brief Set the algorithm of a task.
 *
 * @param[in] task       Task that is not in flight.
 * @param[in] algorithm  Algorithm.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL, or @p algorithm unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not have it.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
				 enum doca_sha_algorithm algorithm);

/**
 * @brief Get the algorithm of a task.
 *
 * @param[in] task  Task.
 *
 * @return The algorithm that was set last; DOCA_SHA_ALGORITHM_SHA1 if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
enum doca_sha_algorithm
doca_sha_task_hash_get_algorithm(const struct doca_sha_task_hash *task);

/**
 * @brief Called when a partial hash task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Then the destination has
 * no more data than before. The hash is lost, and
 * doca_sha_task_partial_hash_reset() lets the task begin another.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_sha_task_partial_hash_completion_cb_t)(
	struct doca_sha_task_partial_hash *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable partial hash tasks.
 *
 * @param[in] sha                 Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] log_num_tasks       Binary logarithm of the number of tasks that
 *                                can be allocated at a time: 0 is one task, 10
 *                                are 1024. The number is limited by
 *                                doca_sha_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number too
 *         large.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_conf(
	struct doca_sha *sha,
	doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
	doca_sha_task_partial_hash_completion_cb_t task_error_cb,
	uint8_t log_num_tasks);

/**
 * @brief Allocate a partial hash task. Its hash is not begun.
 *
 * @param[in] sha        Context that is running.
 * @param[in] algorithm  Algorithm.
 * @param[in] src_buf    Source, or its list: the first part; NULL if it is set
 *                       later.
 * @param[in] dst_buf    Destination, one buffer; NULL if it is set later.
 * @param[in] user_data  Value of the program's own for the task.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p sha or @p task is NULL, or @p algorithm
 *         unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not have the algorithm.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or has no such
 *         tasks.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_alloc_init(
	struct doca_sha *sha, enum doca_sha_algorithm algorithm,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_sha_task_partial_hash **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_sha_task_partial_hash_as_task(struct doca_sha_task_partial_hash *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task     Task that is not in flight.
 * @param[in] src_buf  Source, or its list: the next part; NULL takes it away.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_task_partial_hash_set_src(struct doca_sha_task_partial_hash *task,
				   const struct doca_buf *src_buf);

/**
 * @brief Get the source of a task.
 *
 * @param[in] task  Task.
 *
 * @return The source that was set last; NULL if there is none, or if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_partial_hash_get_src(
	const struct doca_sha_task_partial_hash *task);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task     Task that is not in flight.
 * @param[in] dst_buf  Destination, one buffer; NULL takes it away.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_task_partial_hash_set_dst(struct doca_sha_task_partial_hash *task,
				   struct doca_buf *dst_buf);

/**
 * @brief Get the destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return The destination that was set last; NULL if there is none, or if @p
 * task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_partial_hash_get_dst(
	const struct doca_sha_task_partial_hash *task);

/**
 * @brief Set the algorithm of a task.
 *
 * @param[in] task       Task that is not in flight, and whose hash is not
 *                       begun.
 * @param[in] algorithm  Algorithm.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL, or @p algorithm unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device does not have it.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight, or its hash was
 *         begun.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_algorithm(
	struct doca_sha_task_partial_hash *task,
	enum doca_sha_algorithm algorithm);

/**
 * @brief Get the algorithm of a task.
 *
 * @param[in] task  Task.
 *
 * @return The algorithm that was set last; DOCA_SHA_ALGORITHM_SHA1 if @p task
 * is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
	const struct doca_sha_task_partial_hash *task);

/**
 * @brief Say that the source is the last part of the hash.
 *
 * @param[in] task  Task that is not in flight.
 *
 * It may be the first part as well, and may be empty.
 * doca_sha_task_partial_hash_reset() takes it back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
	struct doca_sha_task_partial_hash *task);

/**
 * @brief Check whether the source is the last part.
 *
 * @param[in] task  Task.
 *
 * @return 1 if doca_sha_task_partial_hash_set_is_final_buf() was called; 0 if
 * not, or if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint8_t doca_sha_task_partial_hash_get_is_final(
	const struct doca_sha_task_partial_hash *task);

/**
 * @brief Check whether the digest was written.
 *
 * @param[in] task  Task.
 *
 * @return 1 if the last part has succeeded; 0 if not, or if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint8_t doca_sha_task_partial_hash_get_has_result(
	const struct doca_sha_task_partial_hash *task);

/**
 * @brief Have the next part of a task begin a new hash.
 *
 * @param[in] task  Task that is not in flight.
 *
 * Buffers and algorithm stay as they are.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The task is in flight.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SHA_H */
