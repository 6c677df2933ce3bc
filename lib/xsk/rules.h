/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What library and XDP program agree on. Also compiled for BPF. */
#ifndef DOCA_XSK_RULES_H
#define DOCA_XSK_RULES_H

#include <linux/types.h>

#define STEER_QUEUES 8 /* of one interface */
#define STEER_RECEIVERS 64
#define STEER_RULES 1024

/* A destination of UDP; all zeros are frames of all kinds. */
struct steer_match {
	__u8 family; /* 4 or 6; 0: every frame */
	__u8 zero;
	__be16 port;
	__u8 address[16]; /* zeros: any of the machine's */
};

enum steer_action {
	STEER_PASS, /* to the kernel */
	STEER_QUEUE,
	STEER_DROP,
};

struct steer_target {
	__u64 until; /* of CLOCK_MONOTONIC in ns; 0: for ever */
	__u32 action;
	__u32 base; /* in the map of sockets: that of the interface's queue 0 */
	__u32 room; /* longer frames are the kernel's */
	__u32 zero;
	__u32 flow_tag; /* for the receiver to know, as it is below */
	__u32 metadata;
};

#define STEER_MAGIC 0x646f6361

/* Right before a frame, if its rule has anything to say. */
struct steer_tags {
	__u32 magic;
	__u32 flow_tag;
	__u32 metadata;
};

#endif /* DOCA_XSK_RULES_H */
