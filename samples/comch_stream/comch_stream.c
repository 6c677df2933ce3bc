// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Producer and consumer: a file goes from the host to the DPU, without limit of its length.
 *
 * A consumer offers buffers of its memory, and a producer of the other side sends data,
 * each piece of which goes into the next buffer. A producer that is faster waits for a
 * buffer, so neither side needs to know how much the other one can take. Both are contexts
 * on a connection, which also carries messages: here the length of the file, and in the
 * end the sum of what has come.
 *
 * Usage: comch_stream dpu|host [-f FILE] [-p PCI-ADDRESS] [-r PCI-ADDRESS]
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/channel.h"
#include "../common/file.h"
#include "../common/sample.h"

#define NAME "comch_stream"
#define BUFFERS 8
#define SIZE (64 << 10) /* bytes of a buffer */

/* The end of a stream: what is to go through it, and what has. */
struct stream {
	struct channel channel;
	int fd;
	uint64_t length; /* bytes of the file */
	uint64_t begun,
		done; /* bytes that are on the way, or further; and that were moved */
	uint64_t sum;

	char *memory;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_ctx *ctx; /* the producer, or the consumer */
	enum doca_ctx_states state;
};

struct result {
	uint64_t length;
	uint64_t sum;
};

static void create_memory(struct stream *stream, uint32_t access)
{
	stream->memory = calloc(BUFFERS, SIZE);
	if (!stream->memory)
		give_up(DOCA_ERROR_NO_MEMORY, "the memory");
	check(doca_mmap_create(&stream->mmap), "the memory map");
	check(doca_mmap_set_memrange(stream->mmap, stream->memory,
				     BUFFERS * SIZE),
	      "the memory map");
	check(doca_mmap_set_permissions(stream->mmap, access),
	      "the memory map");
	check(doca_mmap_add_dev(stream->mmap, stream->channel.dev),
	      "the memory map");
	check(doca_mmap_start(stream->mmap), "start of the memory map");
	check(doca_buf_inventory_create(BUFFERS, &stream->inventory),
	      "the inventory");
	check(doca_buf_inventory_start(stream->inventory), "the inventory");
}

static void destroy_memory(struct stream *stream)
{
	check(doca_buf_inventory_destroy(stream->inventory), "the inventory");
	check(doca_mmap_destroy(stream->mmap), "the memory map");
	free(stream->memory);
}

static struct doca_buf *get_buffer(struct stream *stream, unsigned int i)
{
	struct doca_buf *buf;

	check(doca_buf_inventory_buf_get_by_addr(
		      stream->inventory, stream->mmap,
		      stream->memory + i * SIZE, SIZE, &buf),
	      "a buffer");
	return buf;
}

static void on_state(const union doca_data user_data, struct doca_ctx *ctx,
		     enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct stream *stream = user_data.ptr;

	(void)ctx;
	(void)prev;
	stream->state = next;
}

static void start(struct stream *stream, struct doca_ctx *ctx)
{
	union doca_data data = { .ptr = stream };
	doca_error_t err;

	stream->ctx = ctx;
	check(doca_ctx_set_user_data(ctx, data), "the user data");
	check(doca_ctx_set_state_changed_cb(ctx, on_state), "a callback");
	check(doca_pe_connect_ctx(stream->channel.pe, ctx),
	      "the connection to the engine");
	err = doca_ctx_start(ctx);
	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "start");
	while (stream->state == DOCA_CTX_STATE_STARTING)
		channel_progress(&stream->channel);
}

/* Tasks that are in flight come back first, in on_unused() and on_unsent(). */
static void stop(struct stream *stream)
{
	doca_error_t err = doca_ctx_stop(stream->ctx);

	if (err != DOCA_ERROR_IN_PROGRESS)
		check(err, "stop");
	while (stream->state != DOCA_CTX_STATE_IDLE)
		side_progress(stream->channel.pe);
}

static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	struct stream *stream = ctx_data.ptr;
	size_t length;
	void *data;

	(void)task_data;
	check(doca_buf_get_data(buf, &data), "the data");
	check(doca_buf_get_data_len(buf, &length), "the data");
	if (stream->fd >= 0)
		file_write(stream->fd, data, length);
	stream->sum = file_sum(stream->sum, data, length);
	stream->done += length;

	/* Empty, the buffer is offered again. */
	check(doca_buf_reset_data_len(buf), "a buffer");
	check(doca_task_submit(
		      doca_comch_consumer_task_post_recv_as_task(task)),
	      "submission");
}

/* The consumer is stopping, and gives back what was not needed. */
static void on_unused(struct doca_comch_consumer_task_post_recv *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	check(doca_buf_dec_refcount(buf, NULL), "a buffer");
}

static void offer_buffers(struct stream *stream,
			  struct doca_comch_consumer *consumer)
{
	struct doca_comch_consumer_task_post_recv *task;
	unsigned int i;

	for (i = 0; i < BUFFERS; i++) {
		check(doca_comch_consumer_task_post_recv_alloc_init(
			      consumer, get_buffer(stream, i), &task),
		      "a task");
		check(doca_task_submit(
			      doca_comch_consumer_task_post_recv_as_task(task)),
		      "submission");
	}
}

static bool receive(struct stream *stream)
{
	struct doca_comch_consumer *consumer;
	struct result result;

	stream->fd = file_create();
	create_memory(stream, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	check(doca_comch_consumer_create(stream->channel.connection,
					 stream->mmap, &consumer),
	      "the consumer");
	check(doca_comch_consumer_task_post_recv_set_conf(consumer, on_received,
							  on_unused, BUFFERS),
	      "the kind of task");
	start(stream, doca_comch_consumer_as_ctx(consumer));
	offer_buffers(stream, consumer);

	channel_receive(&stream->channel, &stream->length,
			sizeof(stream->length));
	while (stream->done < stream->length)
		channel_progress(&stream->channel);

	stop(stream);
	check(doca_comch_consumer_destroy(consumer), "the consumer");
	destroy_memory(stream);
	if (stream->fd >= 0)
		file_close(stream->fd);
	result = (struct result){ stream->done, stream->sum };
	channel_send(&stream->channel, &result, sizeof(result));
	printf("%" PRIu64 " bytes have come\n", stream->done);
	return stream->done == stream->length;
}

static void release(struct doca_comch_producer_task_send *task)
{
	/* The task sees its buffer as const, but the reference is ours. */
	struct doca_buf *buf =
		(struct doca_buf *)doca_comch_producer_task_send_get_buf(task);

	doca_task_free(doca_comch_producer_task_send_as_task(task));
	check(doca_buf_dec_refcount(buf, NULL), "a buffer");
}

/* Fill the task's buffer with the next piece of the file, and send it. */
static void send_piece(struct stream *stream,
		       struct doca_comch_producer_task_send *task,
		       struct doca_buf *buf)
{
	uint64_t left = stream->length - stream->begun;
	size_t length = left < SIZE ? left : SIZE;
	void *piece;

	check(doca_buf_get_head(buf, &piece), "a buffer");
	file_read(stream->fd, piece, length);
	stream->sum = file_sum(stream->sum, piece, length);
	stream->begun += length;
	check(doca_buf_set_data(buf, piece, length), "a buffer");
	check(doca_task_submit(doca_comch_producer_task_send_as_task(task)),
	      "submission");
}

static void on_delivered(struct doca_comch_producer_task_send *task,
			 union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf =
		(struct doca_buf *)doca_comch_producer_task_send_get_buf(task);
	struct stream *stream = ctx_data.ptr;
	size_t length;

	(void)task_data;
	check(doca_buf_get_data_len(buf, &length), "the data");
	stream->done += length;
	if (stream->begun < stream->length)
		send_piece(stream, task, buf);
	else
		release(task);
}

static void on_unsent(struct doca_comch_producer_task_send *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);

	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(base), "a piece of the file");
}

static void send_all(struct stream *stream,
		     struct doca_comch_producer *producer)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf;
	unsigned int i;

	for (i = 0; i < BUFFERS && stream->begun < stream->length; i++) {
		buf = get_buffer(stream, i);
		check(doca_comch_producer_task_send_alloc_init(
			      producer, buf, NULL, 0, stream->channel.consumer,
			      &task),
		      "a task");
		send_piece(stream, task, buf);
	}
	while (stream->done < stream->length)
		channel_progress(&stream->channel);
}

static bool send(struct stream *stream)
{
	struct doca_comch_producer *producer;
	struct result result;

	stream->fd = file_open(&stream->length);
	create_memory(stream, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	check(doca_comch_producer_create(stream->channel.connection, &producer),
	      "the producer");
	check(doca_comch_producer_task_send_set_conf(producer, on_delivered,
						     on_unsent, BUFFERS),
	      "the kind of task");
	start(stream, doca_comch_producer_as_ctx(producer));

	channel_send(&stream->channel, &stream->length, sizeof(stream->length));
	while (!stream->channel.consumer)
		channel_progress(&stream->channel);
	send_all(stream, producer);
	channel_receive(&stream->channel, &result, sizeof(result));

	stop(stream);
	check(doca_comch_producer_destroy(producer), "the producer");
	destroy_memory(stream);
	file_close(stream->fd);
	printf("%" PRIu64 " of %" PRIu64
	       " bytes have gone, and the sum is %s\n",
	       result.length, stream->length,
	       result.sum == stream->sum ? "right" : "wrong");
	return result.length == stream->length && result.sum == stream->sum;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { file_flag, {} };
	struct stream stream = { .state = DOCA_CTX_STATE_IDLE };
	enum side side;
	bool right;

	side = side_start(NAME, argc, argv, flags);
	channel_open(&stream.channel, NAME, side);
	right = side == SIDE_DPU ? receive(&stream) : send(&stream);
	channel_close(&stream.channel);
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
