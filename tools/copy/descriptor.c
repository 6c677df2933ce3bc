// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The exporter's side of a descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/stop.h"
#include "descriptor.h"
#include "descriptor_files.h"

#define TEMPORARY ".doca_copy.tmp"

int descriptor_claim(const char *dir, bool any_user)
{
	int dirfd;

	if (mkdir(dir, any_user ? 0755 : 0700) && errno != EEXIST)
		return fail_errno("cannot make directory %s", dir);
	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return fail_errno("cannot open directory %s", dir);
	if (!flock(dirfd, LOCK_EX | LOCK_NB))
		return dirfd;
	if (errno == EWOULDBLOCK) {
		fail("another doca_copy exports through %s", dir);
		hint("Choose another directory for --desc, or end that one.");
	} else {
		fail_errno("cannot lock directory %s", dir);
	}
	close(dirfd);
	return -1;
}

static int write_file(int dirfd, const char *name, const void *data, size_t len,
		      mode_t mode)
{
	int fd;

	/* The directory is locked, so an existing file is from a killed exporter. */
	unlinkat(dirfd, TEMPORARY, 0);
	fd = openat(dirfd, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return fail_errno("cannot write %s", name);
	if (write(fd, data, len) != (ssize_t)len || fchmod(fd, mode) ||
	    renameat(dirfd, TEMPORARY, dirfd, name)) {
		fail_errno("cannot write %s", name);
		unlinkat(dirfd, TEMPORARY, 0);
		close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

int descriptor_write(int dirfd, const struct descriptor *desc, bool any_user,
		     bool once)
{
	mode_t mode = any_user ? 0644 : 0600;
	char text[BUFFER_TEXT_MAX];
	int len;

	descriptor_remove(dirfd);
	len = snprintf(text, sizeof(text),
		       "version: %d\n"
		       "file: %s\n"
		       "address: 0x%" PRIx64 "\n"
		       "length: %" PRIu64 "\n"
		       "sha256: %s\n",
		       BUFFER_TEXT_VERSION, desc->file, desc->address,
		       desc->length, desc->sha256.hex);
	if (once && write_file(dirfd, FILE_DONE, "", 0, any_user ? 0666 : 0600))
		return -1;
	/* Write this file last: an importer that sees it finds the others. */
	if (write_file(dirfd, FILE_BLOB, desc->blob, desc->blob_len, mode) ||
	    write_file(dirfd, FILE_BUFFER, text, len, mode)) {
		descriptor_remove(dirfd);
		return -1;
	}
	return 0;
}

void descriptor_remove(int dirfd)
{
	unlinkat(dirfd, FILE_BUFFER, 0);
	unlinkat(dirfd, FILE_BLOB, 0);
	unlinkat(dirfd, FILE_DONE, 0);
}

enum import_state {
	IMPORT_MISSING,
	IMPORT_DONE,
	IMPORT_IMPOSSIBLE, /* an importer can no longer report success */
};

static enum import_state import_state(int dirfd)
{
	struct stat st;

	if (fstatat(dirfd, FILE_DONE, &st, AT_SYMLINK_NOFOLLOW))
		return IMPORT_IMPOSSIBLE;
	return st.st_size ? IMPORT_DONE : IMPORT_MISSING;
}

int descriptor_wait_done(int dirfd, const char *dir)
{
	enum import_state state;
	char events[4096];
	int notify;

	notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (notify < 0 ||
	    inotify_add_watch(notify, dir,
			      IN_CLOSE_WRITE | IN_DELETE | IN_MOVE |
				      IN_DELETE_SELF) < 0) {
		fail_errno("cannot watch %s", dir);
		if (notify >= 0)
			close(notify);
		return -1;
	}
	while ((state = import_state(dirfd)) == IMPORT_MISSING &&
	       !stop_requested()) {
		stop_or_readable(notify);
		while (read(notify, events, sizeof(events)) > 0)
			;
	}
	close(notify);
	if (state == IMPORT_IMPOSSIBLE)
		return fail(
			"the descriptor in %s was taken away before a file was imported",
			dir);
	return state == IMPORT_DONE ? 0 :
				      fail("ended before a file was imported");
}
