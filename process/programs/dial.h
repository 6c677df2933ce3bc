/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Connects to the process that has made a blob. */
#ifndef SELFTESTS_PROCESS_DIAL_H
#define SELFTESTS_PROCESS_DIAL_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Values of struct doca_blob and struct wire_msg. */
#define BLOB_ID 8
#define MSG 256

static inline socklen_t name_of(const void *blob, struct sockaddr_un *address)
{
	const uint8_t *id = (const uint8_t *)blob + BLOB_ID;
	char *end = address->sun_path + 1;
	int i;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	end += sprintf(end, "open-doca/");
	for (i = 0; i < 16; i++)
		end += sprintf(end, "%02x", id[i]);
	return end - (char *)address;
}

static inline int dial(const void *blob)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;
	socklen_t len = name_of(blob, &address);

	if (connect(fd, (void *)&address, len)) {
		close(fd);
		return -1;
	}
	return fd;
}

#endif
