// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps: exports and imports. */
#include "ktap.h"
#include "fake_mem.h"
#include "fault.h"
#include "logged.h"
#include "core/memory/mmap.h"

static char memory[4096];

/* A started mmap on one device. */
static struct doca_mmap *make(struct doca_dev **dev, uint32_t permissions)
{
	struct doca_mmap *mmap;

	fake_reset();
	unsetenv("DOCA_EXPORT_SCOPE");
	*dev = fake_dev(1);
	if (doca_mmap_create(&mmap) ||
	    doca_mmap_set_memrange(mmap, memory, sizeof(memory)) ||
	    doca_mmap_set_permissions(mmap, permissions) ||
	    doca_mmap_add_dev(mmap, *dev) || doca_mmap_start(mmap))
		abort();
	return mmap;
}

static void finish(struct doca_mmap *mmap, struct doca_dev *dev)
{
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

static uint8_t exported(const struct doca_mmap *mmap)
{
	uint8_t flag = 2;

	EXPECT_EQ(doca_mmap_get_exported(mmap, &flag), DOCA_SUCCESS);
	return flag;
}

TEST(null_is_invalid)
{
	struct doca_mmap *mmap, *import;
	struct doca_dev *dev;
	const void *desc;
	uint8_t cap;
	size_t len;

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY |
				  DOCA_ACCESS_FLAG_RDMA_READ);
	EXPECT_EQ(doca_mmap_export_pci(NULL, dev, &desc, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_export_pci(mmap, NULL, &desc, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, NULL, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_export_rdma(NULL, dev, &desc, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_create_from_export(NULL, NULL, 128, dev, &import),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 0, dev, &import),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 128, NULL,
					       &import),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 128, dev, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_cap_is_export_pci_supported(NULL, &cap),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_cap_is_create_from_export_pci_supported(NULL, &cap),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(exported(mmap), 0);
	finish(mmap, dev);
}

TEST(every_device_can_export_and_import)
{
	struct doca_devinfo *info;
	struct doca_dev *dev;
	uint8_t cap = 0;

	fake_reset();
	dev = fake_dev(1);
	info = doca_dev_as_devinfo(dev);
	EXPECT_EQ(doca_mmap_cap_is_export_pci_supported(info, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_cap_is_export_pci_supported(info, &cap),
		  DOCA_SUCCESS);
	EXPECT_EQ(cap, 1);
	cap = 0;
	EXPECT_EQ(doca_mmap_cap_is_create_from_export_pci_supported(info, &cap),
		  DOCA_SUCCESS);
	EXPECT_EQ(cap, 1);
	doca_dev_close(dev);
}

TEST(descriptor_belongs_to_the_mmap)
{
	const void *desc, *again;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	size_t len = 0;

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	ASSERT(doca_mmap_export_pci(mmap, dev, &desc, &len) == DOCA_SUCCESS);
	EXPECT_EQ(len, DOCA_BLOB_SIZE);
	EXPECT(len <= 512);
	EXPECT_EQ(((const char *)desc)[len - 1], 1);
	EXPECT(!fake.any_user);
	EXPECT_EQ(exported(mmap), 1);
	ASSERT(doca_mmap_export_pci(mmap, dev, &again, &len) == DOCA_SUCCESS);
	EXPECT(desc == again);
	EXPECT_EQ(fake.exports, 1);
	/* an export must be revocable */
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.exports, 0);
	EXPECT_EQ(exported(mmap), 0);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_SUCCESS);
	finish(mmap, dev);
}

TEST(scope_of_exports_comes_from_the_environment)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	const void *desc;
	size_t len;

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	setenv("DOCA_EXPORT_SCOPE", "any", 1);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_SUCCESS);
	EXPECT(fake.any_user);
	finish(mmap, dev);
	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	setenv("DOCA_EXPORT_SCOPE", "user", 1);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_SUCCESS);
	EXPECT(!fake.any_user);
	unsetenv("DOCA_EXPORT_SCOPE");
	finish(mmap, dev);
}

TEST(export_needs_start_permission_and_device)
{
	struct doca_dev *dev, *other;
	struct doca_mmap *mmap;
	const void *desc;
	size_t len;

	mmap = make(&dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	logged();
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("without PCI access");
	EXPECT_EQ(doca_mmap_export_rdma(mmap, dev, &desc, &len),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("without RDMA access");
	finish(mmap, dev);

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY |
				  DOCA_ACCESS_FLAG_RDMA_READ);
	other = fake_dev(2);
	EXPECT_EQ(doca_mmap_export_pci(mmap, other, &desc, &len),
		  DOCA_ERROR_NOT_FOUND);
	EXPECT_EQ(doca_mmap_export_rdma(mmap, other, &desc, &len),
		  DOCA_ERROR_NOT_FOUND);
	logged();
	EXPECT_EQ(doca_mmap_export_rdma(mmap, dev, &desc, &len),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_LOGGED("doca_mmap_export_pci()");
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_export_rdma(mmap, dev, &desc, &len),
		  DOCA_ERROR_NOT_PERMITTED);
	doca_dev_close(other);
	finish(mmap, dev);
}

TEST(export_tells_why_it_failed)
{
	static const struct {
		int err;
		doca_error_t res;
		const char *why;
	} cases[] = {
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "out of memory" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "too many exports" },
		{ -ENOENT, DOCA_ERROR_DRIVER, "fake1: the device was removed" },
		{ -EIO, DOCA_ERROR_DRIVER, "error 5" },
	};
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	const void *desc;
	size_t len;
	size_t i;

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.export_err = cases[i].err;
		logged();
		EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len),
			  cases[i].res);
		EXPECT_LOGGED(cases[i].why);
	}
	EXPECT_EQ(exported(mmap), 0);
	driver_forks++;
	EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len),
		  DOCA_ERROR_DRIVER);
	EXPECT_LOGGED("before this process was forked");
	driver_forks--;
	finish(mmap, dev);
}

/* An import with the exporter's range. */
static struct doca_mmap *import(struct doca_dev **dev)
{
	union doca_data data = { .u64 = 9 };
	struct doca_mmap *mmap;

	fake_reset();
	*dev = fake_dev(1);
	if (doca_mmap_create_from_export(&data, memory, 128, *dev, &mmap))
		abort();
	return mmap;
}

TEST(import_is_started_with_the_range_of_the_exporter)
{
	union doca_data data;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t max;
	uint8_t flag;
	size_t len;
	void *addr;

	mmap = import(&dev);
	EXPECT_EQ(doca_priv_mmap_key(mmap, dev), 77);
	EXPECT(!doca_priv_mmap_writable(mmap));
	EXPECT_EQ(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	EXPECT_EQ(addr, 0x10000);
	EXPECT_EQ(len, 0x2000);
	EXPECT_EQ(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 9);
	EXPECT_EQ(doca_mmap_get_from_export(mmap, &flag), DOCA_SUCCESS);
	EXPECT_EQ(flag, 1);
	EXPECT_EQ(exported(mmap), 0);
	EXPECT_EQ(doca_mmap_get_max_num_devices(mmap, &max), DOCA_SUCCESS);
	EXPECT_EQ(max, 1);
	EXPECT_EQ(mmap_buf_get(mmap, (void *)0x11fff, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("1 buffers");
	mmap_buf_put(mmap);
	finish(mmap, dev);
}

TEST(import_without_user_data)
{
	struct doca_mem_import *answer = &fake.import;
	union doca_data data = { .u64 = 1 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	fake_reset();
	answer->out_access |= DOCA_ACCESS_LOCAL_WRITE;
	dev = fake_dev(1);
	ASSERT(doca_mmap_create_from_export(NULL, memory, 128, dev, &mmap) ==
	       DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 0);
	EXPECT(doca_priv_mmap_writable(mmap));
	finish(mmap, dev);
}

TEST(import_cannot_be_changed_or_exported_again)
{
	union doca_data data = { .u64 = 1 };
	struct doca_dev *dev, *other;
	struct doca_mmap *mmap;
	const void *desc;
	size_t len;
	int i;

	mmap = import(&dev);
	other = fake_dev(2);
	for (i = 0; i < 2; i++) { /* started, then stopped */
		EXPECT_EQ(doca_mmap_add_dev(mmap, other),
			  DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_rm_dev(mmap, dev),
			  DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_export_pci(mmap, dev, &desc, &len),
			  DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_export_rdma(mmap, dev, &desc, &len),
			  DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1),
			  DOCA_ERROR_BAD_STATE);
		EXPECT_EQ(doca_mmap_set_permissions(mmap, 0),
			  DOCA_ERROR_BAD_STATE);
		EXPECT_EQ(doca_mmap_set_user_data(mmap, data),
			  DOCA_ERROR_BAD_STATE);
		EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 2),
			  DOCA_ERROR_NOT_PERMITTED);
		EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
		EXPECT_EQ(doca_priv_mmap_key(mmap, dev), 0);
		EXPECT_EQ(fake.keys, 0);
	}
	doca_dev_close(other);
	finish(mmap, dev);
}

TEST(import_whose_exporter_is_gone_stops)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = import(&dev);
	fake.unmap_err = -EIO;
	logged();
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("error 5");
	fake.unmap_err = -ENOENT;
	fake.keys = 0;
	finish(mmap, dev);
}

TEST(import_in_the_child_of_a_fork)
{
	struct doca_mmap *mmap, *ours;
	struct doca_dev *dev;

	mmap = import(&dev);
	driver_forks++;
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 128, dev, &ours),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("before this process was forked");
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.keys, 1);
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
}

TEST(import_tells_why_it_failed)
{
	static const struct {
		int err;
		doca_error_t res;
		const char *why;
	} cases[] = {
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
		{ -EIO, DOCA_ERROR_DRIVER, "error 5" },
	};
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	size_t i;

	fake_reset();
	dev = fake_dev(1);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.import_err = cases[i].err;
		EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 128, dev,
						       &mmap),
			  cases[i].res);
		EXPECT_LOGGED(cases[i].why);
	}
	fake_in_process = true;
	fake.import_err = -EXDEV;
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, 128, dev, &mmap),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("its process has ended");
	fake_in_process = false;
	fake.import_err = 0;
	EXPECT_EQ(doca_mmap_create_from_export(NULL, memory, sizeof(memory),
					       dev, &mmap),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("not an export descriptor");
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_CLEAN();
}

TEST(exports_and_imports_without_memory)
{
	struct doca_mmap *mmap, *import;
	struct doca_dev *dev;
	const void *desc;
	size_t len;

	mmap = make(&dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_export_pci(mmap, dev, &desc, &len),
		      NO_MEMORY, );
	EXPECT_FAULTS(
		FAULT_ALLOC,
		doca_mmap_create_from_export(NULL, desc, len, dev, &import),
		NO_MEMORY, EXPECT_EQ(doca_mmap_destroy(import), DOCA_SUCCESS));
	finish(mmap, dev);
}
