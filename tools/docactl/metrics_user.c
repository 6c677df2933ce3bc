// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Metrics of users: sums and limits, which are as many however many users come and go. Prometheus
 * keeps each series that it has ever seen, so there are those of each user only on request.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "metrics.h"
#include "msg.h"
#include "prom.h"

/*
 * How many users have series of their own in one file. In the course of time there can be more,
 * if those with low ids come and go.
 */
#define MAX_USERS 256

static const struct resource {
	const char *name; /* as the driver has it */
	const char *what;
	const char *sum, *metric;
	const char *limit; /* NULL if there never is one for all */
} resources[] = {
	{ "object-bytes", "Kernel memory of objects but rings",
	  "doca_users_object_bytes", "doca_user_object_bytes",
	  "doca_user_max_object_bytes" },
	{ "files", "Open files", "doca_users_files", "doca_user_files",
	  "doca_user_max_files" },
	{ "memories", "Registered memories", "doca_users_memories",
	  "doca_user_memories", "doca_user_max_memories" },
	{ "mappings", "Mappings of own memories", "doca_users_mappings",
	  "doca_user_mappings", "doca_user_max_mappings" },
	{ "workers", "Workers", "doca_users_workers", "doca_user_workers",
	  "doca_user_max_workers" },
	{ "queues", "Queues", "doca_users_queues", "doca_user_queues",
	  "doca_user_max_queues" },
	{ "ring-bytes", "Memory of rings and work space",
	  "doca_users_ring_bytes", "doca_user_ring_bytes",
	  "doca_user_max_ring_bytes" },
	{ "waits", "Waits of queues", "doca_users_waits", "doca_user_waits",
	  "doca_user_max_waits" },
	{ "exports", "Exports", "doca_users_exports", "doca_user_exports",
	  "doca_user_max_exports" },
	{ "imports", "Imports", "doca_users_imports", "doca_user_imports",
	  "doca_user_max_imports" },
	{ "dm-bytes", "Device memory", "doca_users_dm_bytes",
	  "doca_user_dm_bytes", "doca_user_max_dm_bytes" },
	{ "dmamap-bytes", "Memory that is mapped for DMA engines",
	  "doca_users_dmamap_bytes", "doca_user_dmamap_bytes",
	  "doca_user_max_dmamap_bytes" },
	{ "connections", "Ends of connections", "doca_users_connections",
	  "doca_user_connections", "doca_user_max_connections" },
	{ "objects", "Matrices and keys of operations", "doca_users_objects",
	  "doca_user_objects", "doca_user_max_objects" },
	{ "locked-bytes", "Locked memory in the whole kernel",
	  "doca_users_locked_bytes", "doca_user_locked_bytes", NULL },
};
#define NR_RESOURCES (sizeof(resources) / sizeof(resources[0]))

static bool is_of(const struct record *row, const struct resource *resource)
{
	return !strcmp(record_string(row, DOCA_GENL_A_RESOURCE),
		       resource->name);
}

static void begin(const char *metric, const char *what, const char *whose)
{
	char help[128];

	snprintf(help, sizeof(help), "%s of %s.", what, whose);
	prom_gauge(metric, help);
}

static void print_sum(const struct records *rows,
		      const struct resource *resource)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (is_of(&rows->all[i], resource))
			sum += record_value(&rows->all[i], DOCA_GENL_A_USED);
	begin(resource->sum, resource->what, "all users");
	prom_sample(sum, NULL);
}

/* The listing is in the order of user ids. */
static void print_each(const struct records *rows,
		       const struct resource *resource)
{
	uint64_t used, others = 0;
	size_t i, users = 0;
	char uid[16];

	begin(resource->metric, resource->what, "each user");
	for (i = 0; i < rows->n; i++) {
		if (!is_of(&rows->all[i], resource))
			continue;
		used = record_value(&rows->all[i], DOCA_GENL_A_USED);
		if (users++ >= MAX_USERS) {
			others += used;
			continue;
		}
		snprintf(uid, sizeof(uid), "%" PRIu64,
			 record_value(&rows->all[i], DOCA_GENL_A_UID));
		prom_sample(used, "uid", uid, NULL);
	}
	if (users > MAX_USERS)
		prom_sample(others, "uid", "others", NULL);
}

/* It is in the row of each user, and the same. */
static void print_limit(const struct records *rows,
			const struct resource *resource)
{
	size_t i;

	for (i = 0; i < rows->n; i++) {
		if (!is_of(&rows->all[i], resource) ||
		    !rows->all[i].attrs[DOCA_GENL_A_LIMIT])
			continue;
		begin(resource->limit, resource->what, "one user at most");
		prom_sample(record_value(&rows->all[i], DOCA_GENL_A_LIMIT),
			    NULL);
		return;
	}
}

static size_t count(const struct records *rows)
{
	size_t i, users = 0;

	for (i = 0; i < rows->n; i++)
		users += !i || record_value(&rows->all[i], DOCA_GENL_A_UID) !=
				       record_value(&rows->all[i - 1],
						    DOCA_GENL_A_UID);
	return users;
}

void metrics_of_users(const struct figures *figures, bool each)
{
	const struct records *rows = &figures->users;
	size_t i;

	prom_gauge("doca_users", "Users that have anything.");
	prom_sample(count(rows), NULL);
	for (i = 0; i < NR_RESOURCES; i++) {
		print_sum(rows, &resources[i]);
		if (each)
			print_each(rows, &resources[i]);
		if (resources[i].limit)
			print_limit(rows, &resources[i]);
	}
}
