// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The limit: rings between two threads, the second of which copies, without any
 * protection between them. Entries announce themselves, and several at once by
 * writing the first one last, as the driver's do.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "loop.h"
#include "msg.h"
#include "yardstick.h"

#define ENTRIES 1024 /* maximum in flight */
#define BATCH 32

struct limit_sqe {
	_Alignas(64) uint64_t seq; /* its index + 1 when the entry is there */
	uint64_t size;
	const void *src;
	void *dst;
};

struct limit_cqe {
	_Alignas(32) uint64_t seq;
};

struct limit_rings {
	_Alignas(128) struct limit_sqe sqes[ENTRIES];
	_Alignas(128) struct limit_cqe cqes[ENTRIES];
	_Alignas(128) bool stop;
	int cpu;
};

static struct limit_rings rings;

static inline bool is_there(const uint64_t *seq, uint64_t index)
{
	return __atomic_load_n(seq, __ATOMIC_ACQUIRE) == index + 1;
}

static inline void announce(uint64_t *seq, uint64_t index)
{
	__atomic_store_n(seq, index + 1, __ATOMIC_RELEASE);
}

/* Execute entries from @index on. Returns how many. */
static inline unsigned int execute(uint64_t index)
{
	unsigned int n;

	for (n = 0; n < BATCH; n++) {
		struct limit_sqe *sqe = &rings.sqes[(index + n) % ENTRIES];

		if (!is_there(&sqe->seq, index + n))
			break;
		if (sqe->size)
			memcpy(sqe->dst, sqe->src, sqe->size);
		if (n)
			announce(&rings.cqes[(index + n) % ENTRIES].seq,
				 index + n);
	}
	if (n)
		announce(&rings.cqes[index % ENTRIES].seq, index);
	return n;
}

static void *executor(void *arg)
{
	uint64_t index = 0;

	(void)arg;
	if (cpu_pin(rings.cpu))
		return NULL; /* nothing will be completed */
	while (!__atomic_load_n(&rings.stop, __ATOMIC_RELAXED))
		index += execute(index);
	return NULL;
}

struct limit_run {
	const struct limit_way *limit;
	uint64_t submitted;
	uint64_t reaped;
	unsigned int slot;
};

static INLINED int submit(void *self, unsigned int n)
{
	struct limit_run *run = self;
	const struct limit_way *limit = run->limit;
	uint64_t first = run->submitted;
	unsigned int i;

	for (i = 0; i < n; i++, run->submitted++) {
		size_t offset = run->slot * limit->load.size;
		struct limit_sqe *sqe = &rings.sqes[run->submitted % ENTRIES];

		sqe->size = limit->load.size;
		sqe->src = limit->way.area->src + offset;
		sqe->dst = limit->way.area->dst + offset;
		if (++run->slot == limit->slots)
			run->slot = 0;
		if (i)
			announce(&sqe->seq, run->submitted);
	}
	announce(&rings.sqes[first % ENTRIES].seq, first);
	return 0;
}

static INLINED int reap(void *self)
{
	struct limit_run *run = self;
	struct patience patience = { 0 };
	int n = 0;

	while (!is_there(&rings.cqes[run->reaped % ENTRIES].seq, run->reaped))
		if (patience_lost(&patience))
			return fail("CPU %d does not answer", rings.cpu);
	do {
		run->reaped++;
		n++;
	} while (is_there(&rings.cqes[run->reaped % ENTRIES].seq, run->reaped));
	return n;
}

static int limit_run(struct way *way, struct meter *meter)
{
	struct limit_way *limit = container_of(way, struct limit_way, way);
	struct limit_run run = { .limit = limit };
	pthread_t thread;
	int err, ret;

	memset(&rings, 0, sizeof(rings));
	rings.cpu = limit->cpus->work;
	err = pthread_create(&thread, NULL, executor, NULL);
	if (err)
		return fail_errno(err, "cannot create a thread");
	ret = loop_run(&run, &limit->load, meter, submit, reap);
	__atomic_store_n(&rings.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return ret;
}

static int limit_open(struct way *way, const struct load *load)
{
	struct limit_way *limit = container_of(way, struct limit_way, way);

	limit->load = *load;
	limit->slots = area_slots(way->area, load);
	return 0;
}

void limit_way_init(struct limit_way *limit, const struct area *area,
		    const struct cpus *cpus)
{
	*limit = (struct limit_way){
		.way = {
			.name = "limit",
			.open = limit_open,
			.run = limit_run,
			.area = area,
			.max_depth = ENTRIES,
		},
		.cpus = cpus,
	};
}
