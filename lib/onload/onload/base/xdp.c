// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdp.h"
#include "../zc.h"

static _Atomic(const struct onload_xdp *) loaded;
static char failure[96];

enum xdp_wanted xdp_wanted(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	const char *text = secure_getenv("DOCA_ZC");

	if (!text || !strcmp(text, "auto"))
		return WANT_AUTO;
	if (!strcmp(text, "xdp"))
		return WANT_XDP;
	if (strcmp(text, "kernel") && !atomic_flag_test_and_set(&said))
		log_error(
			"DOCA_ZC is none of auto, xdp and kernel; datagrams come through the kernel");
	return WANT_KERNEL;
}

/*
 * The library stays while the process lives. In a child of a fork the loader may be half made, by what
 * others loaded at that moment; as with loads of the program's own, nobody here can tell.
 */
static void load(void)
{
	void *library = dlopen(XDP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const struct onload_xdp *table;

	table = library ? dlsym(library, XDP_TABLE) : NULL;
	if (!table)
		snprintf(failure, sizeof(failure), "%s", dlerror());
	else if (table->version != XDP_VERSION)
		snprintf(failure, sizeof(failure), "%s is of another release",
			 XDP_LIBRARY);
	else
		atomic_store(&loaded, table);
}

const struct onload_xdp *xdp_load(char *reason, size_t room)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	if (!atomic_load(&loaded))
		snprintf(reason, room, "%s", failure);
	return atomic_load(&loaded);
}

const struct onload_xdp *xdp_get(void)
{
	return atomic_load_explicit(&loaded, memory_order_acquire);
}
