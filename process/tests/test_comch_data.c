// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Producers and consumers, with libdoca_comch and the real driver code. */
#include <pthread.h>

#include "comch_bed.h"

#define LENGTH (1 << 20)
#define TASKS 16

/* The memory of one end, with a consumer and a producer. */
struct side {
	struct end *end;
	char *mem;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inv;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *in, *out;
	uint32_t id, producer_id; /* ids of its consumer and producer */
	unsigned int received, recv_failed, sent, send_failed;
	doca_error_t status;
	size_t bytes;
	uint32_t from; /* id of the last sender */
	uint8_t imm[32];
	uint32_t imm_length;
	struct doca_buf *last;
};

static struct side sides[2];

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data,
			union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);
	struct side *side = ctx_data.ptr;
	size_t length = 0;

	(void)task_data;
	side->imm_length = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	side->from = doca_comch_consumer_task_post_recv_get_producer_id(task);
	EXPECT_EQ(!imm, !side->imm_length);
	if (imm)
		memcpy(side->imm, imm, side->imm_length);
	if (doca_task_get_status(base) == DOCA_SUCCESS) {
		side->received++;
		OK(doca_buf_get_data_len(buf, &length));
		side->bytes += length;
	} else if (!side->recv_failed++) {
		side->status = doca_task_get_status(base);
	}
	doca_task_free(base);
	doca_buf_dec_refcount(buf, NULL);
}

static void on_put(struct doca_comch_producer_task_send *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	struct doca_buf *buf = (struct doca_buf *)doca_comch_producer_task_send_get_buf(task);
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);
	struct side *side = ctx_data.ptr;

	(void)task_data;
	if (doca_task_get_status(base) == DOCA_SUCCESS)
		side->sent++;
	else if (!side->send_failed++)
		side->status = doca_task_get_status(base);
	doca_task_free(base);
	if (buf)
		doca_buf_dec_refcount(buf, NULL);
}

static void make_memory(struct side *side, uint32_t access)
{
	uint32_t i;

	side->mem = aligned_alloc(4096, 2 * LENGTH);
	for (i = 0; i < LENGTH; i++)
		side->mem[i] = (i * 31) ^ (i >> 8);
	memset(side->mem + LENGTH, 0, LENGTH);
	OK(doca_mmap_create(&side->mmap));
	OK(doca_mmap_set_memrange(side->mmap, side->mem, 2 * LENGTH));
	OK(doca_mmap_set_permissions(side->mmap, access));
	OK(doca_mmap_add_dev(side->mmap, side->end->dev));
	OK(doca_mmap_start(side->mmap));
	OK(doca_buf_inventory_create(2 * TASKS, &side->inv));
	OK(doca_buf_inventory_start(side->inv));
}

static void make_consumer(struct side *side, struct doca_pe *pe)
{
	union doca_data self = { .ptr = side };

	OK(doca_comch_consumer_create(side->end->connection, side->mmap, &side->consumer));
	side->in = doca_comch_consumer_as_ctx(side->consumer);
	OK(doca_comch_consumer_set_imm_data_len(side->consumer, 32));
	OK(doca_comch_consumer_task_post_recv_set_conf(side->consumer, on_received, on_received,
						       TASKS));
	OK(doca_ctx_set_user_data(side->in, self));
	OK(doca_pe_connect_ctx(pe, side->in));
	ERR(doca_ctx_start(side->in), IN_PROGRESS);
}

static void make_producer(struct side *side, struct doca_pe *pe)
{
	union doca_data self = { .ptr = side };

	OK(doca_comch_producer_create(side->end->connection, &side->producer));
	side->out = doca_comch_producer_as_ctx(side->producer);
	OK(doca_comch_producer_task_send_set_conf(side->producer, on_put, on_put, TASKS));
	OK(doca_ctx_set_user_data(side->out, self));
	OK(doca_pe_connect_ctx(pe, side->out));
	OK(doca_ctx_start(side->out));
	OK(doca_comch_producer_get_id(side->producer, &side->producer_id));
}

static enum doca_ctx_states ctx_state(const struct doca_ctx *ctx)
{
	enum doca_ctx_states state = -1;

	OK(doca_ctx_get_state(ctx, &state));
	return state;
}

static void open_sides(void)
{
	int i;

	open_both();
	sides[0] = (struct side){ .end = &server };
	sides[1] = (struct side){ .end = &client };
	for (i = 0; i < 2; i++) {
		make_memory(&sides[i], DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		make_consumer(&sides[i], sides[i].end->pe);
		make_producer(&sides[i], sides[i].end->pe);
	}
	for (i = 0; i < 2; i++) {
		await(ctx_state(sides[i].in) == DOCA_CTX_STATE_RUNNING);
		OK(doca_comch_consumer_get_id(sides[i].consumer, &sides[i].id));
		await(sides[!i].end->new_consumers == 1);
		EXPECT_EQ(sides[!i].end->consumers[0], sides[i].id);
		EXPECT(sides[i].id > 0);
	}
}

static void destroy_parts(struct side *side)
{
	doca_ctx_stop(side->in);
	doca_ctx_stop(side->out);
	await(ctx_state(side->in) == DOCA_CTX_STATE_IDLE &&
	      ctx_state(side->out) == DOCA_CTX_STATE_IDLE);
	OK(doca_comch_consumer_destroy(side->consumer));
	OK(doca_comch_producer_destroy(side->producer));
	OK(doca_buf_inventory_destroy(side->inv));
	OK(doca_mmap_destroy(side->mmap));
	free(side->mem);
}

static void close_sides(void)
{
	destroy_parts(&sides[0]);
	destroy_parts(&sides[1]);
	close_both();
}

static void post(struct side *side, size_t offset, size_t length)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_buf *buf;

	OK(doca_buf_inventory_buf_get_by_addr(side->inv, side->mmap, side->mem + LENGTH + offset,
					      length, &buf));
	OK(doca_comch_consumer_task_post_recv_alloc_init(side->consumer, buf, &task));
	OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
}

static void put(struct side *side, size_t offset, size_t length, const char *imm, uint32_t id)
{
	struct doca_comch_producer_task_send *task;
	struct doca_buf *buf = NULL;

	if (length)
		OK(doca_buf_inventory_buf_get_by_data(side->inv, side->mmap, side->mem + offset,
						      length, &buf));
	OK(doca_comch_producer_task_send_alloc_init(side->producer, buf, (uint8_t *)imm,
						    imm ? strlen(imm) : 0, id, &task));
	OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
}

TEST(data_both_ways)
{
	static const size_t lengths[] = { 1, 64, 4096, 4097, 300000 };
	size_t i, k, total = 0;

	open_sides();
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		total += lengths[i];
		for (k = 0; k < 2; k++) {
			struct side *to = &sides[k], *from = &sides[!k];

			post(to, i, LENGTH - i);
			put(from, i, lengths[i], "immediate", to->id);
			await(to->received == i + 1 && from->sent == i + 1);
			EXPECT_EQ(to->bytes, total);
			EXPECT_EQ(to->from, from->producer_id);
			EXPECT_EQ(to->imm_length, 9);
			EXPECT(!memcmp(to->imm, "immediate", 9));
			EXPECT(!memcmp(to->mem + LENGTH + i, from->mem + i, lengths[i]));
		}
	}
	close_sides();
}

TEST(immediate_data_alone)
{
	open_sides();
	post(&sides[0], 0, 8);
	put(&sides[1], 0, 0, "0123456789abcdef0123456789abcdef", sides[0].id);
	await(sides[0].received == 1 && sides[1].sent == 1);
	EXPECT_EQ(sides[0].bytes, 0);
	EXPECT_EQ(sides[0].imm_length, 32);
	close_sides();
}

#define MESSAGES 2000

static struct doca_pe *pes[2]; /* progress engines of the threads */
static uint32_t consumer_id; /* 0 until it is known */

static void *receive(void *arg)
{
	struct side *side = arg;
	unsigned int posted = 0;

	make_consumer(side, pes[0]);
	while (side->received < MESSAGES) {
		if (ctx_state(side->in) == DOCA_CTX_STATE_RUNNING && posted < MESSAGES &&
		    posted < side->received + TASKS)
			post(side, posted++ % TASKS * 64, 64);
		doca_pe_progress(pes[0]);
	}
	return NULL;
}

static void *transmit(void *arg)
{
	struct side *side = arg;
	unsigned int begun = 0;
	uint32_t id;

	make_producer(side, pes[1]);
	while (side->sent < MESSAGES) {
		id = __atomic_load_n(&consumer_id, __ATOMIC_ACQUIRE);
		if (id && begun < MESSAGES && begun < side->sent + TASKS)
			put(side, begun++ % TASKS * 64, 64, "imm", id);
		doca_pe_progress(pes[1]);
	}
	return NULL;
}

/* The connection, the consumer and the producer each belong to another thread. */
TEST(producers_and_consumers_in_threads_of_their_own)
{
	pthread_t threads[2];
	unsigned int i;

	open_both();
	consumer_id = 0;
	sides[0] = (struct side){ .end = &server };
	sides[1] = (struct side){ .end = &client };
	for (i = 0; i < 2; i++) {
		make_memory(&sides[i], DOCA_ACCESS_FLAG_PCI_READ_WRITE);
		OK(doca_pe_create(&pes[i]));
	}
	ASSERT(!pthread_create(&threads[0], NULL, receive, &sides[0]));
	ASSERT(!pthread_create(&threads[1], NULL, transmit, &sides[1]));
	await(client.new_consumers == 1);
	__atomic_store_n(&consumer_id, client.consumers[0], __ATOMIC_RELEASE);
	for (i = 0; i < MESSAGES; i++) {
		send_number(&client, i, 64);
		await(server.received == i + 1);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(sides[0].bytes, MESSAGES * 64);
	EXPECT_EQ(sides[0].recv_failed + sides[1].send_failed, 0);
	/* Stop them here, as their threads no longer use them. */
	doca_ctx_stop(sides[0].in);
	doca_ctx_stop(sides[1].out);
	while (ctx_state(sides[0].in) != DOCA_CTX_STATE_IDLE ||
	       ctx_state(sides[1].out) != DOCA_CTX_STATE_IDLE) {
		doca_pe_progress(pes[0]);
		doca_pe_progress(pes[1]);
	}
	OK(doca_comch_consumer_destroy(sides[0].consumer));
	OK(doca_comch_producer_destroy(sides[1].producer));
	for (i = 0; i < 2; i++) {
		OK(doca_pe_destroy(pes[i]));
		OK(doca_buf_inventory_destroy(sides[i].inv));
		OK(doca_mmap_destroy(sides[i].mmap));
		free(sides[i].mem);
	}
	close_both();
}
