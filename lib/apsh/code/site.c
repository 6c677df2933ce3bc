// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include "code.h"
#include "halve.h"

enum { MAX_SITES = 1 << 23 };

bool code_add_site(struct code *code, struct site site)
{
	if (code->nr_sites == code->max_sites) {
		u32 max = code->max_sites ? 2 * code->max_sites : 65536;
		struct site *more =
			max > MAX_SITES ?
				NULL :
				reallocarray(code->sites, max, sizeof(*more));

		if (!more)
			return false;
		code->sites = more;
		code->max_sites = max;
	}
	code->sites[code->nr_sites++] = site;
	return true;
}

struct wanted {
	const struct code *code;
	u32 from;
};

static bool is_before(const void *key, u32 i)
{
	const struct wanted *w = key;

	return w->code->sites[i].at < w->from;
}

u32 code_first_site(const struct code *code, u32 at)
{
	struct wanted w = { code, at < MAX_SITE ? 0 : at - MAX_SITE + 1 };

	return first_not(code->nr_sites, is_before, &w);
}

bool code_has_site(const struct code *code, u32 at, enum site_kind kind)
{
	struct wanted w = { code, at };

	for (u32 i = first_not(code->nr_sites, is_before, &w);
	     i < code->nr_sites && code->sites[i].at == at; i++)
		if (code->sites[i].kind == kind)
			return true;
	return false;
}
