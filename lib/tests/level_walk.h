/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The objects of the levels 1.3 and 1.5, for walk.h; it is compiled at each. */
#ifndef DOCA_TESTS_LEVEL_WALK_H
#define DOCA_TESTS_LEVEL_WALK_H

#include "level.h"
#include "walk.h"

/* Set it before the library looks. */
__attribute__((constructor(101))) static void switch_on(void)
{
	setenv("DOCA_DEBUG", "1", 1);
}

static void add_lists(struct doca_dev *dev)
{
	struct doca_devinfo_remote **remotes = NULL, **gone_remotes = NULL;
	struct doca_devinfo **list = NULL, **gone_list = NULL;
	struct doca_dev_remote *remote, *gone_remote;

	OK(doca_devinfo_list_create(&list));
	OK(doca_devinfo_list_create(&gone_list));
	add("doca_devinfo", list[0], gone_list[0], lv.mmap);
	add("doca_devinfo *", list, gone_list, dev);
	OK(doca_devinfo_list_destroy(gone_list));
	OK(doca_devinfo_remote_list_create(dev, &remotes));
	OK(doca_devinfo_remote_list_create(dev, &gone_remotes));
	OK(doca_dev_remote_open(remotes[0], &remote));
	OK(doca_dev_remote_open(remotes[0], &gone_remote));
	OK(doca_dev_remote_close(gone_remote));
	add("doca_devinfo_remote", remotes[0], gone_remotes[0], dev);
	add("doca_devinfo_remote *", remotes, gone_remotes, dev);
	add("doca_dev_remote", remote, gone_remote, dev);
	OK(doca_devinfo_remote_list_destroy(gone_remotes));
}

static void set_up_objects(void)
{
	static uint64_t memory[64];
	struct doca_buf_inventory *inv;
	struct doca_workq *workq;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_dma *dma;

	if (nr_objects)
		return;
	set_up(1, true);
	level_fake_target(true);
	dev = open_dev(1);
	OK(doca_dev_close(dev));
	OK(doca_mmap_create(NULL, &mmap));
	OK(doca_mmap_destroy(mmap));
	OK(doca_buf_inventory_create(NULL, 1, 0, &inv));
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_dma_create(&dma));
	OK(doca_dma_destroy(dma));
	OK(doca_workq_create(1, &workq));
	OK(doca_workq_destroy(workq));
	add("doca_buf", take(0, 64), NULL, lv.inv);
	add("doca_buf_inventory", lv.inv, inv, lv.mmap);
	add("doca_ctx", lv.ctx, dma, lv.workq);
	add("doca_dev", lv.dev, dev, lv.mmap);
	add("doca_dma", lv.dma, dma, lv.workq);
	add("doca_mmap", lv.mmap, mmap, level_3_mmap(lv.dev));
	add("doca_workq", lv.workq, workq, lv.ctx);
	add("doca_event", memory, NULL, lv.inv);
	add("doca_job", memory, NULL, lv.inv);
	add("doca_pci_bdf", memory, NULL, lv.inv);
	add_lists(lv.dev);
}

static const char *walk_logged(void)
{
	return logged();
}

#endif /* DOCA_TESTS_LEVEL_WALK_H */
