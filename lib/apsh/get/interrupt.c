// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The table of interrupts, as x86-64 defines it. */
#include <string.h>

#include "finding.h"

LOG_SOURCE("APSH");

enum { NR_GATES = 256, NR_EXCEPTIONS = 32, PRESENT = 0x80 };

struct gate {
	uint16_t low, segment;
	u8 stack, kind;
	uint16_t middle;
	u32 high, unused;
};

static u64 handler_of(const struct gate *g)
{
	return g->low | (u64)g->middle << 16 | (u64)g->high << 32;
}

/*
 * The kernel leaves what it started with for exceptions that no processor has, also when it frees
 * that memory. Each handler there has as many bytes, with an endbr64 or without.
 */
static bool is_left_over(struct view *v, u32 i, u64 handler)
{
	u64 first = kernel_symbol(v->kernel, S_early_idt_handler_array);

	return first && i < NR_EXCEPTIONS &&
	       (handler == first + i * 9 || handler == first + i * 13);
}

static void check_gates(struct call *c, const struct owners *o, u64 table)
{
	struct gate gates[NR_GATES];
	u32 present = 0;

	if (!view_read(&c->view, NULL, table, gates, sizeof(gates))) {
		finding_unknown(c, "idt_table",
				"the table is not all in the image");
		return;
	}
	for (u32 i = 0; i < NR_GATES; i++) {
		u64 handler = handler_of(&gates[i]);
		struct place_of proof = { table + i * sizeof(gates[0]),
					  sizeof(gates[0]) };

		if (!(gates[i].kind & PRESENT))
			continue;
		present++;
		if (!is_kernel_code(o, handler) &&
		    !is_left_over(&c->view, i, handler))
			finding_suspicious(
				c, proof,
				snapshot_format(c->snap, "idt_table[%u]", i),
				handler,
				snapshot_format(c->snap, "leads to %s",
						owner_of(c, o, handler)));
	}
	if (!present)
		finding_unknown(c, "idt_table",
				"no gate of the table is in use");
}

/* The processor has the table by another address, of the same memory. */
static void check_descriptor(struct call *c, u64 table)
{
	u64 at = kernel_symbol(c->view.kernel, S_idt_descr), address, pa, left;
	struct view *v = &c->view;
	u8 bytes[10]; /* its length, and its address */
	u64 wanted;

	if (!at) {
		finding_unknown(c, "idt_descr", "the map has no idt_descr");
		return;
	}
	if (!view_translate(v, NULL, table, &wanted, &left))
		return;
	if (!view_read(v, NULL, at, bytes, sizeof(bytes))) {
		finding_unknown(c, "idt_descr", "it is not in the image");
		return;
	}
	memcpy(&address, bytes + 2, sizeof(address));
	if (!view_translate(v, NULL, address, &pa, &left))
		finding_unknown(c, "idt_descr",
				"what it leads to is not mapped, or not in the "
				"image");
	else if (pa != wanted)
		finding_suspicious(c, (struct place_of){ at, sizeof(bytes) },
				   "idt_descr", address,
				   "leads to another table than idt_table");
}

static void fill(struct call *c)
{
	u64 table = kernel_symbol(c->view.kernel, S_idt_table);
	struct owners o = { 0 };

	if (!owners_begin(c, &o))
		return;
	if (table) {
		check_gates(c, &o, table);
		check_descriptor(c, table);
	} else {
		finding_unknown(c, "", "the map has no idt_table");
	}
	owners_free(&o);
}

static const struct getter interrupts_getter = {
	.what = "findings of interrupts",
	.limit = -1,
	.object = &apsh_finding_object,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_priv_apsh_interrupts_check, apsh_finding, findings,
		  findings_size, &interrupts_getter)
