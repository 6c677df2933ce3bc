/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_ctx.h
 * @brief Contexts and work queues, at the levels 1.3 and 1.5.
 *
 * A context executes jobs. It is the base of a library's object, such as a
 * doca_dma, whose *_as_ctx() function gives it. A thread submits jobs to a work
 * queue, and gets one event from it for each job that is done.
 *
 *     doca_ctx_dev_add(ctx, dev);
 *     doca_ctx_start(ctx);
 *     doca_workq_create(depth, &workq);
 *     doca_ctx_workq_add(ctx, workq);
 *     doca_workq_submit(workq, &job.base);
 *     while (doca_workq_progress_retrieve(workq, &event, 0) ==
 *            DOCA_ERROR_AGAIN)
 *             ;
 *     doca_ctx_workq_rm(ctx, workq);
 *     doca_ctx_stop(ctx);
 *     doca_ctx_dev_rm(ctx, dev);
 *
 * A context may have many work queues, and a work queue many contexts. Jobs may
 * be done in another order than they were submitted.
 *
 * A job that fails does so alone: others, also those behind it, are executed.
 * When the device of a context is removed, all of its jobs in flight fail, and
 * its work queues take no more for it; they can be removed, and all destroyed.
 * In the child of a fork() all of this is dead: jobs fail there.
 *
 * While the worker that executes jobs is awake, nothing between the submission
 * of a job that succeeds and its event allocates memory, takes a lock or enters
 * the kernel.
 *
 * Thread safety: the functions of contexts are thread safe. A work queue belongs
 * to one thread at a time, also in functions that add it to a context or remove
 * it. With DOCA_DEBUG=1 in the environment, functions of work queues answer
 * DOCA_ERROR_IN_USE while another thread is in one of them for the same one, and
 * all functions of these levels DOCA_ERROR_INVALID_VALUE for objects that do not
 * exist any more, or are of another level; the log says so.
 */
#ifndef DOCA_1_3_CTX_H
#define DOCA_1_3_CTX_H

#include <stdint.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_workq;

/** @brief Way of submitting a job. @since DOCA 1.3 */
enum doca_job_flags {
	DOCA_JOB_FLAGS_NONE = 0, /**< the only value */
};

/** @brief Way of retrieving events. @since DOCA 1.3 */
enum doca_workq_retrieve_flags {
	DOCA_WORKQ_RETRIEVE_FLAGS_NONE = 0, /**< the only value */
};

/**
 * @brief First member of all jobs.
 *
 * The library copies a job when it is submitted.
 * @since DOCA 1.3
 */
struct doca_job {
	int type; /**< type, such as DOCA_DMA_JOB_MEMCPY */
	int flags; /**< bits of enum doca_job_flags */
	struct doca_ctx *ctx; /**< context that is to execute it */
	union doca_data user_data; /**< value of the program's own */
};

/** @brief A job is done, or has failed. @since DOCA 1.3 */
struct doca_event {
	int type; /**< type of the job */
	union doca_data user_data; /**< value of the job */
	union doca_data result; /**< u64: a doca_error_t, DOCA_SUCCESS if done */
};

#if DOCA_LEVEL < 105
/**
 * @brief Properties of work queues, with the type of their values.
 * @since DOCA 1.3
 */
enum doca_workq_property {
	/** how many jobs may be in flight: uint32_t, at least 1 */
	DOCA_WORKQ_DEPTH,
};
#endif

/**
 * @brief Add a device to a context.
 *
 * @param[in] ctx  Context that is stopped. A DMA context takes one device.
 * @param[in] dev  Device that can do what the context is for; the context keeps
 *                 it open.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_ALREADY_EXIST  It has the device already.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has another device already, or the device
 *         cannot do it.
 * @retval DOCA_ERROR_NOT_CONNECTED  The device was removed.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_dev_add(struct doca_ctx *ctx, struct doca_dev *dev)
	DOCA_1_3(ctx_dev_add);

/**
 * @brief Remove a device from a context.
 *
 * @param[in] ctx  Context that is stopped.
 * @param[in] dev  Device that was added.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_FOUND      It does not have the device.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_dev_rm(struct doca_ctx *ctx, struct doca_dev *dev)
	DOCA_1_3(ctx_dev_rm);

/**
 * @brief Start a context: it takes work queues, and its devices stay.
 *
 * @param[in] ctx  Context that is stopped and has a device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started, or has no device.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx) DOCA_1_3(ctx_start);

/**
 * @brief Stop a context.
 *
 * @param[in] ctx  Context that is started and has no work queues.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p ctx is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not started.
 * @retval DOCA_ERROR_IN_USE         It has work queues.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx) DOCA_1_3(ctx_stop);

/**
 * @brief Add a work queue to a context.
 *
 * All that its jobs need is allocated here.
 *
 * @param[in] ctx    Context that is started.
 * @param[in] workq  Work queue.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE   An argument is NULL, or the depth of the
 *         work queue is more than the context can have.
 * @retval DOCA_ERROR_BAD_STATE       The context is not started.
 * @retval DOCA_ERROR_ALREADY_EXIST   The work queue was added to it.
 * @retval DOCA_ERROR_NO_MEMORY       No memory.
 * @retval DOCA_ERROR_INITIALIZATION  The device was removed, the user has too
 *         many queues, or device or work queue are of a parent process; the log
 *         says which.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_workq_add(struct doca_ctx *ctx, struct doca_workq *workq)
	DOCA_1_3(ctx_workq_add);

/**
 * @brief Remove a work queue from a context.
 *
 * @param[in] ctx    Context that is started.
 * @param[in] workq  Work queue; all events of the context were retrieved.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not started.
 * @retval DOCA_ERROR_NOT_FOUND      The work queue was not added to it.
 * @retval DOCA_ERROR_IN_USE         Jobs are in flight: events of it were not
 *         retrieved.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_ctx_workq_rm(struct doca_ctx *ctx, struct doca_workq *workq)
	DOCA_1_3(ctx_workq_rm);

/**
 * @brief Create a work queue.
 *
 * @param[in] depth   How many jobs may be in flight, of all its contexts
 *                    together; at least 1.
 * @param[out] workq  The work queue. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE     @p workq is NULL, or @p depth 0.
 * @retval DOCA_ERROR_NO_MEMORY         No memory.
 * @retval DOCA_ERROR_OPERATING_SYSTEM  No file descriptors are left.
 *
 * Thread safety: safe.
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq)
	DOCA_1_3(workq_create);

/**
 * @brief Destroy a work queue.
 *
 * @param[in] workq  Work queue that was removed from all contexts.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p workq is NULL.
 * @retval DOCA_ERROR_IN_USE         It was added to a context.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_destroy(struct doca_workq *workq)
	DOCA_1_3(workq_destroy);

#if DOCA_LEVEL < 105
/**
 * @brief Set a property of a work queue.
 *
 * @param[in] workq     Work queue that was removed from all contexts.
 * @param[in] property  Which one; the enumerators say of what type it is.
 * @param[in] value     The new value.
 * @param[in] size      Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, @p size is not that of its type, or it cannot have that
 *         value.
 * @retval DOCA_ERROR_IN_USE         It was added to a context.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_property_set(struct doca_workq *workq,
				     enum doca_workq_property property,
				     const void *value, uint32_t size)
	DOCA_1_3(workq_property_set);

/**
 * @brief Get a property of a work queue.
 *
 * @param[in] workq     Work queue, in any state.
 * @param[in] property  Which one; the enumerators say of what type it is.
 * @param[out] value    The value. Set on success only.
 * @param[in] size      Bytes of that type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, there is no such
 *         property, or @p size is not that of its type.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_property_get(const struct doca_workq *workq,
				     enum doca_workq_property property,
				     void *value, uint32_t size)
	DOCA_1_3(workq_property_get);

/**
 * @brief Submit a job.
 *
 * It is in flight until its event was retrieved. Whether the devices and access
 * flags of its memory allow it is said by the event.
 *
 * @param[in] workq  Work queue.
 * @param[in] job    Job for a context that has the work queue. It is copied.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; the context does not
 *         have the work queue; it does not know the type, or the flags; a buffer
 *         is NULL or was released, or both are the same one; the number of
 *         bytes is 0, or more than one of the buffers has.
 * @retval DOCA_ERROR_NO_MEMORY      As many jobs are in flight as the depth of
 *         the work queue says: retrieve events first.
 * @retval DOCA_ERROR_BAD_STATE      The device of the context was removed, or
 *         the work queue was added before a fork().
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_submit(struct doca_workq *workq,
			       struct doca_job const *job)
	DOCA_1_3(workq_submit);

/**
 * @brief Execute jobs and retrieve an event.
 *
 * @param[in] workq  Work queue.
 * @param[out] ev    The event; also that of a job that has failed, whose code
 *                   is its result: DOCA_ERROR_INVALID_VALUE for a range that is
 *                   not in its memory map any more, or a device that its memory
 *                   map does not have; DOCA_ERROR_NOT_PERMITTED if the access
 *                   flags do not allow it; DOCA_ERROR_IO_FAILED if the exporter
 *                   has revoked the memory, or nobody executes jobs any more;
 *                   DOCA_ERROR_SHUTDOWN if the device was removed;
 *                   DOCA_ERROR_DRIVER for other reasons. Set on success only.
 * @param[in] flags  Bits of enum doca_workq_retrieve_flags.
 *
 * @retval DOCA_SUCCESS              There is an event.
 * @retval DOCA_ERROR_AGAIN          There is none, just now or at all.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p flags has unknown
 *         bits.
 *
 * @since DOCA 1.3
 */
DOCA_STABLE
doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
					  struct doca_event *ev, int flags)
	DOCA_1_3(workq_progress_retrieve);
#else
/**
 * @brief Submit a job.
 *
 * It is in flight until its event was retrieved. Whether its memory allows it is
 * said by the event.
 *
 * @param[in] workq  Work queue.
 * @param[in] job    Job for a context that has the work queue. It is copied.
 *
 * @retval DOCA_SUCCESS              It is in flight.
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL; the context does not
 *         have the work queue; it does not know the type, or the flags; a buffer
 *         is NULL or was released, or both are the same one; the source has no
 *         data.
 * @retval DOCA_ERROR_NO_MEMORY      As many jobs are in flight as the depth of
 *         the work queue says: retrieve events first.
 * @retval DOCA_ERROR_BAD_STATE      The device of the context was removed, or
 *         the work queue was added before a fork().
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_submit(struct doca_workq *workq,
			       struct doca_job const *job)
	DOCA_1_5(workq_submit);

/**
 * @brief Execute jobs and retrieve an event.
 *
 * @param[in] workq  Work queue.
 * @param[out] ev    The event. Of a job that has failed its result is the
 *                   reason: DOCA_ERROR_INVALID_VALUE if data is not in its
 *                   memory map, or longer than the room of the destination, or
 *                   its memory map does not have the device;
 *                   DOCA_ERROR_NOT_PERMITTED if the access flags do not allow
 *                   it; DOCA_ERROR_IO_FAILED if the exporter has revoked the
 *                   memory, or nobody executes jobs any more;
 *                   DOCA_ERROR_SHUTDOWN if the device was removed;
 *                   DOCA_ERROR_DRIVER for other reasons. Set with
 *                   DOCA_SUCCESS and DOCA_ERROR_IO_FAILED only.
 * @param[in] flags  Bits of enum doca_workq_retrieve_flags.
 *
 * @retval DOCA_SUCCESS              There is an event: a job is done.
 * @retval DOCA_ERROR_IO_FAILED      There is an event: a job has failed.
 * @retval DOCA_ERROR_AGAIN          There is none, just now or at all.
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or @p flags has unknown
 *         bits.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
					  struct doca_event *ev, int flags)
	DOCA_1_5(workq_progress_retrieve);

/**
 * @brief Say that a work queue will be waited for. Every one can be.
 *
 * @param[in] workq   Work queue.
 * @param[in] enable  1 or 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p workq is NULL.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
						uint8_t enable)
	DOCA_1_5(workq_set_event_driven_enable);

/**
 * @brief Get the descriptor that becomes readable when there is an event.
 *
 * @param[in] workq    Work queue; contexts need not have it yet.
 * @param[out] handle  File descriptor for poll() and epoll, always the same
 *                     one. It belongs to the work queue. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
					 doca_event_handle_t *handle)
	DOCA_1_5(workq_get_event_handle);

/**
 * @brief Ask for the handle to become readable, once, when there is something.
 *
 * If there is something already it is readable at once; it may then turn out
 * to be no event. After the wait, doca_workq_event_handle_clear() comes before
 * doca_workq_progress_retrieve(), which is called until it answers
 * DOCA_ERROR_AGAIN.
 *
 * @param[in] workq  Work queue.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p workq is NULL.
 * @retval DOCA_ERROR_IN_USE         There are events that the handle does not
 *         tell of: retrieve them first.
 * @retval DOCA_ERROR_BAD_STATE      The work queue is of a parent process.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq)
	DOCA_1_5(workq_event_handle_arm);

/**
 * @brief Take note that the handle was readable; also without that.
 *
 * @param[in] workq   Work queue.
 * @param[in] handle  Its handle; the value is not used.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p workq is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The work queue is of a parent process.
 *
 * @since DOCA 1.5
 */
DOCA_STABLE
doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
					   doca_event_handle_t handle)
	DOCA_1_5(workq_event_handle_clear);
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_CTX_H */
