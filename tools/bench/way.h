/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A way to have operations done, to be measured and compared with others. */
#ifndef BENCH_WAY_H
#define BENCH_WAY_H

#include <stdbool.h>
#include <stddef.h>

/* Others have it, too. */
#undef container_of
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))

struct area;
struct hist;

struct load {
	size_t size; /* bytes of a copy; 0: NOP */
	unsigned int depth; /* operations in flight */
};

/* What is asked of a run, and what it has found. */
struct meter {
	double seconds; /* to keep on for */
	struct hist *times; /* of each operation, one at a time; NULL: do not */
	double rate; /* operations done a second */
	double kernel; /* bytes of memory that one took of the kernel */
	double cpu; /* seconds that this thread ran for one */
};

struct way {
	const char *name;
	int (*open)(struct way *way, const struct load *load);
	int (*run)(struct way *way, struct meter *meter);
	void (*close)(struct way *way); /* NULL: nothing to be done */
	/* That it copies within; NULL: it looks after its copies by itself. */
	const struct area *area;
	unsigned int max_depth; /* 0: any */
	bool optional; /* if it fails, others are measured nevertheless */
	bool failed;
};

/* Run it, and see that what it was to copy is copied. */
int way_run(struct way *way, const struct load *load, struct meter *meter);

void way_close(struct way *way);

#endif /* BENCH_WAY_H */
