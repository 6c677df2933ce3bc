// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/out_of.h"
#include "core/base/settings_load.h"
#include "core/base/text_file.h"
#include "core/settings/table.h"
#include "profile.h"

LOG_SOURCE("COMMON::PROFILE");

static const struct profile_content no_profile = {
	.nr_pairs = 1,
	.pairs = { { .dpu = 0, .host = 1 } },
};

static struct {
	bool loaded;
	int err;
	const struct profile_content *content;
} profile = {
	.content = &no_profile,
};

static int read_content(const char *path, const char *text, size_t len,
			const struct settings_table *settings)
{
	struct profile_content *content = malloc(sizeof(*content));
	int err;

	if (!content)
		return -ENOMEM;
	*content = no_profile;
	err = settings->profile(path, text, len, content);
	if (err)
		free(content);
	else
		profile.content = content;
	return err;
}

static int read_file(const char *path, const struct settings_table *settings)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *text;
	size_t len;
	int err;

	if (fd < 0)
		return -errno;
	err = text_file_load(path, fd, &text, &len);
	close(fd);
	if (err)
		return err;
	err = read_content(path, text, len, settings);
	free(text);
	return err;
}

/* Names without a folder are reserved for installed profiles, and refused. */
static bool is_path(const char *name)
{
	return strchr(name, '/');
}

void profile_prepare(struct profile_source *source)
{
	const char *path;

	*source = (struct profile_source){ 0 };
	if (__atomic_load_n(&profile.loaded, __ATOMIC_ACQUIRE))
		return;
	path = secure_getenv("DOCA_PROFILE");
	if (!path || !*path)
		return;
	source->path = path;
	if (is_path(path))
		source->err = settings_load(&source->settings);
}

static int load(const struct profile_source *source)
{
	const char *path = source->path;
	int err = source->err;

	if (!path)
		return 0;
	if (!is_path(path)) {
		LOG_ERR("DOCA_PROFILE=%s is no path: write ./%s for a file "
			"that is here",
			path, path);
		return -PROFILE_ERROR;
	}
	if (!err)
		err = read_file(path, source->settings);
	if (!err) {
		LOG_INFO("devices are named by %s", path);
		return 0;
	}
	if (err == -EINVAL)
		LOG_ERR("DOCA_PROFILE=%s cannot be used: the line before "
			"says what is wrong",
			path);
	else if (err != -ELIBACC) /* which was logged */
		LOG_ERR("DOCA_PROFILE=%s cannot be read: %s", path,
			errno_text(err));
	return is_out_of(err) ? err : -PROFILE_ERROR;
}

/* A fault of the file is final; want of memory, of files, or of the plug-in that reads it is not. */
static bool is_final(const struct profile_source *source, int err)
{
	return !source->err && !is_out_of(err);
}

int profile_load(const struct profile_source *source)
{
	if (!profile.loaded) {
		profile.err = load(source);
		__atomic_store_n(&profile.loaded, is_final(source, profile.err),
				 __ATOMIC_RELEASE);
	}
	return profile.err;
}

const struct profile_device *profile_devices(uint32_t *n)
{
	*n = profile.content->nr;
	return profile.content->devices;
}

const struct profile_pair *profile_pairs(uint32_t *n)
{
	*n = profile.content->nr_pairs;
	return profile.content->pairs;
}
