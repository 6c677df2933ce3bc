/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The objects for the steps, for tests in which one of them fails: and the proof that
 * nothing remains of it.
 */
#ifndef DOCA_WORLD_H
#define DOCA_WORLD_H

#include "../lib/dmabuf.h"
#include "doca_nl.h"
#include "hugetlb.h"
#include "steps.h"

#define WORLD_HUGE (4UL << 20) /* two huge pages, if there are any */

/* Make one that can be registered; -1 if there is none */
static inline int make_dmabuf(void)
{
	int fd = dmabuf_heap(PAGE, true);

	return fd < 0 ? dmabuf_vgem(PAGE, true) : fd;
}

/* Read the charges of an open file's user, as text */
static inline void read_quotas(int fd, char *text, size_t size)
{
	char path[64], line[128];
	size_t n = 0;
	FILE *f;

	*text = '\0';
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "doca-user-", 10) && n < size)
			n += snprintf(text + n, size - n, "%s", line);
	fclose(f);
}

/*
 * The user's file @watch stays open. It has the dma-buf registered: for dma_buf_vmap() it
 * is a bug if the exporter runs out of memory, and it is called only once.
 */
static inline int world_init(struct world *w, const struct doca *watch, uint32_t worker_idle_us)
{
	struct family nl;
	int err = family_open(&nl);

	if (err)
		return err;
	family_close(&nl);
	*w = (struct world){
		.watch = *watch,
		.family = nl.family,
		.worker_idle_us = worker_idle_us,
		.d = { .fd = -1, .device = watch->device },
		.peer = -1,
		.dmabuf = make_dmabuf(),
		.entered = { .fd = -1 },
		.worked = { .fd = -1 },
		.theirs = { .fd = -1 },
	};
	err = reg_dmabuf(watch->fd, w->dmabuf);
	if (err)
		return err;
	w->watch.pins = pins_read();
	read_quotas(watch->fd, w->quotas, sizeof(w->quotas));
	return 0;
}

static inline int buf_alloc(struct buf *b, void *at, size_t length, int flags, int advice)
{
	void *p = mmap(at, length, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	*b = (struct buf){ .addr = p, .length = length };
	madvise(p, length, advice); /* not every kernel has huge pages */
	return 0;
}

/* Take it from the pool, if that has enough */
static inline int buf_alloc_hugetlb(struct buf *b, size_t length)
{
	int err = buf_alloc(b, NULL, length, MAP_PRIVATE | MAP_HUGETLB | MAP_HUGE_2MB, MADV_NORMAL);

	return err ? buf_alloc(b, NULL, length, MAP_PRIVATE, MADV_NORMAL) : 0;
}

static inline int buf_free(struct buf *b)
{
	int err = unmap_area(b->addr, b->length);

	b->addr = NULL;
	return err;
}

static inline int world_begin(struct world *w)
{
	void *aligned = (void *)(1UL << 44);
	int err = buf_alloc(&w->buf, NULL, WORLD_LENGTH, MAP_PRIVATE, MADV_NORMAL);

	if (!err)
		err = buf_alloc(&w->small, NULL, 512 * PAGE, MAP_PRIVATE, MADV_NOHUGEPAGE);
	if (!err)
		err = buf_alloc(&w->huge, aligned, WORLD_HUGE, MAP_PRIVATE, MADV_HUGEPAGE);
	if (!err)
		err = buf_alloc_hugetlb(&w->hugetlb, WORLD_HUGE);
	if (!err)
		err = buf_alloc(&w->shared, NULL, 32 * PAGE, MAP_SHARED, MADV_NORMAL);
	return err;
}

/* Return true if all is as before; after thousands of looks, the rest has leaked */
static inline bool world_is_gone(const struct world *w)
{
	unsigned int looks = patiently(10000);
	char is[sizeof(w->quotas)];
	struct pins pins;

	do {
		read_quotas(w->watch.fd, is, sizeof(is));
		if (!strcmp(is, w->quotas)) {
			pins = pins_settle(w->watch.pins);
			return !memcmp(&pins, &w->watch.pins, sizeof(pins));
		}
		pause_us(1000);
	} while (looks--);
	fprintf(stderr, "# before:\n%s# after:\n%s", w->quotas, is);
	return false;
}

/* End all that exists of it; no trace of it remains. */
static inline bool world_end(struct world *w)
{
	if (unmap_dm(w) || end_queue(&w->entered) || end_queue(&w->worked) ||
	    end_queue(&w->theirs) || close_fd(&w->peer) ||
	    close_fd(&w->d.fd) || buf_free(&w->buf) || buf_free(&w->small) ||
	    buf_free(&w->huge) || buf_free(&w->hugetlb) ||
	    buf_free(&w->shared))
		return false;
	w->pushed = false;
	w->worker = 0;
	return world_is_gone(w);
}

#endif /* DOCA_WORLD_H */
