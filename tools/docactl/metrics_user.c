// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Metrics of users. Prometheus keeps each series that it has ever seen, so those with the lowest
 * ids have series of their own, and the others share one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"
#include "msg.h"
#include "prom.h"

#define MAX_USERS 256

static const struct resource {
	const char *name; /* as the driver has it */
	const char *metric, *help;
	const char *limit; /* NULL if there is not one for all */
} resources[] = {
	{ "object-bytes", "doca_user_object_bytes",
	  "Memory that the kernel keeps for objects of a user, but rings.",
	  "doca_user_max_object_bytes" },
	{ "files", "doca_user_files", "Open files of a user.",
	  "doca_user_max_files" },
	{ "memories", "doca_user_memories", "Registered memories of a user.",
	  "doca_user_max_memories" },
	{ "mappings", "doca_user_mappings",
	  "Mappings of a user's own memories.", "doca_user_max_mappings" },
	{ "workers", "doca_user_workers", "Workers of a user.",
	  "doca_user_max_workers" },
	{ "queues", "doca_user_queues", "Queues of a user.",
	  "doca_user_max_queues" },
	{ "ring-bytes", "doca_user_ring_bytes",
	  "Memory of a user's rings and work space.",
	  "doca_user_max_ring_bytes" },
	{ "waits", "doca_user_waits", "Waits of a user's queues.",
	  "doca_user_max_waits" },
	{ "exports", "doca_user_exports", "Exports of a user.",
	  "doca_user_max_exports" },
	{ "imports", "doca_user_imports", "Imports of a user.",
	  "doca_user_max_imports" },
	{ "dm-bytes", "doca_user_device_memory_bytes",
	  "Device memory of a user.", "doca_user_max_device_memory_bytes" },
	{ "dmamap-bytes", "doca_user_dma_mapped_bytes",
	  "Address space of DMA engines that a user's memory takes.", NULL },
	{ "connections", "doca_user_connections",
	  "Ends of connections of a user.", "doca_user_max_connections" },
	{ "objects", "doca_user_objects",
	  "Matrices and keys of a user's operations.",
	  "doca_user_max_objects" },
	{ "locked-bytes", "doca_user_locked_bytes",
	  "Memory that a user has locked in the whole kernel.", NULL },
};
#define NR_RESOURCES (sizeof(resources) / sizeof(resources[0]))

struct user {
	uint32_t uid;
	uint64_t used[NR_RESOURCES];
};

struct users {
	struct user *all;
	size_t n;
	uint64_t limits[NR_RESOURCES];
	bool limited[NR_RESOURCES];
};

/* The listing is in the order of user ids. */
static struct user *user_of(struct users *users, uint32_t uid)
{
	if (!users->n || users->all[users->n - 1].uid != uid)
		users->all[users->n++].uid = uid;
	return &users->all[users->n - 1];
}

static void add_row(struct users *users, const struct record *row)
{
	const char *name = record_string(row, DOCA_GENL_A_RESOURCE);
	struct user *user = user_of(users, record_value(row, DOCA_GENL_A_UID));
	size_t i;

	for (i = 0; i < NR_RESOURCES; i++) {
		if (strcmp(name, resources[i].name) != 0)
			continue;
		user->used[i] += record_value(row, DOCA_GENL_A_USED);
		users->limited[i] = row->attrs[DOCA_GENL_A_LIMIT];
		users->limits[i] = record_value(row, DOCA_GENL_A_LIMIT);
	}
}

static int collect(struct users *users, const struct records *rows)
{
	size_t i;

	users->all = calloc(rows->n + 1, sizeof(*users->all));
	if (!users->all)
		return fail("out of memory");
	for (i = 0; i < rows->n; i++)
		add_row(users, &rows->all[i]);
	return 0;
}

static void print_used(const struct users *users, size_t which)
{
	uint64_t others = 0;
	char uid[16];
	size_t i;

	prom_gauge(resources[which].metric, resources[which].help);
	for (i = 0; i < users->n; i++) {
		uint64_t used = users->all[i].used[which];

		if (i >= MAX_USERS) {
			others += used;
			continue;
		}
		snprintf(uid, sizeof(uid), "%" PRIu32, users->all[i].uid);
		prom_sample(used, "uid", uid, NULL);
	}
	if (users->n > MAX_USERS)
		prom_sample(others, "uid", "others", NULL);
}

static void print_limit(const struct users *users, size_t which)
{
	char help[64];

	if (!resources[which].limit || !users->limited[which])
		return;
	snprintf(help, sizeof(help), "Limit of %s.", resources[which].metric);
	prom_gauge(resources[which].limit, help);
	prom_sample(users->limits[which], NULL);
}

int metrics_of_users(const struct figures *figures)
{
	struct users users = { 0 };
	int ret = collect(&users, &figures->users);
	size_t i;

	if (!ret) {
		prom_gauge("doca_users", "Users that have anything.");
		prom_sample(users.n, NULL);
	}
	for (i = 0; i < NR_RESOURCES && !ret; i++) {
		print_used(&users, i);
		print_limit(&users, i);
	}
	free(users.all);
	return ret;
}
