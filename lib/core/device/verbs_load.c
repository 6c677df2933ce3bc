// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include <doca_log.h>

#include "core/base/loader.h"
#include "core/base/log.h"
#include "core/base/plugin.h"
#include "core/verbs/table.h"
#include "verbs_load.h"

LOG_SOURCE("COMMON::DEV");

/* A program that is linked statically has it. A program's own symbol of that name is none. */
extern const struct verbs_table open_doca_verbs
	__attribute__((weak, visibility("hidden")));

int verbs_load(const struct verbs_table **table)
{
	static struct plugin plugin = {
		.name = "verbs",
		.table = VERBS_TABLE,
		.lacked = "no RDMA device can be used",
		.install = "libdoca_common as a whole, libibverbs and libnl "
			   "(Debian: libibverbs1, libnl-route-3-200)",
		.level = DOCA_LOG_LEVEL_ERROR,
	};
	const struct verbs_table *within = &open_doca_verbs;
	const void *loaded;
	int err;

	*table = within;
	if (within)
		return 0;
	err = plugin_load(&plugin, &loaded);
	*table = loaded;
	return err;
}

/* Lists of devices, beside what is loaded: libibverbs has a lock while it makes one. */
static struct {
	unsigned int calls; /* those at work, of all threads */
	bool locked; /* in this child, as long as it lives */
} lists;
static __thread unsigned int own_lists
	__attribute__((tls_model("initial-exec")));

static void fork_child(void)
{
	if (lists.calls != own_lists)
		lists.locked = true;
	lists.calls = own_lists;
}

static void __attribute__((constructor)) watch_forks(void)
{
	pthread_atfork(NULL, NULL, fork_child);
}

int verbs_enter(int *state)
{
	if (lists.locked) {
		LOG_ERR("no RDMA device can be looked for: this process was "
			"forked while its parent looked for some");
		return -ELIBACC;
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, state);
	own_lists++;
	__atomic_add_fetch(&lists.calls, 1, __ATOMIC_SEQ_CST);
	return 0;
}

void verbs_leave(int state)
{
	__atomic_sub_fetch(&lists.calls, 1, __ATOMIC_SEQ_CST);
	own_lists--;
	pthread_setcancelstate(state, NULL);
}

/* libibverbs loads them in the first call that finds a device, and that once. */
static int load_drivers(const struct verbs_table *table)
{
	int state, inner, err = loader_check();

	if (err) {
		LOG_ERR("no RDMA device can be used: %s", loader_reason(err));
		return -ELIBACC;
	}
	err = verbs_enter(&inner);
	if (err)
		return err;
	state = loader_enter();
	err = table->load_drivers();
	loader_leave(state);
	verbs_leave(inner);
	return err;
}

int verbs_load_all(const struct verbs_table **table)
{
	static bool loaded;
	int err = verbs_load(table);

	if (err || __atomic_load_n(&loaded, __ATOMIC_ACQUIRE))
		return err;
	err = load_drivers(*table);
	if (err > 0)
		__atomic_store_n(&loaded, true, __ATOMIC_RELEASE);
	return err < 0 ? err : 0;
}
