/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of one set: which are there, and as they were written. */
#ifndef FILE_SURVEY_H
#define FILE_SURVEY_H

#include "blocks.h"

struct survey {
	struct blocks blocks; /* the index is of any file */
	bool is_good[BLOCKS_MAX];
	unsigned int good[BLOCKS_MAX]; /* indices, ascending */
	uint32_t bad[BLOCKS_MAX]; /* those that are missing, or damaged */
	const char *why[BLOCKS_MAX]; /* the reason of each */
	unsigned int nr_good;
	unsigned int nr_bad;
	bool is_second; /* there is a larger set, which cannot be recovered */
	bool has_others; /* a file that it would replace may be of another set */
};

/*
 * Read all files, choose a set if there are several, and say what is wrong with its files. Fails
 * if none has a header.
 */
int survey_files(struct survey *survey, const char *name, struct doca_dev *dev);

/* Say that too few are left, and which are not. Returns -1. */
int survey_hopeless(const struct survey *survey, const char *name);

#endif /* FILE_SURVEY_H */
