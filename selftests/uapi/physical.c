// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Physical memory: who may register it, and that nothing but GATHER gets at it. Where the
 * module was loaded without its parameter, that it is refused.
 */
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "doca_nl.h"
#include "physical_fixture.h"

#define PARAMETER "/sys/module/doca/parameters/physical_memory"

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

	if (stat(PARAMETER, &st) && errno == ENOENT) {
		EXPECT_EQ(-EOPNOTSUPP, reg_physical(self->d.fd, &self->mem));
		SKIP(return, "the kernel has no /proc/kcore, and none of this");
	}
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

/* For good: scripts/build/check has a machine for it that does nothing else */
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
