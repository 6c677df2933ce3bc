/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_comch_producer.h
 * @brief Producers: they send data to the consumers of a connection.
 *
 * A producer is a context (see doca_ctx.h) on a connection of doca_comch.h. It
 * has one kind of task: to send the data of a buffer, or of a list of buffers,
 * to a consumer of the other side (doca_comch_consumer.h), with up to 32 bytes
 * of immediate data. The data is written into the next buffer that the consumer
 * has posted; while there is none, this task and those after it wait. A task is
 * done when its data is there. Tasks of a producer are executed in order.
 *
 * It is running when doca_ctx_start() returns DOCA_SUCCESS. Besides the errors
 * in doca_ctx.h, doca_ctx_start() returns INITIALIZATION if the connection has
 * its maximum of producers, and NOT_CONNECTED if it was closed. When the
 * connection ends, the producer stops by itself.
 *
 * Thread safety: like every context, a producer belongs, with its progress
 * engine and its tasks, to one thread at a time, which need not be that of the
 * connection.
 */
#ifndef DOCA_COMCH_PRODUCER_H
#define DOCA_COMCH_PRODUCER_H

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
struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_ctx;
struct doca_devinfo;
struct doca_dpa_completion;
struct doca_task;
/** @brief Handle of a producer in a DPA. @since DOCA 3.0 */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/**
 * @brief Called when data was sent, or its task has failed.
 *
 * doca_task_get_status() says why a task has failed. DOCA_ERROR_NOT_CONNECTED:
 * there is no such consumer, or it has ended, or the connection was closed.
 * DOCA_ERROR_INVALID_VALUE: the buffer that the consumer has posted is shorter,
 * and stays posted, or the consumer takes less immediate data. The producer
 * runs on after these two.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
	struct doca_comch_producer_task_send *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Check whether a device can have producers.
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
doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the maximum number of producers on each side of a connection.
 *
 * @param[in] devinfo         Device.
 * @param[out] max_producers  Producers: 128. Set on success only.
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
doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo,
					  uint32_t *max_producers);

/**
 * @brief Get the maximum number of tasks of a producer.
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
doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo,
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
doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
					 uint32_t *max_buf_size);

/**
 * @brief Get the maximum number of buffers in a task's list.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_buf_list_len  Buffers: 64. Set on success only.
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
doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_buf_list_len);

/**
 * @brief Create a producer.
 *
 * @param[in] comch_connection  Connection.
 * @param[out] producer         The producer. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_CONNECTED  The connection was closed.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The driver has no producers.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_producer_create(struct doca_comch_connection *comch_connection,
			   struct doca_comch_producer **producer);

/**
 * @brief Destroy a producer. It is disconnected from its progress engine.
 *
 * @param[in] producer  Producer that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p producer is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/**
 * @brief The context as which a producer is started and stopped.
 *
 * @param[in] producer  Producer.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p producer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_ctx *
doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/**
 * @brief The id by which consumers of the other side know a producer.
 *
 * @param[in] producer  Producer.
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
doca_comch_producer_get_id(const struct doca_comch_producer *producer,
			   uint32_t *id);

/**
 * @brief Set the number of tasks and their callbacks. Needed.
 *
 * @param[in] producer            Producer.
 * @param[in] task_completion_cb  Called for a task that is done.
 * @param[in] task_error_cb       Called for one that has failed.
 * @param[in] num_send_tasks      Tasks, 1 to
 *                                doca_comch_producer_cap_get_max_num_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_set_conf(
	struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);

/**
 * @brief Allocate a task that sends data.
 *
 * @param[in] producer      Producer.
 * @param[in] buf           Buffer with the data, or a list of them; NULL for
 *                          none. It may be that of several tasks at a time.
 * @param[in] imm_data      Immediate data; read when the task is submitted, and
 *                          not afterwards. NULL for none.
 * @param[in] imm_data_len  Bytes of it, 0 to
 *                          doca_comch_consumer_cap_get_max_imm_data_len().
 * @param[in] consumer_id   Id of the consumer: see
 *                          doca_comch_event_consumer_cb_t.
 * @param[out] task         The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p producer or @p task is NULL, or there is
 *                                   more immediate data than there may be, or
 *                                   less.
 * @retval DOCA_ERROR_BAD_STATE      The producer is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_alloc_init(
	struct doca_comch_producer *producer, const struct doca_buf *buf,
	uint8_t *imm_data, uint32_t imm_data_len, uint32_t consumer_id,
	struct doca_comch_producer_task_send **task);

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
struct doca_task *doca_comch_producer_task_send_as_task(
	struct doca_comch_producer_task_send *task);

/**
 * @brief Set the buffer of a task that is not in flight.
 *
 * @param[in] task  Task.
 * @param[in] buf   Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_buf(
	struct doca_comch_producer_task_send *task, const struct doca_buf *buf);

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
const struct doca_buf *doca_comch_producer_task_send_get_buf(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set the immediate data of a task that is not in flight.
 *
 * @param[in] task          Task.
 * @param[in] imm_data      Immediate data; NULL for none.
 * @param[in] imm_data_len  Bytes of it; a length that
 *                          doca_comch_producer_task_send_alloc_init() would
 *                          refuse is logged, and not set.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_imm_data(
	struct doca_comch_producer_task_send *task, uint8_t *imm_data,
	uint32_t imm_data_len);

/**
 * @brief The immediate data of a task.
 *
 * @param[in] task  Task.
 *
 * @return As set; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
uint8_t *doca_comch_producer_task_send_get_imm_data(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Get the length of a task's immediate data.
 *
 * @param[in] task  Task.
 *
 * @return Bytes, as set; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_imm_data_len(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set the consumer of a task that is not in flight.
 *
 * @param[in] task         Task.
 * @param[in] consumer_id  Id.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
void doca_comch_producer_task_send_set_consumer_id(
	struct doca_comch_producer_task_send *task, const uint32_t consumer_id);

/**
 * @brief The consumer of a task.
 *
 * @param[in] task  Task.
 *
 * @return Id, as set; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_consumer_id(
	const struct doca_comch_producer_task_send *task);

/**
 * @brief Set the maximum number of sends of a DPA. Not supported.
 *
 * @param[in] producer      Producer.
 * @param[in] dev_num_send  Sends.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
					 uint32_t dev_num_send);

/**
 * @brief Attach a completion context of a DPA. Not supported.
 *
 * @param[in] producer  Producer.
 * @param[in] dpa_comp  Completion context.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
					  struct doca_dpa_completion *dpa_comp);

/**
 * @brief The handle of a producer in a DPA. Not supported.
 *
 * @param[in] producer       Producer.
 * @param[out] dpa_producer  Handle.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
				   doca_dpa_dev_comch_producer_t *dpa_producer);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_PRODUCER_H */
