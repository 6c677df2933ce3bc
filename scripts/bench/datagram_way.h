/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Ways to receive or send datagrams, by sockets or past the kernel's protocols. The CPU
 * time of this thread is measured.
 */
#ifndef BENCH_DATAGRAM_WAY_H
#define BENCH_DATAGRAM_WAY_H

#include "bench/cpu.h"
#include "burst.h"
#include "far.h"
#include "wire.h"

struct datagram_way;

/* Implementation of a way. */
struct datagram_ops {
	const char *name;
	bool optional; /* its libraries or drivers may be missing */
	int (*open)(struct datagram_way *dw); /* wire and burst are ready */
	void (*close)(struct datagram_way *dw);
	/* Record the datagrams that have arrived. Returns how many, or -1. NULL: the way sends. */
	int (*take)(struct datagram_way *dw);
	/* Send a burst, and wait until it is sent. */
	int (*send)(struct datagram_way *dw);
};

struct datagram_way {
	struct way way;
	const struct datagram_ops *ops;
	const struct wires *wires;
	void *self; /* private data of open() */
	char name[32]; /* for open() or close() to set as the way's name */

	/* while it is open */
	struct wire wire;
	struct far far;
	struct burst burst;
	int fd; /* for ways by sockets */
};

void datagram_way_init(struct datagram_way *dw, const struct datagram_ops *ops,
		       const struct wires *wires, const struct cpus *cpus);

/* Make a frame with a datagram to the far end, without its number. */
#define FRAME_HEADERS 42
void datagram_frame(const struct datagram_way *dw, uint8_t *frame);

static inline size_t datagram_frame_length(const struct datagram_way *dw)
{
	return FRAME_HEADERS + dw->burst.load.size;
}

/* Record the datagram of a frame. Returns -1 if it has none of this burst. */
int datagram_note_frame(struct datagram_way *dw, const uint8_t *frame,
			size_t length);

extern const struct datagram_ops recvmsg_ops;
extern const struct datagram_ops recvmmsg_ops;
extern const struct datagram_ops zc_ops;
extern const struct datagram_ops zc_kernel_ops;
extern const struct datagram_ops sendmmsg_ops;
extern const struct datagram_ops xsk_ops;
extern const struct datagram_ops packet_ops;
extern const struct datagram_ops eth_rxq_ops;
extern const struct datagram_ops eth_txq_ops;

#endif /* BENCH_DATAGRAM_WAY_H */
