/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Debug mode, on if the environment has DOCA_DEBUG=1: all libraries keep one
 * registry of their objects, and every public function looks up its arguments. A
 * call with an object that was destroyed or released, or with a pointer to
 * something else, is logged and returns INVALID_VALUE. A call for an engine or
 * inventory that another thread is using is logged and returns IN_USE.
 *
 * Memory of destroyed objects is kept for a while, so that its address names
 * nothing else; buffers and tasks are reused as late as possible.
 *
 * With the mode off all of this is one load and one branch that is never taken.
 */
#ifndef DOCA_CORE_DEBUG_H
#define DOCA_CORE_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_common_defines.h>
#include <doca_compat.h>

/* Debug mode's view of a library's objects of one type. */
struct object_type {
	const char *name; /* for the log */

	/* Another type for which such an object may be taken, and its offset; optional. */
	const struct object_type *as;
	size_t offset;

	/* For a block of several types: find the type of one. Optional. */
	const struct object_type *(*exact)(const void *object);

	/* Return true while the program has given it back. Optional. */
	bool (*released)(const void *object);

	const char *gone; /* for the log; NULL: it was destroyed */
};

/*
 * The type of the object that a pointer leads to. A library names the types of its
 * objects, once:
 *
 *	#define OBJECT_TYPES                                \
 *		CORE_OBJECT_TYPES,                          \
 *		OBJECT_TYPE(doca_sha, doca_sha_object)
 */
#define TYPE_OF(p) _Generic((p), OBJECT_TYPES)

/* For a pointer to a struct @tag, whose struct object_type is @type. */
#define OBJECT_TYPE(tag, type) \
	struct tag * : &(type), const struct tag * : &(type)

/* For a list of such pointers. */
#define OBJECT_LIST_TYPE(tag, type) struct tag ** : &(type)

/* It never changes after the library was loaded. */
DOCA_STABLE extern bool doca_priv_debug;

/*
 * Register an object, or a block of @nr buffers or tasks of @size bytes each.
 * No-op if the mode is off.
 */
DOCA_STABLE void doca_priv_debug_add(const void *addr,
				     const struct object_type *type,
				     size_t size, size_t nr);

/* The object is destroyed; the caller frees its memory. */
DOCA_STABLE void doca_priv_debug_del(const void *addr);

/* The object is destroyed; call it in place of free(). */
DOCA_STABLE void doca_priv_debug_free(void *addr);

/* Return true if the object exists and is of that type. If not, log why, for the function @func. */
DOCA_STABLE bool doca_priv_debug_valid(const void *addr,
				       const struct object_type *type,
				       bool in_use, const char *func);

/*
 * One thread at a time may be in the calls for an object: an engine, or a context
 * without one, an inventory or a pool. A thread may be in several calls for it.
 * Return false, logged, if another thread is.
 */
DOCA_STABLE bool doca_priv_debug_enter(const void *addr, const char *func);
DOCA_STABLE void doca_priv_debug_leave(const void *addr);

/* For calls that cannot fail: log it as well, but wait. */
DOCA_STABLE void doca_priv_debug_enter_wait(const void *addr, const char *func);

static inline void debug_leave_(const void **addr)
{
	if (doca_unlikely(*addr))
		doca_priv_debug_leave(*addr);
}

/*
 * Call back for each live object of this kind without a thread in a call for it; none can
 * enter one meanwhile. The callback must neither log nor call functions that look up
 * objects.
 */
void debug_each_idle(const struct object_type *type,
		     void (*look)(void *object, void *arg), void *arg);

/*
 * In debug mode, enter @object until the end of the block in which @held is declared.
 * Return false, logged, if another thread is there. @func is the function that the
 * program has called.
 */
#define DEBUG_HELD __attribute__((cleanup(debug_leave_))) const void *

static inline bool debug_alone(const void **held, const void *object,
			       const char *func)
{
	if (doca_likely(!doca_priv_debug))
		return true;
	if (!doca_priv_debug_enter(object, func))
		return false;
	*held = object;
	return true;
}

/* In debug mode, enter @object until the end of the block, else run @refused, a statement. */
#define EXCLUSIVE(object, refused)                                       \
	const void *excl_ __attribute__((cleanup(debug_leave_))) = NULL; \
	if (doca_unlikely(doca_priv_debug)) {                            \
		const void *excl_object_ = (object);                     \
                                                                         \
		if (!doca_priv_debug_enter(excl_object_, __func__))      \
			refused;                                         \
		excl_ = excl_object_;                                    \
	}

#define EXCLUSIVE_WAIT(object)                                           \
	const void *excl_ __attribute__((cleanup(debug_leave_))) = NULL; \
	if (doca_unlikely(doca_priv_debug)) {                            \
		excl_ = (object);                                        \
		doca_priv_debug_enter_wait(excl_, __func__);             \
	}

#endif /* DOCA_CORE_DEBUG_H */
