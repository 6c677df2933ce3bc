/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_pe.h
 * @brief Progress engine and tasks.
 *
 * A progress engine drives a program's loop: doca_pe_progress() polls the
 * contexts that are connected to it, and calls the program back. A program
 * either calls it again and again, or waits between calls until there is
 * something to do:
 *
 *     doca_pe_get_notification_handle(pe, &fd);   once; fd goes to epoll
 *     ...
 *     while (doca_pe_progress(pe))
 *             ;
 *     doca_pe_request_notification(pe);
 *     epoll_wait(...);
 *     doca_pe_clear_notification(pe, 0);
 *
 * A task belongs to the program until it is submitted, then to the context, and
 * to the program again once its callback is called, which may submit or free it.
 * There is a callback for success and one for failure; for each submission,
 * exactly one of the two runs, once. Tasks may be completed in another order
 * than they were submitted. Callbacks may submit, allocate and
 * free tasks, release buffers, start and export mmaps, stop contexts, and
 * progress another engine.
 *
 * A batch is a number of tasks of one type that are allocated, submitted and
 * called back together; libraries that offer batches have functions that
 * allocate them. What holds for a task holds for a batch: it has a user value
 * and a status, is submitted again or freed, and counts as one for its pool.
 * One callback runs, once, when all of its tasks are done: that for success if
 * all succeeded, else that for failure, which finds a status for each task.
 * Each of its tasks counts as a task in flight.
 *
 * The functions here that concern tasks allocate no memory, take no lock and do
 * not enter the kernel while the worker that executes the tasks is awake. Where
 * the worker gets no CPU, they execute the tasks themselves, in a system call.
 *
 * Environment: DOCA_IDLE_US is the number of microseconds for which a worker
 * polls for work before it sleeps, or "never" to sleep; 20 by default.
 *
 * Thread safety: an engine belongs, with its contexts and their tasks, to one
 * thread at a time. With DOCA_DEBUG=1 in the environment, functions here and in
 * doca_ctx.h answer DOCA_ERROR_IN_USE while another thread is in one of them for
 * the same engine, and DOCA_ERROR_INVALID_VALUE for objects that do not exist any
 * more; see doca(7).
 */
#ifndef DOCA_PE_H
#define DOCA_PE_H

#include <stdint.h>
#include <stdlib.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_pe;
struct doca_task;
struct doca_task_batch;

/**
 * @brief Contexts that an engine polls after a notification.
 * @since DOCA 3.0
 */
enum doca_pe_event_mode {
	/** the contexts that have notified; the default */
	DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE,
	/** all contexts */
	DOCA_PE_EVENT_MODE_PROGRESS_ALL,
};

/** @brief Way of submitting a task; bits. @since DOCA 3.0 */
enum doca_task_submit_flag {
	/** the context may wait for more tasks before it begins */
	DOCA_TASK_SUBMIT_FLAG_NONE = 0U,
	/** begin with this task, and with those that wait */
	DOCA_TASK_SUBMIT_FLAG_FLUSH = (1U << 0),
	/** completions may be reported together; a hint */
	DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = (1U << 1),
};

/** @brief Number of events that come in one batch. @since DOCA 3.0 */
enum doca_event_batch_events_number {
	DOCA_EVENT_BATCH_EVENTS_NUMBER_1, /**< 1 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_2, /**< 2 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_4, /**< 4 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_8, /**< 8 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_16, /**< 16 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_32, /**< 32 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_64, /**< 64 */
	DOCA_EVENT_BATCH_EVENTS_NUMBER_128, /**< 128 */
};

/** @brief Number of tasks that a batch may hold. @since DOCA 3.0 */
enum doca_task_batch_max_tasks_number {
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, /**< 16 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, /**< 32 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64, /**< 64 */
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128, /**< 128 */
};

/**
 * @brief Called when a task is done, or has failed.
 *
 * @param[in] task            Task; the program's own again.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of its context.
 *
 * @since DOCA 2.5
 */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task,
					  union doca_data task_user_data,
					  union doca_data ctx_user_data);

/**
 * @brief Create a progress engine.
 *
 * @param[out] pe  The engine. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     @p pe is NULL.
 * @retval DOCA_ERROR_NO_MEMORY         No memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  No file descriptors are left.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_create(struct doca_pe **pe);

/**
 * @brief Destroy a progress engine.
 *
 * @param[in] pe  Engine whose contexts were all destroyed.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p pe is NULL.
 * @retval DOCA_ERROR_IN_USE         Contexts are connected to it, there are
 *         graphs of it, or this is called in one of its callbacks.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_destroy(struct doca_pe *pe);

/**
 * @brief Connect a context to an engine. It stays so until it is destroyed.
 *
 * @param[in] pe   Engine; may have any number of contexts, of any kind.
 * @param[in] ctx  Context that is not connected to an engine.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_ALREADY_EXIST  It is connected to this or another engine.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/**
 * @brief Poll the contexts of an engine, and call the program back.
 *
 * At most one callback of a completion or an event runs, together with those of
 * the change of state that it brings.
 *
 * A context that has no callback for its state changes it in silence: the call
 * that makes it idle may return 0, and no notification follows. A program that
 * waits for that looks at the state before each wait.
 *
 * @param[in] pe  Engine.
 *
 * @return 1 if a callback ran; 0 if there was nothing to do, @p pe is NULL, or
 * this is called in a callback of the same engine.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
uint8_t doca_pe_progress(struct doca_pe *pe);

/**
 * @brief Get the descriptor that becomes readable when there is work.
 *
 * @param[in] pe       Engine; contexts need not be connected yet.
 * @param[out] handle  File descriptor for poll() and epoll, always the same
 *                     one: readable when there is something to do. It belongs
 *                     to the engine.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t
doca_pe_get_notification_handle(const struct doca_pe *pe,
				doca_notification_handle_t *handle);

/**
 * @brief Ask to be notified, once, when there is something to do.
 *
 * If there is something already, the handle is readable at once. After the
 * wait, call doca_pe_clear_notification() before doca_pe_progress().
 *
 * @param[in] pe  Engine.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p pe is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The engine is of a parent process.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_request_notification(struct doca_pe *pe);

/**
 * @brief Acknowledge a notification; legal without one.
 *
 * Must come before doca_pe_progress() after doca_pe_request_notification().
 *
 * @param[in] pe      Engine.
 * @param[in] handle  The engine's handle; its value is not used.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p pe is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The engine is of a parent process.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
					doca_notification_handle_t handle);

/**
 * @brief Choose what the engine polls after a notification.
 *
 * In DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE, doca_pe_progress() after
 * doca_pe_clear_notification() polls only the contexts that had something to
 * do when the wait ended. When these have nothing more it returns 0, and from
 * then on polls all again. What other contexts complete meanwhile is not lost:
 * the next doca_pe_request_notification() notifies of it. This suits an engine
 * with many contexts of which few are busy.
 *
 * In DOCA_PE_EVENT_MODE_PROGRESS_ALL, all contexts are always polled.
 *
 * The mode makes no difference to a program that never waits.
 *
 * @param[in] pe          Engine, in any state.
 * @param[in] event_mode  Mode.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p pe is NULL, or there is no such mode.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
				    enum doca_pe_event_mode event_mode);

/**
 * @brief Get the number of tasks in flight, of all contexts.
 *
 * @param[in] pe                   Engine.
 * @param[out] num_inflight_tasks  Tasks that were submitted and not called
 *                                 back.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
					    size_t *num_inflight_tasks);

/**
 * @brief Submit a task.
 *
 * Its buffers are taken as they are now. They are not checked here: a bad task
 * fails through its error callback, and its context stops; until progress
 * delivers that, further submissions succeed and fail likewise.
 *
 * @param[in] task  Task of the program's own; its context is running.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      Its context is not running, or was started
 *         before a fork(); or the task is in flight or was freed.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_task_submit(struct doca_task *task);

/**
 * @brief Submit a task, with a choice of when it begins.
 *
 * @param[in] task   As for doca_task_submit().
 * @param[in] flags  Bits of enum doca_task_submit_flag. Without
 *                   DOCA_TASK_SUBMIT_FLAG_FLUSH the task begins with the next
 *                   one that has it, with doca_ctx_flush_tasks(), or with
 *                   progress.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL, or @p flags has unknown
 *         bits.
 * @retval DOCA_ERROR_BAD_STATE      As for doca_task_submit().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);

/**
 * @brief Check a task, and submit it.
 *
 * For the development of a program, since it is slower than doca_task_submit()
 * and answers at once.
 *
 * @param[in] task  As for doca_task_submit().
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task is NULL, or such that it would
 *         fail, and the log says why: a buffer is missing or was released, a
 *         source has no data, data is not within its buffer, a list or the data
 *         is too long, a destination too short or not to be written, an mmap is
 *         not started or lacks the device; or what the task's own library says.
 *         It was not submitted. doca_task_submit() would let it fail.
 * @retval DOCA_ERROR_NOT_PERMITTED  For RDMA: the permissions of the mmap of a
 *         buffer do not allow it, and the task would fail.
 * @retval DOCA_ERROR_NO_MEMORY      For RDMA: a buffer's mmap cannot be
 *         registered with the device for lack of memory, or of what may be
 *         locked, and the task would fail.
 * @retval DOCA_ERROR_NOT_CONNECTED  For RDMA: the task's connection is not
 *         connected, and the task would fail.
 * @retval DOCA_ERROR_NOT_SUPPORTED  For RDMA: the device cannot register the
 *         mmap of a buffer, and the task would fail.
 * @retval DOCA_ERROR_DRIVER         For RDMA: the device has refused to register
 *         it for another reason, and the task would fail.
 * @retval DOCA_ERROR_BAD_STATE      As for doca_task_submit().
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_task_try_submit(struct doca_task *task);

/**
 * @brief Give a task back to its context.
 *
 * @param[in] task  Task; NULL is legal. One that is in flight is given back
 *                  after its callback, which still runs.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
void doca_task_free(struct doca_task *task);

/**
 * @brief Result of a task.
 *
 * @param[in] task  Task, in its callback.
 *
 * @retval DOCA_SUCCESS               It is done.
 * @retval DOCA_ERROR_INVALID_VALUE   @p task is NULL; or the task was invalid,
 *         so that doca_task_try_submit() would have refused it; or its
 *         destination has less room than the result takes.
 * @retval DOCA_ERROR_NOT_PERMITTED   The permissions of an mmap do not allow
 *         it.
 * @retval DOCA_ERROR_NO_MEMORY       A buffer's mmap could not be registered with
 *         the device for lack of memory, or of what may be locked.
 * @retval DOCA_ERROR_TOO_BIG         What was received does not fit its buffer.
 * @retval DOCA_ERROR_SHUTDOWN        It was canceled: the context is stopping,
 *         a task before it failed, or the device was removed.
 * @retval DOCA_ERROR_IO_FAILED       The memory of a buffer was revoked, as its
 *         mmap was stopped here or by its exporter, or has an error that cannot
 *         be corrected; or nothing executes tasks any more. Or its data was
 *         malformed, or does not match its checksum or tag.
 * @retval DOCA_ERROR_NOT_SUPPORTED   The operation does not work on memory of
 *         this kind.
 * @retval DOCA_ERROR_BAD_STATE       An object that it names was destroyed, or
 *         it continues an operation that was not begun.
 * @retval DOCA_ERROR_NOT_CONNECTED   The connection, or the other side, is
 *         gone.
 * @retval DOCA_ERROR_CONNECTION_RESET  The link to another machine was lost.
 * @retval DOCA_ERROR_TIME_OUT        The other side had no receive task for it in
 *         time.
 * @retval DOCA_ERROR_DRIVER          The driver gave another reason.
 *
 * A task that fails because of its data, for lack of room in its destination, or because
 * the other side is gone fails alone: its context goes on. After any other failure the
 * context stops, and the tasks behind this one are canceled. Tasks of RDMA break
 * their connection instead, as doca_rdma.h says.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
doca_error_t doca_task_get_status(const struct doca_task *task);

/**
 * @brief Context of a task.
 *
 * @param[in] task  Task.
 *
 * @return Its context; NULL if @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/**
 * @brief Set a task's value of the program's own, which its callbacks get.
 *
 * @param[in] task       Task that is not in flight; nothing happens if it is
 *                       NULL.
 * @param[in] user_data  The value.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);

/**
 * @brief A task's value of the program's own.
 *
 * @param[in] task  Task.
 *
 * @return The value of its allocation or of doca_task_set_user_data(); 0 if
 * @p task is NULL.
 *
 * @since DOCA 2.5
 */
DOCA_STABLE
union doca_data doca_task_get_user_data(const struct doca_task *task);

/**
 * @brief Submit a batch: all of its tasks, at once.
 *
 * Arguments are taken as they are now, and not checked, as with
 * doca_task_submit(). After a task that fails, those behind it are canceled.
 *
 * @param[in] task_batch  Batch of the program's own; its context is running.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task_batch is NULL.
 * @retval DOCA_ERROR_BAD_STATE      Its context is not running, or was started
 *         before a fork(); or the batch is in flight or was freed. None of its
 *         tasks was submitted.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);

/**
 * @brief Check all tasks of a batch, and submit it if none is bad.
 *
 * For the development of a program, as doca_task_try_submit() is.
 *
 * @param[in] task_batch  As for doca_task_batch_submit().
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task_batch is NULL, or a task's arguments
 *         are such that it would fail. None of its tasks was submitted.
 * @retval DOCA_ERROR_BAD_STATE      As for doca_task_batch_submit().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);

/**
 * @brief Give a batch back to its context.
 *
 * @param[in] task_batch  Batch; NULL is legal. One that is in flight is given
 *                        back after its callback, which still runs.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_task_batch_free(struct doca_task_batch *task_batch);

/**
 * @brief Get the result of a batch.
 *
 * @param[in] task_batch  Batch, in its callback.
 *
 * @retval DOCA_SUCCESS              All of its tasks are done.
 * @retval DOCA_ERROR_INVALID_VALUE  @p task_batch is NULL; or as below.
 *
 * @return Otherwise the status of the first task that failed, as
 * doca_task_get_status() says.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_task_batch_get_status(const struct doca_task_batch *task_batch);

/**
 * @brief Context of a batch.
 *
 * @param[in] task_batch  Batch.
 *
 * @return Its context; NULL if @p task_batch is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *
doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);

/**
 * @brief The program's own value of a batch's context.
 *
 * @param[in] task_batch  Batch.
 *
 * @return What doca_ctx_set_user_data() has set; 0 if that was never called, or
 * @p task_batch is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
union doca_data
doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);

/**
 * @brief Get the number of tasks in a batch.
 *
 * @param[in] task_batch  Batch.
 *
 * @return The number that it was allocated with; 0 if @p task_batch is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);

/**
 * @brief Set a batch's value of the program's own, which its callbacks get.
 *
 * @param[in] task_batch  Batch that is not in flight; nothing happens if it is
 *                        NULL.
 * @param[in] user_data   The value.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch,
				   union doca_data user_data);

/**
 * @brief A batch's value of the program's own.
 *
 * @param[in] task_batch  Batch.
 *
 * @return The value of its allocation or of doca_task_batch_set_user_data(); 0
 * if @p task_batch is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
union doca_data
doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_PE_H */
