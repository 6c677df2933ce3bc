/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The functions of tasks that several kinds have, beside those of core/exec/library.h. */
#ifndef DOCA_RDMA_TASK_H
#define DOCA_RDMA_TASK_H

#include "connection.h"
#include "request.h"

/* The beginning of a struct rdma_kind. */
#define RDMA_TYPE(tsk, name_, ask_)                                            \
	.type = {                                                              \
		TASK_OBJECT(tsk),	   .name = name_,	  .ask = ask_, \
		.validate = rdma_validate, .finish = rdma_finish,              \
	}

/* Limits of tasks; for struct task_type. */
doca_error_t rdma_ask(const struct doca_devinfo *devinfo,
		      struct task_limits *limits);
doca_error_t rdma_ask_receive(const struct doca_devinfo *devinfo,
			      struct task_limits *limits);
doca_error_t rdma_ask_atomic(const struct doca_devinfo *devinfo,
			     struct task_limits *limits);

/* The struct of a kind of task. */
#define RDMA_TASK(tsk)                   \
	struct tsk {                     \
		struct doca_task task;   \
		struct rdma_values rdma; \
		union rdma_wr wr;        \
	}

/*
 * Allocate a task for a connection. Return INVALID_VALUE, with a line in the log, if that is
 * none of the context, or closed.
 */
doca_error_t rdma_task_new(struct doca_rdma *rdma, unsigned int pool,
			   struct doca_rdma_connection *connection,
			   const void *out, union doca_data user_data,
			   struct rdma_task **task,
			   const struct log_site *site);

void rdma_task_set_connection(struct doca_task *task,
			      const struct object_type *object,
			      struct doca_rdma_connection *connection,
			      const struct log_site *site);

/* NAME(task, connection) */
#define DEFINE_SET_CONNECTION(name, tsk)                                  \
	void name(struct tsk *task,                                       \
		  struct doca_rdma_connection *rdma_connection)           \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
                                                                          \
		if (valid(rdma_connection))                               \
			rdma_task_set_connection(TASK_OF(task),           \
						 &tsk##_object_,          \
						 rdma_connection, &site); \
	}

/* NAME(task) */
#define DEFINE_GET_CONNECTION(name, tsk)                                \
	const struct doca_rdma_connection *name(const struct tsk *task) \
	{                                                               \
		static const struct log_site site = LOG_SITE;           \
                                                                        \
		if (!task_is(TASK_OF(task), &tsk##_object_, &site))     \
			return NULL;                                    \
		return task->rdma.connection;                           \
	}

/* NAME(task, event); NULL for none */
#define DEFINE_SET_EVENT(name, tsk, event_t)                                \
	void name(struct tsk *task, event_t *event)                         \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
                                                                            \
		if (valid_or_null(event) &&                                 \
		    task_may_set(TASK_OF(task), &tsk##_object_, &site))     \
			task->rdma.event =                                  \
				(struct doca_sync_event_remote_net *)event; \
	}

/* NAME(task); NULL if it has none */
#define DEFINE_GET_EVENT(name, tsk, event_t)                        \
	event_t *name(const struct tsk *task)                       \
	{                                                           \
		static const struct log_site site = LOG_SITE;       \
                                                                    \
		if (!task_is(TASK_OF(task), &tsk##_object_, &site)) \
			return NULL;                                \
		return task->rdma.event;                            \
	}

#endif /* DOCA_RDMA_TASK_H */
