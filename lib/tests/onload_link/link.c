// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <poll.h>
#include <sys/syscall.h>

#include "../fake_xsk.h"
#include "link.h"
#include "xsk/kind.h"

static _Atomic uint64_t virtual_ns = 1000000000;
static _Atomic bool skips;

__attribute__((constructor)) static void init(void)
{
	wire_reset();
}

/*
 * These two replace libc's for everything that is linked with this. A sanitizer asks for the
 * time as well, even when a thread ends, so the first is not instrumented.
 */
__attribute__((no_sanitize("address", "thread", "undefined"))) LINK_EXPORT int
clock_gettime(clockid_t clock, struct timespec *ts)
{
	const uint64_t ns = virtual_ns;

	if (clock != CLOCK_MONOTONIC)
		return syscall(SYS_clock_gettime, clock, ts);
	*ts = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	return 0;
}

LINK_EXPORT int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *limit,
		      const sigset_t *mask)
{
	static const struct timespec at_once;
	int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) =
		dlsym(RTLD_NEXT, "ppoll");
	int ret = real(fds, nr, skips && limit ? &at_once : limit, mask);

	if (skips && limit && !ret)
		virtual_ns += limit->tv_sec * 1000000000ull + limit->tv_nsec;
	return ret;
}

bool kind_has_own_hook(int ifindex)
{
	(void)ifindex;
	return wire.mode != XSK_LATE;
}

void link_set(enum xsk_mode mode, int attach_err, int error)
{
	wire.mode = mode;
	wire.attach_err = attach_err;
	wire.attach_step = XSK_STEP_ATTACH;
	wire.error = error;
}

void link_pass(unsigned int ms)
{
	virtual_ns += ms * 1000000ull;
}

void link_skip_waits(bool skip)
{
	skips = skip;
}

void link_on_change(void (*in_map)(void))
{
	wire.in_map = in_map;
}

uint64_t link_lease(void)
{
	uint64_t until = 0;

	pthread_mutex_lock(&wire_lock);
	for (int i = 0; wire.program && i < WIRE_RULES; i++)
		if (wire.program->rules[i].used && wire.program->rules[i].target.until > until)
			until = wire.program->rules[i].target.until;
	pthread_mutex_unlock(&wire_lock);
	return until;
}

bool link_receive(const void *frame, uint32_t len)
{
	const unsigned int before = wire.passed;

	wire_receive(0, frame, len);
	return wire.passed == before;
}

void link_settle(void)
{
	wire_settle();
}

unsigned int link_rules(void)
{
	return wire_rules();
}

unsigned int link_dropped(void)
{
	return wire.dropped;
}

bool link_is_clean(void)
{
	return !wire.sockets && !wire.umems && !wire.programs;
}

void link_complete(uint8_t *frame, uint32_t len)
{
	struct frame_view view;

	frame_parse(frame, len, &view);
	frame_set_l3_sum(frame, &view);
	frame_set_l4_sum(frame, &view);
}
