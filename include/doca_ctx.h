/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_ctx.h
 * @brief Contexts: the base of every library that executes tasks.
 *
 * A library's object, such as a doca_dma, is a context too: its *_as_ctx()
 * function returns it. A context is configured, connected to a progress engine
 * and started; then it has tasks. It must be stopped before it is configured anew.
 *
 *               start                stop, or a failed task
 *      +------+ ------> +---------+ ------------------------> +----------+
 *      | idle |         | running |                           | stopping |
 *      +------+ <------ +---------+                           +----------+
 *         ^     stop with no task                                   |
 *         +---------------------------------------------------------+
 *                progress, when all tasks are called back and freed
 *
 * If a library takes longer to start, its context is in a further state, starting,
 * before it is running.
 *
 * After a task has failed, its context stops by itself: the error callbacks of
 * all tasks behind it run, and once all tasks are freed the context is idle and
 * can be started again. The same happens when its device is removed. In the
 * child of a fork() a context of the parent is dead: its tasks fail there.
 *
 * Thread safety: a context belongs, with its progress engine and its tasks, to
 * one thread at a time.
 */
#ifndef DOCA_CTX_H
#define DOCA_CTX_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;

/** @brief State of a context. @since DOCA 2.5 */
enum doca_ctx_states {
	/** it can be configured, and has no tasks */
	DOCA_CTX_STATE_IDLE = 0,
	/** it was started, and will be running after some progress */
	DOCA_CTX_STATE_STARTING = 1,
	/** tasks can be allocated and submitted */
	DOCA_CTX_STATE_RUNNING = 2,
	/** its tasks are called back, and must be freed before it becomes idle */
	DOCA_CTX_STATE_STOPPING = 3,
};

/**
 * @brief Called when a context has changed its state.
 *
 * @param[in] user_data   As set with doca_ctx_set_user_data().
 * @param[in] ctx         Context. In state DOCA_CTX_STATE_IDLE it may be
 *                        destroyed here.
 * @param[in] prev_state  Its old state.
 * @param[in] next_state  Its new state, which doca_ctx_get_state() returns, too.
 *
 * It is called by doca_pe_progress(), and by doca_ctx_start() and
 * doca_ctx_stop() for a change that these make.
 * @since DOCA 2.5
 */
typedef void (*doca_ctx_state_changed_callback_t)(
	const union doca_data user_data, struct doca_ctx *ctx,
	enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

/**
 * @brief Start a context.
 *
 * Everything that its tasks need is allocated here. The state callback runs
 * before this function returns, and may stop the context.
 *
 * @param[in] ctx  Context that is idle, configured and connected to a progress
 *                 engine.
 *
 * @retval DOCA_SUCCESS              It is running.
 * @retval DOCA_ERROR_IN_PROGRESS    It is starting: the state callback will say
 *         when it runs. Only libraries that say so do this.
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL, or something is not
 *         configured that must be.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 * @retval DOCA_ERROR_NOT_PERMITTED  The process lacks capabilities that it needs,
 *                                   or may lock too little memory.
 * @retval DOCA_ERROR_IN_USE         A part of the device that it needs is in use.
 * @retval DOCA_ERROR_NOT_CONNECTED  It is not connected to a progress engine.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Its device cannot do what it is configured
 *         for.
 * @retval DOCA_ERROR_INITIALIZATION No memory, the device was removed, the user
 *         has too many queues, the driver could not be asked, or the device or
 *         the engine is of a parent process; the log says which.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/**
 * @brief Stop a context.
 *
 * Tasks in flight are canceled, except those that are done already, and come
 * back through their callbacks.
 *
 * @param[in] ctx  Context, in any state.
 *
 * @retval DOCA_SUCCESS              It is idle.
 * @retval DOCA_ERROR_IN_PROGRESS    It is stopping, because tasks are in flight
 *         or allocated, or because this was called in a callback: progress will
 *         make it idle.
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL.
 * @retval DOCA_ERROR_NOT_CONNECTED  It is not connected to a progress engine.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/**
 * @brief Begin with tasks that were submitted without
 * DOCA_TASK_SUBMIT_FLAG_FLUSH.
 *
 * @param[in] ctx  Context; nothing happens if it is not running, or NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/**
 * @brief Get the number of tasks in flight.
 *
 * @param[in] ctx                  Context, in any state.
 * @param[out] num_inflight_tasks  Tasks that were submitted and not called
 *                                 back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
					     size_t *num_inflight_tasks);

/**
 * @brief State of a context.
 *
 * @param[in] ctx     Context.
 * @param[out] state  Its state.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
				enum doca_ctx_states *state);

/**
 * @brief Set a value of the program's own, which all callbacks get.
 *
 * @param[in] ctx        Context that is idle; one of the communication channel
 *                       (doca_comch.h) may be in any state.
 * @param[in] user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx,
				    union doca_data user_data);

/**
 * @brief Get the value that the program has set for a context.
 *
 * @param[in] ctx         Context.
 * @param[out] user_data  The value; 0 if it was never set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
				    union doca_data *user_data);

/**
 * @brief Set the callback for changes of a context's state.
 *
 * @param[in] ctx  Context that is idle.
 * @param[in] cb   Callback; the last one that was set is called.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
			      doca_ctx_state_changed_callback_t cb);

/**
 * @brief Let a data path accelerator (DPA) submit and progress tasks.
 *
 * No device has one, so it always fails.
 *
 * @param[in] ctx      Context that is idle.
 * @param[in] dpa_dev  DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
					  struct doca_dpa *dpa_dev);

/**
 * @brief Let a GPU submit and progress tasks.
 *
 * No device supports it, so it always fails.
 *
 * @param[in] ctx      Context that is idle.
 * @param[in] gpu_dev  GPU.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
					  struct doca_gpu *gpu_dev);

/**
 * @brief Get the number of completion vectors of a device.
 *
 * @param[in] devinfo            Device.
 * @param[out] num_comp_vectors  Vectors; 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * Thread safety: safe.
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
					uint32_t *num_comp_vectors);

/**
 * @brief Choose the completion vector that notifies of a context's completions.
 *
 * @param[in] ctx          Context that is idle.
 * @param[in] comp_vector  Less than doca_ctx_cap_get_num_completion_vectors()
 *                         says.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL, or there is no such vector.
 * @retval DOCA_ERROR_BAD_STATE      It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
					    uint32_t comp_vector);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CTX_H */
