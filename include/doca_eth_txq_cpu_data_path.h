/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_eth_txq_cpu_data_path.h
 * @brief Sending on the CPU: tasks, LSO tasks, and batches of both.
 *
 * The data of a send task's buffers, one after the other, is a frame with its
 * Ethernet header, of 14 bytes to the interface's MTU with 14 for Ethernet and
 * 4 for a VLAN tag of 802.1Q, if it has one. An LSO task has headers in plain
 * memory and a payload, which is cut into parts of MSS bytes; each part is
 * sent as a frame, with the headers before it. For IPv4 and IPv6, lengths,
 * identification, TCP's sequence numbers and flags and all checksums are set
 * in each; other headers are sent as they are. The frames of a task are queued
 * all or not at all.
 *
 * A task is done when the kernel has sent its frames. Tasks end in the order
 * in which they were submitted. One that cannot be sent fails with
 * INVALID_VALUE, and the queue goes on: a buffer is missing, released, or not
 * memory of this process, there are too many, the frame or the MSS has a
 * length that the interface does not take, headers are too long, there is no
 * MSS, or the flags are not those that the queue was told of. A line in the
 * log says which. Where the interface is down, tasks fail with IO_FAILED, and
 * so does one with a frame that a queueing discipline or a filter of the
 * interface has refused for 100 ms. When the queue stops, what is not sent ends
 * with SHUTDOWN.
 *
 * A batch is allocated with arrays, into which the program writes what each of
 * its tasks needs, and submitted by doca_task_batch_submit(). There is one
 * callback for all of them, with the status of each.
 */
#ifndef DOCA_ETH_TXQ_CPU_DATA_PATH_H
#define DOCA_ETH_TXQ_CPU_DATA_PATH_H

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_eth_txq;
struct doca_eth_txq_task_lso_send;
struct doca_eth_txq_task_send;
struct doca_gather_list;
struct doca_task;
struct doca_task_batch;

/**
 * @brief A value of metadata, of what
 * doca_eth_txq_task_batch_send_get_metadata_array() or its sister gave.
 * @since DOCA 3.0
 */
#define doca_eth_txq_task_batch_metadata_array_get_metadata(        \
	metadata_array, metadata_num, packet_index, metadata_index) \
	metadata_array[packet_index * metadata_num + metadata_index]

/** @brief Checksums to compute in a frame before it is sent. @since DOCA 3.0 */
enum doca_eth_txq_ol_flags {
	/** the checksum of its IPv4 header, if it has one */
	DOCA_ETH_TXQ_OL_FLAGS_L3_CSUM = (1 << 0),
	/** the checksum of TCP or UDP, if it is not a fragment */
	DOCA_ETH_TXQ_OL_FLAGS_L4_CSUM = (1 << 1),
};

/**
 * @brief Called when a send task is done, or has failed.
 *
 * @param[in] task_send       Task; the program's own again.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_task_send_completion_cb_t)(
	struct doca_eth_txq_task_send *task_send,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when an LSO task is done, or has failed.
 *
 * @param[in] task_lso_send   Task; the program's own again.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_task_lso_send_completion_cb_t)(
	struct doca_eth_txq_task_lso_send *task_lso_send,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when all tasks of a batch are done or have failed.
 *
 * @param[in] task_batch            Batch; the program's own again.
 * @param[in] tasks_num             Tasks.
 * @param[in] ctx_user_data         Value of the context.
 * @param[in] task_batch_user_data  Value of the batch.
 * @param[in] task_user_data_array  Value of each task.
 * @param[in] pkt_array             Packet of each task.
 * @param[in] status_array          How each task ended.
 *
 * The arrays are valid until the batch is freed.
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_task_batch_send_completion_cb_t)(
	struct doca_task_batch *task_batch, uint16_t tasks_num,
	union doca_data ctx_user_data, union doca_data task_batch_user_data,
	union doca_data *task_user_data_array, struct doca_buf **pkt_array,
	doca_error_t *status_array);

/**
 * @brief Called when all LSO tasks of a batch are done or have failed.
 *
 * @param[in] task_batch            Batch; the program's own again.
 * @param[in] tasks_num             Tasks.
 * @param[in] ctx_user_data         Value of the context.
 * @param[in] task_batch_user_data  Value of the batch.
 * @param[in] task_user_data_array  Value of each task.
 * @param[in] pkt_payload_array     Payload of each task.
 * @param[in] headers_array         Headers of each task.
 * @param[in] status_array          How each task ended.
 *
 * The arrays are valid until the batch is freed.
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_task_batch_lso_send_completion_cb_t)(
	struct doca_task_batch *task_batch, uint16_t tasks_num,
	union doca_data ctx_user_data, union doca_data task_batch_user_data,
	union doca_data *task_user_data_array,
	struct doca_buf **pkt_payload_array,
	struct doca_gather_list **headers_array, doca_error_t *status_array);

/**
 * @brief Configure the send tasks of a queue.
 *
 * @param[in] eth_txq             Queue.
 * @param[in] task_completion_cb  Called for each task that is done.
 * @param[in] task_error_cb       Called for each that has failed.
 * @param[in] task_send_num       Tasks, 1 to 4096.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or there are too
 *                                   many.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_send_set_conf(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_task_send_completion_cb_t task_completion_cb,
	doca_eth_txq_task_send_completion_cb_t task_error_cb,
	uint32_t task_send_num);

/**
 * @brief Configure more send tasks.
 *
 * @param[in] eth_txq        Queue that is idle.
 * @param[in] task_send_num  Tasks more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, the number is 0, or
 *                                   there are too many.
 * @retval DOCA_ERROR_BAD_STATE      None were configured before.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The queue is started: all are made at that
 *                                   time.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_send_num_expand(struct doca_eth_txq *eth_txq,
					       uint32_t task_send_num);

/**
 * @brief Allocate a send task.
 *
 * @param[in] eth_txq     Queue that is running.
 * @param[in] pkt         Frame, the data of a buffer or of a list of them;
 *                        NULL to set it later.
 * @param[in] user_data   Value for the callback.
 * @param[out] task_send  The task, to be freed by doca_task_free(). Its flags
 *                        are 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A queue or a place for an answer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_send_allocate_init(
	struct doca_eth_txq *eth_txq, struct doca_buf *pkt,
	union doca_data user_data, struct doca_eth_txq_task_send **task_send);

/**
 * @brief The task as which a send task is submitted and freed.
 *
 * @param[in] task_send  Task.
 *
 * @return The same object; NULL if the task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_eth_txq_task_send_as_doca_task(struct doca_eth_txq_task_send *task_send);

/**
 * @brief Set the frame of a task.
 *
 * @param[in] task_send  Task that is not in flight.
 * @param[in] pkt        Buffer, or a list of them; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_send_set_pkt(struct doca_eth_txq_task_send *task_send,
				    struct doca_buf *pkt);

/**
 * @brief The frame of a task.
 *
 * @param[in] task_send  Task.
 * @param[out] pkt       Buffer, or NULL. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_task_send_get_pkt(const struct doca_eth_txq_task_send *task_send,
			       struct doca_buf **pkt);

/**
 * @brief Set the checksums to compute in the frames of a task.
 *
 * @param[in] task_send  Task that is not in flight.
 * @param[in] ol_flags   Of enum doca_eth_txq_ol_flags. The queue must have
 *                       been told of each.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_send_set_ol_flags(
	struct doca_eth_txq_task_send *task_send, uint16_t ol_flags);

/**
 * @brief The metadata of a task, for the program to write.
 *
 * @param[in] task_send        Task.
 * @param[out] metadata_array  Values, as many as
 *                             doca_eth_txq_set_metadata_num() said. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_send_get_metadata_array(
	struct doca_eth_txq_task_send *task_send, uint32_t **metadata_array);

/**
 * @brief Configure the batches of send tasks.
 *
 * @param[in] eth_txq                Queue.
 * @param[in] max_tasks_number       How many tasks a batch may have.
 * @param[in] num_task_batches       Batches; with as many tasks, at most 4096
 *                                   tasks.
 * @param[in] success_completion_cb  Called for each batch whose tasks are all
 *                                   done.
 * @param[in] error_completion_cb    Called for each of which a task has
 *                                   failed.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or there are too
 *                                   many.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_send_set_conf(
	struct doca_eth_txq *eth_txq,
	enum doca_task_batch_max_tasks_number max_tasks_number,
	uint16_t num_task_batches,
	doca_eth_txq_task_batch_send_completion_cb_t success_completion_cb,
	doca_eth_txq_task_batch_send_completion_cb_t error_completion_cb);

/**
 * @brief Configure more batches of send tasks.
 *
 * @param[in] eth_txq           Queue that is idle.
 * @param[in] task_batches_num  Batches more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, the number is 0, or
 *                                   there are too many.
 * @retval DOCA_ERROR_BAD_STATE      None were configured before.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The queue is started: all are made at that
 *                                   time.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_task_batch_send_num_expand(struct doca_eth_txq *eth_txq,
					uint16_t task_batches_num);

/**
 * @brief Allocate a batch of send tasks.
 *
 * @param[in] eth_txq                Queue that is running.
 * @param[in] tasks_num              Tasks.
 * @param[in] task_batch_user_data   Value for the callback.
 * @param[out] pkt_array             For the buffer of each task.
 * @param[out] task_user_data_array  For the value of each task.
 * @param[out] task_batch            The batch, to be freed by
 *                                   doca_task_batch_free(). All are set on
 *                                   success only, and the arrays valid until
 *                                   the batch is freed.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number of
 *                                   tasks is 0 or more than a batch may have.
 * @retval DOCA_ERROR_BAD_STATE      The queue is not running, or has no such
 *                                   batches.
 * @retval DOCA_ERROR_NO_MEMORY      All batches are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_send_allocate(
	struct doca_eth_txq *eth_txq, uint16_t tasks_num,
	union doca_data task_batch_user_data, struct doca_buf ***pkt_array,
	union doca_data **task_user_data_array,
	struct doca_task_batch **task_batch);

/**
 * @brief The array for the metadata of the tasks of a batch.
 *
 * @param[in] task_batch_send  Batch that is not in flight.
 * @param[out] metadata_array  Of each task, in order: metadata. Set on success
 *                             only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or it is a batch of
 *                                   other tasks.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_send_get_metadata_array(
	struct doca_task_batch *task_batch_send, uint32_t **metadata_array);

/**
 * @brief The array for the flags of the tasks of a batch.
 *
 * @param[in] task_batch_send  Batch that is not in flight.
 * @param[out] ol_flags_array  Of each task, in order: flags, 0 at first. Set
 *                             on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or it is a batch of
 *                                   other tasks.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_send_get_ol_flags_array(
	struct doca_task_batch *task_batch_send, uint16_t **ol_flags_array);

/**
 * @brief Configure the LSO tasks of a queue.
 *
 * @param[in] eth_txq             Queue.
 * @param[in] task_completion_cb  Called for each task that is done.
 * @param[in] task_error_cb       Called for each that has failed.
 * @param[in] task_lso_send_num   Tasks, 1 to 4096.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or there are too
 *                                   many.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_set_conf(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_task_lso_send_completion_cb_t task_completion_cb,
	doca_eth_txq_task_lso_send_completion_cb_t task_error_cb,
	uint32_t task_lso_send_num);

/**
 * @brief Configure more LSO tasks.
 *
 * @param[in] eth_txq            Queue that is idle.
 * @param[in] task_lso_send_num  Tasks more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, the number is 0, or
 *                                   there are too many.
 * @retval DOCA_ERROR_BAD_STATE      None were configured before.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The queue is started: all are made at that
 *                                   time.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_num_expand(struct doca_eth_txq *eth_txq,
						   uint32_t task_lso_send_num);

/**
 * @brief Allocate an LSO task.
 *
 * @param[in] eth_txq         Queue that is running.
 * @param[in] pkt_payload     Payload, the data of a buffer or of a list of
 *                            them; NULL to set it later.
 * @param[in] headers         Headers, from that of Ethernet on, in memory that
 *                            stays as it is until the task is done; NULL to
 *                            set them later.
 * @param[in] user_data       Value for the callback.
 * @param[out] task_lso_send  The task, to be freed by doca_task_free(). Its
 *                            flags are 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A queue or a place for an answer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_allocate_init(
	struct doca_eth_txq *eth_txq, struct doca_buf *pkt_payload,
	struct doca_gather_list *headers, union doca_data user_data,
	struct doca_eth_txq_task_lso_send **task_lso_send);

/**
 * @brief The task as which an LSO task is submitted and freed.
 *
 * @param[in] task_lso_send  Task.
 *
 * @return The same object; NULL if the task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_eth_txq_task_lso_send_as_doca_task(
	struct doca_eth_txq_task_lso_send *task_lso_send);

/**
 * @brief Set the payload of a task.
 *
 * @param[in] task_lso_send  Task that is not in flight.
 * @param[in] pkt_payload    Buffer, or a list of them; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_lso_send_set_pkt_payload(
	struct doca_eth_txq_task_lso_send *task_lso_send,
	struct doca_buf *pkt_payload);

/**
 * @brief The payload of a task.
 *
 * @param[in] task_lso_send  Task.
 * @param[out] pkt_payload   Buffer, or NULL. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_get_pkt_payload(
	const struct doca_eth_txq_task_lso_send *task_lso_send,
	struct doca_buf **pkt_payload);

/**
 * @brief Set the checksums to compute in the frames of a task.
 *
 * @param[in] task_lso_send  Task that is not in flight.
 * @param[in] ol_flags       Of enum doca_eth_txq_ol_flags. The queue must have
 *                           been told of each. Of IP all checksums are
 *                           computed in any case.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_lso_send_set_ol_flags(
	struct doca_eth_txq_task_lso_send *task_lso_send, uint16_t ol_flags);

/**
 * @brief The metadata of a task, for the program to write.
 *
 * @param[in] task_lso_send    Task.
 * @param[out] metadata_array  Values, as many as
 *                             doca_eth_txq_set_metadata_num() said. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_get_metadata_array(
	struct doca_eth_txq_task_lso_send *task_lso_send,
	uint32_t **metadata_array);

/**
 * @brief Set the headers of an LSO task.
 *
 * @param[in] task_lso_send  Task that is not in flight.
 * @param[in] headers        As for doca_eth_txq_task_lso_send_allocate_init().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_lso_send_set_headers(
	struct doca_eth_txq_task_lso_send *task_lso_send,
	struct doca_gather_list *headers);

/**
 * @brief The headers of an LSO task.
 *
 * @param[in] task_lso_send  Task.
 * @param[out] headers       Headers, or NULL. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_lso_send_get_headers(
	const struct doca_eth_txq_task_lso_send *task_lso_send,
	struct doca_gather_list **headers);

/**
 * @brief Set the maximum segment size of a task.
 *
 * @param[in] task_lso_send  Task that is not in flight.
 * @param[in] mss            Bytes of payload in a frame; 0 (at first) for that
 *                           of the queue.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_txq_task_lso_send_set_mss(
	struct doca_eth_txq_task_lso_send *task_lso_send, uint16_t mss);

/**
 * @brief Configure the batches of LSO tasks.
 *
 * @param[in] eth_txq                Queue.
 * @param[in] max_tasks_number       How many tasks a batch may have.
 * @param[in] num_task_batches       Batches; with as many tasks, at most 4096
 *                                   tasks.
 * @param[in] success_completion_cb  Called for each batch whose tasks are all
 *                                   done.
 * @param[in] error_completion_cb    Called for each of which a task has
 *                                   failed.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or there are too
 *                                   many.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_lso_send_set_conf(
	struct doca_eth_txq *eth_txq,
	enum doca_task_batch_max_tasks_number max_tasks_number,
	uint16_t num_task_batches,
	doca_eth_txq_task_batch_lso_send_completion_cb_t success_completion_cb,
	doca_eth_txq_task_batch_lso_send_completion_cb_t error_completion_cb);

/**
 * @brief Configure more batches of LSO tasks.
 *
 * @param[in] eth_txq           Queue that is idle.
 * @param[in] task_batches_num  Batches more.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, the number is 0, or
 *                                   there are too many.
 * @retval DOCA_ERROR_BAD_STATE      None were configured before.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The queue is started: all are made at that
 *                                   time.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_task_batch_lso_send_num_expand(struct doca_eth_txq *eth_txq,
					    uint16_t task_batches_num);

/**
 * @brief Allocate a batch of LSO tasks.
 *
 * @param[in] eth_txq                Queue that is running.
 * @param[in] tasks_num              Tasks.
 * @param[in] task_batch_user_data   Value for the callback.
 * @param[out] pkt_payload_array     For the buffer of each task.
 * @param[out] headers_array         For the headers of each task.
 * @param[out] task_user_data_array  For the value of each task.
 * @param[out] task_batch            The batch, to be freed by
 *                                   doca_task_batch_free(). All are set on
 *                                   success only, and the arrays valid until
 *                                   the batch is freed.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number of
 *                                   tasks is 0 or more than a batch may have.
 * @retval DOCA_ERROR_BAD_STATE      The queue is not running, or has no such
 *                                   batches.
 * @retval DOCA_ERROR_NO_MEMORY      All batches are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_lso_send_allocate(
	struct doca_eth_txq *eth_txq, uint16_t tasks_num,
	union doca_data task_batch_user_data,
	struct doca_buf ***pkt_payload_array,
	struct doca_gather_list ***headers_array,
	union doca_data **task_user_data_array,
	struct doca_task_batch **task_batch);

/**
 * @brief The array for the metadata of the tasks of a batch.
 *
 * @param[in] task_batch_lso_send  Batch that is not in flight.
 * @param[out] metadata_array      Of each task, in order: metadata. Set on
 *                                 success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or it is a batch of
 *                                   other tasks.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_lso_send_get_metadata_array(
	struct doca_task_batch *task_batch_lso_send, uint32_t **metadata_array);

/**
 * @brief The array for the flags of the tasks of a batch.
 *
 * @param[in] task_batch_lso_send  Batch that is not in flight.
 * @param[out] ol_flags_array      Of each task, in order: flags, 0 at first.
 *                                 Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or it is a batch of
 *                                   other tasks.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_lso_send_get_ol_flags_array(
	struct doca_task_batch *task_batch_lso_send, uint16_t **ol_flags_array);

/**
 * @brief The array for the MSS of the tasks of a batch.
 *
 * @param[in] task_batch_lso_send  Batch that is not in flight.
 * @param[out] mss_array           Of each task, in order: MSS, 0 at first for
 *                                 that of the queue. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or it is a batch of
 *                                   other tasks.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_task_batch_lso_send_get_mss_array(
	struct doca_task_batch *task_batch_lso_send, uint16_t **mss_array);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ETH_TXQ_CPU_DATA_PATH_H */
