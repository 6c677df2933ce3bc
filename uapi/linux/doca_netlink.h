/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * Generic netlink family of the DOCA driver: its devices, and the objects that users have
 * made.
 *
 * A device is visible in the network namespaces in which its RDMA device is; devices in
 * software and DMA engines are visible in all. A function, also called a pair, is where both
 * its devices are. No privilege is needed.
 *
 * The other listings show objects of files of /dev/doca. Without privilege they show the
 * files that the caller's real user id has opened, and no addresses; with CAP_SYS_ADMIN
 * in the initial user namespace they show all files. Process ids are those of the
 * reader's namespace, and absent if it has none; user ids that its namespace does not
 * know appear as the overflow id.
 */
#ifndef _UAPI_LINUX_DOCA_NETLINK_H
#define _UAPI_LINUX_DOCA_NETLINK_H

#define DOCA_GENL_NAME "doca"
#define DOCA_GENL_VERSION 1

/*
 * Multicast group that gets DOCA_GENL_CMD_DEV_ADD, DOCA_GENL_CMD_DEV_DEL,
 * DOCA_GENL_CMD_DEV_CHANGE, DOCA_GENL_CMD_ENGINE_DEAD, DOCA_GENL_CMD_FUNCTION_ADD and
 * DOCA_GENL_CMD_FUNCTION_DEL
 */
#define DOCA_GENL_MCGRP_DEVICE "device"

/**
 * DOC: Listings
 *
 * A listing is a dump without attributes, in the order of ids: first of files, then of
 * the objects in them. An object that exists during the whole dump is in it once. A dump
 * in several messages during which objects came or went has NLM_F_DUMP_INTR. Each message
 * has the attributes of the file, FILE_ID, PID, COMM and UID, and those named at the
 * command. Counters only grow as long as the object exists. They are read while they
 * change, so they need not agree exactly with one another.
 *
 * Errors: EINVAL if there are attributes; EOPNOTSUPP if it is not a dump.
 */

/**
 * DOC: Users
 *
 * The listing of users tells what each has against each limit of the driver. It has a message
 * for each limit of each user that has anything, with no attributes of a file. Without
 * privilege it is of the caller's real user id alone, and empty if that has nothing; with
 * CAP_SYS_ADMIN in the initial user namespace it is of all users. A user has something from the
 * first file on that it opens until the last object of its files is freed. It is listed with all
 * its messages, or with none.
 *
 * Kinds are named as in /proc/pid/fdinfo, without "doca-user-" before them; the name of one
 * that counts bytes ends in "bytes". A limit is a parameter of the module, whose name has
 * underscores: that of "ring-bytes" is max_ring_bytes. There is one more kind, "locked-bytes":
 * what the user has locked in the whole kernel, which is compared with RLIMIT_MEMLOCK of the
 * process that registers memory.
 */

/**
 * DOC: Functions
 *
 * A function joins two devices of this machine, of which one stands for a host and one for
 * its DPU: a program on the DPU's device sees the function as a representor of the host's.
 * A device may be the DPU's in any number of functions. It is the host's in one, and then in
 * no other.
 *
 * A function ends with either of its devices; then DOCA_GENL_CMD_DEV_DEL is the only
 * notification. Devices that it has made end with it.
 */

/**
 * enum doca_genl_cmd - commands of the family
 * @DOCA_GENL_CMD_UNSPEC: not a command
 * @DOCA_GENL_CMD_DEV_GET: as a dump: all devices, RDMA devices in the order of their
 *	appearance, then DMA engines, devices in software last. With DOCA_GENL_A_DEV_ID:
 *	this one, or ENODEV. Answers have the attributes below; if a DMA engine copies for
 *	the device, also ENGINE_NAME, ENGINE_DRIVER, ENGINE_STATE, ENGINE_IOMMU,
 *	ENGINE_MIN_LENGTH
 * @DOCA_GENL_CMD_DEV_ADD: notification: a device has appeared, or has got another
 *	name
 * @DOCA_GENL_CMD_DEV_DEL: notification: a device is gone; only its id and name
 * @DOCA_GENL_CMD_FILE_GET: listing of files of /dev/doca, including closed ones whose
 *	queues are open: MEMORIES, PINNED_BYTES, MAPPINGS, EXPORTS, WORKERS, QUEUES,
 *	RING_BYTES, DMS, OBJECTS, WORK_BYTES
 * @DOCA_GENL_CMD_MEMORY_GET: listing of memory: MEM_ID, ADDR, LENGTH, ACCESS,
 *	PINNED_BYTES, MAPPINGS, DMA
 * @DOCA_GENL_CMD_MAPPING_GET: listing of mappings: KEY, DEV_ID, DEV_NAME, MEM_ID
 *	or EXPORT_ID, ADDR, LENGTH, ACCESS, DMA
 * @DOCA_GENL_CMD_EXPORT_GET: listing of exports: EXPORT_ID, DEV_ID, DEV_NAME,
 *	MEM_ID, ADDR, LENGTH, ACCESS, ANY_USER, REVOKED, IMPORTS
 * @DOCA_GENL_CMD_WORKER_GET: listing of workers: WORKER_ID, WORKER_PID, IDLE_NS,
 *	QUEUES, POLLING_NS, WORKING_NS
 * @DOCA_GENL_CMD_QUEUE_GET: listing of queues: QUEUE_ID, DEV_ID, DEV_NAME,
 *	WORKER_ID, QUEUE_STATE, CLOSED, REMOVED, RING_BYTES, SQ_ENTRIES to
 *	CQ_HEAD, OPS, ERRORS, BYTES, WAKEUPS, OP
 * @DOCA_GENL_CMD_EXPORT_REVOKE: make the blob of EXPORT_ID worthless and retire
 *	the keys imported with it, as if its device had been removed: operations
 *	in progress end after their step, and may still be in it when the
 *	answer comes. EPERM without CAP_SYS_ADMIN in the initial user namespace, whatever
 *	well-formed attributes there are; EINVAL without the id, ENOENT if there is no such
 *	export or it has ended
 * @DOCA_GENL_CMD_DM_GET: listing of device memory: DM_HANDLE, DEV_ID, DEV_NAME, LENGTH,
 *	PINS, IMPORTS, IMPORTED
 * @DOCA_GENL_CMD_ENGINE_GET: dump of DMA engines, without privilege: first the claimed
 *	ones, with ENGINE_NAME, ENGINE_STATE, ENGINE_DRIVER, ENGINE_IOMMU,
 *	ENGINE_MASK_BITS, DEV_PCI, DEV_ID, COHERENT, MIN_LENGTH, BYTES, OPS, ENGINE_DESCS,
 *	ENGINE_REDONE, ENGINE_TIMEOUTS, ENGINE_MAPS; then those that could be claimed, in
 *	the state DOCA_ENGINE_FREE, with the attributes up to DEV_PCI. EOPNOTSUPP if the
 *	kernel has no DMA engines
 * @DOCA_GENL_CMD_ENGINE_ADD: claim a channel of the device ENGINE_NAME, and make a device
 *	of it: the answer comes when it has been tested. EINVAL without a name, EPERM
 *	without CAP_SYS_ADMIN in the initial user namespace, ENODEV if no such device has
 *	channels that copy, EEXIST if it is an engine already, EBUSY if others have its
 *	channels or it is being removed, EOPNOTSUPP if engines of its kind are refused,
 *	EIO if it copies wrong, ETIMEDOUT if it does not answer. The extended ACK has the
 *	reason in words
 * @DOCA_GENL_CMD_ENGINE_DEL: release it, as if its driver were unbound: the answer comes
 *	when nothing is in flight and nothing is mapped. EINVAL, EPERM, ENODEV if there is
 *	no such engine. Where it hangs and no IOMMU confines it, what is mapped
 *	for it stays pinned and charged for ever
 * @DOCA_GENL_CMD_ENGINE_DEAD: notification: this device's engine does not answer, and
 *	gets no more work; attributes of a device
 * @DOCA_GENL_CMD_ENGINE_ATTACH: let the engine ENGINE_NAME copy for the device DEV_ID,
 *	which is not an engine itself: for memory that is mapped for it, and its queues
 *	that are made, from then on. EINVAL without both, or if the device is an engine,
 *	EPERM without CAP_SYS_ADMIN in the initial user namespace, ENODEV if there is no
 *	such engine or device, EBUSY if the device has an engine already, which may be
 *	dead, or the engine is dead or being removed
 * @DOCA_GENL_CMD_ENGINE_DETACH: let the CPU copy for the device DEV_ID again: mapped
 *	memory and existing queues keep the engine. EINVAL without the id, EPERM, ENODEV,
 *	ENOENT if no engine is attached to the device
 * @DOCA_GENL_CMD_DEV_CHANGE: notification: another engine copies for this device, or none;
 *	attributes of a device. It may come after that of the device's removal
 * @DOCA_GENL_CMD_FUNCTION_GET: as a dump without attributes: all functions, in the order of
 *	ids. With FUNCTION_ID: this one, EINVAL without it, or ENOENT. Answers have
 *	FUNCTION_ID, FUNCTION_NAME, FUNCTION_VUID, DPU_ID, DPU_NAME, DPU_PCI, HOST_ID,
 *	HOST_NAME, HOST_PCI, ANY_USER
 * @DOCA_GENL_CMD_FUNCTION_ADD: make a function called FUNCTION_NAME, with ANY_USER or not,
 *	of the devices DPU_ID and HOST_ID, or of two devices in software that it makes,
 *	FUNCTION_NAME-dpu and FUNCTION_NAME-host, with the addresses DPU_PCI and HOST_PCI.
 *	EINVAL without a name or with one that has other characters, without two ids or two
 *	addresses, or with both, if an address has another form, or if the devices are the
 *	same; EPERM without CAP_SYS_ADMIN in the initial user namespace, ENODEV if there is no
 *	such device, EEXIST if there is a function of this name, or a device at an address,
 *	EBUSY if a device is the host's in another function, or the host's device is in any,
 *	ENOSPC if there are 256 functions. The extended ACK has the reason in words. Also a
 *	notification, with the attributes of FUNCTION_GET: there is this function
 * @DOCA_GENL_CMD_FUNCTION_DEL: end the function FUNCTION_NAME, and remove devices that it
 *	has made, whatever uses it or them. EINVAL without a name, EPERM, ENOENT if there is
 *	no such function. Also a notification, with FUNCTION_ID and FUNCTION_NAME only: an
 *	administrator has ended it
 * @DOCA_GENL_CMD_ENDPOINT_GET: listing of queues with an inbox: QUEUE_ID, DEV_ID, DEV_NAME,
 *	ROLE, EV_ENTRIES, EV_TAIL, EV_HEAD, EV_STARVED, RECV_SLOTS, RECV_USED, CONNECTIONS; of a
 *	server also FUNCTION_ID, FUNCTION_NAME, MAX_MESSAGE, SERVER_NAME; of a producer or a
 *	consumer ATTACHED_ID
 * @DOCA_GENL_CMD_CONNECTION_GET: listing of connections of these queues, one message for each
 *	end: QUEUE_ID, DEV_ID, DEV_NAME, ROLE, CONNECTION_ID, MAX_MESSAGE, PRODUCERS, CONSUMERS,
 *	WAITING; if the file of the other end may be listed also PEER_FILE_ID, PEER_QUEUE_ID,
 *	PEER_CONNECTION_ID
 * @DOCA_GENL_CMD_USER_GET: listing of users, in the order of their ids, see below: UID,
 *	RESOURCE, USED, LIMIT
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
	DOCA_GENL_CMD_ENGINE_GET,
	DOCA_GENL_CMD_ENGINE_ADD,
	DOCA_GENL_CMD_ENGINE_DEL,
	DOCA_GENL_CMD_ENGINE_DEAD,
	DOCA_GENL_CMD_ENGINE_ATTACH,
	DOCA_GENL_CMD_ENGINE_DETACH,
	DOCA_GENL_CMD_DEV_CHANGE,
	DOCA_GENL_CMD_FUNCTION_GET,
	DOCA_GENL_CMD_FUNCTION_ADD,
	DOCA_GENL_CMD_FUNCTION_DEL,
	DOCA_GENL_CMD_ENDPOINT_GET,
	DOCA_GENL_CMD_CONNECTION_GET,
	DOCA_GENL_CMD_USER_GET,

	/* private: */
	__DOCA_GENL_CMD_MAX,
	DOCA_GENL_CMD_MAX = __DOCA_GENL_CMD_MAX - 1,
};

/**
 * enum doca_genl_attr - attributes of devices, of functions and of objects
 * @DOCA_GENL_A_UNSPEC: not an attribute
 * @DOCA_GENL_A_PAD: for alignment
 * @DOCA_GENL_A_DEV_ID: u32, its id in ioctls; never reused
 * @DOCA_GENL_A_DEV_TYPE: u32, &enum doca_dev_type
 * @DOCA_GENL_A_DEV_NAME: string, name of the RDMA device or of the DMA engine,
 *	"software", or the name that a function gives to a device that it makes
 * @DOCA_GENL_A_DEV_GUID: u64, node GUID in the CPU's byte order; 0 if none
 * @DOCA_GENL_A_DEV_PCI: string "dddd:bb:dd.f", the PCI function of the RDMA
 *	device's parent; absent if it has none, as with soft RDMA devices, whose
 *	PCI function is that of their network interface. Of a device in software: the
 *	address that it claims, absent if it claims none
 * @DOCA_GENL_A_DEV_NUMA_NODE: s32, -1 if none
 * @DOCA_GENL_A_DEV_PORTS: u32, number of RDMA ports
 * @DOCA_GENL_A_FILE_ID: u32, id of a file of /dev/doca; not reused soon
 * @DOCA_GENL_A_PID: u32, process that opened the file
 * @DOCA_GENL_A_COMM: string, its name at that time
 * @DOCA_GENL_A_UID: u32, its real user id at that time
 * @DOCA_GENL_A_MEMORIES: u32, number of memories
 * @DOCA_GENL_A_PINNED_BYTES: u64, pages of registered ranges; the charge differs if they
 *	are parts of huge pages, see DOCA_MEM_REG
 * @DOCA_GENL_A_MAPPINGS: u32, number of keys; for a memory, in all files
 * @DOCA_GENL_A_EXPORTS: u32, number of exports, those revoked by others included
 * @DOCA_GENL_A_WORKERS: u32, number of workers
 * @DOCA_GENL_A_QUEUES: u32, number of queues
 * @DOCA_GENL_A_RING_BYTES: u64, memory of rings
 * @DOCA_GENL_A_MEM_ID: u32, id of a memory in its file
 * @DOCA_GENL_A_ADDR: u64, first byte, an address of the process that registered
 *	it; only with privilege
 * @DOCA_GENL_A_LENGTH: u64, bytes
 * @DOCA_GENL_A_ACCESS: u32, bits of &enum doca_access
 * @DOCA_GENL_A_KEY: u32, the key in entries
 * @DOCA_GENL_A_EXPORT_ID: u32, id of an export in its blob; unlike the id of
 *	DOCA_MEM_EXPORT it is unique among all files, and not reused soon
 * @DOCA_GENL_A_ANY_USER: flag, exported with DOCA_EXPORT_ANY_USER; of a function: processes
 *	of all users may connect to each other through it, else those of one user
 * @DOCA_GENL_A_REVOKED: flag, revoked by an administrator or the device's removal
 * @DOCA_GENL_A_IMPORTS: u32, number of keys imported with it; for device memory, of
 *	imported ids
 * @DOCA_GENL_A_WORKER_ID: u32, id of a worker in its file; absent for a queue that
 *	DOCA_QUEUE_ENTER executes
 * @DOCA_GENL_A_WORKER_PID: u32, process id of the worker's thread
 * @DOCA_GENL_A_IDLE_NS: u64, how long it polls without work; all ones: for ever
 * @DOCA_GENL_A_POLLING_NS: u64, time spent awake without work
 * @DOCA_GENL_A_WORKING_NS: u64, time spent awake with work
 * @DOCA_GENL_A_QUEUE_ID: u32, number of a queue in its file, also used by
 *	tracepoints
 * @DOCA_GENL_A_QUEUE_STATE: u32, &enum doca_queue_state
 * @DOCA_GENL_A_CLOSED: flag, its file or address space is gone
 * @DOCA_GENL_A_REMOVED: flag, its device is gone
 * @DOCA_GENL_A_SQ_ENTRIES: u32, size of the submission ring
 * @DOCA_GENL_A_SQ_TAIL: u32, entries submitted, as far as they are visible
 * @DOCA_GENL_A_SQ_HEAD: u32, entries consumed
 * @DOCA_GENL_A_CQ_ENTRIES: u32, size of the completion ring
 * @DOCA_GENL_A_CQ_TAIL: u32, completions written
 * @DOCA_GENL_A_CQ_HEAD: u32, completions reaped, as written by user space
 * @DOCA_GENL_A_OPS: u64, operations completed, with any status
 * @DOCA_GENL_A_ERRORS: u64, failed operations; canceled ones do not count
 * @DOCA_GENL_A_BYTES: u64, bytes written by operations
 * @DOCA_GENL_A_WAKEUPS: u64, how often a waiter was woken
 * @DOCA_GENL_A_DMS: u32, number of allocations of device memory, including imported ones
 * @DOCA_GENL_A_DM_HANDLE: u32, handle by which others import device memory; unique among
 *	all files, and not reused soon
 * @DOCA_GENL_A_PINS: u32, registrations that hold pages of device memory: with its RDMA
 *	device, with DOCA_MEM_REG, or by anything else that pins pages. Two that pin
 *	adjacent ranges of pages count as one
 * @DOCA_GENL_A_IMPORTED: flag, the file has imported it
 * @DOCA_GENL_A_ENGINE_NAME: string, name of the device whose driver has channels, such as
 *	"0000:6a:01.0"; it is the name of the device of type DOCA_DEV_ENGINE as well
 * @DOCA_GENL_A_ENGINE_STATE: u32, &enum doca_engine_state
 * @DOCA_GENL_A_ENGINE_DRIVER: string, the driver of that device
 * @DOCA_GENL_A_ENGINE_IOMMU: u32, &enum doca_engine_iommu
 * @DOCA_GENL_A_ENGINE_MASK_BITS: u32, number of bits of its DMA addresses
 * @DOCA_GENL_A_ENGINE_COHERENT: flag, it sees the CPU's caches
 * @DOCA_GENL_A_ENGINE_MIN_LENGTH: u32, the CPU does shorter copies
 * @DOCA_GENL_A_ENGINE_DESCS: u64, descriptors that it was given
 * @DOCA_GENL_A_ENGINE_REDONE: u64, pieces that the CPU had to copy again
 * @DOCA_GENL_A_ENGINE_TIMEOUTS: u64, how often it took too long
 * @DOCA_GENL_A_ENGINE_MAPS: u32, memories mapped for it
 * @DOCA_GENL_A_DMA: flag, it is mapped for a DMA engine, which may copy it; cleared when
 *	that is gone
 * @DOCA_GENL_A_OP: string, name of the operation that a queue is executing
 * @DOCA_GENL_A_FUNCTION_ID: u32, id of a function; never reused
 * @DOCA_GENL_A_FUNCTION_NAME: string, 1 to 31 letters, digits, dots, underscores and dashes;
 *	unique in the machine
 * @DOCA_GENL_A_FUNCTION_VUID: string, unique id of the function for programs: the same
 *	for every function of this name
 * @DOCA_GENL_A_DPU_ID: u32, DEV_ID of the DPU's device
 * @DOCA_GENL_A_DPU_NAME: string, its DEV_NAME
 * @DOCA_GENL_A_DPU_PCI: string, its DEV_PCI
 * @DOCA_GENL_A_HOST_ID: u32, DEV_ID of the host's device
 * @DOCA_GENL_A_HOST_NAME: string, its DEV_NAME
 * @DOCA_GENL_A_HOST_PCI: string, its DEV_PCI
 * @DOCA_GENL_A_ROLE: u32, &enum doca_genl_role
 * @DOCA_GENL_A_EV_ENTRIES: u32, size of an inbox
 * @DOCA_GENL_A_EV_TAIL: u32, events written
 * @DOCA_GENL_A_EV_HEAD: u32, events reaped, as written by user space
 * @DOCA_GENL_A_EV_STARVED: flag, others wait for room in the inbox
 * @DOCA_GENL_A_RECV_SLOTS: u32, messages that there is room for
 * @DOCA_GENL_A_RECV_USED: u32, messages that are there, as far as it is known
 * @DOCA_GENL_A_CONNECTIONS: u32, number of connections of a server or client
 * @DOCA_GENL_A_MAX_MESSAGE: u32, bytes of the longest message
 * @DOCA_GENL_A_SERVER_NAME: string of 1 to 119 bytes, name of the server, which may have any
 *	byte but 0 in it
 * @DOCA_GENL_A_ATTACHED_ID: u32, id of a producer or consumer at its end of the connection
 * @DOCA_GENL_A_CONNECTION_ID: u32, id of a connection at this end
 * @DOCA_GENL_A_PRODUCERS: u32, number of producers of this end
 * @DOCA_GENL_A_CONSUMERS: u32, number of consumers of this end
 * @DOCA_GENL_A_WAITING: u32, messages of this end that wait for room at the other
 * @DOCA_GENL_A_PEER_FILE_ID: u32, FILE_ID of the other end
 * @DOCA_GENL_A_PEER_QUEUE_ID: u32, its QUEUE_ID
 * @DOCA_GENL_A_PEER_CONNECTION_ID: u32, its CONNECTION_ID
 * @DOCA_GENL_A_OBJECTS: u32, number of matrices and keys, see DOCA_OBJECT_CREATE
 * @DOCA_GENL_A_WORK_BYTES: u64, memory of these, and work space of the operations of queues;
 *	it counts in max_ring_bytes, as RING_BYTES does
 * @DOCA_GENL_A_RESOURCE: string, name of what is limited, such as "queues" or "ring-bytes"
 * @DOCA_GENL_A_USED: u64, what the user has of it
 * @DOCA_GENL_A_LIMIT: u64, what a user may have of it; absent if there is no limit, or not one
 *	for all: "dmamap-bytes" depends on the engine if max_dmamap_bytes is 0, and
 *	"locked-bytes" on the process
 *
 * 52 is reserved, because it had a meaning once.
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
	DOCA_GENL_A_ENGINE_NAME = 53,
	DOCA_GENL_A_ENGINE_STATE,
	DOCA_GENL_A_ENGINE_DRIVER,
	DOCA_GENL_A_ENGINE_IOMMU,
	DOCA_GENL_A_ENGINE_MASK_BITS,
	DOCA_GENL_A_ENGINE_COHERENT,
	DOCA_GENL_A_ENGINE_MIN_LENGTH,
	DOCA_GENL_A_ENGINE_DESCS,
	DOCA_GENL_A_ENGINE_REDONE,
	DOCA_GENL_A_ENGINE_TIMEOUTS,
	DOCA_GENL_A_ENGINE_MAPS,
	DOCA_GENL_A_DMA,
	DOCA_GENL_A_OP,
	DOCA_GENL_A_FUNCTION_ID,
	DOCA_GENL_A_FUNCTION_NAME,
	DOCA_GENL_A_FUNCTION_VUID,
	DOCA_GENL_A_DPU_ID,
	DOCA_GENL_A_DPU_NAME,
	DOCA_GENL_A_DPU_PCI,
	DOCA_GENL_A_HOST_ID,
	DOCA_GENL_A_HOST_NAME,
	DOCA_GENL_A_HOST_PCI,
	DOCA_GENL_A_ROLE,
	DOCA_GENL_A_EV_ENTRIES,
	DOCA_GENL_A_EV_TAIL,
	DOCA_GENL_A_EV_HEAD,
	DOCA_GENL_A_EV_STARVED,
	DOCA_GENL_A_RECV_SLOTS,
	DOCA_GENL_A_RECV_USED,
	DOCA_GENL_A_CONNECTIONS,
	DOCA_GENL_A_MAX_MESSAGE,
	DOCA_GENL_A_SERVER_NAME,
	DOCA_GENL_A_ATTACHED_ID,
	DOCA_GENL_A_CONNECTION_ID,
	DOCA_GENL_A_PRODUCERS,
	DOCA_GENL_A_CONSUMERS,
	DOCA_GENL_A_WAITING,
	DOCA_GENL_A_PEER_FILE_ID,
	DOCA_GENL_A_PEER_QUEUE_ID,
	DOCA_GENL_A_PEER_CONNECTION_ID,
	DOCA_GENL_A_OBJECTS,
	DOCA_GENL_A_WORK_BYTES,
	DOCA_GENL_A_RESOURCE,
	DOCA_GENL_A_USED,
	DOCA_GENL_A_LIMIT,

	/* private: */
	__DOCA_GENL_A_MAX,
	DOCA_GENL_A_MAX = __DOCA_GENL_A_MAX - 1,
};

/**
 * enum doca_dev_type - &enum doca_genl_attr DOCA_GENL_A_DEV_TYPE
 * @DOCA_DEV_SOFTWARE: the device that always exists, or one that a function has made
 * @DOCA_DEV_RDMA: an RDMA device
 * @DOCA_DEV_ENGINE: a DMA engine
 */
enum doca_dev_type {
	DOCA_DEV_SOFTWARE,
	DOCA_DEV_RDMA,
	DOCA_DEV_ENGINE,
};

/**
 * enum doca_genl_role - &enum doca_genl_attr DOCA_GENL_A_ROLE
 * @DOCA_GENL_ROLE_NONE: the queue has an inbox and no role yet
 * @DOCA_GENL_ROLE_SERVER: DOCA_QUEUE_LISTEN was called on it
 * @DOCA_GENL_ROLE_CLIENT: DOCA_QUEUE_CONNECT was called on it
 * @DOCA_GENL_ROLE_PRODUCER: it was attached to a connection as a producer
 * @DOCA_GENL_ROLE_CONSUMER: it was attached to a connection as a consumer
 */
enum doca_genl_role {
	DOCA_GENL_ROLE_NONE,
	DOCA_GENL_ROLE_SERVER,
	DOCA_GENL_ROLE_CLIENT,
	DOCA_GENL_ROLE_PRODUCER,
	DOCA_GENL_ROLE_CONSUMER,
};

/**
 * enum doca_engine_state - &enum doca_genl_attr DOCA_GENL_A_ENGINE_STATE
 * @DOCA_ENGINE_LIVE: copies
 * @DOCA_ENGINE_SUSPECT: has taken too long; gets nothing new until it has proved to work
 * @DOCA_ENGINE_DYING: is being removed
 * @DOCA_ENGINE_DEAD: does not answer; gets no more work
 * @DOCA_ENGINE_FREE: not an engine yet: an unused channel that DOCA_GENL_CMD_ENGINE_ADD
 *	may make one
 */
enum doca_engine_state {
	DOCA_ENGINE_LIVE,
	DOCA_ENGINE_SUSPECT,
	DOCA_ENGINE_DYING,
	DOCA_ENGINE_DEAD,
	DOCA_ENGINE_FREE,
};

/**
 * enum doca_engine_iommu - &enum doca_genl_attr DOCA_GENL_A_ENGINE_IOMMU
 * @DOCA_ENGINE_IOMMU_NONE: no IOMMU: the engine reaches all memory
 * @DOCA_ENGINE_IOMMU_IDENTITY: an IOMMU that lets everything pass
 * @DOCA_ENGINE_IOMMU_TRANSLATED: the engine reaches only memory mapped for it
 * @DOCA_ENGINE_IOMMU_FOREIGN: its domain is not the kernel's own
 */
enum doca_engine_iommu {
	DOCA_ENGINE_IOMMU_NONE,
	DOCA_ENGINE_IOMMU_IDENTITY,
	DOCA_ENGINE_IOMMU_TRANSLATED,
	DOCA_ENGINE_IOMMU_FOREIGN,
};

#endif /* _UAPI_LINUX_DOCA_NETLINK_H */
