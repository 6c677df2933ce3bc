// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Regular files that a process executes, maps or has open, and their content. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "../walk/walk.h"
#include "group.h"

LOG_SOURCE("APSH");

struct doca_apsh_proc_file_details {
	struct object object;
	u32 pid;
	u64 number, size, inode;
	const char *path, *sha1, *sha256, *elf;
};

/* Return the type of an ELF file, from its first 18 bytes. */
static const char *elf_type(const u8 *page)
{
	static const char *const names[] = { "", "ET_REL", "ET_EXEC", "ET_DYN",
					     "ET_CORE" };
	u32 type = page[16] | (u32)page[17] << 8;

	return memcmp(page, "\177ELF", 4) || type >= ARRAY_SIZE(names) ?
		       "" :
		       names[type];
}

static const char *digits_of(struct snapshot *s, EVP_MD_CTX *ctx)
{
	char text[2 * EVP_MAX_MD_SIZE + 1] = "";
	u8 sum[EVP_MAX_MD_SIZE];
	unsigned int len;

	if (!EVP_DigestFinal_ex(ctx, sum, &len))
		return "";
	for (unsigned int i = 0; i < len; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", sum[i]);
	return snapshot_string(s, text);
}

/* Compute both hashes, if the whole file is in memory. */
static void hash_pages(struct call *c, struct doca_apsh_proc_file_details *o,
		       EVP_MD_CTX *sha1, EVP_MD_CTX *sha256, u8 page[PAGE])
{
	u64 nr = pages_of_inode(&c->view, o->inode), left = o->size;

	for (u64 i = 0; i < nr; i++) {
		size_t len = left < PAGE ? left : PAGE;

		if (!page_of_inode(&c->view, o->inode, i, page))
			return;
		if (!i && len >= 18)
			o->elf = elf_type(page);
		if (left > limit_of(c, DOCA_APSH_FILESIZE_LIMIT) ||
		    !EVP_DigestUpdate(sha1, page, len) ||
		    !EVP_DigestUpdate(sha256, page, len))
			return;
		left -= len;
	}
	o->sha1 = digits_of(c->snap, sha1);
	o->sha256 = digits_of(c->snap, sha256);
}

static void hash(struct call *c, struct doca_apsh_proc_file_details *o)
{
	EVP_MD_CTX *sha1 = EVP_MD_CTX_new(), *sha256 = EVP_MD_CTX_new();
	u8 page[PAGE] = { 0 };

	if (!sha1 || !sha256 || !EVP_DigestInit_ex(sha1, EVP_sha1(), NULL) ||
	    !EVP_DigestInit_ex(sha256, EVP_sha256(), NULL))
		c->snap->no_memory = true;
	else
		hash_pages(c, o, sha1, sha256, page);
	EVP_MD_CTX_free(sha1);
	EVP_MD_CTX_free(sha256);
	explicit_bzero(page, sizeof(page));
}

static bool is_listed(const struct snapshot *s, const char *path)
{
	for (u32 i = 0; i < s->nr; i++) {
		const struct doca_apsh_proc_file_details *o =
			(const void *)s->list[i];

		if (*path && !strcmp(o->path, path))
			return true;
	}
	return false;
}

/* Add each file once, by inode and by path: a stacked file system has two inodes for one file. */
static void add(struct call *c, struct nodes *seen, u64 file)
{
	struct view *v = &c->view;
	u64 inode = file ? view_field(v, file, F_FILE_INODE) : 0;
	struct doca_apsh_proc_file_details *o;
	char path[MAX_PATH];

	if (!is_regular(v, inode) || !nodes_add(v, seen, inode, 0))
		return;
	path_of_file(v, file, path);
	if (is_listed(c->snap, path))
		return;
	if (c->snap->nr == limit_of(c, DOCA_APSH_HANDLES_LIMIT)) {
		c->cut = true;
		return;
	}
	o = snapshot_add(c->snap, sizeof(*o));
	if (!o)
		return;
	o->pid = c->process->pid;
	o->inode = inode;
	o->number = view_field(v, inode, F_INODE_INO);
	o->size = view_field(v, inode, F_INODE_SIZE);
	o->path = snapshot_string(c->snap, path);
	o->sha1 = o->sha256 = o->elf = "";
	hash(c, o);
	view_identity(v, inode + offset_of_field(v, F_INODE_INO), 8,
		      &o->object);
	view_identity(v, inode + offset_of_field(v, F_INODE_SIZE), 8,
		      &o->object);
}

static void fill(struct call *c)
{
	struct view *v = &c->view;
	struct nodes seen = { 0 };
	struct area *areas;
	u64 *files;
	u32 nr;

	if (!areas_get(c, &areas, &nr))
		return;
	for (u32 i = 0; i < nr && view_on_time(v) && !c->cut; i++)
		add(c, &seen, areas[i].file);
	free(areas);
	if (c->mm)
		add(c, &seen, view_field(v, c->mm, F_MM_EXE));
	files = files_get(c, c->task, &nr);
	for (u32 i = 0; i < nr && view_on_time(v) && !c->cut; i++)
		add(c, &seen, files[i]);
	free(files);
	nodes_free(&seen);
}

static const struct getter file_details_getter = {
	.what = "files",
	.object = &apsh_proc_file_details_object,
	.limit = DOCA_APSH_HANDLES_LIMIT,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_PROCESS_GET(doca_apsh_proc_files_details_get,
		   doca_apsh_proc_file_details, files_details,
		   files_details_size, &file_details_getter)
DEFINE_FREE(doca_apsh_proc_files_details_free, doca_apsh_proc_file_details,
	    files_details)

#define DETAIL(name, member)                        \
	ATTR(DOCA_APSH_PROCESS_FILE_DETAILS_##name, \
	     doca_apsh_proc_file_details, member)

static const struct attr attrs[] = {
	DETAIL(PID, pid),      DETAIL(PATH, path),
	DETAIL(SHA1, sha1),    DETAIL(SHA256, sha256),
	DETAIL(INODE, number), DETAIL(SIZE, size),
	DETAIL(ELF_TYPE, elf), DETAIL(INODE_ADDRESS, inode),
};

DEFINE_INFO_GET(__doca_apsh_proc_file_details_info_get,
		doca_apsh_proc_file_details, doca_apsh_proc_file_details_attr,
		attrs, file_details)
