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
};

/* code_compare.c: find what differs, and say it. */
void code_compare(struct text *t);
/* code_probe.c: put back what the kernel says that it has replaced for its probes. */
void code_take_probes_out(struct text *t);
/*
 * Return how many bytes from there on may be those of a probe, where not all probes are known, nor where
 * each leads; 0 if that is none.
 */
u32 code_may_be_probe(struct text *t, u32 i);

#endif /* DOCA_APSH_CODE_COMPARE_H */
