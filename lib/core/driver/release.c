// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "release.h"

LOG_SOURCE("COMMON::DRIVER");

#define MODULE_RELEASE "/sys/module/doca/version"

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
			 "of %s: install both from one release, then load the "
			 "module again: modprobe -r doca && modprobe doca",
			 module, OPEN_DOCA_VERSION);
}
