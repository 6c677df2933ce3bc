/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Things that happen seldom: librdmacm's events, those of the device, and its removal. One
 * epoll has all their descriptors, so that a program waits for one more descriptor, and a look
 * is one system call, which is not made in each turn.
 */
#ifndef DOCA_RDMA_NEWS_H
#define DOCA_RDMA_NEWS_H

#include <stdbool.h>
#include <stdint.h>

/* A look comes after so many completions, or turns without one by their weight. */
#define RDMA_NEWS_LOOK 256
#define RDMA_NEWS_IDLE 8
/* Without tasks, behind many short turns of another context */
#define RDMA_NEWS_RARE 64
#define RDMA_NEWS_SHORT 2 /* a short turn takes a small part of the time */
/* So many completions may come between two long turns. */
#define RDMA_NEWS_WAIT 64

struct doca_rdma;

struct rdma_news {
	int epoll_fd; /* -1: none */
	int event_fd; /* by which others wake the context */
	uint32_t turns; /* since the last look, by their weight */
	uint32_t taken; /* completions at the last turn */
};

enum {
	RDMA_NEWS_CM = 1,
	RDMA_NEWS_DEVICE = 2,
	RDMA_NEWS_MARK = 4, /* another context has read an event for this one */
	RDMA_NEWS_REMOVED = 8,
};

/* Return 0 or an errno. */
int rdma_news_open(struct doca_rdma *rdma);
void rdma_news_close(struct doca_rdma *rdma);

/* Look at a descriptor as well, or not any more. */
int rdma_news_add(struct doca_rdma *rdma, uint32_t what, int fd);
void rdma_news_drop(struct doca_rdma *rdma, int fd);

/* Return what there is, as bits, if it is time to look again. */
uint32_t rdma_news_look(struct doca_rdma *rdma);

/* A short turn has found no completion. Return true if it is time to look. */
static inline bool rdma_news_idle(struct rdma_news *news)
{
	news->turns += RDMA_NEWS_SHORT;
	return news->turns >= RDMA_NEWS_LOOK;
}

/* Return true if a long turn is due, @taken completions having been taken. */
static inline bool rdma_news_wait(const struct rdma_news *news, uint32_t taken)
{
	return taken - news->taken >= RDMA_NEWS_WAIT;
}

/* Let the next call look. */
void rdma_news_soon(struct doca_rdma *rdma);

/* Wake the context; in any thread. */
void rdma_news_wake(struct doca_rdma *rdma);

#endif /* DOCA_RDMA_NEWS_H */
