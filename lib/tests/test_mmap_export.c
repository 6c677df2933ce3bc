// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps: exports and imports. */
#include "bed.h"
#include "core/memory/mmap.h"
#include "fault.h"

static char memory[4096];

static struct doca_mmap *map;
static struct doca_dev *dev;

/* Make a started mmap on one device. */
static void begin(uint32_t permissions)
{
	fake_reset(false);
	unsetenv("DOCA_EXPORT_SCOPE");
	dev = fake_new_dev(1);
	map = new_mmap(memory, sizeof(memory), dev);
	OK(doca_mmap_set_permissions(map, permissions));
	OK(doca_mmap_start(map));
}

static void end(void)
{
	OK(doca_mmap_destroy(map));
	OK(doca_dev_close(dev));
	EXPECT_CLEAN();
}

static uint8_t exported(void)
{
	uint8_t flag = 2;

	OK(doca_mmap_get_exported(map, &flag));
	return flag;
}

TEST(every_device_can_export_and_import)
{
	struct doca_devinfo *info;
	uint8_t cap = 0;

	fake_reset(false);
	dev = fake_new_dev(1);
	info = doca_dev_as_devinfo(dev);
	OK(doca_mmap_cap_is_export_pci_supported(info, &cap));
	EXPECT_EQ(cap, 1);
	cap = 0;
	OK(doca_mmap_cap_is_create_from_export_pci_supported(info, &cap));
	EXPECT_EQ(cap, 1);
	doca_dev_close(dev);
}

TEST(descriptor_belongs_to_the_mmap)
{
	const void *desc, *again;
	size_t len = 0;

	begin(DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	ASSERT(doca_mmap_export_pci(map, dev, &desc, &len) == DOCA_SUCCESS);
	EXPECT_EQ(len, DOCA_BLOB_SIZE);
	EXPECT(len <= 512);
	EXPECT_EQ(((const struct doca_blob *)desc)->export_id, next_mem);
	EXPECT(!fake.any_user);
	EXPECT_EQ(exported(), 1);
	ASSERT(doca_mmap_export_pci(map, dev, &again, &len) == DOCA_SUCCESS);
	EXPECT(desc == again);
	EXPECT_EQ(fake.exports, 1);
	/* an export must be revocable */
	OK(doca_mmap_stop(map));
	EXPECT_EQ(fake.exports, 0);
	EXPECT_EQ(exported(), 0);
	OK(doca_mmap_start(map));
	OK(doca_mmap_export_pci(map, dev, &desc, &len));
	end();
}

TEST(scope_of_exports_comes_from_the_environment)
{
	const void *desc;
	size_t len;

	begin(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	setenv("DOCA_EXPORT_SCOPE", "any", 1);
	OK(doca_mmap_export_pci(map, dev, &desc, &len));
	EXPECT(fake.any_user);
	end();
	begin(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	setenv("DOCA_EXPORT_SCOPE", "user", 1);
	OK(doca_mmap_export_pci(map, dev, &desc, &len));
	EXPECT(!fake.any_user);
	unsetenv("DOCA_EXPORT_SCOPE");
	end();
}

TEST(export_needs_start_permission_and_device)
{
	struct doca_dev *other;
	const void *desc;
	size_t len;

	begin(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	FAILS(doca_mmap_export_pci(map, dev, &desc, &len), NOT_PERMITTED,
	      "LOCAL_READ_WRITE; ask for DOCA_ACCESS_FLAG_PCI_");
	FAILS(doca_mmap_export_rdma(map, dev, &desc, &len), NOT_PERMITTED,
	      "LOCAL_READ_WRITE; ask for DOCA_ACCESS_FLAG_RDMA_");
	end();

	begin(DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_READ);
	other = fake_new_dev(2);
	ERR(doca_mmap_export_pci(map, other, &desc, &len), NOT_FOUND);
	ERR(doca_mmap_export_rdma(map, other, &desc, &len), NOT_FOUND);
	OK(doca_mmap_stop(map));
	ERR(doca_mmap_export_pci(map, dev, &desc, &len), NOT_PERMITTED);
	ERR(doca_mmap_export_rdma(map, dev, &desc, &len), NOT_PERMITTED);
	doca_dev_close(other);
	end();
}

TEST(export_tells_why_it_failed)
{
	static const struct refusal cases[] = {
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "out of memory" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "too many exports" },
		{ -ENOENT, DOCA_ERROR_DRIVER, "fake1: the device was removed" },
		{ -EMFILE, DOCA_ERROR_DRIVER, "(EMFILE); close some" },
	};
	const void *desc;
	size_t len;

	begin(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	EXPECT_REFUSALS(cases, fake.export_error, doca_mmap_export_pci(map, dev, &desc, &len));
	EXPECT_EQ(exported(), 0);
	driver_forks++;
	FAILS(doca_mmap_export_pci(map, dev, &desc, &len), DRIVER,
	      "before this process was forked");
	driver_forks--;
	end();
}

/* Make an import with the exporter's range. */
static void begin_import(uint32_t access)
{
	fake_reset(false);
	fake_imports(access);
	dev = fake_new_dev(1);
	OK(doca_mmap_create_from_export(&(union doca_data){ .u64 = 9 }, &fake_blob,
					sizeof(fake_blob), dev, &map));
}

TEST(import_is_started_with_the_range_of_the_exporter)
{
	union doca_data data;
	uint32_t max;
	uint8_t flag;
	size_t len;
	void *addr;

	begin_import(DOCA_ACCESS_LOCAL_READ);
	EXPECT_EQ(doca_priv_mmap_key(map, dev), 77);
	EXPECT(!doca_priv_mmap_writable(map));
	OK(doca_mmap_get_memrange(map, &addr, &len));
	EXPECT_EQ(addr, 0x10000);
	EXPECT_EQ(len, 0x2000);
	OK(doca_mmap_get_user_data(map, &data));
	EXPECT_EQ(data.u64, 9);
	OK(doca_mmap_get_from_export(map, &flag));
	EXPECT_EQ(flag, 1);
	EXPECT_EQ(exported(), 0);
	OK(doca_mmap_get_max_num_devices(map, &max));
	EXPECT_EQ(max, 1);
	OK(mmap_buf_get(map, (void *)0x11fff, 1));
	FAILS(doca_mmap_stop(map), NOT_PERMITTED, "1 buffers");
	mmap_buf_put(map);
	end();
}

/* It is started before a program can call for it. */
TEST(import_can_be_made_thread_safe)
{
	size_t len;
	void *addr;

	begin_import(DOCA_ACCESS_LOCAL_READ);
	OK(doca_mmap_enable_thread_safety(map));
	OK(doca_mmap_get_memrange(map, &addr, &len));
	OK(mmap_buf_get(map, (void *)0x10000, 1));
	mmap_buf_put(map);
	end();
}

TEST(import_without_user_data)
{
	union doca_data data = { .u64 = 1 };

	begin_import(DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE);
	EXPECT(doca_priv_mmap_writable(map));
	OK(doca_mmap_destroy(map));
	OK(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), dev, &map));
	OK(doca_mmap_get_user_data(map, &data));
	EXPECT_EQ(data.u64, 0);
	end();
}

TEST(import_cannot_be_changed_or_exported_again)
{
	union doca_data data = { .u64 = 1 };
	struct doca_dev *other;
	const void *desc;
	size_t len;

	begin_import(DOCA_ACCESS_LOCAL_READ);
	other = fake_new_dev(2);
	for (size_t i = 0; i < 2; i++) { /* started, then stopped */
		ERR(doca_mmap_add_dev(map, other), NOT_PERMITTED);
		ERR(doca_mmap_rm_dev(map, dev), NOT_PERMITTED);
		ERR(doca_mmap_export_pci(map, dev, &desc, &len), NOT_PERMITTED);
		FAILS(doca_mmap_export_rdma(map, dev, &desc, &len), NOT_SUPPORTED,
		      "copy to memory of this process");
		FAILS(doca_mmap_export_rdma(map, other, &desc, &len), NOT_FOUND,
		      "it was imported for another device");
		driver_forks++;
		FAILS(doca_mmap_export_rdma(map, dev, &desc, &len), INVALID_VALUE,
		      "before this process was forked");
		driver_forks--;
		ERR(doca_mmap_start(map), NOT_PERMITTED);
		ERR(doca_mmap_set_memrange(map, memory, 1), BAD_STATE);
		ERR(doca_mmap_set_permissions(map, 0), BAD_STATE);
		ERR(doca_mmap_set_user_data(map, data), BAD_STATE);
		ERR(doca_mmap_set_max_num_devices(map, 2), NOT_PERMITTED);
		OK(doca_mmap_stop(map));
		EXPECT_EQ(doca_priv_mmap_key(map, dev), 0);
		EXPECT_EQ(fake.keys, 0);
	}
	doca_dev_close(other);
	end();
}

TEST(import_whose_exporter_is_gone_stops)
{
	begin_import(DOCA_ACCESS_LOCAL_READ);
	fake.unmap_error = -EIO;
	FAILS(doca_mmap_stop(map), NOT_PERMITTED, "Input/output error");
	fake.unmap_error = -ENOENT;
	fake.keys = 0;
	end();
}

/* As for an import in which the driver has no part. */
TEST(import_without_a_key_ends_without_the_driver)
{
	begin_import(DOCA_ACCESS_LOCAL_READ);
	mmap_set_key(&map->one, 0);
	fake.unmap_error = -EIO;
	OK(doca_mmap_destroy(map));
	EXPECT_EQ(fake.keys, 1);
	OK(doca_dev_close(dev));
}

TEST(a_descriptor_is_told_by_its_first_word)
{
	struct doca_blob other = { .magic = DOCA_BLOB_MAGIC + 1 };

	fake_reset(false);
	fake_imports(DOCA_ACCESS_LOCAL_READ);
	dev = fake_new_dev(1);
	FAILS(doca_mmap_create_from_export(NULL, &other, sizeof(other), dev, &map), INVALID_VALUE,
	      "not an export descriptor");
	FAILS(doca_mmap_create_from_export(NULL, &fake_blob, 3, dev, &map), INVALID_VALUE,
	      "not an export descriptor");
	EXPECT_EQ(fake.keys, 0);
	OK(doca_dev_close(dev));
}

TEST(import_in_the_child_of_a_fork)
{
	struct doca_mmap *ours;

	begin_import(DOCA_ACCESS_LOCAL_READ);
	driver_forks++;
	FAILS(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), dev, &ours),
	      INVALID_VALUE, "before this process was forked");
	OK(doca_mmap_destroy(map));
	EXPECT_EQ(fake.keys, 1);
	OK(doca_dev_close(dev));
}

TEST(import_tells_why_it_failed)
{
	static const struct refusal cases[] = {
		{ -EINVAL, DOCA_ERROR_INVALID_VALUE, "not an export" },
		{ -EPROTONOSUPPORT, DOCA_ERROR_NOT_SUPPORTED, "version" },
		{ -EXDEV, DOCA_ERROR_INVALID_VALUE, "another kernel" },
		{ -EPERM, DOCA_ERROR_NOT_PERMITTED, "process that answers" },
		{ -ETIMEDOUT, DOCA_ERROR_TIME_OUT, "does not answer" },
		{ -EPROTO, DOCA_ERROR_NOT_SUPPORTED, "another release" },
		{ -ENOKEY, DOCA_ERROR_INVALID_VALUE, "revoked" },
		{ -EACCES, DOCA_ERROR_NOT_PERMITTED, "DOCA_EXPORT_SCOPE=any" },
		{ -ENODEV, DOCA_ERROR_INVALID_VALUE, "fake1 was removed" },
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "out of memory" },
		{ -ENOSPC, DOCA_ERROR_NO_MEMORY, "too many imports" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "too many imports" },
		{ -EMFILE, DOCA_ERROR_DRIVER, "(EMFILE); close some" },
	};

	fake_reset(false);
	dev = fake_new_dev(1);
	EXPECT_REFUSALS(cases, fake.import_error,
			doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), dev,
						     &map));
	fake_in_process = true;
	fake.import_error = -EXDEV;
	FAILS(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), dev, &map),
	      INVALID_VALUE, "its process has ended");
	fake_in_process = false;
	fake.import_error = 0;
	FAILS(doca_mmap_create_from_export(NULL, memory, sizeof(memory), dev, &map), INVALID_VALUE,
	      "not an export descriptor");
	OK(doca_dev_close(dev));
	EXPECT_CLEAN();
}

TEST(exports_and_imports_without_memory)
{
	struct doca_mmap *import;
	const void *desc;
	size_t len;

	begin(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_export_pci(map, dev, &desc, &len), NO_MEMORY, );
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create_from_export(NULL, desc, len, dev, &import),
		      NO_MEMORY, OK(doca_mmap_destroy(import)));
	end();
}
