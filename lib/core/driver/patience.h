/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * With a worker that does not get to its queue: it may run on one CPU only,
 * which is the program's; its control group is out of time; its virtual CPU
 * waits for the host. Then the calls for the queue execute it, as they do where
 * there is no worker.
 *
 * Patience ends when the program has polled for a while and the worker has not
 * taken what was submitted; or, after a shorter while, when the worker was about
 * as slow only a few entries before. It ends as well when the worker was called,
 * has come, and sleeps again already, so that executing costs no more than calling
 * it. It is tried again after some calls, and after twice as many each time that it
 * fails soon.
 *
 * Neither is held against it where it has much to move: in the middle of that it takes
 * nothing, and that is what it is for.
 */
#ifndef DOCA_CORE_PATIENCE_H
#define DOCA_CORE_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* An idle CPU of a virtual machine takes more than 50 us to wake, and seldom 200. */
#define PATIENCE_SLOW_NS 50000
#define PATIENCE_NS 200000
/* Calling is not worth it for what is done in less. */
#define PATIENCE_CALL_NS 50000
/* It is worth it for what moves more than this. */
#define PATIENCE_CALL_BYTES (256 * 1024)
#define PATIENCE_CALLS 64
#define PATIENCE_CALLS_MAX 65536
/* A call that moves more than this counts as several. */
#define PATIENCE_CALL_UNIT (64 * 1024)
/* One that fails later has been of use in between: quotas are of tenths of a second. */
#define PATIENCE_TRUST_NS 1000000000

struct patience {
	bool endless;
	uint32_t calls; /* that are to execute, before the worker is tried again */
	uint32_t span; /* how many there were, the last time */
	uint32_t taken; /* entries, when it was polled for them in vain */
	uint64_t since; /* when that was first */
	uint32_t slow; /* entries taken, when the worker was slow the last time */
	uint32_t found; /* entries taken, when the worker was called the last time */
	uint64_t called; /* when that was */
	uint64_t tried; /* it was to be called again from then on */
};

static inline void patience_lose(struct patience *p, uint64_t now)
{
	if (!p->span || now - p->tried > PATIENCE_TRUST_NS)
		p->span = PATIENCE_CALLS;
	else if (p->span < PATIENCE_CALLS_MAX)
		p->span *= 2;
	p->calls = p->span;
}

/* A worker that is slow to wake is waited for if it takes many entries then. */
static inline bool patience_is_over(struct patience *p, uint32_t taken,
				    uint64_t waited)
{
	uint32_t since = taken - p->slow;

	if (waited < PATIENCE_SLOW_NS)
		return false;
	p->slow = taken;
	return (since && since < PATIENCE_CALLS) || waited >= PATIENCE_NS;
}

/*
 * Polled in vain, with entries that wait behind the @taken ones: is a call due? What the
 * worker is at moves @bytes, for each of which slow memory takes a nanosecond.
 */
static inline bool patience_ends(struct patience *p, uint32_t taken,
				 uint64_t bytes, uint64_t now)
{
	if (p->calls)
		return true;
	if (!p->since)
		p->slow = taken;
	if (taken != p->taken || !p->since) {
		p->taken = taken;
		p->since = now;
		return false;
	}
	if (now - p->since < bytes ||
	    !patience_is_over(p, taken, now - p->since - bytes))
		return false;
	p->since = 0;
	patience_lose(p, now);
	return true;
}

/* The worker has come since it was called, and asks to be called again already. */
static inline bool patience_wasted(const struct patience *p, uint32_t taken,
				   uint64_t now)
{
	return p->called && taken != p->found &&
	       now - p->called <= PATIENCE_CALL_NS;
}

/* Whether the call that is due is to execute; @bytes as above. */
static inline bool patience_executes(struct patience *p, uint32_t taken,
				     uint64_t bytes, uint64_t now)
{
	uint64_t cost;

	if (!p->calls) {
		bool wasted = bytes <= PATIENCE_CALL_BYTES &&
			      patience_wasted(p, taken, now);

		p->called = now;
		p->found = taken;
		if (!wasted)
			return false;
		patience_lose(p, now);
	}
	cost = 1 + bytes / PATIENCE_CALL_UNIT;
	p->calls -= cost < p->calls ? cost : p->calls;
	if (!p->calls) {
		p->tried = now;
		p->called = 0;
	}
	return true;
}

#endif
