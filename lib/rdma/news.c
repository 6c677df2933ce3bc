// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/exec/pe.h"
#include "news.h"
#include "rdma.h"

#define NR_NEWS 4

int rdma_news_add(struct doca_rdma *rdma, uint32_t what, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = what };

	return epoll_ctl(rdma->news.epoll_fd, EPOLL_CTL_ADD, fd, &event) ?
		       errno :
		       0;
}

void rdma_news_drop(struct doca_rdma *rdma, int fd)
{
	epoll_ctl(rdma->news.epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

int rdma_news_open(struct doca_rdma *rdma)
{
	struct rdma_news *news = &rdma->news;
	int err;

	*news = (struct rdma_news){ .event_fd = -1, .turns = RDMA_NEWS_LOOK };
	news->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (news->epoll_fd < 0)
		return errno;
	news->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	err = news->event_fd < 0 ?
		      errno :
		      rdma_news_add(rdma, RDMA_NEWS_MARK, news->event_fd);
	if (err)
		rdma_news_close(rdma);
	else
		doca_priv_ctx_watch(&rdma->ctx, RDMA_WATCH_NEWS,
				    news->epoll_fd);
	return err;
}

void rdma_news_close(struct doca_rdma *rdma)
{
	struct rdma_news *news = &rdma->news;

	if (news->epoll_fd < 0)
		return;
	doca_priv_ctx_unwatch(&rdma->ctx, RDMA_WATCH_NEWS);
	close(news->epoll_fd);
	if (news->event_fd >= 0)
		close(news->event_fd);
	news->epoll_fd = -1;
}

void rdma_news_soon(struct doca_rdma *rdma)
{
	rdma->news.turns = RDMA_NEWS_LOOK;
}

/* Return how much a turn weighs. */
static uint32_t weight_of(const struct doca_rdma *rdma)
{
	uint32_t taken = rdma->taken - rdma->news.taken;

	if (taken)
		return taken;
	return rdma->ctx.pe->rare && !rdma->ctx.inflight ? RDMA_NEWS_RARE :
							   RDMA_NEWS_IDLE;
}

static bool is_time(struct doca_rdma *rdma)
{
	struct rdma_news *news = &rdma->news;

	news->turns += weight_of(rdma);
	news->taken = rdma->taken;
	if (news->turns < RDMA_NEWS_LOOK)
		return false;
	news->turns = 0;
	return true;
}

uint32_t rdma_news_look(struct doca_rdma *rdma)
{
	struct epoll_event events[NR_NEWS];
	uint32_t news = 0;
	eventfd_t count;
	int i, n;

	if (!is_time(rdma))
		return 0;
	n = epoll_wait(rdma->news.epoll_fd, events, NR_NEWS, 0);
	for (i = 0; i < n; i++)
		news |= events[i].data.u32;
	if (news & RDMA_NEWS_MARK)
		eventfd_read(rdma->news.event_fd, &count);
	return news;
}

void rdma_news_wake(struct doca_rdma *rdma)
{
	eventfd_write(rdma->news.event_fd, 1);
}
