// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The memory areas of a process, and its libraries, which are areas, too. */
#include <stdlib.h>
#include <string.h>

#include "../walk/walk.h"
#include "group.h"

LOG_SOURCE("APSH");

static void want_areas(struct view *v, const struct nodes *n)
{
	for (u32 i = 0; i < n->nr; i++) {
		view_want_field(v, n->list[i], F_VMA_START);
		view_want_field(v, n->list[i], F_VMA_FLAGS);
		view_want_field(v, n->list[i], F_VMA_FILE);
		view_want_field(v, n->list[i], F_VMA_MM);
	}
	view_flush(v);
	for (u32 i = 0; i < n->nr; i++) {
		u64 file = view_field(v, n->list[i], F_VMA_FILE);

		view_want_field(v, file, F_FILE_INODE);
		view_want_field(v, file, F_FILE_DENTRY);
	}
	view_flush(v);
}

/*
 * Check that an area's addresses match the tree, and that it belongs to the process. Other words of
 * it may be missing.
 */
static bool read_area(struct call *c, u64 va, u64 first, struct area *a)
{
	struct view *v = &c->view;
	u64 misses = v->misses;

	a->va = va;
	a->start = view_field(v, va, F_VMA_START);
	a->end = view_field(v, va, F_VMA_END);
	a->flags = view_field(v, va, F_VMA_FLAGS);
	a->file = view_field(v, va, F_VMA_FILE);
	a->inode = a->file ? view_field(v, a->file, F_FILE_INODE) : 0;
	a->whole = v->misses == misses;
	if (a->start == first && a->end > a->start &&
	    view_field(v, va, F_VMA_MM) == c->mm)
		return true;
	if (!v->error)
		view_broken(v, misses, "a memory area", va);
	return false;
}

static enum field root_of_areas(const struct view *v)
{
	return has(v, F_MM_ROOT) ? F_MM_ROOT : F_MM_RB;
}

static bool walk_areas(struct call *c, u32 limit, struct nodes *n)
{
	struct view *v = &c->view;
	enum field root = root_of_areas(v);

	if (root == F_MM_ROOT)
		return walk_maple(v, view_field(v, c->mm, root), limit, n);
	return walk_rbtree(v, view_field(v, c->mm, root),
			   offset_of_field(v, F_VMA_RB), F_VMA_START, limit, n);
}

static int by_start(const void *a, const void *b)
{
	const struct area *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

bool areas_now(struct call *c, struct area **areas, u32 *nr)
{
	u32 limit = limit_of(c, DOCA_APSH_VADS_LIMIT);
	struct view *v = &c->view;
	u64 misses = v->misses, broken = v->stats.broken;
	struct nodes n = { 0 };
	bool ok;

	*areas = NULL;
	*nr = 0;
	/* a process that seems to have no memory may have some */
	c->partial = !c->mm && misses;
	if (!c->mm)
		return true;
	ok = walk_areas(c, limit, &n);
	c->partial = v->misses != misses || v->stats.broken != broken || n.cut;
	if (ok && n.nr) {
		*areas = calloc(n.nr, sizeof(**areas));
		if (!*areas)
			v->error = VIEW_NO_MEMORY;
		else
			want_areas(v, &n);
	}
	for (u32 i = 0; *areas && i < n.nr && !v->error; i++) {
		if (read_area(c, n.list[i], n.keys[i], &(*areas)[*nr]))
			++*nr;
		else
			c->partial = true;
	}
	c->cut = n.cut;
	nodes_free(&n);
	if (*nr)
		qsort(*areas, *nr, sizeof(**areas), by_start);
	if (!v->error)
		return true;
	free(*areas);
	*areas = NULL;
	return false;
}

bool areas_get(struct call *c, struct area **areas, u32 *nr)
{
	struct view *v = &c->view;

	if (c->mm) {
		view_identity(v, c->mm + offset_of_field(v, root_of_areas(v)),
			      8, &c->areas);
		view_identity(v, c->mm + offset_of_field(v, F_MM_COUNT), 4,
			      &c->areas);
	}
	return areas_now(c, areas, nr);
}

void area_protection(const struct area *a, char to[5])
{
	to[0] = a->flags & AREA_READ ? 'r' : '-';
	to[1] = a->flags & AREA_WRITE ? 'w' : '-';
	to[2] = a->flags & AREA_EXEC ? 'x' : '-';
	to[3] = a->flags & AREA_SHARED ? 's' : 'p';
	to[4] = '\0';
}

bool area_is_special(struct call *c, const struct area *a)
{
	struct view *v = &c->view;
	u64 ops = kernel_symbol(v->kernel, S_special_mapping_vmops);

	if (a->file)
		return false;
	if (ops)
		return view_field(v, a->va, F_VMA_OPS) == ops;
	return has(v, F_MM_VDSO) && a->start == view_field(v, c->mm, F_MM_VDSO);
}

static bool special_name(struct call *c, const struct area *a, char *to)
{
	struct view *v = &c->view;
	u64 mapping;

	if (!has(v, F_SPECIAL_NAME) ||
	    !kernel_symbol(v->kernel, S_special_mapping_vmops) ||
	    !area_is_special(c, a))
		return false;
	mapping = view_field(v, a->va, F_VMA_PRIVATE);
	return read_string(v, NULL, view_field(v, mapping, F_SPECIAL_NAME), to,
			   64);
}

static bool anon_name(struct call *c, const struct area *a, char *to)
{
	struct view *v = &c->view;
	u64 name;

	if (!has(v, F_VMA_ANON_NAME) || !has(v, F_ANON_NAME) ||
	    a->flags & AREA_SHARED)
		return false;
	name = view_field(v, a->va, F_VMA_ANON_NAME);
	if (!name)
		return false;
	memcpy(to, "[anon:", 6);
	if (!read_string(v, NULL, name + offset_of_field(v, F_ANON_NAME),
			 to + 6, 80))
		return false;
	strcat(to, "]");
	return true;
}

void name_of_area(struct call *c, const struct area *a, char to[MAX_PATH])
{
	struct view *v = &c->view;
	u64 stack;

	*to = '\0';
	if (a->file) {
		path_of_file(v, a->file, to);
		return;
	}
	if (special_name(c, a, to))
		return;
	stack = view_field(v, c->mm, F_MM_STACK);
	if (has(v, F_MM_VDSO) && a->start == view_field(v, c->mm, F_MM_VDSO))
		strcpy(to, "[vdso]");
	else if (a->start <= view_field(v, c->mm, F_MM_BRK) &&
		 a->end >= view_field(v, c->mm, F_MM_START_BRK))
		strcpy(to, "[heap]");
	else if (a->start <= stack && a->end >= stack)
		strcpy(to, "[stack]");
	else if (!anon_name(c, a, to))
		*to = '\0';
}

struct doca_apsh_vad {
	struct object object;
	u32 pid;
	u64 offset, start, end;
	const char *protection, *process, *path;
};

static void fill_vads(struct call *c)
{
	char path[MAX_PATH], protection[5];
	struct area *areas;
	u32 nr;

	if (!areas_get(c, &areas, &nr))
		return;
	for (u32 i = 0; i < nr && !c->view.error; i++) {
		struct doca_apsh_vad *o = snapshot_add(c->snap, sizeof(*o));

		if (!o)
			break;
		area_protection(&areas[i], protection);
		name_of_area(c, &areas[i], path);
		o->pid = c->process->pid;
		o->offset = areas[i].va;
		o->start = areas[i].start;
		o->end = areas[i].end;
		o->protection = snapshot_string(c->snap, protection);
		o->process = snapshot_string(c->snap, c->process->comm);
		o->path = snapshot_string(c->snap, path);
		view_identity(&c->view,
			      o->offset +
				      offset_of_field(&c->view, F_VMA_START),
			      16, &o->object);
	}
	free(areas);
}

static const struct getter vads_getter = {
	.what = "memory areas",
	.object = &apsh_vad_object,
	.limit = DOCA_APSH_VADS_LIMIT,
	.gone = DOCA_ERROR_NOT_FOUND,
	.fill = fill_vads,
};

DEFINE_PROCESS_GET(doca_apsh_vads_get, doca_apsh_vad, vads, vads_size,
		   &vads_getter)
DEFINE_FREE(doca_apsh_vads_free, doca_apsh_vad, vads)

static const struct attr vad_attrs[] = {
	ATTR(DOCA_APSH_VMA_PID, doca_apsh_vad, pid),
	ATTR(DOCA_APSH_VMA_OFFSET, doca_apsh_vad, offset),
	ATTR(DOCA_APSH_VMA_PROTECTION, doca_apsh_vad, protection),
	ATTR(DOCA_APSH_VMA_VM_START, doca_apsh_vad, start),
	ATTR(DOCA_APSH_VMA_VM_END, doca_apsh_vad, end),
	ATTR(DOCA_APSH_VMA_PROCESS_NAME, doca_apsh_vad, process),
	ATTR(DOCA_APSH_VMA_FILE_PATH, doca_apsh_vad, path),
	ATTR_WINDOWS(DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE),
	ATTR_WINDOWS(DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY),
	ATTR_WINDOWS(DOCA_APSH_VMA_WINDOWS_TAG),
};

DEFINE_INFO_GET(__doca_apsh_vad_info_get, doca_apsh_vad, doca_apsh_vad_attr,
		vad_attrs, vad)

struct doca_apsh_lib {
	struct object object;
	u32 pid;
	u64 address;
	const char *path;
};

/*
 * The program itself. On a stacked file system its areas may have another inode than
 * the file that was started, but the same path.
 */
struct exe {
	u64 inode;
	char path[MAX_PATH];
};

static void find_exe(struct call *c, struct exe *exe)
{
	u64 file = c->mm ? view_field(&c->view, c->mm, F_MM_EXE) : 0;

	exe->inode = file ? view_field(&c->view, file, F_FILE_INODE) : 0;
	*exe->path = '\0';
	if (file)
		path_of_file(&c->view, file, exe->path);
}

static bool is_exe(struct call *c, const struct exe *exe, const struct area *a)
{
	char path[MAX_PATH];

	if (!a->inode || !exe->inode)
		return false;
	if (a->inode == exe->inode)
		return true;
	path_of_file(&c->view, a->file, path);
	return *path && !strcmp(path, exe->path);
}

/* Return the beginning of the file's first area; areas are in the order of addresses. */
static u64 lowest(const struct area *areas, u32 nr, u64 inode)
{
	for (u32 i = 0; i < nr; i++)
		if (areas[i].inode == inode)
			return areas[i].start;
	return 0;
}

static u64 lowest_of_exe(struct call *c, const struct area *areas, u32 nr,
			 const struct exe *exe)
{
	for (u32 i = 0; i < nr && !c->view.error; i++)
		if (is_exe(c, exe, &areas[i]))
			return areas[i].start;
	return 0;
}

static void add_lib(struct call *c, const struct area *areas, u32 nr, u32 i)
{
	char path[MAX_PATH];
	struct doca_apsh_lib *o = snapshot_add(c->snap, sizeof(*o));

	if (!o)
		return;
	path_of_file(&c->view, areas[i].file, path);
	o->pid = c->process->pid;
	o->address = lowest(areas, nr, areas[i].inode);
	o->path = snapshot_string(c->snap, path);
}

static void fill_libs(struct call *c)
{
	u32 limit = limit_of(c, DOCA_APSH_LIBS_LIMIT), nr;
	struct nodes seen = { 0 };
	struct area *areas;
	struct exe exe;

	if (!areas_get(c, &areas, &nr))
		return;
	find_exe(c, &exe);
	for (u32 i = 0; i < nr && !c->view.error; i++) {
		if (!areas[i].inode || !(areas[i].flags & AREA_EXEC) ||
		    !nodes_add(&c->view, &seen, areas[i].inode, 0) ||
		    is_exe(c, &exe, &areas[i]))
			continue;
		if (c->snap->nr == limit) {
			c->cut = true;
			break;
		}
		add_lib(c, areas, nr, i);
	}
	nodes_free(&seen);
	free(areas);
}

static const struct getter libs_getter = {
	.what = "libraries",
	.object = &apsh_lib_object,
	.limit = DOCA_APSH_LIBS_LIMIT,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill_libs,
};

DEFINE_PROCESS_GET(doca_apsh_libs_get, doca_apsh_lib, libs, libs_size,
		   &libs_getter)
DEFINE_FREE(doca_apsh_libs_free, doca_apsh_lib, libs)

static const struct attr lib_attrs[] = {
	ATTR(DOCA_APSH_LIB_PID, doca_apsh_lib, pid),
	ATTR(DOCA_APSH_LIB_LIBRARY_PATH, doca_apsh_lib, path),
	ATTR(DOCA_APSH_LIB_LOAD_ADRESS, doca_apsh_lib, address),
	ATTR_WINDOWS(DOCA_APSH_LIB_WINDOWS_DLL_NAME),
	ATTR_WINDOWS(DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE),
	ATTR(DOCA_APSH_LIB_LINUX_LOAD_ADRESS, doca_apsh_lib, address),
};

DEFINE_INFO_GET(__doca_apsh_lib_info_get, doca_apsh_lib, doca_apsh_lib_attr,
		lib_attrs, lib)

struct doca_apsh_process_parameters {
	struct object object;
	u32 pid;
	u64 base;
	const char *cmd_line, *path;
};

/* Join the arguments, each of which ends with a NUL, to one line. */
static bool cmd_line(struct call *c, char *to, size_t max)
{
	struct view *v = &c->view;
	u64 start = c->mm ? view_field(v, c->mm, F_MM_ARG_START) : 0;
	u64 end = c->mm ? view_field(v, c->mm, F_MM_ARG_END) : 0;
	size_t len;

	if (!start || end <= start)
		return false;
	len = end - start < max ? end - start : max;
	if (!view_read(v, &c->space, start, to, len))
		return false;
	while (len && !to[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		if (!to[i])
			to[i] = ' ';
	to[len] = '\0';
	return true;
}

static void fill_parameters(struct call *c)
{
	u32 max = limit_of(c, DOCA_APSH_STRING_LIMIT), nr;
	struct doca_apsh_process_parameters *o;
	struct area *areas;
	struct exe exe;
	char *line;

	line = snapshot_alloc(c->snap, (size_t)max + 1);
	if (!line || !areas_get(c, &areas, &nr))
		return;
	if (!cmd_line(c, line, max)) {
		if (!c->view.error)
			c->error = FAIL_AT(c->site, BAD_STATE,
					   "the arguments of process %u are "
					   "not in memory, or it has none",
					   c->process->pid);
		free(areas);
		return;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (o) {
		o->pid = c->process->pid;
		o->cmd_line = line;
		find_exe(c, &exe);
		o->base = lowest_of_exe(c, areas, nr, &exe);
		o->path = snapshot_string(c->snap, exe.path);
	}
	free(areas);
}

static const struct getter parameters_getter = {
	.what = "parameters",
	.object = &apsh_process_parameters_object,
	.limit = -1,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill_parameters,
};

doca_error_t doca_apsh_process_parameters_get(
	struct doca_apsh_process *process,
	struct doca_apsh_process_parameters **process_parameters)
{
	static const struct log_site site = LOG_SITE;
	struct doca_apsh_process_parameters **array;
	doca_error_t ret;
	int nr;

	if (!valid(process) || !given(process_parameters))
		return DOCA_ERROR_INVALID_VALUE;
	ret = call_process(&parameters_getter, process, &array, &nr, &site);
	if (ret == DOCA_SUCCESS)
		*process_parameters = array[0];
	return ret;
}

void doca_apsh_process_parameters_free(
	struct doca_apsh_process_parameters *process_parameters)
{
	if (process_parameters && valid(process_parameters))
		snapshot_free(process_parameters->object.snap);
}

static const struct attr parameter_attrs[] = {
	ATTR(DOCA_APSH_PROCESS_PARAMETERS_PID, doca_apsh_process_parameters,
	     pid),
	ATTR(DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE,
	     doca_apsh_process_parameters, cmd_line),
	ATTR(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR,
	     doca_apsh_process_parameters, base),
	ATTR(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH,
	     doca_apsh_process_parameters, path),
};

DEFINE_INFO_GET(__doca_apsh_process_parameters_info_get,
		doca_apsh_process_parameters, doca_apsh_process_parameters_attr,
		parameter_attrs, process_parameters)
