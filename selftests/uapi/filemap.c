// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Mappings of files. The dirty pages of a pinned file are not tracked, so the driver only
 * reads writable shared mappings, on every kernel alike, and in a process; it writes all
 * others. Files are truncated, too. The root of a test machine may be a tmpfs, so this
 * test makes an ext4 of its own.
 */
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define FILE_BYTES (4 * PAGE)

FIXTURE(filemap) {
	struct doca d;
	struct queue q;
	struct buf copy;
	int file;
	uint8_t content[FILE_BYTES];
};

static char dir[] = "/tmp/doca-fs-XXXXXX";
static bool mounted;

/* Make it once for all tests, which are children of this process */
static void __attribute__((constructor)) make_fs(void)
{
	char command[256];

	if (!mkdtemp(dir))
		return;
	snprintf(command, sizeof(command),
		 "{ modprobe -q loop; modprobe -q ext4; truncate -s 8M %s.img &&"
		 " mkfs.ext4 -q %s.img && mount -o loop %s.img %s; }"
		 " >/dev/null 2>&1",
		 dir, dir, dir, dir);
	mounted = !system(command);
}

static void __attribute__((destructor)) drop_fs(void)
{
	char image[64];

	if (mounted)
		umount2(dir, MNT_DETACH);
	rmdir(dir);
	snprintf(image, sizeof(image), "%s.img", dir);
	unlink(image);
}

FIXTURE_SETUP(filemap)
{
	char path[64];

	if (!mounted)
		SKIP_SETUP("cannot make and mount an ext4 on a loop device");
	snprintf(path, sizeof(path), "%s/file", dir);
	self->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT_LE(0, self->file);
	fill_random(self->content, FILE_BYTES, 9);
	ASSERT_EQ(FILE_BYTES, write(self->file, self->content, FILE_BYTES));
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, buf_make(&self->d, &self->copy, FILE_BYTES, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 2, 0));
}

FIXTURE_TEARDOWN(filemap)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
	close(self->file);
}

/* Register @p for both, if that is possible, and copy it out: return 0, an errno or a status */
static int read_through(struct doca *d, struct queue *q, struct buf *copy, const void *p)
{
	uint32_t mem, key;
	int err;

	memset(copy->addr, 0, FILE_BYTES);
	err = mem_reg(d->fd, p, FILE_BYTES, DOCA_ACCESS_LOCAL_READ, &mem);
	if (!err)
		err = mem_map(d->fd, mem, d->device, DOCA_ACCESS_LOCAL_READ, &key);
	if (!err)
		err = queue_status(q, sqe_copy(seg_of(copy, 0, FILE_BYTES),
					       seg_at(key, p, FILE_BYTES)));
	return err;
}

/* Map the memory for a new queue: a failure ended the one before */
static int reg(struct doca *d, struct queue *q, const void *p, uint32_t access, uint32_t *mem,
	       struct buf *buf)
{
	struct doca_mem_reg reg = { .size = sizeof(reg), .addr = (uintptr_t)p,
				    .length = FILE_BYTES, .access = access };
	int err = doca_call(d->fd, DOCA_MEM_REG, &reg);

	*mem = reg.out_mem_id;
	*buf = (struct buf){ .addr = (void *)p, .length = FILE_BYTES };
	if (!err)
		err = mem_map(d->fd, *mem, d->device, reg.out_access & ACCESS_LOCAL, &buf->key);
	if (err)
		return err;
	queue_close(q);
	err = queue_open(q, d, 0, 2, 0);
	return err ? err : (int)reg.out_access;
}

static int copy_page(struct queue *q, const struct buf *dst, const struct buf *src, int page)
{
	return queue_status(q, sqe_copy(seg_of(dst, page * PAGE, PAGE),
					seg_of(src, page * PAGE, PAGE)));
}

/* Access it by the CPU at once, by a list, as values, and as the destination */
static void expect_lost(struct __test_metadata *_metadata, struct doca *d, struct queue *q,
			struct buf *copy, struct buf *file, bool writes, int page)
{
	struct doca_sqe lost[] = {
		sqe_copy(seg_of(copy, page * PAGE, 8), seg_of(file, page * PAGE, 8)),
		sqe_copy(seg_of(copy, 0, (page + 1) * PAGE), seg_of(file, 0, (page + 1) * PAGE)),
		sqe_sync_get(seg_of(file, page * PAGE, 8)),
		sqe_sync_write(DOCA_OP_SYNC_SET, seg_of(file, page * PAGE, 8), 1),
		sqe_copy(seg_of(file, page * PAGE, 8), seg_of(copy, 0, 8)),
	};
	int i;

	for (i = 0; i < (writes ? 5 : 3); i++) {
		EXPECT_EQ(DOCA_STATUS_BAD_MEMORY, queue_status(q, lost[i]));
		queue_close(q);
		ASSERT_EQ(0, queue_open(q, d, 0, 2, 0));
	}
}

/* Published programs map their files like this, and only read them */
TEST_F(filemap, shared_writable_is_read)
{
	struct pins before = pins_read();
	struct doca *d = &self->d;
	struct buf file;
	uint32_t mem;
	uint8_t *p;

	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, self->file, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ,
		  reg(d, &self->q, p, ACCESS_LOCAL | DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE,
		      &mem, &file));
	EXPECT_EQ(-EACCES, mem_map(d->fd, mem, d->device, ACCESS_LOCAL, &file.mem));
	EXPECT_EQ(0, copy_page(&self->q, &self->copy, &file, 1));
	EXPECT_EQ(0, memcmp(self->copy.addr + PAGE, self->content + PAGE, PAGE));
	p[PAGE] ^= 0xff;
	EXPECT_EQ(0, copy_page(&self->q, &self->copy, &file, 1));
	EXPECT_EQ(p[PAGE], self->copy.addr[PAGE]);
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, copy_page(&self->q, &file, &self->copy, 0));
	EXPECT_EQ(0, memcmp(p, self->content, PAGE));
	ASSERT_EQ(0, mem_dereg(d->fd, mem));
	EXPECT_EQ(-EFAULT, mem_reg(d->fd, p + PAGE, 1, DOCA_ACCESS_PCI_WRITE, &mem));
	EXPECT_NO_LEAK(before);
	munmap(p, FILE_BYTES);
}

/* One such page in the middle of good ones is enough */
TEST_F(filemap, shared_writable_amid_others_is_read)
{
	uint8_t *p = pages_alloc(FILE_BYTES);
	struct buf file;
	uint32_t mem;

	ASSERT_NE(NULL, p);
	ASSERT_EQ(p + 2 * PAGE,
		  mmap(p + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED, self->file, 0));
	EXPECT_EQ(DOCA_ACCESS_LOCAL_READ,
		  reg(&self->d, &self->q, p, ACCESS_LOCAL, &mem, &file));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, copy_page(&self->q, &file, &self->copy, 0));
	EXPECT_EQ(0, mem_reg(self->d.fd, p, 2 * PAGE, ACCESS_LOCAL, &mem));
	munmap(p, FILE_BYTES);
}

/* The pages after it exist, but the file is too short */
TEST_F(filemap, too_short_amid_others)
{
	uint8_t *p = pages_alloc(FILE_BYTES);
	uint32_t mem;

	ASSERT_NE(NULL, p);
	ASSERT_EQ(0, ftruncate(self->file, PAGE));
	ASSERT_EQ(p + PAGE, mmap(p + PAGE, 2 * PAGE, PROT_READ, MAP_SHARED | MAP_FIXED,
				 self->file, 0));
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, p, FILE_BYTES, DOCA_ACCESS_LOCAL_READ, &mem));
	EXPECT_EQ(0, mem_reg(self->d.fd, p, 2 * PAGE, DOCA_ACCESS_LOCAL_READ, &mem));
	munmap(p, FILE_BYTES);
}

/* Its node is in memory, but its pages belong to a disk */
TEST_F(filemap, disk_is_read)
{
	struct buf disk;
	char node[64];
	struct stat st;
	uint32_t mem;
	uint8_t *p;
	int fd;

	ASSERT_EQ(0, fstat(self->file, &st));
	snprintf(node, sizeof(node), "/dev/doca-disk-%d", getpid());
	ASSERT_EQ(0, mknod(node, S_IFBLK | 0600, st.st_dev));
	fd = open(node, O_RDWR | O_CLOEXEC);
	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	EXPECT_NE(MAP_FAILED, p);
	EXPECT_EQ(DOCA_ACCESS_LOCAL_READ,
		  reg(&self->d, &self->q, p, ACCESS_LOCAL, &mem, &disk));
	munmap(p, FILE_BYTES);
	close(fd);
	unlink(node);
}

/* No program is ended by a signal, and none is told that the copy succeeded */
TEST_F(filemap, lost_by_truncation)
{
	struct doca *d = &self->d;
	struct buf file;
	uint32_t mem;
	uint8_t *p;

	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, self->file, 0);
	ASSERT_NE(MAP_FAILED, p);
	ASSERT_LT(0, reg(d, &self->q, p, ACCESS_LOCAL, &mem, &file));
	ASSERT_EQ(0, ftruncate(self->file, PAGE));
	EXPECT_EQ(0, copy_page(&self->q, &self->copy, &file, 0));
	expect_lost(_metadata, d, &self->q, &self->copy, &file, false, 2);
	ASSERT_EQ(0, mem_dereg(d->fd, mem));
	EXPECT_EQ(-EFAULT, mem_reg(d->fd, p, FILE_BYTES, DOCA_ACCESS_LOCAL_READ, &mem));
	munmap(p, FILE_BYTES);
}

/* Files in memory are written, too, and may be as short */
TEST_F(filemap, memfd_is_written_until_it_is_truncated)
{
	int fd = memfd_create("doca", MFD_CLOEXEC);
	struct doca *d = &self->d;
	struct buf file;
	uint32_t mem;
	uint8_t *p;

	ASSERT_EQ(0, ftruncate(fd, FILE_BYTES));
	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	ASSERT_EQ(ACCESS_LOCAL, reg(d, &self->q, p, ACCESS_LOCAL, &mem, &file));
	fill_random(self->copy.addr, FILE_BYTES, 11);
	EXPECT_EQ(0, copy_page(&self->q, &file, &self->copy, 1));
	EXPECT_EQ(0, memcmp(p + PAGE, self->copy.addr + PAGE, PAGE));
	EXPECT_EQ(0, queue_status(&self->q, sqe_sync_write(DOCA_OP_SYNC_SET,
							   seg_of(&file, 0, 8), 42)));
	EXPECT_EQ(42, *(uint64_t *)p);
	ASSERT_EQ(0, ftruncate(fd, PAGE));
	EXPECT_EQ(0, copy_page(&self->q, &self->copy, &file, 0));
	expect_lost(_metadata, d, &self->q, &self->copy, &file, true, 2);
	munmap(p, FILE_BYTES);
	close(fd);
}

struct flipper {
	uint8_t *page;
	int file;
	int stop;
};

/* The page is anonymous or the file's, by turns */
static void *flip(void *arg)
{
	struct flipper *f = arg;
	bool shared = false;

	while (!__atomic_load_n(&f->stop, __ATOMIC_RELAXED)) {
		shared = !shared;
		mmap(f->page, PAGE, PROT_READ | PROT_WRITE,
		     shared ? MAP_SHARED | MAP_FIXED :
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     shared ? f->file : -1, 0);
	}
	return NULL;
}

/* The pinned page counts, not the page seen before */
TEST_F(filemap, shared_writable_while_registering)
{
	struct pins before = pins_read();
	struct doca *d = &self->d;
	uint8_t *p = pages_alloc(FILE_BYTES);
	struct flipper f = { .page = p + PAGE, .file = self->file };
	uint32_t mem, key, i;
	pthread_t thread;
	int err;

#ifdef PINS_ARE_OTHERS
	SKIP(return, "nothing is pinned");
#endif
	ASSERT_NE(NULL, p);
	ASSERT_EQ(0, pthread_create(&thread, NULL, flip, &f));
	for (i = 0; i < rounds(2000); i++) {
		err = mem_reg(d->fd, p, FILE_BYTES, ACCESS_LOCAL, &mem);
		ASSERT_TRUE(!err || err == -EFAULT);
		if (err)
			continue;
		err = mem_map(d->fd, mem, d->device, ACCESS_LOCAL, &key);
		ASSERT_TRUE(!err || err == -EACCES);
		if (err) {
			ASSERT_EQ(0, mem_dereg(d->fd, mem));
			continue;
		}
		ASSERT_EQ(0, queue_status(&self->q,
					  sqe_copy(seg_of(&self->copy, 0, PAGE),
						   seg_at(key, f.page, PAGE))));
		/* Anonymous pages are zeros. */
		ASSERT_NE(0, memcmp(self->copy.addr, self->content, PAGE));
		ASSERT_EQ(0, mem_dereg(d->fd, mem));
	}
	__atomic_store_n(&f.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	munmap(p, FILE_BYTES);
	EXPECT_NO_LEAK(before);
}

/* Reading fills no holes and does not count as a change */
TEST_F(filemap, shared_writable_is_left_as_it_is)
{
	int other = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	struct stat before, after;
	uint8_t *p;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, ftruncate(self->file, 0));
	ASSERT_EQ(0, ftruncate(self->file, FILE_BYTES));
	ASSERT_EQ(0, fstat(self->file, &before));
	/* Wait until a change would have another time */
	do {
		ASSERT_EQ(1, pwrite(other, "x", 1, 0));
		ASSERT_EQ(0, fstat(other, &after));
	} while (after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
		 after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
	close(other);
	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, self->file, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(0, read_through(&self->d, &self->q, &self->copy, p));
	ASSERT_EQ(0, fstat(self->file, &after));
	EXPECT_EQ(before.st_blocks, after.st_blocks);
	EXPECT_EQ(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	munmap(p, FILE_BYTES);
}

TEST_F(filemap, private_read_only)
{
	uint8_t *p = mmap(NULL, FILE_BYTES, PROT_READ, MAP_PRIVATE, self->file, 0);

	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(0, read_through(&self->d, &self->q, &self->copy, p));
	EXPECT_EQ(0, memcmp(self->copy.addr, self->content, FILE_BYTES));
}

/* A read-only pin of a writable private mapping must follow later writes */
TEST_F(filemap, private_writable)
{
	struct doca *d = &self->d;
	uint32_t mem, key;
	uint8_t *p;

	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, self->file, 0);
	ASSERT_NE(MAP_FAILED, p);
	ASSERT_EQ(0, mem_reg(d->fd, p, FILE_BYTES, DOCA_ACCESS_LOCAL_READ, &mem));
	ASSERT_EQ(0, mem_map(d->fd, mem, d->device, DOCA_ACCESS_LOCAL_READ, &key));
	p[PAGE] ^= 0xff;
	EXPECT_EQ(0, queue_status(&self->q,
				  sqe_copy(seg_of(&self->copy, 0, FILE_BYTES),
					   seg_at(key, p, FILE_BYTES))));
	EXPECT_EQ(0, memcmp(self->copy.addr, p, FILE_BYTES));
}

/* Writes to a private mapping never reach the file */
TEST_F(filemap, private_written)
{
	struct doca *d = &self->d;
	uint8_t back[FILE_BYTES], *p;
	uint32_t mem, key;

	p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, self->file, 0);
	ASSERT_NE(MAP_FAILED, p);
	ASSERT_EQ(0, mem_reg(d->fd, p, FILE_BYTES, ACCESS_LOCAL, &mem));
	ASSERT_EQ(0, mem_map(d->fd, mem, d->device, ACCESS_LOCAL, &key));
	fill_random(self->copy.addr, FILE_BYTES, 10);
	EXPECT_EQ(0, queue_status(&self->q,
				  sqe_copy(seg_at(key, p, FILE_BYTES),
					   seg_of(&self->copy, 0,
						  FILE_BYTES))));
	EXPECT_EQ(0, memcmp(p, self->copy.addr, FILE_BYTES));
	ASSERT_EQ(FILE_BYTES, pread(self->file, back, FILE_BYTES, 0));
	EXPECT_EQ(0, memcmp(back, self->content, FILE_BYTES));
}

TEST_F(filemap, shared_read_only)
{
	char path[64];
	uint8_t *p;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	p = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(0, read_through(&self->d, &self->q, &self->copy, p));
	EXPECT_EQ(0, memcmp(self->copy.addr, self->content, FILE_BYTES));
	munmap(p, FILE_BYTES);
	close(fd);
}

TEST_HARNESS_MAIN
