/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* All code of a kernel, as it is and as it was. */
#ifndef DOCA_APSH_CODE_COMPARE_H
#define DOCA_APSH_CODE_COMPARE_H

#include "kernel_code.h"

enum { CODE_MOST_FOUND = 64 }; /* findings, for each kind */

/* Places of one kind that prove nothing, with the first of them. */
struct doubt {
	u32 nr;
	u64 first; /* before KASLR */
};

static inline void doubt(struct doubt *d, u64 at)
{
	if (!d->nr++)
		d->first = at;
}

struct text {
	struct comparison x;
	u64 at; /* its address before KASLR */
	u32 size;
	u8 *now;
	const u8 *was;
	u8 *missing; /* by page: it was not read */
	u64 skipped; /* bytes that were not compared */
	u32 found;
	struct doubt unfollowed, keyed, keyless, changing, branching, unmatched,
		pointed, unread, probed;
	u32 last_jump; /* the last one that was doubted as a probe's, and one more */
};

/* code_compare.c: find what differs, and say it. */
void code_compare(struct text *t);
/* code_probe.c: put back what the kernel says that it has replaced for its probes. */
void code_take_probes_out(struct text *t);
/*
 * Doubt a jump that has some of these bytes, if it may be a probe's of which nobody can tell. Return where
 * it ends, or 0.
 */
u32 code_may_be_jump(struct text *t, u32 from, u32 end);
/* Return true if a difference may be the breakpoint of a probe that is not known, perhaps within a place. */
bool code_may_be_breakpoint(struct text *t, u32 i, const struct site *s);
/* If there are jumps, nothing may change by which they are none of probes. */
void code_prove_no_probe(struct text *t, u32 from, u32 end, struct object *o);

#endif /* DOCA_APSH_CODE_COMPARE_H */
