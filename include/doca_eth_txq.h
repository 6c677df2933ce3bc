/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_eth_txq.h
 * @brief Ethernet send queues.
 *
 * A doca_eth_txq is a context (see doca_ctx.h) that sends frames over a
 * network interface, which is that of its device. The tasks are in
 * doca_eth_txq_cpu_data_path.h. Frames go through the ring of a packet socket,
 * and so past the kernel's protocols, but not past its queueing disciplines
 * and packet taps. Any number of queues may be on an interface.
 *
 * It needs CAP_NET_RAW. doca_ctx_start() returns, besides what doca_ctx.h
 * says: NOT_PERMITTED without it, NOT_SUPPORTED where the device has no
 * interface, BAD_STATE where the type is missing, INITIALIZATION for anything
 * else that the kernel refuses.
 *
 * Thread safety: a queue belongs, as every context, with its progress engine
 * and its tasks to one thread at a time. The capabilities of devices may be
 * asked for by any thread.
 */
#ifndef DOCA_ETH_TXQ_H
#define DOCA_ETH_TXQ_H

#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_eth_txq;
struct doca_gpu_eth_txq;

/** @brief Executor of a queue's data path. @since DOCA 3.0 */
enum doca_eth_txq_data_path_type {
	DOCA_ETH_TXQ_DATA_PATH_TYPE_CPU = 0, /**< the program */
	DOCA_ETH_TXQ_DATA_PATH_TYPE_GPU, /**< a GPU; not supported */
};

/** @brief Way of sending of a queue. @since DOCA 3.0 */
enum doca_eth_txq_type {
	DOCA_ETH_TXQ_TYPE_REGULAR = 0, /**< by tasks */
};

/**
 * @brief Create a send queue.
 *
 * @param[in] dev             Device; the context keeps it open.
 * @param[in] max_burst_size  Frames that may wait in the queue, 1 to
 *                            doca_eth_txq_cap_get_max_burst_size().
 * @param[out] eth_txq        The queue. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or out of its range.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_create(struct doca_dev *dev, uint32_t max_burst_size,
				 struct doca_eth_txq **eth_txq);

/**
 * @brief Destroy a send queue. It is disconnected from its progress engine.
 *
 * @param[in] eth_txq  Queue that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_destroy(struct doca_eth_txq *eth_txq);

/**
 * @brief The context as which a send queue is started and stopped.
 *
 * @param[in] eth_txq  Queue.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p eth_txq is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_eth_txq_as_doca_ctx(struct doca_eth_txq *eth_txq);

/**
 * @brief Get the maximum number of frames that may wait in a queue.
 *
 * @param[in] devinfo                Device.
 * @param[in] max_send_buf_list_len  Buffers of a list, as the queue will have
 *                                   it.
 * @param[in] max_lso_header_size    Bytes of LSO headers, as the queue will
 *                                   have it.
 * @param[out] max_burst_size        Frames. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or a number more than
 *                                   the device can do.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_cap_get_max_burst_size(
	const struct doca_devinfo *devinfo, uint32_t max_send_buf_list_len,
	uint16_t max_lso_header_size, uint32_t *max_burst_size);

/**
 * @brief Get the maximum length of an LSO task's headers.
 *
 * @param[in] devinfo               Device.
 * @param[out] max_lso_header_size  Bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_cap_get_max_lso_header_size(const struct doca_devinfo *devinfo,
					 uint16_t *max_lso_header_size);

/**
 * @brief Get the maximum length of an LSO task's payload.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_lso_msg_size  Bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_cap_get_max_lso_msg_size(const struct doca_devinfo *devinfo,
				      uint32_t *max_lso_msg_size);

/**
 * @brief Get the maximum number of values of a task's metadata.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_metadata_num  Values. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_cap_get_max_metadata_num(const struct doca_devinfo *devinfo,
				      uint8_t *max_metadata_num);

/**
 * @brief Get the maximum number of buffers in the list of a send task.
 *
 * @param[in] devinfo                 Device.
 * @param[out] max_send_buf_list_len  Buffers. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_cap_get_max_send_buf_list_len(const struct doca_devinfo *devinfo,
					   uint32_t *max_send_buf_list_len);

/**
 * @brief Get the way in which a device waits for the time of a packet.
 *
 * @param[in] devinfo             Device.
 * @param[out] wait_on_time_mode  Not at all. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_cap_get_wait_on_time_offload_supported(
	const struct doca_devinfo *devinfo,
	enum doca_eth_wait_on_time_type *wait_on_time_mode);

/**
 * @brief Check whether checksums of IPv4 can be computed for the program.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              They can, by the library.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_cap_is_l3_chksum_offload_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether checksums of TCP and UDP can be computed for the
 * program.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              They can, by the library.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no network interface in
 *                                   this network namespace.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_cap_is_l4_chksum_offload_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can have such queues.
 *
 * @param[in] devinfo         Device.
 * @param[in] type            Type.
 * @param[in] data_path_type  What executes the data path.
 *
 * @retval DOCA_SUCCESS              It can. Whether this process may start one
 *                                   is not asked.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or there is no such
 *                                   type.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The data path is that of a GPU, or the
 *                                   device has no network interface here.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_cap_is_type_supported(
	const struct doca_devinfo *devinfo, enum doca_eth_txq_type type,
	enum doca_eth_txq_data_path_type data_path_type);

/**
 * @brief Set the type, without which a queue does not start.
 *
 * @param[in] eth_txq  Queue.
 * @param[in] type     Type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or there is no such
 *                                   type.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_type(struct doca_eth_txq *eth_txq,
				   enum doca_eth_txq_type type);

/**
 * @brief Set how many frames may wait in a queue.
 *
 * @param[in] eth_txq         Queue.
 * @param[in] max_burst_size  Frames, 1 to
 *                            doca_eth_txq_cap_get_max_burst_size().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_max_burst_size(struct doca_eth_txq *eth_txq,
					     uint32_t max_burst_size);

/**
 * @brief Set how many buffers the list of a send task may have.
 *
 * @param[in] eth_txq                Queue.
 * @param[in] max_send_buf_list_len  Buffers, 1 to doca_eth_txq_cap_get_max_sen
 *                                   d_buf_list_len() (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_txq_set_max_send_buf_list_len(struct doca_eth_txq *eth_txq,
				       uint32_t max_send_buf_list_len);

/**
 * @brief Set how long the headers of LSO tasks may be.
 *
 * @param[in] eth_txq              Queue.
 * @param[in] max_lso_header_size  Bytes, 1 to
 *                                 doca_eth_txq_cap_get_max_lso_header_size()
 *                                 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_max_lso_header_size(struct doca_eth_txq *eth_txq,
						  uint16_t max_lso_header_size);

/**
 * @brief Set how many values of metadata tasks have.
 *
 * @param[in] eth_txq       Queue.
 * @param[in] metadata_num  Values, 0 (at first) to
 *                          doca_eth_txq_cap_get_max_metadata_num().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the number too
 *                                   large.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * They are kept with the task, and nothing uses them: rules of doca_flow.h
 * apply to received frames.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_metadata_num(struct doca_eth_txq *eth_txq,
					   uint8_t metadata_num);

/**
 * @brief Set the maximum segment size of LSO tasks that have none of their
 * own.
 *
 * @param[in] eth_txq  Queue.
 * @param[in] mss      Bytes of payload in a frame, not 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the number is 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_mss(struct doca_eth_txq *eth_txq, uint16_t mss);

/**
 * @brief Let tasks ask for checksums of IPv4.
 *
 * @param[in] eth_txq           Queue.
 * @param[in] enable_l3_chksum  1, or 0 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the value neither 0
 *                                   nor 1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_l3_chksum_offload(struct doca_eth_txq *eth_txq,
						uint8_t enable_l3_chksum);

/**
 * @brief Let tasks ask for checksums of TCP and UDP.
 *
 * @param[in] eth_txq           Queue.
 * @param[in] enable_l4_chksum  1, or 0 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL, or the value neither 0
 *                                   nor 1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_set_l4_chksum_offload(struct doca_eth_txq *eth_txq,
						uint8_t enable_l4_chksum);

/**
 * @brief Have packets wait for their time; not supported.
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
doca_eth_txq_set_wait_on_time_offload(struct doca_eth_txq *eth_txq);

/**
 * @brief The value of a time that a packet is to wait for; not supported.
 *
 * @param[in] eth_txq              Queue.
 * @param[in] timestamp_ns         Time, in ns.
 * @param[out] wait_on_time_value  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_calculate_timestamp(struct doca_eth_txq *eth_txq,
					      uint64_t timestamp_ns,
					      uint64_t *wait_on_time_value);

/**
 * @brief The number of a queue for doca_flow.h, which has no rules for frames
 * that are sent.
 *
 * @param[in] eth_txq         Queue.
 * @param[out] flow_queue_id  Number; 0 unless doca_eth_txq_apply_queue_id()
 *                            has set another.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_get_flow_queue_id(struct doca_eth_txq *eth_txq,
					    uint16_t *flow_queue_id);

/**
 * @brief Set that number.
 *
 * @param[in] eth_txq   Queue, started or not.
 * @param[in] queue_id  Number.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_txq is NULL.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_apply_queue_id(struct doca_eth_txq *eth_txq,
					 uint16_t queue_id);

/**
 * @brief The queue for programs on a GPU; not supported.
 *
 * @param[in] eth_txq       Queue.
 * @param[out] eth_txq_ext  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: the data path is on the CPU.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_txq_get_gpu_handle(const struct doca_eth_txq *eth_txq,
					 struct doca_gpu_eth_txq **eth_txq_ext);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ETH_TXQ_H */
