// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Keys that one file has for memory of another one. The owner that takes the memory back
 * must not depend on the importer that has the key: it may be in a call, and get no CPU.
 */
#include <pthread.h>
#include <unistd.h>

#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "inner.h"
#include "ktap.h"
#include "memory.h"
#include "inproc.h"
#include "parties.h"

/* Here who holds a lock never goes on: so would a wait for it. */
static void take_back(void (*how)(struct party *party))
{
	struct party exporter = {}, importer = {};
	struct doca_mapping *mapping;
	struct doca_file *file;
	u32 device = first_device();

	export_memory(&exporter, device);
	import_memory(&importer, device, &exporter.blob);
	file = last_file();
	ASSERT(file);

	mapping = doca_mapping_find(file, importer.key);
	ASSERT(!IS_ERR(mapping));
	doca_mapping_put(mapping);
	mutex_lock(&file->lock);
	how(&exporter);
	EXPECT(IS_ERR(doca_mapping_find(file, importer.key)));
	mutex_unlock(&file->lock);

	doca_file_put(file);
	close(importer.fd);
	close(exporter.fd);
}

TEST(revoking_an_export_needs_no_lock_of_the_importer)
{
	take_back(revoke_export);
}

TEST(deregistering_needs_no_lock_of_the_importer)
{
	take_back(deregister);
}

static void *deregister_in_a_thread(void *party)
{
	deregister(party);
	return NULL;
}

static bool has_key(struct doca_file *file, u32 key)
{
	struct doca_mapping *mapping = doca_mapping_find(file, key);

	if (IS_ERR(mapping))
		return false;
	doca_mapping_put(mapping);
	return true;
}

/* A caller that waits for a busy importer polls for it once, not for each export. */
TEST(deregistering_asks_a_busy_importer_a_few_times)
{
	struct party exporter = {}, importer = {};
	struct doca_file *file;
	struct doca_run *run;
	pthread_t thread;
	u32 device = first_device();
	u64 asked;
	int i;

	export_memory(&exporter, device);
	import_memory(&importer, device, &exporter.blob);
	for (i = 1; i < 32; i++) {
		export_one(&exporter);
		import_one(&importer, device, &exporter.blob);
	}
	file = last_file();
	ASSERT(file);
	run = doca_run_create(file);
	ASSERT(!IS_ERR(run));

	mutex_lock(&run->lock);
	asked = atomic64_read(&file->graces);
	ASSERT(!pthread_create(&thread, NULL, deregister_in_a_thread,
			       &exporter));
	/* The last of them is the one that was imported last. */
	while (has_key(file, importer.key))
		usleep(1000);
	/* Once, and once or twice by the work item. */
	EXPECT(atomic64_read(&file->graces) - asked <= 3);
	mutex_unlock(&run->lock);
	pthread_join(thread, NULL);

	doca_run_remove(file, run);
	doca_file_put(file);
	close(importer.fd);
	close(exporter.fd);
}

static struct completion go_on;

static void stand_still(struct work_struct *work)
{
	wait_for_completion(&go_on);
}

/* Here a queue does one thing after the other, and this one never ends by itself. */
TEST(grace_periods_do_not_wait_for_memory_to_be_unpinned)
{
	struct party exporter = {}, importer = {};
	struct work_struct work;
	u32 device = first_device();

	export_memory(&exporter, device);
	import_memory(&importer, device, &exporter.blob);
	init_completion(&go_on);
	INIT_WORK(&work, stand_still);
	queue_work(doca_unpin_wq, &work);
	alarm(30);
	close(importer.fd);
	deregister(&exporter);
	alarm(0);
	complete(&go_on);
	flush_work(&work);
	close(exporter.fd);
}
