/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A connection of comch_bed.h with a consumer or a producer. */
#ifndef DOCA_TESTS_COMCH_DATA_H
#define DOCA_TESTS_COMCH_DATA_H

#include "comch_bed.h"

#define DATA_TASKS 4

/* A consumer and a producer on the connection of a server, with the memory of bed.h. */
static struct data {
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;
	struct doca_comch_consumer_task_post_recv *received; /* freed tasks */
	uint32_t id;
	uint8_t imm[32];
	uint32_t imm_length;
	size_t length;
} data;

static inline void on_received(struct doca_comch_consumer_task_post_recv *task,
			       union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
	const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);

	(void)task_data, (void)ctx_data;
	data.id = doca_comch_consumer_task_post_recv_get_producer_id(task);
	data.imm_length = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	comch.status = doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task));
	record(comch.status == DOCA_SUCCESS ? 'S' : 'E');
	EXPECT_EQ(!imm, !data.imm_length);
	if (imm)
		memcpy(data.imm, imm, data.imm_length);
	doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
	if (!buf)
		return;
	OK(doca_buf_get_data_len(buf, &data.length));
	OK(doca_buf_dec_refcount(buf, NULL));
}

static inline void on_put(struct doca_comch_producer_task_send *task, union doca_data task_data,
			  union doca_data ctx_data)
{
	struct doca_task *base = doca_comch_producer_task_send_as_task(task);

	(void)task_data, (void)ctx_data;
	comch.status = doca_task_get_status(base);
	record(comch.status == DOCA_SUCCESS ? 'S' : 'E');
	doca_task_free(base);
}

static inline void make_memory(uint32_t access)
{
	OK(doca_mmap_create(&bed.mmap));
	OK(doca_mmap_set_memrange(bed.mmap, bed.mem, MEM_SIZE));
	OK(doca_mmap_set_permissions(bed.mmap, access));
	OK(doca_mmap_add_dev(bed.mmap, &fake_dev));
	OK(doca_mmap_start(bed.mmap));
	OK(doca_buf_inventory_create(2 * DATA_TASKS, &bed.inv));
	OK(doca_buf_inventory_start(bed.inv));
}

static inline void data_set_up(bool workers)
{
	start_server(workers);
	memset(&data, 0, sizeof(data));
	make_memory(DOCA_ACCESS_FLAG_PCI_READ_WRITE);
}

static inline void data_tear_down(void)
{
	if (data.ctx) {
		doca_ctx_stop(data.ctx);
		drain(bed.pe);
	}
	if (data.consumer)
		OK(doca_comch_consumer_destroy(data.consumer));
	if (data.producer)
		OK(doca_comch_producer_destroy(data.producer));
	OK(doca_buf_inventory_destroy(bed.inv));
	OK(doca_mmap_destroy(bed.mmap));
	comch_tear_down();
}

static inline void make_consumer(void)
{
	OK(doca_comch_consumer_create(comch.connection, bed.mmap, &data.consumer));
	OK(doca_comch_consumer_task_post_recv_set_conf(data.consumer, on_received, on_received,
						       DATA_TASKS));
	data.ctx = doca_comch_consumer_as_ctx(data.consumer);
	OK(doca_ctx_set_state_changed_cb(data.ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, data.ctx));
}

static inline void start_consumer(bool workers)
{
	data_set_up(workers);
	make_consumer();
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	drain(bed.pe);
	EXPECT_STR(took(), ".r");
}

static inline void make_producer(void)
{
	OK(doca_comch_producer_create(comch.connection, &data.producer));
	OK(doca_comch_producer_task_send_set_conf(data.producer, on_put, on_put, DATA_TASKS));
	data.ctx = doca_comch_producer_as_ctx(data.producer);
	OK(doca_ctx_set_state_changed_cb(data.ctx, on_state));
	OK(doca_pe_connect_ctx(bed.pe, data.ctx));
}

static inline void start_producer(bool workers)
{
	data_set_up(workers);
	make_producer();
	OK(doca_ctx_start(data.ctx));
	EXPECT_STR(took(), "r");
}

#endif /* DOCA_TESTS_COMCH_DATA_H */
