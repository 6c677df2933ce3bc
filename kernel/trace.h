/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM doca

#if !defined(DOCA_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define DOCA_TRACE_H

#include <linux/tracepoint.h>

#include "memory.h"
#include "queue.h"

DECLARE_EVENT_CLASS(doca_memory,
	TP_PROTO(const struct doca_memory *memory),
	TP_ARGS(memory),
	TP_STRUCT__entry(
		__field(u32, id)
		__field(u32, access)
		__field(u64, addr)
		__field(u64, length)
		__field(u32, shift)
	),
	TP_fast_assign(
		__entry->id = memory->obj.id;
		__entry->access = memory->access;
		__entry->addr = memory->addr;
		__entry->length = memory->length;
		__entry->shift = memory->pin.chunks.shift;
	),
	TP_printk("id=%u access=%#x addr=%#llx length=%llu shift=%u",
		  __entry->id, __entry->access, __entry->addr,
		  __entry->length, __entry->shift)
);

DEFINE_EVENT(doca_memory, doca_mem_reg,
	TP_PROTO(const struct doca_memory *memory),
	TP_ARGS(memory)
);

DEFINE_EVENT(doca_memory, doca_mem_revoke,
	TP_PROTO(const struct doca_memory *memory),
	TP_ARGS(memory)
);

DECLARE_EVENT_CLASS(doca_export,
	TP_PROTO(const struct doca_export *export),
	TP_ARGS(export),
	TP_STRUCT__entry(
		__field(u32, id)
		__field(u32, memory)
		__field(u32, device)
		__field(u32, imports)
	),
	TP_fast_assign(
		__entry->id = export->global_id;
		__entry->memory = export->memory->obj.id;
		__entry->device = export->device->id;
		__entry->imports = READ_ONCE(export->imports.nr);
	),
	TP_printk("export=%u memory=%u device=%u imports=%u", __entry->id,
		  __entry->memory, __entry->device, __entry->imports)
);

DEFINE_EVENT(doca_export, doca_mem_export,
	TP_PROTO(const struct doca_export *export),
	TP_ARGS(export)
);

DEFINE_EVENT(doca_export, doca_export_revoke,
	TP_PROTO(const struct doca_export *export),
	TP_ARGS(export)
);

TRACE_EVENT(doca_mem_import,
	TP_PROTO(const struct doca_export *export, u32 key),
	TP_ARGS(export, key),
	TP_STRUCT__entry(
		__field(u32, id)
		__field(u32, key)
	),
	TP_fast_assign(
		__entry->id = export->global_id;
		__entry->key = key;
	),
	TP_printk("export=%u key=%#x", __entry->id, __entry->key)
);

TRACE_EVENT(doca_submit,
	TP_PROTO(const struct doca_queue *queue),
	TP_ARGS(queue),
	TP_STRUCT__entry(
		__field(u32, device)
		__field(u32, queue)
		__field(u32, index)
		__field(u16, flags)
		__field(u64, user_data)
		__array(char, name, DOCA_OP_NAME_SIZE)
	),
	TP_fast_assign(
		__entry->device = queue->device->id;
		__entry->queue = queue->id;
		__entry->index = queue->ring.sq_head - 1;
		strscpy(__entry->name,
			doca_op_name(queue->types, queue->op.sqe.opcode),
			DOCA_OP_NAME_SIZE);
		__entry->flags = queue->op.sqe.flags;
		__entry->user_data = queue->op.sqe.user_data;
	),
	TP_printk("device=%u queue=%u index=%u op=%s flags=%#x user_data=%#llx",
		  __entry->device, __entry->queue, __entry->index,
		  __entry->name, __entry->flags, __entry->user_data)
);

TRACE_EVENT(doca_complete,
	TP_PROTO(const struct doca_queue *queue, u64 user_data, u32 status,
		 u64 length),
	TP_ARGS(queue, user_data, status, length),
	TP_STRUCT__entry(
		__field(u32, device)
		__field(u32, queue)
		__field(u32, index)
		__field(u32, status)
		__field(u64, length)
		__field(u64, user_data)
	),
	TP_fast_assign(
		__entry->device = queue->device->id;
		__entry->queue = queue->id;
		__entry->index = queue->ring.cq_tail - 1;
		__entry->status = status;
		__entry->length = length;
		__entry->user_data = user_data;
	),
	TP_printk("device=%u queue=%u index=%u status=%u length=%llu user_data=%#llx",
		  __entry->device, __entry->queue, __entry->index,
		  __entry->status, __entry->length, __entry->user_data)
);

DECLARE_EVENT_CLASS(doca_engine_memory,
	TP_PROTO(u32 device, u32 memory, u64 bytes),
	TP_ARGS(device, memory, bytes),
	TP_STRUCT__entry(
		__field(u32, device)
		__field(u32, memory)
		__field(u64, bytes)
	),
	TP_fast_assign(
		__entry->device = device;
		__entry->memory = memory;
		__entry->bytes = bytes;
	),
	TP_printk("device=%u memory=%u bytes=%llu", __entry->device,
		  __entry->memory, __entry->bytes)
);

DEFINE_EVENT(doca_engine_memory, doca_engine_map,
	TP_PROTO(u32 device, u32 memory, u64 bytes),
	TP_ARGS(device, memory, bytes)
);

DEFINE_EVENT(doca_engine_memory, doca_engine_unmap,
	TP_PROTO(u32 device, u32 memory, u64 bytes),
	TP_ARGS(device, memory, bytes)
);

TRACE_EVENT(doca_engine_submit,
	TP_PROTO(u32 device, u64 piece, u32 length),
	TP_ARGS(device, piece, length),
	TP_STRUCT__entry(
		__field(u32, device)
		__field(u32, length)
		__field(u64, piece)
	),
	TP_fast_assign(
		__entry->device = device;
		__entry->length = length;
		__entry->piece = piece;
	),
	TP_printk("device=%u piece=%llu length=%u", __entry->device,
		  __entry->piece, __entry->length)
);

TRACE_EVENT(doca_engine_done,
	TP_PROTO(u32 device, u64 piece, bool failed),
	TP_ARGS(device, piece, failed),
	TP_STRUCT__entry(
		__field(u32, device)
		__field(bool, failed)
		__field(u64, piece)
	),
	TP_fast_assign(
		__entry->device = device;
		__entry->failed = failed;
		__entry->piece = piece;
	),
	TP_printk("device=%u piece=%llu failed=%d", __entry->device,
		  __entry->piece, __entry->failed)
);

#endif /* DOCA_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
