/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Control groups, version 2, for the test's own use: each is a path below CGROUPS. */
#ifndef SELFTESTS_LIB_CGROUP_H
#define SELFTESTS_LIB_CGROUP_H

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "write_to.h"

#define CGROUPS "/sys/fs/cgroup"

/* Make a group with a controller, such as "+memory", if it exists: check for it if it is needed. */
static inline bool group_make(const char *group, const char *controller)
{
	write_to(CGROUPS "/cgroup.subtree_control", controller);
	return !mkdir(group, 0755);
}

static inline bool group_take(const char *group, pid_t pid)
{
	char path[128], word[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	snprintf(word, sizeof(word), "%d", pid);
	return write_to(path, word);
}

/* Remove a group; its processes may take up to 10 s to end. Return 0 or an errno. */
static inline int group_remove(const char *group)
{
	int tries;

	for (tries = 0; rmdir(group) && errno != ENOENT; tries++) {
		if (errno != EBUSY || tries == 10000)
			return errno;
		usleep(1000);
	}
	return 0;
}

#endif /* SELFTESTS_LIB_CGROUP_H */
