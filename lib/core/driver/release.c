// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/doca.h>

#include "core/base/log.h"
#include "release.h"

LOG_SOURCE("COMMON::DRIVER");

#define MODULE_RELEASE "/sys/module/doca/version"
#define REMEDY                                                        \
	"install both from one release, then load the module again: " \
	"modprobe -r doca && modprobe doca"

static __thread char reason[320] =
	"the module and the libraries are of different versions; " REMEDY;

/* The text is empty if the file cannot be read, as in some containers. */
static void read_release(char *text, size_t size)
{
	int fd = open(MODULE_RELEASE, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

void driver_tell_release(void)
{
	static bool told;
	char module[32];

	if (__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
		return;
	read_release(module, sizeof(module));
	if (*module && strcmp(module, OPEN_DOCA_VERSION))
		LOG_WARN("the doca module is of release %s, the libraries are "
			 "of %s: " REMEDY,
			 module, OPEN_DOCA_VERSION);
}

void driver_note_release(const struct doca_query *caps)
{
	char module[32];

	read_release(module, sizeof(module));
	snprintf(reason, sizeof(reason),
		 "the module, of release %s, has version %u of calls and %u of "
		 "rings, but the libraries, of %s, need %u and %u: " REMEDY,
		 *module ? module : "unknown", caps->out_abi_version,
		 caps->out_ring_version, OPEN_DOCA_VERSION, DOCA_ABI_VERSION,
		 DOCA_RING_VERSION);
}

const char *driver_release_reason(void)
{
	return reason;
}
