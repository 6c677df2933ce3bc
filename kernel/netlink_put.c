// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Listings of files and of the objects in them. Counters are read while they change: no lock is
 * held, but that of an array while it is walked.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>
#include <net/genetlink.h>

#include "dm.h"
#include "flight.h"
#include "keys.h"
#include "memory.h"
#include "netlink.h"
#include "netlink_put.h"
#include "op_object.h"
#include "queue.h"
#include "user.h"
#include "worker.h"

int doca_nl_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, DOCA_GENL_A_PAD);
}

int doca_nl_put_flag(struct sk_buff *skb, int attr, bool value)
{
	return value ? nla_put_flag(skb, attr) : 0;
}

/* Leave the attribute out if the reader's namespace does not know the process. */
static int doca_nl_put_pid(struct sk_buff *skb, int attr, pid_t pid)
{
	return pid ? nla_put_u32(skb, attr, pid) : 0;
}

int doca_nl_put_device_of(struct sk_buff *skb,
			  const struct doca_device *device)
{
	char name[DOCA_DEVICE_NAME_MAX];

	doca_device_name(device, name);
	if (nla_put_u32(skb, DOCA_GENL_A_DEV_ID, device->id) ||
	    nla_put_string(skb, DOCA_GENL_A_DEV_NAME, name))
		return -EMSGSIZE;
	return 0;
}

static int doca_nl_put_range(const struct doca_nl_out *out, u64 addr,
			     u64 length, u32 access)
{
	struct sk_buff *skb = out->skb;

	if (out->privileged && doca_nl_put_u64(skb, DOCA_GENL_A_ADDR, addr))
		return -EMSGSIZE;
	if (doca_nl_put_u64(skb, DOCA_GENL_A_LENGTH, length) ||
	    nla_put_u32(skb, DOCA_GENL_A_ACCESS, access))
		return -EMSGSIZE;
	return 0;
}

void *doca_nl_begin(const struct doca_nl_out *out,
		    const struct doca_file *file)
{
	struct netlink_callback *cb = out->cb;
	struct sk_buff *skb = out->skb;
	uid_t uid;
	pid_t pid;
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &doca_nl_family, NLM_F_MULTI, out->cmd);
	if (!hdr)
		return NULL;
	genl_dump_check_consistent(cb, hdr);
	uid = from_kuid_munged(current_user_ns(), doca_user_uid(file->user));
	pid = pid_nr_ns(file->pid, task_active_pid_ns(current));
	if (nla_put_u32(skb, DOCA_GENL_A_FILE_ID, file->id) ||
	    doca_nl_put_pid(skb, DOCA_GENL_A_PID, pid) ||
	    nla_put_string(skb, DOCA_GENL_A_COMM, file->comm) ||
	    nla_put_u32(skb, DOCA_GENL_A_UID, uid)) {
		genlmsg_cancel(skb, hdr);
		return NULL;
	}
	return hdr;
}

int doca_nl_end(const struct doca_nl_out *out, void *hdr, int rc)
{
	if (rc) {
		genlmsg_cancel(out->skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(out->skb, hdr);
	return 0;
}

/* Entries that are visited under a lock at a time; some are reserved for objects to come. */
#define DOCA_NL_BATCH 32

/* Sums over the objects of a file. */
struct doca_nl_sums {
	u32 objects[DOCA_OBJECT_NR];
	u32 queues;
	u32 op_objects;
	u64 pinned_bytes;
	u64 ring_bytes;
	u64 work_bytes;
};

static u64 doca_nl_pinned_bytes(const struct doca_memory *memory)
{
	return (u64)memory->pin.npages << PAGE_SHIFT;
}

/* Executors take the array's lock for each operation: give it up every now and then. */
static void doca_nl_sum_op_objects(struct doca_file *file,
				   struct doca_nl_sums *sums)
{
	XA_STATE(xas, &file->op_objects, 0);
	struct doca_op_object *object;
	unsigned int entries = 0;

	xas_lock(&xas);
	xas_for_each(&xas, object, U16_MAX) {
		if (!xa_is_zero(object)) {
			sums->op_objects++;
			sums->work_bytes += object->bytes;
		}
		if (++entries % DOCA_NL_BATCH)
			continue;
		xas_pause(&xas);
		xas_unlock(&xas);
		cond_resched();
		xas_lock(&xas);
	}
	xas_unlock(&xas);
}

static void doca_nl_sum_up(struct doca_file *file, struct doca_nl_sums *sums)
{
	struct doca_object *obj;
	struct doca_queue *queue;
	unsigned long id;

	for (id = 0; (obj = doca_object_from(file, &id)); id++) {
		struct doca_memory *memory =
			container_of(obj, struct doca_memory, obj);

		sums->objects[obj->type]++;
		if (obj->type == DOCA_OBJECT_MEMORY)
			sums->pinned_bytes += doca_nl_pinned_bytes(memory);
		doca_object_put(obj);
	}
	for (id = 0; (queue = doca_queue_next(file, &id)); id++) {
		sums->queues++;
		sums->ring_bytes += doca_ring_bytes(&queue->ring);
		if (queue->pool)
			sums->work_bytes += queue->pool->bytes;
		doca_queue_put(queue);
	}
	doca_nl_sum_op_objects(file, sums);
}

int doca_nl_put_file(const struct doca_nl_out *out, struct doca_file *file)
{
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;
	struct doca_nl_sums sums = {};

	if (!hdr)
		return -EMSGSIZE;
	doca_nl_sum_up(file, &sums);
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_MEMORIES,
			    sums.objects[DOCA_OBJECT_MEMORY]) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_PINNED_BYTES,
				sums.pinned_bytes) ||
		nla_put_u32(skb, DOCA_GENL_A_MAPPINGS,
			    READ_ONCE(file->keys->nr_published)) ||
		nla_put_u32(skb, DOCA_GENL_A_EXPORTS,
			    sums.objects[DOCA_OBJECT_EXPORT]) ||
		nla_put_u32(skb, DOCA_GENL_A_WORKERS,
			    sums.objects[DOCA_OBJECT_WORKER]) ||
		nla_put_u32(skb, DOCA_GENL_A_QUEUES, sums.queues) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_RING_BYTES, sums.ring_bytes) ||
		nla_put_u32(skb, DOCA_GENL_A_DMS,
			    sums.objects[DOCA_OBJECT_DM]) ||
		nla_put_u32(skb, DOCA_GENL_A_OBJECTS, sums.op_objects) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_WORK_BYTES, sums.work_bytes));
}

int doca_nl_put_memory(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_memory *memory)
{
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_MEM_ID, memory->obj.id) ||
		doca_nl_put_range(out, memory->addr, memory->length,
				  memory->access) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_PINNED_BYTES,
				doca_nl_pinned_bytes(memory)) ||
		nla_put_u32(skb, DOCA_GENL_A_MAPPINGS,
			    READ_ONCE(memory->nr_mappings)) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_DMA,
				 !list_empty_careful(&memory->dmamaps)));
}

/* An imported memory's id belongs to another file, which the reader may not see. */
static int doca_nl_put_origin(struct sk_buff *skb,
			      const struct doca_mapping *mapping)
{
	if (mapping->export)
		return nla_put_u32(skb, DOCA_GENL_A_EXPORT_ID,
				   mapping->export->global_id);
	return nla_put_u32(skb, DOCA_GENL_A_MEM_ID, mapping->memory->obj.id);
}

int doca_nl_put_mapping(const struct doca_nl_out *out, struct doca_file *file,
			const struct doca_mapping *mapping)
{
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_KEY, mapping->key) ||
		doca_nl_put_device_of(skb, mapping->device) ||
		doca_nl_put_origin(skb, mapping) ||
		doca_nl_put_range(out, mapping->addr, mapping->length,
				  mapping->access) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_DMA,
				 doca_mapping_flags(mapping) & DOCA_MAP_DMA));
}

int doca_nl_put_export(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_export *export)
{
	const struct doca_memory *memory = export->memory;
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_EXPORT_ID, export->global_id) ||
		doca_nl_put_device_of(skb, export->device) ||
		nla_put_u32(skb, DOCA_GENL_A_MEM_ID, memory->obj.id) ||
		doca_nl_put_range(out, memory->addr, memory->length,
				  le32_to_cpu(export->blob.access)) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_ANY_USER,
				 export->flags & DOCA_EXPORT_ANY_USER) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_REVOKED,
				 READ_ONCE(export->revoked)) ||
		nla_put_u32(skb, DOCA_GENL_A_IMPORTS,
			    READ_ONCE(export->imports.nr)));
}

int doca_nl_put_worker(const struct doca_nl_out *out, struct doca_file *file,
		       const struct doca_worker *worker)
{
	pid_t pid = doca_thread_pid(&worker->thread,
				    task_active_pid_ns(current));
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_WORKER_ID, worker->obj.id) ||
		doca_nl_put_pid(skb, DOCA_GENL_A_WORKER_PID, pid) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_IDLE_NS, worker->idle_ns) ||
		nla_put_u32(skb, DOCA_GENL_A_QUEUES,
			    READ_ONCE(worker->nr_queues)) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_POLLING_NS,
				READ_ONCE(worker->polling_ns)) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_WORKING_NS,
				READ_ONCE(worker->working_ns)));
}

int doca_nl_put_dm(const struct doca_nl_out *out, struct doca_file *file,
		   const struct doca_dm_holder *holder)
{
	const struct doca_dm *dm = holder->dm;
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_DM_HANDLE, dm->handle) ||
		doca_nl_put_device_of(skb, dm->device) ||
		doca_nl_put_u64(skb, DOCA_GENL_A_LENGTH, dm->length) ||
		nla_put_u32(skb, DOCA_GENL_A_PINS, doca_dm_pins(dm)) ||
		nla_put_u32(skb, DOCA_GENL_A_IMPORTS,
			    READ_ONCE(dm->nr_imports)) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_IMPORTED, holder->imported));
}

static int doca_nl_put_rings(struct sk_buff *skb, const struct doca_ring *ring)
{
	u32 head = READ_ONCE(ring->sq_head);

	return doca_nl_put_u64(skb, DOCA_GENL_A_RING_BYTES,
			       doca_ring_bytes(ring)) ||
	       nla_put_u32(skb, DOCA_GENL_A_SQ_ENTRIES, ring->sq_entries) ||
	       nla_put_u32(skb, DOCA_GENL_A_SQ_TAIL,
			   head + doca_ring_sq_waiting(ring, head)) ||
	       nla_put_u32(skb, DOCA_GENL_A_SQ_HEAD, head) ||
	       nla_put_u32(skb, DOCA_GENL_A_CQ_ENTRIES, ring->cq_entries) ||
	       nla_put_u32(skb, DOCA_GENL_A_CQ_TAIL,
			   READ_ONCE(ring->cq_tail)) ||
	       nla_put_u32(skb, DOCA_GENL_A_CQ_HEAD,
			   READ_ONCE(ring->u->cq_head));
}

static int doca_nl_put_stats(struct sk_buff *skb,
			     const struct doca_queue *queue)
{
	return doca_nl_put_u64(skb, DOCA_GENL_A_OPS,
			       READ_ONCE(queue->stats.ops)) ||
	       doca_nl_put_u64(skb, DOCA_GENL_A_ERRORS,
			       READ_ONCE(queue->stats.errors)) ||
	       doca_nl_put_u64(skb, DOCA_GENL_A_BYTES,
			       READ_ONCE(queue->stats.bytes)) ||
	       doca_nl_put_u64(skb, DOCA_GENL_A_WAKEUPS,
			       READ_ONCE(queue->stats.wakeups));
}

static int doca_nl_put_op(struct sk_buff *skb, const struct doca_queue *queue)
{
	const struct doca_op_type *type = READ_ONCE(queue->op.type);

	return type ? nla_put_string(skb, DOCA_GENL_A_OP, type->name) : 0;
}

int doca_nl_put_queue(const struct doca_nl_out *out, struct doca_file *file,
		      const struct doca_queue *queue)
{
	void *hdr = doca_nl_begin(out, file);
	struct sk_buff *skb = out->skb;

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		nla_put_u32(skb, DOCA_GENL_A_QUEUE_ID, queue->id) ||
		doca_nl_put_device_of(skb, queue->device) ||
		(queue->worker && nla_put_u32(skb, DOCA_GENL_A_WORKER_ID,
					      queue->worker->obj.id)) ||
		nla_put_u32(skb, DOCA_GENL_A_QUEUE_STATE,
			    READ_ONCE(queue->state)) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_CLOSED,
				 READ_ONCE(queue->closed)) ||
		doca_nl_put_flag(skb, DOCA_GENL_A_REMOVED,
				 READ_ONCE(queue->removed)) ||
		doca_nl_put_rings(skb, &queue->ring) ||
		doca_nl_put_stats(skb, queue) || doca_nl_put_op(skb, queue));
}
