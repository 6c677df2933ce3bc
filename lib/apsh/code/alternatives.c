// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The table of alternatives. Its entries have one of several forms, and nothing says which: the one
 * is taken of which all entries make sense.
 */
#include <stdlib.h>
#include <string.h>

#include "code.h"

/* Both addresses come first; what is between them and the lengths says when it is used. */
static const struct {
	u32 size, len, by_len, padding;
} forms[] = {
	{ 14, 12, 13, 0 }, /* since 6.3 */
	{ 12, 10, 11, 0 }, /* since 5.13 */
	{ 13, 10, 11, 12 },
};

static bool take(const struct code *code, const u8 *entry, u64 at, u32 form,
		 struct alternative *a)
{
	u64 place = code_follow(entry, at), by = code_follow(entry + 4, at + 4);

	a->at = (u32)(place - code->text);
	a->by = (u32)(by - code->text);
	a->len = entry[forms[form].len];
	a->by_len = entry[forms[form].by_len];
	return place >= code->text && by >= code->text &&
	       code_bytes(code, place, a->len) && place < code->end &&
	       by < code->end && a->len && a->by_len <= a->len &&
	       code_bytes(code, by, a->by_len) &&
	       (!forms[form].padding || entry[forms[form].padding] <= a->len);
}

static bool take_all(struct code *code, const u8 *bytes, u64 begin, u64 size,
		     u32 form)
{
	u64 nr = size / forms[form].size;

	if (size % forms[form].size)
		return false;
	for (u64 i = 0; i < nr; i++)
		if (!take(code, bytes + i * forms[form].size,
			  begin + i * forms[form].size, form,
			  &code->alternatives[i]))
			return false;
	code->nr_alternatives = (u32)nr;
	return true;
}

static int by_offset(const void *a, const void *b)
{
	const struct alternative *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->by > y->by) - (x->by < y->by);
}

/* Several entries of one place are one place, as long as the longest. */
static bool add_sites(struct code *code)
{
	struct alternative *list = code->alternatives;

	for (u32 i = 0, first = 0; i < code->nr_alternatives; i++) {
		struct site site = { .kind = SITE_ALTERNATIVE };

		list[i].last = i + 1 == code->nr_alternatives ||
			       list[i + 1].at != list[i].at;
		if (i - first == MOST_AT_ONE)
			return false;
		if (!list[i].last)
			continue;
		site.at = list[i].at;
		site.arg = first;
		for (; first <= i; first++)
			if (list[first].len > site.len)
				site.len = list[first].len;
		if (!code_add_site(code, site))
			return false;
	}
	return true;
}

const char *code_find_alternatives(struct code *code)
{
	u64 begin = code_symbol(code, "__alt_instructions");
	u64 end = code_symbol(code, "__alt_instructions_end");
	const u8 *bytes;
	u32 form = 0;

	if (!begin || end <= begin)
		return NULL;
	bytes = code_bytes(code, begin, end - begin);
	if (!bytes)
		return "__alt_instructions";
	code->alternatives =
		calloc((end - begin) / 12 + 1, sizeof(*code->alternatives));
	while (code->alternatives && form < ARRAY_SIZE(forms) &&
	       !take_all(code, bytes, begin, end - begin, form))
		form++;
	if (!code->alternatives || form == ARRAY_SIZE(forms))
		return "__alt_instructions";
	if (code->nr_alternatives)
		qsort(code->alternatives, code->nr_alternatives,
		      sizeof(*code->alternatives), by_offset);
	return add_sites(code) ? NULL : "__alt_instructions";
}
