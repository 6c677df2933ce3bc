/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The part of datapath.c over the communication channel, both of whose ends this thread has:
 * messages, and data into posted buffers. Nothing here asks for the time or yields: either
 * would be a syscall.
 */
#ifndef SELFTESTS_API_DATAPATH_COMCH_H
#define SELFTESTS_API_DATAPATH_COMCH_H

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "../lib/own_name.h"
#include "bed.h"

#define NAME "datapath"
#define LEN 512
#define NR_MESSAGES 8 /* in flight */
#define NR_SENDS 16 /* in flight; more buffers are posted, for a producer without one has to be woken */
#define NR_BUFFERS 64

static struct {
	struct doca_dev *dpu, *host;
	struct doca_pe *pe;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_comch_connection *far, *near;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_comch_producer_task_send *sends[NR_SENDS];
	char *mem; /* half of it is sent, and half is filled */
	uint32_t consumer_id;
	unsigned long wanted, submitted, done;
	bool wrong;
} ch;

static bool made; /* the pair is ours */

/* Tests are children, which run neither. */
__attribute__((constructor)) static void make_pair(void)
{
	made = !bed_in_process() && !system("docactl pair add " NAME " >/dev/null 2>&1");
}

__attribute__((destructor)) static void end_pair(void)
{
	if (made && system("docactl pair del " NAME " >/dev/null 2>&1"))
		fprintf(stderr, "# the pair is still there\n");
}

/* Open the devices of a pair. */
static void open_devices(void)
{
	struct doca_devinfo **list;
	uint32_t nr, i;

	if (doca_devinfo_create_list(&list, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (!ch.dpu && !doca_comch_cap_server_is_supported(list[i]))
			doca_dev_open(list[i], &ch.dpu);
		if (!ch.host && !doca_comch_cap_client_is_supported(list[i]))
			doca_dev_open(list[i], &ch.host);
	}
	doca_devinfo_destroy_list(list);
}

/* The child, which uses them, opens them itself. */
static bool channel_has_pair(void)
{
	bool found;

	open_devices();
	found = ch.dpu && ch.host;
	if (ch.dpu)
		doca_dev_close(ch.dpu);
	if (ch.host)
		doca_dev_close(ch.host);
	ch.dpu = ch.host = NULL;
	return found;
}

static void message_send(bool back, const void *message, uint32_t length)
{
	struct doca_comch_task_send *task;

	if ((back ? doca_comch_server_task_send_alloc_init(ch.server, ch.far, message, length,
							   &task) :
		    doca_comch_client_task_send_alloc_init(ch.client, ch.near, message, length,
							   &task)) ||
	    doca_task_submit(doca_comch_task_send_as_task(task)))
		ch.wrong = true;
}

static void message_next(void)
{
	static const char message[LEN] = "question";

	if (ch.submitted == ch.wanted)
		return;
	ch.submitted++;
	message_send(false, message, sizeof(message));
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	if (doca_task_get_status(doca_comch_task_send_as_task(task)))
		ch.wrong = true;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void on_question(struct doca_comch_event_msg_recv *event, uint8_t *message,
			uint32_t length, struct doca_comch_connection *connection)
{
	(void)event;
	(void)connection;
	message_send(true, message, length);
}

static void on_answer(struct doca_comch_event_msg_recv *event, uint8_t *message, uint32_t length,
		      struct doca_comch_connection *connection)
{
	(void)event;
	(void)connection;
	if (length != LEN || strcmp((char *)message, "question"))
		ch.wrong = true;
	ch.done++;
	message_next();
}

static void on_connected(struct doca_comch_event_connection_status_changed *event,
			 struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	(void)ok;
	ch.far = connection;
}

static void on_disconnected(struct doca_comch_event_connection_status_changed *event,
			    struct doca_comch_connection *connection, uint8_t ok)
{
	(void)event;
	(void)connection;
	(void)ok;
	ch.far = NULL;
}

static void on_consumer(struct doca_comch_event_consumer *event,
			struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)connection;
	ch.consumer_id = id;
}

static void on_no_consumer(struct doca_comch_event_consumer *event,
			   struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)connection;
	(void)id;
	ch.consumer_id = 0;
}

static bool start(struct doca_ctx *ctx)
{
	doca_error_t err = doca_pe_connect_ctx(ch.pe, ctx);

	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(ctx);
	return err == DOCA_SUCCESS || err == DOCA_ERROR_IN_PROGRESS;
}

static bool server_create(void)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t nr = 0;

	if (doca_devinfo_rep_create_list(ch.dpu, DOCA_DEVINFO_REP_FILTER_NET, &list, &nr) || !nr ||
	    doca_dev_rep_open(list[0], &rep) || doca_devinfo_rep_destroy_list(list))
		return false;
	return !doca_comch_server_create(ch.dpu, rep, own_name(NAME), &ch.server) &&
	       !doca_dev_rep_close(rep) &&
	       !doca_comch_server_task_send_set_conf(ch.server, on_sent, on_sent, BED_TASKS) &&
	       !doca_comch_server_event_msg_recv_register(ch.server, on_question) &&
	       !doca_comch_server_event_connection_status_changed_register(
		       ch.server, on_connected, on_disconnected) &&
	       start(doca_comch_server_as_ctx(ch.server));
}

static bool client_create(void)
{
	return !doca_comch_client_create(ch.host, own_name(NAME), &ch.client) &&
	       !doca_comch_client_task_send_set_conf(ch.client, on_sent, on_sent, BED_TASKS) &&
	       !doca_comch_client_event_msg_recv_register(ch.client, on_answer) &&
	       !doca_comch_client_event_consumer_register(ch.client, on_consumer, on_no_consumer) &&
	       start(doca_comch_client_as_ctx(ch.client));
}

/* Connect a client to a server. */
static bool messages_create(void)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_STARTING;

	open_devices();
	if (doca_pe_create(&ch.pe) || !server_create() || !client_create())
		return false;
	while (state == DOCA_CTX_STATE_STARTING || !ch.far) {
		doca_pe_progress(ch.pe);
		if (doca_ctx_get_state(doca_comch_client_as_ctx(ch.client), &state) ||
		    state == DOCA_CTX_STATE_IDLE)
			return false;
	}
	return !doca_comch_client_get_connection(ch.client, &ch.near);
}

/* Exchange messages, each of which is sent back. */
static bool messages_run(unsigned long nr)
{
	int i;

	ch.wanted += nr;
	for (i = 0; i < NR_MESSAGES; i++)
		message_next();
	while (ch.done < ch.wanted && !ch.wrong)
		doca_pe_progress(ch.pe);
	/* Completions of the last sends are in the order of neither side. */
	while (doca_pe_progress(ch.pe))
		;
	return !ch.wrong;
}

static void data_next(struct doca_comch_producer_task_send *task)
{
	if (ch.submitted == ch.wanted)
		return;
	ch.submitted++;
	if (doca_task_submit(doca_comch_producer_task_send_as_task(task)))
		ch.wrong = true;
}

static void on_filled(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

	(void)task_data;
	(void)ctx_data;
	doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	if (doca_task_get_status(base) || doca_task_submit(base))
		ch.wrong = true;
}

static void on_delivered(struct doca_comch_producer_task_send *task, union doca_data task_data,
			 union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	if (doca_task_get_status(doca_comch_producer_task_send_as_task(task)))
		ch.wrong = true;
	ch.done++;
	data_next(task);
}

static bool ends_create(struct doca_mmap *to)
{
	if (doca_comch_consumer_create(ch.far, to, &ch.consumer) ||
	    doca_comch_consumer_task_post_recv_set_conf(ch.consumer, on_filled, on_filled,
							NR_BUFFERS) ||
	    !start(doca_comch_consumer_as_ctx(ch.consumer)) ||
	    doca_comch_producer_create(ch.near, &ch.producer) ||
	    doca_comch_producer_task_send_set_conf(ch.producer, on_delivered, on_delivered,
						   NR_SENDS) ||
	    !start(doca_comch_producer_as_ctx(ch.producer)))
		return false;
	/* the other side may know of it before it is running */
	while (!ch.consumer_id ||
	       bed_ctx_state(doca_comch_consumer_as_ctx(ch.consumer)) != DOCA_CTX_STATE_RUNNING)
		doca_pe_progress(ch.pe);
	return true;
}

static bool post(struct doca_buf_inventory *inv, struct doca_mmap *mmap)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;
	int i;

	for (i = 0; i < NR_BUFFERS; i++)
		if (doca_buf_inventory_buf_get_by_addr(inv, mmap,
						       ch.mem + (NR_BUFFERS + i) * LEN, LEN,
						       &buf) ||
		    doca_comch_consumer_task_post_recv_alloc_init(ch.consumer, buf, &task) ||
		    doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)))
			return false;
	return true;
}

static bool prepare(struct doca_buf_inventory *inv, struct doca_mmap *mmap)
{
	struct doca_buf *buf;
	int i;

	for (i = 0; i < NR_SENDS; i++)
		if (doca_buf_inventory_buf_get_by_data(inv, mmap, ch.mem + i * LEN, LEN, &buf) ||
		    doca_comch_producer_task_send_alloc_init(ch.producer, buf, NULL, 0,
							     ch.consumer_id, &ch.sends[i]))
			return false;
	return true;
}

static bool data_create(void)
{
	const size_t length = 2 * NR_BUFFERS * LEN;
	const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	struct doca_buf_inventory *inv;
	struct doca_mmap *from, *to;

	if (!messages_create())
		return false;
	ch.mem = aligned_alloc(4096, length);
	bed_fill(ch.mem, length / 2, 1);
	return !bed_mmap(ch.mem, length, access, ch.host, NULL, &from) &&
	       !bed_mmap(ch.mem, length, access, ch.dpu, NULL, &to) &&
	       !doca_buf_inventory_create(2 * NR_BUFFERS, &inv) &&
	       !doca_buf_inventory_start(inv) && ends_create(to) && post(inv, to) &&
	       prepare(inv, from);
}

/* The first buffers are of the first sends, as long as there are NR_BUFFERS. */
static bool data_run(unsigned long nr)
{
	int i;

	ch.wanted += nr;
	for (i = 0; i < NR_SENDS; i++)
		data_next(ch.sends[i]);
	while (ch.done < ch.wanted && !ch.wrong)
		doca_pe_progress(ch.pe);
	return !ch.wrong && !memcmp(ch.mem, ch.mem + NR_BUFFERS * LEN, NR_SENDS * LEN);
}

#endif
