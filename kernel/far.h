/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Ends of connections that are elsewhere: in another process whose driver is there. A
 * provider carries what is sent to them, and does here what they do.
 */
#ifndef DOCA_FAR_H
#define DOCA_FAR_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct doca_conn;
struct doca_conn_end;
struct doca_event;
struct doca_far;
struct doca_flight;
struct doca_function;
struct doca_producer;
struct doca_queue;

/**
 * struct doca_far_ops - the provider
 * @listen: others shall find a server: *@server is for @unlisten. -EADDRINUSE, or another
 *	error of DOCA_QUEUE_LISTEN
 * @unlisten: they no longer do; the name is free when this returns
 * @connect: look for a server elsewhere, for a connection whose client's end is joined:
 *	DOCA_STATUS_SUCCESS if doca_listen_answered() will be called, else the reason of
 *	the refusal, with which the connection must not be touched any more
 * @free: the last reference to the connection is put
 *
 * The others are called with the lock of the connection held, and do not wait:
 *
 * @accepted: the server's end was joined by doca_listen_accept(): tell the client's, which
 *	is far
 * @close: the connection is closed; called once
 * @send: take a message to the far end: false if there is no room. Then
 *	doca_message_deliver_all() is called when there is some. When those that were taken
 *	are in the inbox there, doca_message_arrived() is called, in order
 * @deliver: give the first of the messages and events that wait to the end that is here,
 *	by doca_far_put(): false if there is no room for it
 * @announce: tell the far end of a consumer here: -ENOTCONN or -ENOMEM
 * @gone: a consumer that was announced has ended
 * @part: a producer here has ended
 *
 * The next two belong to producers:
 *
 * @produce: like @start of a row, for SEND_TO; the producer's parking has the flight while
 *	it is away. DOCA_STATUS_START starts it again, and any other status is its last
 * @forget: free doca_producer.far
 */
struct doca_far_ops {
	int (*listen)(struct doca_function *function, const char *name,
		      void **server);
	void (*unlisten)(void *server);
	u32 (*connect)(struct doca_function *function, const char *name,
		       u32 max_message, struct doca_conn *conn);
	void (*accepted)(struct doca_far *far);
	void (*free)(struct doca_far *far);
	void (*close)(struct doca_far *far);
	bool (*send)(struct doca_far *far, const void *message, u32 length);
	bool (*deliver)(struct doca_far *far);
	int (*announce)(struct doca_far *far, u32 id, u32 imm_length);
	void (*gone)(struct doca_far *far, u32 id);
	void (*part)(struct doca_producer *producer);
	u32 (*produce)(struct doca_queue *queue, struct doca_producer *producer,
		       struct doca_flight *flight);
	void (*forget)(struct doca_producer *producer);
};

/**
 * struct doca_far - an end that is elsewhere; part of its provider's object
 * @open: that end is joined
 * @lost: that end has gone; what came from it before may still wait for room here
 *
 * Under the lock of the connection.
 */
struct doca_far {
	bool open;
	bool lost;
};

/* Set before the first call; NULL if there is no provider. */
extern const struct doca_far_ops *doca_far_ops;

/*
 * Join the server's end of a connection whose client is elsewhere, and belongs to this user:
 * a &enum doca_status. conn.h has what else a provider calls.
 */
u32 doca_listen_accept(const struct doca_function *function, const char *name,
		       kuid_t uid, u32 max_message, struct doca_conn *conn);
/*
 * Tell the client's end of the answer: DOCA_STATUS_SUCCESS, and the server's maximum, which may
 * be anything from 1 on; or why there will be no connection. Call it with the lock of the
 * connection held, which must not be closed.
 */
void doca_listen_answered(struct doca_conn *conn, u32 status, u32 max_message);

/*
 * Call these with the lock of the connection held. @to is the end that is here.
 *
 * doca_far_put() puts an event, with the message if it has one: false if there is no room; then
 * @deliver is called when there is. doca_far_rest() tells that nothing waits any more.
 */
bool doca_far_put(struct doca_conn_end *to, const struct doca_event *event,
		  const void *message);
void doca_far_rest(struct doca_conn_end *to);

#endif
