// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "group.h"
#include "msg.h"

void group_add_load(struct group *group, struct way *way,
		    const struct load *load)
{
	struct member *member = &group->members[group->nr];

	if (!way || way->failed ||
	    (way->max_depth && load->depth > way->max_depth))
		return;
	group->nr++;
	member->way = way;
	member->load = *load;
}

void group_add(struct group *group, struct way *way)
{
	group_add_load(group, way, &group->load);
}

static void insert(double *sorted, unsigned int n, double value)
{
	for (; n && sorted[n - 1] > value; n--)
		sorted[n] = sorted[n - 1];
	sorted[n] = value;
}

static int run_one(struct group *group, struct member *member, unsigned int run)
{
	struct meter meter = {
		.seconds = group->seconds,
		.times = group->single ? &member->times : NULL,
	};

	if (way_run(member->way, &member->load, &meter))
		return -1;
	insert(member->rates, run, meter.rate);
	insert(member->cpu, run, meter.cpu);
	member->kernel = meter.kernel;
	return 0;
}

/* Go on without a way that has failed, if it is optional. */
static int leave_out(struct group *group, unsigned int i)
{
	struct member *member = &group->members[i];

	if (!member->way->optional)
		return -1;
	member->way->failed = true;
	hint("it is left out of this and all that follows");
	group->nr--;
	memmove(member, member + 1, (group->nr - i) * sizeof(*member));
	return 0;
}

static int run_all(struct group *group)
{
	unsigned int run, i;

	for (run = 0; run < group->runs; run++) {
		for (i = 0; i < group->nr;) {
			struct way *way = group->members[i].way;

			if (!run_one(group, &group->members[i], run))
				i++;
			else if (leave_out(group, i))
				return -1;
			else
				way_close(way);
		}
	}
	return 0;
}

int group_run(struct group *group)
{
	unsigned int i = 0;
	int ret = -1;

	while (i < group->nr) {
		struct member *member = &group->members[i];

		if (!member->way->open(member->way, &member->load))
			i++;
		else if (leave_out(group, i))
			goto out;
	}
	ret = run_all(group);
	i = group->nr;
out:
	while (i--) {
		struct way *way = group->members[i].way;

		way_close(way);
	}
	return ret;
}

static double median(const struct group *group, const struct member *member)
{
	return member->rates[group->runs / 2];
}

static double median_cpu(const struct group *group, const struct member *member)
{
	return member->cpu[group->runs / 2];
}

/* Return the distance between the quartiles of the runs, of the compared value. */
static double spread(const struct group *group, const struct member *member)
{
	const double *all = group->cpu ? member->cpu : member->rates;
	unsigned int runs = group->runs;

	return (all[runs * 3 / 4] - all[runs / 4]) / all[runs / 2];
}

/* Return the compared value: operations a second, or the inverse of an operation's usual time. */
static double speed(const struct group *group, const struct member *member)
{
	if (group->cpu)
		return 1 / median_cpu(group, member);
	if (!group->single)
		return median(group, member);
	return 1e9 / hist_quantile(&member->times, 0.5);
}

/* Return 0 if the way was not run. */
static double speed_of(const struct group *group, const struct way *way)
{
	unsigned int i;

	for (i = 0; way && i < group->nr; i++)
		if (group->members[i].way == way)
			return speed(group, &group->members[i]);
	return 0;
}

static void set_times(const struct group *group, const struct member *member,
		      struct row *row)
{
	const struct hist *times = &member->times;

	if (group->single) {
		row->times = (struct times){
			.mean = hist_mean(times) / 1e9,
			.p50 = hist_quantile(times, 0.5) / 1e9,
			.p99 = hist_quantile(times, 0.99) / 1e9,
			.p999 = hist_quantile(times, 0.999) / 1e9,
			.max = times->max / 1e9,
		};
		return;
	}
	/* That many are always in flight. */
	row->times.mean = 1 / row->rate;
	if (!member->way->serial)
		row->times.mean *= member->load.depth;
}

void group_row(const struct group *group, unsigned int i, struct row *row)
{
	const struct member *member = &group->members[i];
	double own = speed(group, member);
	double trips = speed_of(group, group->line);
	unsigned int ref;

	*row = (struct row){
		.operation = group->operation,
		.way = member->way->name,
		.load = member->load,
		.rate = median(group, member),
		.spread = spread(group, member),
	};
	if (group->cpu)
		row->cpu = median_cpu(group, member);
	if (member->kernel > 0)
		row->kernel = member->kernel;
	set_times(group, member, row);
	if (trips && member->way != group->line)
		row->trips = trips / own;
	for (ref = 0; ref < MAX_REFS; ref++) {
		double theirs = speed_of(group, group->refs[ref]);

		if (theirs && member->way != group->refs[ref] &&
		    member->way != group->line)
			row->to[ref] = own / theirs;
	}
}
