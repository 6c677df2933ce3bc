/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The functions by which kernels choose a system call, since tables no longer do: each is a
 * tree of comparisons of the number, with jumps to the functions of the calls.
 */
#ifndef DOCA_APSH_DISPATCH_H
#define DOCA_APSH_DISPATCH_H

#include "../view/view.h"

enum { DISPATCH_CODE = 16 << 10 };

struct dispatch {
	const struct kernel *kernel;
	u64 va;
	u32 len; /* the code is cut off somewhere behind the function's end */
	u8 code[DISPATCH_CODE];
};

/* Read it. False if its beginning is not in the image. */
bool dispatch_read(struct view *v, u64 va, u64 end, struct dispatch *d);

/*
 * Return where it leads for a number, and in *by_call whether by a call; or 0, and in *target the
 * address of what is not understood.
 */
bool dispatch_follow(const struct dispatch *d, u32 number, u64 *target,
		     bool *by_call);

#endif /* DOCA_APSH_DISPATCH_H */
