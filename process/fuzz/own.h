/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* An honest queue of the program itself. */
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
/* Use @key on one side or on both, and local memory otherwise. */
void own_submit(struct own *own, struct input *in);
void own_enter(struct own *own);
/* Everything ends when the other side has gone. */
void own_drain(struct own *own);

#endif /* NATIVE_FUZZ_OWN_H */
