/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_CORE_OUT_OF_H
#define DOCA_CORE_OUT_OF_H

#include <errno.h>
#include <stdbool.h>

/*
 * Return true if the process or the machine has run out of memory or descriptors. Such a failure
 * concerns no single object, and may be over the next time. @err is negative.
 */
static inline bool is_out_of(int err)
{
	return err == -ENOMEM || err == -EMFILE || err == -ENFILE;
}

#endif /* DOCA_CORE_OUT_OF_H */
