// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Copies by a DMA engine through the driver, compared with a loop in its provider that
 * prepares, submits and is called back (selftests/dma/testdma/loop.c). Both run by turns,
 * and their medians are compared. "make bench-engines" runs it; it fails if a goal is
 * missed.
 */
#include "kselftest_harness.h"
#include "engine.h"

#define TURNS 7

struct figure {
	const char *name;
	uint32_t depth, length, count;
	bool worker;
	double goal; /* wanted share of the loop's rate; 0: none */
};

/* A program would take the quicker way, so only one of the two has a goal. */
static const struct figure figures[] = {
	{ "4 KiB, one at a time, by calls", 1, 4096, 1000, false, 0.8 },
	{ "4 KiB, one at a time, with a worker", 1, 4096, 1000, true, 0 },
	{ "256 KiB, one at a time, by calls", 1, 262144, 200, false, 0.8 },
	{ "4 KiB, 32 at a time, by calls", 32, 4096, 4000, false, 0.6 },
	{ "4 KiB, 32 at a time, with a worker", 32, 4096, 4000, true, 0 },
};

/* The measured queue, and the time of its copies */
struct bench {
	struct doca d;
	struct buf src, dst;
	double ours[TURNS], bare[TURNS];
	uint64_t issues, batches;
};

static long knob_read(const char *name)
{
	char path[128];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), ENGINE_KNOBS ENGINE_NAME "/%s", name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

static int submit(struct bench *b, struct queue *q, const struct figure *f,
		  uint32_t n)
{
	uint32_t i, at;

	for (i = 0; i < n; i++) {
		at = q->tail % f->depth * f->length;
		queue_push(q, sqe_copy(seg_of(&b->dst, at, f->length),
				       seg_of(&b->src, at, f->length)));
	}
	b->batches++;
	return queue_publish(q);
}

/* Sleep until @least copies have come back; return their number, negative if one failed. */
static int reap(struct queue *q, int least)
{
	struct doca_cqe cqe;
	int n = 0;

	for (;;) {
		while (queue_reap(q, &cqe)) {
			if (cqe.status != DOCA_STATUS_SUCCESS)
				return -EIO;
			n++;
		}
		if (n >= least)
			return n;
		ring_store(&q->user->notify_at, q->head + least - n);
		ring_barrier();
		if (ring_load(&q->kernel->cq_tail) - q->head >= least - n)
			continue;
		if (queue_revents(q, POLLIN, 10000) != POLLIN)
			return -ETIMEDOUT;
	}
}

/* Return the copies per second; 0 if one failed. */
static double run(struct bench *b, struct queue *q, const struct figure *f)
{
	uint32_t left = f->count, away = 0, n;
	uint64_t start = now_ns();
	int back;

	while (left || away) {
		n = f->depth - away < left ? f->depth - away : left;
		if (n && submit(b, q, f, n))
			return 0;
		left -= n;
		away += n;
		/* The next batch takes the place of half of them. */
		back = reap(q, (away + 1) / 2);
		if (back < 0)
			return 0;
		away -= back;
	}
	return f->count * 1e9 / (now_ns() - start);
}

static int measure(struct bench *b, const struct figure *f)
{
	const struct mode mode = { f->worker, 1000 };
	uint32_t worker;
	struct queue q;
	int i, err;

	err = mode_worker(&b->d, &mode, &worker);
	if (!err)
		err = queue_create(&q, &b->d,
				   (struct doca_queue_create){
					   .worker_id = worker,
					   .sq_entries = 64,
					   .cq_entries = 64,
					   .nr_ops = f->depth,
				   });
	if (err)
		return err;
	knob("loop_depth", f->depth);
	knob("loop_length", f->length);
	knob("loop_count", f->count);
	b->batches = 0;
	b->issues = 0;
	for (i = 0; i < TURNS; i++) {
		b->bare[i] = knob_read("loop");
		knob("issues", 0);
		b->ours[i] = run(b, &q, f);
		b->issues += knob_read("issues");
		if (b->ours[i] <= 0 || b->bare[i] <= 0)
			err = -EIO;
	}
	queue_close(&q);
	if (worker)
		worker_destroy(b->d.fd, worker);
	return err;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
	qsort(values, TURNS, sizeof(*values), by_size);
	return values[TURNS / 2];
}

/* Return true if the goals are met */
static bool report(struct bench *b, const struct figure *f)
{
	double ours = median(b->ours), bare = median(b->bare);
	double calls = (double)b->issues / b->batches;
	char goal[8] = "-";
	bool met = ours >= f->goal * bare && calls <= 1;

	if (f->goal)
		snprintf(goal, sizeof(goal), "%.2f", f->goal);
	printf("%-36s %8.0f %8.0f  %.2f %5s  %.2f%s\n", f->name, ours, bare,
	       ours / bare, goal, calls, met ? "" : "  missed");
	return met;
}

static int prepare(struct bench *b)
{
	struct family nl;
	int err;

	err = doca_open(&b->d);
	if (!err)
		err = family_open(&nl);
	if (err)
		return err;
	b->d.device = engine_claim(&nl, ENGINE_NAME);
	family_close(&nl);
	if (!b->d.device)
		return -ENODEV;
	err = buf_make(&b->d, &b->src, ENGINE_LENGTH, ACCESS_LOCAL);
	return err ? err :
		     buf_make(&b->d, &b->dst, ENGINE_LENGTH, ACCESS_LOCAL);
}

int main(void)
{
	struct bench b = {};
	bool met = true;
	size_t i;
	int err = prepare(&b);

	if (err) {
		fprintf(stderr, "engine_bench: %s; run 'make bench-engines'\n",
			strerror(-err));
		return 2;
	}
	printf("%-36s %8s %8s ratio  goal  issues a batch\n", "copies a second",
	       "driver", "loop");
	for (i = 0; i < ARRAY_SIZE(figures); i++) {
		err = measure(&b, &figures[i]);
		if (err == -EOPNOTSUPP)
			continue;
		if (err) {
			fprintf(stderr, "engine_bench: %s: %s\n",
				figures[i].name, strerror(-err));
			return 2;
		}
		met &= report(&b, &figures[i]);
	}
	return met ? 0 : 1;
}
