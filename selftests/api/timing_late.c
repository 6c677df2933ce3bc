// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Where a worker has no CPU of its own, copies are not much slower than without one.
 * Rates are compared in pairs, for the machine's speed varies.
 */
#include <fcntl.h>
#include <sched.h>

#include "../lib/cgroup.h"
#include "bed.h"

#define GROUP CGROUPS "/doca-late"
#define WORKERS "/sys/module/doca/parameters/workers"
#define SECONDS 0.6
#define LENGTH 4096
#define PAIRS 5
#define TIMEOUT 120

enum place {
	ONE_CPU,
	HALF_A_CPU, /* by the quota of a cgroup */
	AS_IT_IS, /* a virtual machine may have fewer CPUs than it shows */
};

struct job {
	unsigned int depth;
	enum place place;
	double *rate; /* shared with the parent */
};

static bool settle(const struct job *job)
{
	cpu_set_t set;

	if (job->place == AS_IT_IS)
		return true;
	if (job->place == ONE_CPU) {
		CPU_ZERO(&set);
		CPU_SET(sched_getcpu(), &set);
		return !sched_setaffinity(0, sizeof(set), &set);
	}
	return group_take(GROUP, getpid());
}

static doca_error_t copy_for_a_while(struct bed *bed, struct doca_mmap *mmap,
				     char *mem, const struct job *job)
{
	double begin, end;
	doca_error_t rc;
	unsigned int i;

	bed->resubmit = true;
	for (i = 0; i < job->depth; i++) {
		rc = bed_copy(bed, mmap, mem, mmap, mem + LENGTH, LENGTH);
		if (rc)
			return rc;
	}
	begin = bed_now();
	do {
		for (i = 0; i < 100; i++)
			doca_pe_progress(bed->pe);
		end = bed_now();
	} while (end < begin + SECONDS);
	*job->rate = bed->succeeded / (end - begin);
	bed->resubmit = false;
	return BED_UNTIL(bed, !bed_inflight(bed)) && !bed->failed ?
		       DOCA_SUCCESS :
		       DOCA_ERROR_UNEXPECTED;
}

/* Run in another process, whose worker is in the same place. */
static int run(void *arg)
{
	const struct job *job = arg;
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *mmap;
	struct bed bed;
	char *mem;

	mem = aligned_alloc(4096, 2 * LENGTH);
	if (!dev || !mem || !settle(job) || bed_create(&bed, dev, NULL) ||
	    doca_ctx_start(bed.ctx) ||
	    bed_mmap(mem, 2 * LENGTH, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev,
		     NULL, &mmap))
		return 1;
	bed_fill(mem, LENGTH, 1);
	if (copy_for_a_while(&bed, mmap, mem, job))
		return 2;
	return memcmp(mem, mem + LENGTH, LENGTH) ? 3 : 0;
}

FIXTURE(late)
{
	bool workers; /* the setting before the test */
	bool group; /* a group was made */
	double *rate;
};

FIXTURE_VARIANT(late)
{
	enum place place;
	unsigned int depth;
};

FIXTURE_VARIANT_ADD(late, one_cpu_one) { ONE_CPU, 1 };
FIXTURE_VARIANT_ADD(late, one_cpu_many) { ONE_CPU, 32 };
FIXTURE_VARIANT_ADD(late, half_a_cpu_one) { HALF_A_CPU, 1 };
FIXTURE_VARIANT_ADD(late, half_a_cpu_many) { HALF_A_CPU, 32 };
FIXTURE_VARIANT_ADD(late, as_it_is_one) { AS_IT_IS, 1 };
FIXTURE_VARIANT_ADD(late, as_it_is_many) { AS_IT_IS, 32 };

FIXTURE_SETUP(late)
{
	self->workers = bed_workers();
	self->group = true;
	if (variant->place == HALF_A_CPU) {
		self->group = group_make(GROUP, "+cpu") &&
			      write_to(GROUP "/cpu.max", "50000 100000");
	}
	self->rate = mmap(NULL, sizeof(*self->rate), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->rate);
}

FIXTURE_TEARDOWN(late)
{
	if (self->workers)
		EXPECT_TRUE(write_to(WORKERS, "Y"));
	if (variant->place == HALF_A_CPU)
		rmdir(GROUP);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Return the rate; 0 after an error. */
static double rate_of(struct job *job, const char *workers)
{
	*job->rate = 0;
	if (!write_to(WORKERS, workers) || bed_in_child(run, job))
		return 0;
	return *job->rate;
}

TEST_F_TIMEOUT(late, a_worker_costs_less_than_two_thirds, TIMEOUT)
{
	struct job job = { variant->depth, variant->place, self->rate };
	double ratio[PAIRS], with, without;
	int i;

	if (!self->workers)
		SKIP(return, "workers are switched off");
	if (!self->group)
		SKIP(return, "no cgroup with a quota of CPU time");
	for (i = 0; i < PAIRS; i++) {
		without = rate_of(&job, "N");
		with = rate_of(&job, "Y");
		ASSERT_LT(0, without);
		ASSERT_LT(0, with);
		ratio[i] = with / without;
		TH_LOG("%.0f a second with a worker, %.0f without: %.2f", with,
		       without, ratio[i]);
	}
	qsort(ratio, PAIRS, sizeof(*ratio), by_size);
	EXPECT_LT(1.0 / 3, ratio[PAIRS / 2]);
}

TEST_HARNESS_MAIN
