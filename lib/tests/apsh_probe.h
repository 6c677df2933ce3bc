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

/* Return memory that the tables lead to, which are made up to it. */
static inline u8 *page_at(u64 va)
{
	u64 *at = at_pa(image.text_pa + image_at[S_init_top_pgt] + 0x20000 + 4096);

	for (int shift = 30; shift >= 12; shift -= 9) {
		u64 *entry = &at[va >> shift & 511];

		if (!*entry)
			*entry = pa_of(object(4096, 4096)) | 3;
		at = at_pa(*entry & ~0xfffULL);
	}
	return (u8 *)at + va % 4096;
}

/* Let the tables lead to memory that the machine does not have. */
static inline void lose_page(u64 va)
{
	u64 *at = at_pa(image.text_pa + image_at[S_init_top_pgt] + 0x20000 + 4096);

	page_at(va);
	for (int shift = 30; shift > 12; shift -= 9)
		at = at_pa(at[va >> shift & 511] & ~0xfffULL);
	at[va >> 12 & 511] = 0x7000000000 | 3;
}

/* Code that is made for a probe gives it to a handler, behind other instructions. */
static inline void code_names(u64 code, u64 around)
{
	u8 *p = page_at(code) + 50;

	p[0] = 0x48;
	p[1] = 0xbf;
	memcpy(p + 2, &around, 8);
}

/* Make one for which the kernel has made code, and that is in no list, within that structure. */
static inline void forge_probe(u64 around, u64 addr, u64 code)
{
	u64 probe = field_va(around, F_OPTPROBE_KPROBE);

	set(probe, F_KPROBE_ADDR, addr);
	set(probe, F_KPROBE_PRE, symbol(S_aggr_pre_handler));
	set(around, F_OPTPROBE_CODE, code);
	code_names(code, around);
}

/* Return the structure around it. */
static inline u64 new_forged_probe(u64 addr, u64 code)
{
	u64 around = object(1024, 64);

	forge_probe(around, addr, code);
	return around;
}

/* One that is in the list. */
static inline u64 new_optimized_probe(u64 addr, u64 code)
{
	u64 around = new_forged_probe(addr, code);

	add_probe(field_va(around, F_OPTPROBE_KPROBE), addr, symbol(S_aggr_pre_handler));
	return around;
}

/* Lead the list of probes to memory that is not there. */
static inline void lose_probes(void)
{
	*(u64 *)at_va(symbol(S_kprobe_table) + 8 * 5) = image.direct + IMAGE_SIZE + 0x1000;
}

#endif /* DOCA_TESTS_APSH_PROBE_H */
