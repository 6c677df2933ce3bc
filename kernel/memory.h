/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory, the mappings through which operations reach it, and the exports
 * through which other files get mappings of it.
 *
 * References point one way: mapping to export, device, memory and file; export
 * to memory and device. Pointers back hold no references, and are used under the
 * lock of the list, or after taking a reference there.
 */
#ifndef DOCA_MEMORY_H
#define DOCA_MEMORY_H

#include <linux/completion.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <linux/doca.h>

#include "device.h"
#include "dmabuf.h"
#include "file.h"
#include "pin.h"
#include "remote.h"
#include "watch.h"

struct doca_dmamap;
struct doca_memory;
struct doca_ucmd;
struct seq_file;
struct user_namespace;

/**
 * struct doca_mapping_set - mappings that are retired together
 * @list: mappings whose retirement has not begun
 * @nr: number of mappings that are not retired yet, on @list or not
 * @idle: woken when @nr becomes 0
 *
 * Protected by the lock of the memory.
 */
struct doca_mapping_set {
	struct list_head list;
	unsigned int nr;
	wait_queue_head_t idle;
};

static inline void doca_mapping_set_init(struct doca_mapping_set *set)
{
	INIT_LIST_HEAD(&set->list);
	init_waitqueue_head(&set->idle);
}

#define DOCA_ACCESS_WRITE_MASK                                                 \
	(DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_PCI_WRITE |                     \
	 DOCA_ACCESS_RDMA_WRITE | DOCA_ACCESS_RDMA_ATOMIC)

/**
 * struct doca_memory_ops - a kind of memory
 * @pin: check and charge everything, and keep the memory in place as long as it lives or
 *	has mappings. Errors are those of DOCA_MEM_REG. The CPU's addresses go into
 *	@chunks of its pin, and whether they may be written into @writable. NULL for a
 *	kind that is imported only
 * @unpin: undo @pin; called on a workqueue, and may sleep for long
 * @access: copy between the memory, from an offset on, and @bytes; return how many bytes
 *	at the end could not be copied. A value of 8 bytes at a multiple of 8 is copied in
 *	one access. NULL if the CPU reaches the memory.
 *
 * Called in run sections, possibly in parallel, between @pin and @unpin, with a range
 * within the memory, of at most a few hundred bytes. It allocates nothing and takes no
 * longer than a copy of that many bytes could; anything longer must be an operation
 *
 * A kind is one file, and one line in doca_memory_kind().
 */
struct doca_memory_ops {
	int (*pin)(struct doca_memory *memory, const struct doca_mem_reg *arg,
		   bool writable, struct doca_pin_limit *limit);
	void (*unpin)(struct doca_memory *memory);
	u32 (*access)(struct doca_memory *memory, u64 offset, void *bytes,
		      u32 length, bool write);
};

/**
 * struct doca_memory - registered memory, of any kind
 * @obj: references are held by the table of the file, each mapping and each export
 * @addr: first byte, an address in the process
 * @length: bytes
 * @access: &enum doca_access
 * @user: reference; the owner's account, which is charged
 * @ops: its kind; constant
 * @pin: pages that are kept as long as the memory lives or has mappings
 * @dmabuf: for the kind dma-buf
 * @remote: for remote memory: the provider's memory; otherwise NULL
 * @unpin: work that unpins it, on a workqueue of its own, because it can block on a page
 * @watched: watches of values in it; each watch has a reference
 * @lock: protects all below; a spinlock, because importers take it too
 * @dead: revoked: nothing new is linked
 * @mappings: mappings of the registering file
 * @exports: struct doca_export that are not revoked
 * @published: struct doca_export in the file's table
 * @nr_mappings: number of mappings that are not retired, imported ones included, and of
 *	calls that hold the pages
 * @dmamaps: struct doca_dmamap: for DMA engines; dma/map.h
 * @unmap: set with the first of @dmamaps: unmaps them before the memory is unpinned.
 *	Returns false if it never may be
 * @idle: woken when @nr_mappings becomes 0
 *
 * Death comes from OBJECT_DESTROY, the file's last close, or the end of the mm. Exports
 * are revoked and mappings retired by work items of their files, apart from the first
 * few, if OBJECT_DESTROY finds their executors between two steps. A work item that no
 * other mapping waits behind unpins the pages when the last mapping is gone. References
 * keep only the structure: an importer has one while it copies its answer, which may
 * block for ever, and a wait for a value in the memory has one until its next poll.
 */
struct doca_memory {
	struct doca_object obj;
	u64 addr;
	u64 length;
	u32 access;
	struct doca_user *user;
	const struct doca_memory_ops *ops;
	struct doca_pin pin;
	struct doca_dmabuf dmabuf;
	struct doca_remote *remote;
	struct work_struct unpin;
	struct doca_watched watched;

	spinlock_t lock; /* see above */
	bool dead;
	struct doca_mapping_set mappings;
	struct list_head exports;
	struct list_head published;
	unsigned int nr_mappings;
	struct list_head dmamaps;
	bool (*unmap)(struct doca_memory *memory);
	wait_queue_head_t idle;
};

/**
 * struct doca_export - the right to import a memory
 * @obj: references are held by the table of the file and each imported mapping
 * @user: reference; the owner's account, which is charged
 * @memory: reference
 * @device: reference
 * @device_user: revokes the export when the device is removed; deleted when the export
 *	leaves the table
 * @uid: effective user id of the exporter
 * @user_ns: reference; the exporter's namespace
 * @flags: &enum doca_export_flags
 * @global_id: its id in the blob
 * @blob: must equal the importer's blob in every byte
 * @node: in doca_memory.exports; under the memory's lock
 * @table_node: in doca_memory.published, until the export leaves the file's table; under
 *	the memory's lock
 * @revoked: nothing new is linked; under the memory's lock
 * @imports: mappings made from it
 */
struct doca_export {
	struct doca_object obj;
	struct doca_user *user;
	struct doca_memory *memory;
	struct doca_device *device;
	struct doca_device_user device_user;
	kuid_t uid;
	struct user_namespace *user_ns;
	u32 flags;
	u32 global_id;
	struct doca_blob blob;
	struct list_head node;
	struct list_head table_node;
	bool revoked;
	struct doca_mapping_set imports;
};

/**
 * struct doca_mapping - a memory, made accessible to the queues of one device
 * @key: its key in entries; constant once it is published
 * @access: DOCA_ACCESS_LOCAL_READ and DOCA_ACCESS_LOCAL_WRITE; 0 for remote memory, whose
 *	provider has the access
 * @plain: @access for the simplest copies; 0 for memory of a file, which is checked
 *	before each access
 * @addr: first byte, an address in the process that registered it
 * @length: bytes
 * @chunks: the memory's; doca_chunks_none if all accesses go through functions
 * @dma: maps @memory for the engine that copied for @device when it was made, shared with
 *	other mappings; may be NULL; constant
 * @device: reference
 * @ref: held by the key table until the mapping has ended, and by calls that found it
 *	there
 * @uses: one until the grace period has ended, and one for each operation in flight that
 *	reaches the memory; the mapping ends when it becomes 0
 * @file: reference; the file of the key
 * @memory: reference
 * @export: reference; NULL if not imported
 * @set: the memory's or the export's; under the memory's lock
 * @node: in @set; under the memory's lock
 * @dead: its retirement has begun; written under the file's lock of keys
 * @retired: completed when nothing uses it any more
 * @retiring_node: in doca_file.retiring
 * @end: work that ends it after the last use, which may end in an interrupt; or that drops
 *	one that was never published
 *
 * To retire it, its key is cleared and a grace period passes: then no step uses it, and
 * nothing new is started with it. Then operations in flight are recalled. When the last
 * of @uses is gone, it is unlinked from the memory, and the pages may be unpinned.
 */
struct doca_mapping {
	u32 key;
	u32 plain;
	u64 addr;
	u64 length;
	const struct doca_chunks *chunks;
	struct doca_device *device;
	u32 access;
	struct doca_dmamap *dma;

	struct kref ref;
	refcount_t uses;
	struct doca_file *file;
	struct doca_memory *memory;
	struct doca_export *export;
	struct doca_mapping_set *set;
	struct list_head node;
	bool dead;
	struct completion retired;
	struct list_head retiring_node;
	struct work_struct end;
};

/**
 * struct doca_mapping_user - a lasting user of a mapping, besides operations in flight
 * @ref: references of the object that it is part of
 * @mapping: mapping, with a use; NULL before doca_mapping_use() and after
 *	doca_mapping_unuse()
 * @node: in doca_file.mapping_users; under the lock of its keys
 * @recall: called when the key was retired, with a reference, which it puts: call
 *	doca_mapping_unuse() soon, and do not wait
 */
struct doca_mapping_user {
	struct kref ref;
	struct doca_mapping *mapping;
	struct list_head node;
	void (*recall)(struct doca_mapping_user *user);
};

/* Return the CPU's addresses of the memory, or doca_chunks_none. */
static inline const struct doca_chunks *
doca_memory_chunks(const struct doca_memory *memory)
{
	return memory->ops->access || memory->remote ? &doca_chunks_none :
						       &memory->pin.chunks;
}

/* memory.c */
int doca_ioctl_mem_reg(struct doca_ucmd *ucmd);
/* Make memory without pages, in no table: once it is dead, it ends with its last mapping. */
struct doca_memory *doca_memory_create_remote(struct doca_remote *remote);
/* Link nothing new, and unpin the memory when it has no mappings. */
void doca_memory_die(struct doca_memory *memory);
void doca_memory_unpin(struct doca_memory *memory);
/* Keep the pages, even without mappings, until doca_memory_unhold(); false if it is dead. */
bool doca_memory_hold(struct doca_memory *memory);
void doca_memory_unhold(struct doca_memory *memory);
/* Like doca_memory_unhold(), for a mapping that was linked, under the memory's lock. */
void doca_memory_leave(struct doca_memory *memory);
/* Return the first memory with an id from *id on, with a reference. */
struct doca_memory *doca_memory_next(struct doca_file *file, unsigned long *id);
void doca_memory_show_fdinfo(struct seq_file *m, struct doca_file *file);
int doca_memory_init(void);
/* Wait for everything that is still being retired or unpinned. */
void doca_memory_exit(void);

/* mapping.c */
int doca_ioctl_mem_map(struct doca_ucmd *ucmd);
int doca_ioctl_mem_unmap(struct doca_ucmd *ucmd);
struct doca_mapping *doca_mapping_create(struct doca_file *file,
					 struct doca_memory *memory,
					 struct doca_export *export,
					 u32 device_id, u32 access);
/* Return bits of &enum doca_map. */
u32 doca_mapping_flags(const struct doca_mapping *mapping);
int doca_mapping_publish(struct doca_mapping *mapping, struct doca_ucmd *ucmd,
			 u32 *key);
void doca_mapping_put(struct doca_mapping *mapping);
struct doca_mapping *doca_mapping_find(struct doca_file *file, u32 key);
/* Use a mapping until it is recalled, without a reference; -ENOENT if its key was retired. */
int doca_mapping_use(struct doca_mapping *mapping,
		     struct doca_mapping_user *user);
/* Stop using the mapping, if any. */
void doca_mapping_unuse(struct doca_mapping_user *user);
/* Return the first mapping with an index after *index, with a reference, or NULL. */
struct doca_mapping *doca_mapping_next(struct doca_file *file, u32 *index);
/*
 * Retire the mappings of a set, without waiting for long. For a caller that will wait for
 * the end anyway, first spin shortly, up to *tries times, which is counted down; NULL:
 * the caller does not wait.
 */
void doca_mapping_set_retire(struct doca_memory *memory,
			     struct doca_mapping_set *set, unsigned int *tries);
/* Limit of one call. For more mappings, one grace period for all of a file costs less. */
#define DOCA_RETIRE_TRIES 8
/* Called by open(). */
void doca_file_init_mappings(struct doca_file *file);
void doca_file_retire_mappings(struct doca_file *file);

/* export.c */
int doca_ioctl_mem_export(struct doca_ucmd *ucmd);
int doca_export_destroy(struct doca_file *file, struct doca_object *obj);
int doca_ioctl_mem_import(struct doca_ucmd *ucmd);
/*
 * @tries: see doca_mapping_set_retire()
 */
void doca_export_revoke(struct doca_export *export, unsigned int *tries);
/* Revoke an export of any file, without waiting. -ENOENT if there is none or it has ended. */
int doca_export_revoke_id(u32 global_id);
void doca_export_drop(struct doca_file *file, struct doca_export *export);
void doca_export_init(void);
/* Return the kernel_id of blobs made here. It may be changed before the first one is made. */
u8 *doca_export_identity(void);

/* revoke.c */
int doca_memory_destroy(struct doca_file *file, struct doca_object *obj);
/* Called at the end of the mm. */
void doca_file_kill_memory(struct doca_file *file);

/* Unpinning may block, and a user may have very many memories being unpinned at a time. */
extern struct workqueue_struct *doca_unpin_wq;

#endif
