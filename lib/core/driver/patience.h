/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * With a worker that does not get to its queue: it may run on one CPU only,
 * which is the program's; its control group is out of time; its virtual CPU
 * waits for the host. Then the calls for the queue execute it, as they do where
 * there is no worker.
 *
 * The worker has its turn until the program has lost to it, by polling in vain and by calling
 * it, 400 us more than half of what calls would have cost for the entries that it took, of
 * which the last 10 ms count. Then calls have theirs, for eight times those 400 us. A worker
 * that fails before it has earned 10 ms may only be slow to wake: the next time it may cost
 * twice as much, up to 3.2 ms, and then calls have theirs for four times as long.
 */
#ifndef DOCA_CORE_PATIENCE_H
#define DOCA_CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#define PATIENCE_NS 400000
#define PATIENCE_DOUBLINGS 3
#define PATIENCE_TIMES 8
#define PATIENCE_CREDIT_NS 10000000
/* The worker is at something for that long, and longer where that takes time. */
#define PATIENCE_PROMPT_NS 2000
/* What takes longer between two polls, or in a call, is not the worker's doing alone. */
#define PATIENCE_GAP_NS 200000

struct patience {
	bool endless;
	bool fresh; /* calls have just got their turn */
	uint16_t failed; /* doublings */
	uint32_t begun; /* entries taken, when this turn began, or when they last earned */
	uint32_t taken; /* entries, when the worker was polled for them in vain */
	uint64_t since; /* from then on that counts; 0: it was not */
	uint64_t spent; /* in this turn: what was lost to the worker, or calls took */
	uint64_t earned; /* in the worker's turn: half of what calls would have cost */
	uint64_t span; /* that calls are to take; 0: it is the worker's turn */
	uint64_t cost; /* an entry's, by calls; 0: not known yet */
};

static inline void patience_turn(struct patience *p, uint32_t taken,
				 uint64_t span)
{
	p->begun = taken;
	p->since = 0;
	p->spent = 0;
	p->earned = 0;
	p->span = span;
	p->fresh = span;
}

static inline uint64_t patience_gap(uint64_t ns)
{
	return ns < PATIENCE_GAP_NS ? ns : PATIENCE_GAP_NS;
}

/* By what it has taken since it last did. What was long ago counts for neither way. */
static inline void patience_earn(struct patience *p, uint32_t taken)
{
	p->earned += (taken - p->begun) * p->cost / 2;
	p->begun = taken;
	if (p->earned <= PATIENCE_CREDIT_NS)
		return;
	p->spent = p->spent * PATIENCE_CREDIT_NS / p->earned;
	p->earned = PATIENCE_CREDIT_NS;
}

/* The end of the worker's turn, if it has come. */
static inline bool patience_lost(struct patience *p, uint32_t taken)
{
	uint64_t most = (uint64_t)PATIENCE_NS << p->failed;
	uint64_t span = most * PATIENCE_TIMES << p->failed;

	patience_earn(p, taken);
	if (p->spent < most + p->earned)
		return false;
	if (p->earned < PATIENCE_CREDIT_NS)
		p->failed += p->failed < PATIENCE_DOUBLINGS;
	else
		p->failed -= p->failed > 0;
	patience_turn(p, taken, span);
	return true;
}

/*
 * How long a worker is at the entry in its hands and the next one, if it is no slower than
 * calls: as long as those took for two, or a nanosecond for each of their @bytes, which
 * slow memory takes.
 */
static inline uint64_t patience_work(const struct patience *p, uint64_t bytes)
{
	uint64_t ns = 2 * p->cost;

	return PATIENCE_PROMPT_NS + (ns > bytes ? ns : bytes);
}

/* Polled in vain, with entries that wait behind the @taken ones: is a call due? */
static inline bool patience_ends(struct patience *p, uint32_t taken,
				 uint64_t bytes, uint64_t now)
{
	if (p->span)
		return true;
	if (taken != p->taken || !p->since) {
		p->taken = taken;
		p->since = now + patience_work(p, bytes);
		return false;
	}
	if (now <= p->since)
		return false;
	p->spent += patience_gap(now - p->since);
	p->since = now;
	return patience_lost(p, taken);
}

/* Whether a call that is due is to execute, and not to call the worker. */
static inline bool patience_executes(struct patience *p, uint32_t taken)
{
	return p->span || patience_lost(p, taken);
}

/* It did, or has called the worker, in so many nanoseconds. */
static inline void patience_called(struct patience *p, uint32_t taken,
				   uint64_t ns)
{
	uint32_t done = taken - p->begun;
	uint64_t most = 2 * p->cost;
	bool known = p->cost;

	if (!p->span) {
		p->spent += patience_gap(ns);
		return;
	}
	/* The first one waits until the worker has let go of the queue. */
	if (p->fresh) {
		p->fresh = false;
		p->begun = taken;
		return;
	}
	p->spent += ns;
	if (p->spent < p->span)
		return;
	/* What has interrupted them once does not make all calls dear. */
	if (done) {
		p->cost = p->spent / done;
		if (known && p->cost > most)
			p->cost = most;
	}
	/* The first time nothing tells whether they were: they go on for another span. */
	patience_turn(p, taken, known || !done ? 0 : p->span);
	p->fresh = false;
}

#endif
