// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "fields.h"

#define X(name, type, path, size, needed) \
	[F_##name] = { type, path, size, needed },
const struct field_spec field_specs[NR_FIELDS] = { FIELDS(X) };
#undef X

#define X(name, needed) [S_##name] = { #name, needed },
const struct symbol_spec symbol_specs[NR_SYMBOLS] = { SYMBOLS(X) };
#undef X

bool field_fits(const struct field_spec *spec, const struct field_at *at)
{
	return at->offset <= MAX_TYPE && at->size <= MAX_TYPE &&
	       (at->size || *spec->path) &&
	       (!spec->size || at->size == spec->size);
}
