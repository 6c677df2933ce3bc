// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Link this to a program that must choose the driver in the process, not /dev/doca. */
#include <stdlib.h>

static void __attribute__((constructor)) choose(void)
{
	setenv("DOCA_DRIVER", "process", 1);
}
