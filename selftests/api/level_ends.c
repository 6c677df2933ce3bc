// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Two processes at level 1.3: what one exports the other one imports (6.1 of DOCA 1.3's
 * guide); and what ends under a program that has jobs in flight, its exporter or its
 * device: each job has its event, and all can be destroyed.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "kselftest_harness.h"
#include "../lib/skip.h"

#include "files.h"
#include "level.h"
#include "pins.h"
#include "quiet_fork.h"

#define LEN (1 << 20)
#define DEPTH 32
#define MAX_JOBS 100000

/* What an export is: a text, and the range that it says. */
struct desc {
	char text[1001];
	size_t len;
	uint64_t addr;
};

struct exporter {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct held held;
	char *mem;
};

static bool export_memory(struct exporter *exporter, struct desc *desc)
{
	void *text;

	exporter->dev = level_open_dev();
	exporter->held = held_by(getpid());
	exporter->mem = level_alloc(LEN);
	level_fill(exporter->mem, LEN, 5);
	if (!exporter->dev ||
	    level_mmap(exporter->dev, exporter->mem, LEN, &exporter->mmap) ||
	    doca_mmap_export(exporter->mmap, exporter->dev, &text, &desc->len))
		return false;
	if (desc->len > sizeof(desc->text))
		return false;
	desc->addr = (uintptr_t)exporter->mem;
	memcpy(desc->text, text, desc->len);
	free(text);
	return true;
}

static bool is_reversed(const char *mem, const char *of, size_t len)
{
	size_t i;

	for (i = 0; i < len && mem[i] == of[len - 1 - i]; i++)
		;
	return i == len;
}

/* What was in the first half has come back to the second, the wrong way round. */
static bool end_export(struct exporter *exporter)
{
	return is_reversed(exporter->mem + LEN / 2, exporter->mem, LEN / 2) &&
	       !doca_mmap_destroy(exporter->mmap) &&
	       held_settle(getpid(), exporter->held) &&
	       !doca_dev_close(exporter->dev);
}

/* In a child, which sends its export and waits for a byte, or to be killed. */
static void run_exporter(int fd)
{
	struct exporter exporter;
	struct desc desc = {};
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!export_memory(&exporter, &desc))
		_exit(1);
	if (send(fd, &desc.addr, sizeof(desc.addr), 0) != sizeof(desc.addr) ||
	    send(fd, desc.text, strlen(desc.text) + 1, 0) !=
		    (ssize_t)strlen(desc.text) + 1)
		_exit(2);
	if (recv(fd, &c, 1, 0) != 1)
		_exit(3);
	_exit(end_export(&exporter) ? 0 : 4);
}

FIXTURE(ends)
{
	struct doca_mmap *local, *import;
	struct desc desc;
	struct level lv;
	struct held held;
	char *mem;
	long pins;
	pid_t pid;
	int fd;
};

static bool start_exporter(FIXTURE_DATA(ends) *self)
{
	ssize_t len;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds))
		return false;
	self->pid = quiet_fork();
	if (!self->pid)
		run_exporter(fds[1]);
	close(fds[1]);
	self->fd = fds[0];
	if (recv(self->fd, &self->desc.addr, sizeof(self->desc.addr), 0) !=
	    sizeof(self->desc.addr))
		return false;
	len = recv(self->fd, self->desc.text, sizeof(self->desc.text), 0);
	self->desc.len = len;
	return len > 0;
}

/* A number that the module says; in a process the driver says none. */
#define ASSERT_HELD(number, held) \
	ASSERT_EQ(bed_in_process() ? -1 : (number), held)

FIXTURE_SETUP(ends)
{
	struct doca_dev *dev;
	bool exported;

	self->pins = pins_held();
	exported = start_exporter(self);
	dev = level_open_dev();
	if (!dev)
		SKIP_SETUP("no device");
	ASSERT_TRUE(exported);
	self->held = held_by(getpid());
	ASSERT_HELD(0, self->held.pinned);
	self->mem = level_alloc(LEN);
	ASSERT_OK(level_mmap(dev, self->mem, LEN, &self->local));
	ASSERT_OK(doca_mmap_create_from_export(
		"import", self->desc.text, self->desc.len, dev, &self->import));
	ASSERT_OK(level_create(&self->lv, dev, DEPTH, 2));
	ASSERT_HELD(LEN, held_by(getpid()).pinned);
	ASSERT_HELD(2, held_by(getpid()).mappings);
	ASSERT_HELD(1, held_by(getpid()).queues);
	ASSERT_HELD(LEN, held_by(self->pid).pinned);
	ASSERT_HELD(1, held_by(self->pid).exports);
}

FIXTURE_TEARDOWN(ends)
{
	EXPECT_OK(level_destroy(&self->lv));
	EXPECT_OK(doca_mmap_destroy(self->import));
	EXPECT_OK(doca_mmap_destroy(self->local));
	EXPECT_TRUE(held_settle(getpid(), self->held));
	EXPECT_OK(doca_dev_close(self->lv.dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
	close(self->fd);
	munmap(self->mem, LEN);
}

static struct doca_buf *take(FIXTURE_DATA(ends) *self, struct doca_mmap *mmap,
			     void *addr, size_t len)
{
	struct doca_buf *buf;

	return doca_buf_inventory_buf_by_addr(self->lv.inv, mmap, addr, len,
					      &buf) ?
		       NULL :
		       buf;
}

/* One job; what it has said, or why it was not executed. */
static doca_error_t copy(FIXTURE_DATA(ends) *self, struct doca_buf *src,
			 struct doca_buf *dst, size_t len)
{
	struct doca_event ev;
	doca_error_t ret = level_submit(&self->lv, src, dst, len, 1);

	DOCA_ERROR_PROPAGATE(ret, level_retrieve(&self->lv, &ev));
	return ret == DOCA_SUCCESS ? (doca_error_t)ev.result.u64 : ret;
}

TEST_F(ends, exported_there_imported_here)
{
	char *theirs = (char *)(uintptr_t)self->desc.addr, *half, c;
	struct doca_buf *src, *dst;
	int i, status;

	half = level_alloc(LEN / 2);
	level_fill(half, LEN / 2, 5);
	src = take(self, self->import, theirs, LEN / 2);
	dst = take(self, self->local, self->mem, LEN / 2);
	EXPECT_OK(copy(self, src, dst, LEN / 2));
	EXPECT_EQ(0, memcmp(self->mem, half, LEN / 2));
	EXPECT_OK(doca_buf_refcount_rm(src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(dst, NULL));

	for (i = 0; i < LEN / 2; i++)
		self->mem[LEN - 1 - i] = half[i];
	src = take(self, self->local, self->mem + LEN / 2, LEN / 2);
	dst = take(self, self->import, theirs + LEN / 2, LEN / 2);
	EXPECT_OK(copy(self, src, dst, LEN / 2));
	EXPECT_OK(doca_buf_refcount_rm(src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(dst, NULL));
	ASSERT_EQ(1, send(self->fd, "", 1, 0));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(0, status);
	/* It has ended; the import is good for nothing, and can be destroyed. */
	EXPECT_EQ(0, recv(self->fd, &c, 1, 0));
	munmap(half, LEN / 2);
}

/* Jobs from a work queue to a context. */
struct way {
	struct doca_ctx *ctx;
	struct doca_buf *src, *dst;
	size_t len;
};

/* Jobs that were numbered through, each one the next way, and their events. */
struct tally {
	struct level *lv;
	struct way ways[2]; /* jobs of the second one never fail */
	unsigned int nr_ways;
	uint64_t submitted;
	unsigned int good, failed;
	bool good_after_failed, wrong;
	doca_error_t error; /* of the first that failed */
	uint8_t seen[MAX_JOBS]; /* each one once */
};

static struct tally *tally_create(struct level *lv, struct doca_buf *src,
				  struct doca_buf *dst)
{
	struct tally *tally = calloc(1, sizeof(*tally));

	tally->lv = lv;
	tally->nr_ways = 1;
	tally->ways[0] = (struct way){ lv->ctx, src, dst, LEN };
	return tally;
}

static doca_error_t tally_submit(struct tally *tally)
{
	struct way *way = &tally->ways[tally->submitted % tally->nr_ways];
	struct level lv = { .workq = tally->lv->workq, .ctx = way->ctx };
	doca_error_t ret = level_submit(&lv, way->src, way->dst, way->len,
					tally->submitted);

	if (ret == DOCA_SUCCESS)
		tally->submitted++;
	return ret;
}

static void tally_event(struct tally *tally, const struct doca_event *ev)
{
	uint64_t i = ev->user_data.u64;
	bool second = i % tally->nr_ways;

	if (i >= tally->submitted || tally->seen[i]++ ||
	    (second && ev->result.u64))
		tally->wrong = true;
	if (!ev->result.u64) {
		tally->good++;
		tally->good_after_failed |= tally->failed && !second;
		return;
	}
	if (!tally->failed++)
		tally->error = ev->result.u64;
}

/* All that were submitted have one. */
static bool tally_settle(struct tally *tally)
{
	struct doca_event ev;

	while (tally->good + tally->failed < tally->submitted) {
		if (level_retrieve(tally->lv, &ev))
			return false;
		tally_event(tally, &ev);
	}
	return !tally->wrong &&
	       doca_workq_progress_retrieve(tally->lv->workq, &ev, 0) ==
		       DOCA_ERROR_AGAIN;
}

/* Until one fails, as many as the work queue takes. */
static bool tally_until_failed(struct tally *tally)
{
	struct doca_event ev;
	doca_error_t ret;

	while (!tally->failed && tally->submitted < MAX_JOBS) {
		ret = tally_submit(tally);
		if (ret == DOCA_SUCCESS)
			continue;
		if (ret != DOCA_ERROR_NO_MEMORY ||
		    level_retrieve(tally->lv, &ev))
			break;
		tally_event(tally, &ev);
	}
	return tally->failed;
}

TEST_F_TIMEOUT(ends, death_of_the_exporter, 120)
{
	struct doca_buf *src, *dst;
	struct tally *tally;
	int i;

	src = take(self, self->import, (void *)(uintptr_t)self->desc.addr, LEN);
	dst = take(self, self->local, self->mem, LEN);
	tally = tally_create(&self->lv, src, dst);
	for (i = 0; i < DEPTH; i++)
		ASSERT_OK(tally_submit(tally));
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, NULL, 0));
	EXPECT_TRUE(tally_until_failed(tally));
	EXPECT_TRUE(tally_settle(tally));
	/* Those behind the first have failed, too, for all are of that memory. */
	EXPECT_FALSE(tally->good_after_failed);
	EXPECT_EQ(DOCA_ERROR_IO_FAILED, tally->error);
	TH_LOG("%u jobs were done, %u failed", tally->good, tally->failed);
	EXPECT_EQ(DOCA_ERROR_IO_FAILED, copy(self, src, dst, LEN));
	EXPECT_OK(doca_buf_refcount_rm(src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(dst, NULL));
	/* The context goes on. */
	src = take(self, self->local, self->mem, 4096);
	dst = take(self, self->local, self->mem + LEN / 2, 4096);
	EXPECT_OK(copy(self, src, dst, 4096));
	EXPECT_EQ(0, memcmp(self->mem, self->mem + LEN / 2, 4096));
	EXPECT_OK(doca_buf_refcount_rm(src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(dst, NULL));
	free(tally);
}

static int shell(const char *command)
{
	int rc = system(command);

	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

#define PLUG                                                         \
	"rdma link show rxe0/1 >/dev/null 2>&1 || "                  \
	"rdma link add rxe0 type rxe netdev "                        \
	"$(ls -d /sys/bus/pci/devices/0000:03:00.0/virtio*/net/* | " \
	"xargs -n1 basename)"

FIXTURE(removal)
{
	struct doca_mmap *mmap;
	struct doca_buf *src, *dst;
	struct level lv;
	char *mem;
	long pins;
};

FIXTURE_SETUP(removal)
{
	struct doca_dev *dev;

	self->pins = pins_held();
	dev = level_open_named("rxe0");
	if (!dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	self->mem = level_alloc(2 * LEN);
	ASSERT_OK(level_mmap(dev, self->mem, 2 * LEN, &self->mmap));
	ASSERT_OK(level_create(&self->lv, dev, DEPTH, 2));
	ASSERT_OK(doca_buf_inventory_buf_by_addr(self->lv.inv, self->mmap,
						 self->mem, LEN, &self->src));
	ASSERT_OK(doca_buf_inventory_buf_by_addr(
		self->lv.inv, self->mmap, self->mem + LEN, LEN, &self->dst));
}

FIXTURE_TEARDOWN(removal)
{
	EXPECT_OK(doca_buf_refcount_rm(self->src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(self->dst, NULL));
	EXPECT_OK(level_destroy(&self->lv));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->lv.dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
	munmap(self->mem, 2 * LEN);
	/* As it was, for the next test; it is the first interface's. */
	EXPECT_EQ(0, shell(PLUG));
}

/* Of rxe0, while jobs are submitted as fast as the work queue takes them. */
static bool tally_removal(struct tally *tally)
{
	pid_t pid = quiet_fork();
	int status;

	if (!pid) {
		usleep(300000);
		_exit(shell("rdma link delete rxe0"));
	}
	return tally_until_failed(tally) && tally_settle(tally) &&
	       waitpid(pid, &status, 0) == pid && !status &&
	       tally->error == DOCA_ERROR_SHUTDOWN && !tally->good_after_failed;
}

TEST_F_TIMEOUT(removal, with_jobs_in_flight, 120)
{
	struct tally *tally = tally_create(&self->lv, self->src, self->dst);

	EXPECT_TRUE(tally_removal(tally));
	TH_LOG("%u jobs were done, %u failed", tally->good, tally->failed);
	EXPECT_ERR(BAD_STATE, tally_submit(tally));
	free(tally);
}

/* A context of another device, with the same work queue, goes on. */
TEST_F_TIMEOUT(removal, of_one_device_of_two, 120)
{
	struct tally *tally = tally_create(&self->lv, self->src, self->dst);
	struct doca_dev *dev = level_open_dev();
	struct way *way = &tally->ways[1];
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_dma *dma;
	char *from = self->mem, *to = self->mem + LEN;
	int i;

	ASSERT_OK(level_mmap(dev, self->mem, 2 * LEN, &mmap));
	ASSERT_OK(doca_buf_inventory_create(NULL, 2, 0, &inv));
	ASSERT_OK(doca_buf_inventory_start(inv));
	ASSERT_OK(doca_dma_create(&dma));
	*way = (struct way){ .ctx = doca_dma_as_ctx(dma), .len = 4096 };
	ASSERT_OK(doca_ctx_dev_add(way->ctx, dev));
	ASSERT_OK(doca_ctx_start(way->ctx));
	ASSERT_OK(doca_ctx_workq_add(way->ctx, self->lv.workq));
	ASSERT_OK(doca_buf_inventory_buf_by_addr(inv, mmap, from, 4096,
						 &way->src));
	ASSERT_OK(
		doca_buf_inventory_buf_by_addr(inv, mmap, to, 4096, &way->dst));
	tally->nr_ways = 2;

	EXPECT_TRUE(tally_removal(tally));
	TH_LOG("%u jobs were done, %u failed", tally->good, tally->failed);
	tally->nr_ways = 1;
	EXPECT_ERR(BAD_STATE, tally_submit(tally));
	tally->ways[0] = *way;
	for (i = 0; i < DEPTH; i++)
		EXPECT_OK(tally_submit(tally));
	i = tally->failed;
	EXPECT_TRUE(tally_settle(tally));
	EXPECT_EQ(i, tally->failed);

	EXPECT_OK(doca_buf_refcount_rm(way->src, NULL));
	EXPECT_OK(doca_buf_refcount_rm(way->dst, NULL));
	EXPECT_OK(doca_ctx_workq_rm(way->ctx, self->lv.workq));
	EXPECT_OK(doca_ctx_stop(way->ctx));
	EXPECT_OK(doca_ctx_dev_rm(way->ctx, dev));
	EXPECT_OK(doca_dma_destroy(dma));
	EXPECT_OK(doca_buf_inventory_destroy(inv));
	EXPECT_OK(doca_mmap_destroy(mmap));
	EXPECT_OK(doca_dev_close(dev));
	free(tally);
}

TEST_HARNESS_MAIN
