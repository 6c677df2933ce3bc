/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_eth_txq_gpu_data_path.h
 * @brief Sending on a GPU, which is not supported.
 *
 * Functions that are declared here answer NOT_SUPPORTED: the data path of send
 * queues is on the CPU.
 */
#ifndef DOCA_ETH_TXQ_GPU_DATA_PATH_H
#define DOCA_ETH_TXQ_GPU_DATA_PATH_H

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_eth_txq;
struct doca_eth_txq_gpu_event_error_send_packet;
struct doca_eth_txq_gpu_event_notify_send_packet;

/**
 * @brief Called when a packet of a GPU could not be sent.
 *
 * @param[in] event_error      Event.
 * @param[in] event_user_data  Value of the event.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_gpu_event_error_send_packet_cb_t)(
	struct doca_eth_txq_gpu_event_error_send_packet *event_error,
	union doca_data event_user_data);

/**
 * @brief Have the program called for that; not supported.
 *
 * @param[in] eth_txq                     Queue.
 * @param[in] event_error_send_packet_cb  Callback.
 * @param[in] event_user_data             Value for the callback.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_gpu_event_error_send_packet_register(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_gpu_event_error_send_packet_cb_t event_error_send_packet_cb,
	union doca_data event_user_data);

/**
 * @brief The position of its packet; not supported.
 *
 * @param[in] event_error    Event.
 * @param[out] packet_index  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: there is no such event.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_gpu_event_error_send_packet_get_position(
	const struct doca_eth_txq_gpu_event_error_send_packet *event_error,
	uint16_t *packet_index);

/**
 * @brief Called when a packet of a GPU was sent.
 *
 * @param[in] event_notify      Event.
 * @param[in] event_user_data  Value of the event.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_eth_txq_gpu_event_notify_send_packet_cb_t)(
	struct doca_eth_txq_gpu_event_notify_send_packet *event_notify,
	union doca_data event_user_data);

/**
 * @brief Have the program called for that; not supported.
 *
 * @param[in] eth_txq                      Queue.
 * @param[in] event_notify_send_packet_cb  Callback.
 * @param[in] event_user_data              Value for the callback.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_gpu_event_notify_send_packet_register(
	struct doca_eth_txq *eth_txq,
	doca_eth_txq_gpu_event_notify_send_packet_cb_t
		event_notify_send_packet_cb,
	union doca_data event_user_data);

/**
 * @brief The position of its packet; not supported.
 *
 * @param[in] event_notify   Event.
 * @param[out] packet_index  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: there is no such event.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_gpu_event_notify_send_packet_get_position(
	const struct doca_eth_txq_gpu_event_notify_send_packet *event_notify,
	uint16_t *packet_index);

/**
 * @brief The timestamp of its packet; not supported.
 *
 * @param[in] event_notify       Event.
 * @param[out] packet_timestamp  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: there is no such event.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_gpu_event_notify_send_packet_get_timestamp(
	const struct doca_eth_txq_gpu_event_notify_send_packet *event_notify,
	uint64_t *packet_timestamp);

/**
 * @brief Have completions told on the GPU; not supported.
 *
 * @param[in] eth_txq  Queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_gpu_set_completion_on_gpu(struct doca_eth_txq *eth_txq);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ETH_TXQ_GPU_DATA_PATH_H */
