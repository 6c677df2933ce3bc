/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_CORE_VERBS_LOAD_H
#define DOCA_CORE_VERBS_LOAD_H

struct verbs_table;

/* Load the plug-in, unless it is loaded. Returns 0, or -ELIBACC, logged: it cannot be loaded now. */
int verbs_load(const struct verbs_table **table);

/*
 * Load the drivers of libibverbs as well, by a list of devices. Where there is no device, there is none to
 * be loaded yet; and one that comes later may need another. Returns 0 or a negative errno.
 */
int verbs_load_all(const struct verbs_table **table);

/*
 * Around calls that look for devices: each may load drivers (core/base/loader.h). Returns 0, or -ELIBACC,
 * logged, in a child that was forked during such a call, or a load, of another thread.
 */
int verbs_enter(int *cancel_state);
void verbs_leave(int cancel_state);

#endif /* DOCA_CORE_VERBS_LOAD_H */
