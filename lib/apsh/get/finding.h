/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Checks of the kernel: whether what is called is the kernel's own code, and whose it is if not.
 */
#ifndef DOCA_APSH_FINDING_H
#define DOCA_APSH_FINDING_H

#include "../call.h"
#include "../private.h"

/* An address of the kernel is from here on, with any number of levels of page tables. */
#define KERNEL_SPACE (1ULL << 63)

/* Memory of a module. */
struct owned {
	u64 start, size, module;
};

struct owners {
	u64 code, code_end; /* the kernel's */
	u64 end; /* the end of its image */
	struct owned *list;
	u32 nr, max;
	/* where parts begin or end, sorted, with the part that has what is behind: its index, plus 1 */
	u64 *bounds;
	u32 *parts;
	u32 nr_bounds;
};

/*
 * owned.c: find parts at once, when all of them are in the list: a guest can forge a million.
 * The first of several counts. False if there is no memory.
 */
bool owned_sort(struct owners *o);
/* Return the part that has an address; NULL if none has. */
const struct owned *owned_at(const struct owners *o, u64 va);
void owned_free(struct owners *o);

/*
 * False, with a finding that nothing can be told, of other machines than x86-64, and if the map
 * lacks something.
 */
bool owners_begin(struct call *c, struct owners *o);
void owners_free(struct owners *o);

static inline bool is_kernel_code(const struct owners *o, u64 va)
{
	return va >= o->code && va < o->code_end;
}

/* Return true for memory of the kernel that is neither of its image nor of a module. */
bool is_unowned(const struct call *c, const struct owners *o, u64 va);
/* Return the module that has the memory; 0 if none has. */
u64 owner_module(const struct owners *o, u64 va);
/* Say whose memory it is, such as "module NAME". */
const char *owner_of(struct call *c, const struct owners *o, u64 va);

/* Bytes in which something was found; they must not change meanwhile. */
struct place_of {
	u64 va;
	u32 len;
};

/* Both texts are of the call's snapshot. Return NULL if there is no memory. */
struct apsh_finding *finding_suspicious(struct call *c, struct place_of proof,
					const char *where, u64 address,
					const char *what);
/* Say what was not looked at, which is no verdict. */
void finding_note(struct call *c, const char *what);
void finding_unknown(struct call *c, const char *where, const char *why);

#endif /* DOCA_APSH_FINDING_H */
