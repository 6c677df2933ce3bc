// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Consumers and producers: buffers, entries, and waits. */
#include "comch_data.h"

static struct doca_buf *a_buf(size_t length, bool has_data)
{
	struct doca_buf *buf = NULL;

	if (has_data)
		OK(doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, bed.mem, length, &buf));
	else
		OK(doca_buf_inventory_buf_get_by_addr(bed.inv, bed.mmap, bed.mem, length, &buf));
	return buf;
}

static struct doca_comch_consumer_task_post_recv *post(struct doca_buf *buf)
{
	struct doca_comch_consumer_task_post_recv *task = NULL;

	OK(doca_comch_consumer_task_post_recv_alloc_init(data.consumer, NULL, &task));
	EXPECT(!doca_comch_consumer_task_post_recv_get_buf(task));
	doca_comch_consumer_task_post_recv_set_buf(task, buf);
	OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	return task;
}

TEST(a_buffer_is_filled)
{
	struct doca_event event = { .id = 9, .imm_length = 3, .imm = "imm" };

	start_consumer(true);
	for (int i = 0; i < 100; i++) {
		post(a_buf(64, false));
		drain(bed.pe);
		EXPECT(fake_received(&data.ctx->queue, event, "some data"));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(data.length, 9);
		EXPECT_EQ(data.id, 9);
		EXPECT_EQ(data.imm_length, 3);
		EXPECT(!memcmp(data.imm, "imm", 3));
		EXPECT(!memcmp(bed.mem, "some data", 9));
	}
	/* Calls are made only if a producer waits for a buffer. */
	EXPECT_EQ(fake.enters, 100);
	find(&data.ctx->queue)->kernel->need_wakeup = 0;
	post(a_buf(64, false));
	drain(bed.pe);
	EXPECT_EQ(fake.enters, 100);
	data_tear_down();
}

TEST(a_buffer_whose_producer_has_died_is_offered_again)
{
	struct doca_event back = { .status = DOCA_STATUS_CANCELED };

	start_consumer(true);
	post(a_buf(64, false));
	EXPECT(fake_received(&data.ctx->queue, back, NULL));
	drain(bed.pe);
	EXPECT_STR(took(), "");
	EXPECT(fake_received(&data.ctx->queue, (struct doca_event){ .id = 1 }, "again"));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(data.length, 5);
	data_tear_down();
}

TEST(buffers_are_given_back_also_of_tasks_that_were_freed)
{
	struct doca_buf *buf;
	int i;

	start_consumer(true);
	for (i = 0; i < DATA_TASKS; i++) {
		buf = a_buf(64, false);
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(post(buf)));
	}
	ERR(doca_ctx_stop(data.ctx), IN_PROGRESS);
	drain(bed.pe);
	EXPECT_STR(took(), "sEEEEi");
	EXPECT_EQ(comch.status, DOCA_ERROR_SHUTDOWN);
	EXPECT_EQ(data.id, 0);
	data_tear_down();
}

TEST(the_end_of_its_memory_ends_a_consumer)
{
	start_consumer(true);
	post(a_buf(64, false));
	logged();
	fake_event(&data.ctx->queue,
		   (struct doca_event){ .type = DOCA_EVENT_DISCONNECTED,
					.status = DOCA_STATUS_BAD_KEY },
		   NULL);
	drain(bed.pe);
	EXPECT_LOGGED("its mmap was stopped");
	EXPECT_STR(took(), "sEi");
	data_tear_down();
}

TEST(memory_that_is_lost_ends_a_consumer)
{
	struct doca_event lost = { .status = DOCA_STATUS_BAD_MEMORY };

	start_consumer(true);
	post(a_buf(64, false));
	EXPECT(fake_received(&data.ctx->queue, lost, NULL));
	drain(bed.pe);
	EXPECT_STR(took(), "Esi");
	EXPECT_EQ(comch.status, DOCA_ERROR_IO_FAILED);
	EXPECT_LOGGED("a buffer cannot be filled");
	data_tear_down();
}

TEST(a_buffer_that_cannot_be_filled_ends_a_consumer)
{
	struct doca_comch_consumer_task_post_recv *task;
	struct doca_mmap *other;
	struct doca_buf *buf;
	char mem[64];

	start_consumer(true);
	post(a_buf(64, false));
	OK(doca_mmap_create(&other));
	OK(doca_mmap_set_memrange(other, mem, sizeof(mem)));
	OK(doca_mmap_add_dev(other, &fake_dev));
	OK(doca_mmap_start(other));
	OK(doca_buf_inventory_buf_get_by_addr(bed.inv, other, mem, sizeof(mem), &buf));
	OK(doca_comch_consumer_task_post_recv_alloc_init(data.consumer, buf, &task));
	FAILS(doca_task_try_submit(doca_comch_consumer_task_post_recv_as_task(task)), INVALID_VALUE,
	      "not in the mmap of its consumer");
	OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	doca_pe_progress(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(comch.status, DOCA_ERROR_INVALID_VALUE);
	drain(bed.pe);
	EXPECT_STR(took(), "sEi");
	OK(doca_mmap_destroy(other));
	/* A task without a buffer fails, too. */
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	drain(bed.pe);
	post(NULL);
	drain(bed.pe);
	EXPECT_STR(took(), ".rEsi");
	EXPECT_EQ(comch.status, DOCA_ERROR_INVALID_VALUE);
	data_tear_down();
}

TEST(allocations_of_consumers)
{
	struct doca_comch_consumer_task_post_recv *tasks[DATA_TASKS], *more;
	int i;

	start_consumer(true);
	for (i = 0; i < DATA_TASKS; i++)
		OK(doca_comch_consumer_task_post_recv_alloc_init(data.consumer, NULL, &tasks[i]));
	ERR(doca_comch_consumer_task_post_recv_alloc_init(data.consumer, NULL, &more), NO_MEMORY);
	for (i = 0; i < DATA_TASKS; i++)
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(tasks[i]));
	doca_ctx_stop(data.ctx);
	drain(bed.pe);
	ERR(doca_comch_consumer_task_post_recv_alloc_init(data.consumer, NULL, &more), BAD_STATE);
	data_tear_down();
}

TEST(producers_are_created)
{
	struct doca_comch_producer *producer;
	uint32_t id;

	data_set_up(false);
	EXPECT_FAULTS(FAULT_ALLOC, doca_comch_producer_create(comch.connection, &producer),
		      NO_MEMORY, OK(doca_comch_producer_destroy(producer)));
	fake.query_error = -EIO;
	ERR(doca_comch_producer_create(comch.connection, &producer), DRIVER);
	fake.query_error = -ENOENT;
	ERR(doca_comch_producer_create(comch.connection, &producer), NOT_SUPPORTED);
	fake.query_error = 0;
	make_producer();
	ERR(doca_comch_producer_set_dev_max_num_send(data.producer, 1), NOT_SUPPORTED);
	ERR(doca_comch_producer_dpa_completion_attach(data.producer, (void *)&rep), NOT_SUPPORTED);
	ERR(doca_comch_producer_get_dpa_handle(data.producer, (void *)&id), NOT_SUPPORTED);
	ERR(doca_comch_producer_task_send_set_conf(data.producer, on_put, on_put, 8193),
	    INVALID_VALUE);
	FAILS(doca_comch_producer_get_id(data.producer, &id), BAD_STATE, "not started");
	OK(doca_ctx_start(data.ctx));
	OK(doca_comch_producer_get_id(data.producer, &id));
	EXPECT_EQ(id, fake_inbox.attach.out_id);
	EXPECT_EQ(fake_inbox.attach.role, DOCA_ATTACH_PRODUCER);
	EXPECT_EQ(fake.attr.ops, 1);
	ERR(doca_comch_producer_task_send_set_conf(data.producer, on_put, on_put, 1), BAD_STATE);
	ERR(doca_comch_producer_destroy(data.producer), IN_USE);
	data_tear_down();
}

TEST(entries_of_producers)
{
	static uint8_t imm[] = "0123456789abcdef0123456789abcdef";
	struct doca_comch_producer_task_send *task;
	struct doca_task *base;
	struct doca_buf *buf;

	start_producer(true);
	buf = a_buf(100, true);
	OK(doca_comch_producer_task_send_alloc_init(data.producer, buf, imm, 32, 7, &task));
	base = doca_comch_producer_task_send_as_task(task);
	EXPECT(doca_comch_producer_task_send_get_buf(task) == buf);
	EXPECT(doca_comch_producer_task_send_get_imm_data(task) == imm);
	EXPECT_EQ(doca_comch_producer_task_send_get_imm_data_len(task), 32);
	EXPECT_EQ(doca_comch_producer_task_send_get_consumer_id(task), 7);
	OK(doca_task_try_submit(base));
	fake_work(1);
	EXPECT_EQ(fake_inbox.sent.aux, 7);
	EXPECT_EQ(fake_inbox.sent.flags, 32 << DOCA_SQE_IMM_SHIFT);
	EXPECT_EQ(fake_inbox.sent.src.length, 100);
	EXPECT_EQ(fake_inbox.sent.src.address, (uintptr_t)bed.mem);
	EXPECT(!memcmp(&fake_inbox.sent.dst, imm, 32));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	/* Send immediate data alone, to an id that cannot exist. */
	OK(doca_comch_producer_task_send_alloc_init(data.producer, NULL, NULL, 0, 0, &task));
	base = doca_comch_producer_task_send_as_task(task);
	doca_comch_producer_task_send_set_imm_data(task, imm, 2);
	doca_comch_producer_task_send_set_consumer_id(task, 65537);
	OK(doca_task_try_submit(base));
	fake_work(1);
	EXPECT_EQ(fake_inbox.sent.aux, 0);
	EXPECT_EQ(fake_inbox.sent.src.length, 0);
	EXPECT_EQ(fake_inbox.sent.flags, 2 << DOCA_SQE_IMM_SHIFT);
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	/* Only the other side may refuse it. */
	OK(doca_comch_producer_task_send_alloc_init(data.producer, NULL, imm, 1, 1, &task));
	doca_comch_producer_task_send_set_buf(task, buf);
	fake.status = DOCA_STATUS_NO_CONSUMER;
	OK(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
	fake_work(1);
	drain(bed.pe);
	EXPECT_STR(took(), "E");
	EXPECT_EQ(comch.status, DOCA_ERROR_NOT_CONNECTED);
	EXPECT_EQ(fake.enters, 0);
	OK(doca_buf_dec_refcount(buf, NULL));
	data_tear_down();
}

TEST(allocations_of_producers)
{
	struct doca_comch_producer_task_send *tasks[DATA_TASKS], *more;
	static uint8_t imm[33];
	int i;

	start_producer(true);
	FAILS(doca_comch_producer_task_send_alloc_init(data.producer, NULL, imm, 33, 1, &more),
	      INVALID_VALUE, "not 33");
	FAILS(doca_comch_producer_task_send_alloc_init(data.producer, NULL, NULL, 1, 1, &more),
	      INVALID_VALUE, "at NULL");
	for (i = 0; i < DATA_TASKS; i++)
		OK(doca_comch_producer_task_send_alloc_init(data.producer, NULL, NULL, 0, 1,
							    &tasks[i]));
	ERR(doca_comch_producer_task_send_alloc_init(data.producer, NULL, NULL, 0, 1, &more),
	    NO_MEMORY);
	doca_comch_producer_task_send_set_imm_data(tasks[0], imm, 33);
	EXPECT_EQ(doca_comch_producer_task_send_get_imm_data_len(tasks[0]), 0);
	for (i = 0; i < DATA_TASKS; i++)
		doca_task_free(doca_comch_producer_task_send_as_task(tasks[i]));
	doca_ctx_stop(data.ctx);
	drain(bed.pe);
	ERR(doca_comch_producer_task_send_alloc_init(data.producer, NULL, NULL, 0, 1, &more),
	    BAD_STATE);
	data_tear_down();
}

TEST(waits_of_consumers_and_producers_end)
{
	start_consumer(true);
	find(&data.ctx->queue)->kernel->need_wakeup = 0;
	post(a_buf(64, false));
	begin_wait();
	EXPECT(fake_received(&data.ctx->queue, (struct doca_event){ .id = 1 }, "x"));
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	data_tear_down();
	start_producer(true);
	begin_wait();
	fake_disconnected(&data.ctx->queue, 1);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "si");
	data_tear_down();
}

TEST(a_wait_ends_when_a_consumer_has_something_to_do)
{
	/* Its start, a task in vain, and its end. */
	data_set_up(true);
	make_consumer();
	begin_wait();
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), ".r");
	begin_wait();
	post(NULL);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "Esi");
	data_tear_down();
	start_consumer(true);
	post(a_buf(64, false));
	begin_wait();
	ERR(doca_ctx_stop(data.ctx), IN_PROGRESS);
	woken();
	drain(bed.pe);
	EXPECT_STR(took(), "sEi");
	data_tear_down();
}
