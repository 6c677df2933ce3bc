// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One thread makes memories and keys and takes them away again; others call for the
 * same ones, or for others in their places, at any moment. They may be too late, but
 * never find what is being freed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/doca.h>

#include "ktap.h"
#include "inproc.h"

#define LENGTH 64
#define ROUNDS 3000
#define INDICES 8 /* that keys have here */
#define ACCESS (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ)

/* Ids and a key that are or were valid a moment ago. */
static struct {
	int fd;
	uint32_t device;
	uint32_t mem;
	uint32_t key;
	bool over;
} table;

static bool reg(const void *addr, uint32_t *mem)
{
	struct doca_mem_reg arg = {
		.size = sizeof(arg),
		.addr = (uintptr_t)addr,
		.length = LENGTH,
		.access = ACCESS,
	};

	if (ioctl(table.fd, DOCA_MEM_REG, &arg))
		return false;
	*mem = arg.out_mem_id;
	return true;
}

static bool dereg(uint32_t mem)
{
	struct doca_mem_dereg arg = { .size = sizeof(arg), .mem_id = mem };

	return !ioctl(table.fd, DOCA_MEM_DEREG, &arg);
}

static bool map(uint32_t mem, uint32_t *key)
{
	struct doca_mem_map arg = {
		.size = sizeof(arg),
		.mem_id = mem,
		.device_id = table.device,
		.access = DOCA_ACCESS_LOCAL_READ,
	};

	if (ioctl(table.fd, DOCA_MEM_MAP, &arg))
		return false;
	*key = arg.out_key;
	return true;
}

static bool unmap(uint32_t key)
{
	struct doca_mem_unmap arg = { .size = sizeof(arg), .key = key };

	return !ioctl(table.fd, DOCA_MEM_UNMAP, &arg);
}

static void export(uint32_t key)
{
	struct doca_blob blob;
	struct doca_mem_export arg = {
		.size = sizeof(arg),
		.key = key,
		.blob_size = sizeof(blob),
		.blob = (uintptr_t)&blob,
	};

	/* It goes with its memory. */
	ioctl(table.fd, DOCA_MEM_EXPORT, &arg);
}

static void open_table(void)
{
	char name[64];

	table.device = 0;
	table.over = false;
	table.fd = open("/dev/doca", O_RDWR | O_CLOEXEC);
	EXPECT(table.fd >= 0);
	EXPECT(inproc_next_device(&table.device, name, sizeof(name)));
}

static void *come_too_late(void *arg)
{
	unsigned long *in_time = arg;
	uint32_t key;

	while (!__atomic_load_n(&table.over, __ATOMIC_RELAXED)) {
		*in_time += map(__atomic_load_n(&table.mem, __ATOMIC_RELAXED),
				&key);
		export(__atomic_load_n(&table.key, __ATOMIC_RELAXED));
	}
	return NULL;
}

/* Of keys that never were; those that there are have the same indices. */
static void *guess_keys(void *arg)
{
	uint32_t index = 0;

	(void)arg;
	while (!__atomic_load_n(&table.over, __ATOMIC_RELAXED))
		export(1 + index++ % INDICES + (0xfffU << 20));
	return NULL;
}

TEST(what_goes_away_is_found_whole_or_not_at_all)
{
	unsigned long in_time = 0;
	uint32_t mem = 0, key = 0;
	char *addr = malloc(LENGTH);
	pthread_t late, guesser;
	int i;

	open_table();
	EXPECT(!pthread_create(&late, NULL, come_too_late, &in_time));
	EXPECT(!pthread_create(&guesser, NULL, guess_keys, NULL));
	for (i = 0; i < ROUNDS; i++) {
		EXPECT(reg(addr, &mem));
		__atomic_store_n(&table.mem, mem, __ATOMIC_RELAXED);
		EXPECT(map(mem, &key));
		__atomic_store_n(&table.key, key, __ATOMIC_RELAXED);
		EXPECT(unmap(key));
		EXPECT(dereg(mem));
	}
	__atomic_store_n(&table.over, true, __ATOMIC_RELAXED);
	pthread_join(late, NULL);
	pthread_join(guesser, NULL);
	close(table.fd);
	free(addr);
	printf("# %lu were in time\n", in_time);
}
