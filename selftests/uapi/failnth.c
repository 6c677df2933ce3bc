// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Run every call, mapping and end of an object, with each allocation and each copy from
 * or to user space failing in turn, until none is left to fail. A failed call leaves
 * nothing behind, and works when it is called again.
 */
#include "../lib/write_to.h"
#include "world.h"
#include "kselftest_harness.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define ENOUGH 100000 /* more points than any call can have */

FIXTURE(failnth) {
	struct doca d;
	struct world w;
	int nth; /* fail-nth of this thread */
	long pool; /* huge pages before */
};

/* Steps before the first belong to another variant. */
FIXTURE_VARIANT(failnth) {
	const struct step *steps;
	size_t first;
	uint32_t worker_idle_us;
};

FIXTURE_VARIANT_ADD(failnth, orderly) {
	.steps = orderly };
FIXTURE_VARIANT_ADD(failnth, orderly_polling) {
	.steps = orderly, .worker_idle_us = 1000000 };
FIXTURE_VARIANT_ADD(failnth, memory_first) {
	.steps = memory_first, .first = NR_MADE };
FIXTURE_VARIANT_ADD(failnth, file_first) {
	.steps = file_first, .first = NR_MADE, .worker_idle_us = 1000000 };
FIXTURE_VARIANT_ADD(failnth, importer_first) {
	.steps = importer_first, .first = NR_MADE };
FIXTURE_VARIANT_ADD(failnth, mappings_last) {
	.steps = mappings_last, .first = NR_MADE, .worker_idle_us = 1000000 };
FIXTURE_VARIANT_ADD(failnth, memories) {
	.steps = memories };

/* Points of all variants, each of which is a process */
static int *sum;

static __attribute__((constructor)) void share_sum(void)
{
	sum = mmap(NULL, sizeof(*sum), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/*
 * Make all allocations fail that may, silently. Otherwise nearly all of the time would go
 * to waiting for grace periods.
 */
static bool set_up_injection(void)
{
	static const char *const settings[][2] = {
		{ "debug/failslab/ignore-gfp-wait", "N" },
		{ "debug/failslab/verbose", "0" },
		{ "debug/fail_page_alloc/ignore-gfp-wait", "N" },
		{ "debug/fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "debug/fail_page_alloc/min-order", "0" },
		{ "debug/fail_page_alloc/verbose", "0" },
		{ "debug/fail_usercopy/verbose", "0" },
		{ "rcu_expedited", "1" },
	};
	char path[128];
	int i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/%s", settings[i][0]);
		if (!write_to(path, settings[i][1]))
			return false;
	}
	return true;
}

FIXTURE_SETUP(failnth)
{
	self->nth = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	if (self->nth < 0 || !set_up_injection())
		SKIP_SETUP("this kernel cannot let allocations and copies fail");
	self->pool = hugetlb_pool();
	hugetlb_set_pool(self->pool + WORLD_HUGE / (2 << 20));
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, world_init(&self->w, &self->d, variant->worker_idle_us));
}

FIXTURE_TEARDOWN(failnth)
{
	if (self->w.dmabuf >= 0)
		close(self->w.dmabuf);
	close(self->nth);
	DOCA_CLOSE(&self->d);
	hugetlb_set_pool(self->pool);
}

/* Make the @nth allocation or copy of @step fail; return true if there was one */
static bool run_failing(FIXTURE_DATA(failnth) *self, const struct step *step,
			unsigned int nth, int *err)
{
	char word[16] = {};
	int len = snprintf(word, sizeof(word), "%u", nth);
	bool armed = pwrite(self->nth, word, len, 0) == len;

	*err = step->run(&self->w);
	/* Reading copies, too, and may be what fails: then nothing had failed before. */
	if (pread(self->nth, word, sizeof(word) - 1, 0) < 0)
		word[0] = '1';
	while (pwrite(self->nth, "0", 1, 0) < 0)
		;
	return armed && word[0] == '0';
}

/* Sockets report ENFILE and ENOBUFS when there is no memory. */
static bool error_is_fair(int err)
{
	return !err || err == -ENOMEM || err == -EFAULT || err == -ENFILE ||
	       err == -ENOBUFS;
}

static int prepare(struct world *w, const struct step *steps, int at)
{
	int err = world_begin(w);
	int i;

	for (i = 0; !err && i < at; i++)
		err = steps[i].run(w);
	return err;
}

/*
 * Run all points of one step; return their number, negative on failure. Each has a world
 * of its own, unless the step only looks at it.
 */
static int sweep(FIXTURE_DATA(failnth) *self, const struct step *steps, int at)
{
	const struct step *step = &steps[at];
	struct world *w = &self->w;
	bool hit = true;
	int nth, err;

	for (nth = 1; hit && nth < ENOUGH; nth++) {
		err = nth == 1 || !step->looks ? prepare(w, steps, at) : 0;
		if (err)
			return err;
		hit = run_failing(self, step, nth, &err);
		if (error_is_fair(err) && (!err || !step->run(w)) &&
		    ((hit && step->looks) || world_end(w)))
			continue;
		fprintf(stderr, "# point %d: %d\n", nth, err);
		return -1;
	}
	return nth - 2;
}

TEST_F_TIMEOUT(failnth, each_point_of_each_step, 3600)
{
	const struct step *steps = variant->steps;
	int points, total = 0;
	size_t at;

	for (at = variant->first; steps[at].name; at++) {
		points = sweep(self, steps, at);
		ASSERT_LE(0, points)
			TH_LOG("in step %s", steps[at].name);
		fprintf(stderr, "# %-18s %4d points\n", steps[at].name, points);
		total += points;
	}
	fprintf(stderr, "# %d points injected\n", total);
	EXPECT_LT(0, total);
	*sum += total;
}

/* Runs after all of the above */
FIXTURE(points) {};
FIXTURE_SETUP(points) {}
FIXTURE_TEARDOWN(points) {}

TEST_F(points, are_many)
{
	if (!*sum)
		SKIP(return, "this kernel cannot let allocations and copies fail");
	fprintf(stderr, "# %d points injected by all\n", *sum);
	EXPECT_LE(2000, *sum);
}

TEST_HARNESS_MAIN
