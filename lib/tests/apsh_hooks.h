/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A sound kernel with a module that may hook its system calls. */
#ifndef DOCA_TESTS_APSH_HOOKS_H
#define DOCA_TESTS_APSH_HOOKS_H

#include "apsh_findings.h"
#include "apsh_probe.h"

#define HOOKS doca_priv_apsh_hooks_check
#define CALL "__x64_sys_call1"

static void set_up(void)
{
	set_up_sound(4);
	new_evil_module();
}

/* Where a function may be changed: behind its endbr64, if it has one. */
static u64 place_of_entry(int i)
{
	return entry_va(i) + (i % 2 ? 4 : 0);
}

#endif /* DOCA_TESTS_APSH_HOOKS_H */
