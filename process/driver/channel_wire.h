/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Connections of the communication channel between two processes: a socket for each
 * (SOCK_SEQPACKET). The client connects and says HELLO, and so does the server, with its answer.
 * From then on each sends frames, of which one may have bytes behind it.
 *
 * MESSAGE, CONSUMER_NEW and CONSUMER_GONE take a credit each, of which both begin with
 * CHANNEL_WINDOW. The other side gives credits back by CREDIT, when it has put them into its
 * inbox: many at once, but none waits for more. So it can read the socket all the time, and has to
 * store a bounded number of them; and the tasks that sent the messages are done then.
 *
 * A producer offers one entry at a time: SEND, with the bytes if they are few. The other side
 * answers when a buffer is there: DONE if it had all bytes, or GRANT; then the bytes follow as
 * DATA, and DONE comes when they are in the buffer. Another SEND takes the place of the
 * one before, and LEAVE that of none.
 *
 * Anything else, or out of order, ends the connection, and so does the end of either process.
 */
#ifndef INPROC_CHANNEL_WIRE_H
#define INPROC_CHANNEL_WIRE_H

#include "shim/kernel.h"

#include <linux/doca.h>

#include "function.h"

#define CHANNEL_MAGIC 0x48434f44 /* "DOCH" */
#define CHANNEL_VERSION 2

#define CHANNEL_WINDOW 64U
/* Bytes that go with SEND; with more, there is a GRANT first. */
#define CHANNEL_FEW 4096U
/* Bytes of DATA. */
#define CHANNEL_CHUNK 32768U

/* The client leaves @status 0, the server @pair and @name empty. */
struct channel_hello {
	u32 magic;
	u32 version;
	u32 status; /* &enum doca_status; not 0: the server closes the connection */
	u32 max_message;
	char pair[DOCA_FUNCTION_NAME_MAX];
	char name[DOCA_SERVER_NAME_SIZE];
};

enum channel_type {
	CHANNEL_MESSAGE = 1,
	CHANNEL_CONSUMER_NEW,
	CHANNEL_CONSUMER_GONE,
	CHANNEL_CREDIT,
	CHANNEL_SEND,
	CHANNEL_GRANT,
	CHANNEL_DATA,
	CHANNEL_DONE,
	CHANNEL_LEAVE,
};

struct channel_frame {
	u32 type;
	u32 id; /* consumer of CONSUMER_*; producer of SEND to LEAVE */
	u32 seq; /* number of the SEND, for those that belong to it */
	u32 value; /* credits; status of DONE; consumer of SEND */
	u32 length; /* number of all bytes, for SEND; credits of messages, for CREDIT */
	u32 imm_length; /* length for SEND, maximum for CONSUMER_NEW */
	u8 imm[DOCA_MAX_IMM];
	u64 zero;
};

/*
 * Send without blocking: -EAGAIN if there is no room, or another error if the connection has
 * ended.
 */
int channel_wire_send(int fd, const void *head, size_t head_size,
		      const void *bytes, size_t size);
/*
 * Receive one packet of at most @size bytes: its size, at least 1; -EAGAIN; -EPIPE at the end;
 * -EPROTO if it is longer, or came with descriptors.
 */
int channel_wire_recv(int fd, void *bytes, size_t size);

#endif /* INPROC_CHANNEL_WIRE_H */
