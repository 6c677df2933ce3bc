// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A DMA engine goes while it copies, and comes back. */
#include "engine.h"
#include "kselftest_harness.h"

#define COPIES 32
#define ENGINE_GOES 3000000000ULL

FIXTURE(engine_removal) {
	struct engine_bed bed;
};

/* Ways to remove and to add it: by netlink, or a text for a file */
FIXTURE_VARIANT(engine_removal) {
	const char *engine;
	uint32_t length;
	int copies;
	int rounds;
	const char *gone, *gone_text;
	const char *back, *back_text;
};

#define LSI ENGINE_NAME, 65536, COPIES
#define EDU ENGINE_SLOW, 4096, 4
#define UNBIND(name) ENGINE_DRIVER "unbind", name, ENGINE_DRIVER "bind", name
#define DEVICE_DEL(name)                                                       \
	ENGINE_PCI "devices/" name "/remove", "1", ENGINE_PCI "rescan", "1"
#define REMOVAL(name, ...) FIXTURE_VARIANT_ADD(engine_removal, name) { __VA_ARGS__ }

REMOVAL(netlink, LSI, 5);
REMOVAL(unbind, LSI, 3, UNBIND(ENGINE_NAME));
REMOVAL(device_del, LSI, 3, DEVICE_DEL(ENGINE_NAME));
REMOVAL(slow_netlink, EDU, 1);
REMOVAL(slow_unbind, EDU, 1, UNBIND(ENGINE_SLOW));
REMOVAL(slow_device_del, EDU, 1, DEVICE_DEL(ENGINE_SLOW));

FIXTURE_SETUP(engine_removal)
{
	struct engine_bed *bed = &self->bed;

	ENGINE_OPEN_OF(bed, variant->engine, 500);
	queue_close(&bed->q);
	ASSERT_EQ(0, engine_queue(&bed->q, &bed->d, COPIES, 0));
}

FIXTURE_TEARDOWN(engine_removal)
{
	ENGINE_CLOSE(&self->bed);
}

/* Copy until the device is gone: 0 if that ended it */
static int copy_until_it_goes(uint32_t device, uint32_t length, int begun)
{
	struct doca d = { .device = device };
	uint64_t end = now_ns() + 20000000000ULL;
	struct buf src, dst;
	struct doca_cqe cqe;
	struct queue q;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 || buf_make(&d, &src, 65536, ACCESS_LOCAL) ||
	    buf_make(&d, &dst, 65536, ACCESS_LOCAL) ||
	    engine_queue(&q, &d, 4, 0) || write(begun, "", 1) != 1)
		return 1;
	fill_random(src.addr, 65536, 2);
	while (!ring_load(&q.kernel->dead) && now_ns() < end) {
		memset(dst.addr, 0, length);
		queue_push(&q, sqe_copy(seg_of(&dst, 0, length),
					seg_of(&src, 0, length)));
		queue_publish(&q);
		if (engine_wait(&q, &cqe, 5000))
			return 3;
		if (!cqe.status && memcmp(dst.addr, src.addr, length))
			return 4;
	}
	return q.kernel->dead ? 0 : 5;
}

static int take_away(struct family *nl, const char *engine, const char *path,
		     const char *text)
{
	if (path)
		return file_write_text(path, text);
	return engine_change_of(nl, DOCA_GENL_CMD_ENGINE_DEL, engine);
}

/* The pattern in engines= claims a provider that comes; claim the slow one ourselves */
static uint32_t bring_back(struct family *nl, const char *engine,
			   const char *path, const char *text)
{
	if (path && file_write_text(path, text))
		return 0;
	parameter("engine_timeout_ms", 2000);
	if (path && !strcmp(engine, ENGINE_NAME))
		return engine_appears(nl);
	return engine_claim(nl, engine);
}

static int map_again(struct engine_bed *bed)
{
	int err = mem_map(bed->d.fd, bed->src.mem, bed->d.device, ACCESS_LOCAL,
			  &bed->src.key);

	if (!err)
		err = mem_map(bed->d.fd, bed->dst.mem, bed->d.device,
			      ACCESS_LOCAL, &bed->dst.key);
	return err ? err : engine_queue(&bed->q, &bed->d, COPIES, 0);
}

/* Submitted copies complete: with their data, or as not done */
static void reap_all(struct __test_metadata *_metadata, struct engine_bed *bed,
		     int copies, uint32_t length)
{
	struct doca_cqe cqe;
	uint64_t seen = 0;
	int i;

	for (i = 0; i < copies; i++) {
		ASSERT_EQ(0, engine_wait(&bed->q, &cqe, 4000));
		EXPECT_FALSE(seen & 1ULL << cqe.user_data);
		seen |= 1ULL << cqe.user_data;
		if (cqe.status == DOCA_STATUS_SUCCESS)
			EXPECT_EQ(0, memcmp(bed->dst.addr +
						    cqe.user_data * length,
					    bed->src.addr +
						    cqe.user_data * length,
					    length));
	}
	EXPECT_TRUE(bed->q.kernel->dead);
}

/* The removal waits for the engine, but for no user */
TEST_F_TIMEOUT(engine_removal, under_load, 300)
{
	struct engine_bed *bed = &self->bed;
	uint32_t was, length = variant->length, state = 11;
	uint64_t start;
	int round, i, begun[2];
	int rounds = variant->rounds * (engine_takes_long() ? 20 : 1);
	pid_t other;
	char c;

	ASSERT_EQ(0, pipe(begun));
	for (round = 0; round < rounds; round++) {
		knob_of(variant->engine, "delay_us", 20000);
		memset(bed->dst.addr, 0, ENGINE_LENGTH);
		other = fork();
		if (!other)
			_exit(copy_until_it_goes(bed->d.device, length, begun[1]));
		ASSERT_EQ(1, read(begun[0], &c, 1));
		for (i = 0; i < variant->copies; i++) {
			struct doca_sqe sqe =
				sqe_copy(seg_of(&bed->dst, i * length, length),
					 seg_of(&bed->src, i * length, length));

			sqe.user_data = i;
			queue_push(&bed->q, sqe);
		}
		ASSERT_EQ(0, queue_publish(&bed->q));
		pause_us(prng(&state) % 20000);
		start = now_ns();
		ASSERT_EQ(0, take_away(&bed->nl, variant->engine, variant->gone,
				       variant->gone_text));
		EXPECT_GT(ENGINE_GOES, now_ns() - start);
		EXPECT_EQ(0, engine_device_of(&bed->nl, variant->engine));
		reap_all(_metadata, bed, variant->copies, length);
		EXPECT_EQ(0, child_wait(other));
		queue_close(&bed->q);

		was = bed->d.device;
		bed->d.device = bring_back(&bed->nl, variant->engine,
					   variant->back, variant->back_text);
		ASSERT_NE(0, bed->d.device);
		knob_of(variant->engine, "delay_us", 0);
		ASSERT_EQ(0, parameter("engine_timeout_ms", 500));
		EXPECT_EQ(-EEXIST, engine_change_of(&bed->nl,
						    DOCA_GENL_CMD_ENGINE_ADD,
						    variant->engine));
		EXPECT_NE(was, bed->d.device);
		EXPECT_EQ(0, engine_maps(&bed->nl, bed->d.device, 0));
		ASSERT_EQ(0, map_again(bed));
	}
}

TEST_HARNESS_MAIN
