/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_comch_consumer.h
 * @brief Consumers: they receive data from the producers of a connection.
 *
 * A consumer is a context (see doca_ctx.h) on a connection of doca_comch.h. It
 * has one kind of task: to offer a buffer, which a producer of the other side
 * (doca_comch_producer.h) fills. All buffers are in one memory map. A task is
 * done when its buffer was filled; the data is appended, and its data length
 * grows. Tasks are filled in the order in which they were submitted.
 *
 * doca_ctx_start() returns DOCA_ERROR_IN_PROGRESS, and tells the other side of
 * the consumer, which is running with the next progress. Messages wait until
 * then. If the other side has no room to be told, the first progress tries
 * once more, and the consumer stops if there is still none. Besides the errors in doca_ctx.h, doca_ctx_start() returns INITIALIZATION if the
 * connection has its maximum of consumers, and NOT_CONNECTED if it was closed.
 * When the connection ends, or the memory map is stopped, the consumer stops by
 * itself. Then its tasks fail with DOCA_ERROR_SHUTDOWN.
 *
 * Consumers whose data a DPA handles are not supported.
 *
 * Thread safety: like every context, a consumer belongs, with its progress
 * engine and its tasks, to one thread at a time, which need not be that of the
 * connection.
 */
#ifndef DOCA_COMCH_CONSUMER_H
#define DOCA_COMCH_CONSUMER_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_comch_connection;
struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_ctx;
struct doca_devinfo;
struct doca_dpa_thread;
struct doca_mmap;
struct doca_task;
/** @brief Handle of a completion context in a DPA. @since DOCA 3.0 */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;

/** @brief Handle of a consumer in a DPA. @since DOCA 3.0 */
typedef uint64_t doca_dpa_dev_comch_consumer_t;

/**
 * @brief Called when a buffer was filled, or its task has failed.
 *
 * doca_task_get_status() says why a task has failed. What was written into its
 * buffer before stays there, but its data length does not grow.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
	struct doca_comch_consumer_task_post_recv *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Check whether a device can have consumers.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It is a side of a pair.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the maximum number of consumers on each side of a connection.
 *
 * @param[in] devinfo         Device.
 * @param[out] max_consumers  Consumers: 128. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo,
					  uint32_t *max_consumers);

/**
 * @brief Get the maximum number of tasks of a consumer.
 *
 * @param[in] devinfo         Device.
 * @param[out] max_num_tasks  Tasks: 8192. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
					  uint32_t *max_num_tasks);

/**
 * @brief Get the maximum length of a task's data.
 *
 * @param[in] devinfo        Device.
 * @param[out] max_buf_size  Bytes: 128 MiB. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
					 uint32_t *max_buf_size);

/**
 * @brief Get the maximum number of buffers of a task.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers: 1. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_buf_list_len);

/**
 * @brief Get the maximum length of immediate data.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_imm_data_len  Bytes: 32. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_imm_data_len);

/**
 * @brief Create a consumer.
 *
 * @param[in] comch_connection  Connection.
 * @param[in] buf_mmap          Memory map of all its buffers: started, with the
 *                              connection's device, and with a permission to
 *                              write. It may be stopped before the consumer,
 *                              which then stops.
 * @param[out] consumer         The consumer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the memory map is
 *                                   not started or lacks the connection's
 *                                   device.
 * @retval DOCA_ERROR_NOT_PERMITTED  The memory map was made from an export, or
 *                                   its memory cannot be written.
 * @retval DOCA_ERROR_NOT_CONNECTED  The connection was closed.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no consumers.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
			   struct doca_mmap *buf_mmap,
			   struct doca_comch_consumer **consumer);

/**
 * @brief Destroy a consumer. It is disconnected from its progress engine.
 *
 * @param[in] consumer  Consumer that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/**
 * @brief The context as which a consumer is started and stopped.
 *
 * @param[in] consumer  Consumer.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p consumer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_ctx *
doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);

/**
 * @brief Set the maximum length of immediate data; without it 0.
 *
 * A message with more fails at its producer.
 *
 * @param[in] consumer      Consumer.
 * @param[in] imm_data_len  Bytes, 0 to
 *                          doca_comch_consumer_cap_get_max_imm_data_len().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer is NULL, or the length out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
				     uint32_t imm_data_len);

/**
 * @brief Get the maximum length of immediate data.
 *
 * @param[in] consumer       Consumer.
 * @param[out] imm_data_len  Bytes, as set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
				     uint32_t *imm_data_len);

/**
 * @brief The id by which producers of the other side name a consumer.
 *
 * @param[in] consumer  Consumer.
 * @param[out] id       Id, from 1. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is not started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
			   uint32_t *id);

/**
 * @brief Set the number of tasks and their callbacks. Needed.
 *
 * @param[in] consumer             Consumer.
 * @param[in] task_completion_cb   Called for a task that is done.
 * @param[in] task_error_cb        Called for one that has failed.
 * @param[in] num_post_recv_tasks  Tasks, 1 to
 *                                 doca_comch_consumer_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_set_conf(
	struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb,
	uint32_t num_post_recv_tasks);

/**
 * @brief Allocate a task that offers a buffer.
 *
 * @param[in] consumer  Consumer.
 * @param[in] buf       Buffer of the consumer's memory map, of which what is
 *                      behind its data is filled; NULL to set it later.
 * @param[out] task     The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The consumer is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
	struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same object, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_task *doca_comch_consumer_task_post_recv_as_task(
	struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Set the buffer of a task that is not in flight.
 *
 * @param[in] task  Task.
 * @param[in] buf   Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_comch_consumer_task_post_recv_set_buf(
	struct doca_comch_consumer_task_post_recv *task, struct doca_buf *buf);

/**
 * @brief The buffer of a task.
 *
 * @param[in] task  Task.
 *
 * @return Buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Get the id of the producer that has filled a task's buffer.
 *
 * @param[in] task  Task.
 *
 * @return Id of the producer; 0 if the task has failed, or is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief The immediate data of a task that is done.
 *
 * @param[in] task  Task.
 *
 * @return Its first byte, valid until the task is submitted or freed; NULL if
 * there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Get the length of a task's immediate data.
 *
 * @param[in] task  Task.
 *
 * @return Bytes; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
	const struct doca_comch_consumer_task_post_recv *task);

/**
 * @brief Have a DPA handle a consumer. Not supported.
 *
 * @param[in] consumer       Consumer.
 * @param[in] consumer_comp  Completion context.
 * @param[in] user_data      Value for the DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_completion(
	struct doca_comch_consumer *consumer,
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data);

/**
 * @brief Set the maximum number of receptions of a DPA. Not supported.
 *
 * @param[in] consumer      Consumer.
 * @param[in] dev_num_recv  Receptions.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
					 uint32_t dev_num_recv);

/**
 * @brief The handle of a consumer in a DPA. Not supported.
 *
 * @param[in] consumer       Consumer.
 * @param[out] dpa_consumer  Handle.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
				   doca_dpa_dev_comch_consumer_t *dpa_consumer);

/**
 * @brief Create a completion context of a DPA. Not supported, so that there is
 * none.
 *
 * @param[out] consumer_comp  Completion context.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer_comp is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_create(
	struct doca_comch_consumer_completion **consumer_comp);

/**
 * @brief Destroy a completion context. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer_comp is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_destroy(
	struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Set its maximum number of consumers. Not supported.
 *
 * @param[in] consumer_comp      Completion context.
 * @param[in] max_num_consumers  Consumers.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_consumers);

/**
 * @brief Get its maximum number of consumers. Not supported.
 *
 * @param[in] consumer_comp       Completion context.
 * @param[out] max_num_consumers  Consumers.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_consumers);

/**
 * @brief Set its maximum number of receptions. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 * @param[in] max_num_recv   Receptions.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_recv);

/**
 * @brief Get its maximum number of receptions. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 * @param[out] max_num_recv  Receptions.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_recv);

/**
 * @brief Set the maximum length of immediate data. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 * @param[in] imm_data_len   Bytes.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t imm_data_len);

/**
 * @brief Get the maximum length of immediate data. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 * @param[out] imm_data_len  Bytes.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *imm_data_len);

/**
 * @brief Set the thread of a DPA that it wakes. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 * @param[in] dpa_thread     Thread.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_dpa_thread(
	struct doca_comch_consumer_completion *consumer_comp,
	struct doca_dpa_thread *dpa_thread);

/**
 * @brief The handle of a completion context in a DPA. Not supported.
 *
 * @param[in] consumer_comp          Completion context.
 * @param[out] consumer_comp_handle  Handle.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);

/**
 * @brief Start a completion context. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer_comp is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_start(
	struct doca_comch_consumer_completion *consumer_comp);

/**
 * @brief Stop a completion context. Not supported.
 *
 * @param[in] consumer_comp  Completion context.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p consumer_comp is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_stop(
	struct doca_comch_consumer_completion *consumer_comp);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_CONSUMER_H */
