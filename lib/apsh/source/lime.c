// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* LiME: each range of memory follows a header of 32 bytes. */
#include "core/base/log.h"
#include "core/device/target.h"

#include "source.h"

LOG_SOURCE("APSH");

#define LIME_MAGIC 0x4c694d45

struct lime_header {
	u32 magic;
	u32 version;
	u64 start;
	u64 last;
	u64 reserved;
};

doca_error_t source_lime(struct source *s, const char *path)
{
	struct lime_header h;
	u64 at = 0;

	while (at < s->file_size) {
		doca_error_t ret;

		if (!source_pread(s, &h, sizeof(h), at) ||
		    h.magic != LIME_MAGIC || h.version != 1)
			return FAIL(
				INITIALIZATION,
				"%s: no header of LiME 1 at byte %lu; is it "
				"truncated?",
				path, at);
		if (h.last < h.start || h.last >= TARGET_MAX_ADDRESS)
			return FAIL(INITIALIZATION,
				    "%s: a range from %#lx to %#lx is none",
				    path, h.start, h.last);
		at += sizeof(h);
		ret = source_add(s, path, h.start, at, h.last - h.start + 1);
		if (ret != DOCA_SUCCESS)
			return ret;
		at += h.last - h.start + 1;
	}
	return DOCA_SUCCESS;
}
