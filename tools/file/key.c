// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <doca_error.h>

#include "data/msg.h"
#include "key.h"

#define LONGEST 32

struct text {
	/* Digits, the end of their line, and one more than there may be. */
	unsigned char bytes[2 * LONGEST + 2];
	size_t len;
};

static int read_text(const char *path, struct text *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return fail_errno("cannot read the key's file %s", path);
	for (text->len = 0; n && text->len < sizeof(text->bytes);) {
		n = read(fd, text->bytes + text->len,
			 sizeof(text->bytes) - text->len);
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			text->len += n;
	}
	if (n < 0)
		fail_errno("cannot read the key's file %s", path);
	close(fd);
	return n < 0 ? -1 : 0;
}

static unsigned char digit(unsigned char c)
{
	return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}

/* Replace digits, behind which a line may end, by the bytes that they are. */
static void from_digits(struct text *text)
{
	size_t len = text->len, i;

	if (len && text->bytes[len - 1] == '\n')
		len--;
	if (len != LONGEST && len != 2 * LONGEST)
		return;
	for (i = 0; i < len; i++)
		if (!isxdigit(text->bytes[i]))
			return;
	for (i = 0; i < len / 2; i++)
		text->bytes[i] = digit(text->bytes[2 * i]) << 4 |
				 digit(text->bytes[2 * i + 1]);
	text->len = len / 2;
}

static int create(struct doca_aes_gcm *aes_gcm, const struct text *text,
		  struct doca_aes_gcm_key **key)
{
	doca_error_t err;

	err = doca_aes_gcm_key_create(aes_gcm, text->bytes,
				      text->len == LONGEST ?
					      DOCA_AES_GCM_KEY_256 :
					      DOCA_AES_GCM_KEY_128,
				      key);
	return err == DOCA_SUCCESS ? 0 : fail_doca(err, "cannot use the key");
}

int key_load(struct doca_aes_gcm *aes_gcm, const char *path,
	     struct doca_aes_gcm_key **key)
{
	struct text text = { .len = 0 };
	int ret;

	ret = read_text(path, &text);
	if (!ret) {
		from_digits(&text);
		ret = text.len == LONGEST || text.len == LONGEST / 2 ?
			      create(aes_gcm, &text, key) :
			      fail("%s has no key: neither 16 nor 32 bytes, nor as many in hexadecimal digits",
				   path);
	}
	explicit_bzero(&text, sizeof(text));
	return ret;
}
