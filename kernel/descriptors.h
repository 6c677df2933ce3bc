/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Descriptors of the calling process. */
#ifndef DOCA_DESCRIPTORS_H
#define DOCA_DESCRIPTORS_H

#include <linux/types.h>

struct file;

/*
 * Return true if any thread of the process has a descriptor of the file. Of two threads that
 * close their last ones at once, one at least sees none.
 */
bool doca_process_has(const struct file *filp);

#endif
