/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Attributes of objects: a table for each group says where in the object each one is. */
#ifndef DOCA_APSH_ATTR_INNER_H
#define DOCA_APSH_ATTR_INNER_H

#include "objects.h"
#include "snapshot.h"

enum attr_kind { ATTR_NONE, ATTR_U32, ATTR_U64, ATTR_BOOL, ATTR_POINTER };

struct attr {
	int attr;
	enum attr_kind kind;
	u32 offset;
};

struct log_site;

/* Return NULL, with a warning, if the group has no such attribute. */
const void *attr_get(const struct attr *attrs, size_t nr, const void *object,
		     int attr, const struct log_site *site);

#define ATTR_KIND_(type, member)                 \
	_Generic(((struct type *)0)->member, u32 \
		 : ATTR_U32, int                 \
		 : ATTR_U32, u64                 \
		 : ATTR_U64, bool                \
		 : ATTR_BOOL, default            \
		 : ATTR_POINTER)

#define ATTR(name, type, member)                                              \
	{                                                                     \
		name, ATTR_KIND_(type, member), offsetof(struct type, member) \
	}
#define ATTR_WINDOWS(name)         \
	{                          \
		name, ATTR_NONE, 0 \
	}

/* The function that a macro of doca_apsh.h calls. */
#define DEFINE_INFO_GET(name, type, enumeration, attrs, object)              \
	const void *name(struct type *object, enum enumeration attr)         \
	{                                                                    \
		static const struct log_site site = LOG_SITE;                \
                                                                             \
		if (!valid(object))                                          \
			return NULL;                                         \
		return attr_get(attrs, ARRAY_SIZE(attrs), object, (int)attr, \
				&site);                                      \
	}

#endif /* DOCA_APSH_ATTR_INNER_H */
