/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * What the driver's sources use of the kernel, for a process of its own. It is
 * included before everything else, so the kernel's headers are empty here; those
 * that user space has as well, such as linux/types.h, are user space's.
 */
#ifndef INPROC_KERNEL_H
#define INPROC_KERNEL_H

#include "compiler.h"
#include "atomic.h"
#include "list.h"
#include "rbtree.h"
#include "sched.h"
#include "xarray.h"
#include "mm.h"
#include "fs.h"
#include "module.h"

#endif
