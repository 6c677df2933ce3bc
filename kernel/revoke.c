// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Revocation: a memory dies, with its exports and all mappings, by OBJECT_DESTROY, at the
 * end of the address space, or at the last close of the file.
 */
#include <linux/err.h>
#include <linux/sched.h>

#include "memory.h"

/* All mappings share @tries: an export may have one, or thousands. */
static void doca_memory_kill(struct doca_memory *memory, unsigned int *tries)
{
	struct doca_export *export;

	doca_memory_die(memory);
	spin_lock(&memory->lock);
	while ((export = list_first_entry_or_null(&memory->exports,
						  struct doca_export, node))) {
		/* An export on the list has a reference: it leaves the list before the last put. */
		kref_get(&export->obj.ref);
		spin_unlock(&memory->lock);
		doca_export_revoke(export, tries);
		doca_object_put(&export->obj);
		cond_resched();
		spin_lock(&memory->lock);
	}
	spin_unlock(&memory->lock);
	doca_mapping_set_retire(memory, &memory->mappings, tries);
}

/* Exports of a dead memory are useless: release their ids. */
static void doca_memory_drop_exports(struct doca_file *file,
				     struct doca_memory *memory)
{
	struct doca_export *export;

	spin_lock(&memory->lock);
	while ((export = list_first_entry_or_null(&memory->published,
						  struct doca_export,
						  table_node))) {
		/*
		 * An export on the list has a reference: the table's, or that of a call that
		 * changes it.
		 */
		kref_get(&export->obj.ref);
		list_del_init(&export->table_node);
		spin_unlock(&memory->lock);
		doca_export_drop(file, export);
		doca_object_put(&export->obj);
		cond_resched();
		spin_lock(&memory->lock);
	}
	spin_unlock(&memory->lock);
}

/* Put all memory out of reach, even for other processes that have the file. */
void doca_file_kill_memory(struct doca_file *file)
{
	struct doca_memory *memory;
	unsigned long id = 0;

	while ((memory = doca_memory_next(file, &id))) {
		doca_memory_kill(memory, NULL);
		doca_object_put(&memory->obj);
	}

	/* In a second loop: all memory is out of reach first. */
	id = 0;
	while ((memory = doca_memory_next(file, &id))) {
		doca_memory_drop_exports(file, memory);
		if (doca_object_remove(file, &memory->obj))
			doca_object_put(&memory->obj); /* the table's reference */
		doca_object_put(&memory->obj);
	}
}

static bool doca_memory_idle(struct doca_memory *memory)
{
	return !READ_ONCE(memory->nr_mappings);
}

int doca_memory_destroy(struct doca_file *file, struct doca_object *obj)
{
	struct doca_memory *memory = container_of(obj, struct doca_memory, obj);
	unsigned int tries = DOCA_RETIRE_TRIES;

	if (!doca_object_remove(file, obj))
		return -ENOENT;
	doca_object_put(obj); /* the table's reference */
	doca_memory_kill(memory, &tries);
	doca_memory_drop_exports(file, memory);
	return wait_event_killable(memory->idle, doca_memory_idle(memory)) ?
		       -EINTR :
		       0;
}
