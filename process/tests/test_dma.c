// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Copies through libdoca and the driver's own code; api/flows has their forms and failures. */
#include <poll.h>

#include "bed.h"

static void copies(void)
{
	static const size_t lens[] = { 1, 7, 64, 4096, 4097, 300000 };
	unsigned int i, n = 0;
	struct bed bed;

	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		bed_copy(&bed, 100 + i, lens[i]);
		bed_wait(&bed, ++n);
		EXPECT(bed_copied(&bed, 100 + i, lens[i]));
	}
	for (i = 0; i < 1000; i++) {
		bed_copy(&bed, i % 32 * 1024, 1024);
		if (i >= BED_TASKS / 2)
			bed_wait(&bed, ++n);
	}
	bed_wait(&bed, 1006);
	EXPECT_EQ(bed.failed, 0);
	EXPECT(bed_copied(&bed, 0, 32 * 1024));
	bed_destroy(&bed);
	EXPECT(until(!inproc_pinned()));
}

TEST(copies_by_a_worker)
{
	copies();
}

TEST(copies_by_calls)
{
	EXPECT(inproc_set_param("workers", false));
	copies();
	EXPECT(inproc_set_param("workers", true));
}

TEST(a_worker_that_always_sleeps)
{
	setenv("DOCA_IDLE_US", "0", 1);
	copies();
	unsetenv("DOCA_IDLE_US");
}

TEST(waited_for_by_poll)
{
	doca_notification_handle_t handle;
	struct pollfd pfd;
	struct bed bed;
	int i;

	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	OK(doca_pe_get_notification_handle(bed.pe, &handle));
	for (i = 1; i <= 200; i++) {
		bed_copy(&bed, i * 64, 64);
		while (bed.done < (unsigned int)i) {
			pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
			OK(doca_pe_request_notification(bed.pe));
			EXPECT_EQ(poll(&pfd, 1, PATIENCE_MS), 1);
			OK(doca_pe_clear_notification(bed.pe, handle));
			while (doca_pe_progress(bed.pe))
				;
		}
	}
	EXPECT_EQ(bed.failed, 0);
	bed_destroy(&bed);
}

TEST(removed_device)
{
	uint32_t id = inproc_add_device("extra");
	struct bed bed, other;
	int i;

	bed_create(&other, "software");
	bed_create(&bed, "extra");
	OK(doca_ctx_start(other.ctx));
	OK(doca_ctx_start(bed.ctx));
	for (i = 0; i < BED_TASKS; i++)
		bed_copy(&bed, 0, 100000);
	inproc_remove_device(id);
	bed_wait(&bed, BED_TASKS);
	bed_await_idle(&bed);
	EXPECT(doca_ctx_start(bed.ctx) != DOCA_SUCCESS);
	bed_destroy(&bed);
	bed_copy(&other, 0, 5000);
	bed_wait(&other, 1);
	EXPECT(bed_copied(&other, 0, 5000));
	bed_destroy(&other);
}

/* Both sides in one process: the importer has a mapping of its own. */
TEST(exported_and_revoked)
{
	struct doca_mmap *peer;
	const void *blob;
	size_t size;
	struct bed bed;

	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	OK(doca_mmap_export_pci(bed.mmap, bed.dev, &blob, &size));
	OK(doca_mmap_create_from_export(NULL, blob, size, bed.dev, &peer));
	bed_submit(&bed, bed_src(&bed, bed.mmap, 0, 8192), bed_dst(&bed, peer, 0, 8192));
	bed_wait(&bed, 1);
	EXPECT_EQ(bed.failed, 0);
	EXPECT(bed_copied(&bed, 0, 8192));
	OK(doca_mmap_destroy(peer));
	bed_destroy(&bed);
	EXPECT(until(!inproc_pinned()));
}
