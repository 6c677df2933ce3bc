/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_comch.h
 * @brief The communication channel of a host and its DPU: servers, clients and
 * messages.
 *
 * A pair (docactl(8)) joins two devices: one is the DPU's side, where servers
 * are, the other the host's, where clients are. A server has a name on one
 * representor of its device (doca_dev.h), which stands for the host's side. A
 * client finds it by that name. A client has one connection, a server has one
 * for each client, and both send messages through them. Consumers and producers
 * of a connection (doca_comch_consumer.h, doca_comch_producer.h) move larger
 * data.
 *
 * Servers and clients are contexts (see doca_ctx.h). A server is running when
 * doca_ctx_start() returns DOCA_SUCCESS. For a client that returns
 * DOCA_ERROR_IN_PROGRESS; the client is running when it is connected. If there
 * is no server, it waits for one for DOCA_COMCH_CONNECT_MS milliseconds, a
 * variable of the environment; 3000 without it. Then it stops and becomes idle.
 * Besides the errors in doca_ctx.h, doca_ctx_start() returns IN_USE if the
 * representor has a server of this name, and INITIALIZATION if the pair is
 * gone. Both need their tasks, and all events but those of consumers.
 *
 * Messages of a connection arrive in order, each whole, once. A send task is
 * done when its message is in the other side's receive queue; while that is
 * full, messages of this connection wait, and no others. Up to 16 messages of a
 * server's connection, or 256 of a client's, go out even if the sender does
 * nothing more; the others follow when the sender makes progress.
 *
 * A connection ends when either side closes it, stops or dies. The other side
 * first receives all that was sent. Then a client's context stops by itself. A
 * server that stops, or doca_comch_server_disconnect(), first delivers those of
 * the messages just named for which the other side has room; the rest fails.
 *
 * Thread safety: like all contexts, servers and clients belong, with their
 * progress engine, tasks and connections, to one thread at a time. Other
 * threads may create and use producers and consumers of a connection, one
 * thread at a time each.
 */
#ifndef DOCA_COMCH_H
#define DOCA_COMCH_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_comch_client;
struct doca_comch_connection;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;
struct doca_comch_event_msg_recv;
struct doca_comch_server;
struct doca_comch_task_send;
struct doca_ctx;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_task;
/** @brief Counters of a connection. @since DOCA 3.0 */
enum doca_comch_counter {
	/** messages that were sent, and have reached the other side's queue */
	DOCA_COMCH_COUNTER_SENT_MESSAGES = 1,
	DOCA_COMCH_COUNTER_SENT_BYTES = 2, /**< their bytes */
	/** messages that the program was told of */
	DOCA_COMCH_COUNTER_RECV_MESSAGES = 3,
	DOCA_COMCH_COUNTER_RECV_BYTES = 4, /**< their bytes */
};

/**
 * @brief Called when a server has a new connection, or has lost one.
 *
 * It is called by doca_pe_progress(): for a new connection before any message
 * of it; for a lost one once, after all of its messages, when its tasks have
 * ended. Connections that the program has closed itself, with
 * doca_comch_server_disconnect(), are not reported; those that doca_ctx_stop()
 * closes are.
 *
 * @param[in] event              Event; good for nothing else.
 * @param[in] comch_connection   Connection. When it was lost it is valid until
 *                               this function has returned, and longer while
 *                               there are consumers or producers of it.
 * @param[in] change_successful  1.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
	struct doca_comch_event_connection_status_changed *event,
	struct doca_comch_connection *comch_connection,
	uint8_t change_successful);

/**
 * @brief Called when the other side of a connection has a new consumer, or has
 * lost one.
 *
 * It is called by doca_pe_progress(). The end of a connection ends all
 * consumers without further calls.
 *
 * @param[in] event             Event; good for nothing else.
 * @param[in] comch_connection  Connection.
 * @param[in] id                Id of the consumer, for
 *                              doca_comch_producer_task_send_alloc_init(); from
 *                              1, and not used again in the connection.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_event_consumer_cb_t)(
	struct doca_comch_event_consumer *event,
	struct doca_comch_connection *comch_connection, uint32_t id);

/**
 * @brief Called when a message has come.
 *
 * It is called by doca_pe_progress(), also while a context is stopping. The
 * room of the message is free again before the call.
 *
 * @param[in] event             Event; good for nothing else.
 * @param[in] recv_buffer       The message, and one byte more behind it. The
 *                              program may write to both until this function
 *                              has returned.
 * @param[in] msg_len           Bytes of the message.
 * @param[in] comch_connection  Connection that it came through.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_event_msg_recv_cb_t)(
	struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
	uint32_t msg_len, struct doca_comch_connection *comch_connection);

/**
 * @brief Called when a send task is done, or has failed.
 *
 * It is done when the message is in the receive queue of the other side.
 * doca_task_get_status() says why a task has failed: DOCA_ERROR_NOT_CONNECTED
 * if its connection was closed, whereupon the context runs on, or
 * DOCA_ERROR_SHUTDOWN if the context is stopping.
 *
 * @param[in] task            Task; the program's own again, to be submitted
 *                            again or freed.
 * @param[in] task_user_data  Value of the task.
 * @param[in] ctx_user_data   Value of the context.
 * @since DOCA 3.0
 */
typedef void (*doca_comch_task_send_completion_cb_t)(
	struct doca_comch_task_send *task, union doca_data task_user_data,
	union doca_data ctx_user_data);

/**
 * @brief Check whether a device can have servers.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It is the DPU's side of a pair.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Check whether a device can have clients.
 *
 * @param[in] devinfo  Device.
 *
 * @retval DOCA_SUCCESS              It is the host's side of a pair.
 * @retval DOCA_ERROR_INVALID_VALUE  @p devinfo is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  It is not.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);

/**
 * @brief Get the maximum length of a server's name.
 *
 * @param[in] devinfo        Device.
 * @param[out] max_name_len  Bytes, with the zero that ends it: 120. Set on
 *                           success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
					     uint32_t *max_name_len);

/**
 * @brief Get the maximum length of a message.
 *
 * @param[in] devinfo  Device.
 * @param[out] size    Bytes: 4080. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
					     uint32_t *size);

/**
 * @brief Get the maximum capacity of a receive queue in messages.
 *
 * @param[in] devinfo  Device.
 * @param[out] size    Messages: 8192. Set on success only.
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
doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
				       uint32_t *size);

/**
 * @brief Get the maximum number of send tasks of a context.
 *
 * @param[in] devinfo          Device.
 * @param[out] max_send_tasks  Tasks: 8192. Set on success only.
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
doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
				  uint32_t *max_send_tasks);

/**
 * @brief Get the maximum number of clients that a server has at a time.
 *
 * @param[in] devinfo       Device.
 * @param[out] num_clients  Clients: 512. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is in no pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
					    uint32_t *num_clients);

/**
 * @brief Create a server.
 *
 * @param[in] dev            Device, the DPU's side of a pair; the context keeps
 *                           it open.
 * @param[in] repr           Representor of the host's side, one of those that
 *                           the device has. It may be closed afterwards.
 * @param[in] name           Its name: 1 to 119 bytes of any value, and a zero.
 *                           No other server of the representor may have it
 *                           while this one is started.
 * @param[out] comch_server  The server. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, the name is empty or
 *                                   too long, or the representor is none of a
 *                                   pair of the device.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is not the DPU's side of a pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_create(struct doca_dev *dev,
				      struct doca_dev_rep *repr,
				      const char *name,
				      struct doca_comch_server **comch_server);

/**
 * @brief Destroy a server. It is disconnected from its progress engine.
 *
 * @param[in] comch_server  Server that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_server is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);

/**
 * @brief The context as which a server is started and stopped.
 *
 * @param[in] comch_server  Server.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p comch_server is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_ctx *
doca_comch_server_as_ctx(struct doca_comch_server *comch_server);

/**
 * @brief Set the callbacks for new and lost connections. Needed.
 *
 * @param[in] comch_server         Server.
 * @param[in] connect_event_cb     Called for a new connection.
 * @param[in] disconnect_event_cb  Called for one that was lost.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);

/**
 * @brief Set the callback for messages that arrive. Needed.
 *
 * @param[in] comch_server   Server.
 * @param[in] recv_event_cb  Called for each message.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_msg_recv_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set the callbacks for new and lost consumers on the other side of a
 * connection.
 *
 * @param[in] comch_server               Server.
 * @param[in] new_consumer_event_cb      Called for a new consumer.
 * @param[in] expired_consumer_event_cb  Called for one that was lost.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_event_consumer_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/**
 * @brief Set the maximum length of a message; without it 4080 bytes.
 *
 * The lower limit of the two sides of a connection applies.
 *
 * @param[in] comch_server  Server.
 * @param[in] size          Bytes, 1 to doca_comch_cap_get_max_msg_size().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_server is NULL, or @p size out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server,
				   uint32_t size);

/**
 * @brief Set the capacity of the receive queue in messages; without it 64.
 *
 * @param[in] comch_server  Server.
 * @param[in] size          Messages, 1 to
 *                          doca_comch_cap_get_max_recv_queue_size(); of a
 *                          server all of its clients together.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_server is NULL, or @p size out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server,
				      uint32_t size);

/**
 * @brief Get the maximum length of a message.
 *
 * @param[in] comch_server  Server.
 * @param[out] size         Bytes, as set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server,
				   uint32_t *size);

/**
 * @brief Get the capacity of the receive queue in messages.
 *
 * @param[in] comch_server  Server.
 * @param[out] size         Messages, as set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_get_recv_queue_size(
	const struct doca_comch_server *comch_server, uint32_t *size);

/**
 * @brief The device of a server.
 *
 * @param[in] comch_server  Server.
 * @param[out] dev          Device, as created with.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_get_device(const struct doca_comch_server *comch_server,
			     struct doca_dev **dev);

/**
 * @brief The representor of a server.
 *
 * @param[in] comch_server  Server.
 * @param[out] rep          Representor, as created with; not valid if the
 *                          program has closed it.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server,
				 struct doca_dev_rep **rep);

/**
 * @brief The server of a connection.
 *
 * @param[in] connection  Connection.
 *
 * @return Server; NULL if @p connection is NULL, is a client's, or has ended.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_comch_server *doca_comch_server_get_server_ctx(
	const struct doca_comch_connection *connection);

/**
 * @brief Set the number of send tasks and their callbacks. Needed.
 *
 * @param[in] comch_server        Server.
 * @param[in] task_completion_cb  Called for a task that is done.
 * @param[in] task_error_cb       Called for one that has failed.
 * @param[in] num_send_tasks      Tasks, 1 to
 *                                doca_comch_cap_get_max_send_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_set_conf(
	struct doca_comch_server *comch_server,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);

/**
 * @brief Allocate a task that sends a message.
 *
 * @param[in] comch_server  Server.
 * @param[in] peer          Connection to send through.
 * @param[in] msg           Message; read when the task is submitted, and not
 *                          afterwards.
 * @param[in] len           Bytes of it, from 1 to what both sides of the
 *                          connection have set.
 * @param[out] task         The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or out of its range, or
 *                                   the connection is of another context.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NOT_CONNECTED  The connection was closed.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
				       struct doca_comch_connection *peer,
				       const void *msg, uint32_t len,
				       struct doca_comch_task_send **task);

/**
 * @brief Close a connection.
 *
 * It may be called in any callback, also in that of the new connection. Up to
 * 16 messages that were submitted are delivered first, as far as there is room;
 * the rest fails.
 * Messages that have come but were not delivered are dropped, and there is no
 * callback for the end of the connection.
 *
 * @param[in] comch_server  Server.
 * @param[in] connection    Connection of the server; not valid any more
 *                          afterwards, except for its consumers and producers.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the connection is
 *                                   of another server.
 * @retval DOCA_ERROR_NOT_CONNECTED  It was closed already.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_server_disconnect(struct doca_comch_server *comch_server,
			     struct doca_comch_connection *connection);

/**
 * @brief Create a client.
 *
 * @param[in] dev            Device, the host's side of a pair; the context
 *                           keeps it open.
 * @param[in] name           Name of its server: 1 to 119 bytes of any value,
 *                           and a zero.
 * @param[out] comch_client  The client. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the name is empty
 *                                   or too long.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The device is not the host's side of a
 *                                   pair.
 * @retval DOCA_ERROR_DRIVER         The driver could not be asked.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
				      struct doca_comch_client **comch_client);

/**
 * @brief Destroy a client. It is disconnected from its progress engine.
 *
 * @param[in] comch_client  Client that is idle.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_client is NULL.
 * @retval DOCA_ERROR_IN_USE         It is not idle.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);

/**
 * @brief The context as which a client is started and stopped.
 *
 * @param[in] comch_client  Client.
 *
 * @return The same object, for the functions of doca_ctx.h and doca_pe.h; NULL
 * if @p comch_client is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_ctx *
doca_comch_client_as_ctx(struct doca_comch_client *comch_client);

/**
 * @brief Set the callback for messages that arrive. Needed.
 *
 * @param[in] comch_client   Client.
 * @param[in] recv_event_cb  Called for each message.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_event_msg_recv_register(
	struct doca_comch_client *comch_client,
	doca_comch_event_msg_recv_cb_t recv_event_cb);

/**
 * @brief Set the callbacks for new and lost consumers on the server's side of
 * the connection.
 *
 * @param[in] comch_client               Client.
 * @param[in] new_consumer_event_cb      Called for a new consumer.
 * @param[in] expired_consumer_event_cb  Called for one that was lost.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_event_consumer_register(
	struct doca_comch_client *comch_client,
	doca_comch_event_consumer_cb_t new_consumer_event_cb,
	doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/**
 * @brief Set the maximum length of a message; without it 4080 bytes.
 *
 * The lower limit of the two sides of a connection applies.
 *
 * @param[in] comch_client  Client.
 * @param[in] size          Bytes, 1 to doca_comch_cap_get_max_msg_size().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_client is NULL, or @p size out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client,
				   uint32_t size);

/**
 * @brief Set the capacity of the receive queue in messages; without it 64.
 *
 * @param[in] comch_client  Client.
 * @param[in] size          Messages, 1 to
 *                          doca_comch_cap_get_max_recv_queue_size().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_client is NULL, or @p size out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client,
				      uint32_t size);

/**
 * @brief Get the maximum length of a message.
 *
 * @param[in] comch_client  Client.
 * @param[out] size         Bytes, as set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client,
				   uint32_t *size);

/**
 * @brief Get the capacity of the receive queue in messages.
 *
 * @param[in] comch_client  Client.
 * @param[out] size         Messages, as set.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_get_recv_queue_size(
	const struct doca_comch_client *comch_client, uint32_t *size);

/**
 * @brief The device of a client.
 *
 * @param[in] comch_client  Client.
 * @param[out] dev          Device, as created with.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_get_device(const struct doca_comch_client *comch_client,
			     struct doca_dev **dev);

/**
 * @brief The client of a connection.
 *
 * @param[in] connection  Connection.
 *
 * @return Client; NULL if @p connection is NULL, is a server's, or has ended.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_comch_client *doca_comch_client_get_client_ctx(
	const struct doca_comch_connection *connection);

/**
 * @brief The connection of a client.
 *
 * @param[in] comch_client  Client.
 * @param[out] connection   Connection; valid until the client is idle, and
 *                          longer while there are consumers or producers of it.
 *                          Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The client is not connected, or not any
 *                                   more.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
				 struct doca_comch_connection **connection);

/**
 * @brief Set the number of send tasks and their callbacks. Needed.
 *
 * @param[in] comch_client        Client.
 * @param[in] task_completion_cb  Called for a task that is done.
 * @param[in] task_error_cb       Called for one that has failed.
 * @param[in] num_send_tasks      Tasks, 1 to
 *                                doca_comch_cap_get_max_send_tasks().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or the number out of
 *                                   its range.
 * @retval DOCA_ERROR_BAD_STATE      It is started.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_set_conf(
	struct doca_comch_client *comch_client,
	doca_comch_task_send_completion_cb_t task_completion_cb,
	doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);

/**
 * @brief Allocate a task that sends a message.
 *
 * @param[in] comch_client  Client.
 * @param[in] peer          Connection to send through.
 * @param[in] msg           Message; read when the task is submitted, and not
 *                          afterwards.
 * @param[in] len           Bytes of it, from 1 to what both sides of the
 *                          connection have set.
 * @param[out] task         The task. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL or out of its range, or
 *                                   the connection is of another context.
 * @retval DOCA_ERROR_BAD_STATE      The context is not running.
 * @retval DOCA_ERROR_NOT_CONNECTED  The connection was closed.
 * @retval DOCA_ERROR_NO_MEMORY      All tasks are allocated.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
				       struct doca_comch_connection *peer,
				       const void *msg, uint32_t len,
				       struct doca_comch_task_send **task);

/**
 * @brief The task as which a send task is submitted and freed.
 *
 * @param[in] task  Task.
 *
 * @return The same object, for the functions of doca_pe.h; NULL if @p task is
 * NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
struct doca_task *
doca_comch_task_send_as_task(struct doca_comch_task_send *task);

/**
 * @brief Set a value of the program, in any state.
 *
 * @param[in] connection  Connection.
 * @param[in] user_data   Value.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p connection is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t
doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
				    union doca_data user_data);

/**
 * @brief The value of the program.
 *
 * @param[in] connection  Connection.
 *
 * @return Value, as set; 0 if it was not, or @p connection is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
union doca_data doca_comch_connection_get_user_data(
	const struct doca_comch_connection *connection);

/**
 * @brief Take over the counters of a connection, for
 * doca_comch_connection_get_counter().
 *
 * @param[in] comch_connection  Connection.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p comch_connection is NULL.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_connection_update_info(
	struct doca_comch_connection *comch_connection);

/**
 * @brief A counter of a connection.
 *
 * @param[in] comch_connection  Connection.
 * @param[in] counter_type      Which one.
 * @param[out] counter_value    Its value at the last
 *                              doca_comch_connection_update_info(); 0 before
 *                              the first. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL, or there is no such
 *                                   counter.
 *
 * @since DOCA 3.0
 */
DOCA_STABLE
doca_error_t doca_comch_connection_get_counter(
	const struct doca_comch_connection *comch_connection,
	enum doca_comch_counter counter_type, uint64_t *counter_value);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_H */
