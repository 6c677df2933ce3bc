// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A file: memory of a running QEMU, or an image. It is never mapped, for a file that
 * becomes shorter would end the program, and a hole that is touched becomes memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"

LOG_SOURCE("APSH");

#define MAX_IOV 64

bool source_pread(const struct source *s, void *to, size_t len, u64 offset)
{
	return pread(s->fd, to, len, (off_t)offset) == (ssize_t)len;
}

static bool make_room(struct source *s)
{
	u32 max = s->max_segs ? 2 * s->max_segs : 16;
	struct segment *segs = reallocarray(s->segs, max, sizeof(*segs));

	if (!segs)
		return false;
	s->segs = segs;
	s->max_segs = max;
	return true;
}

doca_error_t source_add(struct source *s, const char *path, u64 pa, u64 offset,
			u64 len)
{
	u64 end, file_end;

	if (!len)
		return DOCA_SUCCESS;
	if (__builtin_add_overflow(pa, len, &end) || end > TARGET_MAX_ADDRESS)
		return FAIL(INITIALIZATION,
			    "%s: %#lx bytes at %#lx are beyond any memory",
			    path, len, pa);
	if (__builtin_add_overflow(offset, len, &file_end) ||
	    file_end > s->file_size)
		return FAIL(
			INITIALIZATION,
			"%s: it has %lu bytes, but its memory at %#lx would "
			"end at byte %lu; is it truncated?",
			path, s->file_size, pa, offset + len);
	if (s->nr_segs == SOURCE_MAX_PARTS)
		return FAIL(INITIALIZATION, "%s: it has more than %d parts",
			    path, SOURCE_MAX_PARTS);
	if (s->nr_segs == s->max_segs && !make_room(s))
		return OUT_OF_MEMORY("the parts of a file");
	s->segs[s->nr_segs++] = (struct segment){ pa, offset, len };
	return DOCA_SUCCESS;
}

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

doca_error_t source_settle(struct source *s, const char *path)
{
	if (!s->segs)
		return DOCA_SUCCESS;
	qsort(s->segs, s->nr_segs, sizeof(*s->segs), by_address);
	for (u32 i = 1; i < s->nr_segs; i++)
		if (s->segs[i - 1].pa + s->segs[i - 1].len > s->segs[i].pa)
			return FAIL(INITIALIZATION,
				    "%s: two parts of it are memory at %#lx",
				    path, s->segs[i].pa);
	return DOCA_SUCCESS;
}

static doca_error_t raw(struct source *s, const struct target *t,
			const char *path)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!t->nr_regions)
		return source_add(s, path, 0, 0, s->file_size);
	for (u32 i = 0; i < t->nr_regions && ret == DOCA_SUCCESS; i++)
		ret = source_add(s, path, t->regions[i].gpa,
				 t->regions[i].offset, t->regions[i].length);
	return ret;
}

/* What it begins as. A machine that runs can write any of these there. */
static enum target_format beginning_of(const struct source *s)
{
	char magic[8] = "";

	if (!source_pread(s, magic, sizeof(magic), 0))
		return TARGET_RAW;
	if (!memcmp(magic, "\177ELF", 4))
		return TARGET_ELF;
	if (!memcmp(magic, "EMiL", 4))
		return TARGET_LIME;
	if (!memcmp(magic, "KDUMP   ", 8) || !memcmp(magic, "makedump", 8))
		return TARGET_KDUMP;
	return TARGET_RAW;
}

/* A memfd is memory of a machine that runs, and only raw files have regions. */
static enum target_format format_of(const struct target *t,
				    enum target_format beginning)
{
	if (t->format != TARGET_AUTO)
		return t->format;
	return t->memory == TARGET_MEMFD || t->nr_regions ? TARGET_RAW :
							    beginning;
}

static doca_error_t read_as(struct source *s, const struct target *t,
			    enum target_format format, const char *path)
{
	switch (format) {
	case TARGET_ELF:
		return source_elf(s, path);
	case TARGET_LIME:
		return source_lime(s, path);
	case TARGET_KDUMP:
		return source_kdump(s, path);
	default:
		return raw(s, t, path);
	}
}

static doca_error_t read_parts(struct source *s, const struct target *t,
			       const char *path)
{
	const char *const *names = doca_priv_target_formats;
	enum target_format beginning = beginning_of(s);
	enum target_format format = format_of(t, beginning);
	doca_error_t ret = read_as(s, t, format, path);

	if (ret == DOCA_SUCCESS && beginning != TARGET_RAW &&
	    beginning != t->format)
		LOG_WARN("%s begins as %s does, and is read as %s; name the "
			 "format: raw for memory of a machine that runs, which "
			 "may have written that, or else that of the image",
			 path, names[beginning], names[format]);
	return ret;
}

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
		return "; is the machine on, and was it started anew since the "
		       "target was added?";
	case EACCES:
	case EPERM:
		return "; become root, or who may read it, such as the user "
		       "of QEMU";
	default:
		return "";
	}
}

static doca_error_t open_file(struct source *s, const struct target *t)
{
	char fd_path[64];
	const char *path = t->path;
	struct stat st;
	doca_error_t ret;

	if (t->memory == TARGET_MEMFD) {
		snprintf(fd_path, sizeof(fd_path), "/proc/%d/fd/%d", t->pid,
			 t->fd);
		path = fd_path;
	}
	s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st))
		return FAIL(INITIALIZATION, "%s: %s%s", path, errno_text(errno),
			    remedy(errno));
	if (!S_ISREG(st.st_mode))
		return FAIL(INITIALIZATION, "%s is no regular file", path);
	if (!st.st_size)
		return FAIL(INITIALIZATION, "%s is empty", path);
	s->file_size = (u64)st.st_size;
	ret = read_parts(s, t, path);
	return ret == DOCA_SUCCESS ? source_settle(s, path) : ret;
}

const struct segment *source_segment(const struct source *s, u64 pa)
{
	u32 low = 0, high = s->nr_segs;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (s->segs[mid].pa + s->segs[mid].len <= pa)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->nr_segs ? &s->segs[low] : NULL;
}

static bool offset_of(const struct source *s, const struct source_range *r,
		      u64 *offset)
{
	const struct segment *seg = source_segment(s, r->pa);

	if (!seg || r->pa < seg->pa || r->len > seg->pa + seg->len - r->pa)
		return false;
	*offset = seg->offset + (r->pa - seg->pa);
	return true;
}

/* A call costs more than to copy what is between two ranges, up to some length. */
struct run {
	struct iovec iov[MAX_IOV];
	int nr_iov;
	unsigned int nr; /* ranges */
	u64 start, end;
};

static bool add_to_run(struct source *s, struct run *run,
		       struct source_range *r, u64 offset, bool on)
{
	u64 gap = offset - run->end;

	if (offset < run->end || gap > (on ? sizeof(s->unwanted) : 0) ||
	    run->nr_iov + 2 > MAX_IOV)
		return false;
	if (gap)
		run->iov[run->nr_iov++] = (struct iovec){ s->unwanted, gap };
	run->iov[run->nr_iov++] = (struct iovec){ r->to, r->len };
	run->end = offset + r->len;
	run->nr++;
	return true;
}

/* What the file does not have, because it was cut, is absent. */
static int read_run(struct source *s, const struct run *run,
		    struct source_range *r)
{
	u64 end = run->start;
	int i = 0;
	ssize_t got;

	do {
		got = preadv2(s->fd, run->iov, run->nr_iov, (off_t)run->start,
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
		u64 at;
		int err;

		r[i].absent = !offset_of(s, &r[i], &at);
		if (r[i].absent) {
			memset(r[i].to, 0, r[i].len);
			i++;
			continue;
		}
		run.start = run.end = at;
		do {
			r[i + run.nr].absent = false;
		} while (add_to_run(s, &run, &r[i + run.nr], at,
				    run.nr && r[i + run.nr - 1].on) &&
			 i + run.nr < nr && offset_of(s, &r[i + run.nr], &at));
		err = read_run(s, &run, r + i);
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
		data = lseek(s->fd, (off_t)at, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			data = (off_t)s->file_size;
		if (data < 0)
			data = (off_t)at;
		if ((u64)data - at >= seg->len - skip) {
			*pa = seg->pa + seg->len;
			continue;
		}
		*pa += (u64)data - at;
		*len = seg->pa + seg->len - *pa;
		hole = lseek(s->fd, data, SEEK_HOLE);
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

const struct source_ops source_file_ops = {
	.open = open_file,
	.read = source_file_read,
	.next_data = source_file_next_data,
	.close = source_file_close,
};
