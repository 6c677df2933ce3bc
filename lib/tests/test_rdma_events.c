// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sync events of peers in a network: exports, imports, and the RDMA tasks on them. */
#include <doca_sync_event.h>

#include "fault.h"
#include "rdma_bed.h"
#include "sync_bed.h"

#define EVENT_DESC 72 /* bytes of an export */

/* An event of the responder, and what the requester has of it. */
static struct {
	struct doca_sync_event *event;
	const uint8_t *desc;
	size_t size;
	struct doca_sync_event_remote_net *peers;
} ev;

RDMA_ENDED(remote_net_sync_event_get)
RDMA_ENDED(remote_net_sync_event_notify_set)
RDMA_ENDED(remote_net_sync_event_notify_add)

#define CONF(kind, n)                                            \
	doca_rdma_task_remote_net_sync_event_##kind##_set_conf(  \
		rb.rdma[0], remote_net_sync_event_##kind##_done, \
		remote_net_sync_event_##kind##_failed, n)

static void make_event(void)
{
	OK(doca_sync_event_create(&ev.event));
	OK(doca_sync_event_add_subscriber_location_cpu(ev.event, rb.dev));
	OK(doca_sync_event_add_publisher_location_remote_net(ev.event));
}

static void event_begin(void)
{
	memset(&ev, 0, sizeof(ev));
	rdma_set_up();
	OK(CONF(get, RDMA_NR));
	OK(CONF(notify_set, RDMA_NR));
	OK(CONF(notify_add, RDMA_NR));
	rdma_start();
	connect_both();
	make_event();
	OK(doca_sync_event_start(ev.event));
	OK(doca_sync_event_export_to_remote_net(ev.event, &ev.desc, &ev.size));
	EXPECT_EQ(ev.size, EVENT_DESC);
	OK(doca_sync_event_remote_net_create_from_export(rb.dev, ev.desc, ev.size, &ev.peers));
}

static void event_end(void)
{
	stop_all();
	if (ev.peers)
		OK(doca_sync_event_remote_net_destroy(ev.peers));
	OK(doca_sync_event_stop(ev.event));
	OK(doca_sync_event_destroy(ev.event));
	rdma_end();
}

static uint64_t event_value(void)
{
	uint64_t value = -1;

	OK(doca_sync_event_get(ev.event, &value));
	return value;
}

static struct doca_task *a_get(struct doca_buf *dst)
{
	struct doca_rdma_task_remote_net_sync_event_get *task = NULL;

	OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(rb.rdma[0], rb.conn[0], ev.peers,
								  dst, no_data, &task));
	return doca_rdma_task_remote_net_sync_event_get_as_task(task);
}

static struct doca_task *a_set(struct doca_buf *src)
{
	struct doca_rdma_task_remote_net_sync_event_notify_set *task = NULL;

	OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		rb.rdma[0], rb.conn[0], ev.peers, src, no_data, &task));
	return doca_rdma_task_remote_net_sync_event_notify_set_as_task(task);
}

static struct doca_task *an_add(struct doca_buf *result, uint64_t add)
{
	struct doca_rdma_task_remote_net_sync_event_notify_add *task = NULL;

	OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		rb.rdma[0], rb.conn[0], ev.peers, result, add, no_data, &task));
	return doca_rdma_task_remote_net_sync_event_notify_add_as_task(task);
}

/* The responder makes no call but to wait. */
TEST(peers_set_add_and_get)
{
	uint64_t *word = (uint64_t *)bed.mem;
	struct doca_task *task;

	event_begin();
	word[0] = 41;
	task = a_set(local_data(0, 8));
	EXPECT_STR(run_one(task), "S");
	drop(task);
	OK(doca_sync_event_wait_gt(ev.event, 40, UINT64_MAX));
	task = an_add(local_room(8, 16), 2);
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(word[1], 41);
	EXPECT_EQ(event_value(), 43);
	drop(task);
	task = a_get(local_room(64, 8));
	EXPECT_STR(run_one(task), "S");
	EXPECT_EQ(word[8], 43);
	EXPECT_EQ(doca_rdma_task_remote_net_sync_event_get_get_result_len(
			  (struct doca_rdma_task_remote_net_sync_event_get *)task),
		  8);
	drop(task);
	event_end();
}

/* Values of a task can be asked for, and set anew until it is in flight. */
TEST(tasks_have_what_they_were_given)
{
	struct doca_rdma_task_remote_net_sync_event_get *get = NULL;
	struct doca_rdma_task_remote_net_sync_event_notify_set *set = NULL;
	struct doca_rdma_task_remote_net_sync_event_notify_add *add = NULL;
	struct doca_buf *buf;

	event_begin();
	buf = a_buf(rb.mmap, 0, 8, 8);
	OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(rb.rdma[0], rb.conn[0], NULL,
								  NULL, no_data, &get));
	doca_rdma_task_remote_net_sync_event_get_set_sync_event(get, ev.peers);
	doca_rdma_task_remote_net_sync_event_get_set_dst_buf(get, buf);
	doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(get, rb.conn[0]);
	EXPECT(doca_rdma_task_remote_net_sync_event_get_get_sync_event(get) == ev.peers);
	EXPECT(doca_rdma_task_remote_net_sync_event_get_get_dst_buf(get) == buf);
	EXPECT(doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(get) == rb.conn[0]);
	OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		rb.rdma[0], rb.conn[0], NULL, NULL, no_data, &set));
	doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(set, ev.peers);
	doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(set, buf);
	doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(set, rb.conn[0]);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(set) == ev.peers);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(set) == buf);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(set) ==
	       rb.conn[0]);
	OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
		rb.rdma[0], rb.conn[0], NULL, NULL, 0, no_data, &add));
	doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(add, ev.peers);
	doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(add, buf);
	doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(add, 5);
	doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(add, rb.conn[0]);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(add) == ev.peers);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(add) == buf);
	EXPECT_EQ(doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(add), 5);
	EXPECT(doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(add) ==
	       rb.conn[0]);
	doca_task_free(doca_rdma_task_remote_net_sync_event_get_as_task(get));
	doca_task_free(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
	doca_task_free(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add));
	put(buf);
	event_end();
}

static void unfit(struct doca_task *task, doca_error_t error, const char *words)
{
	logged();
	EXPECT_EQ(doca_task_try_submit(task), error);
	EXPECT_LOGGED(words);
	drop(task);
}

TEST(tasks_that_do_not_fit)
{
	struct doca_sync_event_remote_net *peers;

	event_begin();
	unfit(a_set(local_data(0, 7)), DOCA_ERROR_INVALID_VALUE, "7 bytes");
	unfit(a_set(local_data(0, 9)), DOCA_ERROR_INVALID_VALUE, "9 bytes");
	unfit(a_set(NULL), DOCA_ERROR_INVALID_VALUE, "0 bytes");
	unfit(a_get(local_room(0, 7)), DOCA_ERROR_INVALID_VALUE, "room for 7");
	unfit(an_add(local_room(0, 7), 1), DOCA_ERROR_INVALID_VALUE, "room for 7");
	peers = ev.peers;
	ev.peers = NULL;
	unfit(a_get(local_room(0, 8)), DOCA_ERROR_INVALID_VALUE, "is missing");
	ev.peers = peers;
	peers->mmap->access &= ~(uint32_t)DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	unfit(an_add(local_room(0, 8), 1), DOCA_ERROR_NOT_PERMITTED, "be changed so");
	event_end();
}

TEST(an_event_stays_for_its_tasks)
{
	struct doca_task *task;

	event_begin();
	hca.holds = true;
	task = a_get(local_room(0, 8));
	submit(task);
	FAILS(doca_sync_event_remote_net_destroy(ev.peers), IN_USE, "in flight");
	hca.holds = false;
	hca_go();
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	drop(task);
	OK(doca_sync_event_remote_net_destroy(ev.peers));
	ev.peers = NULL;
	logged();
	event_end();
}

/* When the event stops, nobody reaches the value any more. */
TEST(an_event_stops)
{
	struct doca_task *task;

	event_begin();
	OK(doca_sync_event_stop(ev.event));
	task = a_get(local_room(0, 8));
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_NOT_PERMITTED);
	drop(task);
	logged();
	event_end();
}

TEST(events_that_cannot_be_exported)
{
	struct doca_sync_event *event = NULL;
	const uint8_t *again;
	size_t size;

	event_begin();
	OK(doca_sync_event_export_to_remote_net(ev.event, &again, &size));
	EXPECT(again == ev.desc);
	FAILS(doca_sync_event_add_publisher_location_remote_net(ev.event), BAD_STATE, "started");
	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_subscriber_location_cpu(event, rb.dev));
	OK(doca_sync_event_add_publisher_location_cpu(event, rb.dev));
	FAILS(doca_sync_event_export_to_remote_net(event, &again, &size), BAD_STATE, "not started");
	OK(doca_sync_event_start(event));
	FAILS(doca_sync_event_export_to_remote_net(event, &again, &size), BAD_STATE,
	      "publisher_location_remote_net");
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_add_publisher_location_remote_net(event));
	OK(doca_sync_event_start(event));
	hca.mr_error = ENOMEM;
	ERR(doca_sync_event_export_to_remote_net(event, &again, &size), NO_MEMORY);
	hca.mr_error = EIO;
	ERR(doca_sync_event_export_to_remote_net(event, &again, &size), DRIVER);
	hca.mr_error = 0;
	OK(doca_sync_event_export_to_remote_net(event, &again, &size));
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_destroy(event));
	OK(doca_sync_event_create(&event));
	OK(doca_sync_event_add_subscriber_location_cpu(event, &fake_dev));
	OK(doca_sync_event_add_publisher_location_remote_net(event));
	OK(doca_sync_event_start(event));
	FAILS(doca_sync_event_export_to_remote_net(event, &again, &size), NOT_SUPPORTED,
	      "on an RDMA device");
	OK(doca_sync_event_stop(event));
	OK(doca_sync_event_destroy(event));
	logged();
	event_end();
}

TEST(exports_that_are_none)
{
	struct doca_sync_event_remote_net *peers = NULL;
	struct doca_sync_event *event = NULL;
	uint8_t copy[EVENT_DESC + 1];

	event_begin();
	memcpy(copy, ev.desc, ev.size);
	for (size_t n = 0; n <= sizeof(copy); n++)
		if (n != ev.size)
			ERR(doca_sync_event_remote_net_create_from_export(rb.dev, copy, n, &peers),
			    INVALID_VALUE);
	for (size_t bit = 0; bit < 8 * ev.size; bit++) {
		doca_error_t ret;

		copy[bit / 8] ^= 1 << bit % 8;
		ret = doca_sync_event_remote_net_create_from_export(rb.dev, copy, ev.size, &peers);
		EXPECT(ret == DOCA_ERROR_INVALID_VALUE || ret == DOCA_ERROR_NOT_SUPPORTED);
		copy[bit / 8] ^= 1 << bit % 8;
	}
	logged();
	FAILS(doca_sync_event_create_from_export(rb.dev, copy, ev.size, &event), INVALID_VALUE,
	      "not of a value");
	copy[4]++;
	FAILS(doca_sync_event_remote_net_create_from_export(rb.dev, copy, ev.size, &peers),
	      NOT_SUPPORTED, "version");
	copy[4]--;
	ERR(doca_sync_event_remote_net_create_from_export(&fake_dev, copy, ev.size, &peers),
	    NOT_SUPPORTED);
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_sync_event_remote_net_create_from_export(rb.dev, copy, ev.size, &peers),
		      NO_MEMORY, OK(doca_sync_event_remote_net_destroy(peers)));
	logged();
	event_end();
}

TEST(an_import_is_not_exported_again)
{
	struct doca_sync_event *owner, *event;
	const uint8_t *desc;
	size_t size;

	event_begin();
	owner = new_exported(&desc, &size);
	event = import(desc, size);
	FAILS(doca_sync_event_add_publisher_location_remote_net(event), NOT_PERMITTED, "export");
	FAILS(doca_sync_event_export_to_remote_net(event, &desc, &size), NOT_PERMITTED, "export");
	OK(doca_sync_event_destroy(event));
	stop_and_destroy(owner);
	logged();
	event_end();
}

#define ALLOC(kind, error, ...)                                                          \
	do {                                                                             \
		struct doca_rdma_task_remote_net_sync_event_##kind *new_;                \
                                                                                         \
		ERR(doca_rdma_task_remote_net_sync_event_##kind##_allocate_init(         \
			    rb.rdma[0], rb.conn[0], ev.peers, NULL, __VA_ARGS__, &new_), \
		    error);                                                              \
	} while (0)
#define ALLOC_EACH(error)                             \
	do {                                          \
		ALLOC(get, error, no_data);           \
		ALLOC(notify_set, error, no_data);    \
		ALLOC(notify_add, error, 0, no_data); \
	} while (0)

TEST(tasks_are_as_many_as_there_are)
{
	struct doca_task *tasks[3 * RDMA_NR];
	unsigned int n = 0;

	event_begin();
	for (int i = 0; i < RDMA_NR; i++) {
		tasks[n++] = a_get(NULL);
		tasks[n++] = a_set(NULL);
		tasks[n++] = an_add(NULL, 0);
	}
	ALLOC_EACH(NO_MEMORY);
	ERR(doca_ctx_stop(ctx_of(0)), IN_PROGRESS);
	ALLOC_EACH(BAD_STATE);
	while (n)
		doca_task_free(tasks[--n]);
	logged();
	event_end();
}

/* No device here executes programs of the user. */
TEST(there_is_no_dpa_or_gpu)
{
	void *x = bed.mem;

	event_begin();
	FAILS(doca_sync_event_remote_net_get_dpa_handle(ev.peers, x, x), NOT_SUPPORTED, "DPA");
	FAILS(doca_sync_event_remote_net_export_to_dpa(ev.peers, x, x), NOT_SUPPORTED, "DPA");
	FAILS(doca_sync_event_remote_net_get_gpu_handle(ev.peers, x, x), NOT_SUPPORTED, "GPU");
	FAILS(doca_sync_event_remote_net_export_to_gpu(ev.peers, x, x), NOT_SUPPORTED, "GPU");
	event_end();
}

TEST(capabilities)
{
	const struct doca_devinfo *info, *other = doca_dev_as_devinfo(&fake_dev);

	event_begin();
	info = doca_dev_as_devinfo(rb.dev);
	OK(doca_sync_event_cap_is_export_to_remote_net_supported(info));
	OK(doca_sync_event_cap_remote_net_is_create_from_export_supported(info));
	ERR(doca_sync_event_cap_is_export_to_remote_net_supported(other), NOT_SUPPORTED);
	ERR(doca_sync_event_cap_remote_net_is_create_from_export_supported(other), NOT_SUPPORTED);
	OK(doca_rdma_cap_task_remote_net_sync_event_get_is_supported(info));
	OK(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(info));
	OK(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(info));
	ERR(CONF(get, 1), BAD_STATE);
	ERR(CONF(notify_set, 1), BAD_STATE);
	ERR(CONF(notify_add, 1), BAD_STATE);
	logged();
	event_end();
}
