/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Judge pages of an area that may be executed: whether their content is that of a file on a disk,
 * or the kernel's.
 */
#ifndef DOCA_APSH_SUSPECT_H
#define DOCA_APSH_SUSPECT_H

#include "group.h"

/* From SUSPECT_CODE on, a page is suspicious. */
enum verdict {
	SUSPECT_NOT,
	SUSPECT_UNKNOWN,
	SUSPECT_CODE, /* no file on a disk has it */
	SUSPECT_ELF, /* such a page, with a header of ELF, is the first of its area */
	SUSPECT_CHANGED, /* the process has written to it, and it differs from its file */
	SUSPECT_COPIED, /* the process has written to it, and its file's page is not in memory */
	SUSPECT_VDSO, /* the process has written to the kernel's page */
};

struct suspect {
	struct call *c;
	const struct area *a;
	/* IN_MEMORY: a file without a path, on no disk; REMOVED: shared, on a disk */
	enum {
		ON_DISK,
		IN_MEMORY,
		REMOVED,
		HUGE_PAGES,
		NO_FILE,
		KERNELS
	} origin;
	u64 index; /* the file's page that the area begins with */
	u64 pages; /* the file has so many */
};

/* Return false if what is known of the area is not all in the image. */
bool suspect_begin(struct suspect *s, struct call *c, const struct area *a);

/* Judge a page. Set *left to how many bytes have this verdict; to PAGE unless nothing is there. */
enum verdict suspect_judge(const struct suspect *s, u64 va, u64 *left);

/* Return SUSPECT_ELF, NOT or UNKNOWN, as the area begins with a header. It may be one of data. */
enum verdict suspect_header(const struct suspect *s);

#endif /* DOCA_APSH_SUSPECT_H */
