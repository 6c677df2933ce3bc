/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * What two processes say to each other: messages of one size over a socket that keeps
 * them apart (SOCK_SEQPACKET), and three areas of shared memory.
 *
 * The importer connects and says HELLO. The exporter answers with HELLO, and descriptors
 * of the areas of a queue: its user area, its kernel area, and data. From then on the
 * importer asks to IMPORT, one at a time, and is ANSWERed; takes imports back (RELEASE) and
 * waits (CANCEL); and each side rings the other's BELL where the rings of doca_ring.h ask
 * for that. It rings by a message, for the flags of an eventfd that both have belong to
 * both: one could have the other block. Anything else, or out of order, ends the
 * connection, and so does the end of either process.
 */
#ifndef INPROC_WIRE_H
#define INPROC_WIRE_H

#include "shim/kernel.h"

#include <linux/doca.h>

/* How many times slower than else the processes are. */
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

/* Both ways. From the importer @error, @key and @data are 0. */
struct wire_hello {
	u32 magic;
	u32 version;
	u32 ring_version;
	s32 error; /* negative errno, and there are no descriptors */
	u32 key; /* of the data area, in the exporter */
	u32 page_size;
	u64 data; /* where it is there */
};

/* To @seq; if there is no error, operations may name the key from now on. */
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
	u32 seq; /* of IMPORT and its ANSWER; 0 elsewhere */
	union {
		struct wire_hello hello;
		struct doca_blob blob;
		struct wire_answer answer;
		u32 key; /* of RELEASE */
		u64 name; /* of CANCEL: the user_data of an entry that waits */
		u8 room[248];
	};
};

/*
 * An entry's user_data is its tag and, above that, how often it was used: so neither an
 * answer nor a CANCEL that comes late is taken for another entry's. The first tags have a
 * slot of the data area each, others are for values of sync events, and the rest for waits.
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

/* A blob's kernel_id: it leads to the exporter, which is identified by its user id. */
struct wire_id {
	char magic[4]; /* "PROC" */
	__le32 uid;
	u8 random[8];
};

/* Have an identity say that it is that of a process, and of which user. */
void wire_identify(u8 id[16]);
bool wire_is_process(const u8 id[16]);

/* Never blocks: -EAGAIN if the other side does not take what there is already. */
int wire_send(int fd, const struct wire_msg *msg, const int *fds, int nr);
/*
 * One message, whole; -EAGAIN, -EPIPE at the end, -EPROTO if it is none of ours, -EMFILE if
 * there is no room for its descriptors.
 */
int wire_recv(int fd, struct wire_msg *msg, int *fds, int nr);
/*
 * From now on descriptors are not taken from the other end, nor by what accept() makes of the
 * socket: to close one may take as long as its sender likes. Before Linux 6.16 those that
 * come end the connection, but are closed here.
 */
void wire_refuse_fds(int fd);
/* The rings of a connection; doca_ring_size() knows the rest. */
void wire_queue(struct doca_queue_create *arg);
/* The user of the other end; -EACCES if it is not known. */
int wire_peer_uid(int fd, uid_t *uid);

/*
 * The name of the listener with an id, and the directory that DOCA_RUNTIME_DIR names, where
 * there is one: -EINVAL if it is too long. The size of the address.
 */
struct sockaddr_un;
int wire_address(const u8 id[16], struct sockaddr_un *address);

#endif /* INPROC_WIRE_H */
