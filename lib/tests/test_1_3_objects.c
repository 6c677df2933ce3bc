// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Life cycles of the objects of level 1.3: allowed and refused calls. */
#include <errno.h>
#include <sys/resource.h>

#include "fault.h"
#include "level.h"

TEST(devices_are_listed_in_both_forms)
{
	struct doca_devinfo **list = NULL, **again = NULL;
	struct doca_dev *dev, *same;
	struct doca_devinfo *info;
	uint32_t nr = 0;

	level_fake_reset(true);
	OK(doca_devinfo_list_create(&list));
	EXPECT(list[0] && list[1] && !list[2]);
	OK(doca_devinfo_list_create(&again, &nr));
	EXPECT_EQ(nr, 2);
	OK(doca_dev_open(list[0], &dev));
	OK(doca_devinfo_list_destroy(list));
	OK(doca_dev_open(again[0], &same));
	EXPECT(dev == same);
	OK(doca_devinfo_list_destroy(again));
	OK(doca_dev_as_devinfo(dev, &info));
	OK(doca_dev_close(dev));
	OK(doca_dev_close(dev));

	INVALID(doca_devinfo_list_create(NULL, &nr));
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_list_create(&list), NO_MEMORY,
		      OK(doca_devinfo_list_destroy(list)));
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_list_create(&list, &nr), NO_MEMORY,
		      OK(doca_devinfo_list_destroy(list)));
	level_fake_error(LEVEL_LIST, -EIO);
	ERR(doca_devinfo_list_create(&list), NOT_FOUND);
	ERR(doca_devinfo_list_create(&list, &nr), NOT_FOUND);
	level_fake_error(LEVEL_LIST, 0);
}

TEST(devices_are_opened_and_closed)
{
	struct doca_devinfo **list = NULL;
	struct doca_mmap *user;
	struct doca_dev *dev;

	level_fake_reset(true);
	OK(doca_devinfo_list_create(&list));
	EXPECT_FAULTS(FAULT_ALLOC, doca_dev_open(list[0], &dev), NO_MEMORY,
		      OK(doca_dev_close(dev)));
	OK(doca_dev_open(list[0], &dev));
	INVALID(doca_dev_close(NULL));
	user = level_3_mmap(dev);
	OK(doca_dev_close(dev));
	ERR(doca_dev_close(dev), IN_USE);
	level_3_mmap_destroy(user);
	level_fake_remove();
	ERR(doca_dev_open(list[1], &dev), NOT_CONNECTED);
	OK(doca_devinfo_list_destroy(list));
}

TEST(properties_of_devices)
{
	static const uint32_t sizes[] = { 128, 2, 4, 16, 256, 64 };
	struct doca_devinfo **list = NULL;
	char value[512], before[512];
	unsigned int p;

	level_fake_reset(true);
	OK(doca_devinfo_list_create(&list));
	memset(before, 0x5a, sizeof(before));
	for (p = 0; p < 6; p++) {
		memcpy(value, before, sizeof(value));
		CHECKS_PROPERTY(doca_devinfo_property_get, list[0], p, value, sizes[p]);
		EXPECT(!memcmp(value, before, sizeof(value)));
	}
	EXPECT_LOGGED("no property");
	INVALID(doca_devinfo_property_get(list[0], p, value, 4));
	OK(doca_devinfo_property_get(list[0], DOCA_DEVINFO_PROPERTY_IBDEV_NAME, value, 64));
	EXPECT_STR(value, "fake0");
	OK(doca_devinfo_property_get(list[1], DOCA_DEVINFO_PROPERTY_VUID, value, 128));
	EXPECT_STR(value, "fake1");
	ERR(doca_devinfo_property_get(list[0], DOCA_DEVINFO_PROPERTY_PCI_ADDR, value, 2),
	    OPERATING_SYSTEM);
	ERR(doca_devinfo_property_get(list[0], DOCA_DEVINFO_PROPERTY_IFACE_NAME, value, 256),
	    OPERATING_SYSTEM);
	OK(doca_devinfo_list_destroy(list));
}

TEST(remote_devices_are_representors)
{
	struct doca_devinfo_remote **list = NULL, *info;
	struct doca_dev_remote *remote;
	struct doca_dev *dev;
	struct rlimit limit;
	uint32_t nr = 9;
	char value[128];

	level_fake_reset(true);
	level_fake_target(true);
	dev = open_dev(0);
	INVALID(doca_devinfo_remote_list_create(dev, (enum doca_dev_remote_filter)8, &list, &nr));
	EXPECT_LOGGED("no such filter");
	OK(doca_devinfo_remote_list_create(dev, &list));
	EXPECT(list[0] && !list[1]);
	OK(doca_devinfo_remote_property_get(list[0], DOCA_DEVINFO_REMOTE_PROPERTY_VUID, value,
					    128));
	EXPECT_STR(value, "VUID1");
	INVALID(doca_devinfo_remote_property_get(list[0], DOCA_DEVINFO_REMOTE_PROPERTY_VUID, value,
						 127));
	EXPECT_LOGGED("no property");
	EXPECT_FAULTS(FAULT_ALLOC, doca_dev_remote_open(list[0], &remote), NO_MEMORY,
		      OK(doca_dev_remote_close(remote)));
	OK(doca_dev_remote_open(list[0], &remote));
	OK(doca_devinfo_remote_list_destroy(list));
	OK(doca_dev_remote_as_devinfo(remote, &info));
	OK(doca_devinfo_remote_property_get(info, DOCA_DEVINFO_REMOTE_PROPERTY_VUID, value, 128));
	OK(doca_dev_remote_close(remote));
	EXPECT(!getrlimit(RLIMIT_NOFILE, &limit));
	EXPECT(!setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, limit.rlim_max }));
	ERR(doca_devinfo_remote_list_create(dev, &list), OPERATING_SYSTEM);
	ERR(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_NET, &list, &nr),
	    OPERATING_SYSTEM);
	EXPECT(!setrlimit(RLIMIT_NOFILE, &limit));
	level_fake_target(false);
	OK(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_ALL, &list, &nr));
	EXPECT(!nr && !list[0]);
	OK(doca_devinfo_remote_list_destroy(list));
	ERR(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_EMULATED, &list, &nr),
	    NOT_SUPPORTED);
	EXPECT_FAULTS(FAULT_ALLOC, doca_devinfo_remote_list_create(dev, &list), NO_MEMORY,
		      OK(doca_devinfo_remote_list_destroy(list)));
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_NET, &list, &nr),
		      NO_MEMORY, OK(doca_devinfo_remote_list_destroy(list)));
	OK(doca_dev_close(dev));
}

/* Not the functions that do the work. */
TEST(log_lines_name_the_functions_that_programs_call)
{
	struct doca_buf *buf;
	struct doca_dev *dev;
	uint32_t nr;

	set_up(1, true);
	dev = lv.dev;
	INVALID(doca_mmap_create("x", NULL));
	EXPECT_LOGGED("] doca_mmap_create(): mmap is NULL");
	INVALID(doca_buf_inventory_create("x", 1, 0, NULL));
	EXPECT_LOGGED("] doca_buf_inventory_create(): ");
	INVALID(doca_buf_inventory_buf_by_addr(lv.inv, NULL, mem, 1, &buf));
	EXPECT_LOGGED("] doca_buf_inventory_buf_by_addr(): mmap is NULL");
	INVALID(doca_mmap_create_from_export("x", NULL, 1, dev, &lv.mmap));
	EXPECT_LOGGED("] doca_mmap_create_from_export(): desc is NULL");
	INVALID(doca_devinfo_list_create(NULL, &nr));
	EXPECT_LOGGED("] doca_devinfo_list_create(): devinfo_list is NULL");
	tear_down();
}

TEST(errors_have_words)
{
	EXPECT_STR(doca_get_error_string(DOCA_SUCCESS), "success");
	EXPECT_STR(doca_get_error_string((doca_error_t)999), "unrecognized error code");
}

TEST(inventories_give_buffers_while_they_are_started)
{
	struct doca_buf_inventory *inv;
	struct doca_buf *buf[3];
	uint32_t word = 0;
	char name[128];

	set_up(1, true);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_buf_inventory_create("some", 2, DOCA_BUF_EXTENSION_LINKED_LIST, &inv),
		      NO_MEMORY, OK(doca_buf_inventory_destroy(inv)));
	INVALID(doca_buf_inventory_create("x", 0, 0, &inv));
	INVALID(doca_buf_inventory_create("x", 2, 2, &inv));
	EXPECT_LOGGED("extensions 0x2");
	OK(doca_buf_inventory_create("some", 2, DOCA_BUF_EXTENSION_LINKED_LIST, &inv));
	ERR(doca_buf_inventory_buf_by_addr(inv, lv.mmap, mem, 1, &buf[0]), BAD_STATE);
	EXPECT_LOGGED("\"some\" is not started");
	OK(doca_buf_inventory_start(inv));
	OK(doca_buf_inventory_start(inv));
	OK(doca_buf_inventory_buf_by_addr(inv, lv.mmap, mem, 1, &buf[0]));
	OK(doca_buf_inventory_buf_dup(inv, buf[0], &buf[1]));
	ERR(doca_buf_inventory_buf_by_addr(inv, lv.mmap, mem, 1, &buf[2]), NO_MEMORY);
	ERR(doca_buf_inventory_buf_dup(inv, buf[0], &buf[2]), NO_MEMORY);
	OK(doca_buf_inventory_property_get(inv, DOCA_BUF_INVENTORY_NAME, name, 128));
	EXPECT_STR(name, "some");
	OK(doca_buf_inventory_property_get(inv, DOCA_BUF_INVENTORY_NUM_ELEMENTS, &word, 4));
	EXPECT_EQ(word, 2);
	OK(doca_buf_inventory_property_get(inv, DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, &word, 4));
	EXPECT_EQ(word, 0);
	OK(doca_buf_inventory_property_get(inv, DOCA_BUF_INVENTORY_EXTENSIONS, &word, 4));
	EXPECT_EQ(word, DOCA_BUF_EXTENSION_LINKED_LIST);
	OK(doca_buf_inventory_stop(inv));
	OK(doca_buf_refcount_rm(buf[1], NULL));
	ERR(doca_buf_inventory_buf_by_addr(inv, lv.mmap, mem, 1, &buf[1]), BAD_STATE);
	ERR(doca_buf_inventory_buf_dup(inv, buf[0], &buf[1]), BAD_STATE);
	ERR(doca_buf_inventory_destroy(inv), IN_USE);
	OK(doca_buf_refcount_rm(buf[0], NULL));
	OK(doca_buf_inventory_destroy(inv));
	tear_down();
}

TEST(properties_of_inventories_can_only_be_read)
{
	static const uint32_t sizes[] = { 128, 4, 4, 4 };
	char value[256] = { 0 };
	unsigned int p;

	set_up(1, true);
	for (p = 0; p < 4; p++) {
		ERR(doca_buf_inventory_property_set(lv.inv, p, value, sizes[p]), NOT_PERMITTED);
		EXPECT_LOGGED("can only be read");
		CHECKS_PROPERTY(doca_buf_inventory_property_set, lv.inv, p, value, sizes[p]);
		CHECKS_PROPERTY(doca_buf_inventory_property_get, lv.inv, p, value, sizes[p]);
	}
	INVALID(doca_buf_inventory_property_get(lv.inv, p, value, 4));
	tear_down();
}

TEST(buffers_know_their_range)
{
	struct doca_buf *buf, *dup;
	uint16_t count = 0;
	size_t len = 0;
	void *head;

	set_up(1, true);
	buf = take(100, 200);
	OK(doca_buf_inventory_buf_dup(lv.inv, buf, &dup));
	OK(doca_buf_head_get(dup, &head));
	OK(doca_buf_len_get(dup, &len));
	OK(doca_buf_refcount_get(dup, &count));
	EXPECT(head == mem + 100);
	EXPECT_EQ(len, 200);
	EXPECT_EQ(count, 1);
	put(buf);
	INVALID(doca_buf_len_get(buf, &len));
	INVALID(doca_buf_refcount_get(buf, &count));
	ERR(doca_buf_refcount_rm(buf, NULL), BAD_STATE);
	INVALID(doca_buf_inventory_buf_dup(lv.inv, buf, &buf));
	EXPECT_LOGGED("cannot duplicate");
	put(dup);
	tear_down();
}

TEST(buffers_are_within_one_chunk_of_a_started_map)
{
	struct doca_buf *buf, *dup;
	struct doca_mmap *mmap;
	uint32_t two = 2;

	set_up(1, true);
	OK(doca_mmap_create("two", &mmap));
	OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &two, 4));
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem, 1, &buf), NOT_PERMITTED);
	OK(doca_mmap_start(mmap));
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem, 1, &buf), NOT_FOUND);
	OK(doca_mmap_populate(mmap, mem + 100, 100, PAGE, NULL, NULL));
	OK(doca_mmap_populate(mmap, mem, 100, PAGE, NULL, NULL));
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 50, 100, &buf), NOT_FOUND);
	EXPECT_LOGGED("no chunk");
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 200, 1, &buf), NOT_FOUND);
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 100, 101, &buf), NOT_FOUND);
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 100, SIZE_MAX, &buf), NOT_FOUND);
	INVALID(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem, 0, &buf));
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 100, 100, &buf));
	OK(doca_mmap_stop(mmap));
	ERR(doca_buf_inventory_buf_dup(lv.inv, buf, &dup), NOT_PERMITTED);
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem, 1, &dup), NOT_PERMITTED);
	OK(doca_mmap_start(mmap));
	OK(doca_buf_inventory_buf_dup(lv.inv, buf, &dup));
	OK(doca_mmap_property_get(mmap, DOCA_MMAP_NUM_BUFS, &two, 4));
	EXPECT_EQ(two, 2);
	put(buf);
	put(dup);
	OK(doca_mmap_destroy(mmap));
	tear_down();
}

/* Devices cannot be changed while it is started, work queues not while in use. */
TEST(contexts_are_changed_while_they_are_stopped)
{
	struct doca_dev *dev, *other;
	struct doca_workq *workq;
	struct doca_ctx *ctx;
	struct doca_dma *dma;

	level_fake_reset(true);
	dev = open_dev(0);
	other = open_dev(1);
	EXPECT_FAULTS(FAULT_ALLOC, doca_dma_create(&dma), NO_MEMORY, OK(doca_dma_destroy(dma)));
	EXPECT(!doca_dma_as_ctx(NULL));
	OK(doca_dma_create(&dma));
	ctx = doca_dma_as_ctx(dma);
	OK(doca_workq_create(1, &workq));

	ERR(doca_ctx_start(ctx), BAD_STATE);
	EXPECT_LOGGED("it has no device");
	ERR(doca_ctx_stop(ctx), BAD_STATE);
	ERR(doca_ctx_workq_add(ctx, workq), BAD_STATE);
	ERR(doca_ctx_workq_rm(ctx, workq), BAD_STATE);
	ERR(doca_ctx_dev_rm(ctx, dev), NOT_FOUND);
	OK(doca_ctx_dev_add(ctx, dev));
	ERR(doca_ctx_dev_add(ctx, dev), ALREADY_EXIST);
	ERR(doca_ctx_dev_add(ctx, other), NOT_SUPPORTED);
	ERR(doca_ctx_dev_rm(ctx, other), NOT_FOUND);
	ERR(doca_dma_destroy(dma), IN_USE);

	OK(doca_ctx_start(ctx));
	ERR(doca_ctx_start(ctx), BAD_STATE);
	ERR(doca_ctx_dev_add(ctx, other), BAD_STATE);
	ERR(doca_ctx_dev_rm(ctx, dev), BAD_STATE);
	ERR(doca_ctx_workq_rm(ctx, workq), NOT_FOUND);
	OK(doca_ctx_workq_add(ctx, workq));
	ERR(doca_ctx_workq_add(ctx, workq), ALREADY_EXIST);
	ERR(doca_ctx_stop(ctx), IN_USE);
	EXPECT_LOGGED("it has work queues");
	ERR(doca_dma_destroy(dma), IN_USE);
	ERR(doca_workq_destroy(workq), IN_USE);
	OK(doca_ctx_workq_rm(ctx, workq));
	OK(doca_ctx_stop(ctx));
	ERR(doca_ctx_workq_add(ctx, workq), BAD_STATE);
	ERR(doca_dma_destroy(dma), IN_USE);
	OK(doca_ctx_dev_rm(ctx, dev));
	OK(doca_ctx_dev_add(ctx, other));
	OK(doca_ctx_dev_rm(ctx, other));
	OK(doca_dma_destroy(dma));
	OK(doca_workq_destroy(workq));

	OK(doca_dev_close(dev));
	OK(doca_dev_close(other));
}

TEST(contexts_keep_their_device_open)
{
	struct doca_workq *workq;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct doca_dma *dma;

	level_fake_reset(true);
	dev = open_dev(0);
	OK(doca_dma_create(&dma));
	ctx = doca_dma_as_ctx(dma);
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_dev_add(ctx, dev), NO_MEMORY,
		      OK(doca_ctx_dev_rm(ctx, dev)));
	OK(doca_ctx_dev_add(ctx, dev));
	OK(doca_dev_close(dev));
	ERR(doca_dev_close(dev), IN_USE);
	OK(doca_ctx_start(ctx));
	INVALID(doca_workq_create(0, &workq));
	EXPECT_LOGGED("depth 0");
	EXPECT_FAULTS(FAULT_ALLOC, doca_workq_create(1, &workq), NO_MEMORY,
		      OK(doca_workq_destroy(workq)));
	EXPECT_FAULTS(FAULT_FD, doca_workq_create(1, &workq), OPERATING_SYSTEM,
		      OK(doca_workq_destroy(workq)));
	OK(doca_workq_create(1U << 30, &workq));
	INVALID(doca_ctx_workq_add(ctx, workq));
	OK(doca_workq_destroy(workq));
	OK(doca_ctx_stop(ctx));
	OK(doca_ctx_dev_rm(ctx, dev));
	OK(doca_dma_destroy(dma));
	level_fake_remove();
}

/* Whatever fails, nothing is left behind, and it works the next time. */
TEST(a_work_queue_that_cannot_be_added)
{
	unsigned int nr = 0, no_memory = 0;
	struct doca_workq *workq;
	doca_error_t ret;

	set_up(1, true);
	OK(doca_workq_create(4, &workq));
	fault_at(FAULT_ALLOC, 1);
	do {
		ret = doca_ctx_workq_add(lv.ctx, workq);
		if (ret == DOCA_SUCCESS) {
			if (!fault_happened(FAULT_ALLOC))
				fault_at(FAULT_ALLOC, 0);
			OK(doca_ctx_workq_rm(lv.ctx, workq));
		} else if (ret == DOCA_ERROR_NO_MEMORY) {
			ERR(ret, NO_MEMORY);
			no_memory++;
		} else {
			ERR(ret, INITIALIZATION);
		}
		EXPECT_EQ(level_fake_queues(), 1);
		nr++;
	} while (fault_next(FAULT_ALLOC));
	EXPECT(nr > 4 && no_memory > 2);
	level_fake_error(LEVEL_QUEUE, -EDQUOT);
	ERR(doca_ctx_workq_add(lv.ctx, workq), INITIALIZATION);
	level_fake_error(LEVEL_QUEUE, 0);
	level_fake_error(LEVEL_DRIVER, -EIO);
	ERR(doca_ctx_workq_add(lv.ctx, workq), INITIALIZATION);
	level_fake_error(LEVEL_DRIVER, 0);
	fault_at(FAULT_ALLOC, 1);
	ret = doca_ctx_workq_add(lv.ctx, workq);
	ERR(ret, NO_MEMORY);
	fault_at(FAULT_ALLOC, 0);
	OK(doca_workq_destroy(workq));
	tear_down();
}

TEST(the_depth_is_set_while_a_work_queue_is_free)
{
	uint32_t depth = 4, got = 0;
	struct doca_workq *workq;

	set_up(1, true);
	OK(doca_workq_create(2, &workq));
	OK(doca_workq_property_get(workq, DOCA_WORKQ_DEPTH, &got, 4));
	EXPECT_EQ(got, 2);
	CHECKS_PROPERTY(doca_workq_property_set, workq, DOCA_WORKQ_DEPTH, &depth, 4);
	CHECKS_PROPERTY(doca_workq_property_get, workq, DOCA_WORKQ_DEPTH, &depth, 4);
	INVALID(doca_workq_property_set(workq, (enum doca_workq_property)1, &depth, 4));
	OK(doca_workq_property_set(workq, DOCA_WORKQ_DEPTH, &depth, 4));
	depth = 0;
	INVALID(doca_workq_property_set(workq, DOCA_WORKQ_DEPTH, &depth, 4));
	OK(doca_ctx_workq_add(lv.ctx, workq));
	depth = 8;
	ERR(doca_workq_property_set(workq, DOCA_WORKQ_DEPTH, &depth, 4), IN_USE);
	EXPECT_LOGGED("remove it first");
	OK(doca_workq_property_get(workq, DOCA_WORKQ_DEPTH, &got, 4));
	EXPECT_EQ(got, 4);
	OK(doca_ctx_workq_rm(lv.ctx, workq));
	OK(doca_workq_destroy(workq));
	tear_down();
}

TEST(what_a_device_can_do)
{
	struct doca_devinfo *info;
	struct doca_dev *dev;
	struct doca_dma *dma;
	uint32_t caps = 0;

	level_fake_reset(true);
	dev = open_dev(0);
	OK(doca_dev_as_devinfo(dev, &info));
	OK(doca_dma_devinfo_caps_get(info, &caps));
	EXPECT_EQ(caps, DOCA_DMA_CAP_HW_OFFLOAD);
	level_fake_error(LEVEL_DRIVER, -EIO);
	ERR(doca_dma_devinfo_caps_get(info, &caps), DRIVER);
	level_fake_error(LEVEL_DRIVER, 0);
	OK(doca_dma_create(&dma));
	level_fake_remove();
	ERR(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev), NOT_CONNECTED);
	OK(doca_dma_destroy(dma));
	OK(doca_dev_close(dev));
}
