// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several threads submit at once, each with its own domain, worker and queue. The
 * second pair has the CPUs of the first one the other way round. With two CPUs only,
 * pairs share them and should share nothing else.
 */
#include <errno.h>
#include <pthread.h>

#include "bench/msg.h"
#include "scale.h"

static void *run_pair(void *arg)
{
	struct pair *pair = arg;
	struct way *way = &pair->ring.way;

	pair->ret = cpu_pin(pair->cpus.submit) ? -1 :
						 way->run(way, &pair->meter);
	return NULL;
}

static int pairs_run(struct way *way, struct meter *meter)
{
	struct pairs_way *pw = container_of(way, struct pairs_way, way);
	unsigned int started, i;
	int err = 0, ret = 0;

	for (started = 0; started < pw->nr; started++) {
		struct pair *pair = &pw->pairs[started];

		pair->meter = *meter;
		err = pthread_create(&pair->thread, NULL, run_pair, pair);
		if (err)
			break;
	}
	meter->rate = 0;
	for (i = 0; i < started; i++) {
		pthread_join(pw->pairs[i].thread, NULL);
		meter->rate += pw->pairs[i].meter.rate;
		ret |= pw->pairs[i].ret;
	}
	return err ? fail_errno(err, "cannot create a thread") : ret;
}

static void close_pairs(struct pairs_way *pw, unsigned int nr)
{
	while (nr--) {
		struct way *way = &pw->pairs[nr].ring.way;

		way_close(way);
		domain_close(&pw->pairs[nr].domain);
	}
}

static int open_pair(struct pairs_way *pw, struct pair *pair,
		     const struct load *load)
{
	struct domain_conf conf = *pw->conf;
	struct way *way = &pair->ring.way;

	conf.cpus = &pair->cpus;
	if (domain_open(&pair->domain, &conf))
		return -1;
	pair->ring = (struct ring_way){
		.way = ring_way_ops,
		.domain = &pair->domain,
		.worker_id = pair->domain.worker_id,
		.nr_keys = 1,
	};
	way->area = conf.area;
	if (!way->open(way, load))
		return 0;
	domain_close(&pair->domain);
	return -1;
}

static int pairs_open(struct way *way, const struct load *load)
{
	struct pairs_way *pw = container_of(way, struct pairs_way, way);
	const struct cpus *cpus = pw->conf->cpus;
	struct load share = *load;
	unsigned int i;

	share.depth /= pw->nr;
	for (i = 0; i < pw->nr; i++) {
		struct pair *pair = &pw->pairs[i];

		pair->cpus = *cpus;
		if (i % 2) {
			pair->cpus.submit = cpus->work;
			pair->cpus.work = cpus->submit;
		}
		if (open_pair(pw, pair, &share))
			break;
	}
	if (!cpu_pin(cpus->submit) && i == pw->nr)
		return 0;
	close_pairs(pw, i);
	return -1;
}

static void pairs_close(struct way *way)
{
	struct pairs_way *pw = container_of(way, struct pairs_way, way);

	close_pairs(pw, pw->nr);
}

void pairs_way_init(struct pairs_way *pw, const char *name,
		    const struct domain_conf *conf, unsigned int nr)
{
	*pw = (struct pairs_way){
		.way = {
			.name = name,
			.open = pairs_open,
			.run = pairs_run,
			.close = pairs_close,
		},
		.conf = conf,
		.nr = nr,
	};
}
