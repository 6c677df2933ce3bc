// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Connections of the communication channel to other processes: how they begin and end. The
 * service thread reads the socket, and closes it. Any thread sends, with the lock of the
 * connection held.
 */
#include "shim/kernel.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "channel_inner.h"
#include "conns.h"
#include "message.h"
#include "servers.h"
#include "service.h"
#include "wire.h"

#define HELLO_NS (WIRE_SLOW * 2 * NSEC_PER_SEC)
/* Packets before another connection's turn. */
#define MAX_PACKETS 16

static struct {
	pthread_mutex_t lock; /* protects the lists; a leaf */
	struct list_head all;
	struct list_head due;
} channels = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.all = LIST_HEAD_INIT(channels.all),
	.due = LIST_HEAD_INIT(channels.due),
};

void channel_set_due(struct channel *channel)
{
	pthread_mutex_lock(&channels.lock);
	if (list_empty(&channel->due_node))
		list_add_tail(&channel->due_node, &channels.due);
	pthread_mutex_unlock(&channels.lock);
	peers_poke();
}

static struct channel *next_due(void)
{
	struct channel *channel;

	pthread_mutex_lock(&channels.lock);
	channel = list_first_entry_or_null(&channels.due, struct channel,
					   due_node);
	if (channel)
		list_del_init(&channel->due_node);
	pthread_mutex_unlock(&channels.lock);
	return channel;
}

void channel_shut(struct channel *channel)
{
	if (channel->closed)
		return;
	channel->closed = true;
	shutdown(channel->watch.fd, SHUT_RDWR);
	channel_set_due(channel);
}

static void channel_close(struct doca_far *far)
{
	channel_shut(channel_of(far));
}

/* The last reference to the connection is put. */
static void channel_free(struct doca_far *far)
{
	free(channel_of(far));
}

static void channel_ready(struct peers_watch *watch);

/* Make a channel for a socket, with a reference to the connection; or NULL. */
static struct channel *channel_new(struct doca_conn *conn,
				   enum doca_conn_side here, int fd, int place)
{
	struct channel *channel = calloc(1, sizeof(*channel));

	if (!channel)
		return NULL;
	channel->conn = conn;
	kref_get(&conn->ref);
	channel->here = &conn->ends[here];
	channel->watch = (struct peers_watch){ fd, channel_ready };
	channel->place = place;
	channel->allowed = CHANNEL_WINDOW;
	INIT_LIST_HEAD(&channel->due_node);
	INIT_LIST_HEAD(&channel->fillers);
	INIT_LIST_HEAD(&channel->waiting);
	INIT_LIST_HEAD(&channel->urgent);
	INIT_LIST_HEAD(&channel->notes);
	INIT_LIST_HEAD(&channel->answers);
	INIT_LIST_HEAD(&channel->putters);
	INIT_LIST_HEAD(&channel->thirsty);
	return channel;
}

static void channel_add(struct channel *channel)
{
	pthread_mutex_lock(&channels.lock);
	list_add_tail(&channel->node, &channels.all);
	pthread_mutex_unlock(&channels.lock);
}

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
	pthread_mutex_lock(&channels.lock);
	list_del(&channel->node);
	list_del_init(&channel->due_node);
	pthread_mutex_unlock(&channels.lock);
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
static void channel_accepted(struct doca_far *far)
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
		return channel->accepted ?
			       greet_client(channel, packet, size) :
			       greet_server(channel, packet, size);
	if (size < sizeof(*frame))
		return -EPROTO;
	return channel_take(channel, frame, frame + 1, size - sizeof(*frame));
}

/* The socket may have room again. */
static void channel_make_use(struct channel *channel)
{
	struct doca_conn *conn = channel->conn;

	spin_lock(&conn->lock);
	if (channel->full && !conn->closed && channel->here->endpoint) {
		channel->full = false;
		peers_watch_room(&channel->watch, false);
		channel_flush(channel);
		doca_message_deliver_all(channel->here);
		channel_water(channel);
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
		channel_make_use(channel);
}

/* Users other than the program's do not keep its own away. */
static bool have_room(uid_t uid)
{
	unsigned int nr = 0, foreign = 0, of_user = 0;
	const struct channel *channel;

	pthread_mutex_lock(&channels.lock);
	list_for_each_entry(channel, &channels.all, node) {
		if (!channel->accepted)
			continue;
		nr++;
		foreign += channel->uid != geteuid();
		of_user += channel->uid == uid;
	}
	pthread_mutex_unlock(&channels.lock);
	return conns_admit(uid, nr, foreign, of_user);
}

static bool accept_channel(int fd, int place, uid_t uid,
			   struct doca_function *function, const char *name)
{
	struct doca_conn *conn = doca_conn_create();
	struct channel *channel;

	if (!conn)
		return false;
	channel = channel_new(conn, DOCA_CONN_SERVER, fd, place);
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

	if (!wire_peer_uid(fd, &uid) && have_room(uid) &&
	    accept_channel(fd, place, uid, function, name))
		return;
	say_hello(fd, DOCA_STATUS_NO_SPACE, DOCA_MAX_MESSAGE);
	peers_close(place);
}

/* Only the client's user may answer, unless the pair is for all. */
static u32 check_server(int fd, const struct doca_function *function)
{
	uid_t uid;

	if (wire_peer_uid(fd, &uid) ||
	    (uid != geteuid() && !function->any_user))
		return DOCA_STATUS_BAD_ACCESS;
	return DOCA_STATUS_SUCCESS;
}

/* Connect a socket: a &enum doca_status. If a server is overrun, the client tries again. */
static u32 find_server(int fd, const struct doca_function *function,
		       const char *name, u32 max_message)
{
	struct channel_hello hello = {
		.magic = CHANNEL_MAGIC,
		.version = CHANNEL_VERSION,
		.max_message = max_message,
	};
	struct sockaddr_un address;
	int size = servers_address(function, name, &address);
	u32 status;

	if (size < 0)
		return DOCA_STATUS_NOT_CONNECTED;
	wire_refuse_fds(fd);
	if (connect(fd, (void *)&address, size))
		return errno == EACCES || errno == EPERM ?
			       DOCA_STATUS_BAD_ACCESS :
			       DOCA_STATUS_NOT_CONNECTED;
	status = check_server(fd, function);
	if (status)
		return status;
	strscpy(hello.pair, function->name, sizeof(hello.pair));
	strscpy(hello.name, name, sizeof(hello.name));
	return channel_wire_send(fd, &hello, sizeof(hello), NULL, 0) ?
		       DOCA_STATUS_NOT_CONNECTED :
		       DOCA_STATUS_SUCCESS;
}

/* The service thread may serve it as soon as the lock is let go. */
static bool channel_begin(struct channel *channel)
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

static u32 connect_channel(int fd, int place, struct doca_conn *conn)
{
	struct channel *channel;

	channel = channel_new(conn, DOCA_CONN_CLIENT, fd, place);
	if (!channel)
		return DOCA_STATUS_NO_SPACE;
	if (channel_begin(channel))
		return DOCA_STATUS_SUCCESS;
	free(channel);
	doca_conn_put(conn);
	return DOCA_STATUS_NO_SPACE;
}

static u32 channel_connect(struct doca_function *function, const char *name,
			   u32 max_message, struct doca_conn *conn)
{
	int fd, place;
	u32 status;

	if (service_start())
		return DOCA_STATUS_NO_SPACE;
	fd = peers_socket(&place);
	if (fd < 0)
		return DOCA_STATUS_NO_SPACE;
	status = find_server(fd, function, name, max_message);
	status = status ?: connect_channel(fd, place, conn);
	if (status)
		peers_close(place);
	return status;
}

static int channel_listen(struct doca_function *function, const char *name,
			  void **server)
{
	int rc = service_start();

	return rc ?: servers_listen(function, name, server);
}

static const struct doca_far_ops far_ops = {
	.listen = channel_listen,
	.unlisten = servers_unlisten,
	.connect = channel_connect,
	.accepted = channel_accepted,
	.free = channel_free,
	.close = channel_close,
	.send = channel_send,
	.deliver = channel_deliver,
	.announce = channel_announce,
	.gone = channel_gone,
	.part = channel_part,
	.produce = channel_produce,
	.forget = channel_forget,
};

void channels_start(void)
{
	doca_far_ops = &far_ops;
}

/* Return the next client that has not said HELLO in time, or NULL. */
static struct channel *next_late(bool *any)
{
	struct channel *channel, *late = NULL;
	u64 now = local_clock();

	*any = false;
	pthread_mutex_lock(&channels.lock);
	list_for_each_entry(channel, &channels.all, node) {
		*any |= !!channel->deadline;
		if (!channel->deadline || now < channel->deadline)
			continue;
		late = channel;
		break;
	}
	pthread_mutex_unlock(&channels.lock);
	return late;
}

int channels_patience(void)
{
	struct channel *late;
	bool any;

	while ((late = next_late(&any))) {
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
	over = channel->far.lost && list_empty(&channel->waiting);
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

	while ((channel = next_due()))
		channel_settle(channel);
}

void channels_end(void)
{
	struct channel *channel;

	list_for_each_entry(channel, &channels.all, node)
		channel_lose(channel);
	channels_run();
	BUG_ON(!list_empty(&channels.all));
}
