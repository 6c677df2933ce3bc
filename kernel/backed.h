/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that files back. A file may lose pages while they are registered: it is
 * truncated, a hole is punched, or its cache is given up. What such a page has, if it is
 * still there, nobody else sees any more: operations on it fail.
 *
 * In a process this is process/driver/backed.c.
 */
#ifndef DOCA_BACKED_H
#define DOCA_BACKED_H

#include <linux/types.h>

struct page;

/*
 * Whether any of a range of the caller's memory is a writable shared mapping of a file
 * whose filesystem tracks dirty pages: nobody would tell it what operations write, so
 * such memory is only read. -EINTR if the caller is being killed.
 */
int doca_backed_is_tracked(unsigned long addr, unsigned long length);

/**
 * enum doca_backing - bits: whose the pages of a memory are, but for those of the process
 * @DOCA_BACKED_BY_FILE: a file's, which it may lose
 * @DOCA_BACKED_BY_NOBODY: of a driver that has let the process map them; nobody can tell
 *	whether they are still anybody's, so of such a memory no page is looked at
 */
enum doca_backing {
	DOCA_BACKED_BY_FILE = 1 << 0,
	DOCA_BACKED_BY_NOBODY = 1 << 1,
};

/* Bits of &enum doca_backing for pages that the caller has pinned. */
unsigned int doca_backing_of(struct page **pages, unsigned long nr);

/*
 * How many of @length bytes at a kernel's address of pinned memory are in pages that
 * their files have not lost, from the first byte on.
 */
u64 doca_backed_there(const void *at, u64 length);

/**
 * struct doca_backed_side - one side of a copy
 * @at: the kernel's address
 * @backed: files may have lost pages of it
 */
struct doca_backed_side {
	void *at;
	bool backed;
};

/* Returns how many bytes at the end could not be copied. */
u32 doca_backed_copy(struct doca_backed_side to, struct doca_backed_side from,
		     u32 length);

#endif
