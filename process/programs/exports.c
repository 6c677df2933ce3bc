// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory and sync events of another process: copies in both directions, of every size and in
 * lists, by several importers at a time, and while the exporter is stopped or stops
 * exporting.
 */
#include <poll.h>

#define LEN (8 << 20)
#include "pair.h"

FIXTURE(exports)
{
	struct shared *shared;
	struct desc desc;
	pid_t pid;
	char *theirs; /* shared with the exporter, so that the test sees it */
	struct importer importer;
};

/* Two seconds may be too short on a crowded or emulated machine. */
static bool import_in_time(struct importer *self, const struct desc *desc)
{
	doca_error_t rc;

	AWAIT((rc = importer_import(self, desc, &self->imported)) != DOCA_ERROR_TIME_OUT);
	return !rc;
}

FIXTURE_SETUP(exports)
{
	self->shared = map(sizeof(*self->shared));
	self->theirs = self->shared->mem = map(LEN);
	bed_fill(self->theirs, LEN, 7);
	self->pid = victim(self->shared, run_exporter);
	self->desc = desc_read(&self->shared->desc);
	ASSERT_EQ(0, importer_open(&self->importer));
	ASSERT_TRUE(import_in_time(&self->importer, &self->desc));
}

FIXTURE_TEARDOWN(exports)
{
	bury(self->shared, self->pid);
	importer_close(&self->importer);
}

static doca_error_t read_at(FIXTURE_DATA(exports) *self, size_t at, size_t len)
{
	struct importer *importer = &self->importer;

	return bed_copy(&importer->bed, importer->imported, self->theirs + at, importer->local,
			importer->mem + at, len);
}

static doca_error_t read_them(FIXTURE_DATA(exports) *self, size_t len)
{
	return read_at(self, 0, len);
}

static doca_error_t write_them(FIXTURE_DATA(exports) *self, size_t len)
{
	struct importer *importer = &self->importer;

	return bed_copy(&importer->bed, importer->local, importer->mem, importer->imported,
			self->theirs, len);
}

/* One byte, sizes around a slot and around a step, and everything; nothing beyond it. */
TEST_F(exports, every_size_is_read_and_written)
{
	static const size_t sizes[] = { 1,	63,	 64,	4095,  65535,
					65536,	65537,	 262143, 262145, 2097153,
					LEN - 1 };
	struct bed *bed = &self->importer.bed;
	char *mem = self->importer.mem;
	unsigned int n = 0;
	size_t i, len;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		len = sizes[i];
		memset(mem, 0x55, LEN);
		ASSERT_OK(read_them(self, len));
		ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == n + 1));
		ASSERT_EQ(0, memcmp(mem, self->theirs, len));
		ASSERT_EQ(0x55, mem[len]);

		bed_fill(mem, LEN, 100 + i);
		self->theirs[len] = 0x66;
		ASSERT_OK(write_them(self, len));
		ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == n + 2));
		ASSERT_EQ(0, memcmp(mem, self->theirs, len));
		ASSERT_EQ(0x66, self->theirs[len]);
		n += 2;
	}
	EXPECT_EQ(0, bed->failed);
}

/* More pieces than there are slots, for tasks that are all in flight. */
TEST_F(exports, many_are_under_way)
{
	struct bed *bed = &self->importer.bed;
	unsigned int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(read_at(self, i * (LEN / BED_TASKS), LEN / BED_TASKS));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == BED_TASKS));
	EXPECT_EQ(0, memcmp(self->importer.mem, self->theirs, LEN));
}

static struct doca_buf *list_of(struct bed *bed, struct doca_mmap *mmap, char *mem, bool source,
				size_t len)
{
	struct doca_buf *list = NULL, *buf;
	int i;

	for (i = 0; i < 64; i++) {
		char *at = mem + i * 2 * len;

		if (source ? doca_buf_inventory_buf_get_by_data(bed->inv, mmap, at, len, &buf) :
			     doca_buf_inventory_buf_get_by_addr(bed->inv, mmap, at, len, &buf))
			return NULL;
		if (!list)
			list = buf;
		else if (doca_buf_chain_list(list, buf))
			return NULL;
	}
	return list;
}

TEST_F(exports, lists_of_64_segments)
{
	const size_t len = 1001;
	struct importer *importer = &self->importer;
	struct bed *bed = &importer->bed;
	struct doca_buf *src = list_of(bed, importer->imported, self->theirs, true, len);
	struct doca_buf *dst = list_of(bed, importer->local, importer->mem, false, len);
	struct doca_dma_task_memcpy *task;
	int i;

	ASSERT_NE(NULL, src);
	ASSERT_NE(NULL, dst);
	memset(importer->mem, 0x55, LEN);
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(bed->dma, src, dst, (union doca_data){}, &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
	for (i = 0; i < 64; i++) {
		char *mine = importer->mem + i * 2 * len;

		ASSERT_EQ(0, memcmp(mine, self->theirs + i * 2 * len, len));
		ASSERT_EQ(0x55, mine[len]);
	}
}

/* Neither side is in this process. */
TEST_F(exports, from_them_to_them_is_refused)
{
	struct importer *importer = &self->importer;
	struct bed *bed = &importer->bed;

	ASSERT_OK(bed_copy(bed, importer->imported, self->theirs, importer->imported,
			   self->theirs + LEN / 2, 4096));
	ASSERT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_ERR(NOT_SUPPORTED, bed->status);
}

/* The documents do not promise that a program asks for a wake-up after its submission. */
static void sleep_until_there_is_an_answer(struct __test_metadata *_metadata,
					   FIXTURE_DATA(exports) *self, bool ask_before)
{
	struct bed *bed = &self->importer.bed;
	struct pollfd pfd = { .events = POLLIN };
	doca_event_handle_t handle;
	unsigned int i;

	ASSERT_OK(doca_pe_get_notification_handle(bed->pe, &handle));
	pfd.fd = handle;
	for (i = 0; i < rounds(200); i++) {
		if (ask_before)
			ASSERT_OK(doca_pe_request_notification(bed->pe));
		ASSERT_OK(read_them(self, i % 2 ? 1 << 20 : 64));
		if (!ask_before)
			ASSERT_OK(doca_pe_request_notification(bed->pe));
		while (bed->succeeded == i) {
			ASSERT_EQ(1, poll(&pfd, 1, patiently(25) * 1000));
			ASSERT_OK(doca_pe_clear_notification(bed->pe, handle));
			while (doca_pe_progress(bed->pe))
				;
			ASSERT_OK(doca_pe_request_notification(bed->pe));
		}
		ASSERT_OK(doca_pe_clear_notification(bed->pe, handle));
	}
}

TEST_F(exports, a_program_may_sleep_until_there_is_an_answer)
{
	sleep_until_there_is_an_answer(_metadata, self, false);
}

TEST_F(exports, a_program_may_ask_to_be_woken_before_it_submits)
{
	sleep_until_there_is_an_answer(_metadata, self, true);
}

/* Tasks stay in flight, a stop cancels them, and the exporter may safely continue. */
TEST_F(exports, a_stopped_exporter_does_not_keep_us)
{
	struct bed *bed = &self->importer.bed;
	int i;

	stop(self->pid);
	ASSERT_OK(read_them(self, LEN));
	ASSERT_OK(write_them(self, 64));
	for (i = 0; i < 100; i++)
		doca_pe_progress(bed->pe);
	EXPECT_EQ(2, bed_inflight(bed));
	doca_ctx_stop(bed->ctx);
	EXPECT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_EQ(2, bed->failed);
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	/* Pieces in flight come back, and the connection continues. */
	ASSERT_OK(doca_ctx_start(bed->ctx));
	bed_fill(self->theirs, LEN, 23);
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
	EXPECT_EQ(0, memcmp(self->importer.mem, self->theirs, LEN));
}

/*
 * When the exporter's stop has returned, its memory is neither read nor written. The last
 * answer comes after everything before it was done.
 */
TEST_F(exports, nothing_moves_behind_a_revocation)
{
	struct bed *bed = &self->importer.bed;
	struct doca_sync_event *event;
	uint64_t value;

	ASSERT_OK(doca_sync_event_create_from_export(self->importer.dev, self->desc.event_bytes,
						     self->desc.event_len, &event));
	ASSERT_OK(doca_sync_event_start(event));
	bed->resubmit = true;
	bed_fill(self->importer.mem, LEN, 1);
	ASSERT_OK(write_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded > 3));
	store(&self->shared->left, 1);
	ASSERT_TRUE(BED_UNTIL(bed, load(&self->shared->right)));
	memset(self->theirs, 0x77, LEN);
	ASSERT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_ERR(IO_FAILED, bed->status);
	EXPECT_OK(doca_sync_event_update_add(event, 1, &value));
	EXPECT_EQ(0x77, self->theirs[0]);
	EXPECT_EQ(0, memcmp(self->theirs, self->theirs + 1, LEN - 1));
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
}

/* Other imports from the same process continue. */
TEST_F(exports, an_import_may_end_without_the_others)
{
	struct importer *importer = &self->importer;
	struct bed *bed = &importer->bed;
	struct doca_mmap *again[64];
	int i;

	for (i = 0; i < 64; i++)
		ASSERT_OK(importer_import(importer, &self->desc, &again[i]));
	for (i = 0; i < 63; i++)
		ASSERT_OK(doca_mmap_destroy(again[i]));
	ASSERT_OK(bed_copy(bed, again[63], self->theirs, importer->local, importer->mem, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 1));
	EXPECT_EQ(0, memcmp(importer->mem, self->theirs, LEN));
	ASSERT_OK(doca_mmap_destroy(again[63]));
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(bed, bed->succeeded == 2));
}

/* A released import makes room, even if the exporter had ended it by itself. */
TEST_F(exports, one_importer_has_1024)
{
	static struct doca_mmap *more[1023];
	struct importer *importer = &self->importer;
	struct doca_mmap *again;
	int i;

	for (i = 0; i < 1023; i++)
		ASSERT_OK(importer_import(importer, &self->desc, &more[i]));
	EXPECT_ERR(NO_MEMORY, importer_import(importer, &self->desc, &again));
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(&importer->bed, importer->bed.succeeded == 1));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
	/* The exporter learns of it a moment later. */
	for (i = 0; i < 1023; i++)
		ASSERT_TRUE(AWAIT(!importer_import(importer, &self->desc, &more[i])));
	store(&self->shared->left, 1);
	ASSERT_TRUE(AWAIT(load(&self->shared->right)));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
}

static int import_and_copy(void *arg)
{
	struct shared *shared = arg;
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	int i;

	if (importer_open(&self) || !import_in_time(&self, &desc))
		return 1;
	for (i = 0; i < 4; i++)
		if (bed_copy(&self.bed, self.imported, desc.addr, self.local, self.mem, LEN))
			return 2;
	if (!BED_UNTIL(&self.bed, self.bed.succeeded == 4))
		return 3;
	return !!memcmp(self.mem, desc.addr, LEN);
}

/* Nobody sees a value twice, and each sees its own values grow. */
#define ADDITIONS 1000

static int add(void *arg)
{
	struct shared *shared = arg;
	struct desc desc = desc_read(&shared->desc);
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_sync_event *event;
	uint64_t before, last = 0;
	unsigned int i;

	if (!dev ||
	    !AWAIT(!doca_sync_event_create_from_export(dev, desc.event_bytes, desc.event_len,
						       &event)) ||
	    doca_sync_event_start(event))
		return 1;
	for (i = 0; i < rounds(ADDITIONS); i++) {
		if (doca_sync_event_update_add(event, 1, &before))
			return 2;
		if (i && before <= last)
			return 3;
		last = before;
	}
	return doca_sync_event_stop(event) || doca_sync_event_destroy(event) ? 4 : 0;
}

static void at_once(struct __test_metadata *_metadata, int nr, int (*run)(void *),
		    struct shared *shared)
{
	pid_t pids[8];
	int i;

	for (i = 0; i < nr; i++) {
		pids[i] = quiet_fork();
		if (!pids[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(run(shared));
		}
	}
	for (i = 0; i < nr; i++)
		EXPECT_EQ(0, bed_wait(pids[i]));
}

TEST_F(exports, eight_importers_at_once)
{
	at_once(_metadata, 8, import_and_copy, self->shared);
}

TEST_F_TIMEOUT(exports, additions_of_several_processes_sum_up, 120)
{
	struct doca_sync_event *event;
	uint64_t value;

	at_once(_metadata, 4, add, self->shared);
	ASSERT_TRUE(AWAIT(!doca_sync_event_create_from_export(self->importer.dev,
							      self->desc.event_bytes,
							      self->desc.event_len, &event)));
	ASSERT_OK(doca_sync_event_start(event));
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(4 * rounds(ADDITIONS), value);
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
}

/* All waits end with the value; a wait beyond the limit fails. */
TEST_F(exports, as_many_wait_as_there_is_room_for)
{
	struct importer *importer = &self->importer;
	struct doca_sync_event *setter;
	unsigned int i;

	ASSERT_EQ(0, importer_watch(importer, &self->desc, WAITS + 1));
	ASSERT_OK(doca_sync_event_create_from_export(importer->dev, self->desc.event_bytes,
						     self->desc.event_len, &setter));
	ASSERT_OK(doca_sync_event_start(setter));
	for (i = 0; i < WAITS; i++)
		ASSERT_OK(importer_wait(importer, i % 2));
	ASSERT_TRUE(importer_waits_have_begun(importer));
	EXPECT_EQ(0, importer->waits_ended);
	ASSERT_OK(doca_sync_event_update_set(setter, 2));
	EXPECT_TRUE(BED_UNTIL(&importer->bed, importer->waits_ended == WAITS));
	EXPECT_EQ(0, importer->waits_failed);
	for (i = 0; i < WAITS + 1; i++)
		ASSERT_OK(importer_wait(importer, 2));
	EXPECT_TRUE(BED_UNTIL(&importer->bed, is_idle(importer->ctx)));
	EXPECT_LT(0, importer->waits_failed);
	EXPECT_OK(doca_sync_event_stop(setter));
	EXPECT_OK(doca_sync_event_destroy(setter));
}

TEST_HARNESS_MAIN
