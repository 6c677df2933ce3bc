// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What GATHER reads of physical memory: all that is there, zeros for what is not, and the
 * same while memory comes and goes or the reader is killed.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "physical_fixture.h"

#ifndef __NR_memfd_secret
#define __NR_memfd_secret 447
#endif

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

/* One with a page that was poisoned, as a test of ours does, would not come back. */
static bool goes_and_comes(const char *state)
{
	return !write_text(state, "offline") && !write_text(state, "online") &&
	       !write_text(state, "offline");
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
		if (goes_and_comes(state)) {
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

TEST_HARNESS_MAIN
