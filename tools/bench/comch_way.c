// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "comch_way.h"
#include "loop.h"
#include "msg.h"

#define MAX_SIZE 4080

static const uint8_t message[MAX_SIZE];

static int submit(void *self, unsigned int n)
{
	struct comch_way *cw = self;

	(void)n;
	return channel_send(&cw->channel, message, cw->size);
}

static int reap(void *self)
{
	struct comch_way *cw = self;
	struct side *near = &cw->channel.near;

	return side_await(near, &near->received, near->received + 1,
			  cw->sleeps) ?
		       -1 :
		       1;
}

static int comch_run(struct way *way, struct meter *meter)
{
	struct comch_way *cw = container_of(way, struct comch_way, way);
	int ret;

	cw->channel.sleeps = cw->sleeps;
	cw->channel.echoes = true;
	if (channel_run(&cw->channel))
		return -1;
	ret = loop_times(cw, meter, submit, reap);
	/* The last message has an answer, too. */
	if (channel_stop(&cw->channel) || (!ret && reap(cw) < 0))
		ret = -1;
	return ret;
}

static void comch_close(struct way *way)
{
	channel_close(&container_of(way, struct comch_way, way)->channel);
}

static int comch_open(struct way *way, const struct load *load)
{
	struct comch_way *cw = container_of(way, struct comch_way, way);

	cw->size = load->size;
	return channel_open(&cw->channel);
}

void comch_way_init(struct comch_way *cw, const struct cpus *cpus,
		    uint32_t idle_us, bool sleeps)
{
	*cw = (struct comch_way){
		.way = {
			.name = sleeps ? "doca_comch, asleep" : "doca_comch",
			.open = comch_open,
			.run = comch_run,
			.close = comch_close,
			.serial = true,
		},
		.sleeps = sleeps,
	};
	channel_init(&cw->channel, cpus, idle_us);
}
