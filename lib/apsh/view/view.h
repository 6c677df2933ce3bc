/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A view is one call's private copy of the memory it reads. Each granule of the target's
 * memory is read once and kept, so that nothing changes between a check and a use. All
 * reads are bounded: by the regions that may be read, and by a budget of bytes and time.
 *
 * Walkers work in rounds: they want all objects of a level, flush, parse, and want the
 * next level. An object that was not wanted before is fetched when it is read.
 */
#ifndef DOCA_APSH_VIEW_H
#define DOCA_APSH_VIEW_H

#include "../kernel/kernel.h"
#include "../regions.h"
#include "../source/source.h"

enum { GRANULE = 512 };

struct object;

/* Addresses of a process; NULL stands for those of the kernel. */
struct space {
	/* physical address of its top-level table; 0 if unknown */
	u64 root;
};

enum view_error {
	VIEW_OK,
	VIEW_LOST, /* the source cannot be read any more */
	VIEW_BUDGET,
	VIEW_NO_MEMORY,
};

struct view_stats {
	u64 granules, rounds, bytes;
	u64 retried, left_out, hidden, broken;
	u64 absent; /* pages that were wanted, but are missing or may not be read */
	u64 leaving; /* modules that no list shows, and that say that they come or go */
	u64 unjudged; /* pages of code of which a call cannot tell if they are sound */
	u64 unread; /* those of them for which the limit, or the budget, did not suffice */
	bool cut; /* more than the limit */
	bool unscanned; /* memory of modules: not known where it is, or how to tell one */
	bool drawn_out; /* its parts are of different times, so broken links prove nothing */
	bool uncompared; /* the list of modules: /sys/module was not found */
};

struct view_budget {
	u64 bytes;
	u64 ms;
};

struct identity {
	u64 pa;
	u32 len;
	u8 was[32];
	struct object *object; /* NULL: the subject of the call */
};

struct view {
	struct source *source;
	const struct regions *regions;
	const struct kernel *kernel;
	struct view_budget budget;
	u64 deadline;
	u64 streamed; /* bytes that were read and not kept */
	u64 asked; /* number of requests for a granule */
	u64 rounds_before; /* the source's rounds before */
	enum view_error error; /* never cleared */
	struct view_stats stats;
	u64 misses; /* reads of missing memory, except by view_page() */
	bool changed; /* the call's subject has changed */
	struct view_store *store;
	struct identity *ids;
	u32 nr_ids, max_ids;
};

void view_begin(struct view *v, struct source *source,
		const struct regions *regions, const struct kernel *kernel,
		const struct view_budget *budget);
void view_end(struct view *v);

/* Queue memory for the next round. */
void view_want_physical(struct view *v, u64 pa, u64 len);
/* Run one round: read all that is wanted. False if the view cannot go on. */
bool view_flush(struct view *v);

/* Read all of it; otherwise return false, and zeroes; view->error says whether more can be read. */
bool view_physical(struct view *v, u64 pa, void *to, size_t len);
/* Read ranges, sorted by address, without keeping them. False if the view cannot go on. */
bool view_ranges(struct view *v, struct source_range *r, u32 nr);

/* For loops that may find nothing to read: return false, with an error, once time is over. */
bool view_on_time(struct view *v);
/* Return true if at least as much of the budget is left as was used. */
bool view_may_repeat(const struct view *v);
/* Return the rest of the budget. */
struct view_budget view_left(const struct view *v);
/* Return at least 1. */
int view_seconds_left(const struct view *v);

/* Read a page of 4 KiB, or its first granule, only once, without keeping it. */
bool view_page(struct view *v, u64 pa, void *to);
bool view_granule(struct view *v, u64 pa, void *to);

/*
 * tables.c: walk page tables. Return the place of va, and the number of bytes that follow
 * there; or false, and the number of bytes that are not mapped. Memory without access
 * (PROT_NONE) is still there.
 */
bool tables_walk(struct view *v, u64 root, u64 va, u64 *pa, u64 *left);
/* Return true if there is no entry: neither a page nor a swap entry. False if unknown. */
bool tables_none(struct view *v, u64 root, u64 va);

/* address.c: like the functions for physical memory; impossible addresses are left out. */
void view_want(struct view *v, const struct space *as, u64 va, size_t len);
bool view_read(struct view *v, const struct space *as, u64 va, void *to,
	       size_t len);

/* Return whether a page is there, and where; or, if known, how many bytes no table maps. */
bool view_translate(struct view *v, const struct space *as, u64 va, u64 *pa,
		    u64 *left);

/* Return true if a process has no page of its own there, not even a swapped one. */
bool view_none(struct view *v, const struct space *as, u64 va);

/* Read a field of a kernel object; 0 if it is missing. */
u64 view_field(struct view *v, u64 object, enum field f);
void view_want_field(struct view *v, u64 object, enum field f);
bool view_read_field(struct view *v, u64 object, enum field f, void *to,
		     size_t len);

/*
 * identity.c: at most 32 bytes of the kernel's memory must not change: from their present value,
 * which has been read already, or from an earlier one.
 */
void view_identity(struct view *v, u64 va, size_t len, struct object *object);
void view_identity_was(struct view *v, u64 va, const void *was, size_t len,
		       struct object *object);
/* Read all of them again, and mark objects that have changed; return their number. */
u32 view_verify(struct view *v);

static inline bool has(const struct view *v, enum field f)
{
	return v->kernel->map.fields[f].there;
}

static inline u32 offset_of_field(const struct view *v, enum field f)
{
	return v->kernel->map.fields[f].offset;
}

static inline u32 size_of_field(const struct view *v, enum field f)
{
	return v->kernel->map.fields[f].size;
}

/*
 * A link of a list is broken, or a node is not sound. If memory was missing this proves
 * nothing: @misses is the value of view->misses before the node was read.
 */
void view_broken(struct view *v, u64 misses, const char *what, u64 va);

#endif /* DOCA_APSH_VIEW_H */
