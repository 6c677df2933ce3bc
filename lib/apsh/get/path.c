// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Paths: climb from a dentry to the root of its mount, from there to the mount point,
 * and so on until nothing is above.
 */
#include <stdio.h>
#include <string.h>

#include "group.h"

enum { MAX_COMPONENTS = 256, MAX_NAME = 255 };

#define SOCKFS_MAGIC 0x534f434b
#define PIPEFS_MAGIC 0x50495045
#define ANON_INODE_MAGIC 0x09041934

bool read_string(struct view *v, const struct space *as, u64 va, char *to,
		 size_t max)
{
	size_t done = 0;

	*to = '\0';
	while (done < max) {
		size_t n = 64 - ((va + done) & 63);
		char *end;

		if (n > max - done)
			n = max - done;
		if (!view_read(v, as, va + done, to + done, n)) {
			to[done] = '\0';
			return false;
		}
		end = memchr(to + done, '\0', n);
		if (end)
			return true;
		done += n;
	}
	to[max] = '\0';
	return true;
}

/* A name must be as long as its length field says. */
static bool name_of(struct view *v, u64 dentry, char to[MAX_NAME + 1])
{
	u64 misses = v->misses, name = view_field(v, dentry, F_DENTRY_NAME);
	u64 len = view_field(v, dentry, F_DENTRY_LEN);

	if (len > MAX_NAME || !read_string(v, NULL, name, to, MAX_NAME) ||
	    strlen(to) != len) {
		if (!v->error)
			view_broken(v, misses, "the name of a dentry", dentry);
		return false;
	}
	return true;
}

/* Put text before the text at *at; false if it is too long. */
static bool prepend(char *buf, size_t *at, const char *text)
{
	size_t len = strlen(text);

	if (len > *at)
		return false;
	*at -= len;
	memcpy(buf + *at, text, len);
	return true;
}

static bool pseudo_path(struct view *v, u64 dentry, u64 inode, char *to)
{
	u64 sb = view_field(v, dentry, F_DENTRY_SB);
	char name[MAX_NAME + 1];

	switch (view_field(v, sb, F_SB_MAGIC)) {
	case SOCKFS_MAGIC:
		snprintf(to, MAX_PATH, "socket:[%lu]",
			 view_field(v, inode, F_INODE_INO));
		return true;
	case PIPEFS_MAGIC:
		snprintf(to, MAX_PATH, "pipe:[%lu]",
			 view_field(v, inode, F_INODE_INO));
		return true;
	case ANON_INODE_MAGIC:
		if (!name_of(v, dentry, name))
			return false;
		snprintf(to, MAX_PATH, "anon_inode:%s", name);
		return true;
	default:
		return false;
	}
}

enum climbed { NOWHERE, TO_TOP, TO_ROOT };

/*
 * Climb to the root, if there is one, or else to the top; NOWHERE if it is not within the limits, or
 * if something on the way is missing: half a path is another one.
 */
static enum climbed climb(struct view *v, struct place at,
			  const struct place *root, char *buf, size_t *begin,
			  u64 *top)
{
	u64 mount = at.mnt - offset_of_field(v, F_MOUNT_MNT);
	u64 dentry = at.dentry, misses = v->misses;
	char name[MAX_NAME + 1];

	for (int i = 0; i < MAX_COMPONENTS && !v->error && v->misses == misses;
	     i++) {
		u64 mnt = mount + offset_of_field(v, F_MOUNT_MNT);
		u64 parent = view_field(v, dentry, F_DENTRY_PARENT);

		if (root && root->dentry == dentry && root->mnt == mnt)
			return TO_ROOT;
		if (dentry == view_field(v, mnt, F_VFSMOUNT_ROOT) ||
		    dentry == parent) {
			u64 above = view_field(v, mount, F_MOUNT_PARENT);

			*top = dentry;
			if (v->misses != misses)
				return NOWHERE;
			if (above == mount || !above)
				return TO_TOP;
			dentry = view_field(v, mount, F_MOUNT_POINT);
			mount = above;
			continue;
		}
		if (!name_of(v, dentry, name) || !prepend(buf, begin, name) ||
		    !prepend(buf, begin, "/"))
			return NOWHERE;
		dentry = parent;
	}
	if (!v->error)
		view_broken(v, misses, "a path", dentry);
	return NOWHERE;
}

/* A file without a directory, such as a memfd, has a name and nothing above. */
static void root_name(struct view *v, u64 dentry, char *to)
{
	char name[MAX_NAME + 1];

	if (!name_of(v, dentry, name) || !strcmp(name, "/"))
		snprintf(to, MAX_PATH, "/");
	else
		snprintf(to, MAX_PATH, "/%s (deleted)", name);
}

void path_of_file(struct view *v, u64 file, char to[MAX_PATH])
{
	static const char deleted[] = " (deleted)";
	u64 dentry = view_field(v, file, F_FILE_DENTRY), top = 0;
	u64 inode = view_field(v, file, F_FILE_INODE);
	char buf[MAX_PATH];
	size_t at = sizeof(buf) - sizeof(deleted);

	*to = '\0';
	if (!dentry || pseudo_path(v, dentry, inode, to))
		return;
	buf[at] = '\0';
	if (!climb(v, (struct place){ dentry, view_field(v, file, F_FILE_MNT) },
		   NULL, buf, &at, &top))
		return;
	if (!buf[at]) {
		root_name(v, top, to);
		return;
	}
	if (!view_field(v, dentry, F_DENTRY_PPREV))
		memcpy(buf + sizeof(buf) - sizeof(deleted), deleted,
		       sizeof(deleted));
	memcpy(to, buf + at, strlen(buf + at) + 1);
}

/* Take the text from buf[at], which ends the buffer; that of a root is empty. */
static void take_path(const char *buf, size_t at, char to[MAX_PATH])
{
	if (buf[at])
		memcpy(to, buf + at, strlen(buf + at) + 1);
	else
		snprintf(to, MAX_PATH, "/");
}

bool path_of_place(struct view *v, const struct place *place,
		   const struct place *root, bool *below, char to[MAX_PATH])
{
	char buf[MAX_PATH] = "";
	size_t at = sizeof(buf) - 1;
	enum climbed climbed;
	u64 top;

	*to = '\0';
	buf[at] = '\0';
	climbed = climb(v, *place, root, buf, &at, &top);
	*below = climbed == TO_ROOT;
	if (climbed == NOWHERE)
		return false;
	take_path(buf, at, to);
	return true;
}

void path_in_file_system(struct view *v, u64 dentry, char to[MAX_PATH])
{
	static const char deleted[] = "//deleted";
	u64 at = dentry, parent, misses = v->misses;
	char buf[MAX_PATH], name[MAX_NAME + 1];
	size_t begin = sizeof(buf) - sizeof(deleted);

	*to = '\0';
	buf[begin] = '\0';
	for (int i = 0; i < MAX_COMPONENTS && !v->error; i++, at = parent) {
		parent = view_field(v, at, F_DENTRY_PARENT);
		if (v->misses != misses)
			return;
		if (at == parent) {
			if (buf[begin] &&
			    !view_field(v, dentry, F_DENTRY_PPREV))
				memcpy(buf + sizeof(buf) - sizeof(deleted),
				       deleted, sizeof(deleted));
			take_path(buf, begin, to);
			return;
		}
		if (!name_of(v, at, name) || !prepend(buf, &begin, name) ||
		    !prepend(buf, &begin, "/"))
			return;
	}
	if (!v->error)
		view_broken(v, misses, "a path", dentry);
}
