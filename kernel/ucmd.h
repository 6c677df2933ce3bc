/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A call in progress: a copy of its argument, and the place of the answer. */
#ifndef DOCA_UCMD_H
#define DOCA_UCMD_H

#include <linux/minmax.h>
#include <linux/uaccess.h>

struct doca_file;

/*
 * The argument has @ksize bytes at @arg in this kernel, and @usize bytes at @uarg for the
 * caller.
 */
struct doca_ucmd {
	struct doca_file *file;
	void *owner; /* the queue, for calls on a queue */
	void __user *uarg;
	u32 usize;
	u32 ksize;
	void *arg;
};

/* Copy the answer out. Call it before anything is published, because it can fail. */
static inline int doca_ucmd_respond(struct doca_ucmd *ucmd)
{
	if (copy_to_user(ucmd->uarg, ucmd->arg,
			 min(ucmd->usize, ucmd->ksize)))
		return -EFAULT;
	return 0;
}

#endif
