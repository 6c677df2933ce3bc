// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "kind.h"

#define FIELD(name_, title_, attr_, type_)                        \
	{                                                         \
		name_, title_, DOCA_GENL_A_##attr_, FIELD_##type_ \
	}

/* The owner comes at the end of the line, because a name may have any length */
#define OWNER                                                               \
	FIELD("pid", "PID", PID, NUMBER), FIELD("uid", "UID", UID, NUMBER), \
		FIELD("comm", "COMMAND", COMM, NAME)
#define DEVICE                                    \
	FIELD("device_id", NULL, DEV_ID, NUMBER), \
		FIELD("device", "DEVICE", DEV_NAME, NAME)
#define RANGE                                            \
	FIELD("address", "ADDRESS", ADDR, HEX),          \
		FIELD("length", "LENGTH", LENGTH, SIZE), \
		FIELD("access", "ACCESS", ACCESS, ACCESS)
#define END                      \
	{                        \
		NULL, NULL, 0, 0 \
	}

const struct kind kind_device = {
	.name = "device",
	.cmd = DOCA_GENL_CMD_DEV_GET,
	.fields =
		(const struct field[]){
			FIELD("id", "ID", DEV_ID, NUMBER),
			FIELD("name", "NAME", DEV_NAME, NAME),
			FIELD("type", "TYPE", DEV_TYPE, DEV_TYPE),
			FIELD("pci", "PCI", DEV_PCI, PCI),
			FIELD("guid", "GUID", DEV_GUID, GUID),
			FIELD("numa_node", "NUMA", DEV_NUMA_NODE, SIGNED),
			FIELD("ports", "PORTS", DEV_PORTS, NUMBER),
			FIELD("engine", "ENGINE", ENGINE_DRIVER, ENGINE),
			END,
		},
};

const struct kind kind_file = {
	.name = "file",
	.cmd = DOCA_GENL_CMD_FILE_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("memories", "MEMORIES", MEMORIES, NUMBER),
			FIELD("pinned_bytes", "PINNED", PINNED_BYTES, SIZE),
			FIELD("mappings", "MAPPINGS", MAPPINGS, NUMBER),
			FIELD("exports", "EXPORTS", EXPORTS, NUMBER),
			FIELD("workers", "WORKERS", WORKERS, NUMBER),
			FIELD("queues", "QUEUES", QUEUES, NUMBER),
			FIELD("ring_bytes", "RINGS", RING_BYTES, SIZE),
			FIELD("dms", "DMS", DMS, NUMBER),
			FIELD("objects", "OBJECTS", OBJECTS, NUMBER),
			FIELD("work_bytes", "WORK", WORK_BYTES, SIZE),
			OWNER,
			END,
		},
};

const struct kind kind_memory = {
	.name = "memory",
	.cmd = DOCA_GENL_CMD_MEMORY_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("memory", "MEMORY", MEM_ID, NUMBER),
			RANGE,
			FIELD("pinned_bytes", "PINNED", PINNED_BYTES, SIZE),
			FIELD("mappings", "MAPPINGS", MAPPINGS, NUMBER),
			FIELD("dma", "DMA", DMA, FLAG),
			OWNER,
			END,
		},
};

const struct kind kind_mapping = {
	.name = "mapping",
	.cmd = DOCA_GENL_CMD_MAPPING_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("key", "KEY", KEY, HEX),
			DEVICE,
			FIELD("memory", "MEMORY", MEM_ID, NUMBER),
			FIELD("export", "EXPORT", EXPORT_ID, NUMBER),
			RANGE,
			FIELD("dma", "DMA", DMA, FLAG),
			OWNER,
			END,
		},
};

const struct kind kind_export = {
	.name = "export",
	.cmd = DOCA_GENL_CMD_EXPORT_GET,
	.fields =
		(const struct field[]){
			FIELD("export", "EXPORT", EXPORT_ID, NUMBER),
			FIELD("state", "STATE", EXPORT_ID, EXPORT_STATE),
			FIELD("imports", "IMPORTS", IMPORTS, NUMBER),
			FIELD("any_user", "ANY-USER", ANY_USER, FLAG),
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("memory", "MEMORY", MEM_ID, NUMBER),
			DEVICE,
			RANGE,
			OWNER,
			END,
		},
};

const struct kind kind_worker = {
	.name = "worker",
	.cmd = DOCA_GENL_CMD_WORKER_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("worker", "WORKER", WORKER_ID, NUMBER),
			FIELD("thread_pid", "THREAD", WORKER_PID, NUMBER),
			FIELD("idle_ns", "IDLE", IDLE_NS, IDLE),
			FIELD("queues", "QUEUES", QUEUES, NUMBER),
			FIELD("working_ns", "WORKING", WORKING_NS, TIME),
			FIELD("polling_ns", "POLLING", POLLING_NS, TIME),
			OWNER,
			END,
		},
};

const struct kind kind_queue = {
	.name = "queue",
	.cmd = DOCA_GENL_CMD_QUEUE_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("queue", "QUEUE", QUEUE_ID, NUMBER),
			DEVICE,
			FIELD("worker", "WORKER", WORKER_ID, NUMBER),
			FIELD("state", "STATE", QUEUE_STATE, QUEUE_STATE),
			FIELD("ring_bytes", NULL, RING_BYTES, SIZE),
			FIELD("sq_entries", "ENTRIES", SQ_ENTRIES, NUMBER),
			FIELD("sq_tail", NULL, SQ_TAIL, NUMBER),
			FIELD("sq_head", NULL, SQ_HEAD, NUMBER),
			FIELD("cq_entries", NULL, CQ_ENTRIES, NUMBER),
			FIELD("cq_tail", NULL, CQ_TAIL, NUMBER),
			FIELD("cq_head", NULL, CQ_HEAD, NUMBER),
			FIELD("pending", "PENDING", SQ_TAIL, PENDING),
			FIELD("completed", "COMPLETED", OPS, NUMBER),
			FIELD("errors", "ERRORS", ERRORS, NUMBER),
			FIELD("bytes", "BYTES", BYTES, SIZE),
			FIELD("wakeups", "WAKEUPS", WAKEUPS, NUMBER),
			FIELD("op", "OP", OP, NAME),
			OWNER,
			END,
		},
};

const struct kind kind_dm = {
	.name = "dm",
	.cmd = DOCA_GENL_CMD_DM_GET,
	.fields =
		(const struct field[]){
			FIELD("id", "ID", DM_HANDLE, NUMBER),
			DEVICE,
			FIELD("length", "LENGTH", LENGTH, SIZE),
			FIELD("mrs", "MRS", PINS, NUMBER),
			FIELD("imports", "IMPORTS", IMPORTS, NUMBER),
			FIELD("imported", "IMPORTED", IMPORTED, FLAG),
			FIELD("file", "FILE", FILE_ID, NUMBER),
			OWNER,
			END,
		},
};

const struct kind kind_engine = {
	.name = "engine",
	.cmd = DOCA_GENL_CMD_ENGINE_GET,
	.fields =
		(const struct field[]){
			FIELD("name", "NAME", ENGINE_NAME, NAME),
			FIELD("state", "STATE", ENGINE_STATE, ENGINE_STATE),
			FIELD("driver", "DRIVER", ENGINE_DRIVER, NAME),
			FIELD("pci", NULL, DEV_PCI, NAME),
			FIELD("device_id", NULL, DEV_ID, NUMBER),
			FIELD("iommu", "IOMMU", ENGINE_IOMMU, ENGINE_IOMMU),
			FIELD("mask_bits", "BITS", ENGINE_MASK_BITS, NUMBER),
			FIELD("coherent", NULL, ENGINE_COHERENT, FLAG),
			FIELD("min_length", "FROM", ENGINE_MIN_LENGTH, SIZE),
			FIELD("maps", "MAPS", ENGINE_MAPS, NUMBER),
			FIELD("bytes", "BYTES", BYTES, SIZE),
			FIELD("completed", "COMPLETED", OPS, NUMBER),
			FIELD("descriptors", NULL, ENGINE_DESCS, NUMBER),
			FIELD("redone", "REDONE", ENGINE_REDONE, NUMBER),
			FIELD("timeouts", "TIMEOUTS", ENGINE_TIMEOUTS, NUMBER),
			END,
		},
};

const struct kind kind_pair = {
	.name = "pair",
	.cmd = DOCA_GENL_CMD_FUNCTION_GET,
	.fields =
		(const struct field[]){
			FIELD("pair_id", NULL, FUNCTION_ID, NUMBER),
			FIELD("pair", "NAME", FUNCTION_NAME, NAME),
			FIELD("dpu_id", NULL, DPU_ID, NUMBER),
			FIELD("dpu", "DPU", DPU_NAME, NAME),
			FIELD("dpu_pci", "PCI", DPU_PCI, SIDE_PCI),
			FIELD("host_id", NULL, HOST_ID, NUMBER),
			FIELD("host", "HOST", HOST_NAME, NAME),
			FIELD("host_pci", "PCI", HOST_PCI, SIDE_PCI),
			FIELD("users", "USERS", ANY_USER, USERS),
			END,
		},
};

const struct kind kind_representor = {
	.name = "representor",
	.cmd = DOCA_GENL_CMD_FUNCTION_GET,
	.fields =
		(const struct field[]){
			FIELD("vuid", "VUID", FUNCTION_VUID, NAME),
			FIELD("device_id", NULL, DPU_ID, NUMBER),
			FIELD("device", "DEVICE", DPU_NAME, NAME),
			FIELD("pci", "PCI", HOST_PCI, SIDE_PCI),
			FIELD("pair", "PAIR", FUNCTION_NAME, NAME),
			END,
		},
};

const struct kind kind_comch = {
	.name = "comch",
	.cmd = DOCA_GENL_CMD_ENDPOINT_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("queue", "QUEUE", QUEUE_ID, NUMBER),
			DEVICE,
			FIELD("role", "ROLE", ROLE, ROLE),
			FIELD("id", "ID", ATTACHED_ID, NUMBER),
			FIELD("connections", "CONNS", CONNECTIONS, NUMBER),
			FIELD("pair_id", NULL, FUNCTION_ID, NUMBER),
			FIELD("pair", "PAIR", FUNCTION_NAME, NAME),
			FIELD("max_message", NULL, MAX_MESSAGE, NUMBER),
			FIELD("entries", NULL, EV_ENTRIES, NUMBER),
			FIELD("tail", NULL, EV_TAIL, NUMBER),
			FIELD("head", NULL, EV_HEAD, NUMBER),
			FIELD("unread", "UNREAD", EV_TAIL, UNREAD),
			FIELD("slots", "SLOTS", RECV_SLOTS, NUMBER),
			FIELD("used_slots", "USED", RECV_USED, NUMBER),
			FIELD("starved", "STARVED", EV_STARVED, FLAG),
			OWNER,
			FIELD("server", "SERVER", SERVER_NAME, NAME),
			END,
		},
};

const struct kind kind_connection = {
	.name = "connection",
	.cmd = DOCA_GENL_CMD_CONNECTION_GET,
	.fields =
		(const struct field[]){
			FIELD("file", "FILE", FILE_ID, NUMBER),
			FIELD("queue", "QUEUE", QUEUE_ID, NUMBER),
			FIELD("connection", "CONN", CONNECTION_ID, NUMBER),
			DEVICE,
			FIELD("role", "ROLE", ROLE, ROLE),
			FIELD("max_message", "MESSAGE", MAX_MESSAGE, NUMBER),
			FIELD("producers", "PRODUCERS", PRODUCERS, NUMBER),
			FIELD("consumers", "CONSUMERS", CONSUMERS, NUMBER),
			FIELD("waiting", "WAITING", WAITING, NUMBER),
			FIELD("peer_file", "PEER-FILE", PEER_FILE_ID, NUMBER),
			FIELD("peer_queue", "QUEUE", PEER_QUEUE_ID, NUMBER),
			FIELD("peer_connection", "CONN", PEER_CONNECTION_ID,
			      NUMBER),
			OWNER,
			END,
		},
};

const struct kind kind_user = {
	.name = "user",
	.cmd = DOCA_GENL_CMD_USER_GET,
	.fields =
		(const struct field[]){
			FIELD("uid", "UID", UID, NUMBER),
			FIELD("resource", "RESOURCE", RESOURCE, NAME),
			FIELD("used", "USED", USED, AMOUNT),
			FIELD("limit", "LIMIT", LIMIT, AMOUNT),
			FIELD("used_percent", "USED%", LIMIT, PERCENT),
			END,
		},
};
