// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Several devices at once. */
#include "bed.h"

#define LEN 65536

TEST(two_devices_one_mmap_one_engine)
{
	struct doca_dev *dev[2] = { bed_open_dev("rxe0"), bed_open_dev("rxe1") };
	char *mem = mmap(NULL, 3 * LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct doca_mmap *shared;
	struct bed bed[2] = {};
	struct doca_pe *pe;
	long pins = pins_held();
	size_t inflight;
	int i, n;

	if (!dev[0] || !dev[1])
		SKIP(return, "needs the RDMA devices rxe0 and rxe1");
	ASSERT_NE(dev[0], dev[1]);
	bed_fill(mem, LEN, 7);
	ASSERT_OK(doca_pe_create(&pe));
	ASSERT_OK(
		bed_mmap(mem, 3 * LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev[0], dev[1], &shared));
	for (i = 0; i < 2; i++) {
		ASSERT_OK(bed_create(&bed[i], dev[i], pe));
		ASSERT_OK(doca_ctx_start(bed[i].ctx));
	}

	for (n = 0; n < 16; n++)
		for (i = 0; i < 2; i++)
			ASSERT_OK(bed_copy(&bed[i], shared, mem + n * 4096, shared,
					   mem + (i + 1) * LEN + n * 4096, 4096));
	ASSERT_OK(doca_pe_get_num_inflight_tasks(pe, &inflight));
	EXPECT_EQ(32, inflight);
	EXPECT_TRUE(BED_UNTIL(&bed[0], bed[0].succeeded == 16 && bed[1].succeeded == 16));
	EXPECT_EQ(0, bed[0].failed + bed[1].failed);
	EXPECT_EQ(0, memcmp(mem, mem + LEN, LEN));
	EXPECT_EQ(0, memcmp(mem, mem + 2 * LEN, LEN));

	for (i = 0; i < 2; i++) {
		EXPECT_OK(doca_ctx_stop(bed[i].ctx));
		EXPECT_OK(bed_destroy(&bed[i]));
	}
	EXPECT_OK(doca_mmap_destroy(shared));
	EXPECT_OK(doca_pe_destroy(pe));
	EXPECT_OK(doca_dev_close(dev[0]));
	EXPECT_OK(doca_dev_close(dev[1]));
	EXPECT_EQ(pins, pins_settle(pins));
}

/* Memory is only there for the devices it was given to. */
TEST(mmap_of_the_other_device)
{
	struct doca_dev *dev[2] = { bed_open_dev("rxe0"), bed_open_dev("rxe1") };
	static char mem[2 * LEN];
	struct doca_mmap *of_first;
	struct bed bed;

	if (!dev[0] || !dev[1])
		SKIP(return, "needs the RDMA devices rxe0 and rxe1");
	ASSERT_OK(bed_mmap(mem, sizeof(mem), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev[0], NULL,
			   &of_first));
	ASSERT_OK(bed_create(&bed, dev[1], NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	ASSERT_OK(bed_copy(&bed, of_first, mem, of_first, mem + LEN, LEN));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.to_idle));
	EXPECT_EQ(1, bed.failed);
	EXPECT_ERR(INVALID_VALUE, bed.status);
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_mmap_destroy(of_first));
}

/* Programs look first for the card behind 03:00.0. */
TEST(pci_address)
{
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct doca_devinfo *info;
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint8_t equal;

	if (!dev)
		SKIP(return, "needs the RDMA device rxe0");
	info = doca_dev_as_devinfo(dev);
	ASSERT_OK(doca_devinfo_get_pci_addr_str(info, pci));
	EXPECT_STREQ("0000:03:00.0", pci);
	EXPECT_OK(doca_devinfo_is_equal_pci_addr(info, "03:00.0", &equal));
	EXPECT_EQ(1, equal);
	EXPECT_OK(doca_devinfo_is_equal_pci_addr(info, "0000:03:00.0", &equal));
	EXPECT_EQ(1, equal);
	EXPECT_OK(doca_devinfo_is_equal_pci_addr(info, "b1:00.0", &equal));
	EXPECT_EQ(0, equal);
	EXPECT_OK(doca_dev_close(dev));
}

/* A getter returns one of these codes; where it gives nothing, it leaves the room alone. */
#define CLEAN(call, room)                                                                \
	do {                                                                             \
		doca_error_t rc_;                                                        \
                                                                                         \
		memset(room, 0x5a, sizeof(room));                                        \
		rc_ = call;                                                              \
		EXPECT_TRUE(rc_ == DOCA_SUCCESS || rc_ == DOCA_ERROR_OPERATING_SYSTEM || \
			    rc_ == DOCA_ERROR_NOT_SUPPORTED)                             \
		{                                                                        \
			TH_LOG(#call ": %d", rc_);                                       \
		}                                                                        \
		EXPECT_TRUE(rc_ == DOCA_SUCCESS || untouched(room, 64));                 \
	} while (0)

static bool untouched(const uint8_t *room, size_t len)
{
	while (len && *room == 0x5a)
		room++, len--;
	return !len;
}

TEST(a_device_without_pci_address_answers_cleanly_from_every_getter)
{
	struct doca_dev *dev = bed_open_dev("software");
	uint8_t room[DOCA_DEVINFO_IBDEV_NAME_SIZE + 256];
	struct doca_devinfo *info;
	char *text = (char *)room;
	uint8_t equal = 2;

	if (bed_in_process())
		SKIP(return, "in process all devices have an address");
	if (!dev)
		SKIP(return, "needs the software device");
	info = doca_dev_as_devinfo(dev);
	EXPECT_ERR(OPERATING_SYSTEM, doca_devinfo_get_pci_addr_str(info, text));
	EXPECT_OK(doca_devinfo_is_equal_pci_addr(info, "03:00.0", &equal));
	EXPECT_EQ(0, equal);
	EXPECT_OK(doca_devinfo_is_equal_pci_addr(info, "0000:03:00.0", &equal));
	EXPECT_EQ(0, equal);
	CLEAN(doca_devinfo_get_pci_addr_str(info, text), room);
	CLEAN(doca_devinfo_get_ibdev_name(info, text, sizeof(room)), room);
	CLEAN(doca_devinfo_get_iface_name(info, text, sizeof(room)), room);
	CLEAN(doca_devinfo_get_mac_addr(info, room, sizeof(room)), room);
	CLEAN(doca_devinfo_get_ipv4_addr(info, room, sizeof(room)), room);
	CLEAN(doca_devinfo_get_ipv6_addr(info, room, sizeof(room)), room);
	CLEAN(doca_devinfo_get_lid(info, (uint16_t *)room), room);
	CLEAN(doca_devinfo_get_active_rate(info, (uint64_t *)room), room);
	CLEAN(doca_devinfo_get_vhca_id(info, (uint16_t *)room), room);
	CLEAN(doca_devinfo_get_pci_func_type(info, (void *)room), room);
	CLEAN(doca_devinfo_get_sf_index(info, (uint32_t *)room), room);
	CLEAN(doca_devinfo_cap_is_hotplug_manager_supported(info, room), room);
	CLEAN(doca_devinfo_cap_is_notification_moderation_supported(info, room), room);
	CLEAN(doca_devinfo_cap_is_accelerate_resource_reclaim_supported(info, room), room);
	CLEAN(doca_devinfo_rep_cap_is_filter_all_supported(info, room), room);
	CLEAN(doca_devinfo_rep_cap_is_filter_net_supported(info, room), room);
	CLEAN(doca_devinfo_rep_cap_is_filter_emulated_supported(info, room), room);
	EXPECT_OK(doca_dev_close(dev));
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
	EXPECT_OK(doca_devinfo_get_ibdev_name(list[n - 1], name, sizeof(name)));
	EXPECT_STREQ("software", name);
out:
	EXPECT_OK(doca_devinfo_destroy_list(list));
}

TEST_HARNESS_MAIN
