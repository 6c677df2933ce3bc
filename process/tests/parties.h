/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A file that exports memory, and another that imports it. */
#ifndef PROCESS_TESTS_PARTIES_H
#define PROCESS_TESTS_PARTIES_H

#include <fcntl.h>
#include <unistd.h>

#include "selftests/uapi/doca_calls.h"

#include "inner.h"
#include "inproc.h"

static char shared[4096];

struct party {
	int fd;
	u32 device;
	u32 mem;
	u32 key;
};

struct parties {
	struct party exporter, importer;
	struct doca_file *file; /* the importer's file */
	u32 export; /* id of the last export */
};

static inline void party_open(struct party *party)
{
	char name[64];

	*party = (struct party){};
	inproc_start();
	EXPECT(inproc_next_device(&party->device, name, sizeof(name)));
	party->fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	EXPECT(party->fd >= 0);
}

static inline void register_memory(struct party *party)
{
	party_open(party);
	ASSERT(!mem_reg(party->fd, shared, sizeof(shared),
			DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ, &party->mem));
	ASSERT(!mem_map(party->fd, party->mem, party->device, DOCA_ACCESS_LOCAL_READ, &party->key));
}

/* Import once more, by another export and another key. */
static inline void import(struct parties *all)
{
	struct doca_mem_import import;
	struct doca_blob blob;

	ASSERT(!mem_export(all->exporter.fd, all->exporter.key, 0, &blob, &all->export));
	ASSERT(!mem_import(all->importer.fd, all->importer.device, &blob, &import));
	all->importer.key = import.out_key;
}

static inline void parties_open(struct parties *all)
{
	register_memory(&all->exporter);
	party_open(&all->importer);
	all->file = last_file();
	ASSERT(all->file);
	import(all);
}

static inline void parties_close(struct parties *all)
{
	doca_file_put(all->file);
	close(all->importer.fd);
	close(all->exporter.fd);
}

#endif
