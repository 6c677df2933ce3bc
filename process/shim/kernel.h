/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The kernel's interfaces that the driver's sources use, implemented for a
 * process. It is included first, and the kernel's headers are empty here;
 * headers that user space has as well, such as linux/types.h, are user space's.
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
