// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The memory of this machine, by /proc/kcore: an ELF core that is never complete. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"

LOG_SOURCE("APSH");

static const char path[] = "/proc/kcore";

/* The file lists all levels, with the current one in brackets. */
static bool is_locked_down(void)
{
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);
	char levels[64] = "";

	if (fd < 0)
		return false;
	if (read(fd, levels, sizeof(levels) - 1) < 0)
		levels[0] = '\0';
	close(fd);
	return strstr(levels, "[confidentiality]");
}

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
		return "; this kernel was built without CONFIG_PROC_KCORE, or /proc is not "
		       "mounted";
	case EACCES:
		return "; become root: it needs CAP_SYS_RAWIO, and permission to read the "
		       "file";
	case EPERM:
		return is_locked_down() ?
			       "; the kernel is locked down for confidentiality, and shows "
			       "its memory to nobody" :
			       "; it needs CAP_SYS_RAWIO in the initial user namespace";
	default:
		return "";
	}
}

static doca_error_t open_kcore(struct source *s, const struct target *t)
{
	doca_error_t ret;

	(void)t;
	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return FAIL(INITIALIZATION, "%s: %s%s", path, errno_text(errno),
			    remedy(errno));
	s->file_size = INT64_MAX;
	ret = source_elf(s, path);
	return ret == DOCA_SUCCESS ? source_settle(s, path) : ret;
}

const struct source_ops source_kcore_ops = {
	.open = open_kcore,
	.read = source_file_read,
	.next_data = source_file_next_data,
	.close = source_file_close,
};
