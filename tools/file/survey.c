// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/msg.h"
#include "data/stop.h"
#include "hash.h"
#include "survey.h"

/* Files by the index in their name. */
struct found {
	bool is_closed; /* it is there, but cannot be opened: that was told */
	bool has_header;
	bool was_judged; /* with its set */
	struct blocks blocks;
};

/* Leaves the input behind the header. False: with a reason, or NULL. */
static bool read_header(struct hash *hash, struct input *in,
			struct blocks *blocks, const char **why)
{
	uint8_t *memory = hash->engine.slots[0].in;
	size_t size, got;

	*why = "it ends within its header";
	if (input_look(in, BLOCKS_FIXED))
		goto err;
	if (in->ahead_len < BLOCKS_FIXED)
		return false;
	size = blocks_read_size(in->ahead, why);
	if (!size)
		return false;
	*why = "it ends within its header";
	if (input_read(in, memory, size, &got))
		goto err;
	return got == size &&
	       blocks_read_header(blocks, hash->digests, memory, why);
err:
	*why = NULL;
	return false;
}

static int open_block(struct input *in, const char *name, unsigned int index,
		      char **path)
{
	*path = blocks_name(name, index);
	if (*path && !input_open(in, *path))
		return 0;
	free(*path);
	return -1;
}

static bool is_there(const char *name, unsigned int index)
{
	char *path = blocks_name(name, index);
	bool there = path && !access(path, F_OK);

	free(path);
	return there;
}

/* Look at the headers of all files that there may be. */
static int find_files(struct hash *hash, const char *name, struct found *found)
{
	unsigned int i;
	const char *why;
	struct input in;
	char *path;

	for (i = 0; i < BLOCKS_MAX && !stop_requested(); i++) {
		if (!is_there(name, i))
			continue;
		found[i].is_closed = open_block(&in, name, i, &path);
		if (found[i].is_closed)
			continue;
		found[i].has_header =
			read_header(hash, &in, &found[i].blocks, &why) &&
			found[i].blocks.index == i;
		input_close(&in);
		free(path);
	}
	return stop_requested() ? fail("interrupted") : 0;
}

/* The set of most files that was not judged yet. Returns the index of a file, or -1. */
static int choose_set(const struct found *found)
{
	unsigned int i, j, nr, most = 0;
	int chosen = -1;

	for (i = 0; i < BLOCKS_MAX; i++) {
		if (!found[i].has_header || found[i].was_judged)
			continue;
		for (nr = 0, j = 0; j < BLOCKS_MAX; j++)
			nr += found[j].has_header &&
			      blocks_agree(&found[i].blocks, &found[j].blocks);
		if (nr > most) {
			most = nr;
			chosen = i;
		}
	}
	return chosen;
}

/* Whether a file is as it was written; NULL: yes. */
static const char *why_bad(struct survey *survey, struct hash *hash,
			   struct input *in, unsigned int index)
{
	struct blocks blocks;
	const char *why;
	uint64_t begin;

	if (!read_header(hash, in, &blocks, &why))
		return why ?: "it could not be read";
	if (blocks.index != index)
		return "its name is that of another one";
	if (!blocks_agree(&blocks, &survey->blocks))
		return "it was written at another time than the others";
	begin = in->offset;
	if (hash_input(hash, in))
		return "it could not be read";
	if (in->offset - begin != blocks_chunks_size(&survey->blocks))
		return "its chunks are not as many as its header says";
	return memcmp(hash->value, survey->blocks.digests[index],
		      BLOCKS_DIGEST) ?
		       "it was changed, or cut off" :
		       NULL;
}

static void judge(struct survey *survey, struct hash *hash, const char *name,
		  const struct found *found, unsigned int index)
{
	bool is_own = found->has_header &&
		      blocks_agree(&found->blocks, &survey->blocks);
	const char *why = "it is missing";
	bool is_open = false;
	struct input in;
	char *path;

	if (is_there(name, index)) {
		why = "it could not be read";
		is_open = !found->is_closed &&
			  !open_block(&in, name, index, &path);
		survey->has_others |= !is_own;
	}
	if (is_open) {
		why = why_bad(survey, hash, &in, index);
		input_close(&in);
		free(path);
	}
	if (!why) {
		survey->is_good[index] = true;
		survey->good[survey->nr_good++] = index;
		return;
	}
	survey->why[survey->nr_bad] = why;
	survey->bad[survey->nr_bad++] = index;
}

/* Judge all files by the header of one. */
static int judge_set(struct survey *survey, struct hash *hash, const char *name,
		     struct found *found, unsigned int chosen)
{
	const struct blocks *blocks = &found[chosen].blocks;
	unsigned int i;

	*survey = (struct survey){ .blocks = *blocks };
	for (i = 0; i < BLOCKS_MAX; i++)
		found[i].was_judged |= found[i].has_header &&
				       blocks_agree(blocks, &found[i].blocks);
	for (i = 0; i < blocks_nr(blocks) && !stop_requested(); i++)
		judge(survey, hash, name, &found[i], i);
	return stop_requested() ? fail("interrupted") : 0;
}

/* The largest set that can be recovered; or, if there is none, the largest. */
static int survey_sets(struct survey *survey, struct hash *hash,
		       const char *name, struct found *found)
{
	int chosen = choose_set(found);
	struct survey other;

	if (chosen < 0)
		return fail(
			"there is no file %s.ec000 or the like with a whole header",
			name);
	if (judge_set(survey, hash, name, found, chosen))
		return -1;
	if (survey->nr_good >= survey->blocks.data)
		return 0;
	while ((chosen = choose_set(found)) >= 0) {
		if (judge_set(&other, hash, name, found, chosen))
			return -1;
		if (other.nr_good < other.blocks.data)
			continue;
		*survey = other;
		survey->is_second = true;
		return 0;
	}
	return 0;
}

static int survey_found(struct survey *survey, struct hash *hash,
			const char *name)
{
	struct found *found = calloc(BLOCKS_MAX, sizeof(*found));
	unsigned int i;
	int ret;

	if (!found)
		return fail("out of memory");
	ret = find_files(hash, name, found) ||
			      survey_sets(survey, hash, name, found) ?
		      -1 :
		      0;
	free(found);
	for (i = 0; i < survey->nr_bad && !ret; i++)
		fail("%s.ec%03u: %s", name, (unsigned int)survey->bad[i],
		     survey->why[i]);
	if (survey->is_second)
		fail("there are files of another set, too, of which too few are good");
	return ret;
}

int survey_files(struct survey *survey, const char *name, struct doca_dev *dev)
{
	struct hash hash;
	int ret = -1;

	*survey = (struct survey){ 0 };
	if (!hash_open(&hash, dev, DOCA_SHA_ALGORITHM_SHA256))
		ret = survey_found(survey, &hash, name);
	hash_close(&hash);
	return ret;
}

int survey_hopeless(const struct survey *survey, const char *name)
{
	char list[BLOCKS_MAX * sizeof(" .ec000")] = "";
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < survey->nr_bad; i++)
		at += snprintf(list + at, sizeof(list) - at, " .ec%03u",
			       (unsigned int)survey->bad[i] % 1000);
	fail("%s cannot be recovered: of %u files %u are needed, and %u are good",
	     name, blocks_nr(&survey->blocks), survey->blocks.data,
	     survey->nr_good);
	hint("Missing or damaged:%s", list);
	return -1;
}
