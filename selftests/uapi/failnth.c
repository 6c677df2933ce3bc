// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Every call, mapping and end of an object with each allocation and each copy from
 * or to user space failing in turn, until none is left to fail. What failed has
 * left nothing behind, and works when it is called again.
 */
#include "world.h"
#include "kselftest_harness.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define ENOUGH 100000 /* points of one call: there cannot be so many */

FIXTURE(failnth) {
	struct doca d;
	struct world w;
	int nth; /* of this thread */
};

FIXTURE_VARIANT(failnth) {
	const struct step *steps;
	uint32_t worker_idle_us;
};

FIXTURE_VARIANT_ADD(failnth, orderly) {
	.steps = orderly };
FIXTURE_VARIANT_ADD(failnth, orderly_polling) {
	.steps = orderly, .worker_idle_us = 1000000 };
FIXTURE_VARIANT_ADD(failnth, memory_first) {
	.steps = memory_first };
FIXTURE_VARIANT_ADD(failnth, file_first) {
	.steps = file_first, .worker_idle_us = 1000000 };

static bool write_to(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, word, strlen(word)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

/* All allocations fail that may, without a word */
static bool set_up_injection(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];
	int i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 settings[i][0]);
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
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, world_init(&self->w, &self->d, variant->worker_idle_us));
}

FIXTURE_TEARDOWN(failnth)
{
	if (self->w.dmabuf >= 0)
		close(self->w.dmabuf);
	close(self->nth);
	DOCA_CLOSE(&self->d);
}

/* Have the @nth allocation or copy of @step fail; whether there was one */
static bool run_failing(FIXTURE_DATA(failnth) *self, const struct step *step,
			unsigned int nth, int *err)
{
	char word[16] = {};
	int len = snprintf(word, sizeof(word), "%u", nth);
	bool armed = pwrite(self->nth, word, len, 0) == len;

	*err = step->run(&self->w);
	/* To read it copies, which may be what fails: then nothing had before. */
	if (pread(self->nth, word, sizeof(word) - 1, 0) < 0)
		word[0] = '1';
	while (pwrite(self->nth, "0", 1, 0) < 0)
		;
	return armed && word[0] == '0';
}

/* Sockets say ENFILE and ENOBUFS when there is no memory. */
static bool error_is_fair(int err)
{
	return !err || err == -ENOMEM || err == -EFAULT || err == -ENFILE ||
	       err == -ENOBUFS;
}

/* All points of one step; how many there were, negative on failure */
static int sweep(FIXTURE_DATA(failnth) *self, const struct step *steps, int at)
{
	struct world *w = &self->w;
	bool hit = true;
	int nth, i, err;

	for (nth = 1; hit && nth < ENOUGH; nth++) {
		err = world_begin(w);
		for (i = 0; !err && i < at; i++)
			err = steps[i].run(w);
		if (err)
			return err;
		hit = run_failing(self, &steps[at], nth, &err);
		if (error_is_fair(err) && (!err || !steps[at].run(w)) &&
		    world_end(w))
			continue;
		fprintf(stderr, "# point %d: %d\n", nth, err);
		return -1;
	}
	return nth - 2;
}

TEST_F_TIMEOUT(failnth, each_point_of_each_step, 3600)
{
	int at, points, total = 0;

	for (at = 0; variant->steps[at].name; at++) {
		/* dma_buf_vmap() takes it for a bug if an exporter has no memory. */
		if (variant->steps[at].run == step_reg_dmabuf)
			continue;
		points = sweep(self, variant->steps, at);
		ASSERT_LE(0, points)
			TH_LOG("in step %s", variant->steps[at].name);
		fprintf(stderr, "# %-18s %4d points\n",
			variant->steps[at].name, points);
		total += points;
	}
	fprintf(stderr, "# %d points injected\n", total);
	EXPECT_LT(100, total);
}

TEST_HARNESS_MAIN
