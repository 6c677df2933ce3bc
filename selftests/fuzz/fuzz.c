// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * fuzz SECONDS CORPUS RESULTS COMPLAINTS: run inputs, keep those that make the driver run
 * code that no other input does, and derive others from them, until it finds a fault or
 * the time is over. New inputs go to RESULTS/corpus. RESULTS/running has the current
 * input, and those before it, whatever happens to the machine.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../uapi/doca_uapi.h"
#include "corpus.h"
#include "cover.h"
#include "mutate.h"
#include "sandbox.h"
#include "watch.h"

#define LOG_SECONDS 10
#define UNPLUG_SECONDS 60 /* at least between two: each takes as long as many runs */
#define RUNNING 8 /* number of inputs that are remembered */
#define REPEATS 2 /* runs before new features are believed */
#define LOOK_RUNS 64 /* runs between two looks for leaks */

#define EXIT_FOUND 3

static struct fuzz {
	const char *results;
	struct corpus corpus;
	int running[RUNNING];
	unsigned long runs, killed;
	uint64_t begun, logged, unplugged;
	uint32_t seed;
	FILE *log;
} fuzz;

static unsigned long seconds_since(uint64_t ns)
{
	return (now_ns() - ns) / 1000000000;
}

static void say(const char *what, const char *more)
{
	unsigned long seconds = seconds_since(fuzz.begun);
	FILE *to[] = { stdout, fuzz.log };
	int i;

	for (i = 0; i < 2; i++) {
		fprintf(to[i],
			"%s: %lu s, %lu runs, %lu/s, %u inputs, %u places, %lu killed%s%s\n",
			what, seconds, fuzz.runs, fuzz.runs / (seconds + 1),
			fuzz.corpus.n, cover_places(), fuzz.killed,
			more[0] ? ": " : "", more);
		fflush(to[i]);
	}
	fuzz.logged = now_ns();
}

static void found(const char *what)
{
	say("found", what);
	exit(EXIT_FOUND);
}

/* Write it to the next place in one call: it must be cheap. */
static void remember(const struct input *input)
{
	static struct input padded;

	memset(&padded, 0, sizeof(padded));
	memcpy(padded.steps, input->steps, input->n * sizeof(struct step));
	if (pwrite(fuzz.running[fuzz.runs % RUNNING], padded.steps,
		   sizeof(padded.steps), 0) < 0)
		found("what is run cannot be written down");
}

static void look(void)
{
	const char *complaint = watch_complaint(), *remains;

	if (complaint)
		found(complaint);
	if (fuzz.runs % LOOK_RUNS)
		return;
	remains = watch_remains();
	if (remains)
		found(remains);
}

static void run(const struct input *input)
{
	bool may_unplug = seconds_since(fuzz.unplugged) >= UNPLUG_SECONDS;

	remember(input);
	cover_begin();
	switch (sandbox_run(input->steps, input->n, may_unplug)) {
	case OUTCOME_ENDED:
		break;
	case OUTCOME_KILLED:
		fuzz.killed++;
		break;
	case OUTCOME_STUCK:
		write_to("/proc/sysrq-trigger", "w"); /* print the blocked tasks */
		found("a process cannot be killed, or a device not be plugged");
	}
	if (may_unplug && !common->unplugs)
		fuzz.unplugged = now_ns();
	fuzz.runs++;
	look();
	if (seconds_since(fuzz.logged) >= LOG_SECONDS)
		say("log", "");
}

/* Remove each step that the new features do not need. */
static void shorten(struct input *input, struct features *features)
{
	unsigned int at = input->n;

	while (at--) {
		struct features left = *features;
		struct input less = *input;

		memmove(&less.steps[at], &less.steps[at + 1],
			(less.n - at - 1) * sizeof(struct step));
		less.n--;
		run(&less);
		cover_intersect(&left);
		if (left.n == features->n)
			*input = less;
	}
}

/* Races must not fill the corpus: features count only if they are new again. */
static bool try(struct input *input)
{
	struct features features;
	char folder[PATH_MAX];
	int i;

	run(input);
	cover_new(&features);
	for (i = 0; features.n && i < REPEATS; i++) {
		run(input);
		cover_intersect(&features);
	}
	if (!features.n)
		return false;
	shorten(input, &features);
	cover_learn(&features);
	corpus_add(&fuzz.corpus, input);
	snprintf(folder, sizeof(folder), "%s/corpus", fuzz.results);
	return !input_keep(input, folder, NULL);
}

/* Also tell which inputs are the first to reach some place, for the tree's corpus. */
static void replay(const struct corpus *corpus)
{
	char path[PATH_MAX];
	unsigned int i, before;

	snprintf(path, sizeof(path), "%s/useful", fuzz.results);
	mkdir(path, 0755);
	for (i = 0; i < corpus->n; i++) {
		const struct input *input = &corpus->inputs[i];
		struct features features;

		before = cover_places();
		run(input);
		cover_new(&features);
		cover_learn(&features);
		if (features.n)
			corpus_add(&fuzz.corpus, input);
		if (cover_places() > before)
			input_keep(input, path, NULL);
	}
}

static int open_results(void)
{
	char path[PATH_MAX];
	int i;

	snprintf(path, sizeof(path), "%s/log", fuzz.results);
	fuzz.log = fopen(path, "a");
	snprintf(path, sizeof(path), "%s/corpus", fuzz.results);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/running", fuzz.results);
	mkdir(path, 0755);
	for (i = 0; i < RUNNING; i++) {
		snprintf(path, sizeof(path), "%s/running/%d", fuzz.results, i);
		fuzz.running[i] = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fuzz.running[i] < 0)
			return -errno;
	}
	return fuzz.log ? 0 : -errno;
}

static int begin(char **argv)
{
	struct corpus corpus = {};
	char path[PATH_MAX];
	int err;

	fuzz.results = argv[3];
	fuzz.begun = fuzz.logged = fuzz.unplugged = now_ns();
	fuzz.seed = fuzz.begun | 1;
	if (!cover_init()) {
		fprintf(stderr, "fuzz: this kernel does not tell what code was run\n");
		return -EOPNOTSUPP;
	}
	err = sandbox_init();
	if (!err)
		err = watch_init(argv[4]);
	if (!err)
		err = open_results();
	if (err) {
		fprintf(stderr, "fuzz: %s\n", strerror(-err));
		return err;
	}
	snprintf(path, sizeof(path), "%s/corpus", fuzz.results);
	corpus_load(&corpus, argv[2]);
	corpus_load(&corpus, path);
	replay(&corpus);
	say("corpus", "");
	return 0;
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	unsigned long seconds;

	if (argc != 5) {
		fprintf(stderr, "usage: fuzz SECONDS CORPUS RESULTS COMPLAINTS\n");
		return 2;
	}
	if (begin(argv))
		return 1;
	seconds = strtoul(argv[1], NULL, 0);
	snprintf(path, sizeof(path), "%s/covered", fuzz.results);
	do {
		struct input input;

		mutate(&input, &fuzz.corpus, &fuzz.seed);
		if (try(&input))
			cover_write(path);
	} while (seconds_since(fuzz.begun) < seconds);
	look();
	cover_write(path);
	say("end", "");
	return 0;
}
