/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A source that stands before another, and ends the program if more is read than may be. */
#ifndef DOCA_TESTS_APSH_WATCH_H
#define DOCA_TESTS_APSH_WATCH_H

#include "apsh_image.h"

static struct watch {
	const struct source_ops *ops; /* of the other one */
	const struct regions *regions;
	struct source_ops mine;
	u64 reads, ranges, gaps;
} watch;

static void watch_range(u64 pa, u64 len)
{
	if (regions_have(watch.regions, pa, len))
		return;
	printf("# %lu bytes at %#lx are read, which may not be\n", len, pa);
	abort();
}

static int watch_read(struct source *s, struct source_range *r, unsigned int nr)
{
	watch.reads++;
	for (unsigned int i = 0; i < nr; i++) {
		u64 end = r[i].pa + r[i].len;

		watch_range(r[i].pa, r[i].len);
		watch.ranges++;
		if (!r[i].on)
			continue;
		watch.gaps++;
		watch_range(end, r[i + 1].pa - end);
	}
	return watch.ops->read(s, r, nr);
}

/* A started system, until it is destroyed. */
static void watch_system(struct doca_apsh_system *s)
{
	watch = (struct watch){ .ops = s->source.ops,
				.regions = &s->regions,
				.mine = *s->source.ops };
	watch.mine.read = watch_read;
	s->source.ops = &watch.mine;
}

#endif /* DOCA_TESTS_APSH_WATCH_H */
