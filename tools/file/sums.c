// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The command that prints digests, or compares with those that were printed. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "commands.h"
#include "data/msg.h"
#include "data/stop.h"
#include "hash.h"

/* As sha256sum does: a line is not broken by a name. */
static void print_name(const char *name)
{
	for (; *name; name++) {
		if (*name == '\n')
			fputs("\\n", stdout);
		else if (*name == '\r')
			fputs("\\r", stdout);
		else if (*name == '\\')
			fputs("\\\\", stdout);
		else
			putchar(*name);
	}
}

static int print_digest(struct hash *hash, const char *path)
{
	char hex[2 * DIGEST_MAX + 1];

	if (hash_file(hash, path))
		return -1;
	hash_hex(hash, hex);
	printf("%s%s  ", strpbrk(path, "\n\r\\") ? "\\" : "", hex);
	print_name(path);
	putchar('\n');
	return 0;
}

int command_hash(const struct options *opts, struct doca_dev *dev)
{
	struct hash hash;
	int ret = 0, i;

	if (opts->check)
		return check_lists(opts, dev);
	if (hash_open(&hash, dev, opts->algorithm))
		ret = -1;
	for (i = 0; opts->files[i] && hash.digests && !stop_requested(); i++)
		if (print_digest(&hash, opts->files[i]))
			ret = -1;
	if (opts->files[i] && !ret)
		ret = fail("interrupted");
	hash_close(&hash);
	return ret;
}
