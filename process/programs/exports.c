// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory of another process: what is copied from and to it, of every size and in lists,
 * by several at a time, and with one of the two stopped, killed or told to let go.
 */
#include <poll.h>

#include "bed.h"

#define LEN (8 << 20)

struct desc {
	size_t len;
	char bytes[512];
	char *mem;
};

/* What the exporter has from the test's process, and whether it is to stop exporting. */
struct shared {
	struct desc desc;
	volatile int stop;
	volatile int stopped;
};

static int exporter(struct shared *shared, char *mem, uint32_t access)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *exported;
	const void *bytes;

	if (!dev || bed_mmap(mem, LEN, access, dev, NULL, &exported) ||
	    doca_mmap_export_pci(exported, dev, &bytes, &shared->desc.len))
		return 1;
	memcpy(shared->desc.bytes, bytes, shared->desc.len);
	__atomic_store_n(&shared->desc.mem, mem, __ATOMIC_RELEASE);
	while (!shared->stop)
		usleep(1000);
	if (doca_mmap_stop(exported))
		return 2;
	shared->stopped = 1;
	for (;;)
		pause();
}

FIXTURE(exports)
{
	struct shared *shared;
	pid_t pid;
	char *theirs; /* shared with the exporter, so that the test sees it */
	char *mem;
	struct doca_dev *dev;
	struct doca_mmap *local, *imported;
	struct bed bed;
	bool stopped;
};

static void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

FIXTURE_SETUP(exports)
{
	double end = bed_now() + 10;

	self->shared = map(sizeof(*self->shared));
	self->theirs = map(LEN);
	self->mem = map(LEN);
	bed_fill(self->theirs, LEN, 7);
	self->pid = quiet_fork();
	if (!self->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(exporter(self->shared, self->theirs,
			       DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	}
	while (!__atomic_load_n(&self->shared->desc.mem, __ATOMIC_ACQUIRE) &&
	       bed_now() < end)
		usleep(1000);
	self->dev = bed_open_dev(NULL);
	ASSERT_NE(NULL, self->dev);
	ASSERT_OK(bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   self->dev, NULL, &self->local));
	ASSERT_OK(doca_mmap_create_from_export(NULL, self->shared->desc.bytes,
					       self->shared->desc.len,
					       self->dev, &self->imported));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(exports)
{
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	doca_ctx_stop(self->bed.ctx);
	EXPECT_TRUE(BED_UNTIL(&self->bed, bed_state_of(&self->bed) ==
						  DOCA_CTX_STATE_IDLE));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->imported));
	EXPECT_OK(doca_mmap_destroy(self->local));
	EXPECT_OK(doca_dev_close(self->dev));
}

static doca_error_t read_them(FIXTURE_DATA(exports) *self, size_t len)
{
	return bed_copy(&self->bed, self->imported, self->theirs, self->local,
			self->mem, len);
}

static doca_error_t write_them(FIXTURE_DATA(exports) *self, size_t len)
{
	return bed_copy(&self->bed, self->local, self->mem, self->imported,
			self->theirs, len);
}

/* One byte, around a slot, around what a step moves, and all of it; nothing beyond. */
TEST_F(exports, every_size_is_read_and_written)
{
	static const size_t sizes[] = { 1,	63,	 64,	4095,  65535,
					65536,	65537,	 262143, 262145, 2097153,
					LEN - 1 };
	size_t i, len;
	unsigned int n = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		len = sizes[i];
		memset(self->mem, 0x55, LEN);
		ASSERT_OK(read_them(self, len));
		ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == n + 1));
		ASSERT_EQ(0, memcmp(self->mem, self->theirs, len));
		ASSERT_EQ(0x55, self->mem[len]);

		bed_fill(self->mem, LEN, 100 + i);
		self->theirs[len] = 0x66;
		ASSERT_OK(write_them(self, len));
		ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == n + 2));
		ASSERT_EQ(0, memcmp(self->mem, self->theirs, len));
		ASSERT_EQ(0x66, self->theirs[len]);
		n += 2;
	}
	EXPECT_EQ(0, self->bed.failed);
}

/* More pieces than there are slots, of tasks that are all under way. */
TEST_F(exports, many_are_under_way)
{
	unsigned int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(bed_copy(&self->bed, self->imported,
				   self->theirs + i * (LEN / BED_TASKS),
				   self->local,
				   self->mem + i * (LEN / BED_TASKS),
				   LEN / BED_TASKS));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == BED_TASKS));
	EXPECT_EQ(0, memcmp(self->mem, self->theirs, LEN));
}

static struct doca_buf *list_of(FIXTURE_DATA(exports) *self,
				struct doca_mmap *mmap, char *mem, bool source,
				size_t len)
{
	struct doca_buf *list = NULL, *buf;
	int i;

	for (i = 0; i < 64; i++) {
		char *at = mem + i * 2 * len;

		if (source ? doca_buf_inventory_buf_get_by_data(
				     self->bed.inv, mmap, at, len, &buf) :
			     doca_buf_inventory_buf_get_by_addr(
				     self->bed.inv, mmap, at, len, &buf))
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
	struct doca_buf *src = list_of(self, self->imported, self->theirs, true,
				       len);
	struct doca_buf *dst = list_of(self, self->local, self->mem, false,
				       len);
	struct doca_dma_task_memcpy *task;
	int i;

	ASSERT_NE(NULL, src);
	ASSERT_NE(NULL, dst);
	memset(self->mem, 0x55, LEN);
	ASSERT_OK(doca_dma_task_memcpy_alloc_init(
		self->bed.dma, src, dst, (union doca_data){}, &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	for (i = 0; i < 64; i++) {
		ASSERT_EQ(0, memcmp(self->mem + i * 2 * len,
				    self->theirs + i * 2 * len, len));
		ASSERT_EQ(0x55, self->mem[i * 2 * len + len]);
	}
}

/* Of which neither side is here. */
TEST_F(exports, from_them_to_them_is_refused)
{
	ASSERT_OK(bed_copy(&self->bed, self->imported, self->theirs,
			   self->imported, self->theirs + LEN / 2, 4096));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_ERR(NOT_SUPPORTED, self->bed.status);
}

TEST_F(exports, a_program_may_sleep_until_there_is_an_answer)
{
	doca_event_handle_t handle;
	struct pollfd pfd;
	int i;

	ASSERT_OK(doca_pe_get_notification_handle(self->bed.pe, &handle));
	pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
	for (i = 0; i < 200; i++) {
		ASSERT_OK(read_them(self, i % 2 ? LEN : 64));
		while (self->bed.succeeded == (unsigned int)i) {
			if (doca_pe_progress(self->bed.pe))
				continue;
			ASSERT_OK(doca_pe_request_notification(self->bed.pe));
			ASSERT_EQ(1, poll(&pfd, 1, 10000));
			ASSERT_OK(doca_pe_clear_notification(self->bed.pe,
							     handle));
		}
	}
}

/* The documents do not say that a program asks behind its submission. */
TEST_F(exports, a_program_may_ask_to_be_woken_before_it_submits)
{
	doca_event_handle_t handle;
	struct pollfd pfd;
	int i;

	ASSERT_OK(doca_pe_get_notification_handle(self->bed.pe, &handle));
	pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
	for (i = 0; i < 200; i++) {
		ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		ASSERT_OK(read_them(self, i % 2 ? LEN : 64));
		while (self->bed.succeeded == (unsigned int)i) {
			ASSERT_EQ(1, poll(&pfd, 1, 5000));
			ASSERT_OK(doca_pe_clear_notification(self->bed.pe,
							     handle));
			while (doca_pe_progress(self->bed.pe))
				;
			ASSERT_OK(doca_pe_request_notification(self->bed.pe));
		}
		ASSERT_OK(doca_pe_clear_notification(self->bed.pe, handle));
	}
}

/* Tasks stay in flight, a stop cancels them, and the exporter's going on harms nobody. */
TEST_F(exports, a_stopped_exporter_does_not_keep_us)
{
	double begin;

	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	ASSERT_EQ(self->pid, waitpid(self->pid, NULL, WUNTRACED));
	begin = bed_now();
	ASSERT_OK(read_them(self, LEN));
	ASSERT_OK(write_them(self, 64));
	EXPECT_LT(bed_now() - begin, 1);
	while (bed_now() - begin < 0.2)
		doca_pe_progress(self->bed.pe);
	EXPECT_EQ(2, bed_inflight(&self->bed));
	begin = bed_now();
	doca_ctx_stop(self->bed.ctx);
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_LT(bed_now() - begin, 1);
	EXPECT_EQ(2, self->bed.failed);
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	/* What was under way comes back, and the connection goes on. */
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	bed_fill(self->theirs, LEN, 23);
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_EQ(0, memcmp(self->mem, self->theirs, LEN));
}

/* Without the exporter an import ends, too, and says why. */
TEST_F(exports, a_stopped_exporter_answers_no_import)
{
	struct doca_mmap *again;

	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	ASSERT_EQ(self->pid, waitpid(self->pid, NULL, WUNTRACED));
	EXPECT_ERR(TIME_OUT, doca_mmap_create_from_export(
				     NULL, self->shared->desc.bytes,
				     self->shared->desc.len, self->dev,
				     &again));
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	ASSERT_OK(doca_mmap_create_from_export(NULL, self->shared->desc.bytes,
					       self->shared->desc.len,
					       self->dev, &again));
	EXPECT_OK(doca_mmap_destroy(again));
}

/* When the exporter's stop has returned, nothing of its memory is read or written. */
TEST_F(exports, nothing_moves_behind_a_revocation)
{
	self->bed.resubmit = true;
	bed_fill(self->mem, LEN, 1);
	ASSERT_OK(write_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded > 3));
	self->shared->stop = 1;
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->shared->stopped));
	memset(self->theirs, 0x77, LEN);
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	usleep(20000);
	EXPECT_ERR(IO_FAILED, self->bed.status);
	EXPECT_EQ(0x77, self->theirs[0]);
	EXPECT_EQ(0, memcmp(self->theirs, self->theirs + 1, LEN - 1));
}

/* What else is imported from the same process goes on. */
TEST_F(exports, an_import_may_end_without_the_others)
{
	struct doca_mmap *again[64];
	int i;

	for (i = 0; i < 64; i++)
		ASSERT_OK(doca_mmap_create_from_export(
			NULL, self->shared->desc.bytes, self->shared->desc.len,
			self->dev, &again[i]));
	for (i = 0; i < 63; i++)
		ASSERT_OK(doca_mmap_destroy(again[i]));
	ASSERT_OK(bed_copy(&self->bed, again[63], self->theirs, self->local,
			   self->mem, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	EXPECT_EQ(0, memcmp(self->mem, self->theirs, LEN));
	ASSERT_OK(doca_mmap_destroy(again[63]));
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 2));
}

/* What is given back makes room, also where the exporter had ended it by itself. */
TEST_F(exports, one_importer_has_1024)
{
	static struct doca_mmap *more[1024];
	double end = bed_now() + patiently(20);
	struct doca_mmap *again;
	doca_error_t rc;
	int i;

	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_create_from_export(
			NULL, self->shared->desc.bytes, self->shared->desc.len,
			self->dev, &more[i]));
	EXPECT_ERR(NO_MEMORY,
		   doca_mmap_create_from_export(NULL, self->shared->desc.bytes,
						self->shared->desc.len,
						self->dev, &again));
	ASSERT_OK(read_them(self, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == 1));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
	/* The exporter hears of it a moment later. */
	for (i = 0; i < 1023 && bed_now() < end; i += !rc)
		rc = doca_mmap_create_from_export(NULL,
						  self->shared->desc.bytes,
						  self->shared->desc.len,
						  self->dev, &more[i]);
	ASSERT_EQ(1023, i);
	self->shared->stop = 1;
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->shared->stopped));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
}

/* Two seconds may be too short for all at once where a machine is emulated. */
static doca_error_t import_in_time(const struct shared *shared,
				   struct doca_dev *dev, struct doca_mmap **imported)
{
	double end = bed_now() + patiently(5);
	doca_error_t rc;

	do
		rc = doca_mmap_create_from_export(NULL, shared->desc.bytes,
						  shared->desc.len, dev,
						  imported);
	while (rc == DOCA_ERROR_TIME_OUT && bed_now() < end);
	return rc;
}

static int import_and_copy(const struct shared *shared)
{
	struct doca_dev *dev = bed_open_dev(NULL);
	struct doca_mmap *local, *imported;
	char *mem = map(LEN);
	struct bed bed;
	int i;

	if (!dev ||
	    bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		     &local) ||
	    import_in_time(shared, dev, &imported) ||
	    bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx))
		return 1;
	for (i = 0; i < 4; i++)
		if (bed_copy(&bed, imported, shared->desc.mem, local, mem,
			     LEN))
			return 2;
	if (!BED_UNTIL(&bed, bed.succeeded == 4))
		return 3;
	return !!memcmp(mem, shared->desc.mem, LEN);
}

TEST_F(exports, eight_importers_at_once)
{
	pid_t pids[8];
	int i;

	for (i = 0; i < 8; i++) {
		pids[i] = quiet_fork();
		if (!pids[i])
			_exit(import_and_copy(self->shared));
	}
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, bed_wait(pids[i]));
}

TEST_HARNESS_MAIN
