/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Names of servers that no other run of a program has. Servers without the module are found by all
 * processes of their user, so a second run beside this one would meet them.
 */
#ifndef SELFTESTS_LIB_OWN_NAME_H
#define SELFTESTS_LIB_OWN_NAME_H

#include <stdio.h>
#include <unistd.h>

static pid_t own_name_pid; /* children of the program have its names */

static void __attribute__((constructor)) own_name_begin(void)
{
	own_name_pid = getpid();
}

/* Return the name's own form, until the thread has asked for eight others. */
static inline const char *own_name(const char *name)
{
	static __thread char names[8][64];
	static __thread unsigned int next;
	char *own = names[next++ % 8];

	snprintf(own, sizeof(names[0]), "%s of %d", name, own_name_pid);
	return own;
}

#endif
