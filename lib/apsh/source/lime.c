// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * LiME: each range of memory follows a header of 32 bytes. AVML writes the same, and in its
 * own version 2 ranges that are packed.
 */
#include "core/base/log.h"
#include "core/device/target.h"

#include "source.h"

LOG_SOURCE("APSH");

#define LIME_MAGIC 0x4c694d45
#define AVML_MAGIC 0x4c4d5641

struct lime_header {
	u32 magic;
	u32 version;
	u64 start;
	u64 last;
	u64 reserved;
};

static bool read_header(struct source *s, struct lime_header *h, u64 at)
{
	return source_pread(s, h, sizeof(*h), at) &&
	       ((h->magic == LIME_MAGIC && h->version == 1) ||
		(h->magic == AVML_MAGIC && h->version == 2));
}

static doca_error_t add_range(struct source *s, const char *path,
			      const struct lime_header *h, u64 *at)
{
	u64 len = h->last - h->start + 1;
	doca_error_t ret;

	if (h->magic == AVML_MAGIC)
		return source_avml(s, path, h->start, len, at);
	ret = source_add(
		s, path,
		(struct segment){ .pa = h->start, .offset = *at, .len = len });
	*at += len;
	return ret;
}

doca_error_t source_lime(struct source *s, const char *path)
{
	struct lime_header h;
	u64 at = 0;

	/* a program of the machine itself has written it */
	s->drawn_out = true;
	do {
		doca_error_t ret;

		if (!read_header(s, &h, at))
			return FAIL(INITIALIZATION,
				    "%s: no header of LiME 1 or AVML 2 at byte "
				    "%lu",
				    path, at);
		if (h.last < h.start || h.last >= TARGET_MAX_ADDRESS)
			return FAIL(INITIALIZATION,
				    "%s: a range from %#lx to %#lx is none",
				    path, h.start, h.last);
		at += sizeof(h);
		ret = add_range(s, path, &h, &at);
		if (ret != DOCA_SUCCESS)
			return ret;
	} while (at + sizeof(h) <= s->file_size);
	/* it ends within a header, or before the end of a range: more may have followed */
	s->lacks |= at != s->file_size;
	return DOCA_SUCCESS;
}
