/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_dma.h
 * @brief DMA: copies between memory maps.
 *
 * A doca_dma is a context (see doca_ctx.h) with one kind of task: copy the data
 * of a source behind the data of a destination. Source and destination may each
 * be a list of buffers, in memory of this process or of an mmap made from an
 * export. Data is copied in the order of the lists; the data length of the
 * destination's buffers grows by what was written into them.
 *
 * Tasks may complete in another order than they were submitted, and a copy may begin
 * before an earlier one has ended: submit what depends on a copy when it has completed.
 *
 * Thread safety: a doca_dma belongs, as every context, with its progress engine
 * and its tasks to one thread at a time. The capabilities of devices may be
 * asked for by any thread.
 */
#ifndef DOCA_DMA_H
#define DOCA_DMA_H

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
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_gpu_dma;
struct doca_task;

/**
 * @brief Called when a memcpy task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * doca_task_get_status() says why a task has failed. Bytes that were copied
 * before it failed stay copied, but the data length of the destination does not
 * grow.
 * @since DOCA 2.5
 */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(
	struct doca_dma_task_memcpy *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Create a DMA context.
 *
 * @param[in] dev   Device; the context keeps it open.
 * @param[out] dma  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);

/**
 * @brief Destroy a DMA context. It is disconnected from its progress engine.
 *
 * @param[in] dma  Context that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dma is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);

/**
 * @brief The context as which a DMA context is started and stopped.
 *
 * @param[in] dma  Context.
 *
 * @return The same context, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if
 * @p dma is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

/**
 * @brief Get the maximum number of tasks of a context.
 *
 * @param[in] dma             Context.
 * @param[out] max_num_tasks  Tasks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
					    uint32_t *max_num_tasks);

/**
 * @brief Check whether a device can copy memory.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It can.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the maximum number of bytes that one task may copy.
 *
 * @param[in] devinfo    Device.
 * @param[out] buf_size  Bytes of source data, of all buffers of a list
 *                       together. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
					  uint64_t *buf_size);

/**
 * @brief Get the maximum length of the lists of one task.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers of the source, and likewise of the
 *                               destination. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device cannot copy.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
	const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

/**
 * @brief Enable memcpy tasks. A context cannot start without it.
 *
 * @param[in] dma                 Context that is idle.
 * @param[in] task_completion_cb  Called when a task is done.
 * @param[in] task_error_cb       Called when a task has failed.
 * @param[in] num_memcpy_tasks    Tasks that can be allocated at a time, from 1
 *                                to what doca_dma_cap_get_max_num_tasks() says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p num_memcpy_tasks
 *         out of range.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(
	struct doca_dma *dma,
	doca_dma_task_memcpy_completion_cb_t task_completion_cb,
	doca_dma_task_memcpy_completion_cb_t task_error_cb,
	uint32_t num_memcpy_tasks);

/**
 * @brief Allocate a memcpy task.
 *
 * The buffers are not checked here; see doca_task_submit(). A task whose source
 * has no data fails: in a list some buffers may be empty, but not all.
 *
 * @param[in] dma        Context that is running.
 * @param[in] src        Source, or its list; may be set later. Its mmap must
 *                       have the device of the context.
 * @param[in] dst        Destination, or its list, likewise.
 * @param[in] user_data  Value of the program's own for the task.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p dma or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_alloc_init(
	struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
	union doca_data user_data, struct doca_dma_task_memcpy **task);

/**
 * @brief The task as which a memcpy task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_task *
doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

/**
 * @brief Set the source of a task.
 *
 * @param[in] task  Task that is not in flight; else, and if it is NULL, nothing
 *                  happens.
 * @param[in] src   Source, or its list.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
				  const struct doca_buf *src);

/**
 * @brief Source of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
const struct doca_buf *
doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);

/**
 * @brief Set the destination of a task.
 *
 * @param[in] task  Task that is not in flight; else, and if it is NULL, nothing
 *                  happens.
 * @param[in] dst   Destination, or its list.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
				  struct doca_buf *dst);

/**
 * @brief Destination of a task.
 *
 * @param[in] task  Task.
 *
 * @return What was set last; NULL if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_buf *
doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);

/**
 * @brief Handle with which a GPU submits tasks.
 *
 * Tasks are submitted by the CPU only, so it always fails.
 *
 * @param[in] dma       Context.
 * @param[out] gpu_dma  The handle; never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
				     struct doca_gpu_dma **gpu_dma);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DMA_H */
