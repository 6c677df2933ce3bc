/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * User-space interface of the DOCA driver, /dev/doca.
 *
 * One open file of /dev/doca is one protection domain: the memory, keys,
 * exports and workers made through it are known to it alone, and all of them
 * die with it. Calls are ioctls on that file, except those that are named QUEUE and
 * are not QUEUE_CREATE, which are ioctls on the file descriptor of a queue.
 */
#ifndef _UAPI_LINUX_DOCA_H
#define _UAPI_LINUX_DOCA_H

#include <linux/doca_ring.h>
#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: General ioctl format
 *
 * Every argument is a structure whose first field, @size, is set by the caller
 * to the size of the structure it was compiled with. A kernel that knows a
 * longer structure takes the missing tail as zero; a kernel that knows a
 * shorter one refuses a tail that is not zero. So old programs run on new
 * kernels, and new programs learn what an old kernel cannot do.
 *
 * Fields named out_* are written by the kernel, all others are only read.
 * Reserved fields must be zero. File descriptors are always close-on-exec.
 *
 * These errors mean the same in every call:
 *
 *  - ENOTTY: unknown command.
 *  - E2BIG: @size is larger than the kernel's structure and the tail is not
 *    zero, or @size is larger than a page.
 *  - EINVAL: @size is too small, or a field has a value that is never legal.
 *  - EOPNOTSUPP: a flag or value that this kernel does not know.
 *  - ENOENT: no object with this id, or it is of another type.
 *  - ENODEV: no device with this id in the caller's network namespace, or it
 *    was removed; in calls on a file, also: the file has ended.
 *  - EPERM: the caller's address space is not the one that opened the file.
 *  - EFAULT: a pointer is bad.
 *  - EOVERFLOW: an address and a length run over the end of the address space.
 *  - EDQUOT: a limit on the objects of one user; see the module's parameters.
 *  - ENOMEM: no memory; for DOCA_MEM_REG also RLIMIT_MEMLOCK.
 */
#define DOCA_IOCTL_TYPE 0xDC

/**
 * enum doca_abi - versions of this interface
 */
enum doca_abi {
	/** @DOCA_ABI_VERSION: version of calls and netlink; grows when a request is added */
	DOCA_ABI_VERSION = 6,
	/** @DOCA_RING_VERSION: version of the rings; 0 was a draft, 1 does not change */
	DOCA_RING_VERSION = 1,
};

/*
 * Until version 2, numbers 2, 6, 9 and 13 belonged to MEM_DEREG, EXPORT_REVOKE,
 * WORKER_DESTROY and DM_FREE; they are not used again.
 */
enum {
	DOCA_CMD_BASE = 0x80,
	DOCA_CMD_QUERY = DOCA_CMD_BASE,
	DOCA_CMD_MEM_REG,
	DOCA_CMD_MEM_MAP = DOCA_CMD_BASE + 3,
	DOCA_CMD_MEM_UNMAP,
	DOCA_CMD_MEM_EXPORT,
	DOCA_CMD_MEM_IMPORT = DOCA_CMD_BASE + 7,
	DOCA_CMD_WORKER_CREATE,
	DOCA_CMD_QUEUE_CREATE = DOCA_CMD_BASE + 10,
	DOCA_CMD_DM_QUERY,
	DOCA_CMD_DM_ALLOC,
	DOCA_CMD_DM_IMPORT = DOCA_CMD_BASE + 14,
	DOCA_CMD_DEVICE_QUERY,
	DOCA_CMD_OBJECT_DESTROY,
	DOCA_CMD_OBJECT_CREATE,
	DOCA_CMD_QUEUE_BASE = 0xc0,
	DOCA_CMD_QUEUE_ENTER = DOCA_CMD_QUEUE_BASE,
	DOCA_CMD_QUEUE_STOP,
	DOCA_CMD_QUEUE_LISTEN,
	DOCA_CMD_QUEUE_CONNECT,
	DOCA_CMD_QUEUE_DISCONNECT,
	DOCA_CMD_QUEUE_ATTACH,
	DOCA_CMD_QUEUE_ANNOUNCE,
};

/**
 * enum doca_feature - bits of &doca_query.out_features
 * @DOCA_FEATURE_WORKER: DOCA_WORKER_CREATE works; not if the administrator has switched
 *	workers off.
 * @DOCA_FEATURE_RDMA: RDMA devices appear as devices.
 * @DOCA_FEATURE_EXECUTE: DOCA_QUEUE_ENTER takes DOCA_ENTER_EXECUTE.
 * @DOCA_FEATURE_DMABUF: DOCA_MEM_REG takes dma-bufs. x86 only: elsewhere an exporter
 *	may map memory on which copies trap, without saying so.
 * @DOCA_FEATURE_CHANNEL: queues can have an inbox, and connections
 *
 * Bits 4 and 6 are set aside; bit 7 is reserved, because it had a meaning once.
 */
enum doca_feature {
	DOCA_FEATURE_WORKER = 1 << 0,
	DOCA_FEATURE_RDMA = 1 << 1,
	DOCA_FEATURE_DMABUF = 1 << 2,
	DOCA_FEATURE_EXECUTE = 1 << 3,
	DOCA_FEATURE_CHANNEL = 1 << 5,
};

/**
 * struct doca_query - ioctl(DOCA_QUERY)
 * @size: sizeof(struct doca_query)
 * @flags: must be 0
 * @out_abi_version: DOCA_ABI_VERSION of the kernel
 * @out_ring_version: DOCA_RING_VERSION of the kernel; a program that was
 *	compiled with another one must not create queues
 * @out_features: bits of &enum doca_feature
 * @out_opcodes: bit n is set if the driver knows opcode n; DOCA_DEVICE_QUERY says whether it
 *	executes it, for which it may lack an algorithm
 * @out_max_queue_entries: largest size of a submission or completion ring
 * @out_max_queue_segments: largest segment table of a queue
 * @out_max_segments: segments in the list of one submission, on each side
 * @out_blob_size: bytes of an export blob
 * @out_max_length: bytes that one operation may move
 * @out_step_length: bytes moved between two checks for signals and revocations
 * @out_max_queue_waits: largest @nr_waits of a queue
 * @out_max_queue_ops: largest @nr_ops of a queue
 * @out_max_msg_size: bytes of a message of a connection, at most
 * @out_max_inbox: largest size of an inbox
 * @__reserved: 0
 *
 * The capabilities of this kernel, so that no program has to probe by failing.
 */
struct doca_query {
	__u32 size;
	__u32 flags;
	__u32 out_abi_version;
	__u32 out_ring_version;
	__aligned_u64 out_features;
	__aligned_u64 out_opcodes;
	__u32 out_max_queue_entries;
	__u32 out_max_queue_segments;
	__u32 out_max_segments;
	__u32 out_blob_size;
	__aligned_u64 out_max_length;
	__u32 out_step_length;
	__u32 out_max_queue_waits;
	__u32 out_max_queue_ops;
	__u32 out_max_msg_size;
	__u32 out_max_inbox;
	__u32 __reserved;
};

#define DOCA_QUERY _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUERY)

/**
 * enum doca_object_type - the kind of an object, of &doca_object_destroy and
 *	&doca_object_create
 * @DOCA_OBJECT_GCM_KEY: made by DOCA_OBJECT_CREATE: a key for DOCA_OP_GCM_ENCRYPT and
 *	DOCA_OP_GCM_DECRYPT
 * @DOCA_OBJECT_GF_MATRIX: made by DOCA_OBJECT_CREATE: a matrix for DOCA_OP_GF_MATRIX
 * @DOCA_OBJECT_MEMORY: made by DOCA_MEM_REG. Every export of it is revoked, and every key
 *	to it retired, in any file. When the call returns no operation can reach the
 *	memory any more; its pages are unpinned soon after
 * @DOCA_OBJECT_EXPORT: made by DOCA_MEM_EXPORT. The blob becomes worthless, and all keys
 *	that were imported with it are retired: when the call returns none of them is in
 *	use. The memory itself stays registered
 * @DOCA_OBJECT_WORKER: made by DOCA_WORKER_CREATE. EBUSY while it has queues. Its thread
 *	has ended when the call returns, unless a signal came or it is a thread of another
 *	process; until it has ended, it counts as a worker
 * @DOCA_OBJECT_DM: made by DOCA_DM_ALLOC or DOCA_DM_IMPORT. Mappings stay until they are
 *	unmapped. EBUSY, with nothing changed, if DOCA_DM_ALLOC made it and the memory is
 *	imported somewhere. If the file is closed instead, importers keep the memory
 *
 * 0 is set aside.
 */
enum doca_object_type {
	DOCA_OBJECT_GCM_KEY = 1,
	DOCA_OBJECT_GF_MATRIX = 2,
	DOCA_OBJECT_MEMORY = 3,
	DOCA_OBJECT_EXPORT,
	DOCA_OBJECT_WORKER,
	DOCA_OBJECT_DM,
};

/**
 * struct doca_object_destroy - ioctl(DOCA_OBJECT_DESTROY), since version 3
 * @size: sizeof(struct doca_object_destroy)
 * @type: &enum doca_object_type
 * @id: from the call that made it
 *
 * Destroy an object. The id may name another object when the call returns. ENOENT if no
 * object has this id and type, so a stale id destroys at worst another object of its
 * kind. EOPNOTSUPP for types that this kernel does not know; EINTR if the caller was
 * killed meanwhile: the object is gone then, too.
 */
struct doca_object_destroy {
	__u32 size;
	__u32 type;
	__u32 id;
};

#define DOCA_OBJECT_DESTROY _IO(DOCA_IOCTL_TYPE, DOCA_CMD_OBJECT_DESTROY)

/**
 * struct doca_object_create - ioctl(DOCA_OBJECT_CREATE), since version 6
 * @size: sizeof(struct doca_object_create)
 * @flags: must be 0
 * @device_id: device whose queues may use it
 * @type: DOCA_OBJECT_GCM_KEY or DOCA_OBJECT_GF_MATRIX
 * @data: address of what it is made of, which is copied
 * @length: bytes of that. Of a key: 16 or 32. Of a matrix: @rows times @columns, its
 *	coefficients row by row
 * @rows: rows of a matrix, from 1 to @out_max_rows of DOCA_DEVICE_QUERY; else 0
 * @columns: columns of a matrix, from 1 to @out_max_columns; else 0
 * @out_object_id: its id, from 1 to 65535, for @aux of entries and for DOCA_OBJECT_DESTROY
 * @__reserved: must be 0
 *
 * Make an object for operations of this file's queues of the device. An id is not used again
 * before all others were, so an entry that comes too late gets DOCA_STATUS_BAD_OBJECT, not
 * another object. It may be destroyed at any time: operations that have begun keep it. It
 * ends with the file, or when the address space ends.
 *
 * Nothing reads a key back. It is wiped when it was destroyed and no operation has it any more.
 *
 * Objects count in the module's parameter max_objects, and their bytes (of a matrix, 32 for each
 * coefficient; of a key, 8 KiB) in max_ring_bytes.
 *
 * Errors besides the general ones: EOPNOTSUPP for types that this kernel does not know, or whose
 * operations it does not execute; EINVAL if a number is 0 or @length is wrong; ERANGE if there
 * are too many rows or columns; ENOSPC if all ids are in use.
 */
struct doca_object_create {
	__u32 size;
	__u32 flags;
	__u32 device_id;
	__u32 type;
	__aligned_u64 data;
	__u32 length;
	__u16 rows;
	__u16 columns;
	__u32 out_object_id;
	__u32 __reserved;
};

#define DOCA_OBJECT_CREATE _IO(DOCA_IOCTL_TYPE, DOCA_CMD_OBJECT_CREATE)

/**
 * enum doca_op_flags - bits of &doca_device_query.out_flags
 * @DOCA_OP_EXECUTED: queues of the device can execute the operation
 * @DOCA_OP_ACCELERATED: hardware executes it, not the CPU
 * @DOCA_OP_ASYNC: it is executed outside of the executor, so @nr_ops of the queue matters
 * @DOCA_OP_SLICED: it is executed in steps, between which the queue can be stopped and
 *	keys retired
 */
enum doca_op_flags {
	DOCA_OP_EXECUTED = 1 << 0,
	DOCA_OP_ACCELERATED = 1 << 1,
	DOCA_OP_ASYNC = 1 << 2,
	DOCA_OP_SLICED = 1 << 3,
};

/**
 * struct doca_device_query - ioctl(DOCA_DEVICE_QUERY), since version 3
 * @size: sizeof(struct doca_device_query)
 * @device_id: device; 0 for any device without its own way to execute, such as the
 *	software device
 * @opcode: &enum doca_opcode
 * @out_flags: &enum doca_op_flags
 * @out_max_src: maximum bytes of the source; 0 if there is none
 * @out_max_dst: maximum bytes of the destination that are used; 0 if there is none
 * @out_max_segments: maximum segments of a list, on each side that may be one; 1 if
 *	neither may
 * @out_step: maximum bytes copied in one step. What takes longer for a byte does fewer in a
 *	step, but a message of the GCM operations is one step
 * @out_workspace: bytes that a queue needs for it, without sessions and places; they
 *	count as bytes of rings. Operations share some of them
 * @out_max_ops: largest useful @nr_ops of a queue; 1 without DOCA_OP_ASYNC
 * @out_name: the executing unit: "cpu", or the name of a DMA engine
 * @out_variants: bit n is set if it is executed with the value n of its parameter: of
 *	DOCA_OP_HASH, &enum doca_hash; of DOCA_OP_DEFLATE, the level; of DOCA_OP_LZ4, whether
 *	DOCA_SQE_LZ4_BLOCK is set; 0 alone of DOCA_OP_INFLATE; of the
 *	DOCA_OP_GCM operations, 1 and 2 for keys of 16 and of 32 bytes, 12 and 16 for tags
 *	of so many bytes; 0 if it has none
 * @out_unit: blocks are a multiple of so many bytes; 0 if it has no blocks
 * @out_max_block: maximum bytes of a block
 * @out_max_rows: maximum rows of a matrix; 0 if it has none
 * @out_max_columns: maximum columns of a matrix
 * @__reserved: 0
 *
 * How a device executes an operation: QUEUE_CREATE accepts the opcode for this device
 * exactly if this call succeeds. ENOENT if the operation is not executed for it.
 */
struct doca_device_query {
	__u32 size;
	__u32 device_id;
	__u32 opcode;
	__u32 out_flags;
	__aligned_u64 out_max_src;
	__aligned_u64 out_max_dst;
	__u32 out_max_segments;
	__u32 out_step;
	__u32 out_workspace;
	__u32 out_max_ops;
	char out_name[32];
	__aligned_u64 out_variants;
	__u32 out_unit;
	__u32 out_max_block;
	__u16 out_max_rows;
	__u16 out_max_columns;
	__u32 __reserved;
};

#define DOCA_DEVICE_QUERY _IO(DOCA_IOCTL_TYPE, DOCA_CMD_DEVICE_QUERY)

/**
 * enum doca_access - allowed accesses to a registered memory
 * @DOCA_ACCESS_LOCAL_READ: operations of this file may read it
 * @DOCA_ACCESS_LOCAL_WRITE: operations of this file may write it
 * @DOCA_ACCESS_PCI_READ: importers of a PCI export may read it
 * @DOCA_ACCESS_PCI_WRITE: importers of a PCI export may write it
 * @DOCA_ACCESS_RDMA_READ: a remote peer may read it
 * @DOCA_ACCESS_RDMA_WRITE: a remote peer may write it
 * @DOCA_ACCESS_RDMA_ATOMIC: a remote peer may do atomic operations on it
 * @DOCA_ACCESS_MASK: all of them
 */
enum doca_access {
	DOCA_ACCESS_LOCAL_READ = 1 << 0,
	DOCA_ACCESS_LOCAL_WRITE = 1 << 1,
	DOCA_ACCESS_PCI_READ = 1 << 2,
	DOCA_ACCESS_PCI_WRITE = 1 << 3,
	DOCA_ACCESS_RDMA_READ = 1 << 4,
	DOCA_ACCESS_RDMA_WRITE = 1 << 5,
	DOCA_ACCESS_RDMA_ATOMIC = 1 << 6,
	DOCA_ACCESS_MASK = (1 << 7) - 1,
};

/**
 * enum doca_mem_reg_flags - &doca_mem_reg.flags
 * @DOCA_MEM_REG_DMABUF: register a part of a dma-buf instead of a range of the
 *	address space
 *
 * Bit 1 is reserved, because it had a meaning once.
 */
enum doca_mem_reg_flags {
	DOCA_MEM_REG_DMABUF = 1 << 0,
};

/**
 * struct doca_mem_reg - ioctl(DOCA_MEM_REG)
 * @size: sizeof(struct doca_mem_reg)
 * @flags: bits of &enum doca_mem_reg_flags
 * @addr: first byte; any alignment. For a dma-buf: the address by which operations name
 *	its byte @dmabuf_offset, with the same offset in a page; nothing needs to be
 *	mapped there
 * @length: bytes, not 0
 * @access: bits of &enum doca_access, at least one
 * @out_mem_id: id of the new memory
 * @out_limit: bytes of RLIMIT_MEMLOCK; all ones if it does not apply
 * @out_used: bytes that the user had locked before this call. If it is refused because a
 *	compound page counts as a whole: all that would be locked, without the pages of
 *	the range
 * @dmabuf_fd: file descriptor of the dma-buf; 0 without DOCA_MEM_REG_DMABUF. It can
 *	be closed after the call
 * @out_access: @access, without write accesses if the memory is read-only
 * @dmabuf_offset: first byte in the dma-buf; 0 without DOCA_MEM_REG_DMABUF
 *
 * Pin a range of the caller's address space. The pinned pages are charged to the
 * user against RLIMIT_MEMLOCK; CAP_IPC_LOCK lifts the limit. Pages are charged
 * whole, for each registration. A compound page (a huge page of any kind) is kept
 * by a pin of any part of it: it is charged as a whole, once for all registrations
 * of the user. There must be room for the pages of the range in any case; what was
 * charged already is given back before the call returns. The pin is writable if
 * any write or atomic access is asked for. @out_limit and @out_used are also
 * written when the call fails with ENOMEM; the limit was the reason if @out_used
 * plus the pages asked for exceed @out_limit.
 *
 * A range that contains a writable shared mapping of a file whose filesystem tracks dirty
 * pages is read-only, as a whole: nobody would tell the filesystem of writes. (shmem,
 * which backs memfds, and hugetlbfs track none.) @out_access shows it. A mapping for
 * writing cannot be made then, and an export is for reading.
 *
 * A file may lose pages that are registered: it is truncated, a hole is punched, or it is
 * written past its cache. Entries that name a lost page end with DOCA_STATUS_BAD_MEMORY
 * until the memory is registered anew. Private mappings have pages of their own, which
 * stay.
 *
 * Errors: EFAULT if the range is not mapped, does not allow the access, or is memory of a
 * device (rings are, although some kernels take them), and if it is read-only and @access
 * contains no read access; EPERM as everywhere; EOVERFLOW; ENOMEM; EDQUOT.
 *
 * A dma-buf is held, and mapped into the kernel, as a whole, until the memory is
 * deregistered, so all its pages are charged. Operations do not wait for its fences; the
 * registration waits, interruptibly, for those that it finds. Further errors: EBADF if
 * @dmabuf_fd is not a file descriptor; EINVAL if it does not belong to a dma-buf, or if
 * the offsets of @addr and @dmabuf_offset in a page differ; ERANGE if the range is not
 * within the dma-buf; EACCES if the file descriptor is read-only and any write or atomic
 * access is asked for; EOPNOTSUPP if the CPU cannot reach the dma-buf through memory that
 * stays in place: the exporter does not map it for the kernel, may move it, or it is I/O
 * memory; or without DOCA_FEATURE_DMABUF.
 */
struct doca_mem_reg {
	__u32 size;
	__u32 flags;
	__aligned_u64 addr;
	__aligned_u64 length;
	__u32 access;
	__u32 out_mem_id;
	__aligned_u64 out_limit;
	__aligned_u64 out_used;
	__s32 dmabuf_fd;
	__u32 out_access;
	__aligned_u64 dmabuf_offset;
};

#define DOCA_MEM_REG _IO(DOCA_IOCTL_TYPE, DOCA_CMD_MEM_REG)

/**
 * enum doca_map - bits of &doca_mem_map.out_flags and of &doca_mem_import.out_flags
 * @DOCA_MAP_DMA: a DMA engine copies for the device, and the memory is mapped for it. Without
 *	this bit the CPU copies: because there is no engine, or its addresses or the
 *	user's share of them are used up, or it does not reach memory of this kind.
 *	Results are the same
 */
enum doca_map {
	DOCA_MAP_DMA = 1 << 0,
};

/**
 * struct doca_mem_map - ioctl(DOCA_MEM_MAP)
 * @size: sizeof(struct doca_mem_map)
 * @flags: must be 0
 * @mem_id: memory
 * @device_id: device that shall reach it
 * @access: DOCA_ACCESS_LOCAL_READ, DOCA_ACCESS_LOCAL_WRITE or both
 * @out_key: the key that submission entries carry; never 0
 * @out_flags: &enum doca_map
 * @__reserved: 0
 *
 * Make a memory accessible to the queues of one device. EINVAL if @access has other bits
 * of &enum doca_access; EACCES if the memory was not registered with the requested
 * access; ENOSPC if all keys of the file are in use.
 */
struct doca_mem_map {
	__u32 size;
	__u32 flags;
	__u32 mem_id;
	__u32 device_id;
	__u32 access;
	__u32 out_key;
	__u32 out_flags;
	__u32 __reserved;
};

#define DOCA_MEM_MAP _IO(DOCA_IOCTL_TYPE, DOCA_CMD_MEM_MAP)

/**
 * struct doca_mem_unmap - ioctl(DOCA_MEM_UNMAP)
 * @size: sizeof(struct doca_mem_unmap)
 * @key: a key from DOCA_MEM_MAP or DOCA_MEM_IMPORT
 *
 * Retire a key. When the call returns no operation uses it. ENOENT if the key is not
 * valid, even if it was imported and the export has ended.
 */
struct doca_mem_unmap {
	__u32 size;
	__u32 key;
};

#define DOCA_MEM_UNMAP _IO(DOCA_IOCTL_TYPE, DOCA_CMD_MEM_UNMAP)

/**
 * enum doca_blob_kind - &doca_blob.kind
 */
enum doca_blob_kind {
	/** @DOCA_BLOB_PCI: made by DOCA_MEM_EXPORT, read by DOCA_MEM_IMPORT */
	DOCA_BLOB_PCI = 1,
};

#define DOCA_BLOB_MAGIC 0x41434f44 /* "DOCA" */
#define DOCA_BLOB_VERSION 1
#define DOCA_BLOB_SIZE 128

/**
 * struct doca_blob - an export blob, 128 bytes, little endian
 * @magic: DOCA_BLOB_MAGIC
 * @version: DOCA_BLOB_VERSION
 * @kind: &enum doca_blob_kind
 * @kernel_id: identity of the exporting kernel, new at each load of the driver
 * @device_guid: node GUID of the device it was exported for
 * @device_id: id of that device
 * @access: DOCA_ACCESS_PCI_READ, and DOCA_ACCESS_PCI_WRITE if granted
 * @addr: first byte, as an address of the exporter
 * @length: bytes
 * @export_id: number of the export
 * @secret: makes the blob impossible to guess
 * @__reserved: 0
 *
 * The blob is opaque for programs: a process that holds the bytes can, within the rules
 * of DOCA_MEM_IMPORT, reach the memory until the export is revoked. The kernel looks the
 * export up by @export_id and compares the whole blob with its copy, so that no field can
 * be altered.
 */
struct doca_blob {
	__le32 magic;
	__le16 version;
	__le16 kind;
	__u8 kernel_id[16];
	__le64 device_guid;
	__le32 device_id;
	__le32 access;
	__le64 addr;
	__le64 length;
	__le64 export_id;
	__u8 secret[16];
	__u8 __reserved[48];
};

/**
 * enum doca_export_flags - &doca_mem_export.flags
 * @DOCA_EXPORT_ANY_USER: any process that holds the blob may import it, whatever
 *	its user id and user namespace
 */
enum doca_export_flags {
	DOCA_EXPORT_ANY_USER = 1 << 0,
};

/**
 * struct doca_mem_export - ioctl(DOCA_MEM_EXPORT)
 * @size: sizeof(struct doca_mem_export)
 * @flags: bits of &enum doca_export_flags
 * @key: a key from DOCA_MEM_MAP
 * @blob_size: bytes at @blob, at least DOCA_BLOB_SIZE
 * @blob: destination of the blob
 * @out_export_id: id for DOCA_OBJECT_DESTROY
 * @__reserved: must be 0
 *
 * Make a blob with which another file can import the memory behind @key, with the PCI
 * access it was registered with. The memory is exported, not the key: unmapping @key does
 * not end the export. DOCA_ACCESS_PCI_WRITE includes reading.
 *
 * Errors: EACCES if it has no PCI access; EPERM if @key is itself imported;
 * EMSGSIZE if @blob_size is too small; ENOENT if @key is not valid.
 */
struct doca_mem_export {
	__u32 size;
	__u32 flags;
	__u32 key;
	__u32 blob_size;
	__aligned_u64 blob;
	__u32 out_export_id;
	__u32 __reserved;
};

#define DOCA_MEM_EXPORT _IO(DOCA_IOCTL_TYPE, DOCA_CMD_MEM_EXPORT)

/**
 * struct doca_mem_import - ioctl(DOCA_MEM_IMPORT)
 * @size: sizeof(struct doca_mem_import)
 * @flags: must be 0
 * @device_id: the importer's device that shall reach the memory
 * @blob_size: DOCA_BLOB_SIZE
 * @blob: the blob
 * @out_key: the key that submission entries carry
 * @out_access: DOCA_ACCESS_LOCAL_READ, and DOCA_ACCESS_LOCAL_WRITE if granted
 * @out_addr: first byte, as an address of the exporter; entries use these
 * @out_length: bytes
 * @out_flags: &enum doca_map
 * @__reserved: 0
 *
 * The importer must have the effective user id of the exporter, in the same user
 * namespace, or CAP_SYS_PTRACE in the exporter's user namespace, unless the
 * export is for any user.
 *
 * Errors: EINVAL if the bytes are not a blob of this kind; EPROTONOSUPPORT if the blob
 * has another version; EXDEV if another kernel, or another load of this driver, made it;
 * ENOKEY if there is no such export, because it was revoked or its owner died, or because
 * the blob was altered; EACCES if the importer is not allowed; ENOSPC if all keys of the
 * file are in use.
 */
struct doca_mem_import {
	__u32 size;
	__u32 flags;
	__u32 device_id;
	__u32 blob_size;
	__aligned_u64 blob;
	__u32 out_key;
	__u32 out_access;
	__aligned_u64 out_addr;
	__aligned_u64 out_length;
	__u32 out_flags;
	__u32 __reserved;
};

#define DOCA_MEM_IMPORT _IO(DOCA_IOCTL_TYPE, DOCA_CMD_MEM_IMPORT)

/**
 * define DOCA_IDLE_NEVER - &doca_worker_create.idle_us of a worker that never sleeps
 */
#define DOCA_IDLE_NEVER 0xffffffffU

/**
 * struct doca_worker_create - ioctl(DOCA_WORKER_CREATE)
 * @size: sizeof(struct doca_worker_create)
 * @flags: must be 0
 * @idle_us: microseconds that the worker polls without finding work before it sleeps; 0
 *	never polls, DOCA_IDLE_NEVER never sleeps. If it may run on one CPU only, and the
 *	last call for it, this one or DOCA_QUEUE_ENTER, was made there, all values but
 *	DOCA_IDLE_NEVER count as 0. It checks that when it begins to poll: a program that
 *	moves to its CPU later shares it with the worker until that sleeps
 * @out_worker_id: id of the new worker; never 0
 *
 * Start a thread that executes the queues created with it. It is a thread of the
 * calling process: it is scheduled, moved and stopped with it, and ends with it. On
 * kernels before 6.10 it is a kernel thread, with the cgroups, CPUs and scheduling
 * policy that the caller has now. EOPNOTSUPP if the administrator has switched
 * workers off: use DOCA_QUEUE_ENTER. EAGAIN or EINVAL if the process may have no
 * further thread.
 */
struct doca_worker_create {
	__u32 size;
	__u32 flags;
	__u32 idle_us;
	__u32 out_worker_id;
};

#define DOCA_WORKER_CREATE _IO(DOCA_IOCTL_TYPE, DOCA_CMD_WORKER_CREATE)

/**
 * struct doca_queue_create - ioctl(DOCA_QUEUE_CREATE)
 * @size: sizeof(struct doca_queue_create)
 * @flags: must be 0
 * @device_id: device whose keys the queue's entries may carry
 * @worker_id: worker that executes it; 0 for none: DOCA_QUEUE_ENTER executes it
 * @sq_entries: submission ring, a power of two up to @out_max_queue_entries
 *	of DOCA_QUERY
 * @cq_entries: completion ring, likewise; at least @sq_entries
 * @nr_segments: segment table, up to @out_max_queue_segments; 0 for none
 * @out_fd: file descriptor of the queue
 * @out_user_size: bytes to mmap read-write, shared, at DOCA_MMAP_USER
 * @out_kernel_size: bytes to mmap read-only, shared, at DOCA_MMAP_KERNEL
 * @out_sq_off: offset of the submission ring in the user area
 * @out_seg_off: offset of the segment table in the user area
 * @out_cq_off: offset of the completion ring in the kernel area
 * @nr_waits: waits that may be pending at a time, up to @out_max_queue_waits
 * @opcodes: bit n is set if the queue shall execute opcode n; a subset of @out_opcodes. 0
 *	for DOCA_OP_NOP to DOCA_OP_SYNC_WAIT_NE. All others fail with
 *	DOCA_STATUS_BAD_OPCODE
 * @nr_sessions: sessions of each operation that has sessions, up to 4096; EOPNOTSUPP if
 *	none of @opcodes has
 * @nr_ops: operations that may be in flight at a time, up to @out_max_queue_ops: handed
 *	to a device, or elsewhere outside of the executor. 0 and 1 both mean one: the next
 *	submission begins when it has completed. It matters only for queues that execute
 *	such operations; there each place takes some KiB, which count as bytes of rings
 * @inbox_entries: inbox, a power of two up to @out_max_inbox; 0 for none: then what
 *	follows is 0, too
 * @recv_slots: messages that the inbox holds, fewer than @inbox_entries; up to 8192
 * @send_slots: messages that the program may be writing or sending, up to 8192
 * @slot_size: bytes of a slot, a multiple of 64 up to 4096; 0 without slots
 * @out_event_off: offset of the inbox in the kernel area
 * @out_recv_off: offset of the first slot of received messages in the kernel area
 * @out_send_off: offset of the first slot of messages to send in the user area
 * @__reserved: 0
 *
 * Errors besides the general ones: EINVAL if a number exceeds its limit; EOPNOTSUPP if an
 * opcode is not executed; EAGAIN or EINVAL if the process may have no further thread: a
 * queue without a worker needs one for waits or operations in flight.
 *
 * DOCA_OP_MSG_SEND, DOCA_OP_POST_RECV and DOCA_OP_SEND_TO are for queues that have an
 * inbox: EINVAL. A queue that executes DOCA_OP_POST_RECV executes nothing else, and has
 * no worker, because it is read by those who send to it: EINVAL. One that executes
 * DOCA_OP_SEND_TO has one place, @nr_ops 0 or 1, so that it sends in order: EINVAL.
 *
 * A queue lives until its file descriptor and its mappings are gone. It is dead as soon
 * as the process that opened the file of /dev/doca has closed it, the address space ends,
 * or the device is removed. Operations in flight are recalled then, and stay charged to the
 * user until they have come back; so do the rings until a step that is being executed has
 * ended. Closing waits for neither.
 */
struct doca_queue_create {
	__u32 size;
	__u32 flags;
	__u32 device_id;
	__u32 worker_id;
	__u32 sq_entries;
	__u32 cq_entries;
	__u32 nr_segments;
	__s32 out_fd;
	__u32 out_user_size;
	__u32 out_kernel_size;
	__u32 out_sq_off;
	__u32 out_seg_off;
	__u32 out_cq_off;
	__u32 nr_waits;
	__aligned_u64 opcodes;
	__u32 nr_sessions;
	__u32 nr_ops;
	__u32 inbox_entries;
	__u32 recv_slots;
	__u32 send_slots;
	__u32 slot_size;
	__u32 out_event_off;
	__u32 out_recv_off;
	__u32 out_send_off;
	__u32 __reserved;
};

#define DOCA_QUEUE_CREATE _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_CREATE)

/* Offsets for mmap() of a queue's file descriptor. */
#define DOCA_MMAP_USER 0x00000000
#define DOCA_MMAP_KERNEL 0x40000000

/**
 * enum doca_enter_flags - flags of &doca_queue_enter
 * @DOCA_ENTER_EXECUTE: execute in the caller's context, even if there is a worker
 */
enum doca_enter_flags {
	DOCA_ENTER_EXECUTE = 1 << 0,
};

/**
 * struct doca_queue_enter - ioctl(DOCA_QUEUE_ENTER), on a queue
 * @size: sizeof(struct doca_queue_enter)
 * @flags: bits of &enum doca_enter_flags
 * @max_entries: maximum of entries to execute; not 0
 * @out_entries: entries that were completed by this call, or began to wait
 *
 * If the queue has a worker, wake it; if that was made just now, execute in its place until its
 * thread has begun. If it has none, or with DOCA_ENTER_EXECUTE, execute the submitted entries in
 * the caller's context, after any step in progress, and poll pending waits without blocking on
 * them. With DOCA_ENTER_EXECUTE a worker then sleeps until it is woken, unless it never
 * sleeps; need_wakeup is set when the call returns. The call
 * ends early, with success, when the completion ring is full, and when the queue is
 * broken or its file closed. After a signal the kernel restarts it, and counts from there
 * on.
 *
 * If the queue has an inbox, what waits for room in it is delivered first, whatever the
 * flags. In a queue that executes DOCA_OP_POST_RECV, those who wait for a buffer
 * are woken, and that is all; but if it is stopped or its connection has ended the entries
 * are given back instead, as far as there is room in the inbox for their events.
 */
struct doca_queue_enter {
	__u32 size;
	__u32 flags;
	__u32 max_entries;
	__u32 out_entries;
};

#define DOCA_QUEUE_ENTER _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_ENTER)

/**
 * struct doca_queue_stop - ioctl(DOCA_QUEUE_STOP), on a queue
 * @size: sizeof(struct doca_queue_stop)
 * @flags: must be 0
 *
 * From now on entries complete with DOCA_STATUS_CANCELED. An operation that has
 * begun is canceled before its next step, a pending wait at once.
 *
 * A server refuses new connections from now on. Connections stay, and messages are still
 * received. A consumer ends: nothing is written into its buffers when the call returns.
 */
struct doca_queue_stop {
	__u32 size;
	__u32 flags;
};

#define DOCA_QUEUE_STOP _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_STOP)

/**
 * DOC: Endpoints
 *
 * A queue with an inbox becomes an endpoint by one of the next calls: a server, a client, a
 * producer or a consumer, for good; another call fails with EBUSY. ENXIO if the queue has
 * no inbox. A pair of devices is called a function: one device is the DPU's side of it, where
 * servers are, and the other is the host's, where clients are.
 *
 * A connection joins a server and a client. It has an id at each end, of that queue and not
 * the same at both, never 0 and never used again by the queue. It ends when either end is
 * disconnected or its queue closed, or the process dies; the other end is told, once, after
 * the messages that came before. From then on the id names nothing: entries that name it
 * complete with DOCA_STATUS_NOT_CONNECTED, and calls fail with ENOTCONN.
 *
 * Room in inboxes is reserved before it is needed, so no event is lost: 2 entries for each
 * connection, 2 for each consumer that the other side has announced, 1 for each slot of a
 * message, 1 for each buffer that is being filled, 1 in the queue of each producer and
 * consumer. What finds no room for its reservation fails with ENOSPC, or is refused.
 */

/**
 * define DOCA_MAX_CLIENTS - connections of a server
 */
#define DOCA_MAX_CLIENTS 512

/**
 * define DOCA_SERVER_NAME_SIZE - bytes of a server's name, with the zero that ends it
 */
#define DOCA_SERVER_NAME_SIZE 120

/**
 * struct doca_queue_listen - ioctl(DOCA_QUEUE_LISTEN), on a queue, since version 5
 * @size: sizeof(struct doca_queue_listen)
 * @flags: must be 0
 * @function_id: function; the queue's device is its DPU's side
 * @max_message: bytes of the longest message that is received or sent, not 0
 * @name: name that clients give in DOCA_QUEUE_CONNECT: 1 to 119 bytes that are not zero,
 *	then zeros
 *
 * The queue becomes a server. Connections of clients are accepted from now on by the kernel,
 * while the queue is in DOCA_QUEUE_RUN, has less than DOCA_MAX_CLIENTS and the inbox has room:
 * DOCA_EVENT_CONNECTED tells. The name is free when the descriptor is closed.
 *
 * Errors: ENXIO if the device is not the DPU's side of such a function, or has been removed,
 * or the queue was a server of a function that has ended; EADDRINUSE if the
 * function has a server of this name; EMSGSIZE if @max_message is more than
 * @out_max_msg_size of DOCA_QUERY or @slot_size of the queue, or there are no slots to
 * receive; EINVAL for a bad name; EBUSY.
 */
struct doca_queue_listen {
	__u32 size;
	__u32 flags;
	__u32 function_id;
	__u32 max_message;
	char name[DOCA_SERVER_NAME_SIZE];
};

#define DOCA_QUEUE_LISTEN _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_LISTEN)

/**
 * struct doca_queue_connect - ioctl(DOCA_QUEUE_CONNECT), on a queue, since version 5
 * @size: sizeof(struct doca_queue_connect)
 * @flags: must be 0
 * @max_message: bytes of the longest message, as in &doca_queue_listen
 * @out_connection: id of the new connection at this end
 * @name: server on the function whose host's side the queue's device is
 *
 * The queue becomes a client. The answer is an event, DOCA_EVENT_CONNECTED or
 * DOCA_EVENT_REFUSED, which may be there before the call returns. The call may be repeated
 * after a refusal, and also for several connections.
 *
 * Processes with the server's effective user id, in the initial user namespace, can connect
 * to it; processes of any user if the administrator has set that for the function.
 *
 * Errors: ENXIO if the device is not the host's side of a function; EMSGSIZE and EINVAL as
 * of DOCA_QUEUE_LISTEN; ENOSPC if the inbox has no room; EBUSY.
 */
struct doca_queue_connect {
	__u32 size;
	__u32 flags;
	__u32 max_message;
	__u32 out_connection;
	char name[DOCA_SERVER_NAME_SIZE];
};

#define DOCA_QUEUE_CONNECT _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_CONNECT)

/**
 * struct doca_queue_disconnect - ioctl(DOCA_QUEUE_DISCONNECT), on a queue, since version 5
 * @size: sizeof(struct doca_queue_disconnect)
 * @flags: must be 0
 * @connection: id of a connection of this queue
 * @__reserved: must be 0
 *
 * End a connection. Messages that are in the other side's inbox stay there, and
 * DOCA_EVENT_DISCONNECTED follows them. Those that still wait for room complete with
 * DOCA_STATUS_NOT_CONNECTED, and so do entries that were not executed yet: a program that
 * wants them to arrive calls DOCA_QUEUE_ENTER with DOCA_ENTER_EXECUTE first. This end gets no
 * event; its producers and consumers do. ENOTCONN if there is no such connection any more.
 */
struct doca_queue_disconnect {
	__u32 size;
	__u32 flags;
	__u32 connection;
	__u32 __reserved;
};

#define DOCA_QUEUE_DISCONNECT _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_DISCONNECT)

/**
 * enum doca_attach_role - &doca_queue_attach.role
 */
enum doca_attach_role {
	/** @DOCA_ATTACH_PRODUCER: it sends to consumers of the other side */
	DOCA_ATTACH_PRODUCER = 1,
	/** @DOCA_ATTACH_CONSUMER: it receives from producers of the other side */
	DOCA_ATTACH_CONSUMER = 2,
};

/**
 * define DOCA_MAX_ATTACHED - consumers on each side of a connection; as many producers
 */
#define DOCA_MAX_ATTACHED 128

/**
 * define DOCA_MAX_IMM - bytes of immediate data
 */
#define DOCA_MAX_IMM 32

/**
 * struct doca_queue_attach - ioctl(DOCA_QUEUE_ATTACH), on a queue, since version 5
 * @size: sizeof(struct doca_queue_attach)
 * @flags: must be 0
 * @parent_fd: queue of a server or client that was made with the same file of /dev/doca
 * @connection: one of its connections
 * @role: &enum doca_attach_role
 * @key: key, from DOCA_MEM_MAP, of the memory with all buffers of a consumer; 0 for a
 *	producer
 * @imm_length: immediate data that a consumer takes, up to DOCA_MAX_IMM; 0 for a producer
 * @out_id: id of the producer or consumer, from 1 to 65534; a connection uses it once
 *
 * The queue becomes a producer or a consumer. It gets DOCA_EVENT_DISCONNECTED when the
 * connection ends; a consumer also when @key is retired. The parent may be closed first.
 *
 * A consumer needs a queue that executes DOCA_OP_POST_RECV, a producer one that executes
 * DOCA_OP_SEND_TO: EINVAL. The other side learns of a consumer by DOCA_QUEUE_ANNOUNCE.
 *
 * Errors: EINVAL if @parent_fd is no queue of this file; ENOTCONN if it has no
 * such connection; ENOENT if @key is not valid; EACCES if the memory was not registered for
 * writing, or is imported; EOPNOTSUPP if the CPU does not reach it; EMSGSIZE if @imm_length
 * is over its limit; ENOSPC if there are DOCA_MAX_ATTACHED, if all ids were used or if the
 * inbox has no room; EBUSY.
 */
struct doca_queue_attach {
	__u32 size;
	__u32 flags;
	__s32 parent_fd;
	__u32 connection;
	__u32 role;
	__u32 key;
	__u32 imm_length;
	__u32 out_id;
};

#define DOCA_QUEUE_ATTACH _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_ATTACH)

/**
 * struct doca_queue_announce - ioctl(DOCA_QUEUE_ANNOUNCE), on a queue, since version 5
 * @size: sizeof(struct doca_queue_announce)
 * @flags: must be 0
 *
 * Tell the other side of a consumer: DOCA_EVENT_CONSUMER_NEW, in the inbox of the server or
 * client there. Producers can send to it from then on. A second call does nothing.
 *
 * Errors: ENOTCONN if the queue is no consumer, or its connection or memory has ended;
 * ENOSPC if the inbox of the other side has no room.
 */
struct doca_queue_announce {
	__u32 size;
	__u32 flags;
};

#define DOCA_QUEUE_ANNOUNCE _IO(DOCA_IOCTL_TYPE, DOCA_CMD_QUEUE_ANNOUNCE)

/**
 * DOC: Device memory
 *
 * Each device has a pool of memory that all processes share. RDMA devices without
 * memory of their own offer it instead; it is system memory. The CPU reaches it by
 * mmap(), and what is mapped can be registered with an RDMA device or with
 * DOCA_MEM_REG like any other memory of the process. The module's parameter dm_size
 * is the size of a pool.
 *
 * mmap() of the file of /dev/doca must be shared and map a whole allocation, at the
 * offset that the call returned, or it fails with EINVAL. It fails with EPERM if the
 * mapping would be executable or the address space is not the one that opened the file.
 * A mapping does not grow, keeps the file open, and is not inherited by children: where a
 * program asks for that, by MADV_DOFORK, a child gets SIGBUS.
 *
 * An allocation lives as long as an id in any file names it or it is mapped. After
 * that its room in the pool is free again. Pages that are still pinned, by an RDMA device
 * or by DOCA_MEM_REG, stay with those who have pinned them. The removal of the device
 * does not end it.
 */

/**
 * struct doca_dm_query - ioctl(DOCA_DM_QUERY), since version 2
 * @size: sizeof(struct doca_dm_query)
 * @device_id: device
 * @out_length: bytes of its pool, which is also the maximum of an allocation; 0 if
 *	devices have none
 * @out_free: bytes of the pool that are not in use
 * @out_nr: allocations that use the rest
 * @__reserved: must be 0
 */
struct doca_dm_query {
	__u32 size;
	__u32 device_id;
	__aligned_u64 out_length;
	__aligned_u64 out_free;
	__u32 out_nr;
	__u32 __reserved;
};

#define DOCA_DM_QUERY _IO(DOCA_IOCTL_TYPE, DOCA_CMD_DM_QUERY)

/**
 * struct doca_dm_alloc - ioctl(DOCA_DM_ALLOC), since version 2
 * @size: sizeof(struct doca_dm_alloc)
 * @flags: must be 0
 * @device_id: device of the pool
 * @out_dm_id: id of the new memory, for DOCA_OBJECT_DESTROY
 * @length: bytes, not 0; the pool gives whole pages
 * @out_offset: offset for mmap() of all those pages
 * @out_handle: handle by which other files import it; unique among all files, and not
 *	reused soon
 * @__reserved: must be 0
 *
 * Take memory from the pool of a device. It is zeroed. ENOSPC if the pool has less left.
 * The pages are charged to the user, up to the module's parameter max_dm_bytes, and to
 * the memory control group of the caller.
 */
struct doca_dm_alloc {
	__u32 size;
	__u32 flags;
	__u32 device_id;
	__u32 out_dm_id;
	__aligned_u64 length;
	__aligned_u64 out_offset;
	__u32 out_handle;
	__u32 __reserved;
};

#define DOCA_DM_ALLOC _IO(DOCA_IOCTL_TYPE, DOCA_CMD_DM_ALLOC)

/**
 * struct doca_dm_import - ioctl(DOCA_DM_IMPORT), since version 2
 * @size: sizeof(struct doca_dm_import)
 * @flags: must be 0
 * @device_id: device of the pool
 * @handle: @out_handle of DOCA_DM_ALLOC
 * @out_dm_id: id of the memory in this file, for DOCA_OBJECT_DESTROY
 * @__reserved: must be 0
 * @out_length: bytes that its owner has requested
 * @out_offset: offset for mmap()
 *
 * Share memory that another file, or this one, has allocated. The caller must have the
 * effective user id of the owner, in the same user namespace, or CAP_SYS_PTRACE in the
 * owner's user namespace; EACCES otherwise. ENOENT if the device has no memory with this
 * handle, or its owner has destroyed it, even while the answer was written. A call that
 * fails keeps no owner from destroying it.
 */
struct doca_dm_import {
	__u32 size;
	__u32 flags;
	__u32 device_id;
	__u32 handle;
	__u32 out_dm_id;
	__u32 __reserved;
	__aligned_u64 out_length;
	__aligned_u64 out_offset;
};

#define DOCA_DM_IMPORT _IO(DOCA_IOCTL_TYPE, DOCA_CMD_DM_IMPORT)

#endif /* _UAPI_LINUX_DOCA_H */
