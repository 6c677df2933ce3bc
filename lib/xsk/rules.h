/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Data shared by the library and the XDP program. Also compiled for BPF. */
#ifndef DOCA_XSK_RULES_H
#define DOCA_XSK_RULES_H

#include <linux/types.h>

#define STEER_QUEUES 8 /* per interface */
#define STEER_RECEIVERS 64
#define STEER_RULES 1024

/* A UDP destination; all zeros match every frame. */
struct steer_match {
	__u8 family; /* 4 or 6; 0: every frame */
	__u8 zero;
	__be16 port;
	__u8 address[16]; /* zeros: any address of the machine */
};

enum steer_action {
	STEER_PASS, /* to the kernel */
	STEER_QUEUE,
	STEER_DROP,
};

struct steer_target {
	__u64 until; /* CLOCK_MONOTONIC in ns; 0: for ever */
	__u32 action;
	__u32 base; /* index of the interface's queue 0 in the map of sockets */
	__u32 room; /* longer frames go to the kernel */
	__u32 zero;
	__u32 flow_tag; /* passed to the receiver, as is metadata */
	__u32 metadata;
};

#define STEER_MAGIC 0x646f6361

/* Stands right before a frame if its rule has tags. */
struct steer_tags {
	__u32 magic;
	__u32 flow_tag;
	__u32 metadata;
};

#endif /* DOCA_XSK_RULES_H */
