/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A process's report on its sockets: the content of a memfd named "doca_zc", which
 * doca_zc(1) finds among its open files. Only the process writes it; a reader must not
 * trust it.
 */
#ifndef DOCA_ONLOAD_STATS_H
#define DOCA_ONLOAD_STATS_H

#include <stdint.h>

#define STATS_NAME "doca_zc"
#define STATS_MAGIC 0x32305a4341434f44ull
#define STATS_SOCKETS 1024

/* A closed socket stays here until its file descriptor is used again. */
struct stats_socket {
	uint64_t cookie; /* 0: none */
	int32_t fd;
	uint32_t pad;
	char path[16]; /* kernel, copy or zero-copy */
	char reason[240]; /* why the kernel; else the interface */
	uint64_t datagrams; /* delivered */
	uint64_t bytes;
	uint64_t past; /* number of datagrams that came past the kernel */
	uint64_t bad; /* dropped: checksums, or not the socket's */
	uint64_t partial; /* delivered with a checksum that no card completed */
	uint64_t lost; /* dropped: the kernel had no buffer or no room */
	uint64_t no_buffer; /* number of times that all buffers were kept */
	uint64_t not_inline; /* times that kernel data was not accepted */
};

struct stats {
	uint64_t magic;
	int32_t pid;
	uint32_t buffers; /* number that the program may keep */
	uint64_t kept; /* includes those of running callbacks */
	struct stats_socket sockets[STATS_SOCKETS];
};

#endif /* DOCA_ONLOAD_STATS_H */
