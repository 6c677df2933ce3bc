/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Messages between two processes: messages of one size over a socket that keeps them apart
 * (SOCK_SEQPACKET), and three areas of shared memory.
 *
 * The importer connects and says HELLO. The exporter answers with HELLO, and descriptors of
 * the areas of a queue: its user area, its kernel area, and data. From then on the importer
 * asks to IMPORT, one at a time, and is ANSWERed; takes imports back (RELEASE) and waits
 * (CANCEL); and each side rings the other's BELL where the rings of doca_ring.h ask for
 * that. It rings by a message, for both sides would share the flags of an eventfd: one
 * could make the other block. Anything else, or out of order, ends the connection, and so
 * does the end of either process.
 */
#ifndef INPROC_WIRE_H
#define INPROC_WIRE_H

#include "shim/kernel.h"

#include <linux/doca.h>

/* The factor by which the processes are slower than usual. */
#ifndef WIRE_SLOW
#define WIRE_SLOW 1
#endif

#define WIRE_MAGIC 0x52434f44 /* "DOCR" */
#define WIRE_VERSION 1

enum wire_type {
	WIRE_HELLO = 1,
	WIRE_IMPORT,
	WIRE_ANSWER,
	WIRE_RELEASE,
	WIRE_CANCEL,
	WIRE_BELL,
};

/* Sent both ways. The importer leaves @error, @key and @data 0. */
struct wire_hello {
	u32 magic;
	u32 version;
	u32 ring_version;
	s32 error; /* negative errno; then no descriptors follow */
	u32 key; /* key of the data area in the exporter */
	u32 page_size;
	u64 data; /* address of the data area there */
};

/* Answer to @seq; without an error, operations may name the key from now on. */
struct wire_answer {
	s32 error;
	u32 key;
	u32 access;
	u32 zero;
	u64 addr;
	u64 length;
};

struct wire_msg {
	u32 type;
	u32 seq; /* number of IMPORT and its ANSWER; otherwise 0 */
	union {
		struct wire_hello hello;
		struct doca_blob blob;
		struct wire_answer answer;
		u32 key; /* for RELEASE */
		u64 name; /* for CANCEL: the user_data of an entry that waits */
		u8 room[248];
	};
};

/*
 * An entry's user_data is its tag and, above that, the number of times it was used: so
 * neither an answer nor a CANCEL that comes late is taken for another entry's. The first
 * tags have a slot of the data area each, others are for values of sync events, and the
 * rest for waits.
 */
#define WIRE_SLOTS 32U
#define WIRE_SLOT_SIZE SZ_64K
#define WIRE_DATA_SIZE ((size_t)WIRE_SLOTS * WIRE_SLOT_SIZE)
#define WIRE_VALUES 32U
#define WIRE_WAITS 192U
#define WIRE_TAGS (WIRE_SLOTS + WIRE_VALUES + WIRE_WAITS)

enum wire_area {
	WIRE_USER,
	WIRE_KERNEL,
	WIRE_DATA,
	WIRE_AREAS,
};

/* A blob's kernel_id: it leads to the exporter, whose user id identifies it. */
struct wire_id {
	char magic[4]; /* "PROC" */
	__le32 uid;
	u8 random[8];
};

/* Mark an identity as that of a process of this user. */
void wire_identify(u8 id[16]);
bool wire_is_process(const u8 id[16]);

/* Send without blocking: -EAGAIN if the other side has not taken earlier messages. */
int wire_send(int fd, const struct wire_msg *msg, const int *fds, int nr);
/*
 * Receive one whole message. -EAGAIN; -EPIPE at the end; -EPROTO if it is not one of ours;
 * -EMFILE if there is no room for its descriptors.
 */
int wire_recv(int fd, struct wire_msg *msg, int *fds, int nr);
/*
 * Take no more descriptors from the other end, also on sockets that accept() makes of this
 * one: to close a descriptor may take as long as its sender likes. Before Linux 6.16
 * descriptors that come end the connection, but are closed here.
 */
void wire_refuse_fds(int fd);
/* Fill in the sizes of a connection's rings; doca_ring_size() computes the rest. */
void wire_queue(struct doca_queue_create *arg);
/* Get the user of the other end; -EACCES if it is unknown. */
int wire_peer_uid(int fd, uid_t *uid);

/*
 * Make the address of a socket with this name, or of the listener with an id: in the directory
 * that DOCA_RUNTIME_DIR names, if any. Return its size, or -EINVAL if it is too long.
 */
struct sockaddr_un;
int wire_named(const char *name, struct sockaddr_un *address);
int wire_address(const u8 id[16], struct sockaddr_un *address);
/* Check that no other user can write to the directory of an address: -EACCES or -ENOTDIR. */
int wire_check_directory(const struct sockaddr_un *address);
/*
 * Listen at an address, whose directory, if it has one, must be the user's alone: -EACCES,
 * -ENOTDIR, -EADDRINUSE. No descriptors are taken.
 */
int wire_listen(int fd, const struct sockaddr_un *address, int size,
		int backlog);

#endif /* INPROC_WIRE_H */
