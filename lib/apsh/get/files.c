// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Tables of open files. */
#include <stdlib.h>

#include "group.h"

enum { MAX_FDS = 1 << 20 };

u64 *files_get(struct call *c, u64 task, u32 *nr)
{
	struct view *v = &c->view;
	u64 files = view_field(v, task, F_TASK_FILES), fdt, fd, max;
	u64 misses = v->misses, *list;

	*nr = 0;
	fdt = files ? view_field(v, files, F_FILES_FDT) : 0;
	if (!fdt)
		return NULL;
	max = view_field(v, fdt, F_FDT_MAX);
	fd = view_field(v, fdt, F_FDT_FD);
	if (max > MAX_FDS || (max && !fd)) {
		view_broken(v, misses, "a table of files", fdt);
		return NULL;
	}
	list = max ? calloc(max, sizeof(*list)) : NULL;
	if (!list) {
		if (max)
			v->error = VIEW_NO_MEMORY;
		return NULL;
	}
	view_want(v, NULL, fd, max * 8);
	if (view_flush(v) && !view_read(v, NULL, fd, list, max * 8))
		view_broken(v, misses, "a table of files", fd);
	*nr = (u32)max;
	for (u32 i = 0; i < *nr; i++) {
		list[i] &= ~7ULL; /* newer kernels keep flags there */
		view_want_field(v, list[i], F_FILE_INODE);
		view_want_field(v, list[i], F_FILE_DENTRY);
	}
	view_flush(v);
	return list;
}
