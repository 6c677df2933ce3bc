/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * One side of a communication channel, which is this process: the server on the DPU's
 * device, or a client on the host's. Each process has one, and counts what it hears.
 */
#ifndef SELFTESTS_API_CHANNEL_H
#define SELFTESTS_API_CHANNEL_H

#include <poll.h>

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "bed.h"

#define TASKS 64
#define RECV_QUEUE 16 /* messages */
#define PIECE \
	(256 << 10) /* bytes of a buffer, of which a side has two halves of */
#define BUFFERS 4

struct side {
	bool dpu;
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_comch_connection *connection;
	unsigned int connects, disconnects, received, sent, unsent;
	char message[1024]; /* the last one */
	doca_error_t status; /* status of the first task that has failed */
	uint32_t peer; /* id of the other side's consumer */
	unsigned int gone; /* consumers that have ended */
	void (*on_message)(const void *message, uint32_t length);

	char *memory; /* half of it is to be sent, and half to be filled */
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	unsigned int filled, unfilled, delivered, undelivered;
};

static struct side side;

/* In children, too, whose exit code then says that something is wrong. */
#define MUST(condition)                                                \
	do {                                                           \
		if (!(condition)) {                                    \
			fprintf(stderr, "# %s:%d: not %s\n", __FILE__, \
				__LINE__, #condition);                 \
			_exit(99);                                     \
		}                                                      \
	} while (0)
#define MUST_OK(call) MUST((call) == DOCA_SUCCESS)

/* Progress until a condition holds. */
#define SIDE_UNTIL(condition) AWAIT_BY(doca_pe_progress(side.pe), condition)

/* The side has heard that the other one has gone. */
static inline bool side_heard(void)
{
	return side.dpu ? side.disconnects == 1 : bed_is_idle(side.ctx);
}

static inline void
on_connected(struct doca_comch_event_connection_status_changed *event,
	     struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)successful;
	side.connects++;
	side.connection = connection;
}

static inline void
on_disconnected(struct doca_comch_event_connection_status_changed *event,
		struct doca_comch_connection *connection, uint8_t successful)
{
	(void)event;
	(void)connection;
	(void)successful;
	side.disconnects++;
}

static inline void on_message(struct doca_comch_event_msg_recv *event,
			      uint8_t *message, uint32_t length,
			      struct doca_comch_connection *connection)
{
	(void)event;
	(void)connection;
	MUST(length <= sizeof(side.message));
	memcpy(side.message, message, length);
	side.received++;
	if (side.on_message)
		side.on_message(message, length);
}

static inline void on_consumer(struct doca_comch_event_consumer *event,
			       struct doca_comch_connection *connection,
			       uint32_t id)
{
	(void)event;
	(void)connection;
	side.peer = id;
}

static inline void on_no_consumer(struct doca_comch_event_consumer *event,
				  struct doca_comch_connection *connection,
				  uint32_t id)
{
	(void)event;
	(void)connection;
	side.gone += id == side.peer;
}

/* Count a task that has ended, and free it. */
static inline void count(struct doca_task *task, unsigned int *done,
			 unsigned int *failed)
{
	doca_error_t status = doca_task_get_status(task);

	if (status == DOCA_SUCCESS)
		++*done;
	else if (!(*failed)++)
		side.status = status;
	doca_task_free(task);
}

static inline void on_sent(struct doca_comch_task_send *task,
			   union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	count(doca_comch_task_send_as_task(task), &side.sent, &side.unsent);
}

static inline void create_server(const char *name)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t nr = 0;

	MUST_OK(doca_devinfo_rep_create_list(
		side.dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &nr));
	MUST(nr);
	MUST_OK(doca_dev_rep_open(list[0], &rep));
	MUST_OK(doca_devinfo_rep_destroy_list(list));
	MUST_OK(doca_comch_server_create(side.dev, rep, name, &side.server));
	MUST_OK(doca_dev_rep_close(rep));
	MUST_OK(doca_comch_server_set_recv_queue_size(side.server, RECV_QUEUE));
	MUST_OK(doca_comch_server_task_send_set_conf(side.server, on_sent,
						     on_sent, TASKS));
	MUST_OK(doca_comch_server_event_msg_recv_register(side.server,
							  on_message));
	MUST_OK(doca_comch_server_event_consumer_register(
		side.server, on_consumer, on_no_consumer));
	MUST_OK(doca_comch_server_event_connection_status_changed_register(
		side.server, on_connected, on_disconnected));
	side.ctx = doca_comch_server_as_ctx(side.server);
}

static inline void create_client(const char *name)
{
	MUST_OK(doca_comch_client_create(side.dev, name, &side.client));
	MUST_OK(doca_comch_client_set_recv_queue_size(side.client, RECV_QUEUE));
	MUST_OK(doca_comch_client_task_send_set_conf(side.client, on_sent,
						     on_sent, TASKS));
	MUST_OK(doca_comch_client_event_msg_recv_register(side.client,
							  on_message));
	MUST_OK(doca_comch_client_event_consumer_register(
		side.client, on_consumer, on_no_consumer));
	side.ctx = doca_comch_client_as_ctx(side.client);
}

/* Open the device that is the DPU's side of a pair, or the host's; NULL: there is no pair. */
static inline struct doca_dev *open_side(bool dpu)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t nr, i;

	MUST_OK(doca_devinfo_create_list(&list, &nr));
	for (i = 0; i < nr && !dev; i++)
		if ((dpu ? doca_comch_cap_server_is_supported(list[i]) :
			   doca_comch_cap_client_is_supported(list[i])) ==
		    DOCA_SUCCESS)
			MUST_OK(doca_dev_open(list[i], &dev));
	MUST_OK(doca_devinfo_destroy_list(list));
	return dev;
}

/* Start this side, which has not heard of the other one yet. */
static inline void side_start(bool dpu, const char *name)
{
	doca_error_t err;

	side = (struct side){ .dpu = dpu, .dev = open_side(dpu) };
	MUST(side.dev);
	MUST_OK(doca_pe_create(&side.pe));
	if (dpu)
		create_server(name);
	else
		create_client(name);
	MUST_OK(doca_pe_connect_ctx(side.pe, side.ctx));
	err = doca_ctx_start(side.ctx);
	MUST(err == (dpu ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS));
}

static inline bool side_is_connected(void)
{
	if (!side.dpu && !side.connection &&
	    bed_ctx_state(side.ctx) == DOCA_CTX_STATE_RUNNING)
		MUST_OK(doca_comch_client_get_connection(side.client,
							 &side.connection));
	return side.connection;
}

static inline void side_connect(bool dpu, const char *name)
{
	side_start(dpu, name);
	MUST(SIDE_UNTIL(side_is_connected()));
}

static inline void stop(struct doca_ctx *ctx)
{
	doca_error_t err = doca_ctx_stop(ctx);

	MUST(err == DOCA_SUCCESS || err == DOCA_ERROR_IN_PROGRESS);
	MUST(SIDE_UNTIL(bed_is_idle(ctx)));
}

/* Stop and destroy all that there is. */
static inline void side_end(void)
{
	if (side.producer) {
		stop(doca_comch_producer_as_ctx(side.producer));
		MUST_OK(doca_comch_producer_destroy(side.producer));
	}
	if (side.consumer) {
		stop(doca_comch_consumer_as_ctx(side.consumer));
		MUST_OK(doca_comch_consumer_destroy(side.consumer));
	}
	stop(side.ctx);
	if (side.dpu)
		MUST_OK(doca_comch_server_destroy(side.server));
	else
		MUST_OK(doca_comch_client_destroy(side.client));
	MUST_OK(doca_pe_destroy(side.pe));
	if (side.inv)
		MUST_OK(doca_buf_inventory_destroy(side.inv));
	if (side.mmap)
		MUST_OK(doca_mmap_destroy(side.mmap));
	MUST_OK(doca_dev_close(side.dev));
	free(side.memory);
}

static inline void side_send(const void *message, uint32_t length)
{
	struct doca_comch_task_send *task;

	MUST_OK(side.dpu ? doca_comch_server_task_send_alloc_init(
				   side.server, side.connection, message,
				   length, &task) :
			   doca_comch_client_task_send_alloc_init(
				   side.client, side.connection, message,
				   length, &task));
	MUST_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
}

/* Make progress, or sleep until there is something to do. */
static inline void side_sleep(void)
{
	struct pollfd fd = { .events = POLLIN };

	if (doca_pe_progress(side.pe))
		return;
	MUST_OK(doca_pe_get_notification_handle(side.pe, &fd.fd));
	MUST_OK(doca_pe_request_notification(side.pe));
	MUST(poll(&fd, 1, patiently(25) * 1000) == 1);
	MUST_OK(doca_pe_clear_notification(side.pe, fd.fd));
}

static inline void on_filled(struct doca_comch_consumer_task_post_recv *task,
			     union doca_data task_data,
			     union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

	(void)task_data;
	(void)ctx_data;
	count(doca_comch_consumer_task_post_recv_as_task(task), &side.filled,
	      &side.unfilled);
	MUST_OK(doca_buf_dec_refcount(buf, NULL));
}

static inline void on_delivered(struct doca_comch_producer_task_send *task,
				union doca_data task_data,
				union doca_data ctx_data)
{
	struct doca_buf *buf =
		(struct doca_buf *)doca_comch_producer_task_send_get_buf(task);

	(void)task_data;
	(void)ctx_data;
	count(doca_comch_producer_task_send_as_task(task), &side.delivered,
	      &side.undelivered);
	MUST_OK(doca_buf_dec_refcount(buf, NULL));
}

/* Make the memory, of which the half that is sent is filled. */
static inline void side_map(void)
{
	const size_t half = BUFFERS * PIECE;

	if (side.memory)
		return;
	side.memory = aligned_alloc(4096, 2 * half);
	MUST(side.memory);
	bed_fill(side.memory, half, 7);
	memset(side.memory + half, 0, half);
	MUST_OK(bed_mmap(side.memory, 2 * half,
			 DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
				 DOCA_ACCESS_FLAG_PCI_READ_WRITE,
			 side.dev, NULL, &side.mmap));
	MUST_OK(doca_buf_inventory_create(2 * TASKS, &side.inv));
	MUST_OK(doca_buf_inventory_start(side.inv));
}

static inline void side_consume(void)
{
	struct doca_ctx *ctx;

	side_map();
	MUST_OK(doca_comch_consumer_create(side.connection, side.mmap,
					   &side.consumer));
	ctx = doca_comch_consumer_as_ctx(side.consumer);
	MUST_OK(doca_comch_consumer_task_post_recv_set_conf(
		side.consumer, on_filled, on_filled, BUFFERS));
	MUST_OK(doca_pe_connect_ctx(side.pe, ctx));
	MUST(doca_ctx_start(ctx) == DOCA_ERROR_IN_PROGRESS);
	MUST(SIDE_UNTIL(bed_ctx_state(ctx) == DOCA_CTX_STATE_RUNNING));
}

static inline void side_post(unsigned int i)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;

	MUST_OK(doca_buf_inventory_buf_get_by_addr(
		side.inv, side.mmap, side.memory + (BUFFERS + i) * PIECE, PIECE,
		&buf));
	MUST_OK(doca_comch_consumer_task_post_recv_alloc_init(side.consumer,
							      buf, &task));
	MUST_OK(doca_task_submit(
		doca_comch_consumer_task_post_recv_as_task(task)));
}

/* Make a producer, and wait for the other side's consumer. */
static inline void side_produce(void)
{
	struct doca_ctx *ctx;

	side_map();
	MUST_OK(doca_comch_producer_create(side.connection, &side.producer));
	ctx = doca_comch_producer_as_ctx(side.producer);
	MUST_OK(doca_comch_producer_task_send_set_conf(
		side.producer, on_delivered, on_delivered, BUFFERS));
	MUST_OK(doca_pe_connect_ctx(side.pe, ctx));
	MUST_OK(doca_ctx_start(ctx));
	MUST(SIDE_UNTIL(side.peer));
}

static inline void side_put(unsigned int i, size_t length)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf;

	MUST_OK(doca_buf_inventory_buf_get_by_data(
		side.inv, side.mmap, side.memory + i * PIECE, length, &buf));
	MUST_OK(doca_comch_producer_task_send_alloc_init(
		side.producer, buf, NULL, 0, side.peer, &task));
	MUST_OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
}

/* Return true if what was received there is what the other side sends from there. */
static inline bool side_has(unsigned int i, size_t length)
{
	return !memcmp(side.memory + (BUFFERS + i) * PIECE,
		       side.memory + i * PIECE, length);
}

#endif
