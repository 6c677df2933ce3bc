// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>

#include "fault.h"

/* Tests with several threads make no call fail, but their calls are counted. */
static struct {
	unsigned int at;
	unsigned int calls;
	bool happened;
} faults[FAULT_LAST];

void fault_at(enum fault kind, unsigned int n)
{
	faults[kind].at = n;
	faults[kind].happened = false;
	__atomic_store_n(&faults[kind].calls, 0, __ATOMIC_RELAXED);
}

bool fault_happened(enum fault kind)
{
	return faults[kind].happened;
}

unsigned int fault_calls(enum fault kind)
{
	return __atomic_load_n(&faults[kind].calls, __ATOMIC_RELAXED);
}

bool fault_next(enum fault kind)
{
	bool more = faults[kind].happened;

	fault_at(kind, more ? faults[kind].at + 1 : 0);
	return more;
}

static bool fails(enum fault kind)
{
	unsigned int n = __atomic_add_fetch(&faults[kind].calls, 1, __ATOMIC_RELAXED);

	if (n != faults[kind].at)
		return false;
	faults[kind].happened = true;
	errno = kind == FAULT_ALLOC ? ENOMEM : EMFILE;
	return true;
}

/* "ld --wrap=f" turns f into __wrap_f, and __real_f is the original f. */
#define WRAP(kind, failure, type, name, parameters, arguments)            \
	type __real_##name parameters;                                    \
	type __wrap_##name parameters;                                    \
	type __wrap_##name parameters                                     \
	{                                                                 \
		return fails(kind) ? (failure) : __real_##name arguments; \
	}

WRAP(FAULT_ALLOC, NULL, void *, malloc, (size_t size), (size))
WRAP(FAULT_ALLOC, NULL, void *, calloc, (size_t n, size_t size), (n, size))
WRAP(FAULT_ALLOC, NULL, void *, realloc, (void *p, size_t size), (p, size))
WRAP(FAULT_ALLOC, NULL, void *, aligned_alloc, (size_t align, size_t size), (align, size))
WRAP(FAULT_ALLOC, NULL, void *, reallocarray, (void *p, size_t n, size_t size), (p, n, size))
WRAP(FAULT_ALLOC, NULL, char *, strdup, (const char *s), (s))
WRAP(FAULT_ALLOC, NULL, char *, strndup, (const char *s, size_t n), (s, n))
WRAP(FAULT_FD, -1, int, epoll_create1, (int flags), (flags))
WRAP(FAULT_FD, -1, int, epoll_ctl, (int fd, int op, int of, struct epoll_event *event),
     (fd, op, of, event))
WRAP(FAULT_FD, -1, int, eventfd, (unsigned int count, int flags), (count, flags))

/* Called by sanitizers: a failed allocation must not end the program. */
#define ASKED __attribute__((visibility("default"))) const char *
#define OPTIONS "allocator_may_return_null=1:max_allocation_size_mb=1024"

ASKED __asan_default_options(void);
ASKED __asan_default_options(void)
{
	return OPTIONS;
}

ASKED __tsan_default_options(void);
ASKED __tsan_default_options(void)
{
	return OPTIONS;
}
