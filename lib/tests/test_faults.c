// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Failures of each allocation, file descriptor and queue: the call fails with the code in
 * its documentation, nothing is lost, and it works the next time.
 */
#include <doca_mmap_advise.h>

#include "bed.h"
#include "fault.h"
#include "sync_bed.h"

TEST(engines)
{
	struct doca_pe *pe;

	EXPECT_FAULTS(FAULT_ALLOC, doca_pe_create(&pe), NO_MEMORY, OK(doca_pe_destroy(pe)));
	EXPECT_FAULTS(FAULT_FD, doca_pe_create(&pe), OPERATING_SYSTEM, OK(doca_pe_destroy(pe)));
}

TEST(contexts)
{
	struct doca_dma *dma;

	set_up(true, 4);
	EXPECT_FAULTS(FAULT_ALLOC, doca_dma_create(&fake_dev, &dma), NO_MEMORY,
		      OK(doca_dma_destroy(dma)));
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(bed.ctx), INITIALIZATION,
		      OK(doca_ctx_stop(bed.ctx)));
	EXPECT(!strncmp(took(), "rsi", 3)); /* more follows in debug mode */
	EXPECT_FAULTS(FAULT_FD, doca_ctx_start(bed.ctx), INITIALIZATION,
		      OK(doca_ctx_stop(bed.ctx)));
	EXPECT_STR(took(), "rsi");
	tear_down();
}

TEST(inventories)
{
	struct doca_buf_inventory *inv;

	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_inventory_create(8, &inv), NO_MEMORY,
		      OK(doca_buf_inventory_destroy(inv)));
	OK(doca_buf_inventory_create(8, &inv));
	OK(doca_buf_inventory_start(inv));
	EXPECT_FAULTS(FAULT_ALLOC, doca_buf_inventory_expand(inv, 8), NO_MEMORY, );
	OK(doca_buf_inventory_destroy(inv));
}

TEST(maps)
{
	struct doca_dev other = { .info.id = FAKE_DEVICE_ID, .refs = 1 };
	struct doca_mmap *mmap;

	fake_add_dev(&other);
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create(&mmap), NO_MEMORY, OK(doca_mmap_destroy(mmap)));
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_add_dev(mmap, &fake_dev));
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_add_dev(mmap, &other), NO_MEMORY,
		      OK(doca_mmap_rm_dev(mmap, &other)));
	OK(doca_mmap_destroy(mmap));
	EXPECT_EQ(other.refs, 1);
}

TEST(advice)
{
	struct doca_mmap_advise *advise;

	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_advise_create(&fake_dev, &advise), NO_MEMORY,
		      OK(doca_mmap_advise_destroy(advise)));
}

TEST(events)
{
	const uint8_t *desc, *other;
	struct doca_sync_event *event, *imported;
	size_t size;

	fake_reset(true);
	EXPECT_FAULTS(FAULT_ALLOC, doca_sync_event_create(&event), NO_MEMORY,
		      OK(doca_sync_event_destroy(event)));
	event = new_exported(&desc, &size);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_sync_event_create_from_export(&fake_dev, desc, size, &imported),
		      NO_MEMORY, OK(doca_sync_event_destroy(imported)));
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_start(event));
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_sync_event_export_to_remote_pci(event, &fake_dev, &other, &size),
		      NO_MEMORY, );
	stop_and_destroy(event);
}

/* The driver is gone, or older, when it is asked for capabilities. */
TEST(capabilities)
{
	const struct doca_query old = { 0 };
	struct doca_devinfo *info = &fake_dev.info;
	struct doca_mmap_advise *advise;
	struct doca_dma *dma;
	uint64_t bytes;
	uint32_t n;

#define CANNOT(call)                                       \
	do {                                               \
		fake.caps = &old;                          \
		ERR(call, NOT_SUPPORTED);                  \
		fake.get_error = -ENOENT;                  \
		logged();                                  \
		ERR(call, DRIVER);                         \
		EXPECT_LOGGED("the module is not loaded"); \
		fake_reset(true);                          \
	} while (0)
	fake_reset(true);
	CANNOT(doca_dma_create(&fake_dev, &dma));
	CANNOT(doca_dma_cap_task_memcpy_is_supported(info));
	CANNOT(doca_dma_cap_task_memcpy_get_max_buf_size(info, &bytes));
	CANNOT(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &n));
	CANNOT(doca_mmap_advise_create(&fake_dev, &advise));
	CANNOT(doca_mmap_advise_cap_task_cache_invalidate_is_supported(info));
	CANNOT(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(info, &bytes));
	EXPECT_EQ(fake_dev.refs, 1);
}
