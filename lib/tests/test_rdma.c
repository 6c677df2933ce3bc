// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA tasks between two contexts on a fake device: what they move. */
#include "rdma_bed.h"

TEST(a_message_is_received)
{
	struct doca_rdma_task_receive *receive;
	struct doca_task *send, *task;

	rdma_begin();
	task = a_receive(a_buf(rb.mmap, 40000, 10, 100));
	submit(task);
	send = a_send(local_data(0, 60));
	EXPECT_STR(run_one(send), "RS");
	receive = rb.receive;
	EXPECT(!memcmp(bed.mem + 40010, bed.mem, 60));
	EXPECT_EQ(task_dst(task)->data_len, 70);
	EXPECT_EQ(doca_rdma_task_receive_get_result_len(receive), 60);
	EXPECT_EQ(doca_rdma_task_receive_get_result_opcode(receive), DOCA_RDMA_OPCODE_RECV_SEND);
	EXPECT_EQ(doca_rdma_task_receive_get_result_immediate_data(receive), 0);
	EXPECT(doca_rdma_task_receive_get_result_rdma_connection(receive) == rb.conn[1]);
	EXPECT(doca_rdma_task_receive_get_dst_buf(receive) == task_dst(task));
	EXPECT_EQ(hca.inlined, 1);
	drop(send);
	drop(task);
	rdma_end();
}

TEST(a_message_may_have_immediate_data_or_nothing_else)
{
	struct doca_task *send, *task;

	rdma_begin();
	task = a_receive(NULL);
	submit(task);
	send = a_send_imm(NULL, 0x12345678);
	EXPECT_STR(run_one(send), "RS");
	EXPECT_EQ(doca_rdma_task_receive_get_result_opcode(rb.receive),
		  DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
	EXPECT_EQ(doca_rdma_task_receive_get_result_immediate_data(rb.receive), 0x12345678);
	EXPECT_EQ(doca_rdma_task_receive_get_result_len(rb.receive), 0);
	drop(send);
	drop(task);
	rdma_end();
}

/* Elements without data are left out: a device may take them for something else. */
TEST(lists_are_gathered_and_scattered)
{
	struct doca_buf *src, *dst;
	struct doca_task *send, *task;

	rdma_begin();
	src = local_data(0, 1000);
	OK(doca_buf_chain_list(src, local_data(5000, 0)));
	OK(doca_buf_chain_list(src, local_data(6000, 500)));
	dst = local_room(40000, 700);
	OK(doca_buf_chain_list(dst, local_room(42000, 900)));
	task = a_receive(dst);
	submit(task);
	send = a_send(src);
	EXPECT_STR(run_one(send), "RS");
	EXPECT_EQ(wr_of(send)->send.num_sge, 2);
	EXPECT(!memcmp(bed.mem + 40000, bed.mem, 700));
	EXPECT(!memcmp(bed.mem + 42000, bed.mem + 700, 300));
	EXPECT(!memcmp(bed.mem + 42300, bed.mem + 6000, 500));
	EXPECT_EQ(dst->data_len, 700);
	EXPECT_EQ(dst->next->data_len, 800);
	EXPECT_EQ(hca.inlined, 0);
	drop(send);
	drop(task);
	rdma_end();
}

TEST(a_write_is_behind_the_peers_data)
{
	struct doca_task *task;

	rdma_begin();
	task = a_write(local_data(0, 300), a_buf(rb.peers, 40000, 20, 400));
	EXPECT_STR(run_one(task), "S");
	EXPECT(!memcmp(bed.mem + 40020, bed.mem, 300));
	EXPECT_EQ(task_dst(task)->data_len, 320);
	drop(task);
	task = a_write(NULL, NULL);
	EXPECT_STR(run_one(task), "S");
	drop(task);
	rdma_end();
}

TEST(a_write_with_immediate_data_takes_a_receive_and_nothing_of_its_buffer)
{
	struct doca_task *write, *task;

	rdma_begin();
	task = a_receive(local_room(50000, 8));
	submit(task);
	write = a_write_imm(local_data(0, 300), a_buf(rb.peers, 40000, 0, 400), 7);
	EXPECT_STR(run_one(write), "RS");
	EXPECT_EQ(doca_rdma_task_receive_get_result_opcode(rb.receive),
		  DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
	EXPECT_EQ(doca_rdma_task_receive_get_result_len(rb.receive), 300);
	EXPECT_EQ(doca_rdma_task_receive_get_result_immediate_data(rb.receive), 7);
	EXPECT_EQ(task_dst(task)->data_len, 0);
	EXPECT(!memcmp(bed.mem + 40000, bed.mem, 300));
	drop(write);
	drop(task);
	rdma_end();
}

TEST(a_read_fetches_the_peers_data)
{
	struct doca_buf *dst;
	struct doca_task *task;

	rdma_begin();
	dst = a_buf(rb.mmap, 40000, 5, 100);
	OK(doca_buf_chain_list(dst, local_room(41000, 500)));
	task = a_read(a_buf(rb.peers, 100, 300, 50), dst);
	EXPECT_STR(run_one(task), "S");
	EXPECT(!memcmp(bed.mem + 40005, bed.mem + 100, 100));
	EXPECT(!memcmp(bed.mem + 41000, bed.mem + 200, 200));
	EXPECT_EQ(dst->next->data_len, 200);
	EXPECT_EQ(doca_rdma_task_read_get_result_len((void *)task), 300);
	drop(task);
	rdma_end();
}

TEST(atomic_operations_return_what_was_there)
{
	uint64_t *word = (uint64_t *)(bed.mem + 40000), *result = (uint64_t *)(bed.mem + 41000);
	struct doca_task *task;

	rdma_begin();
	*word = 40;
	task = a_fetch_add(a_buf(rb.peers, 40000, 0, 8), local_room(41000, 16), 2);
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(*word, 42);
	EXPECT_EQ(*result, 40);
	EXPECT_EQ(task_dst(task)->data_len, 8);
	drop(task);
	task = a_cmp_swp(a_buf(rb.peers, 40000, 8, 0), local_room(41000, 8), 42, 7);
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(*word, 7);
	EXPECT_EQ(*result, 42);
	drop(task);
	task = a_cmp_swp(a_buf(rb.peers, 40000, 8, 0), local_room(41000, 8), 42, 9);
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(*word, 7);
	EXPECT_EQ(*result, 7);
	drop(task);
	rdma_end();
}

/* A task keeps what it was given, and can be given other values. */
TEST(values_of_tasks)
{
	struct doca_rdma_task_atomic_cmp_swp *swap;
	struct doca_rdma_task_atomic_fetch_add *add;
	struct doca_rdma_task_write_imm *write_imm;
	struct doca_rdma_task_send_imm *send_imm;
	struct doca_rdma_task_receive *receive;
	struct doca_rdma_task_write *write;
	struct doca_rdma_task_send *send;
	struct doca_rdma_task_read *read;
	struct doca_buf *a, *b;

	rdma_begin();
	a = local_data(0, 8);
	b = local_data(8, 8);
	receive = (void *)a_receive(a);
	doca_rdma_task_receive_set_dst_buf(receive, b);
	EXPECT(doca_rdma_task_receive_get_dst_buf(receive) == b);
	send = (void *)a_send(a);
	doca_rdma_task_send_set_src_buf(send, b);
	EXPECT(doca_rdma_task_send_get_src_buf(send) == b);
	send_imm = (void *)a_send_imm(a, 1);
	EXPECT_EQ(doca_rdma_task_send_imm_get_immediate_data(send_imm), 1);
	doca_rdma_task_send_imm_set_immediate_data(send_imm, 2);
	EXPECT_EQ(doca_rdma_task_send_imm_get_immediate_data(send_imm), 2);
	doca_rdma_task_send_imm_set_src_buf(send_imm, NULL);
	EXPECT(!doca_rdma_task_send_imm_get_src_buf(send_imm));
	write = (void *)a_write(a, b);
	doca_rdma_task_write_set_src_buf(write, b);
	doca_rdma_task_write_set_dst_buf(write, a);
	EXPECT(doca_rdma_task_write_get_src_buf(write) == b);
	EXPECT(doca_rdma_task_write_get_dst_buf(write) == a);
	write_imm = (void *)a_write_imm(a, b, 3);
	doca_rdma_task_write_imm_set_src_buf(write_imm, b);
	doca_rdma_task_write_imm_set_dst_buf(write_imm, a);
	doca_rdma_task_write_imm_set_immediate_data(write_imm, 4);
	EXPECT(doca_rdma_task_write_imm_get_src_buf(write_imm) == b);
	EXPECT(doca_rdma_task_write_imm_get_dst_buf(write_imm) == a);
	EXPECT_EQ(doca_rdma_task_write_imm_get_immediate_data(write_imm), 4);
	read = (void *)a_read(a, b);
	doca_rdma_task_read_set_src_buf(read, b);
	doca_rdma_task_read_set_dst_buf(read, a);
	EXPECT(doca_rdma_task_read_get_src_buf(read) == b);
	EXPECT(doca_rdma_task_read_get_dst_buf(read) == a);
	swap = (void *)a_cmp_swp(a, b, 5, 6);
	doca_rdma_task_atomic_cmp_swp_set_dst_buf(swap, b);
	doca_rdma_task_atomic_cmp_swp_set_result_buf(swap, a);
	EXPECT(doca_rdma_task_atomic_cmp_swp_get_dst_buf(swap) == b);
	EXPECT(doca_rdma_task_atomic_cmp_swp_get_result_buf(swap) == a);
	EXPECT_EQ(doca_rdma_task_atomic_cmp_swp_get_cmp_data(swap), 5);
	EXPECT_EQ(doca_rdma_task_atomic_cmp_swp_get_swap_data(swap), 6);
	doca_rdma_task_atomic_cmp_swp_set_cmp_data(swap, 7);
	doca_rdma_task_atomic_cmp_swp_set_swap_data(swap, 8);
	EXPECT_EQ(doca_rdma_task_atomic_cmp_swp_get_cmp_data(swap), 7);
	EXPECT_EQ(doca_rdma_task_atomic_cmp_swp_get_swap_data(swap), 8);
	add = (void *)a_fetch_add(a, b, 9);
	doca_rdma_task_atomic_fetch_add_set_dst_buf(add, b);
	doca_rdma_task_atomic_fetch_add_set_result_buf(add, a);
	EXPECT(doca_rdma_task_atomic_fetch_add_get_dst_buf(add) == b);
	EXPECT(doca_rdma_task_atomic_fetch_add_get_result_buf(add) == a);
	doca_rdma_task_atomic_fetch_add_set_add_data(add, 10);
	EXPECT_EQ(doca_rdma_task_atomic_fetch_add_get_add_data(add), 10);

#define CONNECTED(kind, task)                                          \
	doca_rdma_task_##kind##_set_rdma_connection(task, rb.conn[0]); \
	EXPECT(doca_rdma_task_##kind##_get_rdma_connection(task) == rb.conn[0])
	connect_both();
	CONNECTED(send, send);
	CONNECTED(send_imm, send_imm);
	CONNECTED(write, write);
	CONNECTED(write_imm, write_imm);
	CONNECTED(read, read);
	CONNECTED(atomic_cmp_swp, swap);
	CONNECTED(atomic_fetch_add, add);

#define FREE(kind, task) doca_task_free(doca_rdma_task_##kind##_as_task(task))
	FREE(receive, receive);
	FREE(send, send);
	FREE(send_imm, send_imm);
	FREE(write, write);
	FREE(write_imm, write_imm);
	FREE(read, read);
	FREE(atomic_cmp_swp, swap);
	FREE(atomic_fetch_add, add);
	put(a);
	put(b);
	rdma_end();
}

TEST(a_task_may_change_its_connection)
{
	struct doca_rdma_connection *first, *second;
	struct doca_rdma_task_send *send;
	struct doca_task *task, *base;

	rdma_begin();
	first = rb.conn[0];
	base = a_send(NULL);
	send = (void *)base;
	connect_both();
	second = rb.conn[0];
	EXPECT(doca_rdma_task_send_get_rdma_connection(send) == first);
	doca_rdma_task_send_set_rdma_connection(send, second);
	EXPECT(doca_rdma_task_send_get_rdma_connection(send) == second);
	doca_rdma_task_send_set_rdma_connection(send, rb.conn[1]);
	EXPECT_LOGGED("not one of RDMA context");
	EXPECT(doca_rdma_task_send_get_rdma_connection(send) == second);
	task = a_receive(NULL);
	submit(task);
	EXPECT_STR(run_one(base), "RS");
	EXPECT(doca_rdma_task_receive_get_result_rdma_connection(rb.receive) == rb.conn[1]);
	drop(base);
	drop(task);
	rdma_end();
}

/* A send queue has less room than there are tasks, and the device waits for the peer. */
TEST(what_has_no_room_waits_in_order)
{
	struct doca_task *receives[RDMA_NR];

	rdma_set_up();
	OK(doca_rdma_set_send_queue_size(rb.rdma[0], 3));
	rdma_start();
	connect_both();
	rb.then = drop;
	for (int i = 0; i < RDMA_NR; i++)
		submit(a_send(local_data(i, 1)));
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(hca.posted, 4);
	rb.then = NULL;
	for (int i = 0; i < RDMA_NR; i++) {
		receives[i] = a_receive(local_room(40000 + i, 1));
		rb.then = NULL;
		submit(receives[i]);
	}
	rb.then = drop;
	drain(bed.pe);
	EXPECT_EQ(hca.posted, RDMA_NR);
	EXPECT(!memcmp(bed.mem + 40000, bed.mem, RDMA_NR));
	rdma_end();
}

TEST(held_back_tasks_are_posted_by_one_call)
{
	rdma_begin();
	rb.then = drop;
	for (int i = 0; i < 5; i++)
		OK(doca_task_submit_ex(a_write(local_data(i, 1), a_buf(rb.peers, 40000 + i, 0, 1)),
				       0));
	EXPECT_EQ(hca.posts, 0);
	doca_ctx_flush_tasks(ctx_of(0));
	EXPECT_EQ(hca.posts, 1);
	EXPECT_EQ(hca.posted, 5);
	EXPECT_EQ(drain(bed.pe), 5);
	EXPECT(!memcmp(bed.mem + 40000, bed.mem, 5));
	rdma_end();
}

/* Also behind tasks for which there was no room before. */
TEST(held_back_tasks_are_posted_as_soon_as_there_is_room)
{
	rdma_set_up();
	OK(doca_rdma_set_send_queue_size(rb.rdma[0], 8));
	rdma_start();
	connect_both();
	rb.then = drop;
	hca.keeps = true;
	for (int i = 0; i < 9; i++)
		submit(a_write(local_data(i, 1), a_buf(rb.peers, 40000 + i, 0, 1)));
	EXPECT_EQ(hca.posted, 8);
	hca.keeps = false;
	for (int i = 0; i < 100 && rb.nr < 2; i++)
		doca_pe_progress(bed.pe);
	EXPECT_EQ(rb.nr, 2);
	EXPECT_EQ(hca.posted, 8); /* few are not worth a call */
	OK(doca_task_submit_ex(a_write(local_data(0, 1), a_buf(rb.peers, 50000, 0, 1)), 0));
	doca_ctx_flush_tasks(ctx_of(0));
	EXPECT_EQ(hca.posted, 10);
	drain(bed.pe);
	EXPECT_EQ(rb.nr, 10);
	rdma_end();
}

static struct doca_task *order[8];
static unsigned int order_nr;

static void note_order(struct doca_task *task)
{
	order[order_nr++] = task;
}

/* Tasks on the short path and on the long one, flushed and held back, end as they were submitted. */
TEST(plain_tasks_and_others_keep_their_order)
{
	struct doca_task *tasks[8];
	struct doca_buf *src;
	unsigned int i;

	rdma_begin();
	EXPECT_STR(run_one(a_write(local_data(0, 1), a_buf(rb.peers, 30000, 0, 1))), "S");
	drop(rb.task);
	rb.then = note_order;
	order_nr = 0;
	hca.holds = true;
	for (i = 0; i < 8; i++) {
		src = local_data(i, 1);
		if (i % 3 == 1)
			OK(doca_buf_chain_list(src, local_data(100 + i, 1)));
		tasks[i] = a_write(src, a_buf(rb.peers, 40000 + 2 * i, 0, 2));
		OK(doca_task_submit_ex(tasks[i], i % 4 == 1 ? 0 : DOCA_TASK_SUBMIT_FLAG_FLUSH));
		EXPECT_EQ(hca.posted, 1 + i + (i % 4 != 1));
		if (i % 2) /* the task has it until it ends */
			OK(doca_buf_dec_refcount(src, NULL));
	}
	hca.holds = false;
	hca_go();
	EXPECT_EQ(drain(bed.pe), 8);
	for (i = 0; i < 8; i++) {
		size_t len = 1 + (i % 3 == 1), now = 0;

		EXPECT(order[i] == tasks[i]);
		EXPECT_EQ(doca_task_get_status(tasks[i]), DOCA_SUCCESS);
		OK(doca_buf_get_data_len(task_dst(tasks[i]), &now));
		EXPECT_EQ(now, len);
		EXPECT_EQ(bed.mem[40000 + 2 * i], bed.mem[i]);
		put(task_dst(tasks[i]));
		if (i % 2 == 0)
			put(task_src(tasks[i]));
		doca_task_free(tasks[i]);
	}
	rdma_end();
}

/* The memory of buffers is registered by the first task, and once. */
TEST(memory_is_registered_when_it_is_used)
{
	struct doca_mmap *mmap;
	struct doca_task *task;

	rdma_begin();
	mmap = new_rdma_mmap(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	EXPECT_EQ(hca.mrs, 1);
	for (int i = 0; i < 2; i++) {
		task = a_write(a_buf(mmap, 0, 8, 0), a_buf(rb.peers, 40000, 0, 8));
		EXPECT_STR(run_one(task), "S");
		EXPECT_EQ(hca.mrs, 2);
		drop(task);
	}
	OK(doca_mmap_destroy(mmap));
	rdma_end();
}

TEST(a_device_without_room_for_data_in_its_entries)
{
	struct doca_task *task;

	rdma_set_up();
	hca.no_inline = true;
	rdma_start();
	connect_both();
	task = a_write(local_data(0, 8), a_buf(rb.peers, 40000, 0, 8));
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(hca.inlined, 0);
	drop(task);
	rdma_end();
}

/* The engine's descriptor is readable when a completion has come, also before the wait. */
TEST(completions_end_a_wait)
{
	struct doca_task *task;

	rdma_begin();
	task = a_write(local_data(0, 8), a_buf(rb.peers, 40000, 0, 8));
	hca.holds = true;
	for (int i = 0; i < 100; i++) {
		submit(task);
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
		OK(doca_task_get_status(task));
		begin_wait();
		hca_run(1);
		woken();
		EXPECT_EQ(drain(bed.pe), 1);
		OK(doca_buf_reset_data_len(task_dst(task)));
	}
	submit(task);
	hca_run(1);
	arm();
	EXPECT(wakes());
	clear();
	EXPECT_EQ(drain(bed.pe), 1);
	hca.holds = false;
	drop(task);
	rdma_end();
}

/* Tasks that the device does not get end a wait that was requested before. */
TEST(tasks_that_end_here_end_a_wait)
{
	struct doca_rdma_connection *first;

	rdma_begin();
	first = rb.conn[0];
	connect_both();
	rb.then = drop;
	begin_wait();
	submit(a_write(local_data(0, 8), NULL));
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	rb.conn[0] = first;
	begin_wait();
	OK(doca_task_submit_ex(a_send(NULL), 0));
	OK(doca_rdma_connection_disconnect(first));
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(rb.status, DOCA_ERROR_SHUTDOWN);
	logged();
	rdma_end();
}
