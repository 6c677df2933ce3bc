// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Device memory of several processes: imports; and the room of a pool comes back whenever
 * its memory goes, in any way.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "dm_fixture.h"
#include "exporter.h"
#include "stall.h"

#define ROUNDS 10000

/* Pages that are still pinned stay with those who have pinned them. */
TEST_F(dm, room_comes_back_with_the_last_mapping)
{
	struct doca_dm_alloc a;
	uint32_t mem;
	uint8_t *p;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	ASSERT_EQ(0, mem_reg(self->d.fd, p + LEN - 1, 1, ACCESS_LOCAL, &mem));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	EXPECT_EQ(dm_pages(LEN), used(self));
	munmap(p, dm_pages(LEN));
	EXPECT_EQ(0, used(self));
	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, self->was.out_free, &a));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	EXPECT_WHOLE(self);
}

/* The child ends as @how says: by exit, or by SIGKILL. */
static pid_t child_that_takes(uint64_t length, int how, int ready)
{
	pid_t pid = fork();
	struct doca_dm_alloc a;
	struct doca d;
	uint8_t *p;
	int err;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	err = doca_open(&d);
	if (!err)
		err = dm_alloc(d.fd, d.device, length, &a);
	p = err ? NULL : dm_map(d.fd, length, a.out_offset);
	if (!p)
		_exit(1);
	memset(p, 0x5a, length);
	if (write(ready, "r", 1) != 1)
		_exit(2);
	while (how)
		pause();
	_exit(0);
}

TEST_F(dm, all_processes_have_one_pool)
{
	uint64_t tenth = self->was.out_free / 10 / PAGE * PAGE;
	struct doca_dm_alloc a;
	struct doca_dm_query q;
	pid_t pids[5];
	int ready[2];
	char c;
	int i;

	ASSERT_EQ(0, pipe(ready));
	for (i = 0; i < ARRAY_SIZE(pids); i++)
		pids[i] = child_that_takes(tenth, SIGKILL, ready[1]);
	close(ready[1]);
	for (i = 0; i < ARRAY_SIZE(pids); i++)
		ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, dm_query(self->d.fd, self->d.device, &q));
	EXPECT_EQ(self->was.out_free - 5 * tenth, q.out_free);
	EXPECT_EQ(self->was.out_nr + 5, q.out_nr);
	EXPECT_EQ(-ENOSPC, dm_alloc(self->d.fd, self->d.device,
				    q.out_free + 1, &a));
	EXPECT_EQ(0, dm_alloc(self->d.fd, self->d.device, q.out_free, &a));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		kill(pids[i], SIGKILL);
		EXPECT_EQ(1000 + SIGKILL, child_wait(pids[i]));
	}
	EXPECT_WHOLE(self);
	close(ready[0]);
}

/* It ends with the address space, although another process has the file. */
TEST_F(dm, exec_and_exit_end_it)
{
	int go[2], ready[2];
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca_dm_alloc a;
		struct doca d;

		close(go[1]);
		if (doca_open(&d) || fcntl(d.fd, F_SETFD, 0) ||
		    dm_alloc(d.fd, d.device, LEN, &a) ||
		    !dm_map(d.fd, LEN, a.out_offset) ||
		    write(ready[1], "r", 1) != 1)
			_exit(1);
		dup2(go[0], 0);
		execl("/bin/cat", "cat", NULL);
		_exit(2);
	}
	close(go[0]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_WHOLE(self);
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	close(go[1]);
	EXPECT_EQ(0, child_wait(pid));
	close(ready[0]);
	close(ready[1]);
}

/* Memory that is mapped goes with its last mapping; handles go with the file. */
TEST_F(dm, what_is_mapped_outlives_its_file)
{
	struct doca_dm_alloc a, b;
	struct doca_dm_import in;
	struct doca d;
	uint8_t *p;

	ASSERT_EQ(0, doca_open(&d));
	ASSERT_EQ(0, dm_alloc(d.fd, d.device, LEN, &a));
	ASSERT_EQ(0, dm_alloc(d.fd, d.device, PAGE, &b));
	p = dm_map(d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	close(d.fd);
	*p = 1;
	EXPECT_EQ(-ENOENT, dm_import(self->d.fd, self->d.device, b.out_handle,
				     &in));
	EXPECT_EQ(1, *p);
	munmap(p, dm_pages(LEN));
	EXPECT_WHOLE(self);
}

TEST_F(dm, an_import_is_the_same_memory_and_holds_it)
{
	struct doca_dm_import in, again;
	struct doca_dm_alloc a;
	uint8_t *p;
	pid_t pid;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	fill_random(p, LEN, 7);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		uint8_t *q, *mine = pages_alloc(dm_pages(LEN));
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, dm_import(d.fd, d.device, a.out_handle, &in));
		EXPECT_EQ(LEN, in.out_length);
		q = dm_map(d.fd, LEN, in.out_offset);
		ASSERT_NE(NULL, q);
		fill_random(mine, LEN, 7);
		EXPECT_EQ(0, memcmp(q, mine, LEN));
		fill_random(q, LEN, 8);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, dm_import(self->d.fd, self->d.device, a.out_handle, &in));
	ASSERT_EQ(0, dm_import(self->d.fd, self->d.device, a.out_handle,
			       &again));
	EXPECT_NE(in.out_dm_id, again.out_dm_id);
	EXPECT_EQ(-EBUSY, dm_free(self->d.fd, a.out_dm_id));
	EXPECT_EQ(0, dm_free(self->d.fd, in.out_dm_id));
	EXPECT_EQ(-ENOENT, dm_free(self->d.fd, in.out_dm_id));
	EXPECT_EQ(-EBUSY, dm_free(self->d.fd, a.out_dm_id));
	EXPECT_EQ(0, dm_free(self->d.fd, again.out_dm_id));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	EXPECT_EQ(-ENOENT, dm_import(self->d.fd, self->d.device, a.out_handle,
				     &in));
	munmap(p, dm_pages(LEN));
}

TEST_F(dm, imports_that_may_not_be_leave_nothing)
{
	uint32_t other = device_next(self->d.fd, self->d.device);
	struct doca_dm_import in;
	struct doca_dm_alloc a;
	pid_t pid;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	EXPECT_EQ(-ENOENT, dm_import(self->d.fd, self->d.device,
				     a.out_handle + 1, &in));
	EXPECT_EQ(-ENOENT, dm_import(self->d.fd, self->d.device, 0, &in));
	EXPECT_EQ(-ENODEV, dm_import(self->d.fd, 0, a.out_handle, &in));
	if (other)
		EXPECT_EQ(-ENOENT, dm_import(self->d.fd, other, a.out_handle,
					     &in));
	in = (struct doca_dm_import){ .size = sizeof(in), .flags = 1,
				      .device_id = self->d.device,
				      .handle = a.out_handle };
	EXPECT_EQ(-EOPNOTSUPP, doca_call(self->d.fd, DOCA_DM_IMPORT, &in));
	in.flags = 0;
	in.__reserved = 1;
	EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_DM_IMPORT, &in));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		EXPECT_EQ(-EACCES, dm_import(d.fd, d.device, a.out_handle, &in));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	/* No process holds it any more. */
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
}

/* Somebody who may not import it tries to, all the time. */
TEST_F(dm, refused_imports_keep_nobody_from_freeing)
{
	uint32_t *handle = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct doca_dm_import in;
	struct doca_dm_alloc a;
	struct doca d;
	pid_t pid;
	int i;

	ASSERT_NE(MAP_FAILED, handle);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (doca_open(&d) || setresuid(SOMEBODY, SOMEBODY, SOMEBODY))
			_exit(1);
		for (;;)
			dm_import(d.fd, d.device,
				  __atomic_load_n(handle, __ATOMIC_RELAXED), &in);
	}
	for (i = 0; i < rounds(3000); i++) {
		ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, 1, &a));
		__atomic_store_n(handle, a.out_handle, __ATOMIC_RELAXED);
		ASSERT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	}
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
}

struct stalled_import {
	int fd;
	struct doca_dm_import *arg;
	int err;
};

static void *import_and_stall(void *data)
{
	struct stalled_import *import = data;

	import->err = doca_call(import->fd, DOCA_DM_IMPORT, import->arg);
	return NULL;
}

/* An import that cannot write its answer holds nothing yet. */
TEST_F(dm, an_import_counts_when_it_is_answered)
{
	struct stalled_import import = { .fd = self->d.fd };
	struct doca_dm_alloc a;
	pthread_t thread;
	int uffd;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	import.arg = pages_alloc(PAGE);
	ASSERT_NE(NULL, import.arg);
	*import.arg = (struct doca_dm_import){
		.size = sizeof(*import.arg),
		.device_id = self->d.device,
		.handle = a.out_handle,
	};
	uffd = write_protect(import.arg);
	if (uffd < 0)
		SKIP(return, "userfaultfd: %s", strerror(-uffd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, import_and_stall, &import));
	EXPECT_TRUE(is_written(uffd));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	close(uffd);
	pthread_join(thread, NULL);
	EXPECT_EQ(-ENOENT, import.err);
}

TEST_F(dm, an_import_outlives_its_owner)
{
	struct doca_dm_import in, late;
	struct doca_dm_alloc a;
	struct doca owner;
	uint8_t *p;

	ASSERT_EQ(0, doca_open(&owner));
	ASSERT_EQ(0, dm_alloc(owner.fd, owner.device, LEN, &a));
	ASSERT_EQ(0, dm_import(self->d.fd, self->d.device, a.out_handle, &in));
	close(owner.fd);
	EXPECT_EQ(-ENOENT, dm_import(self->d.fd, self->d.device, a.out_handle,
				     &late));
	p = dm_map(self->d.fd, LEN, in.out_offset);
	EXPECT_NE(NULL, p);
	EXPECT_EQ(dm_pages(LEN), used(self));
	munmap(p, dm_pages(LEN));
}

/* Two users take the memory in turn, 10,000 times, and it is always zero. */
TEST_F_TIMEOUT(dm, nobody_sees_what_others_had, 120)
{
	struct doca_dm_alloc a;
	uint8_t *p;
	pid_t pid;
	int i;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(self->d.fd);
		ASSERT_EQ(0, doca_open(&self->d));
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
	}
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
		p = dm_map(self->d.fd, LEN, a.out_offset);
		ASSERT_NE(NULL, p);
		ASSERT_TRUE(is_filled(p, dm_pages(LEN), 0));
		memset(p, pid ? 0xaa : 0x55, dm_pages(LEN));
		ASSERT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
		ASSERT_EQ(0, munmap(p, dm_pages(LEN)));
	}
	if (!pid)
		CHILD_EXIT();
	EXPECT_EQ(0, child_wait(pid));
}

/* Threads that do everything at once, with each other's ids. */
struct racer {
	pthread_t thread;
	struct doca d;
	int other; /* file of another one */
	uint32_t seed;
	uint32_t *handle; /* id that any of them has made */
	const bool *stop;
	int bad;
};

/* Allocations whose ids are lost are never freed, so limits are reached in time. */
static bool is_fair(int err)
{
	return !err || err == -ENOENT || err == -EBUSY || err == -ENOSPC ||
	       err == -EDQUOT;
}

static void race_once(struct racer *r)
{
	uint32_t n = prng(&r->seed), id = n >> 8 & 15;
	int fd = n & 64 ? r->d.fd : r->other, err = 0;
	struct doca_dm_import in;
	struct doca_dm_alloc a;
	uint8_t *p;

	switch (n & 3) {
	case 0:
		err = dm_alloc(fd, r->d.device, 1 + (n >> 16), &a);
		if (!err)
			__atomic_store_n(r->handle, a.out_handle,
					 __ATOMIC_RELAXED);
		break;
	case 1:
		err = dm_import(fd, r->d.device,
				__atomic_load_n(r->handle, __ATOMIC_RELAXED),
				&in);
		break;
	case 2:
		err = dm_free(fd, id);
		break;
	default:
		p = dm_map(fd, PAGE * (1 + (n >> 16 & 15)), id * PAGE);
		if (p) {
			*p = n;
			munmap(p, PAGE * (1 + (n >> 16 & 15)));
		}
	}
	if (!is_fair(err))
		r->bad = err;
}

static void *race(void *arg)
{
	struct racer *r = arg;

	while (!__atomic_load_n(r->stop, __ATOMIC_RELAXED))
		race_once(r);
	return NULL;
}

TEST_F(dm, calls_race)
{
	struct racer r[4];
	uint32_t handle = 0;
	bool stop = false;
	int i, other;

	other = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, other);
	for (i = 0; i < ARRAY_SIZE(r); i++) {
		r[i] = (struct racer){ .d = self->d, .other = other,
				       .seed = i + 1, .handle = &handle,
				       .stop = &stop };
		ASSERT_EQ(0, pthread_create(&r[i].thread, NULL, race, &r[i]));
	}
	pause_us(2000000);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < ARRAY_SIZE(r); i++) {
		pthread_join(r[i].thread, NULL);
		EXPECT_EQ(0, r[i].bad);
	}
	close(other);
}

TEST_HARNESS_MAIN
