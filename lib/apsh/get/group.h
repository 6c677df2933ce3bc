/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What groups have in common with each other. */
#ifndef DOCA_APSH_GROUP_H
#define DOCA_APSH_GROUP_H

#include "../call.h"

enum { MAX_PATH = 4096 };

extern const struct getter processes_getter;

/* The innermost control group of a task that is a container; false if none is. */
enum { CONTAINER_ID = 65 };
bool container_of_task(struct view *v, u64 task, char id[CONTAINER_ID]);
/* Is it that of the call? */
bool in_container(struct call *c, u64 task);

/* The path of a struct file, as /proc shows it; "" if there is none. */
void path_of_file(struct view *v, u64 file, char to[MAX_PATH]);

/* A string of the target, of at most max bytes and a NUL. False if it is not there. */
bool read_string(struct view *v, const struct space *as, u64 va, char *to,
		 size_t max);

/* Addresses of struct file by descriptor, 0 where none is; freed by the caller. */
u64 *files_get(struct call *c, u64 task, u32 *nr);

/* An area of a process. */
struct area {
	u64 va, start, end, flags, file, inode;
};

#define AREA_READ 1
#define AREA_WRITE 2
#define AREA_EXEC 4
#define AREA_SHARED 0x80 /* as it was asked for (VM_MAYSHARE) */

/* All areas of the process of a call, by address; freed by the caller. */
bool areas_get(struct call *c, struct area **areas, u32 *nr);
/* "r-xp" */
void area_protection(const struct area *a, char to[5]);
/* As /proc/PID/maps has it; "" if it has no name. */
void name_of_area(struct call *c, const struct area *a, char to[MAX_PATH]);
/* Is it the kernel's, as the vdso is? */
bool area_is_special(struct call *c, const struct area *a);

/* Pages that a file has in the page cache, as far as its inode says. */
u64 pages_of_inode(struct view *v, u64 inode);
/* A page of a file; false if it is not in memory. */
bool page_of_inode(struct view *v, u64 inode, u64 index, u8 page[PAGE]);
bool is_regular(struct view *v, u64 inode);
/* Is a frame memory of a process, and not of a file or of the kernel? */
bool page_is_private(struct view *v, u64 pa);

#endif /* DOCA_APSH_GROUP_H */
