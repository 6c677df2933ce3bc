/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Probes of the kernel, in its table. */
#ifndef DOCA_TESTS_APSH_PROBE_H
#define DOCA_TESTS_APSH_PROBE_H

#include "apsh_code.h"

static u64 add_probe(u64 probe, u64 addr, u64 handler)
{
	u64 list = symbol(S_kprobe_table) + 8 * 5, *head = at_va(list);
	u64 *node = at_va(field_va(probe, F_KPROBE_NODE));

	set(probe, F_KPROBE_ADDR, addr);
	set(probe, F_KPROBE_PRE, handler);
	list_init(field_va(probe, F_KPROBE_LIST));
	node[0] = *head;
	node[1] = list;
	if (*head)
		((u64 *)at_va(*head))[1] = field_va(probe, F_KPROBE_NODE);
	*head = field_va(probe, F_KPROBE_NODE);
	return probe;
}

static inline u64 new_probe(u64 addr)
{
	return add_probe(object(512, 64), addr, code_va());
}

/* Return the structure around one for which the kernel has made code. */
static inline u64 new_optimized_probe(u64 addr, u64 code)
{
	u64 around = object(1024, 64);

	add_probe(field_va(around, F_OPTPROBE_KPROBE), addr, symbol(S_aggr_pre_handler));
	set(around, F_OPTPROBE_CODE, code);
	return around;
}

#endif /* DOCA_TESTS_APSH_PROBE_H */
