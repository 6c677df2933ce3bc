// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Lists of digests, as hash and sha256sum print them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"
#include "data/msg.h"
#include "data/stop.h"
#include "hash.h"

struct check {
	struct doca_dev *dev;
	struct hash hash;
	enum doca_sha_algorithm algorithm;
	bool is_open; /* for that algorithm */
	unsigned long checked;
	unsigned long failed;
	unsigned long malformed;
};

static bool algorithm_of(size_t digits, enum doca_sha_algorithm *algorithm)
{
	enum doca_sha_algorithm a;

	for (a = DOCA_SHA_ALGORITHM_SHA1; a <= DOCA_SHA_ALGORITHM_SHA512; a++)
		if (digits == 2 * digest_size(a)) {
			*algorithm = a;
			return true;
		}
	return false;
}

/* Undo what print_name() of sums.c does. */
static bool unescape(char *name)
{
	char *to = name;

	for (; *name; name++) {
		if (*name == '\\') {
			name++;
			if (!*name || !strchr("nr\\", *name))
				return false;
			*to++ = *name == 'n' ? '\n' :
				*name == 'r' ? '\r' :
					       '\\';
		} else {
			*to++ = *name;
		}
	}
	*to = '\0';
	return true;
}

/* "HEX  NAME" or "HEX *NAME"; with a backslash before it the name is escaped. */
static bool parse_line(char *line, char **hex, char **name,
		       enum doca_sha_algorithm *algorithm)
{
	bool is_escaped = *line == '\\';
	size_t digits;

	line += is_escaped;
	digits = strspn(line, "0123456789abcdefABCDEF");
	if (!algorithm_of(digits, algorithm) || line[digits] != ' ' ||
	    !strchr(" *", line[digits + 1]) || !line[digits + 1])
		return false;
	line[digits] = '\0';
	*hex = line;
	*name = line + digits + 2;
	return **name && (!is_escaped || unescape(*name));
}

/* Lists have one algorithm, as a rule. */
static int use_algorithm(struct check *check, enum doca_sha_algorithm algorithm)
{
	if (check->is_open && check->algorithm == algorithm)
		return 0;
	if (check->is_open)
		hash_close(&check->hash);
	check->algorithm = algorithm;
	check->is_open = !hash_open(&check->hash, check->dev, algorithm);
	if (check->is_open)
		return 0;
	hash_close(&check->hash);
	return -1;
}

static int check_line(struct check *check, char *line)
{
	char found[2 * DIGEST_MAX + 1], *hex, *name;
	enum doca_sha_algorithm algorithm;
	bool is_right;

	if (!parse_line(line, &hex, &name, &algorithm)) {
		check->malformed++;
		return 0;
	}
	if (use_algorithm(check, algorithm))
		return -1;
	check->checked++;
	is_right = !hash_file(&check->hash, name);
	if (is_right) {
		hash_hex(&check->hash, found);
		is_right = !strcasecmp(hex, found);
	}
	check->failed += !is_right;
	printable(name);
	printf("%s: %s\n", name, is_right ? "OK" : "FAILED");
	return 0;
}

static int check_list(struct check *check, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *list = is_stdin ? stdin : fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	if (!list)
		return fail_errno("cannot read %s", path);
	while (!ret && !stop_requested() &&
	       (len = getline(&line, &size, list)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		ret = check_line(check, line);
	}
	if (ferror(list))
		ret = fail_errno("cannot read %s", path);
	free(line);
	if (!is_stdin)
		fclose(list);
	return ret;
}

int check_lists(const struct options *opts, struct doca_dev *dev)
{
	struct check check = { .dev = dev };
	int ret = 0, i;

	for (i = 0; opts->files[i] && !stop_requested(); i++)
		if (check_list(&check, opts->files[i]))
			ret = -1;
	if (check.is_open)
		hash_close(&check.hash);
	if (stop_requested())
		return fail("interrupted");
	if (check.malformed)
		fail("lines that are no digest and name: %lu", check.malformed);
	if (check.failed)
		ret = fail("files that are not as in the list: %lu of %lu",
			   check.failed, check.checked);
	if (!ret && !check.checked)
		ret = fail("the list has no digests");
	return ret;
}
