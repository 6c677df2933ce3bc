// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A fork while the driver begins for the first time, wherever that is when it asks for memory: it
 * begins anew in the child. And want of that memory: it begins later. A process begins once, so each
 * time has its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "in_child.h"
#include "inproc.h"

/* A request for memory at which something is to happen: the n-th; 0: none */
static struct {
	unsigned int at;
	bool fails; /* or forks */
} armed;

/* Shared with the child that begins */
static bool *happened;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);

static void begin_anew(void)
{
	int fd;

	alarm(20); /* a lock of the parent's would be waited for in vain */
	fd = inproc_open();
	EXPECT(fd >= 0);
	inproc_close(fd);
}

/* The driver's lock is held then. So it is if another thread forks. */
static bool is_refused(void)
{
	if (!armed.at || --armed.at)
		return false;
	*happened = true;
	if (!armed.fails)
		IN_CHILD(begin_anew());
	return armed.fails;
}

void *__wrap_malloc(size_t size)
{
	return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return is_refused() ? NULL : __real_calloc(nr, size);
}

static void begin_armed(unsigned int at, bool fails)
{
	int fd;

	armed.at = at;
	armed.fails = fails;
	fd = inproc_open();
	armed.at = 0;
	if (fails && *happened)
		EXPECT_EQ(fd, -ENOMEM);
	else
		EXPECT(fd >= 0);
	IN_CHILD(begin_anew());
	if (fd < 0)
		begin_anew();
	else
		inproc_close(fd);
}

static void begin_each_time(bool fails)
{
	unsigned int n = 0;

	happened = mmap(NULL, sizeof(*happened), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	ASSERT(happened != MAP_FAILED);
	do {
		n++;
		*happened = false;
		IN_CHILD(begin_armed(n, fails));
	} while (*happened);
	munmap(happened, sizeof(*happened));
	EXPECT(n > 4);
}

/* The first time nothing of the driver is changed; later there is something to be put back. */
TEST(a_child_begins_while_its_parent_does)
{
	begin_each_time(false);
}

TEST(without_memory_it_begins_later)
{
	begin_each_time(true);
}
