/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory of a process, its areas, and files, in an image of apsh_image.h. */
#ifndef DOCA_TESTS_APSH_USER_H
#define DOCA_TESTS_APSH_USER_H

#include "apsh_image.h"

static u64 root_dentry, root_mount;

static u64 string(const char *text)
{
	u64 va = object(strlen(text) + 1, 8);

	set_text(va, text);
	return va;
}

static u64 new_dentry(u64 parent, const char *name)
{
	u64 dentry = object(256, 64);

	set(dentry, F_DENTRY_NAME, string(name));
	set(dentry, F_DENTRY_LEN, strlen(name));
	set(dentry, F_DENTRY_PARENT, parent ? parent : dentry);
	set(dentry, F_DENTRY_PPREV, 1);
	set(dentry, F_DENTRY_SB, object(64, 64));
	return dentry;
}

static void set_up_root(void)
{
	root_dentry = new_dentry(0, "/");
	root_mount = object(256, 64);
	set(root_mount, F_MOUNT_PARENT, root_mount);
	set(field_va(root_mount, F_MOUNT_MNT), F_VFSMOUNT_ROOT, root_dentry);
}

static u64 new_file(u64 dentry, u32 mode)
{
	u64 file = object(256, 64), inode = object(128, 64);

	set(file, F_FILE_MNT, field_va(root_mount, F_MOUNT_MNT));
	set(file, F_FILE_DENTRY, dentry);
	set(file, F_FILE_INODE, inode);
	set(file, F_FILE_MODE, 1);
	set(inode, F_INODE_MODE, mode);
	set(inode, F_INODE_INO, 4711);
	return file;
}

/* A process with one page of memory at USER_VA, and a leaf of a maple tree. */
static u64 new_mm(u64 task, u64 *leaf, u64 *page)
{
	u64 mm = object(512, 64), top = object(4096, 4096), table = top, next;
	int levels = image.levels;

	for (int level = levels; level; level--) {
		next = object(4096, 4096);
		((u64 *)at_va(table))[USER_VA >> (3 + 9 * level) & 511] = pa_of(next) | 7;
		table = next;
	}
	*page = table;
	*leaf = object(256, 256);
	set(task, F_TASK_MM, mm);
	set(mm, F_MM_PGD, top);
	/* the root is a leaf of ranges */
	if (!map_is_old)
		set(mm, F_MM_ROOT, *leaf | 1 << 3 | 2);
	return mm;
}

static u64 *pivots(u64 leaf)
{
	return at_va(field_va(leaf, F_MR64_PIVOTS));
}

static u64 *slots(u64 leaf)
{
	return at_va(field_va(leaf, F_MR64_SLOTS));
}

/* Add an area in slot i, behind a gap in slot i - 1. */
static u64 new_area(u64 mm, u64 leaf, int i, u64 start, u64 end, u64 flags, u64 file)
{
	u64 area = object(256, 64);

	set(area, F_VMA_START, start);
	set(area, F_VMA_END, end);
	set(area, F_VMA_MM, mm);
	set(area, F_VMA_FLAGS, flags);
	set(area, F_VMA_FILE, file);
	pivots(leaf)[i - 1] = start - 1;
	pivots(leaf)[i] = end - 1;
	slots(leaf)[i] = area;
	return area;
}

#endif /* DOCA_TESTS_APSH_USER_H */
