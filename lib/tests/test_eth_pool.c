// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Receive queues with a managed pool: owners of chunks, and events. */
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "eth_bed.h"

#define BURST 16
#define CHUNKS 20

static struct doca_mmap *memory;
static char *pages;
static struct doca_buf *kept[CHUNKS];
static unsigned int nr_kept;
static bool keep; /* keep packets instead of releasing them at once */
static bool looked; /* properties of a packet were checked */

static void look_at(const struct doca_eth_rxq_event_managed_recv *event)
{
	const uint32_t *metadata = NULL;
	uint64_t timestamp = 0;
	uint32_t value = 0;
	uint8_t ok = 9;

	OK(doca_eth_rxq_event_managed_recv_get_status(event));
	OK(doca_eth_rxq_event_managed_recv_get_flow_tag(event, &value));
	EXPECT_EQ(value, 5);
	OK(doca_eth_rxq_event_managed_recv_get_metadata_array(event, &metadata));
	EXPECT_EQ(*metadata, 6);
	OK(doca_eth_rxq_event_managed_recv_get_rx_hash(event, &value));
	EXPECT(value);
	OK(doca_eth_rxq_event_managed_recv_get_timestamp(event, &timestamp));
	EXPECT(timestamp);
	OK(doca_eth_rxq_event_managed_recv_get_l3_ok(event, &ok));
	EXPECT_EQ(ok, 1);
	OK(doca_eth_rxq_event_managed_recv_get_l4_ok(event, &ok));
	EXPECT_EQ(ok, 1);
	looked = true;
}

static void refuse_looks(const struct doca_eth_rxq_event_managed_recv *event)
{
	const uint32_t *metadata;
	uint64_t timestamp;
	uint32_t value;

	ERR(doca_eth_rxq_event_managed_recv_get_flow_tag(event, &value), BAD_STATE);
	ERR(doca_eth_rxq_event_managed_recv_get_metadata_array(event, &metadata), BAD_STATE);
	ERR(doca_eth_rxq_event_managed_recv_get_rx_hash(event, &value), BAD_STATE);
	ERR(doca_eth_rxq_event_managed_recv_get_timestamp(event, &timestamp), BAD_STATE);
	looked = true;
}

static void (*on_event)(const struct doca_eth_rxq_event_managed_recv *event);
static void (*on_packet)(struct doca_buf *pkt);

static void received(struct doca_eth_rxq_event_managed_recv *event, struct doca_buf *pkt,
		     union doca_data data)
{
	record('P');
	EXPECT_EQ(data.u64, 3);
	if (on_packet)
		on_packet(pkt);
	EXPECT(doca_eth_rxq_event_managed_recv_get_ctx(event) == &rxq->ctx);
	if (on_event)
		on_event(event);
	if (keep)
		kept[nr_kept++] = pkt;
	else
		put(pkt);
}

static uint16_t batch_size;
static bool free_array = true;
static struct doca_buf **arrays[CHUNKS / 4]; /* batches of four that the program keeps */
static unsigned int nr_arrays;
static void (*on_batch)(const struct doca_eth_rxq_event_batch_managed_recv *batch);

static void batch_came(struct doca_eth_rxq_event_batch_managed_recv *batch, uint16_t n,
		       union doca_data data, doca_error_t status, struct doca_buf **pkts)
{
	record('B');
	batch_size = n;
	EXPECT_EQ(data.u64, 3);
	EXPECT_EQ(status, DOCA_SUCCESS);
	EXPECT(doca_eth_rxq_event_batch_managed_recv_get_ctx(batch) == &rxq->ctx);
	if (on_batch)
		on_batch(batch);
	if (keep)
		arrays[nr_arrays++] = pkts;
	else if (free_array)
		doca_eth_rxq_event_batch_managed_recv_pkt_array_free(pkts);
	else
		for (uint16_t i = 0; i < n; i++)
			put(pkts[i]);
}

static void pool_set_up(void)
{
	eth_set_up();
	pages = mmap(NULL, (CHUNKS + 2) * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	OK(doca_mmap_create(&memory));
	OK(doca_mmap_set_memrange(memory, pages + 64, (CHUNKS + 1) * 4096));
	OK(doca_mmap_set_permissions(memory, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	OK(doca_mmap_add_dev(memory, &fake_dev));
	OK(doca_mmap_start(memory));
	OK(doca_eth_rxq_create(&fake_dev, BURST, 1600, &rxq));
	use_queue(&rxq->ctx);
	OK(doca_eth_rxq_set_type(rxq, DOCA_ETH_RXQ_TYPE_MANAGED_MEMPOOL));
	OK(doca_eth_rxq_set_pkt_buf(rxq, memory, 0, (CHUNKS + 1) * 4096));
	nr_kept = 0;
	nr_arrays = 0;
	keep = false;
	looked = false;
	on_event = NULL;
	on_packet = NULL;
	on_batch = NULL;
	free_array = true;
}

static void pool_tear_down(void)
{
	OK(doca_eth_rxq_destroy(rxq));
	rxq = NULL;
	OK(doca_mmap_destroy(memory));
	munmap(pages, (CHUNKS + 2) * 4096);
	eth_tear_down();
}

static void end_pool(void)
{
	stop();
	pool_tear_down();
}

static const union doca_data three = { .u64 = 3 };

static doca_error_t register_event(void)
{
	return doca_eth_rxq_event_managed_recv_register(rxq, three, received, received);
}

static doca_error_t register_batch(enum doca_event_batch_events_number max,
				   enum doca_event_batch_events_number min)
{
	return doca_eth_rxq_event_batch_managed_recv_register(rxq, max, min, three, batch_came,
							      batch_came);
}

static void events(void)
{
	pool_set_up();
	OK(register_event());
}

static void batches(enum doca_event_batch_events_number max,
		    enum doca_event_batch_events_number min)
{
	pool_set_up();
	OK(register_batch(max, min));
}

TEST(each_packet_is_an_event_in_the_program_s_memory)
{
	void *head = NULL, *data = NULL;
	size_t len = 0;

	events();
	OK(doca_eth_rxq_set_packet_headroom(rxq, 100));
	OK(doca_eth_rxq_set_packet_tailroom(rxq, 50));
	steer_all(0, 0);
	start();
	/* A frame without room before or behind it is ignored. */
	wire_desc(0, 64, 60);
	wire_desc(0, 4000, 90);
	EXPECT_EQ(drain(bed.pe), 0);
	keep = true;
	wire_receive(0, frame_of(7, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "P");
	OK(doca_buf_get_head(kept[0], &head));
	OK(doca_buf_get_len(kept[0], &len));
	OK(doca_buf_get_data(kept[0], &data));
	EXPECT((char *)head >= pages && (char *)head < pages + 22 * 4096);
	EXPECT_EQ((char *)data - (char *)head, 100);
	EXPECT_EQ(len, 100 + 60 + 50);
	EXPECT_EQ(data_len(kept[0]), 60);
	EXPECT(!memcmp(data, frame_of(7, 60), 60));
	put(kept[0]);
	end_pool();
}

TEST(a_program_that_keeps_all_receives_nothing_and_then_goes_on)
{
	events();
	steer_all(0, 0);
	start();
	keep = true;
	for (unsigned int i = 0; i < CHUNKS + 5; i++) {
		wire_receive(0, frame_of(i, 60), 60);
		drain(bed.pe);
	}
	EXPECT_EQ(nr_kept, CHUNKS);
	EXPECT_EQ(wire.dropped, 5);
	for (unsigned int i = 0; i < CHUNKS; i++) {
		void *data = NULL;

		OK(doca_buf_get_data(kept[i], &data));
		EXPECT(!memcmp(data, frame_of(i, 60), 60));
		for (unsigned int k = 0; k < i; k++)
			EXPECT(kept[k] != kept[i]);
	}
	while (nr_kept)
		put(kept[--nr_kept]);
	EXPECT_EQ(drain(bed.pe), 0);
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	put(kept[--nr_kept]);
	end_pool();
}

TEST(packets_outlive_their_queue_s_run)
{
	void *data = NULL;

	events();
	steer_all(0, 0);
	start();
	keep = true;
	wire_receive(0, frame_of(9, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	stop();
	OK(doca_buf_get_data(kept[0], &data));
	EXPECT(!memcmp(data, frame_of(9, 60), 60));
	ERR(doca_mmap_stop(memory), NOT_PERMITTED);
	logged();
	ERR(doca_eth_rxq_destroy(rxq), IN_USE);
	EXPECT_LOGGED("the program has 1 packets");
	ERR(doca_ctx_start(&rxq->ctx), IN_USE);
	put(kept[0]);
	nr_kept = 0;
	keep = false;
	start();
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	end_pool();
}

static void ask_for_all(void)
{
	OK(doca_eth_rxq_set_flow_tag(rxq, 1));
	OK(doca_eth_rxq_set_metadata_num(rxq, 1));
	OK(doca_eth_rxq_set_rx_hash(rxq, 1));
	OK(doca_eth_rxq_set_timestamp(rxq, 1));
}

TEST(what_is_known_of_a_packet)
{
	uint8_t frame[200];
	uint32_t len = udp_frame(frame, 53, 100);

	for (int asked = 0; asked < 2; asked++) {
		events();
		steer_all(5, 6);
		if (asked)
			ask_for_all();
		start();
		on_event = asked ? look_at : refuse_looks;
		wire_receive(0, frame, len);
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT(looked);
		end_pool();
	}
}

static uint8_t l3_ok, l4_ok;

static void look_at_sums(const struct doca_eth_rxq_event_managed_recv *event)
{
	OK(doca_eth_rxq_event_managed_recv_get_l3_ok(event, &l3_ok));
	OK(doca_eth_rxq_event_managed_recv_get_l4_ok(event, &l4_ok));
}

/* An event is used again, and nothing of the packet before is left in it. */
TEST(sums_are_those_of_the_packet)
{
	static const uint8_t types[] = { 0x08, 0x88, 0x08 }; /* the second is not IP */
	uint8_t frame[200];
	uint32_t len = udp_frame(frame, 53, 100);

	events();
	steer_all(5, 6);
	start();
	on_event = look_at_sums;
	for (unsigned int i = 0; i < sizeof(types); i++) {
		frame[12] = types[i];
		wire_receive(0, frame, len);
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_EQ(l3_ok, types[i] == 0x08);
		EXPECT_EQ(l4_ok, types[i] == 0x08);
	}
	end_pool();
}

/* Say that the header has 60 bytes, and that the sum of its 20 is still right. */
static void lengthen_header(struct doca_buf *pkt)
{
	void *data = NULL;
	uint8_t *ip;

	OK(doca_buf_get_data(pkt, &data));
	ip = (uint8_t *)data + 14;
	EXPECT_EQ(ip[0], 0x45);
	ip[0] += 10;
	ip[8] -= 10;
}

TEST(a_header_is_as_long_as_when_the_packet_came)
{
	uint8_t frame[200];
	uint32_t len = udp_frame(frame, 53, 100);

	events();
	steer_all(5, 6);
	start();
	on_packet = lengthen_header;
	on_event = look_at_sums;
	l3_ok = 9;
	wire_receive(0, frame, len);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(l3_ok, 1);
	end_pool();
}

TEST(batches_are_full_or_late)
{
	batches(DOCA_EVENT_BATCH_EVENTS_NUMBER_8, DOCA_EVENT_BATCH_EVENTS_NUMBER_4);
	steer_all(0, 0);
	start();
	for (unsigned int i = 0; i < 10; i++)
		wire_receive(0, frame_of(i, 60), 60);
	clock_stop(0);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_EQ(batch_size, 8);
	/* Two are too few for a batch, until their time has come. */
	free_array = false;
	clock_advance(100000);
	EXPECT_EQ(drain(bed.pe), 1);
	clock_go_on();
	EXPECT_EQ(batch_size, 2);
	EXPECT_STR(took(), "BB");
	EXPECT_EQ(drain(bed.pe), 0);
	EXPECT_EQ(rxq->ctx.deadline, 0);
	/* None is lost when the queue stops before. */
	wire_receive(0, frame_of(1, 60), 60);
	doca_pe_progress(bed.pe);
	end_pool();
}

/* Receive four packets, of which the first is @n. */
static void receive_four(unsigned int n)
{
	for (unsigned int i = 0; i < 4; i++)
		wire_receive(0, frame_of(n + i, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
}

static void expect_four(struct doca_buf **pkts, unsigned int n)
{
	for (unsigned int i = 0; i < 4; i++) {
		void *data = NULL;

		OK(doca_buf_get_data(pkts[i], &data));
		EXPECT(!memcmp(data, frame_of(n + i, 60), 60));
	}
}

TEST(a_batch_lasts_until_it_is_released)
{
	unsigned int first[CHUNKS / 4];

	batches(DOCA_EVENT_BATCH_EVENTS_NUMBER_4, DOCA_EVENT_BATCH_EVENTS_NUMBER_4);
	steer_all(0, 0);
	start();
	keep = true;
	for (unsigned int i = 0; i < CHUNKS / 4; i++) {
		first[i] = 10 * i;
		receive_four(first[i]);
	}
	EXPECT_EQ(nr_arrays, CHUNKS / 4);
	/* One after the other is released, and comes back with other packets. */
	for (unsigned int round = 0; round < CHUNKS; round++) {
		for (unsigned int i = 0; i < CHUNKS / 4; i++)
			expect_four(arrays[i], first[i]);
		nr_arrays = round % (CHUNKS / 4);
		first[nr_arrays] = 100 + 5 * round;
		doca_eth_rxq_event_batch_managed_recv_pkt_array_free(arrays[nr_arrays]);
		EXPECT_EQ(drain(bed.pe), 0);
		receive_four(first[nr_arrays]);
	}
	stop();
	logged();
	ERR(doca_eth_rxq_destroy(rxq), IN_USE);
	EXPECT_LOGGED("the program has 20 packets");
	for (unsigned int i = 0; i < CHUNKS / 4; i++)
		doca_eth_rxq_event_batch_managed_recv_pkt_array_free(arrays[i]);
	pool_tear_down();
}

TEST(a_late_batch_ends_a_wait)
{
	doca_notification_handle_t fd = -1;
	struct pollfd p = { .events = POLLIN };

	batches(DOCA_EVENT_BATCH_EVENTS_NUMBER_8, DOCA_EVENT_BATCH_EVENTS_NUMBER_8);
	steer_all(0, 0);
	start();
	OK(doca_pe_get_notification_handle(bed.pe, &fd));
	p.fd = fd;
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 0);
	wire_settle();
	OK(doca_pe_request_notification(bed.pe));
	EXPECT_EQ(poll(&p, 1, -1), 1);
	OK(doca_pe_clear_notification(bed.pe, 0));
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "B");
	end_pool();
}

static void look_at_batch(const struct doca_eth_rxq_event_batch_managed_recv *batch)
{
	const uint32_t *tags, *metadata, *hashes;
	const uint8_t *l3, *l4;
	const uint64_t *times;

	OK(doca_eth_rxq_event_batch_managed_recv_get_flow_tag_array(batch, &tags));
	OK(doca_eth_rxq_event_batch_managed_recv_get_metadata_array(batch, &metadata));
	OK(doca_eth_rxq_event_batch_managed_recv_get_rx_hash_array(batch, &hashes));
	OK(doca_eth_rxq_event_batch_managed_recv_get_timestamp_array(batch, &times));
	OK(doca_eth_rxq_event_batch_managed_recv_get_l3_ok_array(batch, &l3));
	OK(doca_eth_rxq_event_batch_managed_recv_get_l4_ok_array(batch, &l4));
	for (uint16_t i = 0; i < batch_size; i++)
		EXPECT(tags[i] == 5 && metadata[i] == 6 && hashes[i] && times[i] && l3[i] == 1 &&
		       l4[i] == (i != 1));
	looked = true;
}

static void refuse_batch(const struct doca_eth_rxq_event_batch_managed_recv *batch)
{
	const uint32_t *u32;
	const uint64_t *u64;

	ERR(doca_eth_rxq_event_batch_managed_recv_get_flow_tag_array(batch, &u32), BAD_STATE);
	ERR(doca_eth_rxq_event_batch_managed_recv_get_metadata_array(batch, &u32), BAD_STATE);
	ERR(doca_eth_rxq_event_batch_managed_recv_get_rx_hash_array(batch, &u32), BAD_STATE);
	ERR(doca_eth_rxq_event_batch_managed_recv_get_timestamp_array(batch, &u64), BAD_STATE);
	doca_eth_rxq_event_batch_managed_recv_pkt_array_free(NULL);
	looked = true;
}

TEST(what_is_known_of_a_batch)
{
	uint8_t frame[200];
	uint32_t len = udp_frame(frame, 53, 100);

	batches(DOCA_EVENT_BATCH_EVENTS_NUMBER_4, DOCA_EVENT_BATCH_EVENTS_NUMBER_4);
	steer_all(5, 6);
	ask_for_all();
	start();
	on_batch = look_at_batch;
	for (int i = 0; i < 4; i++) {
		frame[100] ^= i == 1;
		wire_receive(0, frame, len);
		frame[100] ^= i == 1;
	}
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(looked);
	end_pool();
	batches(DOCA_EVENT_BATCH_EVENTS_NUMBER_1, DOCA_EVENT_BATCH_EVENTS_NUMBER_1);
	steer_all(0, 0);
	start();
	on_batch = refuse_batch;
	wire_receive(0, frame, len);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT(looked);
	end_pool();
}

static void ended(struct doca_eth_rxq_task_recv *task, union doca_data a, union doca_data b)
{
	(void)a;
	(void)b;
	ERR(doca_task_get_status(doca_eth_rxq_task_recv_as_doca_task(task)), INVALID_VALUE);
	record('E');
	doca_task_free(doca_eth_rxq_task_recv_as_doca_task(task));
}

/* Start a managed pool, which takes no tasks, and make one. */
static struct doca_eth_rxq_task_recv *start_with_task(struct doca_buf **buf)
{
	struct doca_eth_rxq_task_recv *task = NULL;

	events();
	*buf = room(0, 100);
	OK(doca_eth_rxq_task_recv_set_conf(rxq, ended, ended, 1));
	steer_all(0, 0);
	start();
	OK(doca_eth_rxq_task_recv_allocate_init(rxq, *buf, no_data, &task));
	return task;
}

/* Otherwise its queue would wait for it for ever when it stops. */
TEST(a_task_of_a_pool_fails)
{
	struct doca_buf *buf;
	struct doca_eth_rxq_task_recv *task = start_with_task(&buf);

	logged();
	ERR(doca_task_try_submit(doca_eth_rxq_task_recv_as_doca_task(task)), INVALID_VALUE);
	EXPECT_LOGGED("has a managed pool");
	OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 2);
	took();
	put(buf);
	end_pool();
}

/* An event allows short turns, which leave no task behind. */
TEST(a_task_of_a_pool_fails_at_once_behind_an_event)
{
	struct doca_buf *buf;
	struct doca_eth_rxq_task_recv *task = start_with_task(&buf);

	wire_receive(0, frame_of(1, 60), 60);
	EXPECT_EQ(drain(bed.pe), 1);
	wire_receive(0, frame_of(2, 60), 60);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "PP");
	OK(doca_task_submit(doca_eth_rxq_task_recv_as_doca_task(task)));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "E");
	put(buf);
	end_pool();
}

TEST(events_are_registered_once)
{
	events();
	ERR(doca_eth_rxq_event_managed_recv_register(rxq, three, NULL, received), INVALID_VALUE);
	ERR(register_event(), ALREADY_EXIST);
	ERR(register_batch(1, 1), ALREADY_EXIST);
	ERR(register_batch(1, 2), INVALID_VALUE);
	start();
	ERR(register_event(), BAD_STATE);
	ERR(register_batch(1, 1), BAD_STATE);
	end_pool();
}

static void starts_not(const char *words)
{
	logged();
	ERR(doca_ctx_start(&rxq->ctx), INVALID_VALUE);
	EXPECT_LOGGED(words);
}

TEST(memory_that_does_not_do_is_refused)
{
	events();
	OK(doca_eth_rxq_set_pkt_buf(rxq, memory, 0, BURST * 4096));
	starts_not("less than a burst");
	OK(doca_eth_rxq_set_pkt_buf(rxq, memory, 4096, (CHUNKS + 1) * 4096));
	starts_not("shorter than");
	OK(doca_eth_rxq_set_pkt_buf(rxq, memory, 0, (CHUNKS + 1) * 4096));
	memory->from_export = true;
	starts_not("not memory of this process");
	memory->from_export = false;
	memory->writable = false;
	starts_not("does not allow writes");
	memory->writable = true;
	OK(doca_mmap_stop(memory));
	starts_not("is not started");
	OK(doca_mmap_start(memory));
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(&rxq->ctx), INITIALIZATION, stop());
	took();
	pool_tear_down();
}
