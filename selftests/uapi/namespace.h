/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A user namespace of its own, in which a process is root */
#ifndef SELFTESTS_UAPI_NAMESPACE_H
#define SELFTESTS_UAPI_NAMESPACE_H

#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "../lib/write_to.h"

/* Gain all capabilities in there, for good; return 0 or the negative errno */
static inline int become_root_of_a_namespace(void)
{
	char map[32];

	snprintf(map, sizeof(map), "0 %d 1", geteuid());
	if (unshare(CLONE_NEWUSER) || !write_to("/proc/self/uid_map", map))
		return -errno;
	return geteuid() ? -EPERM : 0;
}

#endif
