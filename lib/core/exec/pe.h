/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The progress engine, as contexts see it. */
#ifndef DOCA_CORE_PE_H
#define DOCA_CORE_PE_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_pe.h>

#include "core/base/list.h"
#include "ctx.h"

/* A callback of the program that is due, and does not belong to a completion. */
struct pe_event {
	struct list link; /* in the engine's events, or in no list */
	void (*deliver)(struct pe_event *event);
};

struct doca_pe {
	struct list *next; /* next of the circle of contexts to visit, or NULL */
	uint32_t nr_busy;
	int32_t short_turns; /* number of turns that may still look for completed tasks only */
	bool in_callback; /* the program is being called back */
	bool rare; /* this full turn is behind many short ones that found nothing */
	struct list ctxs; /* all connected contexts */
	struct list events;
	uint32_t nr_notified; /* contexts notified since the engine was armed */
	uint32_t nr_graphs;
	uint32_t turn; /* number of calls of progress */

	/* For pe_watch.h, in debug mode. */
	uint32_t progressed; /* number of calls of progress */
	uint32_t seen; /* ->progressed when completed tasks were seen */
	uint32_t looks; /* number of looks since then */
	bool forgotten; /* the log has told of it */

	bool selecting; /* visit only notified contexts */
	bool armed;
	bool kicked; /* event_fd was written */
	bool orphaned; /* in the child: it was made before a fork */
	bool has_driver; /* a reference on the driver, for the worker */
	bool no_worker; /* no worker could be created */
	bool patient; /* the worker was asked never to sleep */
	uint32_t worker_id; /* 0: none */
	uint32_t generation; /* generation of the driver at the start */
	int epoll_fd; /* the descriptor that the program waits for */
	int event_fd; /* part of it, for events of our own */
	int timer_fd; /* part of it, for deadlines; -1: not made yet */
	bool timed; /* the timer is set */
	enum doca_pe_event_mode event_mode;
};

/* Return the next context to visit, and advance to the one after it. */
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
		pe->short_turns = 0;
	} else if (pe->next == &ctx->busy_link) {
		pe->next = ctx->busy_link.next;
	}
	list_del(&ctx->busy_link);
	ctx_close(ctx);
}

/* Return false in the child of a fork if the engine is the parent's; fail its contexts there. */
bool pe_alive(struct doca_pe *pe);

/* Make the descriptors of an engine. Returns 0 or an errno. */
int pe_open(struct doca_pe *pe);
void pe_close(struct doca_pe *pe);

/* Return the worker for a new queue, and make it for the first one; 0: do without. */
uint32_t pe_worker(struct doca_pe *pe);
void pe_worker_destroy(struct doca_pe *pe);

/* Add a context's queue to the engine's epoll. Returns 0 or an errno. */
int pe_poll_add(struct doca_pe *pe, struct doca_ctx *ctx);
void pe_poll_del(struct doca_pe *pe, struct doca_ctx *ctx);

/*
 * Add a descriptor that a context watches, if there is one, to the engine's epoll. Only
 * while the engine is armed: a readable or broken descriptor would wake a program that
 * has not asked. Return false on failure.
 */
bool pe_watch(struct doca_pe *pe, struct ctx_watch *watch);
void pe_unwatch(struct doca_pe *pe, struct ctx_watch *watch);

/* Set the timer to the first of the contexts' deadlines. Return false on failure. */
bool pe_arm_timer(struct doca_pe *pe);
void pe_disarm_timer(struct doca_pe *pe);

/* Wake the thread that waits for the engine: something happened outside of progress. */
void pe_kick(struct doca_pe *pe);

/* Clear the wake-up of pe_kick(), if there was one. */
void pe_unkick(struct doca_pe *pe);

/* Note that a context which is not idle has something to do. */
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
	pe->short_turns = 0;
	pe_kick(pe);
}

/* Let a later call of progress deliver an event, which is in no list. */
void pe_post(struct doca_pe *pe, struct pe_event *event);

#endif /* DOCA_CORE_PE_H */
