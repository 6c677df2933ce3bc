/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Settings of the kernel that are one character. */
#ifndef SELFTESTS_LIB_FIRST_BYTE_H
#define SELFTESTS_LIB_FIRST_BYTE_H

#include <fcntl.h>
#include <unistd.h>

/* Return the first byte of a file; 0 if it has none, or cannot be read. */
static inline char first_byte(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte = 0;

	if (fd < 0)
		return 0;
	if (read(fd, &byte, 1) != 1)
		byte = 0;
	close(fd);
	return byte;
}

#endif /* SELFTESTS_LIB_FIRST_BYTE_H */
