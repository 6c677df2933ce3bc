// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Targets: every list finds and reads their files anew. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/out_of.h"
#include "core/base/settings_load.h"
#include "core/base/text_file.h"
#include "target.h"

LOG_SOURCE("COMMON::TARGET");

#define SUFFIX ".json"

const char *doca_priv_targets_dir(void)
{
	const char *dir = secure_getenv("DOCA_TARGETS_DIR");

	return dir && *dir ? dir : TARGETS_DIR;
}

struct target *doca_priv_target_get(struct target *target)
{
	if (target)
		__atomic_fetch_add(&target->refs, 1, __ATOMIC_RELAXED);
	return target;
}

void doca_priv_target_put(struct target *target)
{
	if (!target || __atomic_sub_fetch(&target->refs, 1, __ATOMIC_ACQ_REL))
		return;
	free(target->file.path);
	for (uint32_t i = 0; i < target->nr_parts; i++)
		free(target->parts[i].path);
	free(target->parts);
	free(target->qmp);
	free(target->regions);
	free(target);
}

const char *const doca_priv_target_formats[TARGET_FORMATS] = {
	[TARGET_AUTO] = "auto",	  [TARGET_RAW] = "raw",
	[TARGET_LIME] = "lime",	  [TARGET_ELF] = "elf",
	[TARGET_KDUMP] = "kdump", [TARGET_QEVM] = "qevm",
};

void doca_priv_target_list_free(struct target_list *list)
{
	for (uint32_t i = 0; i < list->nr; i++)
		doca_priv_target_put(list->targets[i]);
	free(list->targets);
	*list = (struct target_list){ 0 };
}

/* These errors do not concern a single file, and must not hide it: nothing can be read now. */
static bool concerns_all(int err)
{
	return is_out_of(err) || err == -ELIBACC;
}

/* Return NULL if only root and the caller could have written the file, else why not. */
static const char *distrust(const struct stat *st)
{
	if (st->st_uid && st->st_uid != geteuid())
		return "it belongs to somebody else than root and the caller";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "others may write to it; see chmod go-w";
	return NULL;
}

static int check_file(const char *path, int fd)
{
	const char *why;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	why = distrust(&st);
	if (!S_ISREG(st.st_mode))
		why = "it is no regular file";
	if (!why)
		return 0;
	LOG_WARN("%s is left out: %s", path, why);
	return -EINVAL;
}

static int read_target(const char *path, int fd, struct target **target)
{
	char *text;
	size_t len;
	int err;

	err = check_file(path, fd);
	if (err)
		return err;
	err = text_file_load(path, fd, &text, &len);
	if (err)
		return err;
	err = settings_target(path, text, len, target);
	free(text);
	return err;
}

/* O_NONBLOCK: do not wait for a FIFO of that name. */
static int open_target(int dir, const char *dir_name, const char *file,
		       struct target **target)
{
	char path[4096];
	int err, fd;

	snprintf(path, sizeof(path), "%s/%s", dir_name, file);
	fd = openat(dir, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		err = -errno;
		if (!is_out_of(err))
			LOG_WARN("%s is left out: %s", path, errno_text(err));
		return err;
	}
	err = read_target(path, fd, target);
	close(fd);
	if (!err)
		snprintf((*target)->name, sizeof((*target)->name), "%.*s",
			 (int)(strlen(file) - strlen(SUFFIX)), file);
	return err;
}

static int is_target_file(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > strlen(SUFFIX) &&
	       len - strlen(SUFFIX) < TARGET_MAX_NAME &&
	       !strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX);
}

static int add_targets(int dir, const char *dir_name, struct dirent **names,
		       int n, struct target_list *list)
{
	int err;

	list->targets = calloc(n + 1, sizeof(*list->targets));
	if (!list->targets)
		return -ENOMEM;
	for (int i = 0; i < n; i++) {
		err = open_target(dir, dir_name, names[i]->d_name,
				  &list->targets[list->nr]);
		if (!err)
			list->nr++;
		else if (concerns_all(err))
			return err;
	}
	return 0;
}

static int scan(int dir, const char *dir_name, struct target_list *list)
{
	struct dirent **names;
	const char *why;
	struct stat st;
	int err, n;

	if (fstat(dir, &st))
		return -errno;
	why = distrust(&st);
	if (why) {
		LOG_WARN("target files of %s are left out: %s", dir_name, why);
		return 0;
	}
	n = scandirat(dir, ".", &names, is_target_file, alphasort);
	if (n < 0)
		return -errno;
	err = add_targets(dir, dir_name, names, n, list);
	while (n)
		free(names[--n]);
	free(names);
	return err;
}

int doca_priv_target_list(struct target_list *list)
{
	const char *name = doca_priv_targets_dir();
	int err, dir;

	*list = (struct target_list){ 0 };
	dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = dir < 0 ? -errno : scan(dir, name, list);
	if (dir >= 0)
		close(dir);
	if (concerns_all(err)) {
		LOG_ERR("cannot read %s: %s", name, errno_text(err));
		doca_priv_target_list_free(list);
		return err;
	}
	if (err && err != -ENOENT)
		LOG_WARN("target files of %s are left out: %s", name,
			 errno_text(err));
	return 0;
}

struct target *doca_priv_target_find(const char *vuid)
{
	struct target *found = NULL;
	struct target_list list;

	if (doca_priv_target_list(&list))
		return NULL;
	for (uint32_t i = 0; i < list.nr && !found; i++)
		if (list.targets[i] && !strcmp(list.targets[i]->vuid, vuid))
			found = doca_priv_target_get(list.targets[i]);
	doca_priv_target_list_free(&list);
	if (!found)
		LOG_ERR("no file of %s has the VUID %s",
			doca_priv_targets_dir(), vuid);
	return found;
}
