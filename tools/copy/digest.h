/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* SHA-256, as text of lower-case hexadecimal digits. */
#ifndef COPY_DIGEST_H
#define COPY_DIGEST_H

#include <stddef.h>

#define DIGEST_TEXT_LEN 64

struct digest_text {
	char hex[DIGEST_TEXT_LEN + 1];
};

struct digest;

struct digest *digest_new(void);
void digest_free(struct digest *digest);
int digest_add(struct digest *digest, const void *data, size_t len);
int digest_end(struct digest *digest, struct digest_text *text);

/* Digest memory, or a whole file through its page cache. */
int digest_memory(const void *data, size_t len, struct digest_text *text);
int digest_file(int fd, struct digest_text *text);

#endif /* COPY_DIGEST_H */
