/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* RDMA devices of the machine, for a driver that has no list of them. */
#ifndef DOCA_CORE_IBDEVS_H
#define DOCA_CORE_IBDEVS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "devinfo.h"

struct ibdev {
	struct doca_devinfo info; /* without an id */
	ino_t identity; /* another device of the same name has another one */
	bool usable; /* this process may open its node */
};

struct ibdevs {
	struct ibdev *devs; /* by name */
	uint32_t n;
};

/*
 * List them, for free() of the array. Return 0 or a negative errno, of which -ENOENT and -EACCES
 * mean that the process has no sysfs: it cannot know.
 */
int ibdevs_list(struct ibdevs *list);

/* The folder of their nodes; tests set their own. */
extern const char *ibdevs_nodes;

#endif /* DOCA_CORE_IBDEVS_H */
