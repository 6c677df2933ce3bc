// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reading a file by its parts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "file.h"

#define MAX_IOV 64

/* A place in one of the files. */
struct place {
	int fd;
	u64 offset;
};

static int fd_of(const struct source *s, const struct segment *seg)
{
	return s->parts ? s->parts[seg->part].fd : s->fd;
}

static u64 size_of(const struct source *s, const struct segment *seg)
{
	return s->parts ? s->parts[seg->part].size : s->file_size;
}

static bool find_place(const struct source *s, const struct source_range *r,
		       struct place *place)
{
	const struct segment *seg = source_segment(s, r->pa);

	if (!seg || r->pa < seg->pa || r->len > seg->pa + seg->len - r->pa)
		return false;
	place->fd = fd_of(s, seg);
	place->offset = seg->offset + (r->pa - seg->pa);
	return true;
}

/* A call costs more than reading the bytes between two ranges, up to some length. */
struct run {
	struct iovec iov[MAX_IOV];
	int nr_iov;
	unsigned int nr; /* number of ranges */
	int fd;
	u64 start, end;
};

static bool add_to_run(struct source *s, struct run *run,
		       struct source_range *r, struct place at, bool on)
{
	u64 gap = at.offset - run->end;

	if (at.fd != run->fd || at.offset < run->end ||
	    gap > (on ? sizeof(s->unwanted) : 0) || run->nr_iov + 2 > MAX_IOV)
		return false;
	if (gap)
		run->iov[run->nr_iov++] = (struct iovec){ s->unwanted, gap };
	run->iov[run->nr_iov++] = (struct iovec){ r->to, r->len };
	run->end = at.offset + r->len;
	run->nr++;
	return true;
}

/* Bytes beyond the end of a truncated file are absent. */
static int read_run(const struct run *run, struct source_range *r)
{
	u64 end = run->start;
	int i = 0;
	ssize_t got;

	do {
		got = preadv2(run->fd, run->iov, run->nr_iov, (off_t)run->start,
			      0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -EIO;
	for (unsigned int k = 0; k < run->nr; k++) {
		while (run->iov[i].iov_base != r[k].to)
			end += run->iov[i++].iov_len;
		end += run->iov[i++].iov_len;
		if (end - run->start > (u64)got) {
			r[k].absent = true;
			memset(r[k].to, 0, r[k].len);
		}
	}
	return 0;
}

int source_file_read(struct source *s, struct source_range *r, unsigned int nr)
{
	unsigned int i = 0;

	s->rounds++;
	while (i < nr) {
		struct run run = { .nr_iov = 0 };
		struct place at;
		int err;

		r[i].absent = !find_place(s, &r[i], &at);
		if (r[i].absent) {
			memset(r[i].to, 0, r[i].len);
			i++;
			continue;
		}
		run.fd = at.fd;
		run.start = run.end = at.offset;
		do {
			r[i + run.nr].absent = false;
		} while (add_to_run(s, &run, &r[i + run.nr], at,
				    run.nr && r[i + run.nr - 1].on) &&
			 i + run.nr < nr && find_place(s, &r[i + run.nr], &at));
		err = read_run(&run, r + i);
		if (err)
			return err;
		i += run.nr;
	}
	return 0;
}

bool source_file_next_data(struct source *s, u64 *pa, u64 *len)
{
	const struct segment *seg;

	for (;;) {
		u64 at, skip;
		off_t data, hole;

		seg = source_segment(s, *pa);
		if (!seg)
			return false;
		if (*pa < seg->pa)
			*pa = seg->pa;
		skip = *pa - seg->pa;
		at = seg->offset + skip;
		data = lseek(fd_of(s, seg), (off_t)at, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			data = (off_t)size_of(s, seg);
		if (data < 0)
			data = (off_t)at;
		if ((u64)data - at >= seg->len - skip) {
			*pa = seg->pa + seg->len;
			continue;
		}
		*pa += (u64)data - at;
		*len = seg->pa + seg->len - *pa;
		hole = lseek(fd_of(s, seg), data, SEEK_HOLE);
		if (hole > data && (u64)(hole - data) < *len)
			*len = (u64)(hole - data);
		return true;
	}
}

void source_file_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->segs);
	free(s->vmcoreinfo);
}
