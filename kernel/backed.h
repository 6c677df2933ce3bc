/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Memory that files back. A file may lose pages while they are registered: it is
 * truncated, a hole is punched, or its cache is dropped. Nobody else sees the contents of
 * such a page any more, even if it is still there, so operations on it fail.
 *
 * In a process this is process/driver/backed.c.
 */
#ifndef DOCA_BACKED_H
#define DOCA_BACKED_H

#include <linux/types.h>

struct page;

/*
 * Return true if any of a range of the caller's memory is a writable shared mapping of a
 * file whose filesystem tracks dirty pages. Nothing would tell the filesystem of an
 * operation's writes, so such memory is read-only. -EINTR if the caller is being killed.
 */
int doca_backed_is_tracked(unsigned long addr, unsigned long length);

/**
 * enum doca_backing - bits that tell who owns pages of a memory, beside the process
 * @DOCA_BACKED_BY_FILE: a file, which may lose them
 * @DOCA_BACKED_BY_NOBODY: a driver that has let the process map them. Nothing tells
 *	whether they are still in use, so such a memory's pages are not checked
 */
enum doca_backing {
	DOCA_BACKED_BY_FILE = 1 << 0,
	DOCA_BACKED_BY_NOBODY = 1 << 1,
};

/* Return bits of &enum doca_backing for pages that the caller has pinned. */
unsigned int doca_backing_of(struct page **pages, unsigned long nr);

/*
 * Return how many of @length bytes at a kernel address of pinned memory are in pages that
 * their files still have, counted from the first byte on.
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

/* Return how many bytes at the end could not be copied. */
u32 doca_backed_copy(struct doca_backed_side to, struct doca_backed_side from,
		     u32 length);

#endif
