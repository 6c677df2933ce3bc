// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Copies the argument of a call in, the same way for all calls. */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched.h>

#include "file.h"
#include "ioctl.h"

long doca_ioctl_dispatch(const struct doca_ioctl *table, unsigned int nr,
			 unsigned int base, struct doca_file *file, void *owner,
			 unsigned int cmd, unsigned long uarg)
{
	u64 arg[DOCA_IOCTL_MAX_SIZE / sizeof(u64)] = {};
	struct doca_ucmd ucmd = {
		.file = file,
		.owner = owner,
		.uarg = (void __user *)uarg,
		.arg = arg,
	};
	unsigned int index = _IOC_NR(cmd) - base;
	const struct doca_ioctl *op;
	int rc;

	if (current->mm != file->mm)
		return -EPERM;
	if (index >= nr)
		return -ENOTTY;
	op = &table[array_index_nospec(index, nr)];
	if (op->cmd != cmd)
		return -ENOTTY;

	if (get_user(ucmd.usize, (u32 __user *)ucmd.uarg))
		return -EFAULT;
	/* Bound the search for a tail that is not zero. */
	if (ucmd.usize > PAGE_SIZE)
		return -E2BIG;
	if (ucmd.usize < op->min_size)
		return -EINVAL;
	ucmd.ksize = op->size;
	rc = copy_struct_from_user(arg, ucmd.ksize, ucmd.uarg, ucmd.usize);
	if (rc)
		return rc;
	/* Handlers must not use the size in the argument, which was read a second time. */
	return op->handler(&ucmd);
}
