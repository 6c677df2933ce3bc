// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Mappings: how they are made, found by key, and retired.
 *
 * Retiring a mapping clears its key; when a grace period of the key's file has passed it
 * ends. A caller that waits for the end anyway first spins shortly: executors on a CPU answer
 * soon, and then it is over. It does so a few times in a call, however many exports and
 * mappings it ends. In all other cases a work item of the file ends it. That waits for nobody:
 * it asks the executors, and goes on when they answer, for one of them may get no CPU for
 * ever. So a revocation (by the owner's death, the device's removal) need not wait for other
 * processes, no user's executors keep a worker of the kernel from others, and callers that
 * want to wait do it killably, on the counters of the set or of the memory.
 *
 * In the work item one grace period serves all mappings that were retired before it: one
 * user's many keys and queues must not keep others waiting. Operations in flight that
 * still use a mapping are recalled then, and it ends with the last of them. Only callers
 * that wait for this very memory wait for those.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>

#include "backed.h"
#include "dma/map.h"
#include "flight.h"
#include "keys.h"
#include "memory.h"
#include "nowait.h"
#include "trace.h"
#include "ucmd.h"
#include "user.h"

/*
 * Let operations and revocations of the memory find the mapping; waits for a revocation
 * include it from now on. Fails if the memory or the export is dead.
 */
static int doca_mapping_link(struct doca_mapping *mapping)
{
	struct doca_memory *memory = mapping->memory;
	struct doca_export *export = mapping->export;
	struct doca_file *file = mapping->file;
	int rc = -ENOKEY;

	spin_lock(&memory->lock);
	if (memory->dead || (export && export->revoked))
		goto out;
	list_add_tail(&mapping->node, &mapping->set->list);
	WRITE_ONCE(mapping->set->nr, mapping->set->nr + 1);
	WRITE_ONCE(memory->nr_mappings, memory->nr_mappings + 1);
	spin_lock(&file->keys_lock);
	doca_keys_publish(file->keys, mapping->key, mapping);
	spin_unlock(&file->keys_lock);
	rc = 0;
out:
	spin_unlock(&memory->lock);
	return rc;
}

static void doca_mapping_unlink(struct doca_mapping *mapping)
{
	struct doca_memory *memory = mapping->memory;

	spin_lock(&memory->lock);
	list_del_init(&mapping->node);
	WRITE_ONCE(mapping->set->nr, mapping->set->nr - 1);
	if (!mapping->set->nr)
		wake_up_all(&mapping->set->idle);
	doca_memory_leave(memory);
	spin_unlock(&memory->lock);
}

/* The leaf of its slot is charged separately. */
#define DOCA_MAPPING_BYTES doca_user_bytes(sizeof(struct doca_mapping))

static enum doca_quota doca_mapping_quota(const struct doca_export *export)
{
	return export ? DOCA_QUOTA_IMPORTS : DOCA_QUOTA_MAPPINGS;
}

u32 doca_mapping_flags(const struct doca_mapping *mapping)
{
	return doca_dmamap_is_live(mapping->dma) ? DOCA_MAP_DMA : 0;
}

static void doca_mapping_release(struct kref *ref)
{
	struct doca_mapping *mapping =
		container_of(ref, struct doca_mapping, ref);

	doca_user_uncharge(mapping->file->user, doca_mapping_quota(mapping->export),
			   1, DOCA_MAPPING_BYTES);
	if (mapping->export)
		doca_object_put(&mapping->export->obj);
	if (mapping->dma)
		doca_dmamap_put(mapping->dma);
	doca_object_put(&mapping->memory->obj);
	doca_device_put(mapping->device);
	doca_file_put(mapping->file);
	kfree(mapping);
}

void doca_mapping_put(struct doca_mapping *mapping)
{
	kref_put(&mapping->ref, doca_mapping_release);
}

/* Nothing uses the mapping any more. */
static void doca_mapping_end_work(struct work_struct *work)
{
	struct doca_mapping *mapping =
		container_of(work, struct doca_mapping, end);

	if (mapping->dma)
		doca_dmamap_leave(mapping->dma);
	doca_mapping_unlink(mapping);
	complete_all(&mapping->retired);
	doca_mapping_put(mapping); /* the key table's reference */
}

/*
 * No step uses it any more. Return false if something in flight does and must be recalled.
 * A thread of a user that left the DMA map might lose the CPU, and others wait for the map.
 */
static bool doca_mapping_end(struct doca_mapping *mapping)
{
	if (!refcount_dec_and_test(&mapping->uses))
		return false;
	if (mapping->dma)
		queue_work(doca_retire_wq, &mapping->end);
	else
		doca_mapping_end_work(&mapping->end);
	return true;
}

int doca_mapping_use(struct doca_mapping *mapping,
		     struct doca_mapping_user *user)
{
	struct doca_file *file = mapping->file;
	int rc = -ENOENT;

	spin_lock(&file->keys_lock);
	if (!mapping->dead) {
		rc = 0;
		/* A mapping with its key has a use of the key table. */
		refcount_inc(&mapping->uses);
		user->mapping = mapping;
		list_add_tail(&user->node, &file->mapping_users);
	}
	spin_unlock(&file->keys_lock);
	return rc;
}

void doca_mapping_unuse(struct doca_mapping_user *user)
{
	struct doca_mapping *mapping = user->mapping;

	if (!mapping)
		return;
	spin_lock(&mapping->file->keys_lock);
	list_del_init(&user->node);
	spin_unlock(&mapping->file->keys_lock);
	user->mapping = NULL;
	if (refcount_dec_and_test(&mapping->uses))
		queue_work(doca_retire_wq, &mapping->end);
}

/* Take a user of a retired mapping off the list, with a reference; or NULL. */
static struct doca_mapping_user *doca_file_retired_user(struct doca_file *file)
{
	struct doca_mapping_user *user, *found = NULL;

	spin_lock(&file->keys_lock);
	list_for_each_entry(user, &file->mapping_users, node) {
		if (!user->mapping->dead || !kref_get_unless_zero(&user->ref))
			continue;
		found = user;
		break;
	}
	spin_unlock(&file->keys_lock);
	return found;
}

static void doca_file_recall_users(struct doca_file *file)
{
	struct doca_mapping_user *user;

	while ((user = doca_file_retired_user(file)))
		user->recall(user);
}

/* Ask for a grace period for all that have lost their keys. Return false if there are none. */
static bool doca_file_begin_ending(struct doca_file *file)
{
	if (!list_empty(&file->ending))
		return true;
	spin_lock(&file->keys_lock);
	list_splice_init(&file->retiring, &file->ending);
	spin_unlock(&file->keys_lock);
	if (list_empty(&file->ending))
		return false;
	doca_file_await(file);
	return true;
}

/* The grace period is over: no step uses them. */
static void doca_file_end_mappings(struct doca_file *file)
{
	struct doca_mapping *mapping, *next;
	bool in_flight = false;
	LIST_HEAD(list);

	list_splice_init(&file->ending, &list);
	list_for_each_entry_safe(mapping, next, &list, retiring_node) {
		in_flight |= !doca_mapping_end(mapping);
		cond_resched();
	}
	if (in_flight) {
		doca_file_recall(file);
		doca_file_recall_users(file);
	}
}

static void doca_file_retire_work(struct work_struct *work)
{
	struct doca_file *file = container_of(work, struct doca_file, retire);

	doca_nowait_begin();
	while (doca_file_begin_ending(file) && doca_file_has_passed(file))
		doca_file_end_mappings(file);
	doca_file_put(file);
	doca_nowait_end();
}

void doca_file_init_mappings(struct doca_file *file)
{
	INIT_LIST_HEAD(&file->retiring);
	INIT_LIST_HEAD(&file->ending);
	INIT_LIST_HEAD(&file->mapping_users);
	INIT_WORK(&file->retire, doca_file_retire_work);
}

/* Let the work item end it. */
static void doca_mapping_end_later(struct doca_mapping *mapping)
{
	struct doca_file *file = mapping->file;

	spin_lock(&file->keys_lock);
	list_add_tail(&mapping->retiring_node, &file->retiring);
	spin_unlock(&file->keys_lock);
	doca_file_go_on(file);
}

/* The first caller retires it. The caller has a reference. */
static void doca_mapping_retire(struct doca_mapping *mapping,
				unsigned int *tries)
{
	struct doca_file *file = mapping->file;
	bool first;

	spin_lock(&file->keys_lock);
	first = !mapping->dead;
	WRITE_ONCE(mapping->dead, true);
	if (first)
		doca_keys_release(file->keys, mapping->key);
	spin_unlock(&file->keys_lock);
	if (!first)
		return;

	doca_files_changed();
	if (tries && *tries) {
		--*tries;
		/* After the grace period nothing new can be started with it. */
		if (doca_file_try_synchronize(file) &&
		    refcount_read(&mapping->uses) == 1) {
			doca_mapping_end(mapping);
			return;
		}
		/* Other mappings would not do better, and each would spin as long. */
		*tries = 0;
	}
	doca_mapping_end_later(mapping);
}

/*
 * Retire all mappings of a set, in any file. Callers that wait for the end spin first, so
 * they wait less; others do not spin.
 */
void doca_mapping_set_retire(struct doca_memory *memory,
			     struct doca_mapping_set *set, unsigned int *tries)
{
	struct doca_mapping *mapping;

	spin_lock(&memory->lock);
	while ((mapping = list_first_entry_or_null(&set->list,
						   struct doca_mapping,
						   node))) {
		list_del_init(&mapping->node);
		/* A mapping in the list has the key table's reference. */
		kref_get(&mapping->ref);
		spin_unlock(&memory->lock);
		doca_mapping_retire(mapping, tries);
		doca_mapping_put(mapping);
		/* There may be a million. */
		cond_resched();
		spin_lock(&memory->lock);
	}
	spin_unlock(&memory->lock);
}

void doca_file_retire_mappings(struct doca_file *file)
{
	struct doca_mapping *mapping;
	u32 index = 0;

	while ((mapping = doca_mapping_next(file, &index))) {
		doca_mapping_retire(mapping, NULL);
		doca_mapping_put(mapping);
		cond_resched();
	}
}

/**
 * doca_mapping_create() - make a mapping without a key
 * @file: file of its key
 * @memory: the mapped memory
 * @export: the export that is imported, or NULL if the memory is the file's own
 * @device_id: the device that may reach it
 * @access: the device's access
 *
 * Nobody else knows it before it is published.
 *
 * Return: the mapping, or an ERR_PTR: -ENODEV, -ENOMEM or -EDQUOT.
 */
struct doca_mapping *doca_mapping_create(struct doca_file *file,
					 struct doca_memory *memory,
					 struct doca_export *export,
					 u32 device_id, u32 access)
{
	struct doca_mapping *mapping;
	struct doca_device *device;
	int rc;

	device = doca_device_find(device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return ERR_CAST(device);
	rc = doca_user_charge(file->user, doca_mapping_quota(export), 1,
			      DOCA_MAPPING_BYTES);
	if (rc)
		goto err_device;
	rc = -ENOMEM;
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		goto err_uncharge;

	kref_init(&mapping->ref);
	refcount_set(&mapping->uses, 1);
	INIT_WORK(&mapping->end, doca_mapping_end_work);
	mapping->access = access;
	mapping->plain = memory->pin.backing == DOCA_BACKED_BY_FILE ? 0 : access;
	mapping->addr = memory->addr;
	mapping->length = memory->length;
	mapping->chunks = doca_memory_chunks(memory);
	mapping->dma = doca_dmamap_get(memory, device);
	mapping->device = device;
	mapping->file = doca_file_get(file);
	kref_get(&memory->obj.ref);
	mapping->memory = memory;
	if (export)
		kref_get(&export->obj.ref);
	mapping->export = export;
	mapping->set = export ? &export->imports : &memory->mappings;
	init_completion(&mapping->retired);
	return mapping;

err_uncharge:
	doca_user_uncharge(file->user, doca_mapping_quota(export), 1,
			   DOCA_MAPPING_BYTES);
err_device:
	doca_device_put(device);
	return ERR_PTR(rc);
}

/* The user is charged for the leaf as long as the table may have it. */
static struct doca_key_slot *doca_file_alloc_leaf(struct doca_file *file)
{
	struct doca_key_slot *leaf;
	int rc;

	rc = doca_user_charge(file->user, DOCA_QUOTA_OBJECT_BYTES,
			      DOCA_KEY_LEAF_BYTES, 0);
	if (rc)
		return ERR_PTR(rc);
	leaf = doca_keys_alloc_leaf();
	if (leaf)
		return leaf;
	doca_user_uncharge(file->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_KEY_LEAF_BYTES, 0);
	return ERR_PTR(-ENOMEM);
}

static void doca_file_free_leaf(struct doca_file *file,
				struct doca_key_slot *leaf)
{
	if (!leaf)
		return;
	doca_keys_free_leaf(leaf);
	doca_user_uncharge(file->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_KEY_LEAF_BYTES, 0);
}

/* Reserve the key for doca_mapping_publish(). */
static int doca_mapping_reserve(struct doca_file *file, u32 *key)
{
	struct doca_key_slot *leaf = NULL;
	int rc;

	for (;;) {
		spin_lock(&file->keys_lock);
		rc = doca_keys_reserve(file->keys, key, &leaf);
		spin_unlock(&file->keys_lock);
		if (rc != -EAGAIN)
			break;
		leaf = doca_file_alloc_leaf(file);
		if (IS_ERR(leaf))
			return PTR_ERR(leaf);
	}
	doca_file_free_leaf(file, leaf);
	return rc;
}

static void doca_mapping_drop_work(struct work_struct *work)
{
	struct doca_mapping *mapping =
		container_of(work, struct doca_mapping, end);

	doca_dmamap_leave(mapping->dma);
	doca_mapping_put(mapping);
}

/* Give up a mapping that nobody else knows. */
static void doca_mapping_drop(struct doca_mapping *mapping)
{
	if (!mapping->dma) {
		doca_mapping_put(mapping);
		return;
	}
	INIT_WORK(&mapping->end, doca_mapping_drop_work);
	queue_work(doca_retire_wq, &mapping->end);
}

/**
 * doca_mapping_publish() - give a mapping the key that the answer names
 * @mapping: from doca_mapping_create(); gone on failure
 * @ucmd: the call
 * @key: place of the key in its argument
 *
 * The answer is copied out before anybody can wait for the mapping: copying may block for
 * ever, and must not keep the owner of the memory from revoking it.
 *
 * Return: 0, -ENOSPC, -ENOMEM, -EDQUOT, -EFAULT, or -ENOKEY if the memory or the
 * export is dead.
 */
int doca_mapping_publish(struct doca_mapping *mapping, struct doca_ucmd *ucmd,
			 u32 *key)
{
	struct doca_file *file = mapping->file;
	int rc;

	rc = doca_mapping_reserve(file, key);
	if (rc)
		goto err_drop;
	mapping->key = *key;
	rc = doca_ucmd_respond(ucmd);
	if (!rc)
		rc = doca_mapping_link(mapping);
	if (rc)
		goto err_release;
	doca_files_changed();
	return 0;

err_release:
	spin_lock(&file->keys_lock);
	doca_keys_release(file->keys, mapping->key);
	spin_unlock(&file->keys_lock);
err_drop:
	doca_mapping_drop(mapping);
	return rc;
}

/* Return a reference, or ERR_PTR(-ENOENT) if the key is not valid. */
struct doca_mapping *doca_mapping_find(struct doca_file *file, u32 key)
{
	struct doca_mapping *mapping;

	spin_lock(&file->keys_lock);
	mapping = doca_keys_find(file->keys, key);
	if (mapping && mapping->key == key)
		kref_get(&mapping->ref);
	else
		mapping = ERR_PTR(-ENOENT);
	spin_unlock(&file->keys_lock);
	return mapping;
}

struct doca_mapping *doca_mapping_next(struct doca_file *file, u32 *index)
{
	struct doca_mapping *mapping = NULL;

	/* There may be a million slots: take the lock only for a slot in use. */
	while (!mapping && doca_keys_next(file->keys, index)) {
		spin_lock(&file->keys_lock);
		mapping = doca_keys_find(file->keys, *index);
		if (mapping)
			kref_get(&mapping->ref);
		spin_unlock(&file->keys_lock);
	}
	return mapping;
}

int doca_ioctl_mem_map(struct doca_ucmd *ucmd)
{
	const u32 local = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE;
	struct doca_mem_map *arg = ucmd->arg;
	struct doca_mapping *mapping;
	struct doca_memory *memory;
	struct doca_object *obj;
	int rc;

	if (arg->flags || arg->access & ~DOCA_ACCESS_MASK)
		return -EOPNOTSUPP;
	if (!arg->access || arg->access & ~local || arg->__reserved)
		return -EINVAL;

	obj = doca_object_find(ucmd->file, arg->mem_id, DOCA_OBJECT_MEMORY);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	memory = container_of(obj, struct doca_memory, obj);
	rc = -EACCES;
	if (arg->access & ~memory->access)
		goto out;

	mapping = doca_mapping_create(ucmd->file, memory, NULL, arg->device_id,
				      arg->access);
	if (IS_ERR(mapping)) {
		rc = PTR_ERR(mapping);
		goto out;
	}
	arg->out_flags = doca_mapping_flags(mapping);
	rc = doca_mapping_publish(mapping, ucmd, &arg->out_key);
	/* The memory was deregistered meanwhile, so its id is not valid any more. */
	if (rc == -ENOKEY)
		rc = -ENOENT;
out:
	doca_object_put(obj);
	return rc;
}

int doca_ioctl_mem_unmap(struct doca_ucmd *ucmd)
{
	struct doca_mem_unmap *arg = ucmd->arg;
	struct doca_mapping *mapping;
	unsigned int tries = 1;
	int rc;

	mapping = doca_mapping_find(ucmd->file, arg->key);
	if (IS_ERR(mapping))
		return PTR_ERR(mapping);

	doca_mapping_retire(mapping, &tries);
	rc = wait_for_completion_killable(&mapping->retired);
	doca_mapping_put(mapping);
	return rc ? -EINTR : 0;
}
