// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "shim/kernel.h"

unsigned int inproc_page_shift = 12;

static void __attribute__((constructor)) init_page_shift(void)
{
	inproc_page_shift = ilog2(sysconf(_SC_PAGESIZE));
}
