// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "kmsg.h"

void message_add(struct call *c, const struct apsh_message *m, u64 text,
		 u64 proof, u32 len)
{
	struct apsh_message *o = snapshot_add(c->snap, sizeof(*o));
	u32 text_len = text ? m->len : 0;
	char *to = o ? snapshot_alloc(c->snap, (size_t)text_len + 1) : NULL;
	u64 misses = c->view.misses;
	struct object object;

	if (!to)
		return;
	object = o->object;
	*o = *m;
	o->object = object;
	o->text = to;
	o->len = text_len;
	if (!view_read(&c->view, NULL, text, to, text_len)) {
		o->len = 0;
		o->absent = c->view.misses != misses;
		o->lost = !o->absent;
	}
	view_identity(&c->view, proof, len, &o->object);
}
