// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Registration of memory that is populated already, by its kind of pages. */
#include "bench/msg.h"
#include "plans.h"
#include "common/usage.h"
#include "pin.h"

#define DEFAULT_SIZE ((size_t)1 << 30)

enum { REF_VERBS };

static const char *const refs[] = { "ibv_reg_mr", NULL };

static const struct {
	const char *name;
	const char *what;
	const char *missing;
} kinds[] = {
	[PAGES_SMALL] = {
		.name = "4K",
		.what = "4 KiB",
	},
	[PAGES_HUGE] = {
		.name = "2M",
		.what = "2 MiB",
		.missing = "pages of 2 MiB are not measured: there are none",
	},
	[PAGES_HUGETLB] = {
		.name = "hugetlb",
		.what = "hugetlbfs",
		.missing = "hugetlbfs is not measured: "
			   "/proc/sys/vm/nr_hugepages is too low",
	},
};

static int measure(struct bench *bench, size_t size, enum pages pages)
{
	struct load load = { .size = size, .depth = 1 };
	static struct group group;
	static struct pin_way doca, verbs;
	struct pin_area memory;
	int ret;

	progress("pinning pages of %s", kinds[pages].what);
	ret = pin_area_open(&memory, size, pages);
	if (ret < 0)
		return -1;
	if (ret) {
		progress_end();
		note(kinds[pages].missing);
		return 0;
	}
	plan_group(bench, &group, kinds[pages].name, &load);
	pin_doca_init(&doca, &memory, bench->device);
	group_add(&group, &doca.way);
	if (pin_verbs_init(&verbs, &memory))
		group_add(&group, &verbs.way);
	group.refs[REF_VERBS] = &verbs.way;
	ret = plan_measure(bench, &group);
	pin_area_close(&memory);
	return ret;
}

static int measure_all(struct bench *bench, size_t size)
{
	enum pages pages;

	for (pages = PAGES_SMALL; pages <= PAGES_HUGETLB; pages++)
		if (measure(bench, size, pages))
			return -1;
	return 0;
}

static void check(const struct options *opts)
{
	unsigned int i;

	for (i = 0; i < opts->nr_sizes; i++)
		if (opts->own_sizes && !opts->sizes[i].bytes)
			usage("--sizes: pinning has no nop");
}

static int run(struct bench *bench)
{
	const struct options *opts = bench->opts;
	unsigned int i;

	if (!opts->own_sizes)
		return measure_all(bench, DEFAULT_SIZE);
	for (i = 0; i < opts->nr_sizes; i++)
		if (measure_all(bench, opts->sizes[i].bytes))
			return -1;
	return 0;
}

const struct plan plan_pinning = {
	.name = "pinning",
	.help = "registration of 1 GiB of memory, or of --sizes",
	.run = run,
	.check = check,
	.columns = {
		.single = true,
		.kernel = true,
		.refs = refs,
		.notes =
			"4K, 2M        the pages that the memory has\n"
			"hugetlb       pages of 2 MiB that were reserved\n"
			"kernel        the memory that was free before and is not, the pages aside\n"
			"ibv_reg_mr    the speed as a part of that of ibv_reg_mr() on an RDMA device\n",
	},
};
