// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "kmsg.h"

struct apsh_message *message_add(struct call *c, u64 text, u32 text_len,
				 u64 proof, u32 len)
{
	struct apsh_message *o = snapshot_add(c->snap, sizeof(*o));
	char *to = o ? snapshot_alloc(c->snap, (size_t)text_len + 1) : NULL;

	if (!to)
		return NULL;
	o->text = to;
	o->lost = !text || !view_read(&c->view, NULL, text, to, text_len);
	o->len = o->lost ? 0 : text_len;
	view_identity(&c->view, proof, len, &o->object);
	return o;
}
