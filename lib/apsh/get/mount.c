// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Mounts of a namespace: in a red-black tree by their unique ids, or before 6.8 in a list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../private.h"
#include "../walk/walk.h"
#include "group.h"

LOG_SOURCE("APSH");

/* The kernel's own limit (fs.mount-max) is far below. */
enum { MOST = 1 << 20, MAX_TYPE_NAME = 64, MAX_OPTIONS = 128 };

struct flag {
	u32 bit;
	const char *name;
};

static const struct flag mount_flags[] = {
	{ 0x01, ",nosuid" },	  { 0x02, ",nodev" },
	{ 0x04, ",noexec" },	  { 0x08, ",noatime" },
	{ 0x10, ",nodiratime" },  { 0x20, ",relatime" },
	{ 0x80, ",nosymfollow" },
};

static const struct flag super_flags[] = {
	{ 0x10, ",sync" },
	{ 0x80, ",dirsync" },
	{ 0x40, ",mand" },
	{ 1 << 25, ",lazytime" },
};

enum { MOUNT_READ_ONLY = 0x40, SUPER_READ_ONLY = 1 };

static const char *options(struct call *c, bool read_only, u64 bits,
			   const struct flag *flags, size_t nr)
{
	char text[MAX_OPTIONS] = "rw";

	if (read_only)
		strcpy(text, "ro");
	for (size_t i = 0; i < nr; i++)
		if (bits & flags[i].bit)
			strcat(text, flags[i].name);
	return snapshot_string(c->snap, text);
}

/* A file system of FUSE tells its kind behind a dot. */
static const char *type_of(struct call *c, u64 sb)
{
	struct view *v = &c->view;
	u64 type = view_field(v, sb, F_SB_TYPE);
	u64 kind = view_field(v, sb, F_SB_SUBTYPE);
	char name[MAX_TYPE_NAME + 1], subtype[MAX_TYPE_NAME + 1] = "";

	read_string(v, NULL, view_field(v, type, F_FSTYPE_NAME), name,
		    MAX_TYPE_NAME);
	if (kind)
		read_string(v, NULL, kind, subtype, MAX_TYPE_NAME);
	return snapshot_format(c->snap, *subtype ? "%s.%s" : "%s", name,
			       subtype);
}

static const char *device_of(struct call *c, u64 mount)
{
	u64 name = view_field(&c->view, mount, F_MOUNT_DEVICE);
	char text[MAX_PATH] = "none";

	if (name)
		read_string(&c->view, NULL, name, text, MAX_PATH - 1);
	return snapshot_string(c->snap, text);
}

static void get_super_block(struct call *c, u64 sb, struct apsh_mount *o)
{
	struct view *v = &c->view;
	u64 flags = view_field(v, sb, F_SB_FLAGS);
	u32 dev = (u32)view_field(v, sb, F_SB_DEV);

	o->major = dev >> 20;
	o->minor = dev & 0xfffff;
	o->type = type_of(c, sb);
	o->super_options = options(c, flags & SUPER_READ_ONLY, flags,
				   super_flags, ARRAY_SIZE(super_flags));
}

/* Return false if a part of it is not in the image. */
static bool get_mount(struct call *c, u64 mount, const struct place *root,
		      struct apsh_mount *o)
{
	struct view *v = &c->view;
	u64 mnt = mount + offset_of_field(v, F_MOUNT_MNT), misses = v->misses;
	u64 flags = view_field(v, mnt, F_VFSMOUNT_FLAGS);
	struct place place = { view_field(v, mnt, F_VFSMOUNT_ROOT), mnt };
	char path[MAX_PATH];

	o->id = (u32)view_field(v, mount, F_MOUNT_ID);
	o->parent = (u32)view_field(v, view_field(v, mount, F_MOUNT_PARENT),
				    F_MOUNT_ID);
	path_in_file_system(v, place.dentry, path);
	o->root = snapshot_string(c->snap, path);
	path_of_place(v, &place, root, &o->reachable, path);
	o->path = snapshot_string(c->snap, path);
	o->options = options(c, flags & MOUNT_READ_ONLY, flags, mount_flags,
			     ARRAY_SIZE(mount_flags));
	o->device = device_of(c, mount);
	get_super_block(c, view_field(v, mnt, F_VFSMOUNT_SB), o);
	return v->misses == misses;
}

/* A mount that is known in part is left out: a word that is missing would say something else. */
static void add(struct call *c, u64 mount, const struct place *root, u64 order)
{
	struct apsh_mount m = { .order = order }, *o;
	struct view *v = &c->view;

	if (!get_mount(c, mount, root, &m))
		return;
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return;
	m.object = o->object;
	*o = m;
	view_identity(v, mount + offset_of_field(v, F_MOUNT_ID), 4, &o->object);
	view_identity(v, mount + offset_of_field(v, F_MOUNT_DEVICE), 8,
		      &o->object);
}

/*
 * In a list the readers of /proc/PID/mounts have their places: mounts of which nothing was filled in.
 * Their flag tells nothing, for it is another one in other kernels, and a mount could be given it.
 */
static bool is_mount(struct view *v, u64 mount)
{
	u64 mnt = mount + offset_of_field(v, F_MOUNT_MNT), misses = v->misses;

	return view_field(v, mnt, F_VFSMOUNT_ROOT) ||
	       view_field(v, mnt, F_VFSMOUNT_SB) ||
	       view_field(v, mount, F_MOUNT_PARENT) || v->misses != misses;
}

static void want(struct view *v, const struct nodes *n)
{
	static const enum field of_mount[] = { F_MOUNT_ID, F_MOUNT_DEVICE,
					       F_MOUNT_PARENT, F_MOUNT_POINT };
	static const enum field of_mnt[] = { F_VFSMOUNT_ROOT, F_VFSMOUNT_SB,
					     F_VFSMOUNT_FLAGS };
	static const enum field of_sb[] = { F_SB_TYPE, F_SB_SUBTYPE, F_SB_FLAGS,
					    F_SB_DEV };
	u32 mnt = offset_of_field(v, F_MOUNT_MNT);

	for (u32 i = 0; i < n->nr; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(of_mount); k++)
			view_want_field(v, n->list[i], of_mount[k]);
		for (size_t k = 0; k < ARRAY_SIZE(of_mnt); k++)
			view_want_field(v, n->list[i] + mnt, of_mnt[k]);
	}
	view_flush(v);
	for (u32 i = 0; i < n->nr; i++) {
		u64 sb = view_field(v, n->list[i] + mnt, F_VFSMOUNT_SB);

		for (size_t k = 0; k < ARRAY_SIZE(of_sb); k++)
			view_want_field(v, sb, of_sb[k]);
	}
	view_flush(v);
}

static bool collect(struct call *c, u64 ns, bool tree, struct nodes *n)
{
	struct view *v = &c->view;
	u64 misses = v->misses;

	if (tree ? !walk_rbtree(v, view_field(v, ns, F_MNTNS_ROOT),
				offset_of_field(v, F_MOUNT_NODE),
				F_MOUNT_UNIQUE, MOST, n) :
		   !walk_list(v, ns + offset_of_field(v, F_MNTNS_LIST),
			      offset_of_field(v, F_MOUNT_LIST), MOST, n)) {
		call_without_root(c, "the list of mounts is not");
		return false;
	}
	if (n->cut)
		view_broken(v, misses, "a namespace of so many mounts", ns);
	return true;
}

static int by_order(const void *a, const void *b)
{
	const struct apsh_mount *const *x = a, *const *y = b;

	return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

/* Return how this kernel keeps mounts; -1 if the map does not know. */
static int way_of(struct call *c)
{
	static const struct need common = { .first = F_MOUNT_ID,
					    .last = F_FS_ROOT_DENTRY };
	static const struct need ways[] = {
		{ .first = F_MNTNS_ROOT, .last = F_RB_LEFT },
		{ .first = F_MNTNS_LIST, .last = F_MOUNT_LIST },
	};
	static const char why[] = "the kernel is not known";

	return call_needs(c, &common, 1, why) ? -1 :
						call_needs(c, ways, 2, why);
}

/* Return the namespace of the process, and its root; it has none any more once it has ended. */
static u64 namespace_of(struct call *c, struct place *root)
{
	struct view *v = &c->view;
	u64 misses = v->misses;
	u64 proxy = view_field(v, c->task, F_TASK_NSPROXY);
	u64 ns = proxy ? view_field(v, proxy, F_NSPROXY_MNT) : 0;
	u64 fs = view_field(v, c->task, F_TASK_FS);

	root->mnt = view_field(v, fs, F_FS_ROOT_MNT);
	root->dentry = view_field(v, fs, F_FS_ROOT_DENTRY);
	if (v->misses == misses)
		return ns;
	call_without_root(c, "the root of the process is not");
	return 0;
}

static void fill(struct call *c)
{
	struct view *v = &c->view;
	struct nodes n = { 0 };
	struct place root;
	int way = way_of(c);
	u64 ns;

	if (way < 0)
		return;
	ns = namespace_of(c, &root);
	if (ns && collect(c, ns, way == 0, &n)) {
		want(v, &n);
		for (u32 i = 0; i < n.nr && !v->error; i++)
			if (n.keys || is_mount(v, n.list[i]))
				add(c, n.list[i], &root,
				    n.keys ? n.keys[i] : i);
		if (c->snap->nr)
			qsort(c->snap->list, c->snap->nr,
			      sizeof(*c->snap->list), by_order);
	}
	nodes_free(&n);
}

static const struct getter mounts_getter = {
	.what = "mounts",
	.limit = -1,
	.gone = DOCA_ERROR_INITIALIZATION,
	.object = &apsh_mount_object,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_priv_apsh_mounts_get, apsh_mount, mounts, mounts_size,
		   &mounts_getter)
DEFINE_FREE(doca_priv_apsh_mounts_free, apsh_mount, mounts)
