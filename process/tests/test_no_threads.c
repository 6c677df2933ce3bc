// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* A process that may not have more threads, as where pids.max or RLIMIT_NPROC is reached. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <linux/err.h>
#include <linux/mutex.h>

#include "inproc.h"
#include "inner.h"
#include "parties.h"

typedef int (*create_func_t)(pthread_t *thread, const pthread_attr_t *attr,
			     void *(*run)(void *), void *arg);

static bool no_threads;

/* The driver calls this one. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	create_func_t create = dlsym(RTLD_NEXT, "pthread_create");

	return READ_ONCE(no_threads) ? EAGAIN : create(thread, attr, run, arg);
}

TEST(pages_are_given_up)
{
	u32 device = first_device();
	int i;

	WRITE_ONCE(no_threads, true);
	for (i = 0; i < 32; i++) {
		struct party party = {};

		register_memory(&party, device);
		deregister(&party);
		close(party.fd);
	}
	/* Those of the last one stay until the next call. */
	EXPECT(inproc_pinned() <= 1);
	WRITE_ONCE(no_threads, false);
}

static void *deregister_in_a_thread(void *party)
{
	usleep(100000);
	deregister(party);
	return NULL;
}

/* Then the caller cannot do it at once, and leaves it to a thread of the driver's. */
TEST(memory_of_a_busy_importer_is_taken_back)
{
	struct party exporter = {}, importer = {};
	u32 device = first_device();
	struct doca_file *file;
	struct doca_run *run;
	pthread_t thread;

	alarm(60);
	export_memory(&exporter, device);
	import_memory(&importer, device, &exporter.blob);
	file = last_file();
	ASSERT(file);
	run = doca_run_create(file);
	ASSERT(!IS_ERR(run));

	mutex_lock(&run->lock);
	ASSERT(!pthread_create(&thread, NULL, deregister_in_a_thread,
			       &exporter));
	WRITE_ONCE(no_threads, true);
	usleep(300000);
	mutex_unlock(&run->lock);
	pthread_join(thread, NULL);
	WRITE_ONCE(no_threads, false);

	doca_run_remove(file, run);
	doca_file_put(file);
	close(importer.fd);
	close(exporter.fd);
	alarm(0);
}
