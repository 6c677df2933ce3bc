/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Debug mode, on where the environment has DOCA_DEBUG=1: the library keeps a
 * registry of its objects, and every public function looks up what it is given. A
 * call with an object that was destroyed or released, or that never was one, is
 * logged and answers INVALID_VALUE. A call for an engine or inventory that another
 * thread is using is logged and answers IN_USE.
 *
 * Memory of destroyed objects is kept for a while, so that its address names
 * nothing else; buffers and tasks are given again as late as possible.
 *
 * Where it is off all of this is one load and one branch that is never taken.
 */
#ifndef DOCA_CORE_DEBUG_H
#define DOCA_CORE_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include <doca_common_defines.h>
#include <doca_compat.h>

#include "args.h"

enum debug_kind {
	DEBUG_APSH_CONTAINER,
	DEBUG_APSH_CTX,
	DEBUG_APSH_PROCESS,
	DEBUG_APSH_SYSTEM,
	DEBUG_BUF,
	DEBUG_BUF_ARR,
	DEBUG_BUF_INVENTORY,
	DEBUG_BUF_POOL,
	DEBUG_CTX,
	DEBUG_DEV,
	DEBUG_DEV_REP,
	DEBUG_DEVINFO,
	DEBUG_DEVINFO_LIST,
	DEBUG_DEVINFO_REP,
	DEBUG_DEVINFO_REP_LIST,
	DEBUG_GRAPH,
	DEBUG_GRAPH_INSTANCE,
	DEBUG_GRAPH_NODE,
	DEBUG_LOG_BACKEND,
	DEBUG_MEMPOOL,
	DEBUG_MMAP,
	DEBUG_PE,
	DEBUG_TASK,
	DEBUG_TASK_BATCH,
};

/* Never changes after the library was loaded. */
DOCA_STABLE extern bool doca_priv_debug;

/*
 * An object, or a block of @nr buffers or tasks of @size bytes each, is there from
 * now on. No-ops where the mode is off.
 */
DOCA_STABLE void doca_priv_debug_add(const void *addr, enum debug_kind kind,
				     size_t size, size_t nr);

/* The object is destroyed; the caller frees its memory. */
DOCA_STABLE void doca_priv_debug_del(const void *addr);

/* The object is destroyed; in place of free(). */
DOCA_STABLE void doca_priv_debug_free(void *addr);

/* For valid() and known(). Logs why not. */
DOCA_STABLE bool doca_priv_debug_valid(const void *addr, enum debug_kind kind,
				       bool in_use, const char *func);

#define DEBUG_TYPE_(type, kind) \
	struct type * : DEBUG_##kind, const struct type * : DEBUG_##kind

#define DEBUG_KIND_(p) \
	_Generic((p), DEBUG_TYPE_(doca_apsh_container, APSH_CONTAINER),  \
		 DEBUG_TYPE_(doca_apsh_ctx, APSH_CTX),                   \
		 DEBUG_TYPE_(doca_apsh_process, APSH_PROCESS),           \
		 DEBUG_TYPE_(doca_apsh_system, APSH_SYSTEM),             \
		 DEBUG_TYPE_(doca_buf, BUF),                             \
		 DEBUG_TYPE_(doca_buf_arr, BUF_ARR),                     \
		 DEBUG_TYPE_(doca_buf_inventory, BUF_INVENTORY),         \
		 DEBUG_TYPE_(doca_buf_pool, BUF_POOL),                   \
		 DEBUG_TYPE_(doca_ctx, CTX), DEBUG_TYPE_(doca_dev, DEV), \
		 DEBUG_TYPE_(doca_devinfo, DEVINFO),                     \
		 struct doca_devinfo ** : DEBUG_DEVINFO_LIST,            \
		 DEBUG_TYPE_(doca_dev_rep, DEV_REP),                     \
		 DEBUG_TYPE_(doca_devinfo_rep, DEVINFO_REP),             \
		 struct doca_devinfo_rep ** : DEBUG_DEVINFO_REP_LIST,    \
		 DEBUG_TYPE_(doca_graph, GRAPH),                         \
		 DEBUG_TYPE_(doca_graph_node, GRAPH_NODE),               \
		 DEBUG_TYPE_(doca_log_backend, LOG_BACKEND),             \
		 DEBUG_TYPE_(doca_dpdk_mempool, MEMPOOL),                \
		 DEBUG_TYPE_(doca_graph_instance, GRAPH_INSTANCE),       \
		 DEBUG_TYPE_(doca_mmap, MMAP), DEBUG_TYPE_(doca_pe, PE), \
		 DEBUG_TYPE_(doca_task, TASK),                           \
		 DEBUG_TYPE_(doca_task_batch, TASK_BATCH))

#define DEBUG_LIVES_(p, in_use)           \
	(doca_likely(!doca_priv_debug) || \
	 doca_priv_debug_valid(p, DEBUG_KIND_(p), in_use, __func__))

#define DEBUG_AS_(p, member, in_use, right)                                \
	(doca_likely(!doca_priv_debug) ||                                  \
	 (doca_priv_debug_valid(&(p)->member, DEBUG_KIND_(&(p)->member),   \
				in_use, __func__) &&                       \
	  ((right) || (LOG_ERR("%s(): %p is none, but of another library", \
			       __func__, (const void *)(p)),               \
		       false))))

/*
 * What every public function asks about the objects that it is given: is it not
 * NULL and, in debug mode, is it an object, and not a buffer or a task that the
 * program has released? What is wrong is logged.
 */
#define valid(p) (given(p) && DEBUG_LIVES_(p, true))

/* The same, but it may be a buffer or a task that was released. */
#define known(p) (given(p) && DEBUG_LIVES_(p, false))

/*
 * The same of what has such an object as a member, the first of it, and is what the caller
 * takes it for if @right.
 */
#define valid_as(p, member, right) \
	(given(p) && DEBUG_AS_(p, member, true, right))
#define known_as(p, member, right) \
	(given(p) && DEBUG_AS_(p, member, false, right))

/* May it be NULL? Then it is for the program to leave out. */
#define valid_or_null(p) (!(p) || DEBUG_LIVES_(p, true))

/*
 * One thread at a time may be in the calls for an object: an engine, or a context
 * that has none, an inventory or a pool. A thread may be in several calls for it.
 * False, and logged, if another thread is.
 */
DOCA_STABLE bool doca_priv_debug_enter(const void *addr, const char *func);
DOCA_STABLE void doca_priv_debug_leave(const void *addr);

/* For calls that cannot say no: logs it as well, and waits. */
DOCA_STABLE void doca_priv_debug_enter_wait(const void *addr, const char *func);

static inline void debug_leave_(const void **addr)
{
	if (doca_unlikely(*addr))
		doca_priv_debug_leave(*addr);
}

/*
 * Call back for each object of this kind that lives, and that no thread is in a call for:
 * none enters one meanwhile. The callback neither logs nor calls what looks objects up.
 */
void debug_each_idle(enum debug_kind kind,
		     void (*look)(void *object, void *arg), void *arg);

/*
 * In debug mode, be alone in @object until the end of the block in which @held is
 * declared. False, and logged, if another thread is there. @func is what the program has
 * called.
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

/*
 * In debug mode, be alone in @object until the end of the block, else @refused,
 * which is a statement.
 */
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
