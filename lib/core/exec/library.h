/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A library of tasks, described once. It has
 *
 *  - a struct of the public name for its context, which begins with
 *
 *	struct doca_ctx ctx;
 *	struct task_pool pools[NUMBER];
 *
 *    and a struct ctx_type called NAME_type, which CTX_OBJECT() begins;
 *  - a struct of the public name for each type of task, which begins with
 *
 *	struct doca_task task;
 *
 *    a line DEFINE_TASK(), and a struct task_type, which TASK_OBJECT() begins;
 *  - a line here described for each public function that is like those of other
 *    libraries. The line names it in full, and has a body as anyone would write it;
 *    what is declared in the public header is what the compiler holds it against.
 *
 * What these functions ask of their arguments, answer and log, also in debug mode, is the
 * same for all. A function that is like no other is written out, with ctx_is(),
 * task_is() or task_may_set() for its objects. Documentation/new-library.rst has more.
 */
#ifndef DOCA_CORE_LIBRARY_H
#define DOCA_CORE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "core/base/log.h"
#include "core/objects.h"
#include "ctx.h"
#include "task.h"

/* The beginning of a struct ctx_type; @list_ is the array of its types of task. */
#define CTX_OBJECT(lib, list_)                                               \
	.object = &lib##_object, .size = sizeof(struct lib),                 \
	.align = _Alignof(struct lib), .pools = offsetof(struct lib, pools), \
	.nr_pools = sizeof(list_) / sizeof((list_)[0]), .tasks = list_

/* The beginning of a struct task_type, after DEFINE_TASK(). */
#define TASK_OBJECT(tsk)                                      \
	.object = &tsk##_object_, .size = sizeof(struct tsk), \
	.done = tsk##_done_, .failed = tsk##_failed_

/* Such a context for debug mode; in a file below all others of the library. */
#define CTX_OBJECT_TYPE(lib)                      \
	const struct object_type lib##_object = { \
		.name = #lib,                     \
		.as = &doca_priv_ctx_object,      \
	}

/* The first member of an object; NULL for NULL. */
#define CTX_OF(object) ((object) ? &(object)->ctx : NULL)
#define TASK_OF(tsk) ((tsk) ? &(tsk)->task : NULL)

/*
 * Return true if the object was given and, in debug mode, is of that type. If not, log
 * why, as the function of @site.
 */
DOCA_STABLE bool doca_priv_ctx_is(const struct doca_ctx *ctx,
				  const struct object_type *object,
				  const struct log_site *site);
DOCA_STABLE bool doca_priv_task_is(const struct doca_task *task,
				   const struct object_type *object,
				   bool in_use, const struct log_site *site);

/* A static analyzer does not see that the function refuses NULL. */
static inline bool ctx_is(const struct doca_ctx *ctx,
			  const struct object_type *object,
			  const struct log_site *site)
{
	return (doca_likely(ctx) && doca_likely(!doca_priv_debug)) ||
	       (doca_priv_ctx_is(ctx, object, site) && ctx);
}

/* Accepts a task that was freed, too. */
static inline bool task_is(const struct doca_task *task,
			   const struct object_type *object,
			   const struct log_site *site)
{
	return (doca_likely(task) && doca_likely(!doca_priv_debug)) ||
	       doca_priv_task_is(task, object, false, site);
}

/* Return true unless a pointer, @what, is NULL. */
static inline bool given_at(const void *p, const char *what,
			    const struct log_site *site)
{
	if (doca_likely(p))
		return true;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR, "%s(): invalid argument: %s is NULL",
	       site->func, what);
	return false;
}

/* Refuses a task in flight as well, which holds the values that it was given. */
DOCA_STABLE bool doca_priv_task_may_set(const struct doca_task *task,
					const struct object_type *object,
					const struct log_site *site);

/* Likewise, for functions that answer INVALID_VALUE or BAD_STATE. */
DOCA_STABLE doca_error_t doca_priv_task_try_set(const struct doca_task *task,
						const struct object_type *object,
						const struct log_site *site);

static inline bool task_may_set(const struct doca_task *task,
				const struct object_type *object,
				const struct log_site *site)
{
	return (doca_likely(task) && doca_likely(!doca_priv_debug) &&
		doca_likely(!task_is_inflight(task))) ||
	       doca_priv_task_may_set(task, object, site);
}

/* Like valid(), for a library's context, in functions that are written out. */
#define valid_ctx(object, lib)                                 \
	({                                                     \
		static const struct log_site site_ = LOG_SITE; \
                                                               \
		ctx_is(CTX_OF(object), &lib##_object, &site_); \
	})

/*
 * Make an object of that type, all 0 but for its context. With a device, ask the driver
 * for its limits; it must know one of the tasks.
 */
DOCA_STABLE doca_error_t doca_priv_ctx_new(const struct ctx_type *type,
					   struct doca_dev *dev,
					   struct doca_ctx **ctx,
					   const struct log_site *site);

DOCA_STABLE doca_error_t doca_priv_ctx_destroy(struct doca_ctx *ctx,
					       const struct object_type *object,
					       const struct log_site *site);

/*
 * @pool is a number.
 */
DOCA_STABLE doca_error_t
doca_priv_task_set_conf(struct doca_ctx *ctx, const struct object_type *object,
			unsigned int pool, task_cb_t done, task_cb_t failed,
			uint32_t num, const struct log_site *site);

/*
 * @out is the program's pointer for its task.
 */
static inline doca_error_t
task_new(struct doca_ctx *ctx, const struct object_type *object,
	 unsigned int pool, const void *out, union doca_data user_data,
	 struct doca_task **task, const struct log_site *site)
{
	if (!ctx_is(ctx, object, site) || !given_at(out, "task", site))
		return DOCA_ERROR_INVALID_VALUE;
	return doca_priv_task_alloc(ctx, &ctx->pools[pool], user_data, task,
				    site->func);
}

/* Answer a query of a capability; @out is the program's pointer for the value. */
DOCA_STABLE doca_error_t doca_priv_task_cap(const struct doca_devinfo *devinfo,
					    const void *out,
					    const struct task_type *type,
					    struct task_limits *limits,
					    const struct log_site *site);

DOCA_STABLE doca_error_t doca_priv_cap_never(const struct doca_devinfo *devinfo,
					     const struct log_site *site);

/* NAME(dev, &object) */
#define DEFINE_CREATE(name, lib)                                        \
	doca_error_t name(struct doca_dev *dev, struct lib **object)    \
	{                                                               \
		static const struct log_site site = LOG_SITE;           \
		struct doca_ctx *ctx;                                   \
		doca_error_t ret;                                       \
                                                                        \
		if (!valid(dev) || !given(object))                      \
			return DOCA_ERROR_INVALID_VALUE;                \
		ret = doca_priv_ctx_new(&lib##_type, dev, &ctx, &site); \
		if (ret == DOCA_SUCCESS)                                \
			*object = list_entry(ctx, struct lib, ctx);     \
		return ret;                                             \
	}

/* NAME(object) */
#define DEFINE_DESTROY(name, lib)                                             \
	doca_error_t name(struct lib *object)                                 \
	{                                                                     \
		static const struct log_site site = LOG_SITE;                 \
                                                                              \
		_Static_assert(!offsetof(struct lib, ctx), "it comes first"); \
		return doca_priv_ctx_destroy(CTX_OF(object), &lib##_object,   \
					     &site);                          \
	}

#define DEFINE_AS_CTX(name, lib)                                       \
	struct doca_ctx *name(struct lib *object)                      \
	{                                                              \
		static const struct log_site site = LOG_SITE;          \
		struct doca_ctx *ctx = CTX_OF(object);                 \
                                                                       \
		return ctx_is(ctx, &lib##_object, &site) ? ctx : NULL; \
	}

/* NAME(object, &max_num_tasks), for a context that was created with a device */
#define DEFINE_CAP_MAX_TASKS(name, lib, pool)                          \
	doca_error_t name(struct lib *object, uint32_t *max_num_tasks) \
	{                                                              \
		static const struct log_site site = LOG_SITE;          \
                                                                       \
		if (!ctx_is(CTX_OF(object), &lib##_object, &site) ||   \
		    !given(max_num_tasks))                             \
			return DOCA_ERROR_INVALID_VALUE;               \
		*max_num_tasks = object->pools[pool].limits.tasks;     \
		return DOCA_SUCCESS;                                   \
	}

/* NAME(object, completion_cb, error_cb, num_tasks) */
#define DEFINE_SET_CONF(name, lib, pool, tsk)                                  \
	doca_error_t name(struct lib *object,                                  \
			  tsk##_completion_cb_t completion_cb,                 \
			  tsk##_completion_cb_t error_cb, uint32_t num_tasks)  \
	{                                                                      \
		static const struct log_site site = LOG_SITE;                  \
                                                                               \
		return doca_priv_task_set_conf(CTX_OF(object), &lib##_object,  \
					       pool, (task_cb_t)completion_cb, \
					       (task_cb_t)error_cb, num_tasks, \
					       &site);                         \
	}

/* NAME(object, completion_cb, error_cb, log_num_tasks): likewise, with a binary logarithm */
#define DEFINE_SET_CONF_LOG(name, lib, pool, tsk)                              \
	doca_error_t name(struct lib *object,                                  \
			  tsk##_completion_cb_t completion_cb,                 \
			  tsk##_completion_cb_t error_cb,                      \
			  uint8_t log_num_tasks)                               \
	{                                                                      \
		static const struct log_site site = LOG_SITE;                  \
                                                                               \
		return doca_priv_task_set_conf(                                \
			CTX_OF(object), &lib##_object, pool,                   \
			(task_cb_t)completion_cb, (task_cb_t)error_cb,         \
			log_num_tasks < 32 ? 1U << log_num_tasks : UINT32_MAX, \
			&site);                                                \
	}

/* NAME(devinfo): SUCCESS if there are tasks of that struct task_type */
#define DEFINE_CAP_SUPPORTED(name, type)                                    \
	doca_error_t name(const struct doca_devinfo *devinfo)               \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
		struct task_limits limits;                                  \
                                                                            \
		return doca_priv_task_cap(devinfo, devinfo, &type, &limits, \
					  &site);                           \
	}

/* NAME(devinfo, &value): that member of their struct task_limits */
#define DEFINE_CAP_LIMIT(name, type, value_t, member)                         \
	doca_error_t name(const struct doca_devinfo *devinfo, value_t *value) \
	{                                                                     \
		static const struct log_site site = LOG_SITE;                 \
		struct task_limits limits;                                    \
		doca_error_t ret;                                             \
                                                                              \
		ret = doca_priv_task_cap(devinfo, value, &type, &limits,      \
					 &site);                              \
		if (ret == DOCA_SUCCESS)                                      \
			*value = limits.member;                               \
		return ret;                                                   \
	}

/* NAME(devinfo): no device can do it */
#define DEFINE_CAP_NEVER(name)                                \
	doca_error_t name(const struct doca_devinfo *devinfo) \
	{                                                     \
		static const struct log_site site = LOG_SITE; \
                                                              \
		return doca_priv_cap_never(devinfo, &site);   \
	}

/* The type of a task for debug mode, and the functions by which core calls the program back. */
#define DEFINE_TASK(tsk)                                                       \
	static const struct object_type tsk##_object_ = {                      \
		.name = #tsk,                                                  \
		.as = &doca_priv_task_object,                                  \
	};                                                                     \
                                                                               \
	static void tsk##_done_(struct doca_task *base)                        \
	{                                                                      \
		((tsk##_completion_cb_t)base->pool->done)(                     \
			list_entry(base, struct tsk, task), base->user_data,   \
			base->ctx->user_data);                                 \
	}                                                                      \
                                                                               \
	static void tsk##_failed_(struct doca_task *base)                      \
	{                                                                      \
		_Static_assert(!offsetof(struct tsk, task), "it comes first"); \
		((tsk##_completion_cb_t)base->pool->failed)(                   \
			list_entry(base, struct tsk, task), base->user_data,   \
			base->ctx->user_data);                                 \
	}

/*
 * TASK_alloc_(object, user_data, &task, &site), static: allocate a task of the pool, for
 * functions that then fill in the rest.
 */
#define DEFINE_ALLOC(lib, pool, tsk)                                      \
	static doca_error_t tsk##_alloc_(struct lib *object,              \
					 union doca_data user_data,       \
					 struct tsk **task,               \
					 const struct log_site *site)     \
	{                                                                 \
		struct doca_task *base;                                   \
		doca_error_t ret;                                         \
                                                                          \
		ret = task_new(CTX_OF(object), &lib##_object, pool, task, \
			       user_data, &base, site);                   \
		if (ret == DOCA_SUCCESS)                                  \
			*task = list_entry(base, struct tsk, task);       \
		return ret;                                               \
	}

/* NAME(object, src, dst, user_data, &task); the buffers may be NULL */
#define DEFINE_ALLOC_SRC_DST(name, lib, pool, tsk)                         \
	DEFINE_ALLOC(lib, pool, tsk)                                       \
	doca_error_t name(struct lib *object, const struct doca_buf *src,  \
			  struct doca_buf *dst, union doca_data user_data, \
			  struct tsk **task)                               \
	{                                                                  \
		static const struct log_site site = LOG_SITE;              \
		doca_error_t ret;                                          \
                                                                           \
		if (!valid_or_null(src) || !valid_or_null(dst))            \
			return DOCA_ERROR_INVALID_VALUE;                   \
		ret = tsk##_alloc_(object, user_data, task, &site);        \
		if (ret != DOCA_SUCCESS)                                   \
			return ret;                                        \
		task_set_src(&(*task)->task, src);                         \
		task_set_dst(&(*task)->task, dst);                         \
		return DOCA_SUCCESS;                                       \
	}

/* NAME(task); NULL for NULL */
#define DEFINE_AS_TASK(name, tsk)                                            \
	struct doca_task *name(struct tsk *task)                             \
	{                                                                    \
		static const struct log_site site = LOG_SITE;                \
		struct doca_task *base = TASK_OF(task);                      \
                                                                             \
		return base && task_is(base, &tsk##_object_, &site) ? base : \
								      NULL;  \
	}

/* NAME(task, buf); NULL takes the buffer away; SIDE is src or dst */
#define DEFINE_SET_BUF(name, tsk, buf_t, side)                            \
	void name(struct tsk *task, buf_t *buf)                           \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
                                                                          \
		if (task_may_set(TASK_OF(task), &tsk##_object_, &site) && \
		    valid_or_null(buf))                                   \
			task_set_##side(&task->task, buf);                \
	}

/* Likewise, with an error code */
#define DEFINE_TRY_SET_BUF(name, tsk, buf_t, side)                          \
	doca_error_t name(struct tsk *task, buf_t *buf)                     \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
		doca_error_t ret;                                           \
                                                                            \
		if (!valid_or_null(buf))                                    \
			return DOCA_ERROR_INVALID_VALUE;                    \
		ret = doca_priv_task_try_set(TASK_OF(task), &tsk##_object_, \
					     &site);                        \
		if (ret == DOCA_SUCCESS)                                    \
			task_set_##side(&task->task, buf);                  \
		return ret;                                                 \
	}

/* NAME(task); NULL if it has none */
#define DEFINE_GET_BUF(name, tsk, buf_t, side)                      \
	buf_t *name(const struct tsk *task)                         \
	{                                                           \
		static const struct log_site site = LOG_SITE;       \
                                                                    \
		if (!task_is(TASK_OF(task), &tsk##_object_, &site)) \
			return NULL;                                \
		return task_##side(&task->task);                    \
	}

/* TYPE NAME(task); 0 if the task is invalid */
#define DEFINE_TASK_GET(name, tsk, value_t, member)                 \
	value_t name(const struct tsk *task)                        \
	{                                                           \
		static const struct log_site site = LOG_SITE;       \
                                                                    \
		if (!task_is(TASK_OF(task), &tsk##_object_, &site)) \
			return (value_t)0;                          \
		return task->member;                                \
	}

/* NAME(task, value) */
#define DEFINE_TASK_SET(name, tsk, value_t, member)                     \
	void name(struct tsk *task, value_t value)                      \
	{                                                               \
		static const struct log_site site = LOG_SITE;           \
                                                                        \
		if (task_may_set(TASK_OF(task), &tsk##_object_, &site)) \
			task->member = value;                           \
	}

#endif /* DOCA_CORE_LIBRARY_H */
