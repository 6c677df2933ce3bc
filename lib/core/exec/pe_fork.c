// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Progress engines of a parent process, in its child. */
#include "core/base/log.h"
#include "ctx.h"
#include "pe.h"

LOG_SOURCE("COMMON::PE");

/* Leave the file descriptors alone: the parent shares them, and would notice. */
bool pe_alive(struct doca_pe *pe)
{
	struct list *pos;

	if (driver_current(pe->generation))
		return true;
	if (pe->orphaned)
		return false;
	LOG_WARN("progress engine %p belongs to the parent process; its "
		 "contexts are dead here",
		 (void *)pe);
	pe->orphaned = true;
	pe->armed = false;
	list_for_each(pos, &pe->ctxs)
		ctx_orphan(list_entry(pos, struct doca_ctx, link));
	return false;
}
