// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "datagram.h"
#include "xsk/kind.h"

__attribute__((
	visibility("default"))) extern const struct onload_xdp onload_xdp;

const struct onload_xdp onload_xdp = {
	.version = XDP_VERSION,
	.has_own_hook = kind_has_own_hook,
	.open = xsk_open,
	.share = xsk_share,
	.close = xsk_close,
	.next = xsk_next,
	.look = xsk_look,
	.pending = xsk_pending,
	.give = xsk_give,
	.refill = xsk_refill,
	.chunks = xsk_chunks,
	.slice = xsk_slice,
	.mode = xsk_mode,
	.mode_name = xsk_mode_name,
	.fd = xsk_fd,
	.error = xsk_error,
	.lost = xsk_lost,
	.bind_number = xsk_bind_number,
	.rule_add = xsk_rule_add,
	.rule_del = xsk_rule_del,
	.rule_renew = xsk_rule_renew,
	.datagram = datagram_find,
	.fork_prepare = xsk_fork_prepare,
	.fork_parent = xsk_fork_parent,
	.fork_child = xsk_fork_child,
};
