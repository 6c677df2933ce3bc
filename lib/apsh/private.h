/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* For the tools and tests of Open DOCA: what the public interface has no place for. */
#ifndef DOCA_APSH_PRIVATE_H
#define DOCA_APSH_PRIVATE_H

#include <doca_apsh.h>

#include "core/device/target.h"
#include "view/view.h"

/*
 * A system that is set up for a target, which needs no device and no representor. It is
 * destroyed as any other; the target must outlive it. NULL if there is no memory.
 */
DOCA_STABLE struct doca_apsh_system *
doca_priv_apsh_system_of(const struct target *target);

/* What the last call has read; absent is 0 if it has failed for another reason. */
DOCA_STABLE void doca_priv_apsh_stats(struct doca_apsh_system *system,
				      struct view_stats *stats);
/* Before a call that may fail and read nothing. */
DOCA_STABLE void doca_priv_apsh_stats_clear(struct doca_apsh_system *system);

/*
 * Keep what is read of a started system from now on, and write it to a new file: an ELF
 * core that shows the same to the same calls. One thread at a time. Errors are logged.
 */
DOCA_STABLE doca_error_t doca_priv_apsh_record(struct doca_apsh_system *system);
DOCA_STABLE doca_error_t
doca_priv_apsh_record_write(struct doca_apsh_system *system, const char *path);

/* Is it in the tree of PIDs or in the list of tasks alone? */
DOCA_STABLE bool doca_priv_apsh_hidden(const struct doca_apsh_process *process);

/* Is it in the list of modules or in /sys/module alone? */
DOCA_STABLE bool
doca_priv_apsh_module_hidden(const struct doca_apsh_module *module);

#endif /* DOCA_APSH_PRIVATE_H */
