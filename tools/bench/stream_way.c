// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_error.h>

#include "area.h"
#include "clock.h"
#include "msg.h"
#include "stream_way.h"

/* Buffers for each transfer in flight: who finds none has to be woken. */
#define BUFFERS 4

static struct stream_way *way_of(struct side *side, bool far)
{
	struct channel *channel =
		far ? container_of(side, struct channel, far) :
		      container_of(side, struct channel, near);

	return container_of(channel, struct stream_way, channel);
}

static void submit(struct side *side, struct stream_side *stream,
		   struct doca_task *task)
{
	doca_error_t err = doca_task_submit(task);

	if (err == DOCA_SUCCESS)
		stream->inflight++;
	else
		side_note(side, err);
}

/* Buffers are posted again by the thread that has the consumer. */
static void on_received(struct doca_comch_consumer_task_post_recv *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	struct doca_task *base =
		doca_comch_consumer_task_post_recv_as_task(task);
	struct side *side = ctx_data.ptr;
	struct stream_way *sw = way_of(side, true);

	(void)task_data;
	sw->in.inflight--;
	if (sw->closing)
		return;
	doca_buf_reset_data_len(buf);
	submit(side, &sw->in, base);
}

static void on_not_received(struct doca_comch_consumer_task_post_recv *task,
			    union doca_data task_data, union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;
	struct stream_way *sw = way_of(side, true);

	(void)task_data;
	sw->in.inflight--;
	if (!sw->closing)
		side_note(side,
			  doca_task_get_status(
				  doca_comch_consumer_task_post_recv_as_task(
					  task)));
}

static void on_sent(struct doca_comch_producer_task_send *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;
	struct stream_way *sw = way_of(side, false);

	(void)task_data;
	sw->out.inflight--;
	sw->done++;
	if (sw->again)
		submit(side, &sw->out,
		       doca_comch_producer_task_send_as_task(task));
}

static void on_not_sent(struct doca_comch_producer_task_send *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	(void)task_data;
	way_of(side, false)->out.inflight--;
	side_note(side, doca_task_get_status(
				doca_comch_producer_task_send_as_task(task)));
}

static doca_error_t open_memory(struct stream_way *sw,
				struct stream_side *stream,
				struct doca_dev *dev)
{
	const struct area *area = sw->way.area;
	doca_error_t err;

	stream->bufs = calloc(stream->nr, sizeof(*stream->bufs));
	stream->tasks = calloc(stream->nr, sizeof(*stream->tasks));
	if (!stream->bufs || !stream->tasks)
		return DOCA_ERROR_NO_MEMORY;
	err = doca_mmap_create(&stream->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_memrange(stream->mmap, area->src,
					     area->length);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_set_permissions(
			stream->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_add_dev(stream->mmap, dev);
	if (err == DOCA_SUCCESS)
		err = doca_mmap_start(stream->mmap);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_create(stream->nr, &stream->inventory);
	if (err == DOCA_SUCCESS)
		err = doca_buf_inventory_start(stream->inventory);
	return err;
}

static doca_error_t connect(struct side *side, struct doca_ctx *ctx)
{
	union doca_data self = { .ptr = side };
	doca_error_t err;

	err = doca_ctx_set_user_data(ctx, self);
	if (err == DOCA_SUCCESS)
		err = doca_pe_connect_ctx(side->pe, ctx);
	if (err == DOCA_SUCCESS)
		err = doca_ctx_start(ctx);
	return err == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : err;
}

static doca_error_t open_consumer(struct stream_way *sw)
{
	struct side *far = &sw->channel.far;
	doca_error_t err;

	err = open_memory(sw, &sw->in, sw->channel.pair.dpu);
	if (err == DOCA_SUCCESS)
		err = doca_comch_consumer_create(far->connection, sw->in.mmap,
						 &sw->consumer);
	if (err != DOCA_SUCCESS)
		return err;
	sw->in.ctx = doca_comch_consumer_as_ctx(sw->consumer);
	err = doca_comch_consumer_task_post_recv_set_conf(
		sw->consumer, on_received, on_not_received, sw->in.nr);
	return err == DOCA_SUCCESS ? connect(far, sw->in.ctx) : err;
}

static doca_error_t open_producer(struct stream_way *sw)
{
	struct side *near = &sw->channel.near;
	doca_error_t err;

	err = open_memory(sw, &sw->out, sw->channel.pair.host);
	if (err == DOCA_SUCCESS)
		err = doca_comch_producer_create(near->connection,
						 &sw->producer);
	if (err != DOCA_SUCCESS)
		return err;
	sw->out.ctx = doca_comch_producer_as_ctx(sw->producer);
	err = doca_comch_producer_task_send_set_conf(
		sw->producer, on_sent, on_not_sent, sw->load.depth);
	return err == DOCA_SUCCESS ? connect(near, sw->out.ctx) : err;
}

/* Wait until the producer's side knows the consumer. */
static int meet(struct stream_way *sw)
{
	struct channel *channel = &sw->channel;
	struct patience patience = { 0 };

	while (!channel->near.consumer) {
		doca_pe_progress(channel->near.pe);
		doca_pe_progress(channel->far.pe);
		if (patience_lost(&patience))
			return fail("there is no consumer");
	}
	return 0;
}

static doca_error_t make_receive(struct stream_way *sw, unsigned int i,
				 size_t offset)
{
	struct doca_comch_consumer_task_post_recv *task;
	doca_error_t err;

	err = doca_buf_inventory_buf_get_by_addr(sw->in.inventory, sw->in.mmap,
						 sw->way.area->dst + offset,
						 sw->load.size,
						 &sw->in.bufs[i]);
	if (err == DOCA_SUCCESS)
		err = doca_comch_consumer_task_post_recv_alloc_init(
			sw->consumer, sw->in.bufs[i], &task);
	if (err == DOCA_SUCCESS)
		sw->in.tasks[i] =
			doca_comch_consumer_task_post_recv_as_task(task);
	return err;
}

static doca_error_t make_send(struct stream_way *sw, unsigned int i,
			      size_t offset)
{
	struct doca_comch_producer_task_send *task;
	doca_error_t err;

	err = doca_buf_inventory_buf_get_by_data(
		sw->out.inventory, sw->out.mmap, sw->way.area->src + offset,
		sw->load.size, &sw->out.bufs[i]);
	if (err == DOCA_SUCCESS)
		err = doca_comch_producer_task_send_alloc_init(
			sw->producer, sw->out.bufs[i], NULL, 0,
			sw->channel.near.consumer, &task);
	if (err == DOCA_SUCCESS)
		sw->out.tasks[i] = doca_comch_producer_task_send_as_task(task);
	return err;
}

static int make_tasks(struct stream_way *sw)
{
	unsigned int slots = area_slots(sw->way.area, &sw->load);
	doca_error_t err = DOCA_SUCCESS;
	unsigned int i;

	for (i = 0; i < sw->out.nr && err == DOCA_SUCCESS; i++)
		err = make_send(sw, i, i % slots * sw->load.size);
	for (i = 0; i < sw->in.nr && err == DOCA_SUCCESS; i++) {
		err = make_receive(sw, i, i % slots * sw->load.size);
		if (err == DOCA_SUCCESS)
			submit(&sw->channel.far, &sw->in, sw->in.tasks[i]);
	}
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot make a task");
	return 0;
}

static int open_ends(struct stream_way *sw)
{
	doca_error_t err = open_consumer(sw);

	if (err == DOCA_SUCCESS)
		err = open_producer(sw);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot open a consumer or a producer");
	return meet(sw) ? -1 : make_tasks(sw);
}

static void close_memory(struct stream_side *stream)
{
	unsigned int i;

	for (i = 0; stream->tasks && stream->bufs && i < stream->nr; i++) {
		if (stream->tasks[i])
			doca_task_free(stream->tasks[i]);
		if (stream->bufs[i])
			doca_buf_dec_refcount(stream->bufs[i], NULL);
	}
	free(stream->tasks);
	free(stream->bufs);
	if (stream->inventory)
		doca_buf_inventory_destroy(stream->inventory);
}

/* Posted buffers come back when the consumer begins to stop. */
static void stop(struct stream_side *stream, struct side *side)
{
	struct patience patience = { 0 };

	if (!stream->ctx)
		return;
	doca_ctx_stop(stream->ctx);
	while (stream->inflight && !patience_lost(&patience))
		doca_pe_progress(side->pe);
}

static void finish(struct stream_side *stream, struct side *side)
{
	enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;
	struct patience patience = { 0 };

	if (!stream->ctx)
		return;
	while (doca_ctx_get_state(stream->ctx, &state) == DOCA_SUCCESS &&
	       state != DOCA_CTX_STATE_IDLE && !patience_lost(&patience))
		doca_pe_progress(side->pe);
}

static void stream_close(struct way *way)
{
	struct stream_way *sw = container_of(way, struct stream_way, way);
	struct channel *channel = &sw->channel;

	sw->again = false;
	sw->closing = true;
	stop(&sw->out, &channel->near);
	stop(&sw->in, &channel->far);
	close_memory(&sw->out);
	close_memory(&sw->in);
	finish(&sw->out, &channel->near);
	finish(&sw->in, &channel->far);
	if (sw->producer)
		doca_comch_producer_destroy(sw->producer);
	if (sw->consumer)
		doca_comch_consumer_destroy(sw->consumer);
	if (sw->in.mmap)
		doca_mmap_destroy(sw->in.mmap);
	if (sw->out.mmap)
		doca_mmap_destroy(sw->out.mmap);
	channel_close(channel);
	stream_way_init(sw, way->area, channel->cpus, channel->idle_us);
}

static int stream_open(struct way *way, const struct load *load)
{
	struct stream_way *sw = container_of(way, struct stream_way, way);

	sw->load = *load;
	sw->out.nr = load->depth;
	sw->in.nr = BUFFERS * load->depth;
	if (channel_open(&sw->channel))
		return -1;
	if (!open_ends(sw))
		return 0;
	stream_close(way);
	return -1;
}

/* The callback of each task submits the next one. */
static int run_rate(struct stream_way *sw, struct meter *meter)
{
	unsigned int interval = clock_interval(sw->load.size);
	struct side *near = &sw->channel.near;
	unsigned int i, depth = sw->load.depth;
	uint64_t before = sw->done;
	double start, now;

	sw->again = true;
	start = clock_now();
	for (i = 0; i < depth; i++)
		submit(near, &sw->out, sw->out.tasks[(before + i) % depth]);
	do {
		if (side_await(near, &sw->done, sw->done + interval, false))
			return -1;
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = (sw->done - before) / (now - start);
	sw->again = false;
	return side_await(near, &sw->done, sw->done + sw->out.inflight, false);
}

static int stream_run(struct way *way, struct meter *meter)
{
	struct stream_way *sw = container_of(way, struct stream_way, way);
	int ret;

	sw->channel.sleeps = false;
	sw->channel.echoes = false;
	if (channel_run(&sw->channel))
		return -1;
	ret = run_rate(sw, meter);
	return channel_stop(&sw->channel) ? -1 : ret;
}

void stream_way_init(struct stream_way *sw, const struct area *area,
		     const struct cpus *cpus, uint32_t idle_us)
{
	*sw = (struct stream_way){
		.way = {
			.name = "doca_comch",
			.open = stream_open,
			.run = stream_run,
			.close = stream_close,
			.area = area,
		},
	};
	channel_init(&sw->channel, cpus, idle_us);
}
