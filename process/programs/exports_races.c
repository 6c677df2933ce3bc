// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that an importer writes to while its exporter takes it back. */
#include "pair.h"

/* Import the latest export and write there, for ever, one step each. */
static int run_writer(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	int export = 0, i;

	/* An import that stays keeps the connection. */
	if (importer_open(&self) || importer_watch(&self, &desc, 1) || importer_wait(&self, 100))
		return 1;
	memset(self.mem, 0x11, LEN);
	store(&shared->ready, 1);
	for (;;) {
		export = load_other(&shared->left, export);
		desc = desc_read(&shared->desc);
		if (importer_import(&self, &desc, &self.imported))
			continue;
		for (i = 0; i < 8; i++)
			if (bed_copy(&self.bed, self.local, self.mem, self.imported, desc.addr,
				     16384))
				return 2;
		store(&shared->steps, shared->steps + 1);
		BED_UNTIL(&self.bed, !bed_inflight(&self.bed));
		BED_UNTIL(&self.bed, bed_state_of(&self.bed) != DOCA_CTX_STATE_STOPPING);
		if (is_idle(self.bed.ctx) && doca_ctx_start(self.bed.ctx))
			return 3;
		doca_mmap_destroy(self.imported);
	}
}

/*
 * As soon as a stop has returned, the memory is the exporter's. Repeat it until enough stops
 * have hit memory that was being written to.
 */
TEST_F_TIMEOUT(ends, of_an_export_that_is_written_to, 300)
{
	unsigned int races = 0, hits = 0, seed = 1, i;
	struct exporter exporter;
	char *mem;
	pid_t pid;
	int step = 0;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	mem = exporter.mem;
	pid = victim(self->shared, run_writer);
	for (; hits < rounds(300); races++) {
		store(&self->shared->left, races + 1);
		/* Wait until it writes, mostly. */
		if (rand_r(&seed) % 8)
			step = load_other(&self->shared->steps, step);
		for (i = rand_r(&seed) % 8; i; i--)
			sched_yield();
		ASSERT_OK(doca_mmap_stop(exporter.mmap));
		hits += mem[0] == 0x11;
		memset(mem, 0x22, 16384);
		for (i = 0; i < 3; i++)
			sched_yield();
		ASSERT_EQ(0x22, mem[0]);
		ASSERT_EQ(0, memcmp(mem, mem + 1, 16383));
		ASSERT_OK(doca_mmap_start(exporter.mmap));
		ASSERT_EQ(0, exporter_export(&exporter, self->shared));
	}
	TH_LOG("%u of %u times it had been written", hits, races);
	bury(self->shared, pid);
	exporter_close(&exporter);
}

TEST_HARNESS_MAIN
