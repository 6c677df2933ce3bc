/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_eth_rxq_cpu_data_path.h
 * @brief Receiving on the CPU: tasks of regular queues, events of managed
 * pools.
 *
 * The receive task of a regular queue has a buffer. The next frame is copied
 * behind its data, and its data length grows by that of the frame. Tasks end in
 * the order in which they were submitted. Where the buffer has no room for the
 * frame, the frame is lost and its task fails with TOO_BIG; if it is no
 * buffer, or not writable memory of this process, its task fails with
 * INVALID_VALUE, and so do all tasks of a queue that is not regular. The queue
 * goes on in these cases. When the queue stops, tasks end with SHUTDOWN.
 *
 * A queue with a managed pool has one event, of single packets or of batches.
 * Packets belong to the program from the event on until it releases them with
 * doca_buf_dec_refcount(), which may be later and in any order. While the
 * program has all packets, frames that arrive are lost.
 */
#ifndef DOCA_ETH_RXQ_CPU_DATA_PATH_H
#define DOCA_ETH_RXQ_CPU_DATA_PATH_H

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_eth_rxq;
struct doca_eth_rxq_event_batch_managed_recv;
struct doca_eth_rxq_event_managed_recv;
struct doca_eth_rxq_task_recv;
struct doca_task;

/**
 * @brief A value of metadata, of what
 * doca_eth_rxq_event_batch_managed_recv_get_metadata_array() gave.
 * @since DOCA 3.0
 */
#define doca_eth_rxq_event_batch_managed_recv_metadata_array_get_metadata( \
	metadata_array, metadata_num, packet_index, metadata_index)        \
	metadata_array[packet_index * metadata_num + metadata_index]

/**
 * @brief Called when a receive task is done, or has failed.
 *
 * @param[in] task_recv       Task; the program's own again.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_rxq_task_recv_completion_cb_t)(
	struct doca_eth_rxq_task_recv *task_recv,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a packet was received by a queue with a managed pool.
 *
 * @param[in] event_managed_recv  What is known of the packet; valid until the
 *                                callback returns.
 * @param[in] pkt                 The packet, as the data of a buffer with the
 *                                queue's headroom before it and its tailroom
 *                                behind. To be released by
 *                                doca_buf_dec_refcount().
 * @param[in] event_user_data     Value of the event.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_rxq_event_managed_recv_handler_cb_t)(
	struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	struct doca_buf *pkt, union doca_data event_user_data);

/**
 * @brief Called when a batch of packets was received likewise.
 *
 * @param[in] event_batch_managed_recv  What is known of the packets; valid
 *                                      until the callback returns.
 * @param[in] events_number             Packets.
 * @param[in] event_batch_user_data     Value of the event.
 * @param[in] status                    DOCA_SUCCESS.
 * @param[in] pkt_array                 The packets. They may be released after
 *                                      the callback: one by one by
 *                                      doca_buf_dec_refcount(), or all by
 *                                      doca_eth_rxq_event_batch_managed_recv_pkt_array_free().
 *                                      The array is valid until the callback
 *                                      returns, and after that until one of
 *                                      them is released.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_rxq_event_batch_managed_recv_handler_cb_t)(
	struct doca_eth_rxq_event_batch_managed_recv *event_batch_managed_recv,
	uint16_t events_number, union doca_data event_batch_user_data,
	doca_error_t status, struct doca_buf **pkt_array);

/**
 * @brief Configure the receive tasks of a regular queue.
 *
 * @param[in] eth_rxq             Queue.
 * @param[in] task_completion_cb  Called for each task that is done.
 * @param[in] task_error_cb       Called for each that has failed.
 * @param[in] task_recv_num       Tasks, 1 to 4096.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or there are too
 *                                   many tasks.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_set_conf(
	struct doca_eth_rxq *eth_rxq,
	doca_eth_rxq_task_recv_completion_cb_t task_completion_cb,
	doca_eth_rxq_task_recv_completion_cb_t task_error_cb,
	uint32_t task_recv_num);

/**
 * @brief Allocate a receive task.
 *
 * @param[in] eth_rxq     Queue that is running.
 * @param[in] pkt         Buffer, one and no list; NULL to set it later.
 * @param[in] user_data   Value for the callback.
 * @param[out] task_recv  The task, to be freed by doca_task_free(). Set on
 *                        success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq or @p task_recv is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_allocate_init(
	struct doca_eth_rxq *eth_rxq, struct doca_buf *pkt,
	union doca_data user_data, struct doca_eth_rxq_task_recv **task_recv);

/**
 * @brief The task as which a receive task is submitted and freed.
 *
 * @param[in] task_recv  Task.
 *
 * @return The same object; NULL if @p task_recv is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_eth_rxq_task_recv_as_doca_task(struct doca_eth_rxq_task_recv *task_recv);

/**
 * @brief Set the buffer of a receive task.
 *
 * @param[in] task_recv  Task that is not in flight.
 * @param[in] pkt        Buffer; NULL takes it away.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_rxq_task_recv_set_pkt(struct doca_eth_rxq_task_recv *task_recv,
				    struct doca_buf *pkt);

/**
 * @brief The buffer of a receive task.
 *
 * @param[in] task_recv  Task.
 * @param[out] pkt       Buffer, or NULL. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_rxq_task_recv_get_pkt(const struct doca_eth_rxq_task_recv *task_recv,
			       struct doca_buf **pkt);

/**
 * @brief Flow tag of the packet that a task has received.
 *
 * @param[in] task_recv  Task that is done.
 * @param[out] flow_tag  The tag. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_flow_tag().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_get_flow_tag(
	const struct doca_eth_rxq_task_recv *task_recv, uint32_t *flow_tag);

/**
 * @brief Hash of the packet that a task has received.
 *
 * @param[in] task_recv  Task that is done.
 * @param[out] rx_hash   The hash. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_rx_hash().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_get_rx_hash(
	const struct doca_eth_rxq_task_recv *task_recv, uint32_t *rx_hash);

/**
 * @brief Timestamp of the packet that a task has received.
 *
 * @param[in] task_recv   Task that is done.
 * @param[out] timestamp  The time in ns. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_timestamp().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_get_timestamp(
	const struct doca_eth_rxq_task_recv *task_recv, uint64_t *timestamp);

/**
 * @brief Metadata of the packet that a task has received.
 *
 * @param[in] task_recv        Task that is done.
 * @param[out] metadata_array  Values, as many as
 *                             doca_eth_rxq_set_metadata_num() said. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_metadata_num().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_task_recv_get_metadata_array(
	const struct doca_eth_rxq_task_recv *task_recv,
	const uint32_t **metadata_array);

/**
 * @brief Get the result of checking a packet's IP header.
 *
 * @param[in] task_recv  Task that is done. Its data is looked at now, where it
 *                       was received: it must still be there.
 * @param[out] l3_ok     1 for IPv4 whose header has a right checksum and for
 *                       IPv6, else 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_rxq_task_recv_get_l3_ok(const struct doca_eth_rxq_task_recv *task_recv,
				 uint8_t *l3_ok);

/**
 * @brief Get the result of checking the checksum of TCP or UDP.
 *
 * @param[in] task_recv  Task that is done. Its data is looked at now, where it
 *                       was received: it must still be there.
 * @param[out] l4_ok     1 if it is right, if UDP over IPv4 has none, or if it
 *                       is that of the pseudo-header alone, which frames of
 *                       this machine have that no card has completed; else 0.
 *                       Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_rxq_task_recv_get_l4_ok(const struct doca_eth_rxq_task_recv *task_recv,
				 uint8_t *l4_ok);

/**
 * @brief Have the program called for each packet of a managed pool.
 *
 * @param[in] eth_rxq                Queue.
 * @param[in] user_data              Value for the callback.
 * @param[in] success_event_handler  Called for each packet.
 * @param[in] error_event_handler    Never called: what cannot be received is
 *                                   not seen.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument but the user data is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_ALREADY_EXIST  The queue has an event already.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_register(
	struct doca_eth_rxq *eth_rxq, union doca_data user_data,
	doca_eth_rxq_event_managed_recv_handler_cb_t success_event_handler,
	doca_eth_rxq_event_managed_recv_handler_cb_t error_event_handler);

/**
 * @brief The context of an event.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 *
 * @return The context; NULL if the event is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_eth_rxq_event_managed_recv_get_ctx(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv);

/**
 * @brief Get the status of a received packet.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 *
 * @retval DOCA_SUCCESS              Always else.
 * @retval DOCA_ERROR_INVALID_VALUE  The event is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_status(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv);

/**
 * @brief Flow tag of the packet of an event.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] flow_tag           The tag. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_flow_tag().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_flow_tag(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	uint32_t *flow_tag);

/**
 * @brief Hash of the packet of an event.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] rx_hash            The hash. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_rx_hash().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_rx_hash(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	uint32_t *rx_hash);

/**
 * @brief Timestamp of the packet of an event.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] timestamp          The time in ns. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_timestamp().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_timestamp(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	uint64_t *timestamp);

/**
 * @brief Metadata of the packet of an event.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] metadata_array     Values, as many as
 *                                doca_eth_rxq_set_metadata_num() said. Set on
 *                                success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_metadata_num().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_metadata_array(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	const uint32_t **metadata_array);

/**
 * @brief Get the result of checking a packet's IP header.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] l3_ok              1 for IPv4 whose header has a right checksum
 *                                and for IPv6, else 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_l3_ok(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	uint8_t *l3_ok);

/**
 * @brief Get the result of checking the checksum of TCP or UDP.
 *
 * @param[in] event_managed_recv  Event, in its callback.
 * @param[out] l4_ok              1 if it is right, if UDP over IPv4 has none,
 *                                or if it is that of the pseudo-header alone,
 *                                which frames of this machine have that no
 *                                card has completed; else 0. Set on success
 *                                only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_managed_recv_get_l4_ok(
	const struct doca_eth_rxq_event_managed_recv *event_managed_recv,
	uint8_t *l4_ok);

/**
 * @brief Have the program called for batches of packets of a managed pool.
 *
 * @param[in] eth_rxq                      Queue.
 * @param[in] events_number_max            At most so many packets are a batch.
 * @param[in] events_number_min            So many are waited for, but no
 *                                         longer than 100 microseconds after
 *                                         the first.
 * @param[in] user_data                    Value for the callback.
 * @param[in] success_event_batch_handler  Called for each batch.
 * @param[in] error_event_batch_handler    Never called: what cannot be
 *                                         received is not seen.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument but the user data is NULL, or
 *                                   a number is none of the enumeration or the
 *                                   minimum above the maximum.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_ALREADY_EXIST  The queue has an event already.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_register(
	struct doca_eth_rxq *eth_rxq,
	enum doca_event_batch_events_number events_number_max,
	enum doca_event_batch_events_number events_number_min,
	union doca_data user_data,
	doca_eth_rxq_event_batch_managed_recv_handler_cb_t
		success_event_batch_handler,
	doca_eth_rxq_event_batch_managed_recv_handler_cb_t
		error_event_batch_handler);

/**
 * @brief The context of a batch.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 *
 * @return The context; NULL if the batch is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_eth_rxq_event_batch_managed_recv_get_ctx(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv);

/**
 * @brief Flow tag of the packets of a batch.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] flow_tag_array           Of each packet, in order: the tag.
 *                                      Valid until the callback returns. Set
 *                                      on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_flow_tag().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_flow_tag_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint32_t **flow_tag_array);

/**
 * @brief Hash of the packets of a batch.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] rx_hash_array            Of each packet, in order: the hash.
 *                                      Valid until the callback returns. Set
 *                                      on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_rx_hash().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_rx_hash_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint32_t **rx_hash_array);

/**
 * @brief Timestamp of the packets of a batch.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] timestamp_array          Of each packet, in order: the time in
 *                                      ns. Valid until the callback returns.
 *                                      Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_timestamp().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_timestamp_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint64_t **timestamp_array);

/**
 * @brief Metadata of the packets of a batch.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] metadata_array           Of each packet, in order: values, as
 *                                      many as doca_eth_rxq_set_metadata_num()
 *                                      said. Valid until the callback returns.
 *                                      Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The queue was not told to have it; see
 *                                   doca_eth_rxq_set_metadata_num().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_metadata_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint32_t **metadata_array);

/**
 * @brief Get the result of checking a packet's IP header.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] l3_ok_array              Of each packet, in order: 1 for IPv4
 *                                      whose header has a right checksum and
 *                                      for IPv6, else 0. Valid until the
 *                                      callback returns. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_l3_ok_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint8_t **l3_ok_array);

/**
 * @brief Get the result of checking the checksum of TCP or UDP.
 *
 * @param[in] event_batch_managed_recv  Batch, in its callback.
 * @param[out] l4_ok_array              Of each packet, in order: 1 if it is
 *                                      right, if UDP over IPv4 has none, or if
 *                                      it is that of the pseudo-header alone,
 *                                      which frames of this machine have that
 *                                      no card has completed; else 0. Valid
 *                                      until the callback returns. Set on
 *                                      success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_event_batch_managed_recv_get_l4_ok_array(
	const struct doca_eth_rxq_event_batch_managed_recv
		*event_batch_managed_recv,
	const uint8_t **l4_ok_array);

/**
 * @brief Release all packets of a batch, and its array.
 *
 * It may be called in the callback of the batch, or at any time after it, in any
 * order of batches, until the queue is destroyed: that answers DOCA_ERROR_IN_USE
 * as long as the program has packets. None of the packets may have been released
 * one by one. A thread may call it that may progress the queue.
 *
 * @param[in] pkt_array  What the callback was given.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_eth_rxq_event_batch_managed_recv_pkt_array_free(
	struct doca_buf **pkt_array);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ETH_RXQ_CPU_DATA_PATH_H */
