/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_CORE_VERBS_LOAD_H
#define DOCA_CORE_VERBS_LOAD_H

#include <stdbool.h>

struct verbs_table;

/* Load the plug-in, unless it is loaded. Returns 0, or -ELIBACC, logged: it cannot be loaded now. */
int verbs_load(const struct verbs_table **table);

/*
 * Load the drivers of libibverbs as well, for calls that look for devices: they would load them
 * otherwise. Where there is no device, there is none to be loaded yet. Returns 0 or a negative errno.
 */
int verbs_load_all(const struct verbs_table **table);

/*
 * Around calls that look for devices: libibverbs has a lock meanwhile, with which no thread may be
 * cancelled, and which stays locked in a child that another thread forks. Returns 0, or -ELIBACC, logged,
 * in such a child.
 */
struct verbs_call {
	int cancel, loader;
	bool loads; /* drivers may be loaded, too, if a device has come */
};

int verbs_enter(struct verbs_call *call);
void verbs_leave(const struct verbs_call *call);

#endif /* DOCA_CORE_VERBS_LOAD_H */
