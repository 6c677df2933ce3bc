// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A part of a plug-in for test_plugin.c, in whose constructor a thread may be cancelled. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void __attribute__((constructor)) begin(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		abort();
	close(fd);
}
