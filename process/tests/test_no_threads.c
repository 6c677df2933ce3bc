// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* A process that cannot make more threads, because of pids.max or RLIMIT_NPROC. */
#include <dlfcn.h>
#include <errno.h>

#include <linux/err.h>
#include <linux/mutex.h>

#include "parties.h"

typedef int (*create_func_t)(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			     void *arg);

static bool no_threads;

/* The driver calls it with attributes, the test without. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	create_func_t create = dlsym(RTLD_NEXT, "pthread_create");

	return attr && READ_ONCE(no_threads) ? EAGAIN : create(thread, attr, run, arg);
}

TEST(pages_are_given_up)
{
	struct party party;
	int i;

	WRITE_ONCE(no_threads, true);
	for (i = 0; i < 32; i++) {
		register_memory(&party);
		EXPECT(!mem_dereg(party.fd, party.mem));
		close(party.fd);
	}
	/* The last one's pages stay until the next call. */
	EXPECT(inproc_pinned() <= 1);
	WRITE_ONCE(no_threads, false);
}

/* The caller cannot do it at once, and leaves it to a thread of the driver. */
TEST(memory_of_a_busy_importer_is_taken_back)
{
	struct parties all;
	struct doca_run *run;
	struct call *call;

	parties_open(&all);
	run = doca_run_create(all.file);
	ASSERT(!IS_ERR(run));

	WRITE_ONCE(no_threads, true);
	mutex_lock(&run->lock);
	call = begin_call(mem_dereg, all.exporter.fd, all.exporter.mem);
	EXPECT(until(READ_ONCE(all.file->awaited) == run));
	doca_run_leave(run);
	end_call(call);
	WRITE_ONCE(no_threads, false);

	doca_run_remove(all.file, run);
	parties_close(&all);
}
