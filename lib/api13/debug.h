/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The objects of these levels in debug mode. They are in the registry of level 3.0, which
 * can so tell an object of one level from one of another.
 */
#ifndef DOCA_API13_DEBUG_H
#define DOCA_API13_DEBUG_H

#include "core/base/debug.h"

#include "api13.h"

extern const struct object_type api13_buf_object;
extern const struct object_type api13_ctx_object;
extern const struct object_type api13_devinfo_list_object;
extern const struct object_type api13_dma_object;
extern const struct object_type api13_inventory_object;
extern const struct object_type api13_mmap_object;
extern const struct object_type api13_remote_list_object;
extern const struct object_type api13_workq_object;

/* All levels share the objects of devices; remote ones are representors. */
extern const struct object_type doca_priv_dev_object;
extern const struct object_type doca_priv_dev_rep_object;
extern const struct object_type doca_priv_devinfo_object;
extern const struct object_type doca_priv_devinfo_rep_object;

#define OBJECT_TYPES                                                       \
	OBJECT_TYPE(doca_buf, api13_buf_object),                           \
		OBJECT_TYPE(doca_buf_inventory, api13_inventory_object),   \
		OBJECT_TYPE(doca_ctx, api13_ctx_object),                   \
		OBJECT_TYPE(doca_dev, doca_priv_dev_object),               \
		OBJECT_TYPE(doca_dev_remote, doca_priv_dev_rep_object),    \
		OBJECT_TYPE(doca_devinfo, doca_priv_devinfo_object),       \
		OBJECT_TYPE(doca_devinfo_remote,                           \
			    doca_priv_devinfo_rep_object),                 \
		OBJECT_TYPE(doca_dma, api13_dma_object),                   \
		OBJECT_LIST_TYPE(doca_devinfo, api13_devinfo_list_object), \
		OBJECT_LIST_TYPE(doca_devinfo_remote,                      \
				 api13_remote_list_object),                \
		OBJECT_TYPE(doca_mmap, api13_mmap_object),                 \
		OBJECT_TYPE(doca_workq, api13_workq_object)

/* Log that an argument is NULL or 0, and return false. */
bool api13_missing(const char *what, const char *func);

/*
 * Checks of arguments, for each function; valid() for objects. A function that works for
 * others logs in the name of @func.
 */
#define given_to(func, p) ((p) || api13_missing(#p, func))
#define lives_to(func, p)                 \
	(doca_likely(!doca_priv_debug) || \
	 doca_priv_debug_valid(p, TYPE_OF(p), true, func))
#define valid_to(func, p) (given_to(func, p) && lives_to(func, p))
#define given(p) given_to(__func__, p)
#define valid(p) valid_to(__func__, p)

#endif /* DOCA_API13_DEBUG_H */
