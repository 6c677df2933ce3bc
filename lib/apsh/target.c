// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* From a representor to memory: its target file says where the memory is. */
#include "core/base/log.h"
#include "core/device/rep.h"
#include "core/device/target.h"

#include "system.h"

LOG_SOURCE("APSH");

doca_error_t target_open(struct doca_apsh_system *system)
{
	const struct target *target = system->target;

	if (!target)
		target = doca_priv_rep_target(system->rep);
	if (!target)
		return FAIL(
			INITIALIZATION,
			"no file of %s names the memory of the representor; "
			"write one with doca_apsh target add",
			doca_priv_targets_dir());
	return source_open(&system->source, target);
}
