// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Groups that do not exist on a Linux target. */
#include "group.h"

LOG_SOURCE("APSH");

DEFINE_NEVER_GET(doca_apsh_sids_get, doca_apsh_process, process, doca_apsh_sid,
		 sids, sids_size,
		 "security identifiers are of Windows; ask for LINUX_UID and "
		 "LINUX_GID of the process")
DEFINE_FREE(doca_apsh_sids_free, doca_apsh_sid, sids)

DEFINE_NEVER_GET(doca_apsh_ldrmodules_get, doca_apsh_process, process,
		 doca_apsh_ldrmodule, ldrmodules, ldrmodules_size,
		 "modules of a loader are of Windows; ask for libraries")
DEFINE_FREE(doca_apsh_ldrmodules_free, doca_apsh_ldrmodule, ldrmodules)

/* No object of these groups is ever made. */
#define DEFINE_NO_INFO_GET(name, type, enumeration, object)            \
	const void *name(struct type *object, enum enumeration attr)   \
	{                                                              \
		(void)attr;                                            \
		if (given(object))                                     \
			LOG_ERR("%p is no object of this group: none " \
				"is ever made",                        \
				(void *)object);                       \
		return NULL;                                           \
	}

DEFINE_NO_INFO_GET(__doca_apsh_sid_info_get, doca_apsh_sid, doca_apsh_sid_attr,
		   sid)
DEFINE_NO_INFO_GET(__doca_apsh_ldrmodule_info_get, doca_apsh_ldrmodule,
		   doca_apsh_ldrmodule_attr, ldrmodule)
