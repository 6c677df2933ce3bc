// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A part of a program, which leaves its folder before main(), and has symbols of its own by the
 * names of tables of plug-ins.
 */
#include <unistd.h>

int open_doca_compute = 1, open_doca_settings = 1, open_doca_verbs = 1;

static void __attribute__((constructor)) leave(void)
{
	if (chdir("/"))
		_exit(3);
}
