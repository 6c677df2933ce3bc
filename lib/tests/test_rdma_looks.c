// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Contexts without tasks look for news by a system call: how seldom they do, and how soon. */
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rdma_bed.h"

#define CALLS 6400
#define SELDOM (CALLS / 31) /* looks of all contexts in so many calls of progress */
#define LATER 100 /* calls of progress after which all have looked */
#define SOON 400 /* calls of progress until a context looks again */

static unsigned int looks_of[2];

/* In place of libc's, to count what the libraries call. */
int epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
	for (int i = 0; i < 2; i++)
		looks_of[i] += fd == rb.rdma[i]->news.epoll_fd;
	return syscall(SYS_epoll_pwait, fd, events, max, ms, NULL, 0);
}

/* Return how many looks there are, behind the first ones. */
static unsigned int looks_of_idle_calls(void)
{
	drain(bed.pe);
	for (int i = 0; i < LATER; i++)
		doca_pe_progress(bed.pe);
	memset(looks_of, 0, sizeof(looks_of));
	for (int i = 0; i < CALLS; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	return looks_of[0] + looks_of[1];
}

TEST(all_contexts_are_idle)
{
	unsigned int n;

	rdma_begin();
	n = looks_of_idle_calls();
	EXPECT(n);
	EXPECT(n <= SELDOM);
	rdma_end();
}

/* The task is one of the driver's. */
TEST(a_task_of_another_library_is_in_flight)
{
	unsigned int n;

	rdma_set_up();
	fake.workers = true;
	rdma_start();
	connect_both();
	bed.mmap = new_mmap(bed.mem, MEM_SIZE, &fake_dev);
	OK(doca_mmap_start(bed.mmap));
	bed.dma = new_dma(1);
	bed.ctx = doca_dma_as_ctx(bed.dma);
	OK(doca_pe_connect_ctx(bed.pe, bed.ctx));
	OK(doca_ctx_start(bed.ctx));
	submit_many(1);
	n = looks_of_idle_calls();
	EXPECT(n);
	EXPECT(n <= SELDOM);
	bed.on_task = free_in_callback;
	fake_work(1);
	drain(bed.pe);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_dma_destroy(bed.dma));
	OK(doca_mmap_destroy(bed.mmap));
	rdma_end();
}

/* Turns are short then, and only a few of them are for the other context. */
TEST(a_task_of_another_rdma_context_is_in_flight)
{
	rdma_begin();
	rb.then = drop;
	hca.holds = true;
	submit(a_send(NULL));
	EXPECT(looks_of_idle_calls() <= SELDOM);
	EXPECT(looks_of[1] >= CALLS / SOON);
	hca.holds = false;
	hca_go();
	rdma_end();
}
