// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/kcov.h>

#include "cover.h"
#include "language.h"
#include "sandbox.h"

#define AREA_WORDS (16UL << 10)
#define HANDLE 1
#define FEATURES (1U << 18)
#define PLACES (4U << 20) /* bytes of code */

/* The sections of the module's code: most is in the first one. */
static struct section {
	const char *name;
	unsigned long base;
} sections[] = {
	{ .name = ".text" },
	{ .name = ".text.unlikely" },
};

/* One area for each task, and the last one for workers. */
static struct area {
	int fd;
	unsigned long *words;
} areas[TASKS + 1];

static uint8_t known[FEATURES / 8];
static uint8_t seen[FEATURES / 8]; /* in this run */
static uint8_t places[PLACES / 8];
static unsigned int nr_places;
static unsigned long first; /* address of the module's code */

static bool test_and_set(uint8_t *bits, uint32_t at)
{
	uint8_t bit = 1U << at % 8;
	bool was = bits[at / 8] & bit;

	bits[at / 8] |= bit;
	return was;
}

static bool find_sections(void)
{
	char path[64];
	size_t i;

	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/sys/module/doca/sections/%s",
			 sections[i].name);
		f = fopen(path, "r");
		if (f && fscanf(f, "%lx", &sections[i].base) != 1)
			sections[i].base = 0;
		if (f)
			fclose(f);
		if (sections[i].base && (!first || sections[i].base < first))
			first = sections[i].base;
	}
	return sections[0].base;
}

static bool open_area(struct area *area)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR);

	if (fd < 0)
		return false;
	area->fd = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FDS);
	close(fd);
	if (ioctl(area->fd, KCOV_INIT_TRACE, AREA_WORDS))
		return false;
	area->words = mmap(NULL, AREA_WORDS * sizeof(long), PROT_READ | PROT_WRITE,
			   MAP_SHARED, area->fd, 0);
	return area->words != MAP_FAILED;
}

/* Record the code that a task runs from now on, until it ends. */
static void see_task(unsigned int number)
{
	ioctl(areas[number].fd, KCOV_ENABLE, KCOV_TRACE_PC);
}

bool cover_init(void)
{
	struct kcov_remote_arg workers = {
		.trace_mode = KCOV_TRACE_PC,
		.area_size = AREA_WORDS,
		.common_handle = kcov_remote_handle(KCOV_SUBSYSTEM_COMMON, HANDLE),
	};
	unsigned int i;

	if (!find_sections())
		return false;
	for (i = 0; i <= TASKS; i++)
		if (!open_area(&areas[i]))
			return false;
	if (ioctl(areas[TASKS].fd, KCOV_REMOTE_ENABLE, &workers))
		return false;
	on_task = see_task;
	return true;
}

void cover_begin(void)
{
	unsigned int i;

	for (i = 0; i <= TASKS; i++)
		__atomic_store_n(&areas[i].words[0], 0, __ATOMIC_RELAXED);
}

/* A feature is an edge between two places. */
static uint32_t feature_of(unsigned long before, unsigned long place)
{
	return ((uint32_t)(before * 2654435761U) ^ (uint32_t)(place * 40503U)) % FEATURES;
}

static void see_area(const struct area *area)
{
	unsigned long n = __atomic_load_n(&area->words[0], __ATOMIC_ACQUIRE), i;
	unsigned long before = 0;

	for (i = 1; i <= n && i < AREA_WORDS; i++) {
		unsigned long place = area->words[i] - first;

		if (place >= PLACES)
			continue;
		nr_places += !test_and_set(places, place);
		test_and_set(seen, feature_of(before, place));
		before = place;
	}
}

static void see(void)
{
	unsigned int i;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i <= TASKS; i++)
		see_area(&areas[i]);
}

void cover_new(struct features *features)
{
	unsigned int at, bit;

	see();
	features->n = 0;
	for (at = 0; at < sizeof(seen); at++) {
		uint8_t fresh = seen[at] & ~known[at];

		for (bit = 0; fresh >> bit && features->n < FEATURES_MAX; bit++)
			if (fresh >> bit & 1)
				features->v[features->n++] = at * 8 + bit;
	}
}

void cover_intersect(struct features *features)
{
	unsigned int i, n = 0;

	see();
	for (i = 0; i < features->n; i++)
		if (seen[features->v[i] / 8] >> features->v[i] % 8 & 1)
			features->v[n++] = features->v[i];
	features->n = n;
}

void cover_learn(const struct features *features)
{
	unsigned int i;

	for (i = 0; i < features->n; i++)
		test_and_set(known, features->v[i]);
}

unsigned int cover_places(void)
{
	return nr_places;
}

/* The section of an address is the last one that begins before it. */
static const struct section *section_of(unsigned long address)
{
	const struct section *found = NULL;
	size_t i;

	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (sections[i].base && sections[i].base <= address &&
		    (!found || sections[i].base > found->base))
			found = &sections[i];
	return found;
}

int cover_write(const char *path)
{
	FILE *f = fopen(path, "w");
	unsigned long i;

	if (!f)
		return -1;
	for (i = 0; i < PLACES; i++) {
		const struct section *in = section_of(first + i);

		if (places[i / 8] >> i % 8 & 1)
			fprintf(f, "%s %lx\n", in->name, first + i - in->base);
	}
	return fclose(f);
}
