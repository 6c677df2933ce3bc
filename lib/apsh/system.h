/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Contexts and systems. A system is counted: by the program, and by each array made from
 * it. doca_apsh_system_destroy() closes what it has opened; the rest ends with the last
 * array.
 */
#ifndef DOCA_APSH_SYSTEM_H
#define DOCA_APSH_SYSTEM_H

#include <pthread.h>

#include <doca_apsh.h>

#include "kernel/kernel.h"
#include "regions.h"
#include "source/source.h"
#include "view/view.h"

struct code;

struct doca_apsh_ctx {
	u32 refs;
	bool started;
	struct doca_dev *dev;
};

enum { NR_LIMITS = DOCA_APSH_FILESIZE_LIMIT + 1 };

struct doca_apsh_system {
	u32 refs;
	pthread_mutex_t lock; /* protects all members below */
	struct doca_apsh_ctx *ctx;
	bool started;
	bool destroyed;
	struct doca_dev_rep *rep;
	const struct target *target; /* used instead of the representor's */
	char *map_path; /* a file, or else a folder */
	bool map_is_folder;
	char *regions_path;
	char *kpgd_path;
	u32 window, step; /* for scans; 0: not set */
	int limits[NR_LIMITS]; /* by attribute; 0: not a limit */

	struct source source;
	struct regions regions;
	struct kernel kernel;
	struct view_budget budget;
	struct view_stats stats; /* for the last call */
	struct code *code; /* the image of its kernel; NULL: unknown */
	char code_lack[256]; /* the reason; "": nobody has said */
	bool warned_of_sent; /* the log says what its kernel does not count */
};

/* The default is a page, or as much of it as fits. */
static inline u32 window_of(const struct doca_apsh_system *system)
{
	return system->window ? system->window : (u32)PAGE;
}

static inline u32 step_of(const struct doca_apsh_system *system)
{
	u32 window = window_of(system);

	if (system->step)
		return system->step;
	return window < PAGE ? window : (u32)PAGE;
}

struct doca_apsh_system *system_get(struct doca_apsh_system *system);
void system_put(struct doca_apsh_system *system);

struct doca_apsh_ctx *ctx_get(struct doca_apsh_ctx *ctx);
void ctx_put(struct doca_apsh_ctx *ctx);

/* Open the memory of the system's target; log an error if that fails. */
doca_error_t target_open(struct doca_apsh_system *system);
/*
 * Hold its memory regions against memory whose place was deduced. INITIALIZATION, logged, if
 * they have more elsewhere than what was left out could be.
 */
doca_error_t target_confirm(const struct doca_apsh_system *system);

#endif /* DOCA_APSH_SYSTEM_H */
