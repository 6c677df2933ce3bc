// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events: settings, synchronous functions, and exports. */
#include <pthread.h>
#include <sched.h>

#include "core/contexts/sync_event.h"
#include "sync_bed.h"

TEST(create_and_destroy)
{
	struct doca_sync_event *event = NULL;

	fake_reset(true);
	OK(doca_sync_event_create(&event));
	EXPECT_EQ(fake_dev.refs, 1);
	OK(doca_sync_event_add_publisher_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	EXPECT_EQ(fake_dev.refs, 2);
	OK(doca_sync_event_start(event));
	FAILS(doca_sync_event_destroy(event), IN_USE, "stop it first");
	stop_and_destroy(event);
	EXPECT_EQ(fake_dev.refs, 1);
}

TEST(start_and_stop)
{
	struct doca_sync_event *event;

	fake_reset(true);
	OK(doca_sync_event_create(&event));
	FAILS(doca_sync_event_start(event), INVALID_VALUE, "it has no publisher");
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	FAILS(doca_sync_event_start(event), INVALID_VALUE, "it has no subscriber");
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	OK(doca_sync_event_start(event));
	FAILS(doca_sync_event_start(event), BAD_STATE, "is started");
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_stop(event));

	/* The value is kept. */
	OK(doca_sync_event_start(event));
	OK(doca_sync_event_update_set(event, 5));
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_start(event));
	EXPECT_EQ(value_of(event), 5);
	stop_and_destroy(event);
}

/* Configure an event in one of all ways. */
static doca_error_t configure(struct doca_sync_event *event, int how)
{
	static uint64_t outside;

	switch (how) {
	case 0:
		return doca_sync_event_add_publisher_location_cpu(event, &fake_dev);
	case 1:
		return doca_sync_event_add_subscriber_location_cpu(event, &fake_dev);
	case 2:
		return doca_sync_event_add_publisher_location_remote_pci(event);
	case 3:
		return doca_sync_event_add_subscriber_location_remote_pci(event);
	case 4:
		return doca_sync_event_add_publisher_location_dpu(event);
	case 5:
		return doca_sync_event_add_subscriber_location_dpu(event);
	default:
		return doca_sync_event_set_addr(event, &outside);
	}
}

TEST(configure_only_what_is_stopped_and_ones_own)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc;
	size_t size;
	int i;

	fake_reset(true);
	event = new_exported(&desc, &size);
	imported = import(desc, size);
	for (i = 0; i < 7; i++) {
		FAILS(configure(event, i), BAD_STATE, "it is started");
		FAILS(configure(imported, i), NOT_PERMITTED, "made from an export");
	}
	OK(doca_sync_event_destroy(imported));
	OK(doca_sync_event_stop(event));
	for (i = 0; i < 7; i++)
		OK(configure(event, i));
	OK(doca_sync_event_destroy(event));
	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_destroy(event));
}

TEST(get_set_add)
{
	struct doca_sync_event *event;
	uint64_t value = 77;

	fake_reset(true);
	event = new_event();
	FAILS(doca_sync_event_get(event, &value), BAD_STATE, "is not started");
	ERR(doca_sync_event_update_set(event, 1), BAD_STATE);
	ERR(doca_sync_event_update_add(event, 1, &value), BAD_STATE);
	EXPECT_EQ(value, 77);
	OK(doca_sync_event_start(event));

	EXPECT_EQ(value_of(event), 0);
	OK(doca_sync_event_update_set(event, UINT64_MAX));
	OK(doca_sync_event_update_add(event, 3, &value));
	EXPECT(value == UINT64_MAX);
	EXPECT_EQ(value_of(event), 2);
	EXPECT_EQ(fake.queues, 0);
	stop_and_destroy(event);
}

typedef doca_error_t wait_t(struct doca_sync_event *event, uint64_t value, uint64_t mask);

static const struct {
	wait_t *wait, *yield;
	uint64_t before, with, mask, after;
} waits[] = {
	{ doca_sync_event_wait_gt, doca_sync_event_wait_gt_yield, 0x105, 5, 0xff, 0x106 },
	{ doca_sync_event_wait_eq, doca_sync_event_wait_eq_yield, 0x106, 5, 0xff, 0x205 },
	{ doca_sync_event_wait_neq, doca_sync_event_wait_neq_yield, 0x205, 5, 0xff, 0x206 },
	{ doca_sync_event_wait_gt, doca_sync_event_wait_gt_yield, 7, 7, UINT64_MAX, 1ULL << 63 },
};

/* The waiting thread may look this often in between. */
#define LOOKS 100

struct waiter {
	wait_t *wait;
	struct doca_sync_event *event;
	uint64_t with, mask;
	bool begun, over;
};

static void *waiter_main(void *arg)
{
	struct waiter *w = arg;

	__atomic_store_n(&w->begun, true, __ATOMIC_RELEASE);
	OK(w->wait(w->event, w->with, w->mask));
	__atomic_store_n(&w->over, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Each kind of wait fails, and nothing happens. */
static void waits_fail(struct doca_sync_event *event, doca_error_t error)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		EXPECT_EQ(waits[i].wait(event, waits[i].with, waits[i].mask), error);
		EXPECT_EQ(waits[i].yield(event, waits[i].with, waits[i].mask), error);
	}
}

/* Each kind of wait ends at once, or when another thread has written. */
static void waits_of(struct doca_sync_event *event, struct doca_sync_event *writer)
{
	size_t i, k;

	for (i = 0; i < 2 * sizeof(waits) / sizeof(waits[0]); i++) {
		struct waiter w = { .event = event };
		pthread_t thread;

		k = i / 2;
		w.wait = i % 2 ? waits[k].wait : waits[k].yield;
		w.with = waits[k].with;
		w.mask = waits[k].mask;
		OK(doca_sync_event_update_set(writer, waits[k].before));
		pthread_create(&thread, NULL, waiter_main, &w);
		while (!__atomic_load_n(&w.begun, __ATOMIC_ACQUIRE))
			sched_yield();
		for (int n = 0; n < LOOKS; n++)
			sched_yield();
		EXPECT(!__atomic_load_n(&w.over, __ATOMIC_ACQUIRE));
		OK(doca_sync_event_update_set(writer, waits[k].after));
		pthread_join(thread, NULL);
		EXPECT(w.over);
		OK(w.wait(event, w.with, w.mask));
	}
}

TEST(waits)
{
	struct doca_sync_event *event;

	fake_reset(true);
	event = new_event();
	waits_fail(event, DOCA_ERROR_BAD_STATE);
	OK(doca_sync_event_start(event));
	waits_of(event, event);
	stop_and_destroy(event);
}

/* They would spin for ever; the alarm ends the test if they are not refused. */
TEST(waits_that_cannot_end_are_refused)
{
	struct doca_sync_event *event;

	fake_reset(true);
	event = new_event();
	OK(doca_sync_event_start(event));
	logged();
	alarm(60);
	FAILS(doca_sync_event_wait_gt(event, UINT64_MAX, UINT64_MAX), INVALID_VALUE,
	      "would have no end");
	ERR(doca_sync_event_wait_gt_yield(event, 0xff, 0xff), INVALID_VALUE);
	ERR(doca_sync_event_wait_gt(event, 0, 0), INVALID_VALUE);
	ERR(doca_sync_event_wait_eq(event, 0x100, 0xff), INVALID_VALUE);
	ERR(doca_sync_event_wait_eq_yield(event, 1, 0), INVALID_VALUE);
	ERR(doca_sync_event_wait_neq(event, 0, 0), INVALID_VALUE);
	ERR(doca_sync_event_wait_neq_yield(event, 0, 0), INVALID_VALUE);
	alarm(0);
	/* Any other value and mask is allowed. */
	OK(doca_sync_event_update_set(event, 0x1234));
	OK(doca_sync_event_wait_eq(event, 0x1030, 0xf0f0));
	OK(doca_sync_event_wait_neq(event, 0x10000, 0));
	OK(doca_sync_event_wait_gt(event, 0x1233, UINT64_MAX));
	stop_and_destroy(event);
	logged();
}

TEST(external_address)
{
	struct doca_sync_event *event;
	uint64_t words[2] = { 40, 41 };

	fake_reset(true);
	event = new_event();
	FAILS(doca_sync_event_set_addr(event, (void *)((char *)words + 4)), INVALID_VALUE,
	      "not a multiple of 8");
	OK(doca_sync_event_set_addr(event, &words[0]));
	OK(doca_sync_event_set_addr(event, &words[1]));
	OK(doca_sync_event_start(event));
	EXPECT_EQ(value_of(event), 41);
	OK(doca_sync_event_update_set(event, 50));
	EXPECT_EQ(words[1], 50);
	EXPECT_EQ(words[0], 40);
	stop_and_destroy(event);
}

TEST(value_in_a_buffer)
{
	static _Alignas(8) char mem[64];
	struct doca_sync_event *event;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_buf *buf, *other;
	uint16_t refs;

	fake_reset(true);
	mmap = new_mmap(mem, sizeof(mem), &fake_dev);
	OK(doca_mmap_start(mmap));
	inv = new_inventory(4);
	OK(doca_buf_inventory_buf_get_by_addr(inv, mmap, mem, 24, &buf));
	OK(doca_buf_inventory_buf_get_by_addr(inv, mmap, mem, 8, &other));

	event = new_event();
	logged();
	OK(doca_buf_set_data(buf, mem + 4, 8));
	FAILS(doca_sync_event_set_doca_buf(event, buf), INVALID_VALUE, "is not 8 bytes");
	OK(doca_buf_set_data(buf, mem + 24, 0));
	ERR(doca_sync_event_set_doca_buf(event, buf), INVALID_VALUE);
	OK(doca_buf_set_data(buf, mem + 16, 0));
	for (refs = 1; refs < UINT16_MAX; refs++)
		OK(doca_buf_inc_refcount(buf, NULL));
	ERR(doca_sync_event_set_doca_buf(event, buf), TOO_BIG);
	for (refs = 1; refs < UINT16_MAX; refs++)
		put(buf);
	OK(doca_buf_chain_list(other, buf));
	ERR(doca_sync_event_set_doca_buf(event, buf), NOT_PERMITTED);
	OK(doca_buf_unchain_list(other, buf));
	OK(doca_sync_event_set_doca_buf(event, buf));
	EXPECT_EQ(refcount(buf), 2);
	OK(doca_sync_event_start(event));
	ERR(doca_sync_event_set_doca_buf(event, other), BAD_STATE);
	OK(doca_sync_event_update_set(event, 0x55));
	EXPECT_EQ(mem[16], 0x55);
	OK(doca_sync_event_stop(event));

	/* Another place for the value releases the buffer, and so does the end. */
	OK(doca_sync_event_set_doca_buf(event, other));
	EXPECT_EQ(refcount(buf), 1);
	OK(doca_sync_event_destroy(event));
	EXPECT_EQ(refcount(other), 1);
	put(other);
	put(buf);
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_mmap_destroy(mmap));
}

/* Memory of another process cannot have a value, though events can be in it. */
TEST(value_in_a_foreign_buffer)
{
	static _Alignas(8) char mem[64];
	struct doca_mmap *mmap, *imported;
	struct doca_buf_inventory *inv;
	struct doca_sync_event *event, *other;
	const uint8_t *event_desc;
	struct doca_buf *buf;
	const void *desc;
	size_t size;

	fake_reset(true);
	mmap = new_mmap(mem, sizeof(mem), &fake_dev);
	OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_export_pci(mmap, &fake_dev, &desc, &size));
	OK(doca_mmap_create_from_export(NULL, desc, size, &fake_dev, &imported));
	inv = new_inventory(1);
	OK(doca_buf_inventory_buf_get_by_addr(inv, imported, mem, 8, &buf));
	event = new_event();
	FAILS(doca_sync_event_set_doca_buf(event, buf), NOT_SUPPORTED,
	      "not in memory of this process");
	OK(doca_sync_event_destroy(event));
	event = new_exported(&event_desc, &size);
	other = import(event_desc, size);
	ERR(doca_sync_event_set_doca_buf(other, buf), NOT_PERMITTED);
	OK(doca_sync_event_destroy(other));
	stop_and_destroy(event);
	put(buf);
	OK(doca_buf_inventory_destroy(inv));
	OK(doca_mmap_destroy(imported));
	OK(doca_mmap_destroy(mmap));
}

TEST(exported_and_imported)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc, *again;
	uint8_t copy[1024];
	size_t size, size2;
	uint64_t old;

	fake_reset(true);
	event = new_exported(&desc, &size);
	EXPECT(size <= sizeof(copy));
	memcpy(copy, desc, size);
	OK(doca_sync_event_export_to_remote_pci(event, &fake_dev, &again, &size2));
	EXPECT(again == desc && size2 == size);
	OK(doca_sync_event_export_to_dpu(event, &fake_dev, &again, &size2));
	EXPECT(again == desc && size2 == size);

	imported = import(copy, size);
	FAILS(doca_sync_event_export_to_remote_pci(imported, &fake_dev, &again, &size2),
	      NOT_PERMITTED, "made from an export");
	ERR(doca_sync_event_get(imported, &old), BAD_STATE);
	OK(doca_sync_event_start(imported));
	OK(doca_sync_event_update_set(event, 6));
	EXPECT_EQ(value_of(imported), 6);
	OK(doca_sync_event_update_add(imported, 4, &old));
	EXPECT_EQ(old, 6);
	EXPECT_EQ(value_of(event), 10);
	OK(doca_sync_event_update_set(imported, 12));
	EXPECT_EQ(value_of(event), 12);
	waits_of(imported, event);
	waits_of(event, imported);

	/* Its stop ends all imports of it. */
	OK(doca_sync_event_stop(event));
	FAILS(doca_sync_event_get(imported, &old), IO_FAILED, "its exporter has stopped it");
	waits_fail(imported, DOCA_ERROR_IO_FAILED);
	ERR(doca_sync_event_update_set(imported, 0), IO_FAILED);
	ERR(doca_sync_event_update_add(imported, 0, &old), IO_FAILED);
	stop_and_destroy(imported);
	OK(doca_sync_event_destroy(event));
	EXPECT_EQ(fake.queues, 0);
	EXPECT_EQ(fake_dev.refs, 1);
}

typedef doca_error_t export_t(struct doca_sync_event *event, struct doca_dev *dev,
			      const uint8_t **desc, size_t *size);

static void export_errors_of(export_t *export)
{
	struct doca_sync_event *event = new_event();
	const uint8_t *desc = NULL;
	size_t size = 0;

	fake_reset(true);
	FAILS(export(event, &fake_dev, &desc, &size), NOT_PERMITTED, "it has no remote location");
	OK(doca_sync_event_add_publisher_location_remote_pci(event));
	FAILS(export(event, &fake_dev, &desc, &size), BAD_STATE, "is not started");
	OK(doca_sync_event_start(event));
	fake_dev.from_pd = true;
	ERR(export(event, &fake_dev, &desc, &size), NOT_SUPPORTED);
	fake_dev.from_pd = false;
	fake.mem_error = -EDQUOT;
	ERR(export(event, &fake_dev, &desc, &size), NO_MEMORY);
	fake.mem_error = -EIO;
	ERR(export(event, &fake_dev, &desc, &size), DRIVER);
	fake.mem_error = 0;
	fake_remove_device();
	ERR(export(event, &fake_dev, &desc, &size), DRIVER);
	EXPECT(!desc && !size);
	stop_and_destroy(event);
}

TEST(export_errors)
{
	export_errors_of(doca_sync_event_export_to_remote_pci);
	export_errors_of(doca_sync_event_export_to_dpu);
}

/* Every byte of the head changed, every length, and other descriptors. */
TEST(bad_descriptors)
{
	struct doca_sync_event *event, *imported = NULL;
	uint8_t copy[1100] = { 0 };
	struct doca_mmap *mmap;
	static _Alignas(8) char mem[16];
	const void *blob;
	const uint8_t *desc;
	size_t size, n, len;

	fake_reset(true);
	event = new_exported(&desc, &size);
#define IMPORT(n) doca_sync_event_create_from_export(&fake_dev, copy, n, &imported)
	memcpy(copy, desc, size);
	for (n = 0; n <= sizeof(copy); n++)
		if (n != size)
			ERR(IMPORT(n), INVALID_VALUE);
	for (n = 0; n < 8; n++) {
		copy[n] ^= 0x10;
		if (n == 4 || n == 5)
			ERR(IMPORT(size), NOT_SUPPORTED);
		else
			ERR(IMPORT(size), INVALID_VALUE);
		copy[n] ^= 0x10;
	}
	copy[8] ^= 1;
	ERR(IMPORT(size), INVALID_VALUE);
	copy[8] ^= 1;

	/* Exports of memory maps of other sizes, disguised as events. */
	for (len = 4; len <= 16; len += 4) {
		mmap = new_mmap(mem, len, &fake_dev);
		OK(doca_mmap_set_permissions(mmap, len == 8 ? DOCA_ACCESS_FLAG_PCI_READ_ONLY :
							      DOCA_ACCESS_FLAG_PCI_READ_WRITE));
		OK(doca_mmap_start(mmap));
		OK(doca_mmap_export_pci(mmap, &fake_dev, &blob, &n));
		memcpy(copy + 8, blob, n);
		ERR(IMPORT(size), INVALID_VALUE);
		ERR(doca_sync_event_create_from_export(&fake_dev, blob, n, &imported),
		    INVALID_VALUE);
		OK(doca_mmap_destroy(mmap));
	}
	memcpy(copy, desc, size);
	OK(doca_sync_event_stop(event));
	FAILS(IMPORT(size), INVALID_VALUE, "the export was revoked");
	fake.import_error = -EACCES;
	ERR(IMPORT(size), NOT_PERMITTED);
	fake.import_error = -ETIMEDOUT;
	ERR(IMPORT(size), TIME_OUT);
	fake.import_error = -EIO;
	ERR(IMPORT(size), DRIVER);
	EXPECT(!imported);
	OK(doca_sync_event_destroy(event));
	EXPECT_EQ(fake_dev.refs, 1);
}

TEST(import_without_a_queue)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc;
	uint64_t value;
	size_t size;

	fake_reset(true);
	event = new_exported(&desc, &size);
	imported = import(desc, size);
	fake.queue_error = -EDQUOT;
	FAILS(doca_sync_event_start(imported), INITIALIZATION, "the user has too many");
	fake.queue_error = 0;
	OK(doca_sync_event_start(imported));
	fake_remove_device();
	FAILS(doca_sync_event_get(imported, &value), IO_FAILED, "its device was removed");
	OK(doca_sync_event_stop(imported));
	ERR(doca_sync_event_start(imported), INITIALIZATION);
	OK(doca_sync_event_destroy(imported));
	stop_and_destroy(event);
}

TEST(after_a_fork)
{
	struct doca_sync_event *event, *imported;
	const uint8_t *desc;
	uint64_t value;
	size_t size;

	fake_reset(true);
	event = new_exported(&desc, &size);
	imported = import(desc, size);
	OK(doca_sync_event_start(imported));
	/* Another thread is in a call; in the child nobody ends it. */
	pthread_mutex_lock(&imported->remote.lock);
	fake_fork();
	logged();
	alarm(20);
	FAILS(doca_sync_event_get(imported, &value), BAD_STATE, "before a fork");
	alarm(0);
	pthread_mutex_unlock(&imported->remote.lock);
	OK(doca_sync_event_get(event, &value));
	OK(doca_sync_event_stop(imported));
	OK(doca_sync_event_destroy(imported));
	stop_and_destroy(event);
	fake_reset(true);
}
