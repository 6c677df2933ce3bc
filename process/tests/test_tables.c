// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One thread makes and removes memories and keys. Others use the same ones, or others in
 * their places, at any moment. They may be too late, but never find an object that is
 * being freed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "selftests/lib/rounds.h"
#include "selftests/uapi/doca_calls.h"

#include "inproc.h"
#include "ktap.h"

#define LENGTH 64
#define INDICES 8 /* number of key indices here */
#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define STORE(x, value) __atomic_store_n(&(x), value, __ATOMIC_RELAXED)
#define COUNT(x) __atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED)
#define ACCESS (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ)

/* Ids and a key that are valid, or were a moment ago. */
static struct {
	int fd;
	uint32_t device;
	uint32_t mem;
	uint32_t key;
	bool over;
	unsigned int late, guessed; /* numbers of calls */
} table;

static void open_table(void)
{
	char name[64];

	table.device = 0;
	table.over = false;
	table.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	EXPECT(table.fd >= 0);
	EXPECT(inproc_next_device(&table.device, name, sizeof(name)));
}

static int map_memory(uint32_t mem, uint32_t *key)
{
	return mem_map(table.fd, mem, table.device, DOCA_ACCESS_LOCAL_READ, key);
}

/* The export goes with its memory. */
static void export_key(uint32_t key)
{
	struct doca_blob blob;

	mem_export(table.fd, key, 0, &blob, NULL);
}

static void *come_too_late(void *arg)
{
	unsigned long *in_time = arg;
	uint32_t key;

	while (!LOAD(table.over)) {
		*in_time += !map_memory(LOAD(table.mem), &key);
		export_key(LOAD(table.key));
		COUNT(table.late);
	}
	return NULL;
}

/* Use keys that never existed, with the indices of existing ones. */
static void *guess_keys(void *arg)
{
	uint32_t index = 0;

	while (!LOAD(table.over)) {
		export_key(1 + index++ % INDICES + (0xfffU << 20));
		COUNT(table.guessed);
	}
	return arg;
}

TEST(what_goes_away_is_found_whole_or_not_at_all)
{
	unsigned int i, least = rounds(1000);
	unsigned long in_time = 0;
	uint32_t mem = 0, key = 0;
	char *addr = malloc(LENGTH);
	pthread_t late, guesser;

	open_table();
	EXPECT(!pthread_create(&late, NULL, come_too_late, &in_time));
	EXPECT(!pthread_create(&guesser, NULL, guess_keys, NULL));
	for (i = 0; i < least || LOAD(table.late) < least || LOAD(table.guessed) < least; i++) {
		EXPECT(!mem_reg(table.fd, addr, LENGTH, ACCESS, &mem));
		STORE(table.mem, mem);
		EXPECT(!map_memory(mem, &key));
		STORE(table.key, key);
		EXPECT(!mem_unmap(table.fd, key));
		EXPECT(!mem_dereg(table.fd, mem));
	}
	STORE(table.over, true);
	pthread_join(late, NULL);
	pthread_join(guesser, NULL);
	close(table.fd);
	free(addr);
	printf("# %lu were in time, %u rounds\n", in_time, i);
}
