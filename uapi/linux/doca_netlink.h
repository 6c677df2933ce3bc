/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * Generic netlink family of the DOCA driver: which devices there are, and what
 * its users have made of them.
 *
 * A device is seen in the network namespaces in which its RDMA device is seen;
 * the software device is seen in all. No privilege is needed.
 *
 * The other listings tell of what belongs to files of /dev/doca. Without
 * privilege they are of the files that the caller's real user id has opened,
 * and tell no addresses; with CAP_SYS_ADMIN in the initial user namespace they
 * are of all files. Process ids are those of the reader's namespace, and absent
 * where it has none; user ids that his namespace does not know are the overflow
 * id.
 */
#ifndef _UAPI_LINUX_DOCA_NETLINK_H
#define _UAPI_LINUX_DOCA_NETLINK_H

#define DOCA_GENL_NAME "doca"
#define DOCA_GENL_VERSION 1

/* Multicast group that gets DOCA_GENL_CMD_DEV_ADD and DOCA_GENL_CMD_DEV_DEL */
#define DOCA_GENL_MCGRP_DEVICE "device"

/**
 * DOC: Listings
 *
 * A listing is a dump without attributes, in the order of ids: first of files,
 * then of the objects in them. What exists during the whole of the dump is in
 * it once. A dump in several messages during which objects came or went has
 * NLM_F_DUMP_INTR. Each message has the attributes of the file, FILE_ID, PID,
 * COMM and UID, and those named at the command. Counters only grow as long as
 * the object exists, and are read while they change: they need not agree with
 * one another to the last entry.
 *
 * Errors: EINVAL if there are attributes; EOPNOTSUPP if it is not a dump.
 */

/**
 * enum doca_genl_cmd - commands of the family
 * @DOCA_GENL_CMD_UNSPEC: not a command
 * @DOCA_GENL_CMD_DEV_GET: as a dump: all devices, RDMA devices in the order of
 *	their appearance, the software device last. With DOCA_GENL_A_DEV_ID: this
 *	one, or ENODEV. Answers have the attributes below.
 * @DOCA_GENL_CMD_DEV_ADD: notification: a device has appeared, or has got another
 *	name
 * @DOCA_GENL_CMD_DEV_DEL: notification: a device is gone; only its id and name
 * @DOCA_GENL_CMD_FILE_GET: listing of files of /dev/doca, also of those that are
 *	closed and whose queues are not: MEMORIES, PINNED_BYTES, MAPPINGS,
 *	EXPORTS, WORKERS, QUEUES, RING_BYTES, DMS, PHYSICAL
 * @DOCA_GENL_CMD_MEMORY_GET: listing of memory: MEM_ID, ADDR, LENGTH, ACCESS,
 *	PINNED_BYTES, MAPPINGS, PHYSICAL
 * @DOCA_GENL_CMD_MAPPING_GET: listing of mappings: KEY, DEV_ID, DEV_NAME, MEM_ID
 *	or EXPORT_ID, ADDR, LENGTH, ACCESS, PHYSICAL
 * @DOCA_GENL_CMD_EXPORT_GET: listing of exports: EXPORT_ID, DEV_ID, DEV_NAME,
 *	MEM_ID, ADDR, LENGTH, ACCESS, ANY_USER, REVOKED, IMPORTS
 * @DOCA_GENL_CMD_WORKER_GET: listing of workers: WORKER_ID, WORKER_PID, IDLE_NS,
 *	QUEUES, POLLING_NS, WORKING_NS
 * @DOCA_GENL_CMD_QUEUE_GET: listing of queues: QUEUE_ID, DEV_ID, DEV_NAME,
 *	WORKER_ID, QUEUE_STATE, CLOSED, REMOVED, RING_BYTES, SQ_ENTRIES to
 *	CQ_HEAD, OPS, ERRORS, BYTES, WAKEUPS
 * @DOCA_GENL_CMD_EXPORT_REVOKE: make the blob of EXPORT_ID worthless and retire
 *	the keys imported with it, as if its device had been removed: operations
 *	that are at work end after their step, and may still be at it when the
 *	answer comes. EINVAL without the id, EPERM without CAP_SYS_ADMIN in the
 *	initial user namespace, ENOENT if there is no such export or it has ended
 * @DOCA_GENL_CMD_DM_GET: listing of device memory: DM_HANDLE, DEV_ID, DEV_NAME, LENGTH,
 *	PINS, IMPORTS, IMPORTED
 */
enum doca_genl_cmd {
	DOCA_GENL_CMD_UNSPEC,
	DOCA_GENL_CMD_DEV_GET,
	DOCA_GENL_CMD_DEV_ADD,
	DOCA_GENL_CMD_DEV_DEL,
	DOCA_GENL_CMD_FILE_GET,
	DOCA_GENL_CMD_MEMORY_GET,
	DOCA_GENL_CMD_MAPPING_GET,
	DOCA_GENL_CMD_EXPORT_GET,
	DOCA_GENL_CMD_WORKER_GET,
	DOCA_GENL_CMD_QUEUE_GET,
	DOCA_GENL_CMD_EXPORT_REVOKE,
	DOCA_GENL_CMD_DM_GET,

	/* private: */
	__DOCA_GENL_CMD_MAX,
	DOCA_GENL_CMD_MAX = __DOCA_GENL_CMD_MAX - 1,
};

/**
 * enum doca_genl_attr - attributes of devices and of objects
 * @DOCA_GENL_A_UNSPEC: not an attribute
 * @DOCA_GENL_A_PAD: for alignment
 * @DOCA_GENL_A_DEV_ID: u32, what ioctls call it; never used again
 * @DOCA_GENL_A_DEV_TYPE: u32, &enum doca_dev_type
 * @DOCA_GENL_A_DEV_NAME: string, name of the RDMA device, or "software"
 * @DOCA_GENL_A_DEV_GUID: u64, node GUID in the CPU's byte order; 0 if none
 * @DOCA_GENL_A_DEV_PCI: string "dddd:bb:dd.f", the PCI function of the RDMA
 *	device's parent; absent if it has none, as with soft RDMA devices, whose
 *	PCI function is that of their network interface
 * @DOCA_GENL_A_DEV_NUMA_NODE: s32, -1 if none
 * @DOCA_GENL_A_DEV_PORTS: u32, number of RDMA ports
 * @DOCA_GENL_A_FILE_ID: u32, of a file of /dev/doca; not used again soon
 * @DOCA_GENL_A_PID: u32, process that opened the file
 * @DOCA_GENL_A_COMM: string, its name then
 * @DOCA_GENL_A_UID: u32, its real user id then
 * @DOCA_GENL_A_MEMORIES: u32, number of memories
 * @DOCA_GENL_A_PINNED_BYTES: u64, pages of registered ranges; what they are
 *	charged differs where they are parts of huge ones, see DOCA_MEM_REG
 * @DOCA_GENL_A_MAPPINGS: u32, number of keys; of a memory, in all files
 * @DOCA_GENL_A_EXPORTS: u32, number of exports, those revoked by others included
 * @DOCA_GENL_A_WORKERS: u32, number of workers
 * @DOCA_GENL_A_QUEUES: u32, number of queues
 * @DOCA_GENL_A_RING_BYTES: u64, memory of rings
 * @DOCA_GENL_A_MEM_ID: u32, id of a memory in its file
 * @DOCA_GENL_A_ADDR: u64, first byte, an address of who registered it; only with
 *	privilege
 * @DOCA_GENL_A_LENGTH: u64, bytes
 * @DOCA_GENL_A_ACCESS: u32, bits of &enum doca_access
 * @DOCA_GENL_A_KEY: u32, what entries carry
 * @DOCA_GENL_A_EXPORT_ID: u32, of an export, as its blob has it; unlike the id
 *	of DOCA_MEM_EXPORT it is one for all files, and not used again soon
 * @DOCA_GENL_A_ANY_USER: flag, exported with DOCA_EXPORT_ANY_USER
 * @DOCA_GENL_A_REVOKED: flag, by an administrator or the device's removal
 * @DOCA_GENL_A_IMPORTS: u32, keys that were imported with it; of device memory: ids
 *	that were
 * @DOCA_GENL_A_WORKER_ID: u32, id of a worker in its file; of a queue: absent if
 *	DOCA_QUEUE_ENTER executes it
 * @DOCA_GENL_A_WORKER_PID: u32, of the worker's thread
 * @DOCA_GENL_A_IDLE_NS: u64, how long it polls in vain; all ones: for ever
 * @DOCA_GENL_A_POLLING_NS: u64, time spent awake without work
 * @DOCA_GENL_A_WORKING_NS: u64, time spent awake with work
 * @DOCA_GENL_A_QUEUE_ID: u32, number of a queue in its file, also used by
 *	tracepoints
 * @DOCA_GENL_A_QUEUE_STATE: u32, &enum doca_queue_state
 * @DOCA_GENL_A_CLOSED: flag, its file or address space is gone
 * @DOCA_GENL_A_REMOVED: flag, its device is gone
 * @DOCA_GENL_A_SQ_ENTRIES: u32, size of the submission ring
 * @DOCA_GENL_A_SQ_TAIL: u32, entries submitted, as far as they can be seen
 * @DOCA_GENL_A_SQ_HEAD: u32, entries consumed
 * @DOCA_GENL_A_CQ_ENTRIES: u32, size of the completion ring
 * @DOCA_GENL_A_CQ_TAIL: u32, completions written
 * @DOCA_GENL_A_CQ_HEAD: u32, completions reaped; what user space has written
 * @DOCA_GENL_A_OPS: u64, operations completed, in whatever way
 * @DOCA_GENL_A_ERRORS: u64, those that failed; canceled ones have not
 * @DOCA_GENL_A_BYTES: u64, written by operations
 * @DOCA_GENL_A_WAKEUPS: u64, how often somebody who waited was woken
 * @DOCA_GENL_A_DMS: u32, number of allocations of device memory, those that were
 *	imported included
 * @DOCA_GENL_A_DM_HANDLE: u32, by which others import device memory; unique among all
 *	files, and not used again soon
 * @DOCA_GENL_A_PINS: u32, registrations that hold pages of device memory: with its RDMA
 *	device, with DOCA_MEM_REG, or whatever else pins pages. Two of which one ends at
 *	the page before that at which the other begins count as one
 * @DOCA_GENL_A_IMPORTED: flag, another id names it that was not imported
 * @DOCA_GENL_A_PHYSICAL: flag, it is physical memory of the machine; of a file: it has some
 */
enum doca_genl_attr {
	DOCA_GENL_A_UNSPEC,
	DOCA_GENL_A_PAD,
	DOCA_GENL_A_DEV_ID,
	DOCA_GENL_A_DEV_TYPE,
	DOCA_GENL_A_DEV_NAME,
	DOCA_GENL_A_DEV_GUID,
	DOCA_GENL_A_DEV_PCI,
	DOCA_GENL_A_DEV_NUMA_NODE,
	DOCA_GENL_A_DEV_PORTS,
	DOCA_GENL_A_FILE_ID,
	DOCA_GENL_A_PID,
	DOCA_GENL_A_COMM,
	DOCA_GENL_A_UID,
	DOCA_GENL_A_MEMORIES,
	DOCA_GENL_A_PINNED_BYTES,
	DOCA_GENL_A_MAPPINGS,
	DOCA_GENL_A_EXPORTS,
	DOCA_GENL_A_WORKERS,
	DOCA_GENL_A_QUEUES,
	DOCA_GENL_A_RING_BYTES,
	DOCA_GENL_A_MEM_ID,
	DOCA_GENL_A_ADDR,
	DOCA_GENL_A_LENGTH,
	DOCA_GENL_A_ACCESS,
	DOCA_GENL_A_KEY,
	DOCA_GENL_A_EXPORT_ID,
	DOCA_GENL_A_ANY_USER,
	DOCA_GENL_A_REVOKED,
	DOCA_GENL_A_IMPORTS,
	DOCA_GENL_A_WORKER_ID,
	DOCA_GENL_A_WORKER_PID,
	DOCA_GENL_A_IDLE_NS,
	DOCA_GENL_A_POLLING_NS,
	DOCA_GENL_A_WORKING_NS,
	DOCA_GENL_A_QUEUE_ID,
	DOCA_GENL_A_QUEUE_STATE,
	DOCA_GENL_A_CLOSED,
	DOCA_GENL_A_REMOVED,
	DOCA_GENL_A_SQ_ENTRIES,
	DOCA_GENL_A_SQ_TAIL,
	DOCA_GENL_A_SQ_HEAD,
	DOCA_GENL_A_CQ_ENTRIES,
	DOCA_GENL_A_CQ_TAIL,
	DOCA_GENL_A_CQ_HEAD,
	DOCA_GENL_A_OPS,
	DOCA_GENL_A_ERRORS,
	DOCA_GENL_A_BYTES,
	DOCA_GENL_A_WAKEUPS,
	DOCA_GENL_A_DMS,
	DOCA_GENL_A_DM_HANDLE,
	DOCA_GENL_A_PINS,
	DOCA_GENL_A_IMPORTED,
	DOCA_GENL_A_PHYSICAL,

	/* private: */
	__DOCA_GENL_A_MAX,
	DOCA_GENL_A_MAX = __DOCA_GENL_A_MAX - 1,
};

/**
 * enum doca_dev_type - &enum doca_genl_attr DOCA_GENL_A_DEV_TYPE
 * @DOCA_DEV_SOFTWARE: the device that always exists
 * @DOCA_DEV_RDMA: an RDMA device
 */
enum doca_dev_type {
	DOCA_DEV_SOFTWARE,
	DOCA_DEV_RDMA,
};

#endif /* _UAPI_LINUX_DOCA_NETLINK_H */
