// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The cost of taking memory away. The call ends when no executor uses the memory any more, and
 * must take about as long as registering it, whatever the executors do, and however much
 * memory there is.
 */
#include <inttypes.h>

#include "retire.h"

#define PINGS 20
#define TIMES 4
/* A machine may be busy with other work now and then, but not each time */
#define TRIES 5

/*
 * Times to make one and to take it back, one after the other. If a worker polls, the
 * first includes a question and an answer: these cost more than all the rest where two
 * busy CPUs share a core. And if copies are made, the second may have to wait for one.
 */
struct cost {
	uint64_t make, take, copy;
};

static uint64_t limit(const struct cost *cost)
{
	return TIMES * cost->make + cost->copy;
}

/*
 * Time one of the copies that are made all the time; wait for ever, up to the harness's
 * limit, if they have failed
 */
static uint64_t cost_of_a_copy(FIXTURE_DATA(retire) *self)
{
	uint32_t begun = ring_load(&self->copies);
	uint64_t begin = now_ns();

	WAIT_UNTIL(ring_load(&self->copies) - begun >= PINGS);
	return (now_ns() - begin) / PINGS;
}

static int cost_of(FIXTURE_DATA(retire) *self, step_fn make, step_fn take, struct cost *cost)
{
	uint64_t begin = now_ns();
	int i, err;

	err = do_all(self, make);
	cost->make = (now_ns() - begin) / MAPS;
	begin = now_ns();
	for (i = 0; !err && i < PINGS && self->polls; i++)
		err = queue_status(&self->control, sqe_nop(0));
	cost->make += (now_ns() - begin) / PINGS;
	cost->copy = self->busy ? cost_of_a_copy(self) : 0;
	begin = now_ns();
	err = err ?: do_all(self, take);
	cost->take = (now_ns() - begin) / MAPS;
	return err;
}

TEST_F(retire, taking_is_as_cheap_as_giving)
{
	struct cost cost;
	unsigned int i, try;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (try = 0; try < TRIES; try++) {
			ASSERT_EQ(0, cost_of(self, kinds[i].make, kinds[i].take, &cost));
			TH_LOG("%s: %" PRIu64 " and %" PRIu64 " ns, a copy %" PRIu64,
			       kinds[i].name, cost.make, cost.take, cost.copy);
			if (cost.take < limit(&cost))
				break;
		}
		EXPECT_LT(cost.take, limit(&cost));
	}
}

/* Return ns for each; 0: failed */
static uint64_t dereg_cost(struct doca *d, uint8_t *page, unsigned int nr)
{
	uint32_t *mem = calloc(nr, sizeof(*mem));
	uint64_t before, spent = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (mem_reg(d->fd, page, 1, ACCESS_LOCAL, &mem[i]))
			goto out;
	before = now_ns();
	for (i = 0; i < nr; i++)
		if (mem_dereg(d->fd, mem[i]))
			goto out;
	spent = (now_ns() - before) / nr;
out:
	free(mem);
	return spent;
}

TEST(giving_back_costs_the_same_among_many)
{
	uint64_t few, many;
	unsigned int i;
	uint8_t *page;
	struct doca d;

	DOCA_OPEN(&d);
	page = pages_alloc(PAGE);
	ASSERT_NE(NULL, page);
	for (i = 0; i < TRIES; i++) {
		few = dereg_cost(&d, page, 500);
		many = dereg_cost(&d, page, 8000);
		ASSERT_NE(0, few);
		ASSERT_NE(0, many);
		TH_LOG("%" PRIu64 " and %" PRIu64 " ns", few, many);
		if (many < 4 * few)
			break;
	}
	EXPECT_LT(many, 4 * few);
	DOCA_CLOSE(&d);
}

TEST_HARNESS_MAIN
