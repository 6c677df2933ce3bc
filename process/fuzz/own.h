/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A queue of the program's own, which is honest. */
#ifndef NATIVE_FUZZ_OWN_H
#define NATIVE_FUZZ_OWN_H

#include "peer.h"

struct own {
	int fd;
	struct doca_queue_create arg;
	struct doca_ring_user *user;
	struct doca_sqe *sqes;
	const struct doca_cqe *cqes;
	u32 tail, head;
	u32 key;
};

void own_open(struct own *own, u32 key);
void own_close(struct own *own);
/* @key, on one side or on both, and memory that is here. */
void own_submit(struct own *own, struct input *in);
void own_enter(struct own *own);
/* When the other side has gone, all ends. */
void own_drain(struct own *own);

#endif /* NATIVE_FUZZ_OWN_H */
