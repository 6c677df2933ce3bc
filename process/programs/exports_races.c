// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that an importer writes to, whenever its exporter takes it back. */
#include "victims.h"

/* For ever imports what there is, and writes there. */
static int run_writer(struct shared *shared)
{
	struct importer self;
	unsigned long written = 0;

	struct desc first = desc_read(&shared->desc);

	/* An import that stays keeps the connection. */
	if (importer_open(&self) || importer_wait(&self, &first))
		return 1;
	memset(self.mem, 0x11, LEN);
	store(&shared->ready, 1);
	for (;;) {
		struct desc desc = desc_read(&shared->desc);
		int i;

		if (importer_import(&self, &desc, &self.imported))
			continue;
		for (i = 0; i < 8; i++)
			if (bed_copy(&self.bed, self.local, self.mem,
				     self.imported, desc.addr, 16384))
				return 2;
		BED_UNTIL(&self.bed, !bed_inflight(&self.bed));
		written += self.bed.succeeded;
		store(&shared->order, written ? -1 : 0);
		self.bed.succeeded = 0;
		BED_UNTIL(&self.bed,
			  bed_state_of(&self.bed) != DOCA_CTX_STATE_STOPPING);
		if (is_idle(self.bed.ctx) && doca_ctx_start(self.bed.ctx))
			return 3;
		doca_mmap_destroy(self.imported);
	}
}

/* From the moment on at which a stop has returned the memory is the exporter's. */
TEST_F_TIMEOUT(ends, of_an_export_that_is_written_to, 300)
{
	const char *number = getenv("DOCA_TEST_RACES");
	long i, races = number ? atol(number) : 10000, hit = 0;
	struct exporter exporter;
	unsigned int seed = 1;
	double spin;
	char *mem;
	pid_t pid;

	ASSERT_EQ(0, exporter_open(&exporter, self->shared));
	mem = exporter.mem;
	pid = victim(self->shared, run_writer);
	for (i = 0; i < races; i++) {
		spin = bed_now() + rand_r(&seed) % 300 * 1e-6;
		while (bed_now() < spin)
			sched_yield();
		ASSERT_OK(doca_mmap_stop(exporter.mmap));
		hit += mem[0] == 0x11;
		memset(mem, 0x22, 16384);
		spin = bed_now() + 30e-6;
		while (bed_now() < spin)
			sched_yield();
		ASSERT_EQ(0x22, mem[0]);
		ASSERT_EQ(0, memcmp(mem, mem + 1, 16383));
		ASSERT_OK(doca_mmap_start(exporter.mmap));
		ASSERT_EQ(0, exporter_export(&exporter, self->shared));
	}
	TH_LOG("%ld of %ld times it had been written", hit, races);
	EXPECT_LT(races / (100 * patiently(1)), hit);
	bury(self->shared, pid);
	exporter_close(&exporter);
}

TEST_HARNESS_MAIN
