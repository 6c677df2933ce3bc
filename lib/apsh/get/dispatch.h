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
	u32 size; /* the function ends within so many bytes */
	u32 len; /* so many are there */
	u8 code[DISPATCH_CODE];
};

/* Read it. False if its beginning is not in the image. */
bool dispatch_read(struct view *v, u64 va, u64 end, struct dispatch *d);

/*
 * Return where it leads for a number, and in *by_call whether by a call; or 0, and in *target the
 * address of what is not understood, or not there.
 */
bool dispatch_follow(const struct dispatch *d, u32 number, u64 *target,
		     bool *by_call);
bool dispatch_has(const struct dispatch *d, u64 va);

#endif /* DOCA_APSH_DISPATCH_H */
