/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A descriptor: the directory in which an exporter tells an importer what there
 * is to copy.
 *
 *   export.desc   the blob of doca_mmap_export_pci()
 *   buffer.txt    a description of the memory, one "name: value" a line
 *   done          empty, only if the exporter wants to know of a successful
 *                 import: the importer writes a line into it
 *
 * The exporter holds a lock on the directory while it lives, and removes its
 * files at its end. An importer trusts none of them.
 */
#ifndef COPY_DESCRIPTOR_H
#define COPY_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "digest.h"

#define BLOB_MAX 4096
#define FILE_NAME_LEN 255

struct descriptor {
	uint8_t blob[BLOB_MAX];
	size_t blob_len;
	char file[FILE_NAME_LEN + 1]; /* a name to print, no path */
	uint64_t address;
	uint64_t length; /* bytes of the file; the memory has at least one */
	struct digest_text sha256;
	int done; /* descriptor of this export's FILE_DONE; -1: not wanted */
};

/* Claim a directory for an exporter, and make it if needed. Returns its file descriptor or -1. */
int descriptor_claim(const char *dir, bool any_user);

/*
 * Write the files, each atomically. any_user makes them readable for all users;
 * once adds the file for descriptor_wait_done().
 */
int descriptor_write(int dirfd, const struct descriptor *desc, bool any_user,
		     bool once);

/* Remove the files; missing ones are no error. */
void descriptor_remove(int dirfd);

/* Wait until an importer reports success. Returns -1 if none will, or the program shall end. */
int descriptor_wait_done(int dirfd, const char *dir);

/* Importer: read the files, and report success to the exporter if it wants that. */
int descriptor_read(const char *dir, struct descriptor *desc);
void descriptor_set_done(const struct descriptor *desc);
void descriptor_close(struct descriptor *desc);

#endif /* COPY_DESCRIPTOR_H */
