// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * File-backed memory (kernel/backed.h), and what is mapped at all. Nothing is pinned
 * here, and to touch a page that its file has lost is a SIGBUS. So the kernel copies
 * such memory: it finds pages missing without a signal. /proc tells at registration
 * which memory belongs to a file; without it all memory is taken to.
 */
#include "shim/kernel.h"

#include <dlfcn.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>

#include "backed.h"

/* Copy through a file where system calls between processes are refused. */
static ssize_t copy_by_file(const struct iovec *to, const struct iovec *from)
{
	int fd = open("/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
	ssize_t rc;

	if (fd < 0)
		return -1;
	rc = pread(fd, to->iov_base, to->iov_len, (uintptr_t)from->iov_base);
	close(fd);
	return rc;
}

/* Return the number of bytes that were copied; -1: none. */
static ssize_t copy(void *to, const void *from, size_t length)
{
	struct iovec local = { to, length };
	struct iovec remote = { (void *)from, length };
	ssize_t rc;

	/* Name the thread: the process's first one may have ended. */
	rc = process_vm_readv(gettid(), &local, 1, &remote, 1, 0);
	if (rc < 0 && errno != EFAULT)
		rc = copy_by_file(&local, &remote);
	return rc;
}

u32 doca_backed_copy(struct doca_backed_side to, struct doca_backed_side from,
		     u32 length)
{
	ssize_t done = length ? copy(to.at, from.at, length) : 0;

	return done < 0 ? length : length - done;
}

static bool is_readable(unsigned long addr)
{
	char byte = 0;

	return copy(&byte, (void *)addr, 1) == 1;
}

/* A mapping, as in a line of /proc/self/maps. */
struct area {
	unsigned long start, end;
	char rights[5];
	unsigned int major;
	unsigned long inode;
	char *path;
};

static bool parse(char *line, struct area *area)
{
	int at = 0;

	if (sscanf(line, "%lx-%lx %4s %*x %x:%*x %lu %n", &area->start,
		   &area->end, area->rights, &area->major, &area->inode,
		   &at) < 5 ||
	    !at)
		return false;
	area->path = line + at;
	area->path[strcspn(area->path, "\n")] = 0;
	return true;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Return true for files that are on no mounted file system. */
static bool has_no_mount(const struct area *area)
{
	return !area->major && (begins(area->path, "/memfd:") ||
				begins(area->path, "/anon_hugepage") ||
				begins(area->path, "/SYSV") ||
				begins(area->path, "/dev/zero (deleted)") ||
				area->path[0] == '[');
}

/* Return true for text and data of the program and of its libraries. */
static bool is_loaded(const struct area *area)
{
	Dl_info info;

	return dladdr((void *)area->start, &info);
}

/*
 * Return true if a process can take its pages away. For shared memory without a file
 * no process can, and a program does not outlive its own text and data.
 */
static bool is_backed(const struct area *area)
{
	if (!area->inode ||
	    (has_no_mount(area) && !begins(area->path, "/memfd:")))
		return false;
	return area->rights[3] == 's' || !is_loaded(area);
}

/*
 * Return true if a file system tracks its dirty pages; those that keep files in memory
 * alone do not. A file that was removed is judged by its directory. A disk's pages do not
 * belong to the file system that has its node.
 */
static bool tracks(char *path)
{
	struct stat st;
	struct statfs fs;
	unsigned int type;
	char *slash = strrchr(path, '/');

	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return true;
	if (statfs(path, &fs)) {
		slash[slash == path] = 0;
		if (statfs(path, &fs))
			return true;
	}
	type = fs.f_type;
	return type != TMPFS_MAGIC && type != RAMFS_MAGIC &&
	       type != HUGETLBFS_MAGIC;
}

static bool is_tracked(const struct area *area)
{
	return area->inode && area->rights[1] == 'w' &&
	       area->rights[3] == 's' && area->path[0] == '/' &&
	       !has_no_mount(area) && (area->major || tracks(area->path));
}

struct maps {
	FILE *file;
	char buffer[4096]; /* as much as the kernel gives at once */
	char line[4096 + 128]; /* a path, and the fields before it */
};

/* Cheaper than to parse the line; a process has hundreds. */
static bool ends_behind(const char *line, unsigned long addr)
{
	const char *dash = strchr(line, '-');

	return dash && strtoul(dash + 1, NULL, 16) > addr;
}

/* The next mapping that ends behind @addr; false if there is none. */
static bool maps_next(struct maps *maps, unsigned long addr, struct area *area)
{
	while (fgets(maps->line, sizeof(maps->line), maps->file))
		if (ends_behind(maps->line, addr) && parse(maps->line, area))
			return true;
	return false;
}

static bool maps_open(struct maps *maps)
{
	maps->file = fopen("/proc/thread-self/maps", "re");
	if (maps->file)
		setvbuf(maps->file, maps->buffer, _IOFBF, sizeof(maps->buffer));
	return maps->file;
}

/*
 * The mappings last seen by a thread: its call pins one batch after the other, and looks a
 * range up once.
 */
static __thread struct {
	unsigned long end; /* end of the memory that is mapped */
	bool writable; /* mapped for writing, too */
	bool backed;
	bool tracked;
} seen;

void inproc_forget_mapped(void)
{
	seen.end = 0;
}

static bool allows(const struct area *area, bool write)
{
	return area->rights[0] == 'r' && (!write || area->rights[1] == 'w');
}

/* A file that is too short has no last page. The page where the range ends is checked later. */
static bool is_whole(const struct area *area, unsigned long end)
{
	return area->end >= end || !is_backed(area) ||
	       is_readable(area->end - 1);
}

/* Look up to @end, or to the end of memory that is mapped as required. */
static void look_along(struct maps *maps, unsigned long addr, unsigned long end,
		       bool write)
{
	struct area area;
	bool mapped = true;

	seen.end = addr;
	while (addr < end && maps_next(maps, addr, &area) && area.start < end) {
		mapped = mapped && area.start <= addr && allows(&area, write) &&
			 is_whole(&area, end);
		addr = area.end;
		seen.backed |= is_backed(&area);
		seen.tracked |= is_tracked(&area);
		if (mapped)
			seen.end = addr;
	}
}

static void look(unsigned long addr, unsigned long end, bool write)
{
	struct maps maps;

	seen.writable = write;
	seen.backed = false;
	seen.tracked = false;
	if (maps_open(&maps)) {
		look_along(&maps, addr, end, write);
		fclose(maps.file);
	} else {
		seen.end = PAGE_ALIGN(end);
		seen.backed = true;
	}
}

int doca_backed_is_tracked(unsigned long addr, unsigned long length)
{
	look(addr, addr + length, true);
	return seen.tracked && !current->own;
}

bool inproc_is_mapped(unsigned long addr, unsigned long size, bool write)
{
	if (addr + size > seen.end || (write && !seen.writable))
		look(addr, addr + size, write);
	if (addr + size > seen.end)
		return false;
	return !seen.backed || is_readable(addr + size - 1);
}

unsigned int doca_backing_of(struct page **pages, unsigned long nr)
{
	return seen.backed && !current->own ? DOCA_BACKED_BY_FILE : 0;
}

u64 doca_backed_there(const void *at, u64 length)
{
	u64 there = 0;

	while (there < length && is_readable((uintptr_t)at + there))
		there += PAGE_SIZE - offset_in_page(at + there);
	return min(there, length);
}
