// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Physical memory: who may register it, that nothing but GATHER gets at it, and what that
 * reads. Where the module was loaded without its parameter, that it is refused.
 */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "doca_nl.h"
#include "doca_ring.h"
#include "kselftest_harness.h"

#ifndef __NR_memfd_secret
#define __NR_memfd_secret 447
#endif

#define PARAMETER "/sys/module/doca/parameters/physical_memory"
#define ALL (1UL << 52)
#define PIECES 64
#define PIECE 512
#define ROOM (PIECES * PIECE)
#define STEP (64UL << 10)

static int reg_flags(int fd, uint64_t addr, uint64_t length, uint32_t access,
		     uint32_t flags, uint32_t *mem)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.flags = flags,
		.addr = addr,
		.length = length,
		.access = access,
	};
	int err = doca_call(fd, DOCA_MEM_REG, &reg);

	*mem = reg.out_mem_id;
	return err;
}

static int reg_physical(int fd, uint32_t *mem)
{
	return reg_flags(fd, 0, ALL, DOCA_ACCESS_LOCAL_READ,
			 DOCA_MEM_REG_PHYSICAL, mem);
}

static bool is_offered(int fd)
{
	struct doca_query q;

	return !query(fd, &q) && q.out_features & DOCA_FEATURE_PHYSICAL;
}

/* Of a page that the process has; 0 if it cannot be told */
static uint64_t physical_of(const void *addr)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (pread(fd, &entry, sizeof(entry), (uintptr_t)addr / PAGE * 8) != 8 ||
	    !(entry >> 63))
		entry = 0;
	close(fd);
	entry &= (1UL << 55) - 1;
	return entry ? entry * PAGE + (uintptr_t)addr % PAGE : 0;
}

static struct doca_sqe sqe_gather(struct doca_seg dst, uint32_t pieces)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_GATHER,
				  .flags = DOCA_SQE_SRC_LIST,
				  .src = seg_list(0, pieces),
				  .dst = dst };
}

static int queue_open_gather(struct queue *q, const struct doca *d,
			     uint32_t worker)
{
	return queue_create(q, d, (struct doca_queue_create){
					  .worker_id = worker,
					  .sq_entries = 16,
					  .cq_entries = 16,
					  .nr_segments = PIECES,
					  .opcodes = 1UL << DOCA_OP_GATHER |
						     1UL << DOCA_OP_MEMCPY |
						     1UL << DOCA_OP_SYNC_GET |
						     1UL << DOCA_OP_SYNC_SET |
						     1UL << DOCA_OP_INVALIDATE |
						     1UL << DOCA_OP_SYNC_WAIT_NE,
					  .nr_waits = 1,
				  });
}

FIXTURE(refused) {
	struct doca d;
	uint32_t mem;
};

FIXTURE_SETUP(refused)
{
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(refused)
{
	DOCA_CLOSE(&self->d);
}

TEST_F(refused, without_the_parameter)
{
	struct stat st;

	ASSERT_EQ(0, stat(PARAMETER, &st));
	EXPECT_EQ(S_IFREG | 0444, st.st_mode);
	EXPECT_EQ(-1, open(PARAMETER, O_WRONLY | O_CLOEXEC | O_TRUNC));
	if (is_offered(self->d.fd))
		SKIP(return, "the module has it");
	EXPECT_EQ(-EOPNOTSUPP, reg_physical(self->d.fd, &self->mem));
}

static int refused_to(int cap, int fd)
{
	uint32_t mem;

	return drop_capability(cap) ?: reg_physical(fd, &mem);
}

TEST_F(refused, without_a_capability)
{
	const int caps[] = { CAP_SYS_RAWIO, CAP_SYS_ADMIN };
	struct doca d;
	int i;

	if (!is_offered(self->d.fd))
		SKIP(return, "the module does not have it");
	for (i = 0; i < 2; i++) {
		pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			ASSERT_EQ(0, doca_open(&d));
			EXPECT_EQ(-EPERM, refused_to(caps[i], d.fd));
			CHILD_EXIT();
		}
		EXPECT_EQ(0, child_wait(pid));
	}
}

/* All capabilities of another user namespace are none here */
TEST_F(refused, in_another_user_namespace)
{
	uint32_t mem;
	pid_t pid;

	if (!is_offered(self->d.fd))
		SKIP(return, "the module does not have it");
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, unshare(CLONE_NEWUSER));
		EXPECT_EQ(-EPERM, reg_physical(d.fd, &mem));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_F(refused, with_what_makes_no_sense)
{
	const uint32_t read = DOCA_ACCESS_LOCAL_READ;
	const uint32_t flag = DOCA_MEM_REG_PHYSICAL;
	int fd = self->d.fd;
	uint32_t mem, bit;

	if (!is_offered(fd))
		SKIP(return, "the module does not have it");
	EXPECT_EQ(-EINVAL, reg_flags(fd, 0, 0, read, flag, &mem));
	EXPECT_EQ(-EINVAL, reg_flags(fd, 0, PAGE, 0, flag, &mem));
	EXPECT_EQ(-EOVERFLOW, reg_flags(fd, -PAGE, PAGE, read, flag, &mem));
	EXPECT_EQ(-EOVERFLOW, reg_flags(fd, PAGE, -PAGE, read, flag, &mem));
	EXPECT_EQ(-EOPNOTSUPP, reg_flags(fd, 0, PAGE, read,
					 flag | DOCA_MEM_REG_DMABUF, &mem));
	for (bit = read << 1; bit < DOCA_ACCESS_MASK; bit <<= 1) {
		EXPECT_EQ(-EACCES, reg_flags(fd, 0, PAGE, read | bit, flag, &mem));
		EXPECT_EQ(-EACCES, reg_flags(fd, 0, PAGE, bit, flag, &mem));
	}
}

FIXTURE(physical) {
	struct doca d;
	struct buf room;
	uint8_t *source; /* of ROOM bytes */
	uint64_t at[ROOM / PAGE];
	uint32_t mem, key, worker;
	struct queue q;
};

FIXTURE_VARIANT(physical) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(physical, enter) {
	.mode = {} };
FIXTURE_VARIANT_ADD(physical, worker) {
	.mode = { .worker = true } };

FIXTURE_SETUP(physical)
{
	size_t i;

	DOCA_OPEN(&self->d);
	if (!is_offered(self->d.fd))
		SKIP_SETUP("the module does not have it");
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	/* Secret memory is charged to the same user, whose limit may be 8 MiB */
	ASSERT_EQ(0, buf_make(&self->d, &self->room, PIECES * STEP + ROOM,
			      ACCESS_LOCAL));
	self->source = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
	ASSERT_NE(MAP_FAILED, self->source);
	fill_random(self->source, ROOM, 7);
	for (i = 0; i < ROOM / PAGE; i++) {
		self->at[i] = physical_of(self->source + i * PAGE);
		ASSERT_NE(0, self->at[i]);
	}
	ASSERT_EQ(0, reg_physical(self->d.fd, &self->mem));
	ASSERT_EQ(0, mem_map(self->d.fd, self->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &self->key));
	ASSERT_EQ(0, queue_open_gather(&self->q, &self->d, self->worker));
	memset(self->room.addr, 0xee, self->room.length);
}

FIXTURE_TEARDOWN(physical)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

/* All of the source in pieces, each where the last one ends */
static void fill_list(FIXTURE_DATA(physical) *self)
{
	int i;

	for (i = 0; i < PIECES; i++) {
		size_t at = (size_t)i * PIECE;

		self->q.segs[i] = (struct doca_seg){
			.key = self->key,
			.length = PIECE,
			.address = self->at[at / PAGE] + at % PAGE,
		};
	}
}

static int gather(FIXTURE_DATA(physical) *self, uint32_t pieces,
		  struct doca_cqe *cqe)
{
	return queue_do(&self->q, sqe_gather(seg_of(&self->room, 0, ROOM), pieces),
			cqe);
}

TEST_F(physical, pieces_are_read)
{
	struct doca_cqe cqe;

	fill_list(self);
	ASSERT_EQ(0, gather(self, PIECES, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(ROOM, cqe.length);
	EXPECT_EQ(0, cqe.result[0]);
	EXPECT_EQ(0, memcmp(self->room.addr, self->source, ROOM));
	EXPECT_EQ(0xee, self->room.addr[ROOM]);
}

/* At any byte, across pages, of no bytes, and without a list */
TEST_F(physical, pieces_have_any_place_and_length)
{
	struct doca_sqe sqe = { .opcode = DOCA_OP_GATHER };
	struct doca_cqe cqe;

	self->q.segs[0] = (struct doca_seg){ self->key, 3, self->at[0] + 1 };
	self->q.segs[1] = (struct doca_seg){ self->key, 0, self->at[0] };
	self->q.segs[2] = (struct doca_seg){ self->key, 13, self->at[1] + PAGE - 13 };
	ASSERT_EQ(0, gather(self, 3, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(16, cqe.length);
	EXPECT_EQ(0, cqe.result[0]);
	EXPECT_EQ(0, memcmp(self->room.addr, self->source + 1, 3));
	EXPECT_EQ(0, memcmp(self->room.addr + 3, self->source + 2 * PAGE - 13, 13));

	sqe.src = self->q.segs[2];
	sqe.dst = seg_of(&self->room, 100, 13);
	ASSERT_EQ(0, queue_do(&self->q, sqe, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(0, memcmp(self->room.addr + 100, self->source + 2 * PAGE - 13, 13));
}

/* The first bytes of RAM of at least so many, by /proc/iomem */
static uint64_t find_ram(uint64_t length)
{
	FILE *f = fopen("/proc/iomem", "r");
	unsigned long first, last;
	uint64_t found = 0;
	char line[256];

	while (!found && fgets(line, sizeof(line), f))
		if (strstr(line, ": System RAM") &&
		    sscanf(line, "%lx-%lx", &first, &last) == 2 &&
		    last + 1 - first >= length)
			found = first;
	fclose(f);
	return found;
}

/* In steps, from which the rest is not missing */
TEST_F(physical, large_pieces_are_read_in_steps)
{
	uint64_t ram = find_ram(PIECES * STEP);
	struct doca_cqe cqe;
	uint64_t holes;
	uint32_t i;

	ASSERT_NE(0, ram);
	for (i = 0; i < PIECES; i++)
		self->q.segs[i] = (struct doca_seg){ self->key, STEP, ram + i * STEP };
	self->q.segs[1] = (struct doca_seg){ self->key, PAGE, self->at[3] };
	ASSERT_EQ(0, queue_do(&self->q, sqe_gather(seg_of(&self->room, 0,
							  PIECES * STEP), PIECES),
			      &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ((PIECES - 1) * STEP + PAGE, cqe.length);
	holes = cqe.result[0];
	EXPECT_EQ(0, holes & 2);
	EXPECT_EQ(0, memcmp(self->room.addr + STEP, self->source + 3 * PAGE, PAGE));
	EXPECT_EQ(0xee, self->room.addr[cqe.length]);
}

static bool is_filled_with(const uint8_t *p, size_t length, uint8_t byte)
{
	while (length && *p == byte)
		p++, length--;
	return !length;
}

/* Beyond all memory, on a device, and half of it in memory */
TEST_F(physical, what_is_not_there_is_zeros)
{
	struct doca_cqe cqe;
	int i;

	fill_list(self);
	self->q.segs[0].address = ALL - PIECE;
	self->q.segs[5].address = 0xfee00000; /* the APIC */
	self->q.segs[63].address = 0xa0000 - 1; /* of a graphics card */
	ASSERT_EQ(0, gather(self, PIECES, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(ROOM, cqe.length);
	EXPECT_EQ(1UL << 63 | 1 << 5 | 1, cqe.result[0]);
	for (i = 0; i < PIECES; i++) {
		uint8_t *piece = self->room.addr + i * PIECE;

		if (cqe.result[0] >> i & 1) {
			EXPECT_TRUE(is_filled_with(piece, PIECE, 0));
			continue;
		}
		EXPECT_EQ(0, memcmp(piece, self->source + i * PIECE, PIECE));
	}
}

TEST_F(physical, secret_memory_is_not_there)
{
	int fd = syscall(__NR_memfd_secret, 0);
	struct doca_cqe cqe;
	uint8_t *secret;

	if (fd < 0)
		SKIP(return, "no secretmem: %s", strerror(errno));
	ASSERT_EQ(0, ftruncate(fd, PAGE));
	secret = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, secret);
	memset(secret, 0x77, PAGE);
	fill_list(self);
	self->q.segs[1].address = physical_of(secret);
	ASSERT_NE(0, self->q.segs[1].address);
	ASSERT_EQ(0, gather(self, 3, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(2, cqe.result[0]);
	EXPECT_EQ(0, memcmp(self->room.addr, self->source, PIECE));
	EXPECT_TRUE(is_filled_with(self->room.addr + PIECE, PIECE, 0));
	EXPECT_EQ(0, memcmp(self->room.addr + 2 * PIECE, self->source + 2 * PIECE,
			    PIECE));
	munmap(secret, PAGE);
	close(fd);
}

static void go_on(int signal)
{
	(void)signal;
}

TEST_F(physical, a_poisoned_page_is_not_there)
{
	uint8_t *page = pages_alloc(PAGE);
	struct doca_cqe cqe;
	uint64_t at;

	memset(page, 0x77, PAGE);
	at = physical_of(page);
	ASSERT_NE(0, at);
	/* The process is told, if the page was dirty */
	signal(SIGBUS, go_on);
	if (madvise(page, PAGE, 100 /* MADV_HWPOISON */))
		SKIP(return, "no poison: %s", strerror(errno));
	fill_list(self);
	self->q.segs[0].address = at;
	ASSERT_EQ(0, gather(self, 2, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(1, cqe.result[0]);
	EXPECT_TRUE(is_filled_with(self->room.addr, PIECE, 0));
	EXPECT_EQ(0, memcmp(self->room.addr + PIECE, self->source + PIECE, PIECE));
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;

	close(fd);
	return err;
}

/* A block of memory that the kernel can do without, if there is one */
static int take_offline(char *state, size_t size, uint64_t *at)
{
	unsigned long block = 0, i;
	FILE *f = fopen("/sys/devices/system/memory/block_size_bytes", "r");

	if (!f)
		return -ENOENT;
	if (fscanf(f, "%lx", &block) != 1)
		block = 0;
	fclose(f);
	for (i = 64; i--;) {
		snprintf(state, size, "/sys/devices/system/memory/memory%lu/state", i);
		if (!write_text(state, "offline")) {
			*at = i * block;
			return 0;
		}
	}
	return -EBUSY;
}

TEST_F_TIMEOUT(physical, an_offline_page_is_not_there, 120)
{
	struct doca_cqe cqe;
	char state[96];
	uint64_t at;

	if (take_offline(state, sizeof(state), &at))
		SKIP(return, "no memory can be taken offline");
	fill_list(self);
	/* A page of the source may have been moved */
	self->q.segs[0].address = physical_of(self->source);
	self->q.segs[1].address = at + 64 * PAGE;
	EXPECT_EQ(0, gather(self, 2, &cqe));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(2, cqe.result[0]);
	EXPECT_EQ(0, memcmp(self->room.addr, self->source, PIECE));
	EXPECT_EQ(0, write_text(state, "online"));
	EXPECT_EQ(0, gather(self, 2, &cqe));
	EXPECT_EQ(0, cqe.result[0]);
}

/* While memory comes and goes, nothing is read that has gone, and the kernel is well */
TEST_F_TIMEOUT(physical, it_is_read_while_memory_goes, 240)
{
	uint64_t at, end = now_ns() + 5000000000ULL;
	struct doca_cqe cqe;
	char state[96];
	pid_t pid;
	int i;

	if (take_offline(state, sizeof(state), &at))
		SKIP(return, "no memory can be taken offline");
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			write_text(state, "online");
			write_text(state, "offline");
		}
	}
	for (i = 0; i < PIECES; i++)
		self->q.segs[i] = (struct doca_seg){ self->key, PIECE,
						     at + i * PAGE };
	while (now_ns() < end) {
		ASSERT_EQ(0, gather(self, PIECES, &cqe));
		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	write_text(state, "online");
}

/* A queue is over after each: one for each */
static int status_of(FIXTURE_DATA(physical) *self, struct doca_sqe sqe,
		     const struct doca_seg *segs, int nr)
{
	struct queue q;
	int status;

	status = queue_open_gather(&q, &self->d, self->worker);
	if (status)
		return status;
	if (nr)
		memcpy(q.segs, segs, nr * sizeof(*segs));
	status = queue_status(&q, sqe);
	queue_close(&q);
	return status;
}

TEST_F(physical, nothing_else_gets_at_it)
{
	struct doca_seg at = { self->key, 8, self->at[0] };
	struct doca_seg room = seg_of(&self->room, 0, 8);
	struct doca_seg none = { self->key, 0, self->at[0] };
	struct doca_sqe sqe;

	fill_random(self->source, PAGE, 8);
	memcpy(self->room.addr + 8, self->source, 8);
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe_copy(room, at), NULL, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe_copy(at, room), NULL, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe_copy(room, none), NULL, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
		  status_of(self, sqe_copy_list(room, seg_list(0, 1),
						DOCA_SQE_SRC_LIST), &at, 1));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
		  status_of(self, sqe_copy_list(seg_list(0, 1), room,
						DOCA_SQE_DST_LIST), &at, 1));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe_sync_get(at), NULL, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
		  status_of(self, sqe_sync_write(DOCA_OP_SYNC_SET, at, 1), NULL, 0));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
		  status_of(self, sqe_sync_wait(DOCA_OP_SYNC_WAIT_NE, at, 0, 1), NULL, 0));
	sqe = (struct doca_sqe){ .opcode = DOCA_OP_INVALIDATE, .dst = at };
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe, NULL, 0));
	/* Not even into itself */
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe_gather(at, 1), &at, 1));
	EXPECT_EQ(0, memcmp(self->room.addr + 8, self->source, 8));
}

TEST_F(physical, bad_entries_are_refused)
{
	struct doca_seg room = seg_of(&self->room, 0, ROOM);
	struct doca_seg at = { self->key, PIECE, self->at[0] };
	struct doca_seg list[2] = { at, at };
	struct doca_sqe sqe = sqe_gather(room, 2);

	list[1] = seg_of(&self->room, 0, PIECE);
	EXPECT_EQ(DOCA_STATUS_NOT_SUPPORTED, status_of(self, sqe, list, 2));
	list[1] = (struct doca_seg){ self->key, PIECE, ALL - 1 };
	EXPECT_EQ(DOCA_STATUS_BAD_RANGE, status_of(self, sqe, list, 2));
	list[1] = (struct doca_seg){ 0, PIECE, self->at[0] };
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, status_of(self, sqe, list, 2));
	list[1] = (struct doca_seg){ self->key, STEP + 1, self->at[0] };
	sqe.dst = seg_of(&self->room, 0, 3 * STEP);
	EXPECT_EQ(DOCA_STATUS_BAD_LENGTH, status_of(self, sqe, list, 2));
	list[1] = at;
	sqe.dst = seg_of(&self->room, 0, 2 * PIECE - 1);
	EXPECT_EQ(DOCA_STATUS_BAD_LENGTH, status_of(self, sqe, list, 2));
	sqe.dst = seg_of(&self->room, self->room.length - PIECE, 2 * PIECE);
	EXPECT_EQ(DOCA_STATUS_BAD_RANGE, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, 0);
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, PIECES + 1);
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, 2);
	sqe.flags |= DOCA_SQE_DST_LIST;
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, 2);
	sqe.flags |= 1 << 8;
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, 2);
	sqe.op[0] = 1;
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
	sqe = sqe_gather(room, 2);
	sqe.aux = 1;
	EXPECT_EQ(DOCA_STATUS_BAD_ENTRY, status_of(self, sqe, list, 2));
}

TEST_F(physical, it_is_neither_exported_nor_mapped_to_be_written)
{
	struct doca_blob blob;
	uint32_t key;

	EXPECT_EQ(-EACCES, mem_export(self->d.fd, self->key, 0, &blob, NULL));
	EXPECT_EQ(-EACCES, mem_export(self->d.fd, self->key,
				      DOCA_EXPORT_ANY_USER, &blob, NULL));
	EXPECT_EQ(-EACCES, mem_map(self->d.fd, self->mem, self->d.device,
				   ACCESS_LOCAL, &key));
	EXPECT_EQ(-EACCES, mem_map(self->d.fd, self->mem, self->d.device,
				   DOCA_ACCESS_LOCAL_WRITE, &key));
}

TEST_F(physical, it_ends_as_other_memory_does)
{
	struct doca_seg at = { self->key, PIECE, self->at[0] };
	struct doca_sqe sqe = sqe_gather(seg_of(&self->room, 0, ROOM), 1);
	uint32_t key;

	ASSERT_EQ(0, mem_unmap(self->d.fd, self->key));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, status_of(self, sqe, &at, 1));
	ASSERT_EQ(0, mem_map(self->d.fd, self->mem, self->d.device,
			     DOCA_ACCESS_LOCAL_READ, &key));
	at.key = key;
	EXPECT_EQ(DOCA_STATUS_SUCCESS, status_of(self, sqe, &at, 1));
	ASSERT_EQ(0, mem_dereg(self->d.fd, self->mem));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, status_of(self, sqe, &at, 1));
}

/* That it is what it is, who has it, and what may be done to it */
TEST_F(physical, it_is_listed)
{
	const int cmds[] = { DOCA_GENL_CMD_FILE_GET, DOCA_GENL_CMD_MEMORY_GET,
			     DOCA_GENL_CMD_MAPPING_GET };
	const struct entry *e;
	struct listing l;
	struct family nl;
	int i;

	ASSERT_EQ(0, family_open(&nl));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, family_list(&nl, cmds[i], &l));
		e = listing_find(&l, DOCA_GENL_A_PHYSICAL, 1);
		ASSERT_NE(NULL, e);
		EXPECT_EQ(getpid(), e->v[DOCA_GENL_A_PID]);
		if (i) {
			EXPECT_EQ(ALL, e->v[DOCA_GENL_A_LENGTH]);
			EXPECT_EQ(DOCA_ACCESS_LOCAL_READ, e->v[DOCA_GENL_A_ACCESS]);
		}
		listing_free(&l);
	}
	family_close(&nl);
}

/* Lines of the kernel's log that name this process, from a place of it on */
static int lines_of(int log, int pid)
{
	char line[8192], who[64];
	int n = 0;

	snprintf(who, sizeof(who), "process %d of user", pid);
	for (;;) {
		ssize_t len = read(log, line, sizeof(line) - 1);

		if (len < 0 && errno == EPIPE)
			continue;
		if (len <= 0)
			return n;
		line[len] = '\0';
		if (strstr(line, "reads physical memory") && strstr(line, who))
			n++;
	}
}

static int register_often(void)
{
	struct doca d;
	uint32_t mem;
	int i, err = doca_open(&d);

	for (i = 0; i < 40 && !err; i++)
		err = reg_physical(d.fd, &mem) ?: mem_dereg(d.fd, mem);
	return err;
}

/* Once, however often it registers. Many processes in a short time are not all told */
TEST_F(physical, the_log_names_who_registers)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	pid_t pid;

	ASSERT_LE(0, log);
	pause_us(5200000);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(register_often() ? 1 : 0);
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(1, lines_of(log, pid));
	close(log);
}

/* It reads as fast as it can until it is killed; the file is its own */
static void read_for_ever(FIXTURE_DATA(physical) *self, uint32_t *reading)
{
	struct doca_cqe cqe;
	struct doca d;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (doca_open(&d) || buf_make(&d, &self->room, ROOM, ACCESS_LOCAL) ||
	    reg_physical(d.fd, &self->mem) ||
	    mem_map(d.fd, self->mem, d.device, DOCA_ACCESS_LOCAL_READ,
		    &self->key) ||
	    queue_open_gather(&self->q, &d, 0))
		_exit(1);
	fill_list(self);
	while (!gather(self, PIECES, &cqe) && !cqe.status)
		ring_store(reading, 1);
	_exit(2);
}

TEST_F_TIMEOUT(physical, a_reader_is_killed, 120)
{
	uint32_t *reading = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int i;

	ASSERT_NE(MAP_FAILED, reading);
	for (i = 0; i < 8; i++) {
		pid_t pid;

		*reading = 0;
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			read_for_ever(self, reading);
		ASSERT_TRUE(wait_until_nonzero(reading, WAIT_NS));
		pause_us(100 * i);
		/* The module stays as long as it is read */
		EXPECT_NE(0, syscall(SYS_delete_module, "doca", O_NONBLOCK));
		kill(pid, SIGKILL);
		EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	}
	munmap(reading, PAGE);
}

/* For good: tools/build/check has a machine for it that does nothing else */
static int lock_down(void)
{
	mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	return write_text("/sys/kernel/security/lockdown", "confidentiality");
}

TEST_F(physical, nothing_is_read_in_lockdown)
{
	struct doca_sqe sqe = sqe_gather(seg_of(&self->room, 0, ROOM), 1);
	struct doca_seg at = { self->key, PIECE, self->at[0] };
	uint32_t mem;

	if (!getenv("DOCA_LOCKDOWN"))
		SKIP(return, "set DOCA_LOCKDOWN where it may be for good");
	EXPECT_EQ(DOCA_STATUS_SUCCESS, status_of(self, sqe, &at, 1));
	ASSERT_EQ(0, lock_down());
	memset(self->room.addr, 0xee, ROOM);
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, status_of(self, sqe, &at, 1));
	EXPECT_TRUE(is_filled_with(self->room.addr, ROOM, 0xee));
	EXPECT_EQ(-EPERM, reg_physical(self->d.fd, &mem));
}

TEST_HARNESS_MAIN
