/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_rdma.h
 * @brief RDMA: messages to peers, and tasks on their memory, over any verbs device.
 *
 * A doca_rdma is a context (see doca_ctx.h) on an RDMA device: a network card, or
 * soft-RoCE on any interface. It has connections with peers, other contexts in this
 * process, on this machine or on another, and tasks that send and receive messages,
 * or read, write and change memory of the peer. rdma-core is what moves them; with
 * most cards a task needs no system call. The driver (doca.ko, or the one in the
 * process) lists the devices and tells of their removal, within a process when the program
 * next lists them. For that each started context has a small queue there: one of those that
 * max_queues of doca.ko allows a user, or of 1,024 within a process.
 *
 * Connections are reliable: what a task has moved has arrived, once. Tasks of a
 * connection that send, read, write or change memory are executed, and complete, in
 * the order in which they were submitted. Receive tasks belong to no connection:
 * each takes one message of any of them, in the order in which they were submitted.
 * Tasks of different connections wait for nothing.
 *
 * Two programs are connected in one of three ways.
 *
 * By details, bytes that each exports and gives to the other by any means:
 * doca_rdma_export(), doca_rdma_connect(). Details are no secret. A peer may be late:
 * tasks that were submitted before it is connected wait for it, for 300 seconds or as
 * many as DOCA_RDMA_FIRST_CONTACT in the environment says, with 0 for two seconds; each
 * of them is executed once. No callback tells of such a connection.
 *
 * By address, with librdmacm, for which the module rdma_ucm must be loaded: one listens
 * to a port, doca_rdma_start_listen_to_port(), and accepts or rejects those who ask;
 * others connect, doca_rdma_connect_to_addr(). Callbacks tell of what happens, from
 * doca_pe_progress() (doca_rdma_set_connection_state_callbacks()). The peer may be any
 * program of librdmacm's.
 *
 * By a program that uses librdmacm itself: it listens, and gives the identifiers of
 * those who ask to doca_rdma_bridge_prepare_connection().
 *
 * Local memory of tasks is that of buffers of any doca_mmap that has the context's
 * device. The first task that uses an mmap has it registered with the device, which
 * pins it once more and takes a system call; if that fails, so does the task.
 * Memory of the peer is that of buffers of an mmap which was made from a descriptor of
 * the peer's doca_mmap_export_rdma(); a task takes one of them, and no list. What a
 * peer may do to memory here is said twice, by the permissions of the mmap and by
 * doca_rdma_set_permissions(); all else is refused by the device. Every peer that is
 * connected through a device with this process reaches what was exported for it, if it
 * knows the descriptor: programs that must keep peers apart have a process for each.
 *
 * A task that fails breaks its connection, as a device does: tasks behind it complete
 * with DOCA_ERROR_SHUTDOWN, and later ones with DOCA_ERROR_NOT_CONNECTED, which may
 * come before those that are behind it. Other connections go on. If it was made by
 * address, the callback for disconnections comes. Else the context stops by itself when
 * no connection is left that works or may come to work, and it does not listen. It also
 * stops if a receive task cannot be used. A connection by details that its peer has
 * ended is found by the next task on it that is not a receive task; a side that only
 * receives does not learn of it. It does if its own device has failed the connection, or
 * has refused what the peer has asked for, where the device tells so, and the program does
 * not read what the device tells (see doca_rdma_bridge_get_dev_pd()). These are the codes
 * of tasks that fail:
 *
 * - DOCA_ERROR_INVALID_VALUE: something is wrong with the task, as
 *   doca_task_try_submit() would have said; or it has more data than the device moves
 *   or the peer's buffer takes.
 * - DOCA_ERROR_NOT_PERMITTED: memory, here or at the peer, may not be used so, or its
 *   mmap was stopped.
 * - DOCA_ERROR_NOT_CONNECTED: its connection is not connected yet, or not any more.
 *   That breaks nothing.
 * - DOCA_ERROR_CONNECTION_RESET: the peer does not answer, for two seconds.
 * - DOCA_ERROR_TIME_OUT: the peer has no receive task (doca_rdma_set_rnr_retry_count()).
 * - DOCA_ERROR_IO_FAILED: the link is down, or a message was longer than the buffer of
 *   the receive task, on both sides; or the peer has made an error.
 * - DOCA_ERROR_NO_MEMORY: memory could not be registered.
 * - DOCA_ERROR_NOT_SUPPORTED: the device cannot register such memory; or the peer has
 *   none of the resources that its device needs for reads and atomic operations.
 * - DOCA_ERROR_DRIVER: the device has failed.
 * - DOCA_ERROR_SHUTDOWN: the context stops, or another task has failed before.
 *
 * A context that stops ends its connections; the peer's next task fails. Tasks in
 * flight complete, those that the device has not executed with DOCA_ERROR_SHUTDOWN,
 * within two seconds and whatever peers do. Without tasks it is idle at once. A
 * connection is valid until its context is idle.
 *
 * A context may be started without any kind of task: its peers then read, write and
 * change its memory, for which nobody here has to do anything.
 *
 * Only the CPU executes this library: nothing of a GPU or a DPA is supported, and no
 * dynamically connected transport, which verbs do not have.
 *
 * Thread safety: a doca_rdma belongs, as every context, with its progress engine, its
 * connections and its tasks to one thread at a time. The capabilities of devices may
 * be asked for by any thread.
 */
#ifndef DOCA_RDMA_H
#define DOCA_RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/rdma_cma.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dpa_completion;
struct doca_gpu_dev_rdma;
struct doca_sync_event_remote_net;
struct doca_task;

/** @brief A context with RDMA tasks. */
struct doca_rdma;
/** @brief A connection of a context with a peer. */
struct doca_rdma_connection;
/** @brief The address of a peer. */
struct doca_rdma_addr;
/** @brief A task that receives a message. */
struct doca_rdma_task_receive;
/** @brief A task that sends a message. */
struct doca_rdma_task_send;
/** @brief A task that sends a message with immediate data. */
struct doca_rdma_task_send_imm;
/** @brief A task that reads memory of the peer. */
struct doca_rdma_task_read;
/** @brief A task that writes memory of the peer. */
struct doca_rdma_task_write;
/** @brief A task that writes memory of the peer, and tells it so by immediate data. */
struct doca_rdma_task_write_imm;
/** @brief A task that compares a word of the peer's memory, and swaps it if it is equal. */
struct doca_rdma_task_atomic_cmp_swp;
/** @brief A task that adds to a word of the peer's memory. */
struct doca_rdma_task_atomic_fetch_add;
/** @brief A task that reads a sync event of the peer. */
struct doca_rdma_task_remote_net_sync_event_get;
/** @brief A task that sets a sync event of the peer. */
struct doca_rdma_task_remote_net_sync_event_notify_set;
/** @brief A task that adds to a sync event of the peer. */
struct doca_rdma_task_remote_net_sync_event_notify_add;

/** @brief Handle of a context on a data path accelerator. @since DOCA 3.0 */
typedef uint64_t doca_dpa_dev_rdma_t;

/** @brief A global identifier: the address of a port. @since DOCA 3.0 */
struct doca_rdma_gid {
	uint8_t raw[DOCA_GID_BYTE_LENGTH]; /**< big endian */
};

/** @brief Kinds of addresses of peers. @since DOCA 3.0 */
enum doca_rdma_addr_type {
	/** IPv4, such as "192.0.2.1" */
	DOCA_RDMA_ADDR_TYPE_IPv4,
	/** IPv6, such as "2001:db8::1"; with the interface, such as
	 *  "fe80::1%eth0", where the address is one of a link */
	DOCA_RDMA_ADDR_TYPE_IPv6,
	/** a GID, in the form of IPv6: "::ffff:192.0.2.1" is IPv4 */
	DOCA_RDMA_ADDR_TYPE_GID,
};

/** @brief What a receive task has received. @since DOCA 3.0 */
enum doca_rdma_opcode {
	/** a message */
	DOCA_RDMA_OPCODE_RECV_SEND = 0,
	/** a message with immediate data */
	DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
	/** the immediate data of a write, whose data are elsewhere */
	DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
};

/** @brief Kinds of transport. @since DOCA 3.0 */
enum doca_rdma_transport_type {
	/** reliable connections */
	DOCA_RDMA_TRANSPORT_TYPE_RC,
	/** dynamically connected; not supported */
	DOCA_RDMA_TRANSPORT_TYPE_DC,
};

/**
 * @brief Create an RDMA context.
 *
 * @param[in] dev    RDMA device; the context keeps it open.
 * @param[out] rdma  The context. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or one
 *         without reliable connections as InfiniBand and RoCE have them.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma);

/**
 * @brief Destroy an RDMA context. It is disconnected from its progress engine.
 *
 * @param[in] rdma  Context that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not idle. Nothing has
 *         changed.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_destroy(struct doca_rdma *rdma);

/**
 * @brief The context as which it is started, stopped and connected.
 *
 * Without a task in flight or allocated, doca_ctx_stop() makes it idle at
 * once, also with live connections.
 *
 * @param[in] rdma  Context.
 *
 * @return The same context; NULL if @p rdma is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma);

/**
 * @brief Set the kind of transport.
 *
 * @param[in] rdma            Context.
 * @param[in] transport_type  DOCA_RDMA_TRANSPORT_TYPE_RC, which is the
 *                            default.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p transport_type
 *         unknown.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is DOCA_RDMA_TRANSPORT_TYPE_DC.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_set_transport_type(struct doca_rdma *rdma,
			     enum doca_rdma_transport_type transport_type);

/**
 * @brief Get the kind of transport.
 *
 * @param[in] rdma             Context.
 * @param[out] transport_type  DOCA_RDMA_TRANSPORT_TYPE_RC. Set on success
 *                             only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_get_transport_type(const struct doca_rdma *rdma,
			     enum doca_rdma_transport_type *transport_type);

/**
 * @brief Set what peers may do to memory of this process.
 *
 * They may do what this and the permissions of the mmap allow. The default is
 * nothing.
 *
 * @param[in] rdma         Context.
 * @param[in] permissions  DOCA_ACCESS_FLAG_RDMA_READ, _RDMA_WRITE and
 *                         _RDMA_ATOMIC of enum doca_access_flag, any of them;
 *                         _LOCAL_READ_WRITE means nothing here.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or there are other flags.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma,
				       uint32_t permissions);

/**
 * @brief Get what peers may do to memory of this process.
 *
 * @param[in] rdma          Context.
 * @param[out] permissions  The flags. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_permissions(struct doca_rdma *rdma,
				       uint32_t *permissions);

/**
 * @brief Set the maximum number of connections at a time.
 *
 * @param[in] rdma                 Context.
 * @param[in] max_num_connections  1 to 65535; the default is 64.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is 0.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma,
					       uint16_t max_num_connections);

/**
 * @brief Get the maximum number of connections at a time.
 *
 * @param[in] rdma                  Context.
 * @param[out] max_num_connections  The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_max_num_connections(struct doca_rdma *rdma,
					       uint16_t *max_num_connections);

/**
 * @brief Set how many tasks of a connection the device has at a time.
 *
 * Any number of tasks may be submitted; more than these wait in the library.
 * The device has room for a power of two, so the number is rounded up; it is
 * never more than what tasks there are.
 *
 * @param[in] rdma             Context.
 * @param[in] send_queue_size  Number of tasks, at least 1; the default is 128.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p send_queue_size 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is more than
 *         doca_rdma_cap_get_max_send_queue_size().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma,
					   uint32_t send_queue_size);

/**
 * @brief Get how many tasks of a connection the device has at a time.
 *
 * @param[in] rdma              Context.
 * @param[out] send_queue_size  The number, rounded up. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma,
					   uint32_t *send_queue_size);

/**
 * @brief Set how many receive tasks the device has at a time.
 *
 * A hint: there is always room for all receive tasks of the context.
 *
 * @param[in] rdma             Context.
 * @param[in] recv_queue_size  Number of tasks, at least 1.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p recv_queue_size 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is more than
 *         doca_rdma_cap_get_max_recv_queue_size().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma,
					   uint32_t recv_queue_size);

/**
 * @brief Get how many receive tasks the device has at a time.
 *
 * @param[in] rdma              Context.
 * @param[out] recv_queue_size  The number, or that of receive tasks if it is
 *                              larger. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma,
					   uint32_t *recv_queue_size);

/**
 * @brief Set how many buffers local lists of tasks may have.
 *
 * That of receive tasks is another,
 * doca_rdma_task_receive_set_dst_buf_list_len(). Some devices take fewer buffers for
 * reads: a read task with more fails with DOCA_ERROR_INVALID_VALUE.
 *
 * @param[in] rdma                   Context.
 * @param[in] max_send_buf_list_len  1 to
 *                                   doca_rdma_cap_get_max_send_buf_list_len(),
 *                                   which is the default. With less, tasks
 *                                   take less memory.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or the number is out of
 *         this range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma,
				    uint32_t max_send_buf_list_len);

/**
 * @brief Get how many buffers local lists of tasks may have.
 *
 * @param[in] rdma                    Context.
 * @param[out] max_send_buf_list_len  The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_get_max_send_buf_list_len(const struct doca_rdma *rdma,
				    uint32_t *max_send_buf_list_len);

/**
 * @brief Set the maximum transmission unit of connections.
 *
 * A connection has the smaller one of both sides.
 *
 * @param[in] rdma  Context.
 * @param[in] mtu   Bytes of data in a packet, not more than the port has,
 *                  which is the default.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p mtu unknown.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is more than the port has, or
 *         DOCA_MTU_SIZE_RAW_ETHERNET.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu);

/**
 * @brief Get the maximum transmission unit of connections.
 *
 * @param[in] rdma  Context.
 * @param[out] mtu  The value; if there are connections, the smallest that one
 *                  of them has. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma,
			       enum doca_mtu_size *mtu);

/**
 * @brief Set the entry of the port's table of GIDs that connections use.
 *
 * The default is the first one of RoCE v2 with an IPv4 address, else with an
 * IPv6 address of more than the link, else of the link; on InfiniBand the
 * first one.
 *
 * @param[in] rdma       Context.
 * @param[in] gid_index  Number in the table. That the entry is not empty is
 *                       checked at the start.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or there is no such
 *         entry.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma,
				     uint32_t gid_index);

/**
 * @brief Get the entry of the port's table of GIDs that connections use.
 *
 * @param[in] rdma        Context.
 * @param[out] gid_index  The number, also if the default is meant. Set on
 *                        success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma,
				     uint32_t *gid_index);

/**
 * @brief Set whether packets have a global routing header.
 *
 * On Ethernet they always have; on InfiniBand they need it beyond a subnet.
 *
 * @param[in] rdma         Context.
 * @param[in] grh_enabled  0 for no. The default is 1 on Ethernet, else 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is 0 and the port is one of Ethernet.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma,
				       uint8_t grh_enabled);

/**
 * @brief Get whether packets have a global routing header.
 *
 * @param[in] rdma          Context.
 * @param[out] grh_enabled  1 or 0. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma,
				       uint8_t *grh_enabled);

/**
 * @brief Set the service level of connections.
 *
 * @param[in] rdma  Context.
 * @param[in] sl    0 to 15; the default is 0.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p sl more than 15.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl);

/**
 * @brief Get the service level of connections.
 *
 * @param[in] rdma  Context.
 * @param[out] sl   The level. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_sl(const struct doca_rdma *rdma, uint32_t *sl);

/**
 * @brief Set how often a message is sent again to a peer without receive task.
 *
 * Each time takes less than a millisecond.
 *
 * @param[in] rdma             Context.
 * @param[in] rnr_retry_count  0 to 6; 7, the default, for ever.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or the number more than
 *         7.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma,
					   uint8_t rnr_retry_count);

/**
 * @brief Get how often a message is sent again to a peer without receive task.
 *
 * @param[in] rdma              Context.
 * @param[out] rnr_retry_count  The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_rnr_retry_count(const struct doca_rdma *rdma,
					   uint8_t *rnr_retry_count);

/**
 * @brief Set how many buffers lists of receive tasks may have.
 *
 * @param[in] rdma          Context.
 * @param[in] buf_list_len  1 to
 *                          doca_rdma_cap_task_receive_get_max_dst_buf_list_len(),
 *                          which is the default.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or the number is out of
 *         this range.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma,
							 uint32_t buf_list_len);

/**
 * @brief Get how many buffers lists of receive tasks may have.
 *
 * @param[in] rdma           Context.
 * @param[out] buf_list_len  The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_task_receive_get_dst_buf_list_len(const struct doca_rdma *rdma,
					    uint32_t *buf_list_len);

/**
 * @brief Make a connection, and the details by which a peer can connect to it.
 *
 * The peer gets the details and calls doca_rdma_connect() with them; here that
 * is called with the details that the peer has exported. Neither side has to
 * wait for the other. A connection that was exported takes one of the
 * context's until it is disconnected.
 *
 * @param[in] rdma                           Context.
 * @param[out] local_rdma_conn_details       The details. They belong to the
 *                                           connection and are valid until the
 *                                           context is idle. Set on success
 *                                           only.
 * @param[out] local_rdma_conn_details_size  Bytes of them, 96. Set on success
 *                                           only.
 * @param[out] rdma_connection               The connection. Set on success
 *                                           only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or was started
 *         before a fork.
 * @retval DOCA_ERROR_FULL           It has as many connections as
 *         doca_rdma_set_max_num_connections() says.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The device does not make a queue pair.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_export(struct doca_rdma *rdma,
			      const void **local_rdma_conn_details,
			      size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection);

/**
 * @brief Connect with a peer by its details.
 *
 * When the call returns, tasks may be submitted, even if the peer has not
 * called it yet. If it fails with DOCA_ERROR_CONNECTION_ABORTED the connection
 * is as before, and may be connected by other details.
 *
 * @param[in] rdma                           Context.
 * @param[in] remote_rdma_conn_details       What the peer's doca_rdma_export()
 *                                           has returned.
 * @param[in] remote_rdma_conn_details_size  Bytes of them.
 * @param[in] rdma_connection                Connection of the context, which
 *                                           was exported.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or 0, or the
 *         connection is not one of the context.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or was started
 *         before a fork; or the connection was connected before.
 * @retval DOCA_ERROR_CONNECTION_ABORTED  The details were cut or altered, are
 *         of another version or another kind of link, or there is no route to
 *         the peer; the log says which.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connect(struct doca_rdma *rdma,
			       const void *remote_rdma_conn_details,
			       size_t remote_rdma_conn_details_size,
			       struct doca_rdma_connection *rdma_connection);

/**
 * @brief Called when a peer asks for a connection.
 *
 * It has to be answered, here or later, by doca_rdma_connection_accept() or
 * doca_rdma_connection_reject(). That the peer has gone meanwhile is told by the
 * answer alone.
 *
 * @param[in] rdma_connection  Connection, of which
 *                             doca_rdma_connection_get_addr() tells the peer.
 * @param[in] ctx_user_data    Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_connection_request_cb_t)(
	struct doca_rdma_connection *rdma_connection,
	union doca_data ctx_user_data);

/**
 * @brief Called when a connection works: tasks may be submitted.
 *
 * No message of the connection is received before, unless the program makes it
 * by the bridge: then messages may come before doca_rdma_bridge_established(), and
 * tasks fail with DOCA_ERROR_NOT_CONNECTED until then.
 *
 * @param[in] rdma_connection       Connection.
 * @param[in] connection_user_data  Its value, of doca_rdma_connect_to_addr() or
 *                                  doca_rdma_connection_set_user_data().
 * @param[in] ctx_user_data         Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_connection_established_cb_t)(
	struct doca_rdma_connection *rdma_connection,
	union doca_data connection_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a connection could not be made.
 *
 * The log says why. When it returns, another connection may take the place.
 *
 * @param[in] rdma_connection       Connection.
 * @param[in] connection_user_data  Its value.
 * @param[in] ctx_user_data         Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_connection_failure_cb_t)(
	struct doca_rdma_connection *rdma_connection,
	union doca_data connection_user_data, union doca_data ctx_user_data);

/**
 * @brief Called when a connection has ended, once.
 *
 * The peer has disconnected, or ended; a task has failed; or the program has
 * called doca_rdma_connection_disconnect(). Its tasks have completed before, and
 * receive tasks with its messages. When it returns, another connection may take
 * the place.
 *
 * @param[in] rdma_connection       Connection.
 * @param[in] connection_user_data  Its value.
 * @param[in] ctx_user_data         Value of the context.
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_connection_disconnection_cb_t)(
	struct doca_rdma_connection *rdma_connection,
	union doca_data connection_user_data, union doca_data ctx_user_data);

/**
 * @brief Set the callbacks that tell of connections by address.
 *
 * A context that stops calls none of them.
 *
 * @param[in] rdma                             Context.
 * @param[in] doca_rdma_connect_request_cb     A peer asks; NULL if the context
 *                                             is not to listen.
 * @param[in] doca_rdma_connect_established_cb A connection works.
 * @param[in] doca_rdma_connect_failure_cb     It could not be made.
 * @param[in] doca_rdma_disconnect_cb          It has ended.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma or one of the last three callbacks
 *         is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_connection_state_callbacks(
	struct doca_rdma *rdma,
	doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb);

/**
 * @brief Set how long each step to a peer's address may take.
 *
 * Its address is resolved, then the way to it; all steps, with the peer's
 * answer, take at most four times as long, or ten seconds if that is more. So
 * long a peer that was accepted may take to answer that, too.
 *
 * @param[in] rdma     Context.
 * @param[in] timeout  Milliseconds, at least 1; the default is 2000.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p timeout 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma,
						      uint16_t timeout);

/**
 * @brief Get how long each step to a peer's address may take.
 *
 * @param[in] rdma      Context.
 * @param[out] timeout  Milliseconds. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_get_connection_request_timeout(const struct doca_rdma *rdma,
					 uint16_t *timeout);

/**
 * @brief Make the address of a peer. Any thread may call it.
 *
 * @param[in] addr_type  Kind of address.
 * @param[in] address    Its text, of numbers; it is copied. Names have to be
 *                       looked up by the program.
 * @param[in] port       Port to which the peer listens, 1 to 65535.
 * @param[out] addr      The address. doca_rdma_addr_destroy() frees it. Set on
 *                       success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p addr_type unknown,
 *         @p port 0, or @p address no such address or of no interface.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type,
				   const char *address, uint16_t port,
				   struct doca_rdma_addr **addr);

/**
 * @brief Free an address. Connections that were made to it have copies.
 *
 * @param[in] addr  Address of doca_rdma_addr_create().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p addr is NULL, or belongs to a
 *         connection: see doca_rdma_connection_get_addr().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr);

/**
 * @brief Get what an address is.
 *
 * @param[in] addr        Address.
 * @param[out] addr_type  Kind of address. Set on success only.
 * @param[out] address    Its text, valid as long as the address. Set on success
 *                        only.
 * @param[out] port       Port. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
				       enum doca_rdma_addr_type *addr_type,
				       const char **address, uint16_t *port);

/**
 * @brief Listen to a port, at all addresses that the device has now.
 *
 * The callback for requests tells of each peer that asks. If the context has
 * as many connections as it may have, the peer is rejected, and the log says
 * so.
 *
 * @param[in] rdma  Context.
 * @param[in] port  Port, 1 to 65535. Those of RDMA are apart from those of
 *                  TCP. Contexts of several devices may listen to the same.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE      @p rdma is NULL, or @p port 0.
 * @retval DOCA_ERROR_BAD_STATE          The context is not running, was started
 *         before a fork, has no callback for requests, or listens to that port.
 * @retval DOCA_ERROR_CONNECTION_ABORTED Another context listens to the port, or
 *         none of the device's addresses can be listened at.
 * @retval DOCA_ERROR_NO_MEMORY          Out of memory.
 * @retval DOCA_ERROR_DRIVER             There is no librdmacm, because the
 *         module rdma_ucm is not loaded, or the device does not tell its
 *         addresses.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma,
					    uint16_t port);

/**
 * @brief Listen to a port no more.
 *
 * Requests that the program was told of stay, and can be answered.
 *
 * @param[in] rdma  Context.
 * @param[in] port  Port.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma is NULL, or @p port 0.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, was started
 *         before a fork, or does not listen to that port.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma,
					   uint16_t port);

/**
 * @brief Connect to a peer that listens.
 *
 * The call does not wait. Later the callback for established connections
 * comes, or the one for failures, once. The device that leads to the peer must
 * be the context's; if doca_rdma_set_gid_index() was called, that address is
 * where packets come from.
 *
 * @param[in] rdma                  Context.
 * @param[in] addr                  The peer's address, which is copied.
 * @param[in] connection_user_data  Value for the callbacks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, was started
 *         before a fork, or has no callbacks for connections.
 * @retval DOCA_ERROR_FULL           It has as many connections as
 *         doca_rdma_set_max_num_connections() says.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         There is no librdmacm, because the module
 *         rdma_ucm is not loaded, or the device does not make a queue pair.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
				       struct doca_rdma_addr *addr,
				       union doca_data connection_user_data);

/**
 * @brief Accept a peer that has asked.
 *
 * When it has heard of that, the callback for established connections comes;
 * the one for failures if it does not answer any more.
 *
 * @param[in] rdma_connection   Connection of the callback for requests.
 * @param[in] private_data      Bytes for the peer; NULL for none. Peers of this
 *                              library do not read them.
 * @param[in] private_data_len  Bytes of them, 0 to 196.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE      @p rdma_connection is NULL, or the data
 *         are, or have too many bytes.
 * @retval DOCA_ERROR_BAD_STATE          The context is not running, or was
 *         started before a fork.
 * @retval DOCA_ERROR_CONNECTION_ABORTED No peer waits for an answer; or it could
 *         not be accepted, and is rejected. No callback tells of that.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_connection_accept(struct doca_rdma_connection *rdma_connection,
			    void *private_data, uint8_t private_data_len);

/**
 * @brief Reject a peer that has asked. No callback follows.
 *
 * @param[in] rdma_connection  Connection of the callback for requests. Another
 *                             one may take its place.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE      @p rdma_connection is NULL.
 * @retval DOCA_ERROR_BAD_STATE          The context is not running, or was
 *         started before a fork.
 * @retval DOCA_ERROR_CONNECTION_ABORTED No peer waits for an answer.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection);

/**
 * @brief Make a connection of an identifier of librdmacm.
 *
 * For programs that listen by themselves. The identifier, of an event
 * RDMA_CM_EVENT_CONNECT_REQUEST, belongs to the connection from then on, which
 * destroys it: in a later call of doca_pe_progress() after it was rejected or
 * has ended, or when the context stops. By then the program must have
 * acknowledged all events of it, for else librdmacm waits for that. Its context
 * is the program's and stays as it is.
 *
 * The program goes on reading the events of it, and tells of these:
 * RDMA_CM_EVENT_ESTABLISHED by doca_rdma_bridge_established(), and what ends
 * the connection by doca_rdma_connection_disconnect(). Callbacks tell of it as
 * of other connections, but for requests, if there are any.
 *
 * @param[in] rdma              Context.
 * @param[in] cm_id             Identifier, of the context's device, for reliable
 *                              connections, and without a queue pair.
 * @param[out] rdma_connection  The connection, which is to be accepted or
 *                              rejected. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL; or the identifier is of
 *         another device or of another kind, has a queue pair, or belongs to a
 *         connection of the context already.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, or was started
 *         before a fork.
 * @retval DOCA_ERROR_FULL           It has as many connections as
 *         doca_rdma_set_max_num_connections() says.
 * @retval DOCA_ERROR_NO_MEMORY      Out of memory.
 * @retval DOCA_ERROR_DRIVER         The device does not make a queue pair.
 *         After each error the identifier is the program's.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_prepare_connection(
	struct doca_rdma *rdma, struct rdma_cm_id *cm_id,
	struct doca_rdma_connection **rdma_connection);

/**
 * @brief Accept the peer of a connection that was prepared.
 *
 * doca_rdma_connection_reject() rejects it.
 *
 * @param[in] rdma              Context.
 * @param[in] private_data      Bytes for the peer; NULL for none.
 * @param[in] private_data_len  Bytes of them, 0 to 196.
 * @param[in] rdma_connection   Connection.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE      A pointer is NULL, the connection is of
 *         another context, or the data have too many bytes.
 * @retval DOCA_ERROR_BAD_STATE          The context is not running, was started
 *         before a fork, or the connection was not prepared so, or accepted.
 * @retval DOCA_ERROR_CONNECTION_ABORTED It could not be accepted, and is
 *         rejected. No callback tells of that.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_bridge_accept(struct doca_rdma *rdma, void *private_data,
			uint8_t private_data_len,
			struct doca_rdma_connection *rdma_connection);

/**
 * @brief Tell that a connection which was accepted works.
 *
 * The peer has heard of it, by the event RDMA_CM_EVENT_ESTABLISHED. Tasks may
 * be submitted from then on. Messages of the peer may come before.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the connection is of
 *         another context.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running, was started
 *         before a fork, or the connection was not accepted so.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_bridge_established(struct doca_rdma *rdma,
			     struct doca_rdma_connection *rdma_connection);

/**
 * @brief End a connection.
 *
 * Its tasks in flight complete, with DOCA_ERROR_SHUTDOWN unless the device has
 * executed them. A peer by details is not told: its next task fails. One by
 * address is told, and its callback for disconnections comes as the one here
 * does, when the last task has completed; a request that was not answered is
 * rejected instead, without a callback. When the last task has completed, the
 * receive tasks that have got its messages, and the callback has returned,
 * another connection may take the place. A receive task that had got only a
 * part of a message may complete when the context stops, and not before. To
 * disconnect one that has ended changes nothing, unless another has its place.
 *
 * @param[in] rdma_connection  Connection.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma_connection is NULL.
 * @retval DOCA_ERROR_BAD_STATE      Its context was started before a fork.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection);

/**
 * @brief Set a value of the program's own for a connection. It begins as 0.
 *
 * @param[in] rdma_connection       Connection.
 * @param[in] connection_user_data  The value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma_connection is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection,
				   union doca_data connection_user_data);

/**
 * @brief Get the value of the program's own for a connection.
 *
 * @param[in] rdma_connection        Connection.
 * @param[out] connection_user_data  The value. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_get_user_data(
	const struct doca_rdma_connection *rdma_connection,
	union doca_data *connection_user_data);

/**
 * @brief Get the number of a connection.
 *
 * Connections of a context count from 1 on since its start; none gets a number
 * again.
 *
 * @param[in] rdma_connection  Connection.
 * @param[out] connection_id   The number. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection,
			    uint32_t *connection_id);

/**
 * @brief Get the address of a connection's peer.
 *
 * @param[in] rdma_connection  Connection by address.
 * @param[out] addr            The address to which it was connected, or from
 *                             which the peer has asked. It belongs to the
 *                             connection and is valid as long as that. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the connection was
 *         made by details.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connection_get_addr(
	const struct doca_rdma_connection *rdma_connection,
	struct doca_rdma_addr **addr);

/**
 * @brief Called when a receive task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_receive_completion_cb_t)(
	struct doca_rdma_task_receive *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable receive tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_receive_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_receive_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a receive task.
 *
 * The message is appended to the data of the buffer, or of those of a list in
 * turn, and their data lengths grow. If it is longer than the room the task
 * fails, and so does the peer's. Immediate data of a write take a receive task
 * as well, and nothing of its buffer.
 *
 * @param[in] rdma       Context.
 * @param[in] dst_buf    Buffer, or list of buffers, with room for the message;
 *                       NULL for one that has none. It may be set later.
 * @param[in] user_data  Value for the callback.
 * @param[out] task      The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma or @p task is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_allocate_init(
	struct doca_rdma *rdma, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_receive **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_rdma_task_receive_as_task(struct doca_rdma_task_receive *task);

/**
 * @brief Set the buffer of a receive task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_receive_set_dst_buf(struct doca_rdma_task_receive *task,
					struct doca_buf *dst_buf);

/**
 * @brief Get the buffer of a receive task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_receive_get_dst_buf(const struct doca_rdma_task_receive *task);

/**
 * @brief Get the number of bytes received, in the callback.
 *
 * @param[in] task  Task.
 *
 * @return Bytes; of immediate data of a write, those that the peer has
 * written; 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_rdma_task_receive_get_result_len(
	const struct doca_rdma_task_receive *task);

/**
 * @brief Get the immediate data received, in the callback.
 *
 * @param[in] task  Task.
 *
 * @return The four bytes as the peer has given them; 0 if there are none, or
 * @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_receive_get_result_immediate_data(
	const struct doca_rdma_task_receive *task);

/**
 * @brief Get what was received, in the callback.
 *
 * @param[in] task  Task.
 *
 * @return It is valid after success; DOCA_RDMA_OPCODE_RECV_SEND if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
enum doca_rdma_opcode doca_rdma_task_receive_get_result_opcode(
	const struct doca_rdma_task_receive *task);

/**
 * @brief Get the connection that the message came by, in the callback.
 *
 * @param[in] task  Task.
 *
 * @return The connection, which may be broken or disconnected by now; NULL if
 * it is not known, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(
	const struct doca_rdma_task_receive *task);

/**
 * @brief Called when a send task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_send_completion_cb_t)(
	struct doca_rdma_task_send *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable send tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_send_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_send_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a send task.
 *
 * It completes when the peer has the message in the buffer of a receive task.
 * While the peer has none, it waits, doca_rdma_set_rnr_retry_count().
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] src_buf          Buffer, or list of buffers, whose data are sent;
 *                             NULL, or without data, for an empty message.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, union doca_data user_data,
	struct doca_rdma_task_send **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_send_as_task(struct doca_rdma_task_send *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as doca_rdma_task_send_allocate_init()
 * refuses it, nothing is set, and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_set_rdma_connection(
	struct doca_rdma_task_send *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_send_get_rdma_connection(const struct doca_rdma_task_send *task);

/**
 * @brief Set the buffer of a send task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] src_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_set_src_buf(struct doca_rdma_task_send *task,
				     const struct doca_buf *src_buf);

/**
 * @brief Get the buffer of a send task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_send_get_src_buf(const struct doca_rdma_task_send *task);

/**
 * @brief Called when a send_imm task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_send_imm_completion_cb_t)(
	struct doca_rdma_task_send_imm *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable send_imm tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_imm_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_send_imm_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_send_imm_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a send_imm task.
 *
 * Like doca_rdma_task_send_allocate_init().
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] src_buf          Buffer, or list of buffers, whose data are sent;
 *                             NULL, or without data, for an empty message.
 * @param[in] immediate_data   Four bytes, which the peer gets as they are.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, doca_be32_t immediate_data,
	union doca_data user_data, struct doca_rdma_task_send_imm **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_rdma_task_send_imm_as_task(struct doca_rdma_task_send_imm *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as doca_rdma_task_send_imm_allocate_init()
 * refuses it, nothing is set, and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_rdma_connection(
	struct doca_rdma_task_send_imm *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *doca_rdma_task_send_imm_get_rdma_connection(
	const struct doca_rdma_task_send_imm *task);

/**
 * @brief Set the buffer of a send_imm task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] src_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_src_buf(struct doca_rdma_task_send_imm *task,
					 const struct doca_buf *src_buf);

/**
 * @brief Get the buffer of a send_imm task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_send_imm_get_src_buf(const struct doca_rdma_task_send_imm *task);

/**
 * @brief Set the immediate data of a task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task            Task.
 * @param[in] immediate_data  Four bytes, which the peer gets as they are.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_immediate_data(
	struct doca_rdma_task_send_imm *task, doca_be32_t immediate_data);

/**
 * @brief Get the immediate data of a task.
 *
 * @param[in] task  Task.
 *
 * @return The data; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_send_imm_get_immediate_data(
	const struct doca_rdma_task_send_imm *task);

/**
 * @brief Called when a write task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_write_completion_cb_t)(
	struct doca_rdma_task_write *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable write tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_write_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_write_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a write task.
 *
 * When it completes the data are in the peer's memory. The data length of @p
 * dst_buf grows by what was written.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] src_buf          Buffer, or list of buffers, whose data are
 *                             written; NULL for none.
 * @param[in] dst_buf          Buffer of the peer's memory. It is written
 *                             behind its data, and must have room. NULL if
 *                             there is no data.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_write **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_rdma_task_write_as_task(struct doca_rdma_task_write *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as doca_rdma_task_write_allocate_init()
 * refuses it, nothing is set, and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_rdma_connection(
	struct doca_rdma_task_write *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *doca_rdma_task_write_get_rdma_connection(
	const struct doca_rdma_task_write *task);

/**
 * @brief Set the local buffer of a write task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] src_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_src_buf(struct doca_rdma_task_write *task,
				      const struct doca_buf *src_buf);

/**
 * @brief Get the local buffer of a write task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_write_get_src_buf(const struct doca_rdma_task_write *task);

/**
 * @brief Set the peer's buffer of a write task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_dst_buf(struct doca_rdma_task_write *task,
				      struct doca_buf *dst_buf);

/**
 * @brief Get the peer's buffer of a write task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_write_get_dst_buf(const struct doca_rdma_task_write *task);

/**
 * @brief Called when a write_imm task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_write_imm_completion_cb_t)(
	struct doca_rdma_task_write_imm *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable write_imm tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_write_imm_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_write_imm_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a write_imm task.
 *
 * When it completes the data are in the peer's memory. The data length of @p
 * dst_buf grows by what was written. A receive task of the peer then
 * completes, with the immediate data.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] src_buf          Buffer, or list of buffers, whose data are
 *                             written; NULL for none.
 * @param[in] dst_buf          Buffer of the peer's memory. It is written
 *                             behind its data, and must have room. NULL if
 *                             there is no data.
 * @param[in] immediate_data   Four bytes, which the peer gets as they are.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	doca_be32_t immediate_data, union doca_data user_data,
	struct doca_rdma_task_write_imm **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *
doca_rdma_task_write_imm_as_task(struct doca_rdma_task_write_imm *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as doca_rdma_task_write_imm_allocate_init()
 * refuses it, nothing is set, and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_rdma_connection(
	struct doca_rdma_task_write_imm *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *doca_rdma_task_write_imm_get_rdma_connection(
	const struct doca_rdma_task_write_imm *task);

/**
 * @brief Set the local buffer of a write_imm task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] src_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_src_buf(struct doca_rdma_task_write_imm *task,
					  const struct doca_buf *src_buf);

/**
 * @brief Get the local buffer of a write_imm task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_write_imm_get_src_buf(
	const struct doca_rdma_task_write_imm *task);

/**
 * @brief Set the peer's buffer of a write_imm task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_dst_buf(struct doca_rdma_task_write_imm *task,
					  struct doca_buf *dst_buf);

/**
 * @brief Get the peer's buffer of a write_imm task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_write_imm_get_dst_buf(
	const struct doca_rdma_task_write_imm *task);

/**
 * @brief Set the immediate data of a task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task            Task.
 * @param[in] immediate_data  Four bytes, which the peer gets as they are.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_immediate_data(
	struct doca_rdma_task_write_imm *task, doca_be32_t immediate_data);

/**
 * @brief Get the immediate data of a task.
 *
 * @param[in] task  Task.
 *
 * @return The data; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_write_imm_get_immediate_data(
	const struct doca_rdma_task_write_imm *task);

/**
 * @brief Called when a read task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_read_completion_cb_t)(
	struct doca_rdma_task_read *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Enable read tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_read_completion_cb_t successful_task_completion_cb,
	doca_rdma_task_read_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a read task.
 *
 * The data are appended to those of @p dst_buf, or of the buffers of a list in
 * turn, and their data lengths grow.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] src_buf          Buffer of the peer's memory, whose data are
 *                             read.
 * @param[in] dst_buf          Local buffer, or list of buffers, with room for
 *                             them.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_buf *src_buf, struct doca_buf *dst_buf,
	union doca_data user_data, struct doca_rdma_task_read **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_read_as_task(struct doca_rdma_task_read *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as doca_rdma_task_read_allocate_init()
 * refuses it, nothing is set, and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_rdma_connection(
	struct doca_rdma_task_read *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_read_get_rdma_connection(const struct doca_rdma_task_read *task);

/**
 * @brief Set the peer's buffer of a read task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] src_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_src_buf(struct doca_rdma_task_read *task,
				     const struct doca_buf *src_buf);

/**
 * @brief Get the peer's buffer of a read task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_read_get_src_buf(const struct doca_rdma_task_read *task);

/**
 * @brief Set the local buffer of a read task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer or list; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_dst_buf(struct doca_rdma_task_read *task,
				     struct doca_buf *dst_buf);

/**
 * @brief Get the local buffer of a read task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *
doca_rdma_task_read_get_dst_buf(const struct doca_rdma_task_read *task);

/**
 * @brief Get the number of bytes read, in the callback.
 *
 * @param[in] task  Task.
 *
 * @return Bytes; 0 if the task has failed, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t
doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task);

/**
 * @brief Called when a compare and swap task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_atomic_cmp_swp_completion_cb_t)(
	struct doca_rdma_task_atomic_cmp_swp *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Enable compare and swap tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no atomic operations.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_atomic_cmp_swp_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_atomic_cmp_swp_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a compare and swap task.
 *
 * The eight bytes are a number in the byte order of the peer's device, in
 * general that of its CPU. The operation is atomic with others of the same
 * device, and in general not with those of the peer's CPU.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] dst_buf          Buffer of the peer's memory: the first eight
 *                             bytes of its data or, if it has none, of its
 *                             room. Their address must be a multiple of 8.
 * @param[in] result_buf       Local buffer with room for eight bytes, to whose
 *                             data the value that was there before is
 *                             appended.
 * @param[in] cmp_data         Number to compare with.
 * @param[in] swap_data        Number that is written if the two are equal.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf,
	uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
	struct doca_rdma_task_atomic_cmp_swp **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_atomic_cmp_swp_as_task(
	struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as
 * doca_rdma_task_atomic_cmp_swp_allocate_init() refuses it, nothing is set,
 * and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_rdma_connection(
	struct doca_rdma_task_atomic_cmp_swp *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_atomic_cmp_swp_get_rdma_connection(
	const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Set the peer's buffer of a compare and swap task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_dst_buf(
	struct doca_rdma_task_atomic_cmp_swp *task, struct doca_buf *dst_buf);

/**
 * @brief Get the peer's buffer of a compare and swap task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_cmp_swp_get_dst_buf(
	const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Set the local buffer of a compare and swap task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task        Task.
 * @param[in] result_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_result_buf(
	struct doca_rdma_task_atomic_cmp_swp *task,
	struct doca_buf *result_buf);

/**
 * @brief Get the local buffer of a compare and swap task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_cmp_swp_get_result_buf(
	const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Set the number to compare with.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task      Task.
 * @param[in] cmp_data  The number.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_cmp_data(
	struct doca_rdma_task_atomic_cmp_swp *task, uint64_t cmp_data);

/**
 * @brief Get the number to compare with.
 *
 * @param[in] task  Task.
 *
 * @return The number; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_cmp_swp_get_cmp_data(
	const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Set the number to be written.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task       Task.
 * @param[in] swap_data  The number.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_swap_data(
	struct doca_rdma_task_atomic_cmp_swp *task, uint64_t swap_data);

/**
 * @brief Get the number to be written.
 *
 * @param[in] task  Task.
 *
 * @return The number; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_cmp_swp_get_swap_data(
	const struct doca_rdma_task_atomic_cmp_swp *task);

/**
 * @brief Called when a fetch and add task completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_atomic_fetch_add_completion_cb_t)(
	struct doca_rdma_task_atomic_fetch_add *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Enable fetch and add tasks.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks. Those of all
 *                                           kinds together may be as many as
 *                                           the device has completions for,
 *                                           which the start checks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no atomic operations.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_atomic_fetch_add_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_atomic_fetch_add_completion_cb_t error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a fetch and add task.
 *
 * The eight bytes are a number in the byte order of the peer's device, in
 * general that of its CPU. The operation is atomic with others of the same
 * device, and in general not with those of the peer's CPU.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection. It need not be connected yet; when
 *                             the task is submitted it must be.
 * @param[in] dst_buf          Buffer of the peer's memory: the first eight
 *                             bytes of its data or, if it has none, of its
 *                             room. Their address must be a multiple of 8.
 * @param[in] result_buf       Local buffer with room for eight bytes, to whose
 *                             data the value that was there before is
 *                             appended.
 * @param[in] add_data         Number to add, modulo 2^64.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context or was disconnected.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_buf *dst_buf, struct doca_buf *result_buf,
	uint64_t add_data, union doca_data user_data,
	struct doca_rdma_task_atomic_fetch_add **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_atomic_fetch_add_as_task(
	struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Set the connection of a task.
 *
 * In flight, or with a connection as
 * doca_rdma_task_atomic_fetch_add_allocate_init() refuses it, nothing is set,
 * and the log says why.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of its context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_rdma_connection(
	struct doca_rdma_task_atomic_fetch_add *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of a task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_atomic_fetch_add_get_rdma_connection(
	const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Set the peer's buffer of a fetch and add task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task     Task.
 * @param[in] dst_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_dst_buf(
	struct doca_rdma_task_atomic_fetch_add *task, struct doca_buf *dst_buf);

/**
 * @brief Get the peer's buffer of a fetch and add task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_fetch_add_get_dst_buf(
	const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Set the local buffer of a fetch and add task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task        Task.
 * @param[in] result_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_result_buf(
	struct doca_rdma_task_atomic_fetch_add *task,
	struct doca_buf *result_buf);

/**
 * @brief Get the local buffer of a fetch and add task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if there is none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_fetch_add_get_result_buf(
	const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Set the number to add.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task      Task.
 * @param[in] add_data  The number.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_add_data(
	struct doca_rdma_task_atomic_fetch_add *task, uint64_t add_data);

/**
 * @brief Get the number to add.
 *
 * @param[in] task  Task.
 *
 * @return The number; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_fetch_add_get_add_data(
	const struct doca_rdma_task_atomic_fetch_add *task);

/**
 * @brief Check whether a device has receive tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_receive_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has send tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_send_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has send_imm tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_send_imm_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has read tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_read_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has write tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_write_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has write_imm tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_task_write_imm_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has compare and swap tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections or no atomic operations.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_cmp_swp_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has fetch and add tasks.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections or no atomic operations.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_fetch_add_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device has a kind of transport.
 *
 * @param[in] devinfo         Device.
 * @param[in] transport_type  Kind.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL, or the kind unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is not DOCA_RDMA_TRANSPORT_TYPE_RC, or
 *         the device has none.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_transport_type_is_supported(
	const struct doca_devinfo *devinfo,
	enum doca_rdma_transport_type transport_type);

/**
 * @brief Get the maximum of doca_rdma_set_send_queue_size().
 *
 * @param[in] devinfo               Device.
 * @param[out] max_send_queue_size  Tasks. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_get_max_send_queue_size(const struct doca_devinfo *devinfo,
				      uint32_t *max_send_queue_size);

/**
 * @brief Get the maximum of doca_rdma_set_recv_queue_size(), and of receive
 * tasks.
 *
 * @param[in] devinfo               Device.
 * @param[out] max_recv_queue_size  Tasks. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
				      uint32_t *max_recv_queue_size);

/**
 * @brief Get the maximum number of buffers of local lists, except of receive
 * tasks.
 *
 * Lists of read tasks may be shorter; see doca_rdma_set_max_send_buf_list_len().
 *
 * @param[in] devinfo                 Device.
 * @param[out] max_send_buf_list_len  Buffers. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_get_max_send_buf_list_len(const struct doca_devinfo *devinfo,
					uint32_t *max_send_buf_list_len);

/**
 * @brief Get the maximum that one task moves.
 *
 * @param[in] devinfo            Device.
 * @param[out] max_message_size  Bytes. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_get_max_message_size(const struct doca_devinfo *devinfo,
				   uint32_t *max_message_size);

/**
 * @brief Get the maximum number of buffers of lists of receive tasks.
 *
 * @param[in] devinfo            Device.
 * @param[in] transport_type     Kind of transport.
 * @param[out] max_buf_list_len  Buffers; 0 for a kind that is not supported.
 *                               Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the kind unknown.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
	const struct doca_devinfo *devinfo,
	enum doca_rdma_transport_type transport_type,
	uint32_t *max_buf_list_len);

/**
 * @brief Get the size of the table of GIDs of a device's port.
 *
 * @param[in] devinfo          Device.
 * @param[out] gid_table_size  Entries, of which some may be empty. Set on
 *                             success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo,
				 uint32_t *gid_table_size);

/**
 * @brief Get entries of the table of GIDs of a device's port.
 *
 * @param[in] devinfo      Device.
 * @param[in] start_index  Number of the first entry.
 * @param[in] num_entries  Number of entries.
 * @param[out] gid_array   The entries; those that are empty are 0. Set on
 *                         success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, @p num_entries 0, or
 *         the table has no such entries.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is no RDMA device, or has no
 *         reliable connections.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
				   uint32_t start_index, uint32_t num_entries,
				   struct doca_rdma_gid *gid_array);

/**
 * @brief Get the handle of a context for a DPA. Not supported: there is none.
 *
 * @param[in] rdma       Context.
 * @param[out] dpa_rdma  Never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma,
				      doca_dpa_dev_rdma_t *dpa_rdma);

/**
 * @brief Get the handle of a context for a GPU. Not supported: there is none.
 *
 * @param[in] rdma       Context.
 * @param[out] gpu_rdma  Never set.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma,
				      struct doca_gpu_dev_rdma **gpu_rdma);

/**
 * @brief Let a DPA see the completions of a context. Not supported: there is
 * none.
 *
 * @param[in] rdma      Context.
 * @param[in] dpa_comp  Completions of a DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Otherwise.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
				struct doca_dpa_completion *dpa_comp);

/**
 * @brief Called when a task that reads a sync event completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_remote_net_sync_event_get_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Enable tasks that reads a sync event of the peer.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_get_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_get_completion_cb_t
		error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a task that reads a sync event of the peer.
 *
 * The value is appended to the data of the buffer, or of those of a list in
 * turn, as eight bytes of the peer's order.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection with the peer that has exported the
 *                             event.
 * @param[in] event            The event; NULL if it is set later. It is not
 *                             destroyed while the task is in flight.
 * @param[in] dst_buf          Buffer, or list of buffers, with room for eight
 *                             bytes. It may be set later.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context, or closed.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	const struct doca_sync_event_remote_net *event,
	struct doca_buf *dst_buf, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_get **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_get_as_task(
	struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Set the connection of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of the task's context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of the task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Set the event of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task   Task.
 * @param[in] event  Event; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	const struct doca_sync_event_remote_net *event);

/**
 * @brief Get the event of the task.
 *
 * @param[in] task  Task.
 *
 * @return The event; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_get_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Set the buffer of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task  Task.
 * @param[in] dst_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_dst_buf(
	struct doca_rdma_task_remote_net_sync_event_get *task,
	struct doca_buf *dst_buf);

/**
 * @brief Get the buffer of the task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_get_get_dst_buf(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Get the number of bytes that a task has read.
 *
 * @param[in] task  Task that has succeeded.
 *
 * @return 8; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint32_t doca_rdma_task_remote_net_sync_event_get_get_result_len(
	const struct doca_rdma_task_remote_net_sync_event_get *task);

/**
 * @brief Check whether a device has tasks that read a sync event of a peer.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_get_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Called when a task that sets a sync event completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Enable tasks that sets a sync event of the peer.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t
		error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a task that sets a sync event of the peer.
 *
 * The value is the data of the buffer or of a list, exactly eight bytes of the
 * peer's order. What tasks of the connection have written before is in the
 * peer's memory by then.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection with the peer that has exported the
 *                             event.
 * @param[in] event            The event; NULL if it is set later. It is not
 *                             destroyed while the task is in flight.
 * @param[in] src_buf          Buffer, or list of buffers, with the value. It
 *                             may be set later.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context, or closed.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event,
	const struct doca_buf *src_buf, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_notify_set **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_set_as_task(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Set the connection of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of the task's context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of the task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Set the event of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task   Task.
 * @param[in] event  Event; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	struct doca_sync_event_remote_net *event);

/**
 * @brief Get the event of the task.
 *
 * @param[in] task  Task.
 *
 * @return The event; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Set the buffer of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task  Task.
 * @param[in] src_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(
	struct doca_rdma_task_remote_net_sync_event_notify_set *task,
	const struct doca_buf *src_buf);

/**
 * @brief Get the buffer of the task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_buf *
doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(
	const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

/**
 * @brief Check whether a device has tasks that set a sync event of a peer.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(
	const struct doca_devinfo *devinfo);

/**
 * @brief Called when a task that adds to a sync event completes.
 *
 * @param[in] task            Task, which may be submitted again or freed.
 * @param[in] task_user_data  Value that the task was given.
 * @param[in] ctx_user_data   Value of the context, doca_ctx_set_user_data().
 *
 * @since DOCA 3.0
 */
typedef void (*doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	union doca_data task_user_data, union doca_data ctx_user_data);

/**
 * @brief Enable tasks that adds to a sync event of the peer.
 *
 * @param[in] rdma                           Context.
 * @param[in] successful_task_completion_cb  Called for tasks that succeed.
 * @param[in] error_task_completion_cb       Called for those that fail.
 * @param[in] num_tasks                      Number of tasks.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  A pointer is NULL, or the number is 0 or
 *         more than one context may have.
 * @retval DOCA_ERROR_BAD_STATE      The context is started.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device has no atomic operations.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
	struct doca_rdma *rdma,
	doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t
		successful_task_completion_cb,
	doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t
		error_task_completion_cb,
	uint32_t num_tasks);

/**
 * @brief Allocate a task that adds to a sync event of the peer.
 *
 * The task appends the event's value before the addition to the data of the
 * buffer, as eight bytes. The addition is atomic among those of all peers, but
 * not with those of the peer's CPUs.
 *
 * @param[in] rdma             Context.
 * @param[in] rdma_connection  Connection with the peer that has exported the
 *                             event.
 * @param[in] event            The event; NULL if it is set later. It is not
 *                             destroyed while the task is in flight.
 * @param[in] result_buf       Buffer with room for eight bytes; only the first
 *                             of a list counts. It may be set later.
 * @param[in] add_data         What is added.
 * @param[in] user_data        Value for the callback.
 * @param[out] task            The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p rdma, @p rdma_connection or @p task is
 *         NULL, or the connection is of another context, or closed.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks of this kind are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
	struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
	struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
	uint64_t add_data, union doca_data user_data,
	struct doca_rdma_task_remote_net_sync_event_notify_add **task);

/**
 * @brief The task as which it is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same task; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_add_as_task(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Set the connection of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task             Task.
 * @param[in] rdma_connection  Connection of the task's context.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	struct doca_rdma_connection *rdma_connection);

/**
 * @brief Get the connection of the task.
 *
 * @param[in] task  Task.
 *
 * @return The connection; NULL if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Set the event of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task   Task.
 * @param[in] event  Event; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	struct doca_sync_event_remote_net *event);

/**
 * @brief Get the event of the task.
 *
 * @param[in] task  Task.
 *
 * @return The event; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Set the buffer of the task.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task  Task.
 * @param[in] result_buf  Buffer; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	struct doca_buf *result_buf);

/**
 * @brief Get the buffer of the task.
 *
 * @param[in] task  Task.
 *
 * @return The buffer; NULL if it has none, or @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Set what the task adds.
 *
 * In flight nothing is set, and the log says so.
 *
 * @param[in] task      Task.
 * @param[in] add_data  Number.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(
	struct doca_rdma_task_remote_net_sync_event_notify_add *task,
	uint64_t add_data);

/**
 * @brief Get what the task adds.
 *
 * @param[in] task  Task.
 *
 * @return The number; 0 if @p task is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(
	const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/**
 * @brief Check whether a device has tasks that add to a sync event of a peer.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It has not.
 * @retval DOCA_ERROR_DRIVER         The device could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(
	const struct doca_devinfo *devinfo);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_H */
