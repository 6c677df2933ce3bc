/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A DMA engine of testdma as tests use it: its device, counters and knobs. */
#ifndef DOCA_TEST_ENGINE_H
#define DOCA_TEST_ENGINE_H

#include "doca_nl.h"
#include "doca_ring.h"

/* The places where "make check-engines" puts the engines */
#define ENGINE_NAME "0000:00:10.0" /* lsi: fast, in order, 32 bits */
#define ENGINE_SLOW "0000:00:11.0" /* edu: 400 ms for 4 KiB, 28 bits */
#define ENGINE_KNOBS "/sys/kernel/debug/testdma/"
#define ENGINE_PCI "/sys/bus/pci/"
#define ENGINE_DRIVER ENGINE_PCI "drivers/testdma/"
#define ENGINE_LENGTH (4UL << 20)

/* Two buffers of the engine's device, and a queue */
struct engine_bed {
	struct doca d;
	struct family nl;
	struct buf src, dst;
	struct queue q;
};

static inline int file_write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static inline int file_write(const char *path, unsigned long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu\n", value);
	return file_write_text(path, text);
}

static inline int knob_of(const char *engine, const char *name,
			  unsigned int value)
{
	char path[128];

	snprintf(path, sizeof(path), ENGINE_KNOBS "%s/%s", engine, name);
	return file_write(path, value);
}

static inline int knob(const char *name, unsigned int value)
{
	return knob_of(ENGINE_NAME, name, value);
}

static inline int parameter(const char *name, unsigned long value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/doca/parameters/%s", name);
	return file_write(path, value);
}

/* Set a parameter that testdma reads for devices bound from now on */
static inline int testdma_parameter(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/testdma/parameters/%s", name);
	return file_write_text(path, value);
}

static inline void knobs_reset(void)
{
	static const char *const all[] = { "fail_at", "hang_at", "drop_at",
					   "lose_at", "skip_at", "from",
					   "null_after", "prep_ms", "delay_us",
					   "late_ms" };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		knob(all[i], 0);
}

/* Return the id of an engine's own device, 0 if there is none */
static inline uint32_t engine_device_of(struct family *nl, const char *name)
{
	struct listing l;
	uint32_t id = 0;
	int i;

	family_list(nl, DOCA_GENL_CMD_DEV_GET, &l);
	for (i = 0; i < l.n; i++)
		if (l.e[i].v[DOCA_GENL_A_DEV_TYPE] == DOCA_DEV_ENGINE &&
		    !strcmp(l.e[i].dev, name))
			id = l.e[i].v[DOCA_GENL_A_DEV_ID];
	listing_free(&l);
	return id;
}

static inline uint32_t engine_device(struct family *nl)
{
	return engine_device_of(nl, ENGINE_NAME);
}

/* Return one of its attributes, UINT64_MAX if there is no such engine */
static inline uint64_t engine_value(struct family *nl, uint32_t device, int attr)
{
	uint64_t value = UINT64_MAX;
	const struct entry *e;
	struct listing l;

	family_list(nl, DOCA_GENL_CMD_ENGINE_GET, &l);
	e = listing_find(&l, DOCA_GENL_A_DEV_ID, device);
	if (e)
		value = e->v[attr];
	listing_free(&l);
	return value;
}

/* Return the id of the engine's device, after up to ten seconds of waiting for a claim */
static inline uint32_t engine_appears(struct family *nl)
{
	uint64_t end = now_ns() + 10000000000ULL;
	uint32_t id;

	do {
		id = engine_device(nl);
		if (!id)
			pause_us(20000);
	} while (!id && now_ns() < end);
	return id;
}

static inline int engine_change_of(struct family *nl, int cmd, const char *name)
{
	return family_request(nl, cmd, NLM_F_ACK, DOCA_GENL_A_ENGINE_NAME, name,
			      strlen(name) + 1);
}

static inline int engine_change(struct family *nl, int cmd)
{
	return engine_change_of(nl, cmd, ENGINE_NAME);
}

/* Count the memories mapped for it, after up to ten seconds of waiting for @wanted */
static inline uint64_t engine_maps(struct family *nl, uint32_t device,
				   uint64_t wanted)
{
	uint64_t end = now_ns() + 10000000000ULL, maps;

	do {
		maps = engine_value(nl, device, DOCA_GENL_A_ENGINE_MAPS);
		if (maps != wanted)
			pause_us(10000);
	} while (maps != wanted && now_ns() < end);
	return maps;
}

/* Open a queue with up to @ops copies in flight */
static inline int engine_queue(struct queue *q, const struct doca *d,
			       uint32_t ops, uint32_t segments)
{
	return queue_create(q, d, (struct doca_queue_create){
					  .sq_entries = 64,
					  .cq_entries = 64,
					  .nr_segments = segments,
					  .nr_ops = ops,
				  });
}

/* Whether to try all that there is, for minutes, and not only some of it */
static inline bool engine_takes_long(void)
{
	return getenv("DOCA_TEST_LONG");
}

/* As fill_random(), a word at a time: for much */
static inline void fill_words(void *addr, size_t length, uint32_t seed)
{
	uint32_t *p = addr, *end = p + length / sizeof(*p);

	seed = seed * 2654435761U | 1;
	while (p < end)
		*p++ = prng(&seed);
}

/* Bind it again with another parameter of testdma, and wait for its claim */
static inline bool engine_rebind(const char *name, const char *value)
{
	struct family nl;
	bool ok;

	ok = !family_open(&nl) &&
	     !file_write_text(ENGINE_DRIVER "unbind", ENGINE_NAME) &&
	     !engine_device(&nl) && !testdma_parameter(name, value) &&
	     !file_write_text(ENGINE_DRIVER "bind", ENGINE_NAME) &&
	     engine_appears(&nl);
	family_close(&nl);
	return ok;
}

/* Claim it unless it is claimed; return the id of its own device, 0 if that fails */
static inline uint32_t engine_claim(struct family *nl, const char *name)
{
	if (!engine_device_of(nl, name))
		engine_change_of(nl, DOCA_GENL_CMD_ENGINE_ADD, name);
	return engine_device_of(nl, name);
}

#define ENGINE_OPEN_OF(bed, name, timeout_ms)                                  \
	do {                                                                   \
		if (access(ENGINE_KNOBS, F_OK))                                \
			SKIP_SETUP("no testdma; run 'make check-engines'");    \
		knobs_reset();                                                 \
		DOCA_OPEN(&(bed)->d);                                          \
		ASSERT_EQ(0, family_open(&(bed)->nl));                         \
		ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));            \
		(bed)->d.device = engine_claim(&(bed)->nl, name);              \
		ASSERT_NE(0, (bed)->d.device);                                 \
		ASSERT_EQ(0, parameter("engine_timeout_ms", timeout_ms));      \
		ASSERT_EQ(0, buf_make(&(bed)->d, &(bed)->src, ENGINE_LENGTH,   \
				      ACCESS_LOCAL));                          \
		ASSERT_EQ(0, buf_make(&(bed)->d, &(bed)->dst, ENGINE_LENGTH,   \
				      ACCESS_LOCAL));                          \
		fill_random((bed)->src.addr, ENGINE_LENGTH, 20);               \
		ASSERT_EQ(0, queue_open(&(bed)->q, &(bed)->d, 0, 64, 0));      \
	} while (0)

#define ENGINE_OPEN(bed) ENGINE_OPEN_OF(bed, ENGINE_NAME, 500)

#define ENGINE_CLOSE(bed)                                                      \
	do {                                                                   \
		knobs_reset();                                                 \
		queue_close(&(bed)->q);                                        \
		family_close(&(bed)->nl);                                      \
		DOCA_CLOSE(&(bed)->d);                                         \
	} while (0)

/* Wait up to @ms for a completion, entering as a program without a worker does */
static inline int engine_wait(struct queue *q, struct doca_cqe *cqe,
			      unsigned int ms)
{
	uint64_t end = now_ns() + ms * 1000000ULL;

	while (!queue_reap(q, cqe)) {
		if (now_ns() > end)
			return -ETIMEDOUT;
		queue_enter(q->fd, UINT32_MAX, NULL);
		pause_us(200);
	}
	return 0;
}

#endif /* DOCA_TEST_ENGINE_H */
