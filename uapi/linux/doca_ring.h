/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * The rings of a queue of /dev/doca: memory shared with the kernel.
 */
#ifndef _UAPI_LINUX_DOCA_RING_H
#define _UAPI_LINUX_DOCA_RING_H

#include <linux/types.h>

/**
 * DOC: Rings
 *
 * A queue has two areas, distinguished by who writes them. All indices run
 * freely over the whole range of u32 and are masked with the ring's size minus
 * one only to find an entry. Each side keeps copies of its own of everything
 * that it has written and never reads them back.
 *
 * An entry announces itself: it is there when its lap is DOCA_RING_LAP() of its
 * index. Entries are looked for in their order, so several are announced at once
 * by writing the lap of the first one last.
 *
 * To submit: write the entries but for their laps, which may stay as they are or
 * become 0; then the laps of all but the first, then that of the first with release
 * semantics, then a full barrier, then read need_wakeup; if it is set, call
 * DOCA_QUEUE_ENTER.
 * To reap: read the lap of the next entry with acquire semantics; if it is the
 * expected one read the entry, then write cq_head with release semantics. Whoever
 * found the completion ring full reads need_wakeup after that, behind a full
 * barrier, as above.
 *
 * To wait: write into notify_at the number of completions, counted from the
 * queue's creation, at which to be woken (that is cq_head + 1 for the next one),
 * then a full barrier, then look for the next entry once more, then poll. A
 * wake-up comes once, when as many have been published; the descriptor is readable
 * from then on until cq_head is as high.
 *
 * At most sq_entries submissions may be outstanding in the ring: one may be
 * overwritten when sq_head has passed it, or when its completion is seen. Every
 * submission gets exactly one completion.
 */

/**
 * DOCA_RING_LAP() - what an entry is marked with when it is there
 * @index: its free-running index
 * @order: binary logarithm of the size of its ring
 *
 * How often the ring has been gone round, modulo 2^15, with the highest bit set:
 * so neither an entry of the lap before nor one that never was written is ever taken
 * for it.
 */
#define DOCA_RING_LAP(index, order) ((__u16)(0x8000U | ((index) >> (order))))

/**
 * struct doca_ring_user - head of the area that user space writes
 * @cq_head: completions reaped
 * @notify_at: see above
 * @__pad0: unused
 * @__pad1: unused
 *
 * Each on cache lines of its own.
 */
struct doca_ring_user {
	__u32 cq_head;
	__u32 __pad0[31];
	__u32 notify_at;
	__u32 __pad1[31];
};

/**
 * enum doca_queue_state - &doca_ring_kernel.state; it only ever grows
 * @DOCA_QUEUE_RUN: entries are executed
 * @DOCA_QUEUE_FLUSH: after an error, a stop or the device's removal: entries
 *	are answered with DOCA_STATUS_CANCELED
 * @DOCA_QUEUE_BROKEN: cq_head was impossible: nothing is consumed any more. The
 *	kernel looks at it only when the completion ring seems full; what it does not
 *	look at it does not check
 */
enum doca_queue_state {
	DOCA_QUEUE_RUN,
	DOCA_QUEUE_FLUSH,
	DOCA_QUEUE_BROKEN,
};

/**
 * struct doca_ring_kernel - head of the area that the kernel writes
 * @cq_tail: completions published; for who counts them, for each tells of itself
 * @sq_head: submissions consumed
 * @need_wakeup: not 0 if a submission must be followed by DOCA_QUEUE_ENTER
 * @state: &enum doca_queue_state
 * @dead: not 0 if the device was removed, or the file or its address space is gone
 * @__pad0: unused
 * @__pad1: unused
 * @__pad2: unused
 */
struct doca_ring_kernel {
	__u32 cq_tail;
	__u32 sq_head;
	__u32 __pad0[30];
	__u32 need_wakeup;
	__u32 __pad1[31];
	__u32 state;
	__u32 dead;
	__u32 __pad2[30];
};

/**
 * enum doca_opcode - &doca_sqe.opcode
 * @DOCA_OP_NOP: do nothing; all other fields but user_data must be 0
 * @DOCA_OP_MEMCPY: copy source to destination; the destination may be longer, and
 *	a source of no bytes is copied with success. They should not overlap
 * @DOCA_OP_INVALIDATE: what is at the destination is needed no more; it must be
 *	writable, and may have any content afterwards. The source must be 0, lists are
 *	not taken. It is advice: the driver's CPU engine, whose caches are coherent,
 *	checks it and leaves the memory as it is
 * @DOCA_OP_SYNC_GET: read the value at the source into @result[0]
 * @DOCA_OP_SYNC_SET: write @op[0] to the value at the destination, after all that
 *	was done before in this queue
 * @DOCA_OP_SYNC_ADD: add @op[0] to the value at the destination, which must be
 *	readable too; what it was before is @result[0]
 * @DOCA_OP_SYNC_WAIT_GT: wait until the value at the source, masked with @op[1],
 *	is greater than @op[0], as unsigned numbers; @result[0] is the value, unmasked
 * @DOCA_OP_SYNC_WAIT_EQ: likewise, until it is equal
 * @DOCA_OP_SYNC_WAIT_NE: likewise, until it is not equal
 * @DOCA_OP_LAST: not an opcode
 *
 * The values of the DOCA_OP_SYNC operations are 64 bits long, at addresses that
 * are multiples of 8, in the byte order of the machine; @length of the side that
 * names one is 8, and the other side must be 0. Each access is atomic, also
 * towards the processes that have the memory mapped.
 *
 * A wait does not hold up what is submitted behind it, so its completion comes out
 * of order. It occupies one of the queue's @nr_waits and a slot of the completion
 * ring. A write by DOCA_OP_SYNC_SET or DOCA_OP_SYNC_ADD, of whatever queue, through
 * the same registration of the memory ends it at once; for other writes the kernel
 * looks, all the time while the worker is awake, and else ever less often, down to a
 * hundred times a second.
 */
enum doca_opcode {
	DOCA_OP_NOP,
	DOCA_OP_MEMCPY,
	DOCA_OP_INVALIDATE,
	DOCA_OP_SYNC_GET,
	DOCA_OP_SYNC_SET,
	DOCA_OP_SYNC_ADD,
	DOCA_OP_SYNC_WAIT_GT,
	DOCA_OP_SYNC_WAIT_EQ,
	DOCA_OP_SYNC_WAIT_NE,
	DOCA_OP_LAST,
};

/**
 * enum doca_sqe_flags - &doca_sqe.flags
 * @DOCA_SQE_SRC_LIST: the source is a list: @length segments of the queue's
 *	segment table, from number @address on; @key must be 0
 * @DOCA_SQE_DST_LIST: likewise the destination
 *
 * The segments of a list must not change before the completion.
 */
enum doca_sqe_flags {
	DOCA_SQE_SRC_LIST = 1 << 0,
	DOCA_SQE_DST_LIST = 1 << 1,
};

/**
 * struct doca_seg - a range of memory
 * @key: key of a mapping of the queue's device
 * @length: bytes
 * @address: first byte, as an address of the process that registered it
 */
struct doca_seg {
	__u32 key;
	__u32 length;
	__aligned_u64 address;
};

/**
 * struct doca_sqe - a submission
 * @opcode: &enum doca_opcode
 * @flags: &enum doca_sqe_flags
 * @lap: DOCA_RING_LAP() of its index in the submission ring, written last
 * @__reserved: must be 0
 * @user_data: returned in the completion
 * @src: source
 * @dst: destination
 * @op: for the operation; must be 0 where it does not say otherwise
 */
struct doca_sqe {
	__u16 opcode;
	__u16 flags;
	__u16 lap;
	__u16 __reserved;
	__aligned_u64 user_data;
	struct doca_seg src;
	struct doca_seg dst;
	__aligned_u64 op[2];
};

/**
 * enum doca_status - &doca_cqe.status
 * @DOCA_STATUS_SUCCESS: done
 * @DOCA_STATUS_CANCELED: not begun or cut short, because the queue is stopped,
 *	its device was removed, or an earlier submission failed
 * @DOCA_STATUS_BAD_OPCODE: the opcode is not known
 * @DOCA_STATUS_BAD_ENTRY: an unknown flag, a field that is not 0, a list that is
 *	empty, too long or outside the segment table
 * @DOCA_STATUS_BAD_KEY: a key is not valid or is for another device; also when
 *	it was revoked before the operation ended
 * @DOCA_STATUS_BAD_RANGE: a range is not within its mapping
 * @DOCA_STATUS_BAD_ACCESS: a mapping does not allow the access; or an addition
 *	to a dma-buf, where the architecture cannot do that to any memory
 * @DOCA_STATUS_BAD_LENGTH: the destination is shorter than the source, the
 *	length is over the limit of DOCA_QUERY, or it is not that of a value
 * @DOCA_STATUS_BAD_ALIGN: the address of a value is not a multiple of 8
 * @DOCA_STATUS_BAD_WAIT: more waits are pending than the queue was made for
 * @DOCA_STATUS_BAD_MEMORY: the memory of a source has an error that cannot be
 *	corrected; what precedes it was copied. Only where the CPU can go on after
 *	that: on others the kernel cannot, whoever reads it
 *
 * Any status but success puts the queue into DOCA_QUEUE_FLUSH. What had been
 * written before an operation failed stays written.
 */
enum doca_status {
	DOCA_STATUS_SUCCESS,
	DOCA_STATUS_CANCELED,
	DOCA_STATUS_BAD_OPCODE,
	DOCA_STATUS_BAD_ENTRY,
	DOCA_STATUS_BAD_KEY,
	DOCA_STATUS_BAD_RANGE,
	DOCA_STATUS_BAD_ACCESS,
	DOCA_STATUS_BAD_LENGTH,
	DOCA_STATUS_BAD_ALIGN,
	DOCA_STATUS_BAD_WAIT,
	DOCA_STATUS_BAD_MEMORY,
};

/**
 * struct doca_cqe - a completion
 * @user_data: of the submission
 * @status: &enum doca_status
 * @lap: DOCA_RING_LAP() of its index in the completion ring, written last
 * @length: bytes written to the destination
 * @result: of the operation; 0 where it does not say otherwise
 */
struct doca_cqe {
	__aligned_u64 user_data;
	__u16 status;
	__u16 lap;
	__u32 length;
	__aligned_u64 result[2];
};

#endif /* _UAPI_LINUX_DOCA_RING_H */
