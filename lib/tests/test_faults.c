// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Each allocation, file descriptor and queue that cannot be had: the call fails with
 * the code that its documentation names, nothing is lost, and it works the next time.
 */
#include "bed.h"
#include "fault.h"

TEST(engines)
{
	struct doca_pe *pe;

	EXPECT_FAULTS(FAULT_ALLOC, doca_pe_create(&pe), NO_MEMORY,
		      OK(doca_pe_destroy(pe)));
	EXPECT_FAULTS(FAULT_FD, doca_pe_create(&pe), OPERATING_SYSTEM,
		      OK(doca_pe_destroy(pe)));
}

TEST(contexts)
{
	struct doca_dma *dma;

	set_up(true, 4);
	EXPECT_FAULTS(FAULT_ALLOC, doca_dma_create(&fake_dev, &dma), NO_MEMORY,
		      OK(doca_dma_destroy(dma)));
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(bed.ctx), INITIALIZATION,
		      OK(doca_ctx_stop(bed.ctx)));
	EXPECT_FAULTS(FAULT_FD, doca_ctx_start(bed.ctx), INITIALIZATION,
		      OK(doca_ctx_stop(bed.ctx)));
	EXPECT_STR(took(), "rsirsi");
	tear_down();
}

TEST(contexts_without_a_queue_say_why)
{
	static const struct {
		int err;
		const char *why;
	} cases[] = {
		{ -ENODEV, "fake0 was removed" },
		{ -EDQUOT, "raise the limits" },
		{ -ENOMEM, "out of memory" },
		{ -EPERM, "before a fork" },
		{ -EMFILE, "Too many open files" },
	};

	set_up(true, 4);
	for (int i = 0; i < 5; i++) {
		fake.queue_error = cases[i].err;
		ERR(doca_ctx_start(bed.ctx), INITIALIZATION);
		EXPECT_LOGGED(cases[i].why);
		EXPECT_EQ(state(), DOCA_CTX_STATE_IDLE);
	}
	fake.queue_error = 0;
	OK(doca_ctx_start(bed.ctx));
	OK(doca_ctx_stop(bed.ctx));
	tear_down();
}

TEST(inventories)
{
	struct doca_buf_inventory *inv;

	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_inventory_create(8, &inv),
		      NO_MEMORY, OK(doca_buf_inventory_destroy(inv)));
}

TEST(maps)
{
	struct doca_dev other = { .info.id = FAKE_DEVICE_ID, .refs = 1 };
	struct doca_mmap *mmap;

	fake_add_dev(&other);
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create(&mmap), NO_MEMORY,
		      OK(doca_mmap_destroy(mmap)));
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_add_dev(mmap, &fake_dev));
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_add_dev(mmap, &other), NO_MEMORY,
		      OK(doca_mmap_rm_dev(mmap, &other)));
	OK(doca_mmap_destroy(mmap));
	EXPECT_EQ(other.refs, 1);
}
