/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What every public function asks of its arguments, with the line in the log that an
 * answer of INVALID_VALUE comes with; of objects see debug.h.
 */
#ifndef DOCA_CORE_ARGS_H
#define DOCA_CORE_ARGS_H

#include "log.h"

#define ARG_REFUSED_(why) LOG_ERR("%s(): invalid argument: %s", __func__, why)

/* Is a pointer, or a number that must be more, there? */
#define given(arg) ((arg) || (ARG_REFUSED_(#arg " is NULL or 0"), false))

/* Is it so that the call must be refused? What is logged is the condition itself. */
#define refused(condition) ((condition) && (ARG_REFUSED_(#condition), true))

#endif /* DOCA_CORE_ARGS_H */
