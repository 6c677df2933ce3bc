/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Tables of extensible ioctls. See uapi/linux/doca.h for the rules. */
#ifndef DOCA_IOCTL_H
#define DOCA_IOCTL_H

#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <linux/doca.h>

#include "ucmd.h"

/*
 * @size of the argument in this kernel, @min_size when the call was introduced.
 */
struct doca_ioctl {
	unsigned int cmd;
	unsigned int size;
	unsigned int min_size;
	int (*handler)(struct doca_ucmd *ucmd);
};

/* Maximum size of an argument. */
#define DOCA_IOCTL_MAX_SIZE 136

/*
 * @last: the last field of the structure when it was introduced.
 */
#define DOCA_IOCTL(name, struct_name, last)                                    \
	[DOCA_CMD_##name -                                                     \
	 (DOCA_CMD_##name >= DOCA_CMD_QUEUE_BASE ? DOCA_CMD_QUEUE_BASE :       \
						   DOCA_CMD_BASE)] = {         \
		.cmd = DOCA_##name,                                            \
		.size = sizeof(struct doca_##struct_name) +                    \
			BUILD_BUG_ON_ZERO(sizeof(struct doca_##struct_name) >  \
					  DOCA_IOCTL_MAX_SIZE),                \
		.min_size = offsetofend(struct doca_##struct_name, last),      \
		.handler = doca_ioctl_##struct_name,                           \
	}

/*
 * @owner: object of the table's handlers, beside the file
 */
long doca_ioctl_dispatch(const struct doca_ioctl *table, unsigned int nr,
			 unsigned int base, struct doca_file *file, void *owner,
			 unsigned int cmd, unsigned long uarg);

#endif
