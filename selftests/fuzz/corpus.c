// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus.h"

/* A step that is cut off is filled with zeros; steps that do nothing are dropped. */
int input_read(struct input *input, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	memset(input, 0, sizeof(*input));
	if (fd < 0)
		return -errno;
	size = read(fd, input->steps, sizeof(input->steps));
	close(fd);
	if (size < 0)
		return -EIO;
	input->n = (size + sizeof(struct step) - 1) / sizeof(struct step);
	while (input->n && !input->steps[input->n - 1].call)
		input->n--;
	return 0;
}

int input_write(const struct input *input, const char *path)
{
	ssize_t size = input->n * sizeof(struct step);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, input->steps, size) != size)
		err = -EIO;
	close(fd);
	return err;
}

/* FNV-1a */
static uint64_t hash(const void *data, size_t size)
{
	const uint8_t *byte = data;
	uint64_t h = 0xcbf29ce484222325;

	while (size--)
		h = (h ^ *byte++) * 0x100000001b3;
	return h;
}

int input_keep(const struct input *input, const char *folder, char name[17])
{
	char own[17], path[PATH_MAX];

	if (!name)
		name = own;
	snprintf(name, 17, "%016lx",
		 hash(input->steps, input->n * sizeof(struct step)));
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return input_write(input, path);
}

int corpus_add(struct corpus *corpus, const struct input *input)
{
	struct input *more = realloc(corpus->inputs,
				     (corpus->n + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	corpus->inputs = more;
	more[corpus->n++] = *input;
	return 0;
}

int corpus_load(struct corpus *corpus, const char *folder)
{
	struct dirent **files;
	char path[PATH_MAX];
	int n = scandir(folder, &files, NULL, alphasort), i, added = 0;

	for (i = 0; i < n; i++) {
		struct input input;

		snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
		if (files[i]->d_name[0] != '.' && !input_read(&input, path) &&
		    !corpus_add(corpus, &input))
			added++;
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	return added;
}
