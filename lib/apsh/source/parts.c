// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several files: memory of a running QEMU with a backend for each NUMA node, or with memory that
 * was plugged in. All are raw, and the target file says where each is.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "file.h"

LOG_SOURCE("APSH");

/* The size of a file is checked while its regions are added. */
static doca_error_t add_part(struct source *s, const struct target *t, u32 part)
{
	struct source_part *to = &s->parts[part];
	char room[SOURCE_NAME];
	const char *path = source_name_file(&t->parts[part], room);
	doca_error_t ret =
		source_open_file(&t->parts[part], &to->fd, &to->size);

	s->file_size = to->size;
	for (u32 i = 0; i < t->nr_regions && ret == DOCA_SUCCESS; i++)
		if (t->regions[i].part == part)
			ret = source_region(s, &t->regions[i], path);
	return ret;
}

static doca_error_t open_parts(struct source *s, const struct target *t)
{
	doca_error_t ret = DOCA_SUCCESS;

	s->parts = calloc(t->nr_parts, sizeof(*s->parts));
	if (!s->parts)
		return OUT_OF_MEMORY("the files of a target");
	for (u32 i = 0; i < t->nr_parts; i++)
		s->parts[i].fd = -1;
	s->nr_parts = t->nr_parts;
	for (u32 i = 0; i < t->nr_parts && ret == DOCA_SUCCESS; i++)
		ret = add_part(s, t, i);
	return ret == DOCA_SUCCESS ? source_settle(s, t->name) : ret;
}

static void close_parts(struct source *s)
{
	for (u32 i = 0; i < s->nr_parts; i++)
		if (s->parts[i].fd >= 0)
			close(s->parts[i].fd);
	free(s->parts);
	source_file_close(s);
}

const struct source_ops source_parts_ops = {
	.open = open_parts,
	.read = source_file_read,
	.next_data = source_file_next_data,
	.close = close_parts,
};
