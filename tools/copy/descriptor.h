/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A descriptor: the directory through which an exporter tells an importer what
 * there is to copy.
 *
 *   export.desc   the blob of doca_mmap_export_pci()
 *   buffer.txt    what lies in the memory, one "name: value" a line
 *   done          only if the exporter wants to hear of an import that has
 *                 succeeded: empty, the importer writes a line into it
 *
 * The exporter holds a lock on the directory while it lives, and takes its files
 * away when it ends. An importer trusts none of them.
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
	char file[FILE_NAME_LEN + 1]; /* for people to read; no path */
	uint64_t address;
	uint64_t length; /* of the file; the memory has at least one byte */
	struct digest_text sha256;
	int done; /* to tell the exporter of this very export; -1 if it does not ask */
};

/*
 * Take a directory for an exporter, making it if needed. Returns a file
 * descriptor of it or -1.
 */
int descriptor_claim(const char *dir, bool any_user);

/*
 * Write the files, each at once. any_user lets all users read them; once makes
 * the one for descriptor_wait_done().
 */
int descriptor_write(int dirfd, const struct descriptor *desc, bool any_user,
		     bool once);

/* Take the files away; what is not there is no error. */
void descriptor_remove(int dirfd);

/* Wait until an importer has said that it is done; -1 if none will, or to end. */
int descriptor_wait_done(int dirfd, const char *dir);

/* Importer: read the files; tell the exporter, if it asks, that all is copied. */
int descriptor_read(const char *dir, struct descriptor *desc);
void descriptor_set_done(const struct descriptor *desc);
void descriptor_close(struct descriptor *desc);

#endif /* COPY_DESCRIPTOR_H */
