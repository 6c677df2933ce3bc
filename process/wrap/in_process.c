// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Linked to a program that is to choose the driver in the process, and not /dev/doca. */
#include <stdlib.h>

static void __attribute__((constructor)) choose(void)
{
	setenv("DOCA_DRIVER", "process", 1);
}
