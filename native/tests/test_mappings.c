// SPDX-License-Identifier: GPL-2.0
/*
 * Keys that one file has of another one's memory. Whoever takes the memory back must
 * not depend on whoever has the key: he may be in a call, and get no CPU.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/doca.h>
#include <linux/err.h>
#include <linux/mutex.h>

#include "inner.h"
#include "ktap.h"
#include "memory.h"
#include "native.h"

static char shared[4096];

struct party {
	int fd;
	u32 mem;
	u32 key;
	u32 export;
	struct doca_blob blob;
};

static void export_memory(struct party *party, u32 device)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)shared,
		.length = sizeof(shared),
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = device,
		.access = DOCA_ACCESS_LOCAL_READ,
	};
	struct doca_mem_export export = {
		.size = sizeof(export),
		.blob_size = sizeof(party->blob),
		.blob = (uintptr_t)&party->blob,
	};

	party->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	ASSERT(party->fd >= 0);
	ASSERT(!ioctl(party->fd, DOCA_MEM_REG, &reg));
	party->mem = reg.out_mem_id;
	map.mem_id = party->mem;
	ASSERT(!ioctl(party->fd, DOCA_MEM_MAP, &map));
	party->key = map.out_key;
	export.key = party->key;
	ASSERT(!ioctl(party->fd, DOCA_MEM_EXPORT, &export));
	party->export = export.out_export_id;
}

static void import_memory(struct party *party, u32 device,
			  const struct doca_blob *blob)
{
	struct doca_mem_import import = {
		.size = sizeof(import),
		.device_id = device,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};

	party->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	ASSERT(party->fd >= 0);
	ASSERT(!ioctl(party->fd, DOCA_MEM_IMPORT, &import));
	party->key = import.out_key;
}

static void revoke_export(struct party *party)
{
	struct doca_export_revoke arg = {
		.size = sizeof(arg),
		.export_id = party->export,
	};

	EXPECT(!ioctl(party->fd, DOCA_EXPORT_REVOKE, &arg));
}

static void deregister(struct party *party)
{
	struct doca_mem_dereg arg = {
		.size = sizeof(arg),
		.mem_id = party->mem,
	};

	EXPECT(!ioctl(party->fd, DOCA_MEM_DEREG, &arg));
}

/* Here who holds a lock never goes on: so would a wait for it. */
static void take_back(void (*how)(struct party *party))
{
	struct party exporter = {}, importer = {};
	struct doca_mapping *mapping;
	struct doca_file *file;
	char name[64];
	u32 device = 0;

	native_start();
	ASSERT(native_next_device(&device, name, sizeof(name)));
	export_memory(&exporter, device);
	import_memory(&importer, device, &exporter.blob);
	file = last_file();
	ASSERT(file);

	mapping = doca_mapping_find(file, importer.key);
	ASSERT(!IS_ERR(mapping));
	doca_mapping_put(mapping);
	mutex_lock(&file->lock);
	how(&exporter);
	EXPECT(IS_ERR(doca_mapping_find(file, importer.key)));
	mutex_unlock(&file->lock);

	doca_file_put(file);
	close(importer.fd);
	close(exporter.fd);
}

TEST(revoking_an_export_needs_no_lock_of_the_importer)
{
	take_back(revoke_export);
}

TEST(deregistering_needs_no_lock_of_the_importer)
{
	take_back(deregister);
}
