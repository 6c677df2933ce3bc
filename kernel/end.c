// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Ends of files, which wait for nothing: they mark what the file has and drop references.
 * Others cannot go on before they return: who closes the last descriptor may be another
 * user, or a work item of the kernel; and while an address space ends, nobody can stop
 * watching any other one.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "dm.h"
#include "end.h"
#include "file.h"
#include "memory.h"
#include "nowait.h"
#include "op_object.h"
#include "poller.h"
#include "queue.h"
#include "worker.h"

/* Unloading the module waits for the ties. */
static atomic_t doca_nr_ties = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(doca_ties_gone);

void doca_file_set_dead(struct doca_file *file)
{
	spin_lock(&file->lock);
	WRITE_ONCE(file->dead, true);
	spin_unlock(&file->lock);
}

/* The lock orders it: the thread that sets it behind this finds what was made before. */
bool doca_file_is_dead(struct doca_file *file)
{
	bool dead;

	spin_lock(&file->lock);
	dead = file->dead;
	spin_unlock(&file->lock);
	return dead;
}

void doca_file_kill(struct doca_file *file)
{
	doca_nowait_begin();
	doca_file_set_dead(file);
	doca_file_kill_queues(file);
	doca_file_stop_workers(file, false);
	doca_file_stop_poller(file, false);
	doca_file_kill_memory(file);
	doca_file_retire_mappings(file);
	doca_file_kill_dms(file);
	doca_file_kill_op_objects(file);
	doca_nowait_end();
}

/* Take a file off the list, with a reference; NULL if there is none. */
static struct doca_file *doca_tie_take(struct doca_tie *tie)
{
	struct doca_file *file;

	spin_lock(&tie->lock);
	file = list_first_entry_or_null(&tie->files, struct doca_file, tie_node);
	if (file) {
		list_del_init(&file->tie_node);
		/* A file leaves the list before its last close drops its reference. */
		doca_file_get(file);
	}
	spin_unlock(&tie->lock);
	return file;
}

/* The mm exits or is replaced by exec: no process is left that could use its files. */
static void doca_tie_release(struct mmu_notifier *notifier,
			     struct mm_struct *mm)
{
	struct doca_tie *tie = container_of(notifier, struct doca_tie, notifier);
	struct doca_file *file;

	doca_nowait_begin();
	while ((file = doca_tie_take(tie))) {
		doca_file_kill(file);
		doca_file_put(file);
	}
	doca_nowait_end();
}

static struct mmu_notifier *doca_tie_alloc(struct mm_struct *mm)
{
	struct doca_tie *tie = kzalloc(sizeof(*tie), GFP_KERNEL_ACCOUNT);

	if (!tie)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&doca_nr_ties);
	spin_lock_init(&tie->lock);
	INIT_LIST_HEAD(&tie->files);
	return &tie->notifier;
}

static void doca_tie_free(struct mmu_notifier *notifier)
{
	kfree(container_of(notifier, struct doca_tie, notifier));
	if (atomic_dec_and_test(&doca_nr_ties))
		wake_up(&doca_ties_gone);
}

static const struct mmu_notifier_ops doca_tie_ops = {
	.release = doca_tie_release,
	.alloc_notifier = doca_tie_alloc,
	.free_notifier = doca_tie_free,
};

int doca_file_tie(struct doca_file *file)
{
	struct mmu_notifier *notifier = mmu_notifier_get(&doca_tie_ops, file->mm);
	struct doca_tie *tie;

	if (IS_ERR(notifier))
		return PTR_ERR(notifier);
	tie = container_of(notifier, struct doca_tie, notifier);
	file->tie = tie;
	spin_lock(&tie->lock);
	list_add_tail(&file->tie_node, &tie->files);
	spin_unlock(&tie->lock);
	return 0;
}

void doca_file_untie(struct doca_file *file)
{
	struct doca_tie *tie = file->tie;

	spin_lock(&tie->lock);
	list_del_init(&file->tie_node);
	spin_unlock(&tie->lock);
	mmu_notifier_put(&tie->notifier);
}

/*
 * A tie is freed when no address space is in doca_tie_release() with it. To wait for the
 * functions that free them counts: mmu_notifier_synchronize() does not, if they run on other
 * CPUs.
 */
void doca_ties_exit(void)
{
	wait_event_idle(doca_ties_gone, !atomic_read(&doca_nr_ties));
	/* The last function may still be returning; the SRCU calls it with softirqs disabled. */
	synchronize_rcu();
}
