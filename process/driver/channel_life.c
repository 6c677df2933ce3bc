// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * How connections of the communication channel begin and end. The service thread reads the socket,
 * and closes it. Any thread sends, with the lock of the connection held.
 */
#include "shim/kernel.h"

#include "channel_inner.h"
#include "message.h"
#include "wire.h"

#define HELLO_NS (WIRE_SLOW * 2 * NSEC_PER_SEC)
/* Packets before another connection's turn. */
#define MAX_PACKETS 16

static void greeting_ends(struct channel *channel)
{
	if (channel->function)
		doca_function_put(channel->function);
	channel->function = NULL;
	channel->deadline = 0;
}

/* It is closed: others use no more of it than its memory, until that is freed. */
static void channel_end(struct channel *channel)
{
	peers_unwatch(&channel->watch);
	peers_close(channel->place);
	channel_drop_fillers(channel);
	spin_lock(&channel->conn->lock);
	channel_drop_waiting(channel);
	channel_drop_notes(channel);
	spin_unlock(&channel->conn->lock);
	channel_remove(channel);
	greeting_ends(channel);
	doca_conn_put(channel->conn);
}

/* Nothing is sent any more. Call it with the lock of the connection held, which is not closed. */
static void lose(struct channel *channel)
{
	struct doca_conn_end *here = channel->here;

	channel->far.lost = true;
	if (!channel->greeted && !channel->accepted) {
		doca_conn_refuse(channel->conn, DOCA_STATUS_NOT_CONNECTED);
		channel_shut(channel);
		return;
	}
	if (!here->endpoint)
		return;
	channel_dry(channel);
	doca_conn_drop_parked(here);
	if (READ_ONCE(here->endpoint->inbox.broken))
		channel_drop_waiting(channel);
}

/* The other side has gone. Messages that it has sent before are still delivered. */
static void channel_lose(struct channel *channel)
{
	struct doca_conn *conn = channel->conn;
	bool over;

	/* It would be reported for ever. */
	peers_unwatch(&channel->watch);
	spin_lock(&conn->lock);
	if (!conn->closed)
		lose(channel);
	over = list_empty(&channel->waiting);
	spin_unlock(&conn->lock);
	if (over)
		doca_conn_close(conn, NULL);
}

static bool is_hello(const struct channel_hello *hello, size_t size)
{
	return size == sizeof(*hello) && hello->magic == CHANNEL_MAGIC &&
	       hello->version == CHANNEL_VERSION && hello->max_message;
}

static int say_hello(int fd, u32 status, u32 max_message)
{
	const struct channel_hello hello = {
		.magic = CHANNEL_MAGIC,
		.version = CHANNEL_VERSION,
		.status = status,
		.max_message = max_message,
	};

	return channel_wire_send(fd, &hello, sizeof(hello), NULL, 0);
}

/* Tell the client before the server, which may end the connection at once. */
void channel_accepted(struct doca_far *far)
{
	struct channel *channel = channel_of(far);

	say_hello(channel->watch.fd, DOCA_STATUS_SUCCESS,
		  channel->conn->max_message);
	channel->credits = CHANNEL_WINDOW;
}

static bool is_for(const struct channel_hello *hello,
		   const struct channel *channel)
{
	return !strncmp(hello->pair, channel->function->name,
			sizeof(hello->pair)) &&
	       !strncmp(hello->name, channel->name, sizeof(hello->name));
}

/* A client has said HELLO. */
static int greet_client(struct channel *channel,
			const struct channel_hello *hello, size_t size)
{
	u32 status = DOCA_STATUS_NOT_CONNECTED;

	if (!is_hello(hello, size))
		return -EPROTO;
	if (is_for(hello, channel))
		status = doca_listen_accept(channel->function, channel->name,
					    (kuid_t){ channel->uid },
					    hello->max_message, channel->conn);
	greeting_ends(channel);
	channel->greeted = true;
	if (!status)
		return 0;
	say_hello(channel->watch.fd, status, DOCA_MAX_MESSAGE);
	return -ECONNREFUSED;
}

static u32 refusal_of(u32 status)
{
	switch (status) {
	case DOCA_STATUS_SUCCESS:
	case DOCA_STATUS_BAD_ACCESS:
	case DOCA_STATUS_NO_SPACE:
		return status;
	default:
		return DOCA_STATUS_NOT_CONNECTED;
	}
}

/* A server has answered. */
static int greet_server(struct channel *channel,
			const struct channel_hello *hello, size_t size)
{
	struct doca_conn *conn = channel->conn;

	if (!is_hello(hello, size))
		return -EPROTO;
	channel->greeted = true;
	spin_lock(&conn->lock);
	if (!conn->closed) {
		channel->credits = CHANNEL_WINDOW;
		doca_listen_answered(conn, refusal_of(hello->status),
				     hello->max_message);
	}
	if (conn->closed)
		channel_shut(channel);
	spin_unlock(&conn->lock);
	return 0;
}

static int channel_receive(struct channel *channel, const void *packet,
			   size_t size)
{
	const struct channel_frame *frame = packet;

	if (!channel->greeted)
		return channel->accepted ? greet_client(channel, packet, size) :
					   greet_server(channel, packet, size);
	if (size < sizeof(*frame))
		return -EPROTO;
	return channel_take(channel, frame, frame + 1, size - sizeof(*frame));
}

/* The socket may have room again. */
static void channel_make_use(struct channel *channel)
{
	channel->full = false;
	peers_watch_room(&channel->watch, false);
	channel_flush(channel);
	doca_message_deliver_all(channel->here);
	channel_water(channel);
}

/* Give back the credits of what has come, for all of it at once. */
static void channel_go_on(struct channel *channel)
{
	struct doca_conn *conn = channel->conn;

	spin_lock(&conn->lock);
	if (!conn->closed && channel->here->endpoint) {
		if (channel->full)
			channel_make_use(channel);
		else
			channel_flush(channel);
	}
	spin_unlock(&conn->lock);
}

static void channel_ready(struct peers_watch *watch)
{
	static u64 packet[(sizeof(struct channel_frame) + CHANNEL_CHUNK) / 8];
	struct channel *channel = container_of(watch, struct channel, watch);
	int i, rc = 0;

	for (i = 0; i < MAX_PACKETS && rc >= 0; i++) {
		rc = channel_wire_recv(watch->fd, packet, sizeof(packet));
		if (rc > 0)
			rc = channel_receive(channel, packet, rc);
	}
	if (rc < 0 && rc != -EAGAIN)
		channel_lose(channel);
	else
		channel_go_on(channel);
}

static bool accept_channel(int fd, int place, uid_t uid,
			   struct doca_function *function, const char *name)
{
	struct doca_conn *conn = doca_conn_create();
	struct channel *channel;

	if (!conn)
		return false;
	channel = channel_new(conn, DOCA_CONN_SERVER,
			      (struct peers_watch){ fd, channel_ready }, place);
	if (channel) {
		conn->ends[DOCA_CONN_CLIENT].far = &channel->far;
		channel->accepted = true;
		channel->uid = uid;
		kref_get(&function->ref);
		channel->function = function;
		strscpy(channel->name, name, sizeof(channel->name));
		channel->deadline = local_clock() + HELLO_NS;
		channel_add(channel);
		if (peers_watch(&channel->watch))
			doca_conn_close(conn, NULL);
	}
	doca_conn_put(conn);
	return channel;
}

void channel_accept(int fd, int place, struct doca_function *function,
		    const char *name)
{
	uid_t uid;

	if (!wire_peer_uid(fd, &uid) && channels_have_room(uid) &&
	    accept_channel(fd, place, uid, function, name))
		return;
	say_hello(fd, DOCA_STATUS_NO_SPACE, DOCA_MAX_MESSAGE);
	peers_close(place);
}

/* The service thread may serve it as soon as the lock is let go. */
static bool begin(struct channel *channel)
{
	struct doca_conn *conn = channel->conn;
	bool begun;

	spin_lock(&conn->lock);
	begun = !conn->closed && !peers_watch(&channel->watch);
	if (begun) {
		channel_add(channel);
		conn->ends[DOCA_CONN_SERVER].far = &channel->far;
	}
	spin_unlock(&conn->lock);
	return begun;
}

u32 channel_begin(int fd, int place, struct doca_conn *conn)
{
	struct channel *channel;

	channel = channel_new(conn, DOCA_CONN_CLIENT,
			      (struct peers_watch){ fd, channel_ready }, place);
	if (!channel)
		return DOCA_STATUS_NO_SPACE;
	if (begin(channel))
		return DOCA_STATUS_SUCCESS;
	free(channel);
	doca_conn_put(conn);
	return DOCA_STATUS_NO_SPACE;
}

int channels_patience(void)
{
	struct channel *late;
	bool any;

	while ((late = channel_next_late(&any))) {
		late->deadline = 0;
		channel_lose(late);
	}
	return any ? 100 : -1;
}

static void channel_settle(struct channel *channel)
{
	struct doca_conn *conn = channel->conn;
	bool closed, over;

	spin_lock(&conn->lock);
	closed = channel->closed;
	/* All that waited is there: tell the other side, or close the connection after it. */
	over = channel->far.lost && list_empty(&channel->waiting);
	channel_flush(channel);
	spin_unlock(&conn->lock);
	if (closed)
		channel_end(channel);
	else if (over)
		doca_conn_close(conn, NULL);
	else
		channel_refill(channel);
}

void channels_run(void)
{
	struct channel *channel;

	while ((channel = channel_next_due()))
		channel_settle(channel);
}

void channels_end(void)
{
	struct channel *channel;

	while ((channel = channels_first())) {
		channel_lose(channel);
		channels_run();
	}
}
