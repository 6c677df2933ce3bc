// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Where the memory in a saved state of QEMU is in physical memory. The stream does not say
 * it: it follows from the name of the machine, unless regions of the target say it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "qevm.h"

LOG_SOURCE("APSH");

#define GIB (1ULL << 30)
/*
 * PCs of AMD have memory at 1 TiB if what can be plugged in, or holes for devices, would
 * reach there. The state does not tell: a smaller one is judged by the memory regions.
 */
#define MAX_PC (512 * GIB)

static doca_error_t add_segment(struct source *s, u64 pa, u64 offset, u64 len)
{
	if (!s->segs)
		s->segs = calloc(TARGET_MAX_REGIONS, sizeof(*s->segs));
	if (!s->segs)
		return OUT_OF_MEMORY("the parts of a file");
	s->segs[s->nr_segs++] =
		(struct segment){ .pa = pa, .offset = offset, .len = len };
	return DOCA_SUCCESS;
}

/* A hole for devices begins somewhere below 4 GiB if memory is larger than that. */
static doca_error_t place_pc(struct source *s, u64 size, u64 most, u64 low)
{
	doca_error_t ret;

	if (size < most)
		return add_segment(s, 0, 0, size);
	ret = add_segment(s, 0, 0, low);
	return ret == DOCA_SUCCESS ? add_segment(s, 4 * GIB, low, size - low) :
				     ret;
}

/* Memory regions, which come later, have to confirm what is placed here. */
static doca_error_t place_by_name(struct qevm_scan *c, bool is_pc)
{
	struct source *s = c->s;
	u64 size = c->q->memory;

	s->deduced = true;
	if (qevm_is_machine(c, "virt-"))
		return add_segment(s, GIB, 0, size);
	if (qevm_is_machine(c, "pc-q35-") && size <= MAX_PC)
		return place_pc(s, size, 0xb0000000, 2 * GIB);
	if (qevm_is_machine(c, "pc-i440fx-") && size <= MAX_PC)
		return place_pc(s, size, 0xe0000000, 3 * GIB);
	/* an old one, or another one, without a hole */
	if (is_pc && size < 0xb0000000)
		return add_segment(s, 0, 0, size);
	return FAIL(NOT_SUPPORTED,
		    "%s: where machine %s has its memory of %lu bytes is not "
		    "known; " QEVM_REGIONS,
		    c->path, *c->machine ? c->machine : "(without a name)",
		    size);
}

/* Regions may leave a block out, but not without a word. */
static void look_for_regions(struct qevm_scan *c, const struct qevm_block *b)
{
	for (u32 i = 0; i < c->target->nr_regions; i++) {
		const struct target_region *r = &c->target->regions[i];

		if (r->offset < b->base + b->len &&
		    b->base < r->offset + r->length)
			return;
	}
	c->s->lacks = true;
	LOG_WARN("%s: no region of the target has block %s, of %lu bytes from "
		 "offset %lu on, which is left out",
		 c->path, b->name, b->len, b->base);
}

static doca_error_t place_by_regions(struct qevm_scan *c)
{
	doca_error_t ret = DOCA_SUCCESS;

	for (u32 i = 0; i < c->target->nr_regions && ret == DOCA_SUCCESS; i++) {
		const struct target_region *r = &c->target->regions[i];

		if (r->offset + r->length > c->q->memory)
			return FAIL(INITIALIZATION,
				    "%s: its machine has %lu bytes of memory, "
				    "but those at %#lx would end at byte %lu",
				    c->path, c->q->memory, r->gpa,
				    r->offset + r->length);
		ret = add_segment(c->s, r->gpa, r->offset, r->length);
	}
	return ret;
}

/* All but x86 may have pages of several sizes; with a wrong one, pages are read as records. */
static bool page_is_known(const struct qevm_scan *c, bool is_pc)
{
	if (c->has_page || (is_pc && !*c->machine))
		return true;
	return qevm_is_machine(c, "pc-") || qevm_is_machine(c, "microvm") ||
	       qevm_is_machine(c, "isapc");
}

static doca_error_t lay_out(struct qevm_scan *c, struct qevm_block **of, u32 nr)
{
	u64 page = 1ULL << c->q->shift;

	for (u32 i = 0; i < nr; i++) {
		of[i]->base = c->q->memory;
		c->q->memory += of[i]->len;
		if (!of[i]->len || of[i]->len % page ||
		    c->q->memory > QEVM_MAX_MEMORY)
			return FAIL(NOT_SUPPORTED,
				    "%s: block %s has %lu bytes, which is no "
				    "memory of at most 2 TiB in pages of %lu",
				    c->path, of[i]->name, of[i]->len, page);
	}
	return DOCA_SUCCESS;
}

doca_error_t qevm_place(struct qevm_scan *c)
{
	struct qevm_block *of[QEVM_MAX_BLOCKS];
	doca_error_t ret;
	bool is_pc;
	u32 nr;

	ret = qevm_choose(c, of, &nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	is_pc = !strcmp(of[0]->name, "pc.ram");
	if (!page_is_known(c, is_pc))
		return FAIL(
			NOT_SUPPORTED,
			"%s: how large pages of machine %s are is not "
			"known, since it has no target-page-bits: " QEVM_DUMP,
			c->path, *c->machine ? c->machine : "(without a name)");
	ret = lay_out(c, of, nr);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!c->target->nr_regions)
		return place_by_name(c, is_pc);
	for (u32 i = 0; i < nr; i++)
		look_for_regions(c, of[i]);
	return place_by_regions(c);
}
