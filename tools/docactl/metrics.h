/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The listings that metrics are made of, and their parts. */
#ifndef DOCACTL_METRICS_H
#define DOCACTL_METRICS_H

#include "family.h"

struct figures {
	struct records devices;
	struct records pairs;
	struct records files;
	struct records queues;
	struct records users;
	struct records engines;
	unsigned int interrupted; /* listings of no one moment */
};

/*
 * Print the metrics of one kind. Those of devices need memory: they return 0, or print nothing, say
 * why and return -1.
 */
int metrics_of_devices(const struct figures *figures);
/* @each: also those of each user, not only their sums */
void metrics_of_users(const struct figures *figures, bool each);
void metrics_of_engines(const struct figures *figures);

#endif /* DOCACTL_METRICS_H */
