// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Device memory on devices that have none, with memory of the process. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bed.h"
#include "in_child.h"

__attribute__((constructor)) static void begin(void)
{
	open_contexts();
}

TEST(the_size_is_told_of_devices_that_have_none)
{
	struct ibv_context *imported = ibv_import_device(77);
	struct ibv_device_attr_ex attr = {};
	char shorter[offsetof(struct ibv_device_attr_ex, max_dm_size)];

	EXPECT_EQ(ibv_query_device_ex(ctx, NULL, &attr), 0);
	EXPECT_EQ(attr.max_dm_size, POOL);
	EXPECT_EQ(attr.orig_attr.max_qp, 7);
	/* A program that does not know the field asks. */
	EXPECT_EQ(verbs_get_ctx(ctx)->query_device_ex(ctx, NULL, (void *)shorter, sizeof(shorter)),
		  0);
	ASSERT(imported);
	EXPECT_EQ(ibv_query_device_ex(imported, NULL, &attr), 0);
	EXPECT_EQ(attr.max_dm_size, POOL);
	EXPECT_EQ(ibv_close_device(imported), 0);
	EXPECT(!ibv_import_device(78));
}

TEST(a_device_with_memory_is_left_alone)
{
	struct ibv_context *owner = ibv_open_device(&fake_owner);
	struct ibv_context *old = ibv_open_device(&fake_old);
	struct ibv_device_attr_ex attr = {};
	struct ibv_dm *dm;
	void *addr;
	size_t len;

	EXPECT_EQ(ibv_query_device_ex(owner, NULL, &attr), 0);
	EXPECT_EQ(attr.max_dm_size, OWNER_SIZE);
	dm = alloc(owner, 1);
	ASSERT(dm);
	EXPECT_EQ(dm->handle, 4711);
	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, &len), EOPNOTSUPP);
	EXPECT_LOGGED("the device's own memory has no address");
	EXPECT_EQ(ibv_free_dm(dm), 0);
	EXPECT_NONE(ibv_import_dm(owner, 4711), EOPNOTSUPP);
	ibv_unimport_dm(dm);
	EXPECT_EQ(dm->handle, 0);
	EXPECT_EQ(ibv_close_device(owner), 0);
	EXPECT_NONE(alloc(old, 1), EOPNOTSUPP);
	EXPECT_EQ(ibv_close_device(old), 0);
}

TEST(bad_allocations_are_refused)
{
	struct ibv_alloc_dm_attr attr = { .length = 1, .comp_mask = 1 };

	EXPECT_NONE(alloc(ctx, 0), EINVAL);
	EXPECT_LOGGED("length is 0");
	EXPECT_NONE(alloc(ctx, POOL + 1), ENOMEM);
	EXPECT_LOGGED(
		"16777217 bytes on plain0: of its 16777216 bytes 16777216 are free, 0 allocations have the rest");
	EXPECT_NONE(alloc(ctx, SIZE_MAX), ENOMEM);
	EXPECT_LOGGED("are free");
	EXPECT_NONE(alloc_aligned(ctx, 1, 22), EINVAL);
	EXPECT_LOGGED("log_align_req 22: at most 21");
	EXPECT_NONE(alloc_aligned(ctx, 1, 1U << 31), EINVAL);
	EXPECT_LOGGED("log_align_req 2147483648");
	EXPECT_NONE(ibv_alloc_dm(ctx, &attr), EINVAL);
	EXPECT_LOGGED("comp_mask 0x1");
	expect_whole(ctx);
}

TEST(memory_is_aligned_zero_and_in_order)
{
	const uint32_t aligns[] = { 0, 3, 12, 13, 16, 21 };
	struct ibv_dm *dms[6];
	char *p;
	int i;

	for (i = 0; i < 6; i++) {
		dms[i] = alloc_aligned(ctx, 3 * PAGE + 1, aligns[i]);
		ASSERT(dms[i]);
		EXPECT(dms[i]->comp_mask & IBV_DM_MASK_HANDLE);
		p = addr_of(dms[i]);
		EXPECT_EQ((uintptr_t)p % (1UL << aligns[i]), 0);
		EXPECT_EQ((uintptr_t)p % PAGE, 0);
		EXPECT(!p[0] && !memcmp(p, p + 1, 3 * PAGE));
		memset(p, i + 1, 3 * PAGE + 1);
	}
	for (i = 0; i < 6; i++) {
		EXPECT_EQ(*addr_of(dms[i]), i + 1);
		EXPECT_EQ(ibv_free_dm(dms[i]), 0);
	}
	expect_whole(ctx);
}

TEST(each_device_has_its_own_pool_and_contexts_share_it)
{
	struct ibv_context *mine = ibv_open_device(&fake_plain);
	struct ibv_dm *half = alloc(mine, POOL / 2), *dm;

	ASSERT(half);
	EXPECT_NONE(alloc(again, POOL / 2 + 1), ENOMEM);
	EXPECT_LOGGED("8388608 are free, 1 allocations have the rest; all are of this process");
	dm = alloc(other, POOL);
	ASSERT(dm);
	EXPECT_EQ(ibv_free_dm(dm), 0);
	/* Allocations of a context end with it. */
	EXPECT_EQ(ibv_close_device(mine), 0);
	expect_whole(again);
}

TEST(copies_stay_within)
{
	const size_t sizes[] = { 4, 8, 12, 64, 4096, 10000 };
	struct ibv_dm *dm = alloc(ctx, 10000);
	static char in[10000], out[10000];
	const char *p;
	size_t i;

	ASSERT(dm);
	p = addr_of(dm);
	for (i = 0; i < sizeof(in); i++)
		in[i] = i * 7 + 1;
	for (i = 0; i < 6; i++) {
		size_t at = 10000 - sizes[i];

		EXPECT_EQ(ibv_memcpy_to_dm(dm, at, in, sizes[i]), 0);
		EXPECT(!memcmp(p + at, in, sizes[i]));
		memset(out, 0, sizeof(out));
		EXPECT_EQ(ibv_memcpy_from_dm(out, dm, at, sizes[i]), 0);
		EXPECT(!memcmp(out, in, sizes[i]));
		EXPECT_EQ(ibv_memcpy_to_dm(dm, at + 4, in, sizes[i]), EFAULT);
		EXPECT_LOGGED("ibv_memcpy_to_dm(): ");
		EXPECT_EQ(ibv_memcpy_from_dm(out, dm, at + 4, sizes[i]), EFAULT);
		EXPECT_LOGGED("are not within the memory's 10000");
	}
	EXPECT_EQ(p[10000], 0);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 2, in, 4), EINVAL);
	EXPECT_LOGGED("4 bytes at 2: both must be multiples of 4");
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 4, in, 3), EINVAL);
	EXPECT_LOGGED("3 bytes at 4: both must be");
	EXPECT_EQ(ibv_memcpy_from_dm(out, dm, 1, 4), EINVAL);
	EXPECT_LOGGED("ibv_memcpy_from_dm(): 4 bytes at 1");
	EXPECT_EQ(ibv_memcpy_to_dm(dm, UINT64_MAX - 3, in, 4), EFAULT);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, UINT64_MAX - 3, in, 8), EFAULT);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 4, in, SIZE_MAX - 3), EFAULT);
	EXPECT_EQ(ibv_memcpy_from_dm(out, dm, UINT64_MAX - 3, 8), EFAULT);
	logged();
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 0, NULL, 0), 0);
	EXPECT_EQ(ibv_memcpy_from_dm(NULL, dm, 10000, 0), 0);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

TEST(an_import_is_the_same_memory)
{
	struct ibv_dm *dm = alloc(ctx, 5000), *in;
	uint32_t word = 0x12345678, back = 0;

	ASSERT(dm);
	EXPECT_NONE(ibv_import_dm(again, dm->handle + 1), ENOENT);
	EXPECT_LOGGED("No such file");
	EXPECT_NONE(ibv_import_dm(other, dm->handle), ENOENT);
	logged();
	in = ibv_import_dm(again, dm->handle);
	ASSERT(in);
	EXPECT_EQ(in->handle, dm->handle);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 4996, &word, 4), 0);
	EXPECT_EQ(ibv_memcpy_from_dm(&back, in, 4996, 4), 0);
	EXPECT_EQ(back, word);
	EXPECT_EQ(ibv_memcpy_from_dm(&back, in, 5000, 4), EFAULT);
	EXPECT_LOGGED("not within");
	EXPECT_EQ(ibv_free_dm(dm), EBUSY);
	EXPECT_LOGGED("it is imported");
	ibv_unimport_dm(in);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

TEST(a_context_goes_with_all_that_was_imported_in_it)
{
	struct ibv_context *mine = ibv_open_device(&fake_plain);
	struct ibv_dm *dm = alloc(mine, PAGE);

	ASSERT(dm);
	ASSERT(ibv_import_dm(mine, dm->handle));
	ASSERT(ibv_import_dm(mine, dm->handle));
	EXPECT_EQ(ibv_close_device(mine), 0);
	expect_whole(again);
	logged();
}

TEST(addresses_of_what_is_there)
{
	struct ibv_dm *dm = alloc(ctx, 5000);
	void *addr;
	size_t len;

	ASSERT(dm);
	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, &len), 0);
	EXPECT_EQ(len, 5000);
	EXPECT_EQ(open_doca_dm_get_addr(NULL, &addr, &len), EINVAL);
	EXPECT_LOGGED("an argument is NULL");
	EXPECT_EQ(open_doca_dm_get_addr(dm, NULL, &len), EINVAL);
	logged();
	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, NULL), EINVAL);
	logged();
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

/* Debug mode keeps freed memory, so that a second free is detected. */
TEST(what_is_freed_twice_is_told)
{
	struct ibv_dm *dm = alloc(ctx, 5000);
	void *addr;
	size_t len;

	ASSERT(dm);
	setenv("DOCA_DEBUG", "1", 1);
	EXPECT_EQ(ibv_free_dm(dm), 0);
	EXPECT_EQ(ibv_free_dm(dm), EINVAL);
	EXPECT_LOGGED("this was freed before");
	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, &len), EINVAL);
	EXPECT_LOGGED("it was freed");
	unsetenv("DOCA_DEBUG");
	free(dm);
	expect_whole(ctx);
}

/* A child has nothing of the parent's, and its own pool. */
static void use_in_child(struct ibv_dm *dm)
{
	struct ibv_pd pd = { .context = ctx };
	uint32_t word = 0;
	struct ibv_dm *mine;
	void *addr;
	size_t len;

	EXPECT_NONE(ibv_reg_dm_mr(&pd, dm, 0, PAGE, ZERO_BASED), EINVAL);
	EXPECT_EQ(ibv_memcpy_from_dm(&word, dm, 0, 4), EFAULT);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 0, &word, 4), EFAULT);
	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, &len), EFAULT);
	mine = alloc(ctx, PAGE);
	ASSERT(mine);
	EXPECT_EQ(ibv_memcpy_to_dm(mine, 0, &word, 4), 0);
	EXPECT_EQ(ibv_free_dm(mine), 0);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

TEST(children_have_none_of_it)
{
	struct ibv_dm *dm = alloc(ctx, PAGE);
	uint32_t word = 7, back = 0;

	ASSERT(dm);
	EXPECT_EQ(ibv_memcpy_to_dm(dm, 0, &word, 4), 0);
	IN_CHILD(use_in_child(dm));
	EXPECT_EQ(ibv_memcpy_from_dm(&back, dm, 0, 4), 0);
	EXPECT_EQ(back, 7);
	EXPECT_EQ(ibv_free_dm(dm), 0);
	logged();
}

/* The parent's allocations take nothing from the child's pool. */
static void whole_in_child(uint32_t handle)
{
	struct ibv_device_attr_ex attr = {};
	struct ibv_dm *dm;

	EXPECT_NONE(ibv_import_dm(ctx, handle), ENOENT);
	dm = alloc(ctx, POOL);
	ASSERT(dm);
	EXPECT_EQ(ibv_query_device_ex(ctx, NULL, &attr), 0);
	EXPECT_EQ(attr.max_dm_size, POOL);
	EXPECT(!alloc(ctx, 1));
	EXPECT_EQ(ibv_free_dm(dm), 0);
	EXPECT(alloc(ctx, PAGE));
	EXPECT_EQ(ibv_close_device(ctx), 0);
	ctx = NULL;
}

TEST(children_begin_with_a_pool_that_is_whole)
{
	struct ibv_dm *dm = alloc(ctx, POOL / 2);
	struct ibv_dm *in;

	ASSERT(dm);
	in = ibv_import_dm(ctx, dm->handle);
	ASSERT(in);
	IN_CHILD(whole_in_child(dm->handle));
	ibv_unimport_dm(in);
	EXPECT_EQ(ibv_free_dm(dm), 0);
	expect_whole(ctx);
	logged();
}

static void *work(void *arg)
{
	struct ibv_pd pd = { .context = ctx };
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	int i;

	(void)arg;
	for (i = 0; i < 200; i++) {
		dm = alloc(ctx, PAGE * (1 + i % 7));
		mr = dm ? ibv_reg_dm_mr(&pd, dm, 0, PAGE, ZERO_BASED) : NULL;
		if (!mr || ibv_dereg_mr(mr) || ibv_free_dm(dm))
			return ctx;
	}
	return NULL;
}

TEST(threads_do_it_at_once)
{
	pthread_t threads[4];
	void *bad;
	int i;

	for (i = 0; i < 4; i++)
		ASSERT(!pthread_create(&threads[i], NULL, work, NULL));
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], &bad);
		EXPECT(!bad);
	}
	expect_whole(ctx);
	fake_mrs = 0; /* threads have not counted them consistently */
}

/* Keep nothing on the stack: a sanitizer expects this function to return. */
static void *work_while_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	if (!work(arg))
		pthread_testcancel();
	return arg;
}

TEST(threads_are_cancelled_when_they_have_done_it)
{
	void *result = NULL;
	pthread_t thread;

	ASSERT(!pthread_create(&thread, NULL, work_while_cancelled, NULL));
	EXPECT(!pthread_join(thread, &result));
	EXPECT(result == PTHREAD_CANCELED);
	alarm(20);
	expect_whole(ctx);
	alarm(0);
}
