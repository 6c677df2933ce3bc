// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The fake driver and its devices, for tests without headers of level 3.0. */
#define FAKE_HAS_DEVICES
#include "fake_driver.h"
#include "level_fake.h"
#include "target_bed.h"

#include <doca_mmap.h>

static const struct {
	uint32_t id;
	const char *name;
} devices[] = { { FAKE_DEVICE_ID, "fake0" }, { FAKE_OTHER_ID, "fake1" } };

static int list_error;

int driver_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	uint32_t i;

	*infos = NULL;
	if (list_error)
		return list_error;
	*n = sizeof(devices) / sizeof(devices[0]);
	*infos = calloc(*n, sizeof(**infos));
	if (!*infos)
		return -ENOMEM;
	for (i = 0; i < *n; i++) {
		(*infos)[i].id = devices[i].id;
		(*infos)[i].type = DOCA_DEV_SOFTWARE;
		(*infos)[i].numa_node = -1;
		strcpy((*infos)[i].name, devices[i].name);
	}
	return 0;
}

int driver_check_device(uint32_t id)
{
	(void)id;
	return removed ? -ENODEV : 0;
}

void level_fake_reset(bool workers)
{
	unsigned int refs = fake.refs, queues = fake.queues;

	fake = (struct fake){ .workers = workers, .refs = refs, .queues = queues };
	removed = false;
}

void level_fake_work(unsigned int n)
{
	fake_work(n);
}

void level_fake_remove(void)
{
	fake_remove_device();
}

void level_fake_fail_next(uint32_t status)
{
	fake.status = status;
}

void level_fake_error(enum level_error what, int err)
{
	switch (what) {
	case LEVEL_LIST:
		list_error = err;
		break;
	case LEVEL_DRIVER:
		fake.get_error = err;
		break;
	case LEVEL_MEMORY:
		fake.mem_error = err;
		break;
	case LEVEL_RELEASE:
		fake.dereg_error = err;
		break;
	case LEVEL_EXPORT:
		fake.export_error = err;
		break;
	case LEVEL_IMPORT:
		fake.import_error = err;
		break;
	case LEVEL_QUEUE:
		fake.queue_error = err;
		break;
	}
}

void level_fake_no_memcpy(bool cannot)
{
	static struct doca_query less;

	less = caps;
	less.out_opcodes &= ~(1ULL << DOCA_OP_MEMCPY);
	fake.caps = cannot ? &less : NULL;
}

void level_fake_target(bool is)
{
	if (!is) {
		tear_down_targets();
		return;
	}
	set_up_targets();
	write_target("vm.json", TARGET("VUID1", "any", ""));
}

unsigned int level_fake_enters(void)
{
	return fake.enters;
}

unsigned int level_fake_queues(void)
{
	return fake.queues;
}

void level_fake_forks(int forks)
{
	driver_forks += forks;
}

struct doca_mmap *level_3_mmap(struct doca_dev *dev)
{
	struct doca_mmap *mmap;
	static char memory[64];

	if (doca_mmap_create(&mmap) != DOCA_SUCCESS ||
	    doca_mmap_set_memrange(mmap, memory, 64) != DOCA_SUCCESS ||
	    doca_mmap_add_dev(mmap, dev) != DOCA_SUCCESS)
		abort();
	return mmap;
}

void level_3_mmap_destroy(struct doca_mmap *mmap)
{
	doca_mmap_destroy(mmap);
}

doca_error_t level_3_mmap_start(struct doca_mmap *mmap)
{
	return doca_mmap_start(mmap);
}
