/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Checks of arguments in every public function; they log why INVALID_VALUE is returned. */
#ifndef DOCA_CORE_ARGS_H
#define DOCA_CORE_ARGS_H

#include "debug.h"
#include "log.h"

#define ARG_REFUSED_(why) LOG_ERR("%s(): invalid argument: %s", __func__, why)

/* Is the pointer not NULL, or the number not 0? */
#define given(arg) ((arg) || (ARG_REFUSED_(#arg " is NULL or 0"), false))

/* Must the call be refused? The condition itself is logged. */
#define refused(condition) ((condition) && (ARG_REFUSED_(#condition), true))

#define DEBUG_LIVES_(p, in_use)           \
	(doca_likely(!doca_priv_debug) || \
	 doca_priv_debug_valid(p, TYPE_OF(p), in_use, __func__))

/*
 * Return true for an object that exists and, in debug mode, is of its type, and not a
 * buffer or a task that the program has released.
 */
#define valid(p) (given(p) && DEBUG_LIVES_(p, true))

/* Like valid(), but accept a buffer or a task that was released. */
#define known(p) (given(p) && DEBUG_LIVES_(p, false))

/* May it be NULL? Then it is for the program to leave out. */
#define valid_or_null(p) (!(p) || DEBUG_LIVES_(p, true))

#endif /* DOCA_CORE_ARGS_H */
