/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Decides when calls execute a queue instead of its worker. A worker may be unable to run:
 * its only CPU is the program's, its control group has used up its time, or its virtual CPU
 * waits for the host. Calls for the queue then execute it, as they do without a worker.
 *
 * Worker and calls take turns. The worker's turn costs the program time: polls in vain, and
 * calls to wake the worker. It saves time as well: half of what calls would have cost for the
 * entries that the worker took; only the last 10 ms of savings count. The turn ends when the
 * cost exceeds the savings by 400 us. The calls' turn then lasts eight times as long as those
 * 400 us.
 *
 * A worker that loses its turn before it has saved 10 ms may only be slow to wake up. So its
 * next turn may cost twice as much, up to 3.2 ms, and the calls' turn after that lasts four
 * times as long.
 */
#ifndef DOCA_CORE_PATIENCE_H
#define DOCA_CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#define PATIENCE_NS 400000
#define PATIENCE_DOUBLINGS 3
#define PATIENCE_TIMES 8
#define PATIENCE_CREDIT_NS 10000000
/* The least time that the worker gets for an entry before polls count as vain. */
#define PATIENCE_PROMPT_NS 2000
/* At most this much of a poll or a call counts; the rest is not the worker's doing alone. */
#define PATIENCE_GAP_NS 200000

struct patience {
	bool endless;
	bool fresh; /* the calls' turn has just begun */
	uint16_t failed; /* number of doublings */
	uint32_t begun; /* entries taken when the turn began, or was last credited */
	uint32_t taken; /* entries taken at the last poll in vain */
	uint64_t since; /* time from which vain polls count; 0: unset */
	uint64_t spent; /* nanoseconds of this turn, lost or taken by calls */
	uint64_t earned; /* nanoseconds of this turn, saved by the worker */
	uint64_t span; /* nanoseconds of the calls' turn; 0: worker's */
	uint64_t cost; /* nanoseconds that an entry takes a call; 0: unknown */
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

/*
 * Credit the worker for the entries taken since the last time. Beyond the limit, old
 * costs and old savings fade alike.
 */
static inline void patience_earn(struct patience *p, uint32_t taken)
{
	p->earned += (taken - p->begun) * p->cost / 2;
	p->begun = taken;
	if (p->earned <= PATIENCE_CREDIT_NS)
		return;
	p->spent = p->spent * PATIENCE_CREDIT_NS / p->earned;
	p->earned = PATIENCE_CREDIT_NS;
}

/* Return true, and let the calls' turn begin, if the worker's turn is over. */
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
 * Return how long a worker as fast as calls may spend on its current entry and the next:
 * as long as calls for two entries, or a nanosecond for each of @bytes, for slow memory.
 */
static inline uint64_t patience_work(const struct patience *p, uint64_t bytes)
{
	uint64_t ns = 2 * p->cost;

	return PATIENCE_PROMPT_NS + (ns > bytes ? ns : bytes);
}

/* Account a poll in vain, with entries behind the @taken ones. Return true if a call is due. */
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

/* Return true if a call that is due shall execute, rather than wake the worker. */
static inline bool patience_executes(struct patience *p, uint32_t taken)
{
	return p->span || patience_lost(p, taken);
}

/* Account a call that took @ns, to execute or to wake the worker. */
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
	/* The first call waits for the worker to release the queue, so it does not count. */
	if (p->fresh) {
		p->fresh = false;
		p->begun = taken;
		return;
	}
	p->spent += ns;
	if (p->spent < p->span)
		return;
	/* One interruption must not make all calls look expensive. */
	if (done) {
		p->cost = p->spent / done;
		if (known && p->cost > most)
			p->cost = most;
	}
	/* The first cost has nothing to be compared with, so calls go on for another span. */
	patience_turn(p, taken, known || !done ? 0 : p->span);
	p->fresh = false;
}

#endif
