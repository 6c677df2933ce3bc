// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Files with packed segments. What was unpacked last is kept, because objects are near
 * each other. A segment that is damaged is absent.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "core/base/log.h"

#include "../secret.h"
#include "../unpack/unpack.h"
#include "file.h"

LOG_SOURCE("APSH");

enum { KEPT = 64, UNPACKED = 65536, PACKED = 80000, SUM = 4 };

struct chunks {
	const struct segment *of[KEPT]; /* NULL: none yet */
	u8 content[KEPT][UNPACKED];
	u8 packed[SUM + PACKED];
	struct snappy_sum sum;
	bool told; /* that memory is damaged */
};

doca_error_t source_packed(struct source *s)
{
	u32 i = 0;

	while (i < s->nr_segs && !s->segs[i].packed)
		i++;
	if (i == s->nr_segs)
		return DOCA_SUCCESS;
	s->ops = &source_packed_ops;
	s->chunks = secret_alloc(sizeof(*s->chunks));
	if (!s->chunks)
		return OUT_OF_MEMORY("unpacked memory");
	memset(s->chunks->of, 0, sizeof(s->chunks->of));
	s->chunks->told = false;
	snappy_sum_init(&s->chunks->sum);
	return DOCA_SUCCESS;
}

static bool unpack(struct source *s, const struct segment *seg, u8 *content)
{
	struct chunks *c = s->chunks;
	u32 sum;

	if (seg->packed > PACKED || seg->len > UNPACKED ||
	    !source_pread(s, c->packed, SUM + seg->packed, seg->offset - SUM))
		return false;
	if (seg->plain)
		memcpy(content, c->packed + SUM, seg->len);
	else if (unpack_snappy(c->packed + SUM, seg->packed, content,
			       seg->len) != (ssize_t)seg->len)
		return false;
	memcpy(&sum, c->packed, SUM);
	return le32toh(sum) == snappy_sum(&c->sum, content, seg->len);
}

/* Return its content, or NULL if it is damaged. */
static const u8 *unpacked(struct source *s, const struct segment *seg)
{
	struct chunks *c = s->chunks;
	u32 i = (u32)(seg - s->segs) % KEPT;

	if (c->of[i] == seg)
		return c->content[i];
	c->of[i] = NULL;
	if (!unpack(s, seg, c->content[i])) {
		if (!c->told)
			LOG_WARN("packed memory of the file is damaged, and "
				 "left out");
		c->told = s->lacks = true;
		return NULL;
	}
	c->of[i] = seg;
	return c->content[i];
}

static bool read_part(struct source *s, const struct segment *seg, u64 skip,
		      void *to, size_t len)
{
	const u8 *content;

	if (!seg->packed)
		return source_pread(s, to, len, seg->offset + skip);
	content = unpacked(s, seg);
	if (content)
		memcpy(to, content + skip, len);
	return content;
}

static void read_range(struct source *s, struct source_range *r)
{
	u64 n;

	r->absent = false;
	for (u64 done = 0; done < r->len; done += n) {
		u64 at = r->pa + done;
		const struct segment *seg = source_segment(s, at);

		if (!seg || at < seg->pa) {
			r->absent = true;
			break;
		}
		n = seg->pa + seg->len - at;
		if (n > r->len - done)
			n = r->len - done;
		if (!read_part(s, seg, at - seg->pa, (u8 *)r->to + done, n)) {
			r->absent = true;
			break;
		}
	}
	if (r->absent)
		memset(r->to, 0, r->len);
}

static int read_packed(struct source *s, struct source_range *r,
		       unsigned int nr)
{
	s->rounds++;
	for (unsigned int i = 0; i < nr; i++)
		read_range(s, &r[i]);
	return s->error ? -EIO : 0;
}

/* Segments that follow each other are one piece. */
static bool next_data(struct source *s, u64 *pa, u64 *len)
{
	const struct segment *seg = source_segment(s, *pa), *last = seg;

	if (!seg)
		return false;
	while (last + 1 < s->segs + s->nr_segs &&
	       last->pa + last->len == last[1].pa)
		last++;
	if (*pa < seg->pa)
		*pa = seg->pa;
	*len = last->pa + last->len - *pa;
	return true;
}

static void close_packed(struct source *s)
{
	if (s->chunks)
		secret_free(s->chunks, sizeof(*s->chunks), sizeof(*s->chunks));
	source_file_close(s);
}

const struct source_ops source_packed_ops = {
	.open = NULL, /* source_open() finds the kind by itself */
	.read = read_packed,
	.next_data = next_data,
	.close = close_packed,
};
