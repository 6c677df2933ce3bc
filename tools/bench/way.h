/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A way to have operations done, which is measured and compared with others. */
#ifndef BENCH_WAY_H
#define BENCH_WAY_H

#include <stdbool.h>
#include <stddef.h>

/* Other libraries define it, too. */
#undef container_of
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))

struct area;
struct hist;

struct load {
	size_t size; /* bytes of a copy; 0: NOP */
	unsigned int depth; /* operations in flight */
};

/* Parameters and results of a run. */
struct meter {
	double seconds; /* duration of the run */
	struct hist *times; /* time of each operation; NULL: none */
	double rate; /* operations a second */
	double kernel; /* bytes of kernel memory for each operation */
	double cpu; /* seconds of this thread for each operation */
};

struct way {
	const char *name;
	int (*open)(struct way *way, const struct load *load);
	int (*run)(struct way *way, struct meter *meter);
	void (*close)(struct way *way); /* NULL: nothing to do */
	/* The memory that it copies within; NULL: the way checks its copies itself. */
	const struct area *area;
	unsigned int max_depth; /* 0: any */
	bool serial; /* it does one operation at a time, whatever the depth */
	bool optional; /* its failure does not end the measurement */
	bool failed;
};

/* Run it, and check that everything was copied. */
int way_run(struct way *way, const struct load *load, struct meter *meter);

void way_close(struct way *way);

#endif /* BENCH_WAY_H */
