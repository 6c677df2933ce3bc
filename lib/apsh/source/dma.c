// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The memory of this machine, read by the driver. /proc/iomem says which of it is RAM, and
 * /sys/kernel/vmcoreinfo where VMCOREINFO is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/gather.h"

#include "dma.h"

LOG_SOURCE("APSH");

/* Of more, the kernel's own would be wrong. */
#define MAX_NOTES (64 << 10)

static doca_error_t find_ram(struct source *s)
{
	static const char path[] = "/proc/iomem";
	FILE *f = fopen(path, "re");
	doca_error_t ret = DOCA_SUCCESS;
	char line[256];
	u64 first, last;

	if (!f)
		return FAIL(INITIALIZATION, "%s: %s", path, strerror(errno));
	s->file_size = INT64_MAX;
	while (ret == DOCA_SUCCESS && fgets(line, sizeof(line), f))
		/* what is within another range is indented */
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) == 2 &&
		    line[0] != ' ' && strstr(line, " : System RAM") &&
		    last > first)
			ret = source_add(s, path, first, first,
					 last - first + 1);
	fclose(f);
	if (ret == DOCA_SUCCESS && !s->nr_segs)
		ret = FAIL(INITIALIZATION,
			   "%s shows no RAM; it needs CAP_SYS_ADMIN", path);
	return ret == DOCA_SUCCESS ? source_settle(s, path) : ret;
}

static int read_dma(struct source *s, struct source_range *r, unsigned int nr)
{
	struct gather_piece *p = calloc(nr, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	for (unsigned int i = 0; i < nr; i++)
		p[i] = (struct gather_piece){ .pa = r[i].pa,
					      .len = r[i].len,
					      .to = r[i].to };
	err = doca_priv_gather_read(s->gather, p, nr);
	for (unsigned int i = 0; i < nr; i++)
		r[i].absent = p[i].absent;
	free(p);
	s->rounds = doca_priv_gather_stats(s->gather).rounds;
	return err;
}

/* Without it memory is searched for it. */
static void find_notes(struct source *s)
{
	FILE *f = fopen("/sys/kernel/vmcoreinfo", "re");
	struct source_range r = { .pa = 0 };
	u64 len = 0;

	if (f && fscanf(f, "%" SCNx64 " %" SCNx64, &r.pa, &len) == 2 && len &&
	    len <= MAX_NOTES) {
		r.len = (u32)len;
		r.to = malloc(len);
		if (r.to && !read_dma(s, &r, 1) && !r.absent)
			source_notes(s, r.to, len);
		free(r.to);
	}
	if (f)
		fclose(f);
}

static doca_error_t open_dma(struct source *s, const struct target *t,
			     struct doca_dev *dev)
{
	doca_error_t ret = doca_priv_gather_open(dev, &s->gather);

	(void)t;
	if (ret == DOCA_SUCCESS)
		ret = find_ram(s);
	/* a kernel that has none, or does not say, is found in another way */
	if (ret == DOCA_SUCCESS)
		find_notes(s);
	return ret;
}

static bool next_data(struct source *s, u64 *pa, u64 *len)
{
	const struct segment *seg = source_segment(s, *pa);

	if (!seg)
		return false;
	if (*pa < seg->pa)
		*pa = seg->pa;
	*len = seg->pa + seg->len - *pa;
	return true;
}

static void close_dma(struct source *s)
{
	if (s->gather) {
		struct gather_stats stats = doca_priv_gather_stats(s->gather);

		LOG_INFO("the memory of this machine was read in %lu rounds, "
			 "%lu bytes",
			 stats.rounds, stats.bytes);
	}
	doca_priv_gather_close(s->gather);
	free(s->segs);
	free(s->vmcoreinfo);
}

const struct source_ops source_dma_ops = {
	.open = open_dma,
	.read = read_dma,
	.next_data = next_data,
	.close = close_dma,
};
