/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* A call in progress: its argument, copied, and where the answer goes. */
#ifndef DOCA_UCMD_H
#define DOCA_UCMD_H

#include <linux/minmax.h>
#include <linux/uaccess.h>

struct doca_file;

/*
 * @ksize bytes at @arg are the argument as this kernel knows it; the caller's
 * has @usize bytes, at @uarg.
 */
struct doca_ucmd {
	struct doca_file *file;
	void *owner; /* the queue of a call on a queue */
	void __user *uarg;
	u32 usize;
	u32 ksize;
	void *arg;
};

/* Copy the answer out; before anything is published, because it can fail. */
static inline int doca_ucmd_respond(struct doca_ucmd *ucmd)
{
	if (copy_to_user(ucmd->uarg, ucmd->arg,
			 min(ucmd->usize, ucmd->ksize)))
		return -EFAULT;
	return 0;
}

#endif
