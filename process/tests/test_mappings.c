// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Keys that one file has for memory of another one. An owner that takes its memory back
 * must not depend on an importer with a key, which may be in a call and get no CPU.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "parties.h"

static bool has_key(struct doca_file *file, u32 key)
{
	struct doca_mapping *mapping = doca_mapping_find(file, key);

	if (IS_ERR(mapping))
		return false;
	doca_mapping_put(mapping);
	return true;
}

static struct doca_file *looked_at;

static int find_object(int fd, u32 id)
{
	return PTR_ERR_OR_ZERO(doca_object_find(looked_at, id, DOCA_OBJECT_MEMORY)) != -ENOENT;
}

static int find_key(int fd, u32 key)
{
	return !has_key(looked_at, key);
}

static void expect_to_wait_for(struct mutex *lock, int (*make)(int fd, u32 id), int fd, u32 id)
{
	struct call *call;

	mutex_lock(lock);
	call = begin_call(make, fd, id);
	EXPECT(waits(call));
	mutex_unlock(lock);
	end_call(call);
}

TEST(tables_are_looked_up_and_changed_under_locks)
{
	struct parties all;

	parties_open(&all);
	looked_at = all.file;
	expect_to_wait_for(&all.file->lock, find_object, -1, 1);
	expect_to_wait_for(&all.file->keys_lock, find_key, -1, all.importer.key);
	expect_to_wait_for(&all.file->keys_lock, mem_dereg, all.exporter.fd, all.exporter.mem);
	parties_close(&all);
}

/* The lock's owner never goes on here, so waiting for the lock would hang. */
TEST(taking_back_needs_no_lock_of_the_importer)
{
	struct parties all;
	struct call *call;
	int revokes;

	for (revokes = 0; revokes < 2; revokes++) {
		parties_open(&all);
		EXPECT(has_key(all.file, all.importer.key));
		mutex_lock(&all.file->lock);
		if (revokes)
			call = begin_call(export_revoke, all.exporter.fd, all.export);
		else
			call = begin_call(mem_dereg, all.exporter.fd, all.exporter.mem);
		EXPECT(until(has_returned(call)));
		EXPECT(!has_key(all.file, all.importer.key));
		mutex_unlock(&all.file->lock);
		end_call(call);
		parties_close(&all);
	}
}

/* A caller that waits for a busy importer polls it a few times, not for each export. */
TEST(deregistering_asks_a_busy_importer_a_few_times)
{
	struct parties all;
	struct doca_run *run;
	struct call *call;
	u64 asked;
	int i;

	parties_open(&all);
	for (i = 1; i < 32; i++)
		import(&all);
	run = doca_run_create(all.file);
	ASSERT(!IS_ERR(run));

	mutex_lock(&run->lock);
	asked = atomic64_read(&all.file->graces);
	call = begin_call(mem_dereg, all.exporter.fd, all.exporter.mem);
	/* The last import is retired last. */
	EXPECT(until(!has_key(all.file, all.importer.key)));
	/* Once by the caller, and once or twice by the work item. */
	EXPECT(atomic64_read(&all.file->graces) - asked <= 3);
	doca_run_leave(run);
	end_call(call);

	doca_run_remove(all.file, run);
	parties_close(&all);
}

/*
 * A queue does one work after the other here. So if the end of a key waited for the executor,
 * who never goes on, nothing else would end.
 */
TEST(an_executor_keeps_no_work_of_others)
{
	struct parties stuck, others;
	struct doca_run *run;
	struct call *call, *other;

	parties_open(&stuck);
	run = doca_run_create(stuck.file);
	ASSERT(!IS_ERR(run));
	mutex_lock(&run->lock);
	call = begin_call(mem_dereg, stuck.exporter.fd, stuck.exporter.mem);
	EXPECT(waits(call));

	parties_open(&others);
	close(others.importer.fd);
	other = begin_call(mem_dereg, others.exporter.fd, others.exporter.mem);
	EXPECT(until(has_returned(other)));
	end_call(other);
	doca_file_put(others.file);
	close(others.exporter.fd);

	EXPECT(waits(call));
	doca_run_leave(run);
	end_call(call);
	doca_run_remove(stuck.file, run);
	parties_close(&stuck);
}

/* The last of the executors that were asked ends the key, whether it answers or leaves. */
TEST(a_key_ends_with_the_last_executor)
{
	struct doca_run *runs[8];
	struct parties all;
	struct call *call;
	int i;

	parties_open(&all);
	for (i = 0; i < 8; i++) {
		runs[i] = doca_run_create(all.file);
		ASSERT(!IS_ERR(runs[i]));
		mutex_lock(&runs[i]->lock);
	}
	call = begin_call(mem_dereg, all.exporter.fd, all.exporter.mem);
	for (i = 0; i < 8; i++) {
		expect_to_wait(call);
		/* In both orders of their numbers. */
		if (i % 2)
			doca_run_yield(runs[8 - i]);
		else
			doca_run_leave(runs[i]);
	}
	end_call(call);
	for (i = 1; i < 8; i += 2)
		doca_run_leave(runs[8 - i]);
	for (i = 0; i < 8; i++)
		doca_run_remove(all.file, runs[i]);
	parties_close(&all);
}

static struct completion go_on;

static void stand_still(struct work_struct *work)
{
	wait_for_completion(&go_on);
}

/* A queue does one work after the other here, and this one never ends by itself. */
TEST(grace_periods_do_not_wait_for_memory_to_be_unpinned)
{
	struct work_struct work;
	struct parties all;
	struct call *call;

	parties_open(&all);
	init_completion(&go_on);
	INIT_WORK(&work, stand_still);
	queue_work(doca_unpin_wq, &work);
	close(all.importer.fd);
	call = begin_call(mem_dereg, all.exporter.fd, all.exporter.mem);
	EXPECT(until(has_returned(call)));
	complete(&go_on);
	flush_work(&work);
	end_call(call);
	doca_file_put(all.file);
	close(all.exporter.fd);
}
