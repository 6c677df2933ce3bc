// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * rdma_instructions WHAT TASKS BATCH: runs tasks of RDMA on a fake device, for callgrind to count
 * the library's instructions. WHAT is write, send, receive, or idle, which is calls of progress
 * that find nothing while a task is in flight. The fake's functions are left out of the count.
 */
#define main ktap_main
#include "ktap.h"
#undef main

#include "rdma_bed.h"

#define SIZE 64

static struct doca_task *tasks[RDMA_NR];
static unsigned int ended_nr;

static void count(struct doca_task *task)
{
	(void)task;
	ended_nr++;
}

static void make_tasks(const char *what)
{
	for (unsigned int i = 0; i < RDMA_NR; i++) {
		size_t off = i * SIZE;

		if (*what == 'r')
			tasks[i] = a_receive(local_room(off, SIZE));
		else if (*what == 's')
			tasks[i] = a_send(local_data(off, SIZE));
		else
			tasks[i] = a_write(local_data(off, SIZE),
					   a_buf(rb.peers, MEM_SIZE / 2 + off, 0, SIZE));
	}
}

/* A message comes for each receive, from nowhere. */
static void messages_come(unsigned int n)
{
	static char data[SIZE];
	struct hca_send send = { .wr.opcode = IBV_WR_SEND };

	while (n--)
		EXPECT_EQ(hca_receive((struct hca_qp *)rb.conn[1]->qp, &send, data, SIZE),
			  IBV_WC_SUCCESS);
}

/* Somebody has to take what is sent. */
static void post_receives(unsigned int n)
{
	struct hca_srq *srq = (struct hca_srq *)rb.rdma[1]->srq;

	for (srq->n = 0; srq->n < n;)
		srq->queue[srq->n++] = (struct hca_receive){
			.n = 1,
			.sges[0] = { (uintptr_t)bed.mem, SIZE, rb.mmap->one.lkey },
		};
}

static void run_tasks(const char *what, unsigned int batch)
{
	unsigned int end = ended_nr + batch;
	struct hca_cq *of_responder = (struct hca_cq *)rb.rdma[1]->cq;

	if (*what == 's')
		post_receives(batch);
	for (unsigned int i = 0; i < batch; i++) {
		if (task_dst(tasks[i]))
			doca_buf_reset_data_len(task_dst(tasks[i]));
		OK(doca_task_submit_ex(tasks[i], i == batch - 1 ? DOCA_TASK_SUBMIT_FLAG_FLUSH :
								  DOCA_TASK_SUBMIT_FLAG_NONE));
	}
	if (*what == 's')
		of_responder->n = 0;
	if (*what == 'r')
		messages_come(batch);
	while (ended_nr < end)
		EXPECT(doca_pe_progress(bed.pe));
}

static void run_idle(unsigned int n)
{
	hca.holds = true;
	OK(doca_buf_reset_data_len(task_dst(tasks[0])));
	OK(doca_task_submit(tasks[0]));
	while (n--)
		EXPECT(!doca_pe_progress(bed.pe));
	hca.holds = false;
	hca_go();
	drain(bed.pe);
}

int main(int argc, char **argv)
{
	unsigned int n = argc == 4 ? atoi(argv[2]) : 0, batch = argc == 4 ? atoi(argv[3]) : 0;

	if (!batch || batch > RDMA_NR)
		return 2;
	*ktap_last = NULL; /* there are no cases */
	rdma_begin();
	rb.then = count;
	make_tasks(argv[1]);
	/* From here on nothing is done for the first time. */
	run_tasks(argv[1], RDMA_NR);
	took();
	if (*argv[1] == 'i')
		run_idle(n);
	for (unsigned int i = 0; *argv[1] != 'i' && i < n / batch; i++) {
		run_tasks(argv[1], batch);
		took();
	}
	return ktap_bad;
}
