// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The bytes of a saved state of QEMU, one after the other. */
#include <string.h>

#include "qevm.h"

/* Read more than is asked for: a page of zeros takes 9 bytes. */
static bool read_more(struct qevm_scan *c, u32 len)
{
	struct source *s = c->s;
	u64 left = c->at < s->file_size ? s->file_size - c->at : 0;
	u32 n = left < sizeof(c->read) ? (u32)left : sizeof(c->read);

	c->read_at = c->at;
	c->read_len = n;
	if (n >= len && source_pread(s, c->read, n, c->at))
		return true;
	c->read_len = 0;
	return false;
}

static const u8 *look(struct qevm_scan *c, u32 len)
{
	u64 skip = c->at - c->read_at;

	if (c->at < c->read_at || skip > c->read_len ||
	    len > c->read_len - skip) {
		if (!read_more(c, len))
			return NULL;
		skip = 0;
	}
	return c->read + skip;
}

bool qevm_get(struct qevm_scan *c, void *to, u32 len)
{
	const u8 *from = look(c, len);

	if (!from) {
		c->cut = true;
		return false;
	}
	memcpy(to, from, len);
	c->at += len;
	return true;
}

bool qevm_number(struct qevm_scan *c, u32 bytes, u64 *to)
{
	u8 of[8] = { 0 };

	*to = 0;
	if (!qevm_get(c, of, bytes))
		return false;
	for (u32 i = 0; i < bytes; i++)
		*to = *to << 8 | of[i];
	return true;
}

bool qevm_peek(struct qevm_scan *c, u8 *to)
{
	const u8 *from = look(c, 1);

	if (from)
		*to = *from;
	return from;
}

bool qevm_skip(struct qevm_scan *c, u64 len)
{
	if (c->at > c->s->file_size || len > c->s->file_size - c->at) {
		c->cut = true;
		return false;
	}
	c->at += len;
	return true;
}

bool qevm_name(struct qevm_scan *c, char name[QEVM_NAME])
{
	u8 len;

	memset(name, 0, QEVM_NAME);
	return qevm_get(c, &len, 1) && qevm_get(c, name, len);
}
