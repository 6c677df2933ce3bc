// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory that is not there yet, and memory that is gone. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bed.h"

#define RW (PROT_READ | PROT_WRITE)
#define LEN 4096

static struct doca_mmap *map_of(struct bed *bed, void *addr, size_t len)
{
	struct doca_mmap *map;

	OK(doca_mmap_create(&map));
	OK(doca_mmap_set_memrange(map, addr, len));
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	OK(doca_mmap_add_dev(map, bed->dev));
	OK(doca_mmap_start(map));
	return map;
}

/* Copy a page. Return the result. */
static doca_error_t copy(struct bed *bed, struct doca_mmap *to, void *dst, struct doca_mmap *from,
			 void *src)
{
	struct doca_buf *in = NULL, *out = NULL;
	unsigned int done = bed->done;

	bed->failed = 0;
	OK(doca_buf_inventory_buf_get_by_data(bed->inv, from, src, LEN, &in));
	OK(doca_buf_inventory_buf_get_by_addr(bed->inv, to, dst, LEN, &out));
	bed_submit(bed, in, out);
	bed_wait(bed, done + 1);
	return bed->failed ? bed->status : DOCA_SUCCESS;
}

static void begin(struct bed *bed)
{
	bed_create(bed, "software");
	OK(doca_ctx_start(bed->ctx));
}

/* Restart: a context stops with the first task that fails. */
static void again(struct bed *bed)
{
	doca_ctx_stop(bed->ctx);
	bed_await_idle(bed);
	OK(doca_ctx_start(bed->ctx));
}

static size_t resident(void *addr, size_t len)
{
	static unsigned char there[(64 << 20) / LEN];
	size_t i, nr = 0;

	for (i = 0; i < sizeof(there); i++)
		there[i] = 0;
	EXPECT_EQ(mincore(addr, len, there), 0);
	for (i = 0; i < len / LEN; i++)
		nr += there[i] & 1;
	return nr;
}

TEST(what_is_mapped_stays_as_absent_as_it_was)
{
	const size_t ram = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), all = 4 * ram;
	const size_t sizes[] = { 1 << 20, all };
	struct doca_mmap *map;
	struct bed bed;
	size_t i;
	char *p;

	begin(&bed);
	for (i = 0; i < 2; i++) {
		size_t len = sizes[i], end = len < (64 << 20) ? len : 64 << 20;

		p = mmap(NULL, len, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			break; /* the machine commits no more than it has */
		madvise(p, len, MADV_NOHUGEPAGE);
		map = map_of(&bed, p, len);
		EXPECT_EQ(resident(p, end) + resident(p + len - end, end), 0);
		memset(bed.mem, 1, LEN);
		EXPECT_EQ(copy(&bed, bed.mmap, bed.mem, map, p + len - LEN), DOCA_SUCCESS);
		EXPECT_EQ(bed.mem[0] | bed.mem[LEN - 1], 0);
		memset(bed.mem, 1, LEN);
		EXPECT_EQ(copy(&bed, map, p + LEN, bed.mmap, bed.mem), DOCA_SUCCESS);
		EXPECT_EQ(p[LEN], 1);
		EXPECT_EQ(resident(p, end), 1 + (end == len));
		OK(doca_mmap_destroy(map));
		munmap(p, len);
	}
	bed_destroy(&bed);
}

static void truncate_and_copy(void)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	char *p = mmap(NULL, 4 * LEN, RW, MAP_SHARED, fd, 0);
	struct doca_mmap *map;
	struct bed bed;

	begin(&bed);
	EXPECT_EQ(ftruncate(fd, 4 * LEN), 0);
	map = map_of(&bed, p, 4 * LEN);
	p[3 * LEN] = 7;
	EXPECT_EQ(copy(&bed, bed.mmap, bed.mem, map, p + 3 * LEN), DOCA_SUCCESS);
	EXPECT_EQ(bed.mem[0], 7);
	EXPECT_EQ(copy(&bed, map, p + LEN, bed.mmap, bed.mem), DOCA_SUCCESS);
	EXPECT_EQ(p[LEN], 7);
	EXPECT_EQ(ftruncate(fd, 2 * LEN), 0);
	EXPECT_EQ(copy(&bed, bed.mmap, bed.mem, map, p + 3 * LEN), DOCA_ERROR_IO_FAILED);
	again(&bed);
	EXPECT_EQ(copy(&bed, map, p + 2 * LEN, bed.mmap, bed.mem), DOCA_ERROR_IO_FAILED);
	again(&bed);
	EXPECT_EQ(copy(&bed, bed.mmap, bed.mem, map, p + LEN), DOCA_SUCCESS);
	/* Unmapped memory counts as lost. */
	munmap(p, 4 * LEN);
	EXPECT_EQ(copy(&bed, bed.mmap, bed.mem, map, p), DOCA_ERROR_IO_FAILED);
	OK(doca_mmap_destroy(map));
	bed_destroy(&bed);
	close(fd);
}

TEST(a_file_that_is_truncated_fails_tasks)
{
	truncate_and_copy();
}

/* However much it is: none of it is touched, and its pages are not counted one by one. */
TEST(untouched_memory_is_one_piece)
{
	const size_t size = 4UL << 30, step = 64 << 20;
	struct doca_mmap *map;
	size_t touched = 0;
	long pinned;
	struct bed bed;
	char *p;

	bed_create(&bed, "software");
	OK(doca_ctx_start(bed.ctx));
	p = mmap(NULL, size, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ASSERT(p != MAP_FAILED);
	pinned = inproc_pinned();
	map = map_of(&bed, p, size);
	EXPECT_EQ(inproc_pinned(), pinned + 1);
	for (size_t at = 0; at < size; at += step)
		touched += resident(p + at, step);
	EXPECT_EQ(touched, 0);
	/* All of it can be used, up to its end. */
	EXPECT_EQ(copy(&bed, map, p + size - LEN, bed.mmap, bed.mem), DOCA_SUCCESS);
	EXPECT(!memcmp(p + size - LEN, bed.mem, LEN));
	OK(doca_mmap_destroy(map));
	munmap(p, size);
	bed_destroy(&bed);
}

/* It must be the last test, because the filter stays. */
TEST(so_it_does_where_calls_between_processes_are_refused)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, code };

	ASSERT(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	ASSERT(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	EXPECT_EQ(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0), -1);
	truncate_and_copy();
}
