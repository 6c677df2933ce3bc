// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Open files. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "group.h"

LOG_SOURCE("APSH");

enum { FMODE_ACCESS = 3 };

struct doca_apsh_handle {
	struct object object;
	u32 pid;
	u64 fd, entry, access;
	const char *type, *name;
};

static const char *type_of(struct view *v, u64 file, const char *name)
{
	u64 mode =
		view_field(v, view_field(v, file, F_FILE_INODE), F_INODE_MODE);

	if (!strncmp(name, "anon_inode:", 11))
		return name;
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "dir";
	case S_IFSOCK:
		return "socket";
	case S_IFIFO:
		return "pipe";
	case S_IFCHR:
		return "chr";
	case S_IFBLK:
		return "blk";
	default:
		return "file";
	}
}

static void add(struct call *c, u32 fd, u64 file)
{
	struct doca_apsh_handle *o = snapshot_add(c->snap, sizeof(*o));
	struct view *v = &c->view;
	char name[MAX_PATH];

	if (!o)
		return;
	path_of_file(v, file, name);
	o->pid = c->process->pid;
	o->fd = fd;
	o->entry = file;
	o->access = view_field(v, file, F_FILE_MODE) & FMODE_ACCESS;
	o->type = snapshot_string(c->snap, type_of(v, file, name));
	o->name = snapshot_string(c->snap, name);
	view_identity(v, file + offset_of_field(v, F_FILE_INODE), 8,
		      &o->object);
}

static void fill(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_HANDLES_LIMIT), nr;
	u64 *files = files_get(c, c->task, &nr);

	for (u32 i = 0; i < nr && !c->view.error; i++) {
		if (!files[i])
			continue;
		if (c->snap->nr == limit) {
			c->cut = true;
			break;
		}
		add(c, i, files[i]);
	}
	free(files);
}

static const struct getter handles_getter = {
	.what = "open files",
	.object = &apsh_handle_object,
	.limit = DOCA_APSH_HANDLES_LIMIT,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_handles_get, doca_apsh_handle, handles,
		   handles_size, &handles_getter)
DEFINE_FREE(doca_apsh_handles_free, doca_apsh_handle, handles)

static const struct attr attrs[] = {
	ATTR(DOCA_APSH_HANDLE_PID, doca_apsh_handle, pid),
	ATTR(DOCA_APSH_HANDLE_VALUE, doca_apsh_handle, fd),
	ATTR(DOCA_APSH_HANDLE_TABLE_ENTRY, doca_apsh_handle, entry),
	ATTR(DOCA_APSH_HANDLE_TYPE, doca_apsh_handle, type),
	ATTR(DOCA_APSH_HANDLE_ACCESS, doca_apsh_handle, access),
	ATTR(DOCA_APSH_HANDLE_NAME, doca_apsh_handle, name),
};

DEFINE_INFO_GET(__doca_apsh_handle_info_get, doca_apsh_handle,
		doca_apsh_handle_attr, attrs, handle)
