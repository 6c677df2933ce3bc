/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Write a word to a file of the kernel. */
#ifndef SELFTESTS_LIB_WRITE_TO_H
#define SELFTESTS_LIB_WRITE_TO_H

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static inline bool write_to(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, word, strlen(word)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

#endif /* SELFTESTS_LIB_WRITE_TO_H */
