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

/* They are loaded by the first list that has a device. */
static bool has_drivers;

static int check_child(void)
{
	int err = loader_check();

	if (lists.locked)
		LOG_ERR("no RDMA device can be looked for: this process was "
			"forked while its parent looked for some");
	else if (err)
		LOG_ERR("no RDMA device can be looked for: %s",
			loader_reason(err));
	return lists.locked || err ? -ELIBACC : 0;
}

int verbs_enter(struct verbs_call *call)
{
	call->loads = !__atomic_load_n(&has_drivers, __ATOMIC_ACQUIRE);
	if ((call->loads || lists.locked) && check_child())
		return -ELIBACC;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call->cancel);
	if (call->loads)
		call->loader = loader_enter();
	own_lists++;
	__atomic_add_fetch(&lists.calls, 1, __ATOMIC_SEQ_CST);
	return 0;
}

void verbs_leave(const struct verbs_call *call)
{
	__atomic_sub_fetch(&lists.calls, 1, __ATOMIC_SEQ_CST);
	own_lists--;
	if (call->loads)
		loader_leave(call->loader);
	pthread_setcancelstate(call->cancel, NULL);
}

int verbs_load_all(const struct verbs_table **table)
{
	struct verbs_call call;
	int err = verbs_load(table);

	if (err || __atomic_load_n(&has_drivers, __ATOMIC_ACQUIRE))
		return err;
	err = verbs_enter(&call);
	if (err)
		return err;
	err = (*table)->load_drivers();
	verbs_leave(&call);
	if (err > 0)
		__atomic_store_n(&has_drivers, true, __ATOMIC_RELEASE);
	return err < 0 ? err : 0;
}
