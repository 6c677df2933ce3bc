/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_mmap_advise.h
 * @brief Advice on the memory of memory maps.
 *
 * A doca_mmap_advise is a context (see doca_ctx.h) with one kind of task. It says
 * that the content of a buffer is no longer needed, so that caches between a
 * device and the memory may drop it instead of writing it back. It is advice, for
 * speed alone: afterwards the buffer may have any content.
 *
 * Here the data path is on CPUs, whose caches are coherent: they hold no stale
 * data, and cannot drop dirty lines. So the driver executes a task in turn with
 * others and with all checks, a bad one fails as it would on a device, and the
 * memory stays as it is.
 *
 * Thread safety: a doca_mmap_advise belongs, as every context, with its progress
 * engine and its tasks to one thread at a time. The capabilities of devices may
 * be asked for by any thread.
 */
#ifndef DOCA_MMAP_ADVISE_H
#define DOCA_MMAP_ADVISE_H

#include <stddef.h>
#include <stdint.h>
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
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;
struct doca_task;

/**
 * @brief Called when a task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed.
 * @since DOCA 3.0
 */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(
	struct doca_mmap_advise_task_invalidate_cache *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Create a context for advice.
 *
 * @param[in] dev           Device; the context keeps it open.
 * @param[out] mmap_advise  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device takes no advice.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
				     struct doca_mmap_advise **mmap_advise);

/**
 * @brief Destroy a context. It is disconnected from its progress engine.
 *
 * @param[in] mmap_advise  Context that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap_advise is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);

/**
 * @brief The context as which it is started and stopped.
 *
 * @param[in] mmap_advise  Context.
 *
 * @return The same context, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p mmap_advise is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);

/**
 * @brief Check whether a device accepts cache invalidation tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It does.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It does not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Get the maximum number of bytes of one task.
 *
 * @param[in] devinfo    Device.
 * @param[out] buf_size  Bytes of data of the buffer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device takes no such tasks.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
	const struct doca_devinfo *devinfo, uint64_t *buf_size);

/**
 * @brief Enable cache invalidation tasks. A context cannot start without it.
 *
 * @param[in] mmap_advise    Context that is idle.
 * @param[in] completion_cb  Called when a task is done.
 * @param[in] error_cb       Called when a task has failed.
 * @param[in] num_tasks      Tasks that can be allocated at a time, at least 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_tasks is 0 or
 *         more than a context can have.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a cache invalidation task.
 *
 * Nothing of the buffer is checked here; see doca_task_submit(). A task is about
 * the buffer's data as it is when the task is submitted. It fails if there is
 * none, if the buffer is a list, or if its mmap lacks the device of the context
 * or does not allow local writes.
 *
 * @param[in] mmap_advise  Context that is running.
 * @param[in] buf          Buffer; may be set later.
 * @param[in] user_data    Value of the program's own for the task.
 * @param[out] task        The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p mmap_advise or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
	struct doca_mmap_advise *mmap_advise, struct doca_buf *buf,
	union doca_data user_data,
	struct doca_mmap_advise_task_invalidate_cache **task);

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
struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
	struct doca_mmap_advise_task_invalidate_cache *task);

/**
 * @brief Set the buffer of a task.
 *
 * @param[in] task  Task that is not in flight; else, and if it is NULL, nothing
 *                  happens.
 * @param[in] buf   Buffer.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_mmap_advise_task_invalidate_cache_set_buf(
	struct doca_mmap_advise_task_invalidate_cache *task,
	struct doca_buf *buf);

/**
 * @brief Buffer of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
	const struct doca_mmap_advise_task_invalidate_cache *task);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_MMAP_ADVISE_H */
