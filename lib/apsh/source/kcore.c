// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The memory of this machine, by /proc/kcore: an ELF core that is never complete. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"

LOG_SOURCE("APSH");

static const char path[] = "/proc/kcore";

doca_error_t source_kcore(struct source *s)
{
	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return FAIL(INITIALIZATION,
			    "%s: %s; it needs root, CAP_SYS_RAWIO, and a "
			    "kernel that is not locked down",
			    path, strerror(errno));
	s->file_size = INT64_MAX;
	s->kcore = true;
	return source_elf(s, path);
}
