// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <fcntl.h>
#include <stdio.h>

#include "reopen.h"

int reopen(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}
