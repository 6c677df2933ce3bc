/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Functions that groups share. */
#ifndef DOCA_APSH_GROUP_H
#define DOCA_APSH_GROUP_H

#include "../call.h"

enum { MAX_PATH = 4096 };

extern const struct getter processes_getter;

/*
 * Get the name of the innermost container that a task is in, as its runtime has it; false if
 * it is in none.
 */
enum { CONTAINER_ID = 256 };
bool container_of_task(struct view *v, u64 task, char id[CONTAINER_ID]);
/* Return true if the task is in the call's container. */
bool in_container(struct call *c, u64 task);

/* Get the path of a struct file, as /proc shows it; "" if it has none, or a part of it is missing. */
void path_of_file(struct view *v, u64 file, char to[MAX_PATH]);

/* A dentry, in a struct vfsmount. */
struct place {
	u64 dentry, mnt;
};

/*
 * Get the path of a place from the root of a process, which that need not be below: then get it
 * from the top of all mounts, and clear @below. False if it has none, or a part of it is missing.
 */
bool path_of_place(struct view *v, const struct place *place,
		   const struct place *root, bool *below, char to[MAX_PATH]);
/* Get the path of a dentry in its file system; "" if it has none, or a part of it is missing. */
void path_in_file_system(struct view *v, u64 dentry, char to[MAX_PATH]);

/* Read a string of the target, of at most max bytes and a NUL. False if it is missing. */
bool read_string(struct view *v, const struct space *as, u64 va, char *to,
		 size_t max);

/* Return addresses of struct file by descriptor, 0 for none; the caller frees them. */
u64 *files_get(struct call *c, u64 task, u32 *nr);

/* An area of a process. */
struct area {
	u64 va, start, end, flags, file, inode;
	bool whole; /* false: flags, file or inode may be 0 because they are not in the image */
};

#define AREA_READ 1
#define AREA_WRITE 2
#define AREA_EXEC 4
#define AREA_SHARED 0x80 /* as requested (VM_MAYSHARE) */

/*
 * Get all areas of the call's process, by address; the caller frees them. If some are left out,
 * set c->partial. They must not change while the call runs.
 */
bool areas_get(struct call *c, struct area **areas, u32 *nr);
/* Likewise for areas that may change while the call runs. */
bool areas_now(struct call *c, struct area **areas, u32 *nr);
/* Write the protection as "r-xp". */
void area_protection(const struct area *a, char to[5]);
/* Get the name as in /proc/PID/maps; "" if there is none. */
void name_of_area(struct call *c, const struct area *a, char to[MAX_PATH]);
/* Return true for an area of the kernel's, such as the vdso. */
bool area_is_special(struct call *c, const struct area *a);

/* Return which page of its file is at the beginning of an area. Pages here have 4 KiB. */
u64 first_page_of_area(struct view *v, const struct area *a);
/* Count the pages of a file in the page cache, as far as its inode says. */
u64 pages_of_inode(struct view *v, u64 inode);
/* Read a page of a file; false if it is not in memory. */
bool page_of_inode(struct view *v, u64 inode, u64 index, u8 page[PAGE]);
/* Return true if it is known that the file has no page there, not even a swapped one. */
bool none_of_inode(struct view *v, u64 inode, u64 index);
bool is_regular(struct view *v, u64 inode);
/*
 * Get whether a frame is memory of a process, and not of a file or of the kernel. False if that is
 * not known: its struct page is missing, or the kernel has none.
 */
bool page_is_private(struct view *v, u64 pa, bool *private);

#endif /* DOCA_APSH_GROUP_H */
