/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A source in front of another one. It ends the program if more is read than allowed. One
 * page may be missing.
 */
#ifndef DOCA_TESTS_APSH_WATCH_H
#define DOCA_TESTS_APSH_WATCH_H

#include "apsh_image.h"

static struct watch {
	const struct source_ops *ops; /* the other source's */
	const struct regions *regions;
	struct source_ops mine;
	u64 reads, ranges, gaps;
	u64 missing; /* address of a missing page; UINT64_MAX: none */
	bool wanted[IMAGE_SIZE / PAGE];
} watch;

static void want_range(struct source_range *r)
{
	for (u64 pa = r->pa & ~(PAGE - 1); pa < r->pa + r->len; pa += PAGE) {
		if (pa < IMAGE_SIZE)
			watch.wanted[pa / PAGE] = true;
		if (pa != watch.missing)
			continue;
		r->absent = true;
		memset(r->to, 0, r->len);
	}
}

static void watch_range(u64 pa, u64 len)
{
	if (regions_have(watch.regions, pa, len))
		return;
	printf("# %lu bytes at %#lx are read, which may not be\n", len, pa);
	abort();
}

static int watch_read(struct source *s, struct source_range *r, unsigned int nr)
{
	int err = watch.ops->read(s, r, nr);

	watch.reads++;
	for (unsigned int i = 0; i < nr; i++) {
		u64 end = r[i].pa + r[i].len;

		want_range(&r[i]);
		watch_range(r[i].pa, r[i].len);
		watch.ranges++;
		if (!r[i].on)
			continue;
		watch.gaps++;
		watch_range(end, r[i + 1].pa - end);
	}
	return err;
}

/* Watch a started system until it is destroyed. */
static inline void watch_system(struct doca_apsh_system *s)
{
	watch = (struct watch){ .ops = s->source.ops,
				.regions = &s->regions,
				.mine = *s->source.ops,
				.missing = UINT64_MAX };
	watch.mine.read = watch_read;
	s->source.ops = &watch.mine;
}

#endif /* DOCA_TESTS_APSH_WATCH_H */
