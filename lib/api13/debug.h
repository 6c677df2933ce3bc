/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Debug mode, on where the environment has DOCA_DEBUG=1, as at level 3.0: this library
 * keeps a registry of its objects, and each function looks up what it is given. An
 * object that was destroyed, or is of another level, is logged and refused. Level 3.0
 * has a registry of its own, which does not know the objects of this one.
 *
 * Memory of destroyed objects is kept for a while, so that its address names nothing
 * else. Where the mode is off all of this is one load and one branch.
 */
#ifndef DOCA_API13_DEBUG_H
#define DOCA_API13_DEBUG_H

#include "api13.h"

enum api13_kind {
	API13_BUF,
	API13_BUF_INVENTORY,
	API13_CTX,
	API13_DEVINFO_LIST,
	API13_MMAP,
	API13_REMOTE_LIST,
	API13_WORKQ,
};

/* Never changes after the library was loaded. */
__attribute__((visibility("hidden"))) extern bool api13_debug;

/* An object, or a block of @nr objects, is there from now on. */
void api13_debug_add(const void *addr, enum api13_kind kind, size_t size,
		     size_t nr);

/* It is not any more; in place of free(). */
void api13_debug_free(void *addr);

/* Is it there, and what it should be? Logs why not. */
bool api13_debug_valid(const void *addr, enum api13_kind kind,
		       const char *func);

/* One thread at a time; false, and logged, if another one is in a call for it. */
bool api13_debug_enter(struct doca_workq *workq, const char *func);
void api13_debug_leave(struct doca_workq *workq);

#define API13_TYPE_(type, kind) \
	struct type * : API13_##kind, const struct type * : API13_##kind

#define API13_KIND_(p) \
	_Generic((p), API13_TYPE_(doca_buf, BUF),                        \
		 API13_TYPE_(doca_buf_inventory, BUF_INVENTORY),         \
		 API13_TYPE_(doca_ctx, CTX), API13_TYPE_(doca_dma, CTX), \
		 struct doca_devinfo ** : API13_DEVINFO_LIST,            \
		 struct doca_devinfo_remote ** : API13_REMOTE_LIST,      \
		 API13_TYPE_(doca_mmap, MMAP), API13_TYPE_(doca_workq, WORKQ))

/* Logs that an argument is NULL or 0, and is false. */
bool api13_missing(const char *what, const char *func);

/*
 * Each function asks this of its arguments, and of objects besides. One that works for others
 * tells it in the name of @func.
 */
#define given_to(func, p) ((p) || api13_missing(#p, func))
#define valid_to(func, p)                                   \
	(given_to(func, p) && (doca_likely(!api13_debug) || \
			       api13_debug_valid(p, API13_KIND_(p), func)))
#define given(p) given_to(__func__, p)
#define valid(p) valid_to(__func__, p)

static inline void api13_leave_(struct doca_workq **workq)
{
	if (doca_unlikely(*workq))
		api13_debug_leave(*workq);
}

/*
 * Does the call have the work queue for itself until the end of the block? Always,
 * unless in debug mode.
 */
#define DECLARE_ALONE(name) \
	struct doca_workq *name __attribute__((cleanup(api13_leave_))) = NULL

static inline bool api13_alone(struct doca_workq **held,
			       struct doca_workq *workq, const char *func)
{
	if (doca_likely(!api13_debug))
		return true;
	if (!api13_debug_enter(workq, func))
		return false;
	*held = workq;
	return true;
}

#endif /* DOCA_API13_DEBUG_H */
