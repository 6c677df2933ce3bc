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
 * A queue has two areas: user space writes one, the kernel the other. All indices run freely
 * over the whole range of u32 and are masked with the ring's size minus one only to find an
 * entry. Each side keeps its own copy of everything that it writes and never reads the shared
 * one back.
 *
 * An entry announces itself: it is there when its phase is DOCA_RING_PHASE() of its
 * index. Entries are polled in order, so several are announced at once by writing the
 * phase of the first one last.
 *
 * To submit: write the entries but for their phases, which may stay as they are or
 * become 0; then the phases of all but the first, then that of the first with release
 * semantics, then a full barrier, then read need_wakeup; if it is set, call
 * DOCA_QUEUE_ENTER.
 * To reap: read the phase of the next entry with acquire semantics; if it is the
 * expected one read the entry, then write cq_head with release semantics. If the
 * completion ring was full, read need_wakeup after that, behind a full barrier,
 * as above.
 *
 * To wait: write into notify_at the number of completions, counted from the
 * queue's creation, at which to be woken (that is cq_head + 1 for the next one),
 * then a full barrier, then check for the next entry once more, then call poll(). A
 * wake-up comes once, when that many have been published; the descriptor is readable
 * from then on until cq_head reaches that number.
 *
 * At most sq_entries submissions may be outstanding in the ring: one may be
 * overwritten when sq_head has passed it, or when its completion is seen. Every
 * submission gets exactly one completion.
 *
 * A queue may have an inbox, a third ring, which is like that of completions: events
 * announce themselves, are reaped in order, and are awaited by ev_notify_at; poll()
 * reports both. A message is in a slot of the kernel's area, which is free when ev_head has
 * passed its event: so copy it before. To reap: read the event, store ev_head with release
 * semantics, then a full barrier, then read ev_starved; if it is set, call
 * DOCA_QUEUE_ENTER, for somebody waits for room. An ev_head that goes back, or beyond what
 * was published, breaks the queue: DOCA_QUEUE_BROKEN.
 */

/**
 * DOCA_RING_PHASE() - the mark of an entry that is there
 * @index: its free-running index
 * @order: binary logarithm of the size of its ring
 *
 * The number of times that the index has gone round the ring, modulo 2^15, with the
 * highest bit set. So neither an entry of the previous phase nor one that was never
 * written is taken for it.
 */
#define DOCA_RING_PHASE(index, order) ((__u16)(0x8000U | ((index) >> (order))))

/**
 * struct doca_ring_user - head of the area that user space writes
 * @cq_head: completions reaped
 * @notify_at: see above
 * @ev_head: events reaped; 0 in a queue without an inbox
 * @ev_notify_at: as @notify_at, for events; likewise
 * @__pad0: unused
 * @__pad1: unused
 * @__pad2: unused
 * @__pad3: unused
 *
 * Each word has a line of 128 bytes of its own.
 */
struct doca_ring_user {
	__u32 cq_head;
	__u32 __pad0[31];
	__u32 notify_at;
	__u32 __pad1[31];
	__u32 ev_head;
	__u32 __pad2[31];
	__u32 ev_notify_at;
	__u32 __pad3[31];
};

/**
 * enum doca_queue_state - &doca_ring_kernel.state; it only ever grows
 * @DOCA_QUEUE_RUN: entries are executed
 * @DOCA_QUEUE_FLUSH: after an error, a stop or the device's removal: entries
 *	complete with DOCA_STATUS_CANCELED
 * @DOCA_QUEUE_BROKEN: cq_head or ev_head was impossible: nothing is consumed any more,
 *	and nothing received. The kernel reads, and so checks, each of them only when its
 *	ring seems full
 */
enum doca_queue_state {
	DOCA_QUEUE_RUN,
	DOCA_QUEUE_FLUSH,
	DOCA_QUEUE_BROKEN,
};

/**
 * struct doca_ring_kernel - head of the area that the kernel writes
 * @cq_tail: completions published; for programs that count them, because each
 *	completion announces itself
 * @sq_head: submissions consumed
 * @need_wakeup: not 0 if a submission must be followed by DOCA_QUEUE_ENTER; also one of
 *	DOCA_OP_POST_RECV, if somebody waits for a buffer
 * @state: &enum doca_queue_state
 * @dead: not 0 if the device was removed, or the file or its address space is gone
 * @ev_tail: events published; 0 in a queue without an inbox
 * @ev_starved: not 0 if a sender waits for room in the inbox; likewise
 * @__pad0: unused
 * @__pad1: unused
 * @__pad2: unused
 * @__pad3: unused
 * @__pad4: unused
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
	__u32 ev_tail;
	__u32 __pad3[31];
	__u32 ev_starved;
	__u32 __pad4[31];
};

/**
 * enum doca_opcode - &doca_sqe.opcode
 * @DOCA_OP_NOP: do nothing; all other fields but user_data must be 0
 * @DOCA_OP_MEMCPY: copy source to destination; the destination may be longer, and
 *	a source of no bytes is copied with success. They should not overlap
 * @DOCA_OP_INVALIDATE: the contents of the destination are no longer needed; it must be
 *	writable, and its contents are undefined afterwards. The source must be 0, lists
 *	are not allowed. It is advice: on the CPU, whose caches are coherent, the driver
 *	checks it and leaves the memory as it is
 * @DOCA_OP_SYNC_GET: read the value at the source into @result[0]
 * @DOCA_OP_SYNC_SET: write @op[0] to the value at the destination, after everything that
 *	was done before in this queue
 * @DOCA_OP_SYNC_ADD: add @op[0] to the value at the destination, which must be
 *	readable too; @result[0] is the old value. DOCA_STATUS_NOT_SUPPORTED in memory
 *	that the CPU does not reach
 * @DOCA_OP_SYNC_WAIT_GT: wait until the value at the source, masked with @op[1],
 *	is greater than @op[0], as unsigned numbers; @result[0] is the value, unmasked
 * @DOCA_OP_SYNC_WAIT_EQ: likewise, until it is equal
 * @DOCA_OP_SYNC_WAIT_NE: likewise, until it is not equal
 * @DOCA_OP_HASH: SHA-1, SHA-256 or SHA-512 of the source. With DOCA_SQE_HASH_FIRST and
 *	DOCA_SQE_HASH_LAST it is a hash of one piece, and @aux is 0. Otherwise session @aux of
 *	the queue keeps the state from one entry to the next, and the flags say where it begins
 *	and ends; before the last one, the source is a multiple of the algorithm's block (64
 *	bytes; of SHA-512 128), and not empty. The destination has room for the digest, and is
 *	0 without DOCA_SQE_HASH_LAST. A failure ends the session
 * @DOCA_OP_DEFLATE: compress the source, which may be empty, to one stream of DEFLATE, as
 *	RFC 1951 has it: no header, and no checksum. @result[0] has those of the source:
 *	CRC-32, and Adler-32 << 32, as zlib has them. DOCA_STATUS_NO_SPACE if the
 *	destination is too short for the output
 * @DOCA_OP_INFLATE: decompress such a stream. What is behind it in the source is left, and
 *	not counted in @result[1]. @result[0] has the checksums of the output.
 *	DOCA_STATUS_DATA if the stream is malformed, or does not end within the source;
 *	DOCA_STATUS_NO_SPACE
 * @DOCA_OP_LZ4: decompress blocks as an LZ4 frame has them behind its header: each with its
 *	size, and with DOCA_SQE_LZ4_CHECKSUM its checksum, up to a size of 0 or the end of
 *	the source between two blocks. With DOCA_SQE_LZ4_BLOCK, the source is one block
 *	without its size. @result[0] has the checksums of the output: CRC-32, and
 *	XXH32 << 32, with the seed 0. DOCA_STATUS_DATA, which a block larger than 4 MiB gets,
 *	too; DOCA_STATUS_CHECKSUM; DOCA_STATUS_NO_SPACE
 * @DOCA_OP_GF_MATRIX: multiply the matrix @aux, made by DOCA_OBJECT_CREATE, with the source, over
 *	GF(2^8) with the polynomial 0x11d. The source is as many blocks of the same length as
 *	the matrix has columns, one behind the other, and the destination gets as many as it has
 *	rows; the length of a block is a multiple of 64 and not 0. The two must not overlap
 * @DOCA_OP_GCM_ENCRYPT: AES-GCM with the key @aux, made by DOCA_OBJECT_CREATE. The source is
 *	additional data, as many bytes as @gcm says, up to 64 KiB, and data; the destination gets
 *	the additional data, the encrypted data, and the tag. Any of the two may be empty. The
 *	flags have the bytes of the IV, which are 12, and those of the tag
 * @DOCA_OP_GCM_DECRYPT: the reverse: the source ends with the tag. If that is wrong, or the source
 *	is shorter than additional data and tag, it ends with DOCA_STATUS_TAG, and what was
 *	written is zero
 * @DOCA_OP_MSG_SEND: send a message to the other end of the connection @op[0]: the first
 *	@length bytes, not 0, of the queue's send slot with the number @address; @key is 0.
 *	It is done when the message is in the other side's inbox, and then the slot may be
 *	used again. Messages of a connection arrive in order. A message that finds no room
 *	waits in one of @nr_ops places, and later ones to the same end wait behind it. A
 *	message longer than both ends have agreed gets DOCA_STATUS_NO_SPACE
 * @DOCA_OP_POST_RECV: offer a buffer, one segment within the memory of this consumer, to
 *	producers on the other side. There is no completion: DOCA_EVENT_RECEIVED answers
 *	it. An entry that is wrong stops the queue
 * @DOCA_OP_SEND_TO: write the source, and immediate data, to the next buffer that the
 *	consumer @aux on the other side has posted. It waits for one. No source means
 *	immediate data alone. Done when the consumer has its event. If the buffer is
 *	shorter, or the consumer does not take that much immediate data, it ends with
 *	DOCA_STATUS_NO_SPACE, and the buffer stays
 * @DOCA_OP_LAST: not an opcode; one more than the last
 *
 * @out_opcodes of DOCA_QUERY has the opcodes that this kernel executes; all others fail
 * with DOCA_STATUS_BAD_OPCODE. 19 is reserved, because it had a meaning once.
 *
 * The values of the DOCA_OP_SYNC operations are 64 bits long, at addresses that
 * are multiples of 8, in the byte order of the machine; @length of the side that
 * names one is 8, and the other side must be 0. Each access is atomic, also
 * towards the processes that have the memory mapped.
 *
 * A wait does not hold up what is submitted after it, so its completion comes out
 * of order. It occupies one of the queue's @nr_waits and a slot of the completion
 * ring. A write by DOCA_OP_SYNC_SET or DOCA_OP_SYNC_ADD, of any queue, through the
 * same registration of the memory ends it at once. For other writes the kernel
 * polls: all the time while the worker is awake, and else less and less often, down
 * to a hundred times a second.
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
	DOCA_OP_HASH,
	DOCA_OP_DEFLATE,
	DOCA_OP_INFLATE,
	DOCA_OP_LZ4,
	DOCA_OP_GF_MATRIX,
	DOCA_OP_GCM_ENCRYPT,
	DOCA_OP_GCM_DECRYPT,
	DOCA_OP_MSG_SEND,
	DOCA_OP_POST_RECV,
	DOCA_OP_SEND_TO,
	DOCA_OP_LAST = 20,
};

/**
 * enum doca_sqe_flags - &doca_sqe.flags
 * @DOCA_SQE_SRC_LIST: the source is a list: @length segments of the queue's
 *	segment table, from number @address on; @key must be 0
 * @DOCA_SQE_DST_LIST: likewise the destination
 * @DOCA_SQE_DRAIN: begin when all earlier submissions have completed, waits and
 *	operations in flight included, and let no later one begin before this one has
 *	completed. An earlier soft failure has completed; a hard one cancels this entry
 * @DOCA_SQE_HASH_FIRST: the data begins here
 * @DOCA_SQE_HASH_LAST: the data ends here, and the digest is written
 * @DOCA_SQE_LZ4_BLOCK: one block without its size; otherwise blocks as in a frame
 * @DOCA_SQE_LZ4_CHECKSUM: each block is followed by its checksum
 * @DOCA_SQE_LZ4_INDEPENDENT: no block refers to the one before
 * @DOCA_SQE_GCM_TAG_12: the tag has 12 bytes, not 16
 * @DOCA_SQE_IMM_MASK: bytes of immediate data, up to 32, from bit DOCA_SQE_IMM_SHIFT on
 *
 * The segments of a list must not change before the completion. Bits 3 to 7 must
 * be 0. Bits 8 to 15 belong to the operation, and must be 0 where it names none.
 */
enum doca_sqe_flags {
	DOCA_SQE_SRC_LIST = 1 << 0,
	DOCA_SQE_DST_LIST = 1 << 1,
	DOCA_SQE_DRAIN = 1 << 2,

	DOCA_SQE_HASH_FIRST = 1 << 8,
	DOCA_SQE_HASH_LAST = 1 << 9,

	DOCA_SQE_LZ4_BLOCK = 1 << 8,
	DOCA_SQE_LZ4_CHECKSUM = 1 << 9,
	DOCA_SQE_LZ4_INDEPENDENT = 1 << 10,

	DOCA_SQE_GCM_TAG_12 = 1 << 12,

	DOCA_SQE_IMM_MASK = 63 << 8,
};

/* Lengths in the operation's bits, in bytes: of the IV, and of immediate data. */
#define DOCA_SQE_GCM_IV_SHIFT 8 /* 4 bits */
#define DOCA_SQE_IMM_SHIFT 8 /* 6 bits */

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
 * enum doca_hash - &doca_sqe_hash.algorithm
 */
enum doca_hash {
	/** @DOCA_HASH_SHA1: digest of 20 bytes */
	DOCA_HASH_SHA1 = 1,
	/** @DOCA_HASH_SHA256: digest of 32 bytes */
	DOCA_HASH_SHA256 = 2,
	/** @DOCA_HASH_SHA512: digest of 64 bytes */
	DOCA_HASH_SHA512 = 3,
};

/**
 * struct doca_sqe_hash - parameters of DOCA_OP_HASH, in place of @op
 * @algorithm: &enum doca_hash
 * @zero: must be 0
 */
struct doca_sqe_hash {
	__u8 algorithm;
	__u8 zero[15];
};

/**
 * struct doca_sqe_deflate - parameters of DOCA_OP_DEFLATE, in place of @op
 * @level: 1 (fast) to 9 (small); 0 leaves it to the driver
 * @zero: must be 0
 */
struct doca_sqe_deflate {
	__u8 level;
	__u8 zero[15];
};

/**
 * struct doca_sqe_gcm - parameters of the DOCA_OP_GCM operations, in place of @op
 * @iv: initialization vector; the flags have its length, and the rest is 0
 * @aad_length: bytes of the source, at its beginning, that are additional data
 */
struct doca_sqe_gcm {
	__u8 iv[12];
	__u32 aad_length;
};

/**
 * struct doca_sqe - a submission
 * @opcode: &enum doca_opcode
 * @flags: &enum doca_sqe_flags
 * @phase: DOCA_RING_PHASE() of its index in the submission ring, written last
 * @aux: id of an object, a session or a consumer that the operation uses; must be
 *	0 where it names none
 * @user_data: returned in the completion
 * @src: source
 * @dst: destination
 * @op: operands; must be 0 unless the operation uses them
 * @hash: operands of DOCA_OP_HASH
 * @deflate: operands of DOCA_OP_DEFLATE
 * @gcm: operands of DOCA_OP_GCM_ENCRYPT and DOCA_OP_GCM_DECRYPT
 * @imm: for DOCA_OP_SEND_TO: immediate data after the 16 bytes in @dst
 */
struct doca_sqe {
	__u16 opcode;
	__u16 flags;
	__u16 phase;
	__u16 aux;
	__aligned_u64 user_data;
	struct doca_seg src;
	struct doca_seg dst;
	union {
		__aligned_u64 op[2];
		struct doca_sqe_hash hash;
		struct doca_sqe_deflate deflate;
		struct doca_sqe_gcm gcm;
		__u8 imm[16];
	};
};

/**
 * enum doca_status - &doca_cqe.status
 * @DOCA_STATUS_SUCCESS: done
 * @DOCA_STATUS_CANCELED: not begun or cut short, because the queue is stopped,
 *	its device was removed, or an earlier submission failed
 * @DOCA_STATUS_BAD_OPCODE: the opcode is not executed, or not by this queue
 * @DOCA_STATUS_BAD_ENTRY: an unknown flag, a field that is not 0, a list that is
 *	empty, too long or outside the segment table
 * @DOCA_STATUS_BAD_KEY: a key is not valid or is for another device; also when
 *	it was revoked before the operation ended
 * @DOCA_STATUS_BAD_RANGE: a range is not within its mapping
 * @DOCA_STATUS_BAD_ACCESS: a mapping does not allow the access
 * @DOCA_STATUS_BAD_LENGTH: the destination is shorter than the source, the
 *	length is over the limit of DOCA_QUERY, or it is not that of a value
 * @DOCA_STATUS_BAD_ALIGN: the address of a value is not a multiple of 8
 * @DOCA_STATUS_BAD_WAIT: more waits are pending than the queue was created for
 * @DOCA_STATUS_BAD_MEMORY: the memory of a source has an uncorrectable error; what
 *	precedes it was copied. Only on CPUs that can continue after that: on others the
 *	kernel does not survive reading it. Also memory of either side that the CPU does
 *	not reach, and that could not be read or written, or pages that their file has
 *	lost since they were registered
 * @DOCA_STATUS_BAD_OBJECT: @aux is not the id of an object of the right type, for
 *	this device
 * @DOCA_STATUS_BAD_SESSION: @aux is not the number of a session that was begun, of
 *	this algorithm; or it is in use, or was lost when an earlier operation failed
 * @DOCA_STATUS_FAILED: the driver or the device could not do it
 * @DOCA_STATUS_NOT_SUPPORTED: the driver does not do this with this memory, or with
 *	this value
 * @DOCA_STATUS_RESET: the link to a peer was lost
 * @DOCA_STATUS_SOFT: not a status: the bit of soft ones
 * @DOCA_STATUS_DATA: the data is malformed or truncated
 * @DOCA_STATUS_CHECKSUM: a checksum in the data is wrong
 * @DOCA_STATUS_TAG: the data is not authentic
 * @DOCA_STATUS_NO_SPACE: there is less room than the result takes
 * @DOCA_STATUS_NOT_CONNECTED: the connection is closed
 * @DOCA_STATUS_NO_CONSUMER: there is no such consumer any more
 *
 * There are two classes. A hard failure means that the entry is wrong: it puts the queue
 * into DOCA_QUEUE_FLUSH. A soft one, which has the bit DOCA_STATUS_SOFT, means that the
 * data is wrong, or that the other side is not there: it ends only its own entry, and the
 * queue goes on. A program that does not know a status needs only that bit. Everything
 * that an operation has written before it failed stays written.
 *
 * DOCA_STATUS_RESET is for links between machines; no operation of this version ends with it.
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
	DOCA_STATUS_BAD_OBJECT,
	DOCA_STATUS_BAD_SESSION,
	DOCA_STATUS_FAILED,
	DOCA_STATUS_NOT_SUPPORTED,
	DOCA_STATUS_RESET,

	DOCA_STATUS_SOFT = 1 << 8,
	DOCA_STATUS_DATA = DOCA_STATUS_SOFT,
	DOCA_STATUS_CHECKSUM,
	DOCA_STATUS_TAG,
	DOCA_STATUS_NO_SPACE,
	DOCA_STATUS_NOT_CONNECTED,
	DOCA_STATUS_NO_CONSUMER,
};

/**
 * struct doca_cqe - a completion
 * @user_data: user data of the submission
 * @status: &enum doca_status
 * @phase: DOCA_RING_PHASE() of its index in the completion ring, written last
 * @length: bytes written to the destination
 * @result: the first word is the value that the operation has found, the second the
 *	bytes of the source that it has consumed; 0 unless it says otherwise
 */
struct doca_cqe {
	__aligned_u64 user_data;
	__u16 status;
	__u16 phase;
	__u32 length;
	__aligned_u64 result[2];
};

/**
 * enum doca_event_type - &doca_event.type
 * @DOCA_EVENT_CONNECTED: a connection was made: at the server by a client, at the client
 *	by DOCA_QUEUE_CONNECT. @length is the longest message that both ends take
 * @DOCA_EVENT_REFUSED: DOCA_QUEUE_CONNECT has failed. @status is
 *	DOCA_STATUS_NOT_CONNECTED if the function has no server of this name, or it is
 *	stopping; DOCA_STATUS_BAD_ACCESS if it is another user's; DOCA_STATUS_NO_SPACE if it
 *	has no room for one more connection, or its user or the client's has too many.
 *	The connection's id is gone
 * @DOCA_EVENT_DISCONNECTED: the connection has ended, and this is the last event of it. In
 *	the queue of a producer or consumer it comes whichever end has closed it. A consumer
 *	calls DOCA_QUEUE_ENTER after it to get the entries of its ring back. @status is
 *	DOCA_STATUS_BAD_KEY if the consumer's memory has ended
 * @DOCA_EVENT_MESSAGE: a message has come, of @length bytes in @slot
 * @DOCA_EVENT_CONSUMER_NEW: the other side has announced a consumer. @length is the immediate
 *	data that it takes
 * @DOCA_EVENT_CONSUMER_GONE: a consumer of the other side has ended
 * @DOCA_EVENT_RECEIVED: the answer to DOCA_OP_POST_RECV. With DOCA_STATUS_SUCCESS the first
 *	@length bytes of the buffer were written by the producer @id. With
 *	DOCA_STATUS_CANCELED the buffer is given back, and some of it may have been written: the
 *	consumer has ended; or, while it is in DOCA_QUEUE_RUN, a producer ended half way, and
 *	the buffer should be posted again. DOCA_STATUS_BAD_MEMORY: its file has lost the memory.
 *	Any other: the entry was wrong
 */
enum doca_event_type {
	DOCA_EVENT_CONNECTED = 1,
	DOCA_EVENT_REFUSED,
	DOCA_EVENT_DISCONNECTED,
	DOCA_EVENT_MESSAGE,
	DOCA_EVENT_CONSUMER_NEW,
	DOCA_EVENT_CONSUMER_GONE,
	DOCA_EVENT_RECEIVED,
};

/**
 * struct doca_event - an entry of an inbox
 * @type: &enum doca_event_type
 * @status: &enum doca_status
 * @phase: DOCA_RING_PHASE() of its index in the inbox, written last
 * @imm_length: bytes in @imm
 * @user_data: user data of the DOCA_OP_POST_RECV that it answers
 * @connection: id of the connection at this end; for producers and consumers their parent's
 * @id: id of a producer or consumer of the other side
 * @slot: number of the slot with the message; free when ev_head has passed the event
 * @length: length of the message, or number of bytes written
 * @imm: immediate data
 *
 * Members that the type does not name are 0.
 */
struct doca_event {
	__u16 type;
	__u16 status;
	__u16 phase;
	__u16 imm_length;
	__aligned_u64 user_data;
	__u32 connection;
	__u32 id;
	__u32 slot;
	__u32 length;
	__u8 imm[32];
};

#endif /* _UAPI_LINUX_DOCA_RING_H */
