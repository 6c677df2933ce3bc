// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "core/base/log.h"

#include "attr.h"

static const void *value(const struct attr *a, const void *object)
{
	const u8 *at = (const u8 *)object + a->offset;

	switch (a->kind) {
	case ATTR_U32:
		return (const void *)(uintptr_t) * (const u32 *)at;
	case ATTR_U64:
		return (const void *)(uintptr_t) * (const u64 *)at;
	case ATTR_BOOL:
		return (const void *)(uintptr_t) * (const bool *)at;
	case ATTR_POINTER:
		return *(const void *const *)at;
	default:
		return NULL;
	}
}

const void *attr_get(const struct attr *attrs, size_t nr, const void *object,
		     int attr, const struct log_site *site)
{
	for (size_t i = 0; i < nr; i++)
		if (attrs[i].attr == attr)
			return value(&attrs[i], object);
	LOG_AT(site, DOCA_LOG_LEVEL_WARNING,
	       "there is no attribute %d of these objects", attr);
	return NULL;
}
