/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A view is one call's private copy of what it reads. Each granule of the target's
 * memory is read once and kept, so that nothing changes between a check and a use. All
 * reads are bounded: by the regions that may be read, and by a budget of bytes and time.
 *
 * Walkers work in rounds: they want all that a level has, flush, parse, and want the next.
 * What was not wanted before is fetched when it is read.
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
	/* Physical address of its top-level table; 0 if that is not known. */
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
	u64 absent; /* pages that were wanted, and are not there or may not be read */
	bool cut; /* there is more than the limit */
};

struct view_budget {
	u64 bytes;
	u64 ms;
};

struct identity {
	u64 pa;
	u32 len;
	u8 was[32];
	struct object *object; /* NULL: of all that the call is about */
};

struct view {
	struct source *source;
	const struct regions *regions;
	const struct kernel *kernel;
	struct view_budget budget;
	u64 deadline;
	u64 streamed; /* bytes that were read and not kept */
	u64 asked; /* how often for a granule */
	u64 rounds_before; /* of the source */
	enum view_error error; /* stays */
	struct view_stats stats;
	u64 misses; /* how often what is not there was read, but for view_page() */
	bool changed; /* what the call is about */
	struct view_store *store;
	struct identity *ids;
	u32 nr_ids, max_ids;
};

void view_begin(struct view *v, struct source *source,
		const struct regions *regions, const struct kernel *kernel,
		const struct view_budget *budget);
void view_end(struct view *v);

/* Queue for the next round. */
void view_want_physical(struct view *v, u64 pa, u64 len);
/* One round: all that is wanted is read. False if the view cannot go on. */
bool view_flush(struct view *v);

/* All of it, or false, and zeroes; view->error says whether more can be read. */
bool view_physical(struct view *v, u64 pa, void *to, size_t len);
/* Ranges by address, not to be kept. False if the view cannot go on. */
bool view_ranges(struct view *v, struct source_range *r, u32 nr);

/* For loops that may find nothing to read; false, with an error, if it took too long. */
bool view_on_time(struct view *v);
/* Is as much left of the budget as was used? */
bool view_may_repeat(const struct view *v);
/* What is left of it. */
struct view_budget view_left(const struct view *v);
/* At least 1. */
int view_seconds_left(const struct view *v);

/* A page of 4 KiB that is read only once, and so is not kept. */
bool view_page(struct view *v, u64 pa, void *to);

/*
 * x86_64.c: page tables. Where va is mapped, and how many bytes follow there; false if it is
 * not, and for how many bytes that is so. Memory without access (PROTNONE) is still there.
 */
bool x86_64_walk(struct view *v, u64 root, int levels, u64 va, u64 *pa,
		 u64 *left);
/* Is there no entry: neither a page, nor where it was swapped to? False if unknown. */
bool x86_64_none(struct view *v, u64 root, int levels, u64 va);

/* address.c: as of physical memory; what cannot be there is left out. */
void view_want(struct view *v, const struct space *as, u64 va, size_t len);
bool view_read(struct view *v, const struct space *as, u64 va, void *to,
	       size_t len);

/* Whether a page is there, and where; or how far no table leads anywhere, if that is known. */
bool view_translate(struct view *v, const struct space *as, u64 va, u64 *pa,
		    u64 *left);

/* Whether a process has no page of its own there, nor one that is swapped out. */
bool view_none(struct view *v, const struct space *as, u64 va);

/* A field of a kernel object; 0 if it cannot be read, or is not there. */
u64 view_field(struct view *v, u64 object, enum field f);
void view_want_field(struct view *v, u64 object, enum field f);
bool view_read_field(struct view *v, u64 object, enum field f, void *to,
		     size_t len);

/*
 * identity.c: at most 32 bytes of the kernel's must not change: from what they are, which is read
 * already, or from what they were.
 */
void view_identity(struct view *v, u64 va, size_t len, struct object *object);
void view_identity_was(struct view *v, u64 va, const void *was, size_t len,
		       struct object *object);
/* Reads all of them again; objects that have changed are marked. */
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
 * A link of a list is broken, or a node is not what it should be. Where something was not
 * there nothing is known, and that is no finding: @misses is what view->misses was before
 * the node was read.
 */
void view_broken(struct view *v, u64 misses, const char *what, u64 va);

#endif /* DOCA_APSH_VIEW_H */
