/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The kernel's log, in its two forms. */
#ifndef DOCA_APSH_KMSG_H
#define DOCA_APSH_KMSG_H

#include "../call.h"
#include "../private.h"

/*
 * kmsg_message.c: add a message like @m, whose m->len bytes are at @text. If that is 0, it has none, and is
 * lost if m->lost. It must not change where @len bytes are at @proof.
 */
void message_add(struct call *c, const struct apsh_message *m, u64 text,
		 u64 proof, u32 len);

/* kmsg_ring.c: since 5.10 records are descriptors, and their text is in a ring of its own. */
void messages_of_ring(struct call *c);

/* kmsg_records.c: before, each record has its text behind it. */
void messages_of_records(struct call *c);

#endif /* DOCA_APSH_KMSG_H */
