// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What programs may rely on of buffers, maps and devices. Output is appended, input is
 * exactly the data; lists are as long as the device says, and go with their head. Any
 * memory can be a map's, by default to be read and written here, and may be gone before
 * it. What is destroyed need not be stopped. An import is a started map of the
 * exporter's addresses; a descriptor can be moved. A device is one object however often
 * it is opened, and the most capable one comes first.
 */
#include "probe.h"

FIXTURE(bufs)
{
	struct probe probe;
};

FIXTURE_SETUP(bufs)
{
	doca_error_t rc = probe_create(&self->probe, BED_TASKS);

	if (rc == DOCA_ERROR_NOT_FOUND)
		SKIP_SETUP("no device");
	ASSERT_OK(rc);
	ASSERT_OK(probe_start(&self->probe));
}

FIXTURE_TEARDOWN(bufs)
{
	EXPECT_TRUE(probe_destroy(&self->probe));
}

static size_t data_len(const struct doca_buf *buf)
{
	size_t len = -1;

	doca_buf_get_data_len(buf, &len);
	return len;
}

static void keep(struct probe *probe, struct doca_dma_task_memcpy *task)
{
	(void)probe;
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* Copy, leaving the buffers; whether it went well. */
static bool copy(struct probe *probe, struct doca_buf *src,
		 struct doca_buf *dst)
{
	unsigned int want = probe->callbacks + 1;

	probe->on_task = keep;
	return !doca_task_submit(probe_alloc(probe, src, dst)) &&
	       PROBE_UNTIL(probe, probe->callbacks == want) && !probe->status;
}

static void put(struct doca_buf *buf)
{
	doca_buf_dec_refcount(buf, NULL);
}

TEST_F(bufs, output_is_appended_at_the_tail_and_the_data_length_grows)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src, *dst;
	char *to = probe->mem + PROBE_MEM;

	src = probe_data(probe, probe->src, probe->mem, 100);
	dst = probe_room(probe, probe->dst, to, 250);
	EXPECT_EQ(100, data_len(src));
	EXPECT_EQ(0, data_len(dst));
	EXPECT_TRUE(copy(probe, src, dst));
	EXPECT_EQ(100, data_len(dst));
	EXPECT_TRUE(copy(probe, src, dst));
	EXPECT_EQ(200, data_len(dst));
	EXPECT_EQ(0, memcmp(to, probe->mem, 100));
	EXPECT_EQ(0, memcmp(to + 100, probe->mem, 100));
	EXPECT_EQ(0, to[200]);
	/* There is not enough room for a third time. */
	EXPECT_FALSE(copy(probe, src, dst));
	EXPECT_ERR(INVALID_VALUE, probe->status);
	EXPECT_EQ(200, data_len(dst));
	put(src);
	put(dst);
}

TEST_F(bufs, a_source_is_exactly_its_data)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src, *dst;
	char *to = probe->mem + PROBE_MEM;

	src = probe_room(probe, probe->src, probe->mem, 1000);
	ASSERT_OK(doca_buf_set_data(src, probe->mem + 300, 50));
	dst = probe_room(probe, probe->dst, to, 1000);
	EXPECT_TRUE(copy(probe, src, dst));
	EXPECT_EQ(0, memcmp(to, probe->mem + 300, 50));
	EXPECT_EQ(0, to[50]);
	EXPECT_EQ(50, data_len(dst));
	put(src);
	put(dst);
}

TEST_F(bufs, a_chain_may_be_as_long_as_the_capability_and_goes_with_its_head)
{
	const struct doca_devinfo *info =
		doca_dev_as_devinfo(self->probe.dev);
	struct probe *probe = &self->probe;
	uint32_t max = 0, before = 0, after = 0, i;
	struct doca_buf *head = NULL, *buf, *dst;

	ASSERT_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &max));
	ASSERT_LE(2, max);
	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &before);
	for (i = 0; i < max; i++) {
		buf = probe_data(probe, probe->src, probe->mem + i * 100, 100);
		if (!head)
			head = buf;
		else
			ASSERT_OK(doca_buf_chain_list(head, buf));
	}
	dst = probe_room(probe, probe->dst, probe->mem + PROBE_MEM, max * 100);
	EXPECT_TRUE(copy(probe, head, dst));
	EXPECT_EQ(0, memcmp(probe->mem, probe->mem + PROBE_MEM, max * 100));
	put(dst);
	put(head);
	doca_buf_inventory_get_num_free_elements(probe->bed.inv, &after);
	EXPECT_EQ(before, after);
}

TEST_F(bufs, one_buffer_may_feed_many_tasks)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src, *dst[8];
	char *to = probe->mem + PROBE_MEM;
	int i;

	probe->on_task = keep;
	src = probe_data(probe, probe->src, probe->mem, PROBE_LEN);
	for (i = 0; i < 8; i++) {
		dst[i] = probe_room(probe, probe->dst, to + i * PROBE_LEN,
				    PROBE_LEN);
		ASSERT_OK(doca_task_submit(probe_alloc(probe, src, dst[i])));
	}
	EXPECT_TRUE(PROBE_UNTIL(probe, probe->bed.succeeded == 8));
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(0, memcmp(to + i * PROBE_LEN, probe->mem, PROBE_LEN));
		put(dst[i]);
	}
	put(src);
}

/* Memory that is exported, and the map that was made of the descriptor. */
struct import {
	char *mem;
	struct doca_mmap *exporter, *mmap;
	char moved[512]; /* the descriptor, elsewhere */
	size_t len;
};

static doca_error_t import_create(struct import *import, struct doca_dev *dev)
{
	const void *desc;
	doca_error_t rc;

	import->mem = mmap(NULL, PROBE_LEN, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bed_fill(import->mem, PROBE_LEN, 9);
	rc = bed_mmap(import->mem, PROBE_LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		      dev, NULL, &import->exporter);
	if (!rc)
		rc = doca_mmap_export_pci(import->exporter, dev, &desc,
					  &import->len);
	if (rc)
		return rc;
	if (import->len > sizeof(import->moved))
		return DOCA_ERROR_TOO_BIG;
	memcpy(import->moved, desc, import->len);
	return doca_mmap_create_from_export(NULL, import->moved, import->len,
					    dev, &import->mmap);
}

static void import_destroy(struct import *import)
{
	doca_mmap_destroy(import->mmap);
	doca_mmap_destroy(import->exporter);
	munmap(import->mem, PROBE_LEN);
}

TEST_F(bufs, an_import_is_started_and_has_the_addresses_of_its_exporter)
{
	struct probe *probe = &self->probe;
	struct doca_buf *src, *dst;
	struct import import;
	void *addr = NULL;
	size_t len = 0;

	if (bed_in_process())
		SKIP(return, "in process what the CPU may not touch the driver may not either");
	ASSERT_OK(import_create(&import, probe->dev));
	EXPECT_OK(doca_mmap_get_memrange(import.mmap, &addr, &len));
	EXPECT_EQ(import.mem, addr);
	EXPECT_EQ(PROBE_LEN, len);
	/* Nobody looks at these addresses here: the pages stay where they are. */
	ASSERT_EQ(0, mprotect(import.mem, PROBE_LEN, PROT_NONE));
	src = probe_room(probe, import.mmap, import.mem, PROBE_LEN);
	EXPECT_OK(doca_buf_set_data(src, import.mem + 8, 1000));
	dst = probe_room(probe, probe->dst, probe->mem + PROBE_MEM, 1000);
	EXPECT_TRUE(copy(probe, src, dst));
	ASSERT_EQ(0, mprotect(import.mem, PROBE_LEN, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, memcmp(probe->mem + PROBE_MEM, import.mem + 8, 1000));
	put(src);
	put(dst);
	import_destroy(&import);
}

TEST_F(bufs, an_import_cannot_be_exported_again)
{
	struct import import;
	const void *desc;
	size_t len;

	ASSERT_OK(import_create(&import, self->probe.dev));
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_export_pci(import.mmap,
						       self->probe.dev, &desc,
						       &len));
	import_destroy(&import);
}

TEST_F(bufs, an_exported_and_an_imported_map_can_be_stopped)
{
	struct import import;

	ASSERT_OK(import_create(&import, self->probe.dev));
	EXPECT_OK(doca_mmap_stop(import.mmap));
	EXPECT_OK(doca_mmap_stop(import.exporter));
	import_destroy(&import);
}

TEST_F(bufs, by_default_a_map_can_be_read_and_written_locally)
{
	struct probe *probe = &self->probe;
	struct doca_mmap *mmap = NULL;
	struct doca_buf *src, *dst;
	char mem[64] = "any memory, at any address, of any length";

	/* Into a context that was started before. */
	ASSERT_OK(doca_mmap_create(&mmap));
	ASSERT_OK(doca_mmap_set_memrange(mmap, mem + 1, 61));
	ASSERT_OK(doca_mmap_add_dev(mmap, probe->dev));
	ASSERT_OK(doca_mmap_start(mmap));
	src = probe_data(probe, mmap, mem + 1, 3);
	dst = probe_room(probe, mmap, mem + 51, 5);
	EXPECT_TRUE(copy(probe, src, dst));
	EXPECT_EQ(0, memcmp(mem + 51, "ny ", 3));
	EXPECT_EQ(0, mem[54]);
	put(src);
	put(dst);
	EXPECT_OK(doca_mmap_destroy(mmap));
}

TEST_F(bufs, a_map_with_pci_permissions_alone_works_locally)
{
	struct probe *probe = &self->probe;
	struct import import;
	struct doca_buf *src, *dst;

	ASSERT_OK(import_create(&import, probe->dev));
	src = probe_data(probe, import.exporter, import.mem, 100);
	dst = probe_room(probe, import.exporter, import.mem + 200, 100);
	EXPECT_TRUE(copy(probe, src, dst));
	EXPECT_EQ(0, memcmp(import.mem + 200, import.mem, 100));
	put(src);
	put(dst);
	import_destroy(&import);
}

static void freed(void *addr, size_t len, void *cookie)
{
	*(size_t *)cookie += len;
	munmap(addr, len);
}

TEST_F(bufs, memory_may_go_before_its_map_and_the_callback_runs_at_destroy)
{
	struct doca_mmap *map = NULL;
	size_t bytes = 0;
	int i;

	for (i = 0; i < 2; i++) {
		char *mem = mmap(NULL, PROBE_LEN, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		ASSERT_OK(doca_mmap_create(&map));
		ASSERT_OK(doca_mmap_set_memrange(map, mem, PROBE_LEN));
		ASSERT_OK(doca_mmap_add_dev(map, self->probe.dev));
		if (i)
			ASSERT_OK(doca_mmap_set_free_cb(map, freed, &bytes));
		ASSERT_OK(doca_mmap_start(map));
		if (!i)
			ASSERT_EQ(0, munmap(mem, PROBE_LEN));
		EXPECT_EQ(0, bytes);
		EXPECT_OK(doca_mmap_destroy(map));
	}
	EXPECT_EQ(PROBE_LEN, bytes);
}

TEST_F(bufs, destroying_a_started_map_or_inventory_stops_it)
{
	struct doca_buf_inventory *inv = NULL;
	struct doca_mmap *mmap = NULL;

	ASSERT_OK(bed_mmap(self->probe.mem, PROBE_LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->probe.dev,
			   NULL, &mmap));
	EXPECT_OK(doca_mmap_destroy(mmap));
	ASSERT_OK(doca_buf_inventory_create(1, &inv));
	ASSERT_OK(doca_buf_inventory_start(inv));
	EXPECT_OK(doca_buf_inventory_destroy(inv));
}

TEST_F(bufs, a_device_opened_twice_is_one_object_with_two_references)
{
	struct doca_devinfo *info = doca_dev_as_devinfo(self->probe.dev);
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_dev *again = NULL;

	ASSERT_OK(doca_dev_open(info, &again));
	EXPECT_EQ(self->probe.dev, again);
	EXPECT_OK(doca_dev_close(again));
	/* The lists that it came from are long gone. */
	EXPECT_OK(doca_devinfo_get_ibdev_name(info, name, sizeof(name)));
	EXPECT_OK(doca_dev_close(NULL));
}

TEST(closing_a_device_before_its_map_does_no_harm)
{
	struct doca_mmap *mmap = NULL;
	struct doca_dev *dev;
	long pins = pins_held();
	char mem[64];

	dev = bed_open_dev(NULL);
	if (!dev)
		SKIP(return, "no device");
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   dev, NULL, &mmap));
	EXPECT_OK(doca_dev_close(dev));
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_EQ(pins, pins_settle(pins));
}

TEST(pci_addresses_compare_short_and_long_and_a_device_without_answers_too)
{
	char addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	struct doca_devinfo **list;
	uint8_t equal;
	uint32_t n, i;

	ASSERT_OK(doca_devinfo_create_list(&list, &n));
	for (i = 0; i < n; i++) {
		doca_error_t rc = doca_devinfo_get_pci_addr_str(list[i], addr);

		equal = 2;
		EXPECT_OK(doca_devinfo_is_equal_pci_addr(list[i], "ff:1f.7",
							 &equal));
		EXPECT_EQ(0, equal);
		if (rc)
			continue;
		EXPECT_EQ(12, strlen(addr));
		EXPECT_OK(doca_devinfo_is_equal_pci_addr(list[i], addr,
							 &equal));
		EXPECT_EQ(1, equal);
		EXPECT_OK(doca_devinfo_is_equal_pci_addr(list[i], addr + 5,
							 &equal));
		EXPECT_EQ(1, equal);
	}
	EXPECT_OK(doca_devinfo_destroy_list(list));
}

TEST(the_most_capable_device_comes_first)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	struct doca_devinfo **list;
	uint32_t n;

	if (bed_in_process())
		SKIP(return, "in process all devices are alike");
	ASSERT_OK(doca_devinfo_create_list(&list, &n));
	if (n < 2)
		SKIP(goto out, "only one device");
	EXPECT_OK(doca_devinfo_get_ibdev_name(list[n - 1], name,
					      sizeof(name)));
	EXPECT_STREQ("software", name);
out:
	EXPECT_OK(doca_devinfo_destroy_list(list));
}

TEST_HARNESS_MAIN
