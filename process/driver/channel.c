// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The list of all connections of the communication channel, and those with work to do. */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "channel_inner.h"
#include "conns.h"

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
	bool first;

	pthread_mutex_lock(&channels.lock);
	first = list_empty(&channel->due_node);
	if (first)
		list_add_tail(&channel->due_node, &channels.due);
	pthread_mutex_unlock(&channels.lock);
	if (first)
		peers_poke();
}

struct channel *channel_next_due(void)
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
	/* The other side shall know what came through before the end. */
	channel_flush(channel);
	channel->closed = true;
	shutdown(channel->watch.fd, SHUT_RDWR);
	channel_set_due(channel);
}

struct channel *channel_new(struct doca_conn *conn, enum doca_conn_side here,
			    struct peers_watch watch, int place)
{
	struct channel *channel = calloc(1, sizeof(*channel));

	if (!channel)
		return NULL;
	channel->conn = conn;
	kref_get(&conn->ref);
	channel->here = &conn->ends[here];
	channel->watch = watch;
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

void channel_add(struct channel *channel)
{
	pthread_mutex_lock(&channels.lock);
	list_add_tail(&channel->node, &channels.all);
	pthread_mutex_unlock(&channels.lock);
}

void channel_remove(struct channel *channel)
{
	pthread_mutex_lock(&channels.lock);
	list_del(&channel->node);
	list_del_init(&channel->due_node);
	pthread_mutex_unlock(&channels.lock);
}

struct channel *channels_first(void)
{
	return list_first_entry_or_null(&channels.all, struct channel, node);
}

/* Users other than the program's do not keep its own away. */
bool channels_have_room(uid_t uid)
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

struct channel *channel_next_late(bool *any)
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
