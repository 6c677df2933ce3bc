/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The progress engine, as contexts see it. */
#ifndef DOCA_CORE_PE_H
#define DOCA_CORE_PE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_pe.h>

#include "core/base/list.h"
#include "ctx.h"

/* A callback of the program that is due, and not for a completion. */
struct pe_event {
	struct list link; /* in the engine's events, or in none */
	void (*deliver)(struct pe_event *event);
};

struct doca_pe {
	struct list *next; /* context to visit, of a circle of them, or NULL */
	uint32_t nr_busy;
	int32_t plain_turns; /* calls of progress that may take the short path */
	bool in_callback; /* the program is being called back */
	struct list ctxs; /* all that are connected */
	struct list events;
	uint32_t nr_notified; /* contexts, since the engine was armed */
	uint32_t nr_graphs;
	uint32_t turn; /* calls of progress */

	/* For pe_watch.h, in debug mode */
	uint32_t progressed; /* calls of progress */
	uint32_t seen; /* the same when tasks were first seen to be done */
	uint32_t looks; /* since then */
	bool forgotten; /* that was told */

	bool selecting; /* visit only those */
	bool armed;
	bool kicked; /* event_fd was written */
	bool orphaned; /* made before a fork, in the child */
	bool has_driver; /* a reference, for the worker */
	bool no_worker; /* there was no getting one */
	bool patient; /* the worker was asked never to sleep */
	uint32_t worker_id; /* 0: none */
	uint32_t generation; /* of the driver */
	int epoll_fd; /* what the program waits for */
	int event_fd; /* in it, for events of our own */
	int timer_fd; /* in it, for deadlines, made for the first; -1: none */
	bool timed; /* it is set */
	enum doca_pe_event_mode event_mode;
};

/* The next context to visit, of those that are, and go on to the one after it. */
static inline struct doca_ctx *pe_next(struct doca_pe *pe)
{
	struct list *link = pe->next;

	pe->next = link->next;
	return list_entry(link, struct doca_ctx, busy_link);
}

/* Visit a context from now on. */
static inline void pe_visit(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (ctx->busy)
		return;
	ctx->busy = true;
	pe->nr_busy++;
	if (pe->next)
		list_add_tail(pe->next, &ctx->busy_link);
	else
		pe->next = &ctx->busy_link;
}

static inline void pe_unvisit(struct doca_pe *pe, struct doca_ctx *ctx)
{
	if (!ctx->busy)
		return;
	ctx->busy = false;
	pe->nr_busy--;
	if (!pe->nr_busy) {
		pe->next = NULL;
		pe->plain_turns = 0;
	} else if (pe->next == &ctx->busy_link) {
		pe->next = ctx->busy_link.next;
	}
	list_del(&ctx->busy_link);
	ring_refuse(&ctx->queue.ring);
}

/*
 * False in the child of a fork, to which an engine of the parent is useless; its
 * contexts are failed then.
 */
bool pe_alive(struct doca_pe *pe);

/* The descriptors of an engine; 0 or an errno. */
int pe_open(struct doca_pe *pe);
void pe_close(struct doca_pe *pe);

/* The worker for a new queue, made when the first is; 0 to do without. */
uint32_t pe_worker(struct doca_pe *pe);
void pe_worker_destroy(struct doca_pe *pe);

/* Include a context's queue in what the program waits for; 0 or an errno. */
int pe_poll_add(struct doca_pe *pe, struct doca_ctx *ctx);
void pe_poll_del(struct doca_pe *pe, struct doca_ctx *ctx);

/*
 * Include a descriptor that a context watches, if there is one. Only while the engine is
 * armed: readable or broken, it would wake a program that has not asked. False if it
 * could not be.
 */
bool pe_watch(struct doca_pe *pe, struct ctx_watch *watch);
void pe_unwatch(struct doca_pe *pe, struct ctx_watch *watch);

/* Include the first of the contexts' deadlines, likewise; false if it could not be. */
bool pe_arm_timer(struct doca_pe *pe);
void pe_disarm_timer(struct doca_pe *pe);

/* Something happened outside of progress: wake the thread that waits for the engine. */
void pe_kick(struct doca_pe *pe);

/* Clear that wake-up, if there was one. */
void pe_unkick(struct doca_pe *pe);

/* A context that is not idle has something to do. */
static inline void pe_mark_notified(struct doca_pe *pe, struct doca_ctx *ctx)
{
	pe_visit(pe, ctx);
	if (ctx->notified)
		return;
	ctx->notified = true;
	pe->nr_notified++;
}

static inline void pe_kick_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	pe_mark_notified(pe, ctx);
	pe_kick(pe);
}

/* Have an event delivered, which is in no list, by a later call of progress. */
void pe_post(struct doca_pe *pe, struct pe_event *event);

#endif /* DOCA_CORE_PE_H */
