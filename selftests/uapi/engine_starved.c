// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Threads that get no CPU while memory is mapped for an engine on their behalf, or copied by it:
 * neither the owner of the memory, nor an administrator who removes the engine, nor another
 * user of the engine waits for them.
 */
#include "engine.h"
#include "starve.h"
#include "kselftest_harness.h"

/* An importer, who does nothing but import and unmap. */
struct importer {
	int fd;
};

FIXTURE(engine_starved) {
	struct doca d;
	struct family nl;
	struct starving s;
	struct importer importers[STARVED];
	struct shared {
		uint32_t device;
		uint32_t nr; /* number of the blob */
		struct doca_blob blobs[2];
	} shared;
	uint8_t *p;
	uint32_t mem;
};

static struct shared *shared;

/* The exporter changes the other blob, and then the number. */
static void import_and_unmap(void *arg)
{
	struct importer *importer = arg;
	struct doca_mem_import in;
	struct doca_blob blob = shared->blobs[ring_load(&shared->nr) % 2];

	if (!mem_import(importer->fd, ring_load(&shared->device), &blob, &in))
		mem_unmap(importer->fd, in.out_key);
}

/* Export memory that is not mapped for the engine but for importers. */
static int export_anew(FIXTURE_DATA(engine_starved) *self)
{
	uint32_t nr = self->shared.nr + 1, key;
	int err;

	err = mem_reg(self->d.fd, self->p, ENGINE_LENGTH, ACCESS_LOCAL | ACCESS_PCI,
		      &self->mem) ?:
	      mem_map(self->d.fd, self->mem, self->shared.device, ACCESS_LOCAL, &key) ?:
	      mem_export(self->d.fd, key, 0, &self->shared.blobs[nr % 2], NULL) ?:
	      mem_unmap(self->d.fd, key);
	ring_store(&self->shared.nr, nr);
	return err;
}

FIXTURE_SETUP(engine_starved)
{
	int i;

	if (access(ENGINE_KNOBS, F_OK))
		SKIP_SETUP("no testdma; run 'make check-engines'");
	knobs_reset();
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, family_open(&self->nl));
	self->shared.device = engine_claim(&self->nl, ENGINE_NAME);
	ASSERT_NE(0, self->shared.device);
	self->p = pages_alloc(ENGINE_LENGTH);
	ASSERT_NE(NULL, self->p);
	memset(self->p, 1, ENGINE_LENGTH);
	ASSERT_EQ(0, export_anew(self));
	shared = &self->shared;
	if (!starving_begin(&self->s))
		SKIP_SETUP("one CPU, or a kernel that is not preemptible");
	for (i = 0; i < STARVED; i++) {
		self->importers[i].fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
		ASSERT_LE(0, self->importers[i].fd);
		ASSERT_TRUE(starving_add(&self->s, import_and_unmap, &self->importers[i]));
	}
}

FIXTURE_TEARDOWN(engine_starved)
{
	int i;

	starving_end(&self->s);
	for (i = 0; i < STARVED; i++)
		close(self->importers[i].fd);
	family_close(&self->nl);
	DOCA_CLOSE(&self->d);
}

/* Rounds in which an importer ran do not count. */
TEST_F_TIMEOUT(engine_starved, importers_keep_no_memory, 120)
{
	unsigned int round = 0, tries = 0;
	long switches;

	for (; round < rounds(5); tries++) {
		starve(&self->s);
		switches = starved_switches(&self->s);
		EXPECT_EQ(0, mem_dereg(self->d.fd, self->mem));
		round += starved_switches(&self->s) == switches;
		feed(&self->s);
		ASSERT_EQ(0, export_anew(self));
	}
	TH_LOG("%u of %u rounds count", round, tries);
}

TEST_F_TIMEOUT(engine_starved, importers_keep_no_engine, 120)
{
	unsigned int round = 0, tries = 0;
	long switches;

	for (; round < rounds(5); tries++) {
		starve(&self->s);
		switches = starved_switches(&self->s);
		EXPECT_EQ(0, engine_change(&self->nl, DOCA_GENL_CMD_ENGINE_DEL));
		round += starved_switches(&self->s) == switches;
		feed(&self->s);
		ring_store(&self->shared.device, engine_claim(&self->nl, ENGINE_NAME));
		ASSERT_NE(0, self->shared.device);
		ASSERT_EQ(0, mem_dereg(self->d.fd, self->mem));
		ASSERT_EQ(0, export_anew(self));
	}
	TH_LOG("%u of %u rounds count", round, tries);
}

#define COPY (256 * 1024UL)

/* A copier, who does nothing but copy. */
struct copier {
	struct doca d;
	struct buf src, dst;
	struct queue q;
};

FIXTURE(engine_shared) {
	struct family nl;
	struct starving s;
	struct copier own, copiers[STARVED];
};

static struct doca_sqe copy_of(const struct copier *c)
{
	return sqe_copy(seg_of(&c->dst, 0, COPY), seg_of(&c->src, 0, COPY));
}

static void copy_once(void *arg)
{
	struct copier *c = arg;

	queue_status(&c->q, copy_of(c));
}

static int copier_open(struct copier *c, uint32_t device)
{
	c->d = (struct doca){ .fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC), .device = device };
	if (c->d.fd < 0)
		return -errno;
	return buf_make(&c->d, &c->src, COPY, ACCESS_LOCAL) ?:
	       buf_make(&c->d, &c->dst, COPY, ACCESS_LOCAL) ?: engine_queue(&c->q, &c->d, 1, 0);
}

static void copier_close(struct copier *c)
{
	queue_close(&c->q);
	close(c->d.fd);
}

FIXTURE_SETUP(engine_shared)
{
	uint32_t device;
	int i;

	if (access(ENGINE_KNOBS, F_OK))
		SKIP_SETUP("no testdma; run 'make check-engines'");
	knobs_reset();
	ASSERT_EQ(0, family_open(&self->nl));
	device = engine_claim(&self->nl, ENGINE_NAME);
	ASSERT_NE(0, device);
	ASSERT_EQ(0, copier_open(&self->own, device));
	if (!starving_begin(&self->s))
		SKIP_SETUP("one CPU, or a kernel that is not preemptible");
	for (i = 0; i < STARVED; i++) {
		ASSERT_EQ(0, copier_open(&self->copiers[i], device));
		ASSERT_TRUE(starving_add(&self->s, copy_once, &self->copiers[i]));
	}
}

FIXTURE_TEARDOWN(engine_shared)
{
	int i;

	knobs_reset();
	starving_end(&self->s);
	for (i = 0; i < STARVED; i++)
		copier_close(&self->copiers[i]);
	copier_close(&self->own);
	family_close(&self->nl);
}

/* Its provider sleeps before each piece, so its caller is likely to lose the CPU there. */
TEST_F_TIMEOUT(engine_shared, copiers_do_not_hold_it_up, 120)
{
	struct copier *own = &self->own;
	unsigned int round;
	struct doca_cqe cqe;

	ASSERT_EQ(0, knob("prep_ms", 2));
	for (round = 0; round < rounds(5); round++) {
		starve(&self->s);
		queue_push(&own->q, copy_of(own));
		ASSERT_EQ(0, queue_publish(&own->q));
		EXPECT_EQ(0, engine_wait(&own->q, &cqe, 10000));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		feed(&self->s);
	}
	EXPECT_EQ(round * COPY, fdinfo_value(own->q.fd, "doca-engine-bytes"));
}

TEST_HARNESS_MAIN
