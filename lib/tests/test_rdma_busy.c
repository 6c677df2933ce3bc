// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Ends that the library makes by itself, while a fake device always has completions. */
#include "rdma_bed.h"

#define ROUNDS 1000
#define BEGIN 20 /* the round in which there is something to end */
#define SOON (4 * RDMA_NR + BEGIN) /* completions that may be there before */

static struct {
	unsigned int round, ended_in;
	struct doca_rdma_connection *gone;
	struct doca_task *late;
} busy;

static void go_on(struct doca_task *task)
{
	if (busy.round < ROUNDS)
		submit(task);
	else
		drop(task);
}

static void keep_busy(void (*then)(struct doca_task *task))
{
	busy.round = 0;
	busy.ended_in = 0;
	rb.then = then;
	for (int i = 0; i < RDMA_NR / 2; i++)
		submit(a_receive(NULL));
	for (int i = 0; i < RDMA_NR / 2; i++)
		submit(a_send(NULL));
	drain(bed.pe);
}

static void export_soon(struct doca_task *task)
{
	struct doca_rdma_connection *connection;
	const void *details;
	size_t size;

	if (++busy.round == BEGIN)
		OK(doca_rdma_connection_disconnect(busy.gone));
	if (busy.round >= BEGIN && !busy.ended_in &&
	    doca_rdma_export(rb.rdma[1], &details, &size, &connection) == DOCA_SUCCESS)
		busy.ended_in = busy.round;
	go_on(task);
}

TEST(a_connection_leaves_its_place)
{
	rdma_set_up();
	OK(doca_rdma_set_max_num_connections(rb.rdma[1], 2));
	rdma_start();
	connect_both();
	busy.gone = rb.conn[1];
	connect_both();
	keep_busy(export_soon);
	EXPECT(busy.ended_in);
	EXPECT(busy.ended_in < SOON);
	logged();
	rdma_end();
}

static void refuse_soon(struct doca_task *task)
{
	busy.round++;
	if (task == busy.late) {
		busy.ended_in = busy.round;
		drop(task);
		return;
	}
	if (busy.round == BEGIN)
		submit(busy.late);
	go_on(task);
}

TEST(a_task_that_is_refused_ends)
{
	rdma_begin();
	busy.late = a_send(NULL);
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	connect_both();
	keep_busy(refuse_soon);
	EXPECT(busy.ended_in);
	EXPECT(busy.ended_in < SOON);
	logged();
	rdma_end();
}

/* A program that submits it again at once does not keep the others from their ends. */
static void insist(struct doca_task *task)
{
	if (task != busy.late)
		busy.round++;
	else
		busy.ended_in++;
	go_on(task);
}

TEST(a_task_that_is_refused_again_and_again_lets_others_end)
{
	rdma_begin();
	busy.late = a_send(NULL);
	OK(doca_rdma_connection_disconnect(rb.conn[0]));
	connect_both();
	submit(busy.late);
	keep_busy(insist);
	EXPECT(busy.round >= ROUNDS);
	EXPECT(busy.ended_in);
	logged();
	rdma_end();
}
