/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_eth_rxq.h
 * @brief Ethernet receive queues.
 *
 * A doca_eth_rxq is a context (see doca_ctx.h) that receives frames of its
 * device's network interface past the kernel. It gets only the frames that a
 * rule of doca_flow.h sends to the id of the queue
 * (doca_eth_rxq_get_flow_queue_id()); all others go to the kernel.
 *
 * A queue is of one of two types. To a regular queue the program submits tasks
 * (doca_eth_rxq_cpu_data_path.h), each with a buffer, into which one frame is
 * copied. A queue with a managed pool has memory of the program, into which the
 * kernel or the card writes; an event tells the program of each frame, or of a
 * batch of them, and the program has the frame as a buffer until it releases it.
 *
 * It needs CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF, and for the memory
 * CAP_IPC_LOCK or a sufficient RLIMIT_MEMLOCK. A queue has all receive queues
 * of its interface, of which there may be 8, so there is one on an interface.
 * doca_ctx_start() returns, besides what doca_ctx.h says: NOT_PERMITTED
 * without these capabilities or for too much memory, IN_USE where another
 * program has the receive queues or an XDP program on the interface, or the
 * program still has packets of the time before, NOT_SUPPORTED where the device
 * has no interface, or the library was built without what it needs, BAD_STATE
 * where the type, the memory, an event or tasks are missing, INVALID_VALUE
 * where the memory is unsuitable. Whether the kernel copies the frames or the
 * card writes them is in the log, at level INFO.
 *
 * Thread safety: a queue belongs, as every context, with its progress engine,
 * its tasks and its packets to one thread at a time. The capabilities of
 * devices may be asked for by any thread.
 */
#ifndef DOCA_ETH_RXQ_H
#define DOCA_ETH_RXQ_H

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
struct doca_eth_rxq;
struct doca_gpu_eth_rxq;
struct doca_mmap;

/** @brief Executor of a queue's data path. @since DOCA 3.0 */
enum doca_eth_rxq_data_path_type {
	DOCA_ETH_RXQ_DATA_PATH_TYPE_CPU = 0, /**< the program */
	DOCA_ETH_RXQ_DATA_PATH_TYPE_GPU, /**< a GPU; not supported */
};

/** @brief Way of receiving of a queue. @since DOCA 3.0 */
enum doca_eth_rxq_type {
	/** into a ring, for GPUs; not supported */
	DOCA_ETH_RXQ_TYPE_CYCLIC = 0,
	/** into memory that the queue manages, told by events */
	DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL,
	/** into buffers of tasks */
	DOCA_ETH_RXQ_TYPE_REGULAR,
};

/**
 * @brief Create a receive queue.
 *
 * @param[in] dev              Device; the context keeps it open.
 * @param[in] max_burst_size   Packets that may wait in the queue, 1 to
 *                             doca_eth_rxq_cap_get_max_burst_size().
 * @param[in] max_packet_size  Bytes of the longest frame, with its Ethernet
 *                             header, 1 to
 *                             doca_eth_rxq_cap_get_max_packet_size(). Longer
 *                             ones go to the kernel.
 * @param[out] eth_rxq         The queue. Set on success only.
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
doca_error_t doca_eth_rxq_create(struct doca_dev *dev, uint32_t max_burst_size,
				 uint32_t max_packet_size,
				 struct doca_eth_rxq **eth_rxq);

/**
 * @brief Destroy a receive queue. It is disconnected from its progress engine.
 *
 * @param[in] eth_rxq  Queue that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle, or the program has packets
 *                                   of its managed pool.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_destroy(struct doca_eth_rxq *eth_rxq);

/**
 * @brief The context as which a receive queue is started and stopped.
 *
 * @param[in] eth_rxq  Queue.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p eth_rxq is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_eth_rxq_as_doca_ctx(struct doca_eth_rxq *eth_rxq);

/**
 * @brief Get the maximum number of packets that may wait in a queue.
 *
 * @param[in] devinfo          Device.
 * @param[out] max_burst_size  Packets. Set on success only.
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
doca_eth_rxq_cap_get_max_burst_size(const struct doca_devinfo *devinfo,
				    uint32_t *max_burst_size);

/**
 * @brief Get the maximum length of frames that a queue may receive.
 *
 * @param[in] devinfo           Device.
 * @param[out] max_packet_size  Bytes, with the Ethernet header. Set on success
 *                              only.
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
doca_eth_rxq_cap_get_max_packet_size(const struct doca_devinfo *devinfo,
				     uint32_t *max_packet_size);

/**
 * @brief Get the maximum number of values of a packet's metadata.
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
doca_eth_rxq_cap_get_max_metadata_num(const struct doca_devinfo *devinfo,
				      uint8_t *max_metadata_num);

/**
 * @brief Get the maximum room before a packet of a managed pool.
 *
 * @param[in] devinfo               Device.
 * @param[out] max_packet_headroom  Bytes. Set on success only.
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
doca_eth_rxq_cap_get_max_packet_headroom(const struct doca_devinfo *devinfo,
					 uint16_t *max_packet_headroom);

/**
 * @brief Get the maximum room behind a packet of a managed pool.
 *
 * @param[in] devinfo               Device.
 * @param[out] max_packet_tailroom  Bytes. Set on success only.
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
doca_eth_rxq_cap_get_max_packet_tailroom(const struct doca_devinfo *devinfo,
					 uint16_t *max_packet_tailroom);

/**
 * @brief Get the maximum number of buffers in the list of a receive task.
 *
 * @param[in] devinfo                 Device.
 * @param[out] max_recv_buf_list_len  Buffers. Set on success only.
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
doca_eth_rxq_cap_get_max_recv_buf_list_len(const struct doca_devinfo *devinfo,
					   uint32_t *max_recv_buf_list_len);

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
 * @retval DOCA_ERROR_NOT_SUPPORTED  It cannot: the type is cyclic, the data
 *                                   path that of a GPU, or the device has no
 *                                   network interface here; or the library was
 *                                   built without what receiving takes.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_cap_is_type_supported(
	const struct doca_devinfo *devinfo, enum doca_eth_rxq_type type,
	enum doca_eth_rxq_data_path_type data_path_type);

/**
 * @brief Set the type, without which a queue does not start.
 *
 * @param[in] eth_rxq  Queue.
 * @param[in] type     Type.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or there is no such
 *                                   type.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The type is cyclic.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_type(struct doca_eth_rxq *eth_rxq,
				   enum doca_eth_rxq_type type);

/**
 * @brief Set how many packets may wait in a queue.
 *
 * @param[in] eth_rxq         Queue.
 * @param[in] max_burst_size  Packets, 1 to
 *                            doca_eth_rxq_cap_get_max_burst_size().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_max_burst_size(struct doca_eth_rxq *eth_rxq,
					     uint32_t max_burst_size);

/**
 * @brief Set how long the frames are that a queue receives.
 *
 * @param[in] eth_rxq          Queue.
 * @param[in] max_packet_size  Bytes, 1 to
 *                             doca_eth_rxq_cap_get_max_packet_size(). Longer
 *                             frames go to the kernel.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_max_packet_size(struct doca_eth_rxq *eth_rxq,
					      uint32_t max_packet_size);

/**
 * @brief Set how many buffers the list of a receive task may have.
 *
 * @param[in] eth_rxq                Queue.
 * @param[in] max_recv_buf_list_len  1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number is not
 *                                   1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_rxq_set_max_recv_buf_list_len(struct doca_eth_rxq *eth_rxq,
				       uint32_t max_recv_buf_list_len);

/**
 * @brief Set how many values of metadata packets have.
 *
 * @param[in] eth_rxq       Queue.
 * @param[in] metadata_num  Values, 0 (at first) to
 *                          doca_eth_rxq_cap_get_max_metadata_num().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number too
 *                                   large.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * The value is what the actions of the rule that has steered the packet
 * (doca_flow.h) set as meta.pkt_meta, in the order of the host; 0 where they
 * set none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_metadata_num(struct doca_eth_rxq *eth_rxq,
					   uint8_t metadata_num);

/**
 * @brief Have a flow tag with each packet.
 *
 * @param[in] eth_rxq          Queue.
 * @param[in] enable_flow_tag  1, or 0 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the value neither 0
 *                                   nor 1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * The tag is what the rule's actions set as meta.mark, in the order of the
 * host; 0 where they set none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_flow_tag(struct doca_eth_rxq *eth_rxq,
				       uint8_t enable_flow_tag);

/**
 * @brief Have a hash with each packet.
 *
 * @param[in] eth_rxq         Queue.
 * @param[in] enable_rx_hash  1, or 0 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the value neither 0
 *                                   nor 1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * It is the Toeplitz hash of addresses and, for TCP and UDP that is not in
 * fragments, ports, computed by the library; 0 for what is not IP.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_rx_hash(struct doca_eth_rxq *eth_rxq,
				      uint8_t enable_rx_hash);

/**
 * @brief Have a timestamp with each packet.
 *
 * @param[in] eth_rxq           Queue.
 * @param[in] enable_timestamp  1, or 0 (at first).
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the value neither 0
 *                                   nor 1.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * It is the time of CLOCK_REALTIME, in ns, at which the library has taken the
 * packet out of the queue, not that of its arrival.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_timestamp(struct doca_eth_rxq *eth_rxq,
					uint8_t enable_timestamp);

/**
 * @brief Set how much room there is before each packet of a managed pool.
 *
 * @param[in] eth_rxq    Queue.
 * @param[in] head_size  Bytes, 0 (at first) to
 *                       doca_eth_rxq_cap_get_max_packet_headroom().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number too
 *                                   large.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_packet_headroom(struct doca_eth_rxq *eth_rxq,
					      uint16_t head_size);

/**
 * @brief Set how much room there is behind each packet of a managed pool.
 *
 * @param[in] eth_rxq    Queue.
 * @param[in] tail_size  Bytes, 0 (at first) to
 *                       doca_eth_rxq_cap_get_max_packet_tailroom().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL, or the number too
 *                                   large.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_packet_tailroom(struct doca_eth_rxq *eth_rxq,
					      uint16_t tail_size);

/**
 * @brief Put notifications off; not supported.
 *
 * @param[in] eth_rxq      Queue.
 * @param[in] period_usec  Time, in microseconds.
 * @param[in] comp_count   Packets.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: a wait ends with the first
 *                                   packet.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_eth_rxq_set_notification_moderation(struct doca_eth_rxq *eth_rxq,
					 uint16_t period_usec,
					 uint16_t comp_count);

/**
 * @brief Set the memory of a managed pool.
 *
 * @param[in] eth_rxq      Queue.
 * @param[in] mmap         Memory of this process. When the queue starts, it
 *                         must be started, have the device and allow local
 *                         writes. It cannot be stopped while the queue is
 *                         started, or packets are out.
 * @param[in] mmap_offset  Where in it the memory begins, in bytes.
 * @param[in] mmap_len     Bytes; doca_eth_rxq_estimate_packet_buf_size() says
 *                         how many.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument but the offset is NULL or 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * Whole pages of it are used. It belongs to the queue while that is started,
 * but for packets that the program was given.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_set_pkt_buf(struct doca_eth_rxq *eth_rxq,
				      struct doca_mmap *mmap,
				      uint32_t mmap_offset, uint32_t mmap_len);

/**
 * @brief Estimate the memory that a managed pool needs.
 *
 * @param[in] type                Type of the queue.
 * @param[in] rate                Expected rate, in MB/s.
 * @param[in] pkt_max_time        How long the program keeps a packet, in
 *                                microseconds.
 * @param[in] max_packet_size     As the queue has it, in bytes.
 * @param[in] max_burst_size      As the queue has it, in packets.
 * @param[in] log_max_lro_pkt_sz  Logarithm of how long merged packets may be;
 *                                ignored, for none are merged.
 * @param[in] head_size           Room before each packet, in bytes.
 * @param[in] tail_size           Room behind each packet, in bytes.
 * @param[out] buf_size           Bytes: 4096 for each packet of a burst and
 *                                for each that arrives while one is kept, at
 *                                least a page for each of 8 receive queues, and
 *                                two pages, so that the memory may begin
 *                                anywhere. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p buf_size is NULL, there is no such
 *                                   type, or a number is out of its range.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The type is not that of a managed pool.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_estimate_packet_buf_size(
	enum doca_eth_rxq_type type, uint32_t rate, uint16_t pkt_max_time,
	uint32_t max_packet_size, uint32_t max_burst_size,
	uint8_t log_max_lro_pkt_sz, uint16_t head_size, uint16_t tail_size,
	uint32_t *buf_size);

/**
 * @brief Get the number by which rules of doca_flow.h name a queue.
 *
 * @param[in] eth_rxq         Queue.
 * @param[out] flow_queue_id  Number; 0 unless doca_eth_rxq_apply_queue_id()
 *                            has set another. It is that of the queue on its
 *                            interface.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_get_flow_queue_id(struct doca_eth_rxq *eth_rxq,
					    uint16_t *flow_queue_id);

/**
 * @brief Set the number by which rules of doca_flow.h name a queue.
 *
 * @param[in] eth_rxq   Queue, started or not.
 * @param[in] queue_id  Number.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p eth_rxq is NULL.
 * @retval DOCA_ERROR_IN_USE         The queue is started, and another on the
 *                                   interface has the number, or the kernel
 *                                   refuses its rules. It keeps the number
 *                                   that it had.
 *
 * Rules that name it may be there already; frames come from then on.
 *
 * @since DOCA 3.3
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_apply_queue_id(struct doca_eth_rxq *eth_rxq,
					 uint16_t queue_id);

/**
 * @brief The queue for programs on a GPU; not supported.
 *
 * @param[in] eth_rxq       Queue.
 * @param[out] eth_rxq_ext  Not set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always else: the data path is on the CPU.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_eth_rxq_get_gpu_handle(const struct doca_eth_rxq *eth_rxq,
					 struct doca_gpu_eth_rxq **eth_rxq_ext);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DOCA_ETH_RXQ_H */
