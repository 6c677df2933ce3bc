// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "kmsg.h"

LOG_SOURCE("APSH");

static void fill(struct call *c)
{
	static const struct need forms[] = {
		{ F_PRB_COUNT_BITS, F_INFO_LEVEL, { S_prb }, 1 },
		{ F_LOG_SIZE,
		  F_LOG_LEVEL,
		  { S_log_buf, S_log_buf_len, S_log_first_seq, S_log_first_idx,
		    S_log_next_seq },
		  5 },
	};

	switch (call_needs(c, forms, 2, "the kernel has no log")) {
	case 0:
		messages_of_ring(c);
		break;
	case 1:
		messages_of_records(c);
		break;
	}
}

static const struct getter messages_getter = {
	.what = "messages",
	.limit = -1,
	.object = &apsh_message_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_priv_apsh_messages_get, apsh_message, messages,
		  messages_size, &messages_getter)
DEFINE_FREE(doca_priv_apsh_messages_free, apsh_message, messages)
