// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>

#include "../zc.h"

static struct real functions;
static atomic_bool found;

/* Two threads at once are harmless: both find the same. */
static void find(void)
{
	const struct {
		void **function;
		const char *name;
	} all[] = {
		{ (void **)&functions.recv, "recv" },
		{ (void **)&functions.recvfrom, "recvfrom" },
		{ (void **)&functions.recvmsg, "recvmsg" },
		{ (void **)&functions.recvmmsg, "recvmmsg" },
		{ (void **)&functions.read, "read" },
		{ (void **)&functions.readv, "readv" },
		{ (void **)&functions.recv_chk, "__recv_chk" },
		{ (void **)&functions.recvfrom_chk, "__recvfrom_chk" },
		{ (void **)&functions.read_chk, "__read_chk" },
		{ (void **)&functions.setsockopt, "setsockopt" },
		{ (void **)&functions.close, "close" },
		{ (void **)&functions.dup, "dup" },
		{ (void **)&functions.dup2, "dup2" },
		{ (void **)&functions.dup3, "dup3" },
		{ (void **)&functions.connect, "connect" },
		{ (void **)&functions.poll, "poll" },
		{ (void **)&functions.ppoll, "ppoll" },
		{ (void **)&functions.select, "select" },
		{ (void **)&functions.pselect, "pselect" },
		{ (void **)&functions.epoll_ctl, "epoll_ctl" },
		{ (void **)&functions.ioctl, "ioctl" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		__atomic_store_n(all[i].function, dlsym(RTLD_NEXT, all[i].name),
				 __ATOMIC_RELAXED);
	atomic_store_explicit(&found, true, memory_order_release);
}

const struct real *real(void)
{
	if (!atomic_load_explicit(&found, memory_order_acquire))
		find();
	return &functions;
}

/* A signal handler may call read(), in which dlsym() is not allowed. */
__attribute__((constructor)) static void find_early(void)
{
	real();
}
