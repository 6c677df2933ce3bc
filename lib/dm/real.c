// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The functions of libibverbs that ours replace. They are set before the first context. */
#include <dlfcn.h>
#include <stddef.h>

#include "real.h"

struct real real;

static void *find(const char *name, const char *version)
{
	return dlvsym(RTLD_NEXT, name, version);
}

static __attribute__((constructor)) void begin(void)
{
	real.open_device = find("ibv_open_device", "IBVERBS_1.1");
	real.close_device = find("ibv_close_device", "IBVERBS_1.1");
	real.dereg_mr = find("ibv_dereg_mr", "IBVERBS_1.1");
	real.rereg_mr = find("ibv_rereg_mr", "IBVERBS_1.1");
	real.import_device = find("ibv_import_device", "IBVERBS_1.10");
	real.import_dm = find("ibv_import_dm", "IBVERBS_1.13");
	real.unimport_dm = find("ibv_unimport_dm", "IBVERBS_1.13");
}
