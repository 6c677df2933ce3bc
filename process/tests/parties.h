/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Files of which one exports memory, and others import it. */
#ifndef NATIVE_TESTS_PARTIES_H
#define NATIVE_TESTS_PARTIES_H

#include <fcntl.h>
#include <sys/ioctl.h>

#include <linux/doca.h>

#include "inproc.h"
#include "ktap.h"

static char shared[4096];

struct party {
	int fd;
	u32 mem;
	u32 key;
	u32 export;
	struct doca_blob blob;
};

static inline u32 first_device(void)
{
	char name[64];
	u32 device = 0;

	inproc_start();
	EXPECT(inproc_next_device(&device, name, sizeof(name)));
	return device;
}

static inline void export_one(struct party *party)
{
	struct doca_mem_export export = {
		.size = sizeof(export),
		.key = party->key,
		.blob_size = sizeof(party->blob),
		.blob = (uintptr_t)&party->blob,
	};

	ASSERT(!ioctl(party->fd, DOCA_MEM_EXPORT, &export));
	party->export = export.out_export_id;
}

static inline void register_memory(struct party *party, u32 device)
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

	party->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	ASSERT(party->fd >= 0);
	ASSERT(!ioctl(party->fd, DOCA_MEM_REG, &reg));
	party->mem = reg.out_mem_id;
	map.mem_id = party->mem;
	ASSERT(!ioctl(party->fd, DOCA_MEM_MAP, &map));
	party->key = map.out_key;
}

static inline void export_memory(struct party *party, u32 device)
{
	register_memory(party, device);
	export_one(party);
}

static inline void import_one(struct party *party, u32 device,
			      const struct doca_blob *blob)
{
	struct doca_mem_import import = {
		.size = sizeof(import),
		.device_id = device,
		.blob_size = sizeof(*blob),
		.blob = (uintptr_t)blob,
	};

	ASSERT(!ioctl(party->fd, DOCA_MEM_IMPORT, &import));
	party->key = import.out_key;
}

static inline void import_memory(struct party *party, u32 device,
				 const struct doca_blob *blob)
{
	party->fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	ASSERT(party->fd >= 0);
	import_one(party, device, blob);
}

static inline void revoke_export(struct party *party)
{
	struct doca_export_revoke arg = {
		.size = sizeof(arg),
		.export_id = party->export,
	};

	EXPECT(!ioctl(party->fd, DOCA_EXPORT_REVOKE, &arg));
}

static inline void deregister(struct party *party)
{
	struct doca_mem_dereg arg = {
		.size = sizeof(arg),
		.mem_id = party->mem,
	};

	EXPECT(!ioctl(party->fd, DOCA_MEM_DEREG, &arg));
}

#endif /* NATIVE_TESTS_PARTIES_H */
