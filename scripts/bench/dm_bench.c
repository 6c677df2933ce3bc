// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Measures device memory beside its alternatives, in nanoseconds. Prints lines "NAME OURS
 * OTHERS", one for each of the pairs that are measured in turns.
 *
 *   dm_bench DEVICE [PAIRS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <infiniband/verbs.h>

#define COPY 4096
#define COPIES 50000
#define AREA 65536
#define AREAS 500

static struct ibv_context *ctx;
static struct ibv_dm *dm;
static char *a, *b;

/* Volatile, so that the compiler neither removes nor inlines the copies. */
static void *(*volatile copy)(void *to, const void *from, size_t n) = memcpy;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int to_dm(void)
{
	return ibv_memcpy_to_dm(dm, 0, a, COPY);
}

static int from_dm(void)
{
	return ibv_memcpy_from_dm(a, dm, 0, COPY);
}

static int by_libc(void)
{
	copy(b, a, COPY);
	return 0;
}

static int by_alloc(void)
{
	struct ibv_alloc_dm_attr attr = { .length = AREA };
	struct ibv_dm *area = ibv_alloc_dm(ctx, &attr);

	return area ? ibv_free_dm(area) : -1;
}

static int by_mmap(void)
{
	void *p = mmap(NULL, AREA, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p == MAP_FAILED ? -1 : munmap(p, AREA);
}

static double measure(int (*run)(void), int times)
{
	double begin;
	int i;

	run();
	begin = now();
	for (i = 0; i < times; i++) {
		if (run()) {
			fputs("dm_bench: a call failed\n", stderr);
			exit(EXIT_FAILURE);
		}
	}
	return (now() - begin) / times;
}

static void compare(const char *name, int (*ours)(void), int (*others)(void),
		    int times)
{
	double o = measure(ours, times);

	printf("%s %.1f %.1f\n", name, o, measure(others, times));
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *found = NULL;
	int i;

	for (i = 0; list && list[i] && !found; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			found = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return found;
}

int main(int argc, char **argv)
{
	struct ibv_alloc_dm_attr attr = { .length = COPY };
	int pairs = argc > 2 ? atoi(argv[2]) : 9;

	ctx = argc > 1 ? open_device(argv[1]) : NULL;
	dm = ctx ? ibv_alloc_dm(ctx, &attr) : NULL;
	a = aligned_alloc(COPY, COPY);
	b = aligned_alloc(COPY, COPY);
	if (!dm || !a || !b) {
		fputs("dm_bench: no such device, or no device memory\n",
		      stderr);
		return EXIT_FAILURE;
	}
	memset(a, 1, COPY);
	memset(b, 2, COPY);
	for (; pairs > 0; pairs--) {
		compare("to", to_dm, by_libc, COPIES);
		compare("from", from_dm, by_libc, COPIES);
		compare("area", by_alloc, by_mmap, AREAS);
	}
	ibv_free_dm(dm);
	ibv_close_device(ctx);
	free(a);
	free(b);
	return 0;
}
