// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Executors that get no CPU, in the middle of a step, keep nothing of others. */
#include <dirent.h>

#include "starve.h"
#include "counts.h"
#include "dm.h"
#include "kselftest_harness.h"

#define LENGTH (1UL << 20)

/* An executor, with memory that it uses and a page that it does not; and who takes the page. */
struct attacker {
	struct doca d;
	struct buf buf;
	struct queue q;
	pthread_t thread;
	uint8_t *page;
	uint32_t mem;
	pid_t tid;
	int err;
	bool returned;
};

FIXTURE(retire_starved) {
	struct doca d;
	struct starving s;
	struct attacker v[STARVED];
};

static void copy_much(void *arg)
{
	struct attacker *v = arg;
	struct doca_cqe cqe;
	int i;

	for (i = 0; i < 8; i++)
		queue_push(&v->q, sqe_copy(seg_of(&v->buf, 0, LENGTH),
					   seg_of(&v->buf, LENGTH, LENGTH)));
	queue_announce(&v->q);
	queue_enter(v->q.fd, UINT32_MAX, NULL);
	for (i = 0; i < 8; i++)
		queue_wait(&v->q, &cqe);
}

FIXTURE_SETUP(retire_starved)
{
	int i;

	DOCA_OPEN(&self->d);
	if (!starving_begin(&self->s))
		SKIP_SETUP("one CPU, or a kernel that is not preemptible");
	for (i = 0; i < STARVED; i++) {
		struct attacker *v = &self->v[i];

		ASSERT_EQ(0, doca_open(&v->d));
		ASSERT_EQ(0, buf_make(&v->d, &v->buf, 2 * LENGTH, ACCESS_LOCAL));
		ASSERT_EQ(0, queue_open(&v->q, &v->d, 0, 16, 0));
		v->page = pages_alloc(PAGE);
		ASSERT_TRUE(starving_add(&self->s, copy_much, v));
	}
}

FIXTURE_TEARDOWN(retire_starved)
{
	int i;

	starving_end(&self->s);
	for (i = 0; i < STARVED; i++) {
		queue_close(&self->v[i].q);
		close(self->v[i].d.fd);
	}
	DOCA_CLOSE(&self->d);
}

static void *take_page(void *arg)
{
	struct attacker *v = arg;

	ring_store((uint32_t *)&v->tid, gettid());
	v->err = mem_dereg(v->d.fd, v->mem);
	ring_store(&v->returned, true);
	return NULL;
}

/* Begin to take the page, which waits for the executor. */
static int begin_to_take(struct attacker *v)
{
	uint32_t key;
	int err;

	v->tid = 0;
	v->returned = false;
	err = mem_reg(v->d.fd, v->page, PAGE, ACCESS_LOCAL, &v->mem) ?:
	      mem_map(v->d.fd, v->mem, v->d.device, ACCESS_LOCAL, &key);
	return err ?: -pthread_create(&v->thread, NULL, take_page, v);
}

/* Count the kernel's workers that are in the driver. */
static int workers_in_driver(void)
{
	DIR *all = opendir("/proc");
	char path[300], line[256];
	struct dirent *one;
	int nr = 0;
	FILE *f;

	while ((one = readdir(all))) {
		bool inside = false;

		snprintf(path, sizeof(path), "/proc/%s/comm", one->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (!fgets(line, sizeof(line), f) || strncmp(line, "kworker", 7))
			*line = '\0';
		fclose(f);
		snprintf(path, sizeof(path), "/proc/%s/stack", one->d_name);
		f = *line ? fopen(path, "r") : NULL;
		if (!f)
			continue;
		while (fgets(line, sizeof(line), f))
			inside |= !!strstr(line, "[doca]");
		fclose(f);
		nr += inside;
	}
	closedir(all);
	return nr;
}

/* Return true if all went on while no executor ran. */
static bool go_on_without(FIXTURE_DATA(retire_starved) *self, struct __test_metadata *_metadata)
{
	uint8_t *page = pages_alloc(PAGE);
	struct doca_dm_query q;
	bool held = true;
	long switches;
	uint32_t mem;
	int i;

	starve(&self->s);
	switches = starved_switches(&self->s);
	for (i = 0; i < STARVED; i++)
		EXPECT_EQ(0, begin_to_take(&self->v[i]));
	for (i = 0; i < STARVED; i++)
		WAIT_UNTIL(ring_load(&self->v[i].returned) ||
			   state_of(ring_load((uint32_t *)&self->v[i].tid)) == 'S' ||
			   state_of(ring_load((uint32_t *)&self->v[i].tid)) == 'D');
	EXPECT_EQ(0, dm_query(self->d.fd, self->d.device, &q));
	EXPECT_EQ(0, mem_reg(self->d.fd, page, PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	WAIT_UNTIL(!workers_in_driver());
	for (i = 0; i < STARVED; i++)
		held &= !ring_load(&self->v[i].returned);
	held &= starved_switches(&self->s) == switches;
	feed(&self->s);
	for (i = 0; i < STARVED; i++) {
		pthread_join(self->v[i].thread, NULL);
		EXPECT_EQ(0, self->v[i].err);
	}
	munmap(page, PAGE);
	return held;
}

TEST_F_TIMEOUT(retire_starved, executors_occupy_no_worker_of_the_kernel, 120)
{
	unsigned int round = 0, tries = 0;

	while (round < rounds(by_day() ? 3 : 4)) {
		round += go_on_without(self, _metadata);
		tries++;
	}
	TH_LOG("%u of %u rounds count", round, tries);
}

TEST_HARNESS_MAIN
