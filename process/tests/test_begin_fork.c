// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A fork while the driver begins for the first time: it begins anew in the child. */
#include <stdlib.h>

#include "in_child.h"
#include "inproc.h"

static bool armed;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static void begin_anew(void)
{
	int fd = inproc_open();

	EXPECT(fd >= 0);
	inproc_close(fd);
}

/* The driver's lock is held when it asks for memory first. So it is if another thread forks. */
void *__wrap_malloc(size_t size)
{
	if (armed) {
		armed = false;
		IN_CHILD(begin_anew());
	}
	return __real_malloc(size);
}

TEST(a_child_begins_while_its_parent_does)
{
	int fd;

	armed = true;
	fd = inproc_open();
	EXPECT(fd >= 0 && !armed);
	IN_CHILD(begin_anew());
	inproc_close(fd);
}
