// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"

#include "text.h"

LOG_SOURCE("APSH");

enum {
	MAX_TEXT = 256 << 20, /* unpacked; a full map has under 40 MiB */
	MAX_DEPTH = 64,
};

static doca_error_t read_all(const char *path, int fd, size_t size, char **text)
{
	size_t done = 0;

	*text = malloc(size + 1);
	if (!*text)
		return OUT_OF_MEMORY("a file");
	while (done < size) {
		ssize_t n = read(fd, *text + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			free(*text);
			return FAIL(INITIALIZATION, "%s: %s", path,
				    n ? errno_text(errno) :
					"it became shorter");
		}
		done += (size_t)n;
	}
	(*text)[size] = '\0';
	return DOCA_SUCCESS;
}

/* Enlarge the buffer until the content fits, up to a limit that stops decompression bombs, too. */
static doca_error_t unpack(const char *path, char **text, size_t *len)
{
	size_t in, out, room = *len < 1 << 20 ? 8 << 20 : *len * 8;
	uint64_t memory;
	lzma_ret ret;
	char *to;

	for (;; room *= 2) {
		if (room > MAX_TEXT)
			room = MAX_TEXT;
		to = malloc(room + 1);
		if (!to)
			return OUT_OF_MEMORY("a file that is unpacked");
		in = out = 0;
		memory = MAX_TEXT;
		ret = lzma_stream_buffer_decode(&memory, 0, NULL, (u8 *)*text,
						&in, *len, (u8 *)to, &out,
						room);
		if (ret == LZMA_OK)
			break;
		free(to);
		if (ret != LZMA_BUF_ERROR || room == MAX_TEXT || in < *len / 64)
			return FAIL(INITIALIZATION,
				    "%s cannot be unpacked: it is damaged, "
				    "truncated, or larger than %d MiB",
				    path, MAX_TEXT >> 20);
	}
	to[out] = '\0';
	free(*text);
	*text = to;
	*len = out;
	return DOCA_SUCCESS;
}

doca_error_t text_read(const char *path, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	doca_error_t ret;
	struct stat st;

	if (fd < 0)
		return FAIL(INITIALIZATION, "%s: %s", path, errno_text(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		ret = FAIL(INITIALIZATION, "%s is no regular file", path);
	else if (!st.st_size)
		ret = FAIL(INITIALIZATION, "%s is empty", path);
	else if (st.st_size > MAX_TEXT)
		ret = FAIL(INITIALIZATION, "%s is larger than %d MiB", path,
			   MAX_TEXT >> 20);
	else
		ret = read_all(path, fd, (size_t)st.st_size, text);
	close(fd);
	if (ret != DOCA_SUCCESS)
		return ret;
	*len = (size_t)st.st_size;
	if (*len >= 6 && !memcmp(*text,
				 "\375"
				 "7zXZ",
				 5)) {
		ret = unpack(path, text, len);
		if (ret != DOCA_SUCCESS)
			free(*text);
	}
	return ret;
}

doca_error_t text_read_json(const char *path, struct json_object **json)
{
	enum json_tokener_error why;
	struct json_tokener *tok;
	doca_error_t ret;
	size_t len;
	char *text;

	ret = text_read(path, &text, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	tok = json_tokener_new_ex(MAX_DEPTH);
	if (!tok) {
		free(text);
		return OUT_OF_MEMORY("a reader of JSON");
	}
	*json = json_tokener_parse_ex(tok, text, (int)len);
	why = json_tokener_get_error(tok);
	if (why != json_tokener_success)
		ret = FAIL(INITIALIZATION, "%s is no JSON: %s at byte %zu",
			   path,
			   why == json_tokener_continue ?
				   "it ends early" :
				   json_tokener_error_desc(why),
			   json_tokener_get_parse_end(tok));
	else if (!json_object_is_type(*json, json_type_object) &&
		 !json_object_is_type(*json, json_type_array))
		ret = FAIL(INITIALIZATION, "%s has no object of JSON", path);
	if (ret != DOCA_SUCCESS && why == json_tokener_success)
		json_object_put(*json);
	json_tokener_free(tok);
	free(text);
	return ret;
}

bool text_number(const char *text, u64 *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, text[1] == 'x' ? 16 : 10);
	return !errno && !*end;
}
