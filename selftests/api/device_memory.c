// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The owners of device memory, on an RDMA device without any: DMA tasks use it by its
 * address; other processes import it; and the memory that a process leaves behind goes back
 * to the pool.
 */
#include <signal.h>
#include <sys/stat.h>

#include "device_memory.h"

/* Return a file that gets the libraries' log from now on. */
static FILE *log_begin(void)
{
	struct doca_log_backend *backend;
	FILE *log = tmpfile();

	return log && !doca_log_backend_create_with_file_sdk(log, &backend) ?
		       log :
		       NULL;
}

static bool is_logged(FILE *log, const char *words)
{
	static char text[4096];
	size_t n;

	fflush(log);
	rewind(log);
	n = fread(text, 1, sizeof(text) - 1, log);
	text[n] = '\0';
	if (!strstr(text, words))
		fprintf(stderr, "# no \"%s\" in: %s", words, text);
	return strstr(text, words);
}

/* Memory left behind by processes that have ended comes back in time. */
static bool becomes_whole(FIXTURE_DATA(dm) *self)
{
	double end = bed_now() + 10;

	while (bed_now() < end) {
		if (is_whole(self))
			return true;
		usleep(100000);
	}
	return false;
}

static doca_error_t copy(struct bed *bed, struct doca_dev *dev, void *from,
			 void *to, size_t n)
{
	struct doca_mmap *src, *dst;
	unsigned int done = bed->succeeded;
	doca_error_t rc;

	rc = bed_mmap(from, n, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		      &src);
	if (rc)
		return rc;
	rc = bed_mmap(to, n, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL,
		      &dst);
	if (!rc)
		rc = bed_copy(bed, src, from, dst, to, n);
	if (!rc && !BED_UNTIL(bed, bed->succeeded != done || bed->failed))
		rc = DOCA_ERROR_TIME_OUT;
	doca_mmap_destroy(src);
	doca_mmap_destroy(dst);
	return rc ? rc : bed->status;
}

TEST_F(dm, dma_tasks_reach_it)
{
	struct doca_dev *dev = bed_open_dev("rxe0");
	uint8_t *out = malloc(LEN);
	struct bed bed;

	ASSERT_NE(NULL, dev);
	ASSERT_OK(bed_create(&bed, dev, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	fill(self->host, LEN, 9);
	ASSERT_OK(copy(&bed, dev, self->host, self->a.addr, LEN));
	ASSERT_OK(copy(&bed, dev, self->a.addr, self->b.addr, LEN));
	ASSERT_OK(copy(&bed, dev, self->b.addr, out, LEN));
	EXPECT_EQ(0, memcmp(out, self->host, LEN));
	EXPECT_EQ(0, ibv_memcpy_from_dm(out, self->a.dm, 0, LEN));
	EXPECT_EQ(0, memcmp(out, self->host, LEN));
	doca_ctx_stop(bed.ctx);
	EXPECT_OK(bed_destroy(&bed));
	doca_dev_close(dev);
	free(out);
}

/* Copy in another process: by verbs, and by DMA. */
static int import_and_copy(void *arg)
{
	uint32_t handle = *(uint32_t *)arg;
	struct ibv_context *ctx = verbs_open("rxe0");
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct ibv_dm *dm = ctx ? ibv_import_dm(ctx, handle) : NULL;
	uint8_t *mine = malloc(LEN), *is = malloc(LEN);
	struct bed bed;
	void *addr;
	size_t len;

	if (!dm || !dev || open_doca_dm_get_addr(dm, &addr, &len) || len != LEN)
		return 1;
	if (bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx))
		return 2;
	fill(mine, LEN, 11);
	if (copy(&bed, dev, addr, is, LEN) || memcmp(is, mine, LEN))
		return 3;
	fill(mine, LEN, 12);
	if (copy(&bed, dev, mine, addr, LEN))
		return 4;
	ibv_unimport_dm(dm);
	return 0;
}

static int import_as_somebody(void *arg)
{
	FILE *log = log_begin();
	struct ibv_context *ctx;

	if (!log || setresuid(0, 54321, 0))
		return 1;
	ctx = verbs_open("rxe0");
	errno = 0;
	if (!ctx || ibv_import_dm(ctx, *(uint32_t *)arg))
		return 2;
	if (errno != EACCES)
		return 3;
	return is_logged(log, "on rxe0: another user's") ? 0 : 4;
}

TEST_F(dm, other_processes_import_it)
{
	uint8_t *mine = malloc(LEN);
	uint32_t handle = self->a.dm->handle;

	fill(self->a.addr, LEN, 11);
	EXPECT_EQ(0, bed_in_child(import_and_copy, &handle));
	fill(mine, LEN, 12);
	EXPECT_EQ(0, memcmp(mine, self->a.addr, LEN));
	/* A user that may open the driver still may not import another user's memory. */
	chmod("/dev/doca", 0666);
	EXPECT_EQ(0, bed_in_child(import_as_somebody, &handle));
	chmod("/dev/doca", 0660);
	errno = 0;
	EXPECT_EQ(NULL, ibv_import_dm(self->ctx, handle + 1000));
	EXPECT_EQ(ENOENT, errno);
	free(mine);
}

/* The log of a refusal says how much memory there is, and how many users it has. */
static int ask_for_all(void *arg)
{
	uint64_t pool = *(uint64_t *)arg;
	struct ibv_context *ctx = verbs_open("rxe0");
	FILE *log = log_begin();
	char words[256];

	errno = 0;
	if (!ctx || !log || alloc(ctx, pool) || errno != ENOMEM)
		return 1;
	snprintf(words, sizeof(words),
		 "%lu bytes on rxe0: of its %lu bytes %lu are free, "
		 "2 allocations have the rest; docactl dm show lists them",
		 pool, pool, pool - 2 * ROOM);
	return is_logged(log, words) ? 0 : 2;
}

TEST_F(dm, who_has_the_rest_is_told)
{
	EXPECT_EQ(0, bed_in_child(ask_for_all, &self->pool));
}

/* Take all of it, register a region, and be killed. */
static int take_all(void *arg)
{
	struct ibv_context *ctx = verbs_open("rxe0");
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	struct ibv_dm *dm = ctx ? alloc(ctx, *(uint64_t *)arg) : NULL;

	if (!dm || !ibv_reg_dm_mr(pd, dm, 0, *(uint64_t *)arg,
				  VERBS_ACCESS | IBV_ACCESS_ZERO_BASED))
		return 1;
	kill(getpid(), SIGKILL);
	return 2;
}

TEST_F(dm, the_killed_leave_nothing)
{
	uint64_t most = self->pool - 2 * ROOM;
	int i;

	ASSERT_EQ(0, ibv_dereg_mr(self->b.mr));
	ASSERT_EQ(0, ibv_free_dm(self->b.dm));
	ASSERT_EQ(0, ibv_dereg_mr(self->a.mr));
	ASSERT_EQ(0, ibv_free_dm(self->a.dm));
	for (i = 0; i < 5; i++)
		EXPECT_LT(128, bed_in_child(take_all, &most));
	EXPECT_TRUE(becomes_whole(self));
	ASSERT_TRUE(make_memory(self, &self->a));
	ASSERT_TRUE(make_memory(self, &self->b));
}

/* Children inherit none of it, whatever the kernel is told of its regions. */
static int touch(void *arg)
{
	return *(volatile uint8_t *)arg;
}

TEST_F(dm, fork_with_regions)
{
	struct ibv_mr *mr;

	mr = ibv_reg_dm_mr(self->pd, self->a.dm, 0, LEN,
			   VERBS_ACCESS | IBV_ACCESS_ZERO_BASED);
	ASSERT_NE(NULL, mr);
	EXPECT_LT(128, bed_in_child(touch, self->a.addr));
	prepare(self);
	EXPECT_EQ(0, request(&self->b, IBV_WR_RDMA_READ, 0, self->b.mr->lkey, 0,
			     mr->rkey, LEN));
	EXPECT_TRUE(only(self, self->b.addr, 0, LEN));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	prepare(self);
	EXPECT_EQ(0, request(&self->a, IBV_WR_RDMA_WRITE, 0, self->a.mr->lkey,
			     0, self->b.mr->rkey, LEN));
	EXPECT_TRUE(only(self, self->b.addr, 0, LEN));
}

/* Without permission there is no device memory, except in process. */
static int without_permission(void *arg)
{
	struct ibv_context *ctx;
	struct ibv_dm *dm;

	if (arg)
		setenv("DOCA_DRIVER", arg, 1);
	if (setresgid(54321, 54321, 54321) || setresuid(54321, 54321, 54321))
		return 1;
	ctx = verbs_open("rxe0");
	errno = 0;
	dm = ctx ? alloc(ctx, 100) : NULL;
	if (!arg || strcmp(arg, "process"))
		return dm || errno != EACCES || max_dm_size(ctx) ? 2 : 0;
	return dm && max_dm_size(ctx) ? 0 : 3;
}

TEST(who_may_not_open_the_driver)
{
	if (access("/dev/doca", F_OK) ||
	    access("/dev/infiniband/uverbs0", F_OK))
		SKIP(return, "needs the driver and an RDMA device");
	chmod("/dev/infiniband/uverbs0", 0666);
	chmod("/dev/infiniband/uverbs1", 0666);
	EXPECT_EQ(0, bed_in_child(without_permission, NULL));
	EXPECT_EQ(0, bed_in_child(without_permission, "auto"));
	EXPECT_EQ(0, bed_in_child(without_permission, "kernel"));
	EXPECT_EQ(0, bed_in_child(without_permission, "process"));
}

static bool add_rxe1(void)
{
	return !system("rdma link show rxe1/1 >/dev/null 2>&1 || "
		       "rdma link add rxe1 type rxe netdev eth1");
}

/* Close the program's files in the child: one of them would keep the device. */
static pid_t remove_rxe1(void)
{
	pid_t pid = fork();

	if (!pid) {
		execlp("rdma", "rdma", "link", "delete", "rxe1", NULL);
		_exit(127);
	}
	return pid;
}

static bool pool_goes(struct ibv_context *ctx)
{
	double end = bed_now() + 20;
	struct ibv_dm *dm;

	while (bed_now() < end) {
		errno = 0;
		dm = alloc(ctx, 4);
		if (!dm)
			return errno == ENODEV;
		ibv_free_dm(dm);
		usleep(10000);
	}
	return false;
}

/*
 * The pool of a removed device goes at once; memory that was allocated stays. Soft RoCE
 * takes no device from a program that has opened it: "rdma link delete" waits until the
 * program closes it, with or without device memory.
 */
TEST(removal_of_the_device)
{
	struct ibv_context *ctx = verbs_open("rxe1");
	uint32_t word = 77, back = 0;
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	struct ibv_pd *pd;
	pid_t pid;

	if (!ctx)
		SKIP(return, "needs an RDMA device rxe1");
	pd = ibv_alloc_pd(ctx);
	dm = alloc(ctx, LEN);
	ASSERT_NE(NULL, dm);
	mr = ibv_reg_dm_mr(pd, dm, 0, LEN,
			   VERBS_ACCESS | IBV_ACCESS_ZERO_BASED);
	ASSERT_NE(NULL, mr);
	pid = remove_rxe1();
	EXPECT_TRUE(pool_goes(ctx));
	EXPECT_EQ(NULL, ibv_import_dm(ctx, dm->handle));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	EXPECT_EQ(0, ibv_memcpy_to_dm(dm, LEN - 4, &word, 4));
	EXPECT_EQ(0, ibv_memcpy_from_dm(&back, dm, LEN - 4, 4));
	EXPECT_EQ(word, back);
	EXPECT_EQ(EBUSY, ibv_free_dm(dm));
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(0, ibv_free_dm(dm));
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
	EXPECT_EQ(0, ibv_close_device(ctx));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	/* A new device of the same name has a pool of its own. */
	ASSERT_TRUE(add_rxe1());
	ctx = verbs_open("rxe1");
	ASSERT_NE(NULL, ctx);
	dm = alloc(ctx, max_dm_size(ctx));
	EXPECT_NE(NULL, dm);
	EXPECT_EQ(0, dm ? ibv_free_dm(dm) : EINVAL);
	EXPECT_EQ(0, ibv_close_device(ctx));
}

TEST_HARNESS_MAIN
