/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A hash file, as "doca_apsh_map hash" writes it: the SHA-256 of each page of those
 * parts of files that are executed.
 */
#ifndef DOCA_APSH_HASHES_H
#define DOCA_APSH_HASHES_H

#include <doca_error.h>

#include "types.h"

enum { SHA256_LEN = 32 };

struct hashes;

/*
 * Read a file of hashes and return it with a reference. INITIALIZATION, logged,
 * if it is not one; NO_MEMORY.
 */
doca_error_t hashes_read(const char *path, struct hashes **hashes);
struct hashes *hashes_get(struct hashes *hashes);
void hashes_put(struct hashes *hashes);

/* Return true if it has hashes of this file. */
bool hashes_have(const struct hashes *hashes, const char *path);
/* Return the hash of a page of the file; NULL if there is none. */
const u8 *hashes_of_page(const struct hashes *hashes, const char *path,
			 u64 page);

#endif /* DOCA_APSH_HASHES_H */
