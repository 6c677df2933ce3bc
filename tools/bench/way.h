/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A way to have operations done, to be measured and compared with others. */
#ifndef BENCH_WAY_H
#define BENCH_WAY_H

#include <stddef.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))

struct load {
	size_t size; /* bytes of a copy; 0: NOP */
	unsigned int depth; /* operations in flight */
};

struct way {
	const char *name;
	int (*open)(struct way *way, const struct load *load);
	/* Keep on for so many seconds; the operations done a second. */
	int (*run)(struct way *way, double seconds, double *rate);
	void (*close)(struct way *way);
};

#endif /* BENCH_WAY_H */
