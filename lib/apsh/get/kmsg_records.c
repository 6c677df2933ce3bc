// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The log before 5.10 (log_buf): records one behind the other, each with its length. One of no
 * length says that the next is at the beginning of the buffer.
 */
#include "kmsg.h"

enum { PART = 64 << 10, PROOF = 16 };

#define MAX_BUFFER (1U << 31)

struct log {
	u64 buf, seq, next;
	u32 len, at;
	u32 read; /* the end of what was read, from some place before */
};

static u64 variable(struct view *v, enum symbol s, size_t size)
{
	u64 value = 0;

	view_read(v, NULL, kernel_symbol(v->kernel, s), &value, size);
	return value;
}

/* A record is not at the end of the buffer without room for its head. */
static bool has_room(struct view *v, const struct log *l)
{
	return l->at < l->len && l->len - l->at >= size_of_field(v, F_LOG_SIZE);
}

static u32 length(struct view *v, struct log *l)
{
	if (!has_room(v, l))
		return 0;
	if (l->at >= l->read ||
	    l->read - l->at < size_of_field(v, F_LOG_SIZE)) {
		u32 part = l->len - l->at < PART ? l->len - l->at : PART;

		view_want(v, NULL, l->buf + l->at, part);
		view_flush(v);
		l->read = l->at + part;
	}
	return (u32)view_field(v, l->buf + l->at, F_LOG_LEN);
}

/*
 * Go to the next record: it may be at the beginning. Return its length; 0 if it is not sound, or not
 * in the image.
 */
static u32 find(struct view *v, struct log *l)
{
	u32 head = size_of_field(v, F_LOG_SIZE), len;
	u64 misses = v->misses, text;

	len = length(v, l);
	if (!len && has_room(v, l) && v->misses == misses) {
		l->at = l->read = 0;
		len = length(v, l);
	}
	if (len < head || len > l->len - l->at)
		return 0;
	text = view_field(v, l->buf + l->at, F_LOG_TEXT_LEN);
	return text <= len - head && v->misses == misses ? len : 0;
}

static void add(struct call *c, const struct log *l)
{
	struct view *v = &c->view;
	u64 at = l->buf + l->at, misses = v->misses;
	struct apsh_message m = {
		.seq = l->seq,
		.ns = view_field(v, at, F_LOG_TIME),
		.facility = (u32)view_field(v, at, F_LOG_FACILITY),
		.level = (u32)view_field(v, at, F_LOG_LEVEL),
		.len = (u32)view_field(v, at, F_LOG_TEXT_LEN),
	};

	if (v->misses == misses)
		message_add(c, &m, at + size_of_field(v, F_LOG_SIZE), at,
			    PROOF);
}

void messages_of_records(struct call *c)
{
	struct view *v = &c->view;
	struct log l = {
		.buf = variable(v, S_log_buf, 8),
		.len = (u32)variable(v, S_log_buf_len, 4),
		.seq = variable(v, S_log_first_seq, 8),
		.next = variable(v, S_log_next_seq, 8),
		.at = (u32)variable(v, S_log_first_idx, 4),
	};
	u32 len;

	if (!l.buf || !l.len || l.len > MAX_BUFFER ||
	    l.next - l.seq > l.len / size_of_field(v, F_LOG_SIZE)) {
		call_without_root(c, "the log of the kernel is not");
		return;
	}
	for (; l.seq != l.next && !c->snap->no_memory && view_on_time(v);
	     l.seq++, l.at += len) {
		u64 misses = v->misses;

		len = find(v, &l);
		if (!len) {
			if (!v->error)
				view_broken(v, misses, "a record of the log",
					    l.buf + l.at);
			break;
		}
		add(c, &l);
	}
}
