/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Debug mode for the whole of a program. */
#ifndef DOCA_TESTS_DEBUG_MODE_H
#define DOCA_TESTS_DEBUG_MODE_H

#include <stdlib.h>

#include "logged.h"

/* Before the library looks. */
__attribute__((constructor(101))) static void switch_on(void)
{
	setenv("DOCA_DEBUG", "1", 1);
}

#endif /* DOCA_TESTS_DEBUG_MODE_H */
