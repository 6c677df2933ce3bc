// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/hist.h"
#include "bench/msg.h"
#include "datagram_way.h"
#include "xsk/frame.h"

#define READINGS 64

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* Return the time of one reading of the clock: the shortest, because nothing interrupted it. */
static uint64_t reading_ns(void)
{
	uint64_t before = cpu_ns(), best = UINT64_MAX, now;
	unsigned int i;

	for (i = 0; i < READINGS; i++, before = now) {
		now = cpu_ns();
		if (now - before < best)
			best = now - before;
	}
	return best;
}

static int receive(struct datagram_way *dw)
{
	struct patience patience = { 0 };
	int n;

	while (!burst_whole(&dw->burst)) {
		n = dw->ops->take(dw);
		if (n < 0)
			return -1;
		if (!n && patience_lost(&patience))
			return fail("%s: datagrams do not arrive",
				    dw->way.name);
		if (!n)
			sched_yield();
	}
	return 0;
}

/* @cpu is the CPU time of this thread's half, including one reading of the clock. */
static int run_burst(struct datagram_way *dw, uint64_t *cpu)
{
	bool receives = dw->ops->take;
	uint64_t before;

	if (receives && far_burst(&dw->far))
		return -1;
	before = cpu_ns();
	if (receives ? receive(dw) : dw->ops->send(dw))
		return -1;
	*cpu = cpu_ns() - before;
	if (!receives && far_burst(&dw->far))
		return -1;
	burst_next(&dw->burst);
	return 0;
}

/* Take the median of the bursts' CPU times, to ignore interrupted bursts. */
static int run_bursts(struct datagram_way *dw, struct meter *meter)
{
	uint64_t reading = reading_ns(), cpu;
	unsigned int depth = dw->burst.load.depth;
	static struct hist times;
	double start, now;

	/* The first burst does not count: it may pay for things that are set up once. */
	if (run_burst(dw, &cpu))
		return -1;
	memset(&times, 0, sizeof(times));
	start = clock_now();
	do {
		if (run_burst(dw, &cpu))
			return -1;
		hist_add(&times, cpu > reading ? cpu - reading : 1);
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = times.nr * depth / (now - start);
	meter->cpu = hist_quantile(&times, 0.5) / 1e9 / depth;
	return 0;
}

static int datagram_run(struct way *way, struct meter *meter)
{
	struct datagram_way *dw = container_of(way, struct datagram_way, way);
	int ret;

	burst_begin(&dw->burst, &dw->burst.load);
	if (far_start(&dw->far, &dw->burst.load))
		return -1;
	ret = run_bursts(dw, meter);
	far_stop(&dw->far);
	return ret;
}

static int datagram_open(struct way *way, const struct load *load)
{
	struct datagram_way *dw = container_of(way, struct datagram_way, way);

	if (wire_open(&dw->wire, dw->wires))
		return -1;
	burst_begin(&dw->burst, load);
	dw->far.fd = wire_far_socket(&dw->wire, dw->wires);
	if (dw->far.fd >= 0 && !dw->ops->open(dw))
		return 0;
	close(dw->far.fd);
	wire_close(&dw->wire);
	return -1;
}

static void datagram_close(struct way *way)
{
	struct datagram_way *dw = container_of(way, struct datagram_way, way);

	dw->ops->close(dw);
	close(dw->far.fd);
	wire_close(&dw->wire);
}

void datagram_way_init(struct datagram_way *dw, const struct datagram_ops *ops,
		       const struct wires *wires, const struct cpus *cpus)
{
	*dw = (struct datagram_way){
		.way = {
			.name = ops->name,
			.open = datagram_open,
			.run = datagram_run,
			.close = datagram_close,
			.optional = ops->optional,
		},
		.ops = ops,
		.wires = wires,
		.far = { .cpu = cpus->work, .receives = !ops->take },
	};
}

void datagram_frame(const struct datagram_way *dw, uint8_t *frame)
{
	const struct wire_end *near = &dw->wire.near, *far = &dw->wire.far;
	size_t size = dw->burst.load.size;
	struct frame_view view;

	memset(frame, 0, FRAME_HEADERS + size);
	memcpy(frame, far->mac, 6);
	memcpy(frame + 6, near->mac, 6);
	memcpy(frame + 12, "\x08\x00\x45", 3);
	put_be16(frame + 16, 20 + 8 + size);
	frame[22] = 64; /* hops */
	frame[23] = FRAME_UDP;
	memcpy(frame + 26, &near->address.sin_addr, 4);
	memcpy(frame + 30, &far->address.sin_addr, 4);
	memcpy(frame + 34, &near->address.sin_port, 2);
	memcpy(frame + 36, &far->address.sin_port, 2);
	put_be16(frame + 38, 8 + size);
	/* The UDP checksum stays 0: there is none. */
	frame_parse(frame, FRAME_HEADERS + size, &view);
	frame_set_l3_sum(frame, &view);
}

int datagram_note_frame(struct datagram_way *dw, const uint8_t *frame,
			size_t length)
{
	size_t size = dw->burst.load.size;

	/* Short frames may be padded. */
	if (length < FRAME_HEADERS + size)
		return fail("%s: a frame has %zu bytes", dw->way.name, length);
	return burst_note(&dw->burst, frame + FRAME_HEADERS,
			  get_be16(frame + 38) - 8);
}
