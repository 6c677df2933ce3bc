// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/args.h"
#include "objects.h"

#include "core/base/errno_text.h"
#include "code/code.h"
#include "kernel/isf.h"
#include "private.h"
#include "record.h"
#include "system.h"
#include "text.h"

LOG_SOURCE("APSH");

struct doca_apsh_system *system_get(struct doca_apsh_system *system)
{
	__atomic_add_fetch(&system->refs, 1, __ATOMIC_RELAXED);
	return system;
}

void system_put(struct doca_apsh_system *system)
{
	if (__atomic_sub_fetch(&system->refs, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_destroy(&system->lock);
	free(system->map_path);
	free(system->regions_path);
	free(system->kpgd_path);
	code_free(system->code);
	doca_priv_debug_free(system);
}

static void set_limits(int *limits)
{
	limits[DOCA_APSH_HASHTEST_LIMIT] = 4096;
	limits[DOCA_APSH_MODULES_LIMIT] = 8192;
	limits[DOCA_APSH_PROCESS_LIMIT] = 131072;
	limits[DOCA_APSH_THREADS_LIMIT] = 32768;
	limits[DOCA_APSH_LDRMODULES_LIMIT] = 65536;
	limits[DOCA_APSH_LIBS_LIMIT] = 8192;
	limits[DOCA_APSH_VADS_LIMIT] = 131072;
	limits[DOCA_APSH_WINDOWS_ENVARS_LIMIT] = 65536;
	limits[DOCA_APSH_HANDLES_LIMIT] = 65536;
	limits[DOCA_APSH_STRING_LIMIT] = 4096;
	limits[DOCA_APSH_FILESIZE_LIMIT] = 256 << 20;
}

static struct doca_apsh_system *new_system(struct doca_apsh_ctx *ctx)
{
	struct doca_apsh_system *system = calloc(1, sizeof(*system));

	if (!system) {
		LOG_ERR("out of memory for a system");
		return NULL;
	}
	system->refs = 1;
	pthread_mutex_init(&system->lock, NULL);
	system->ctx = ctx;
	system->source.fd = -1;
	set_limits(system->limits);
	doca_priv_debug_add(system, &apsh_system_object, sizeof(*system), 1);
	return system;
}

struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx)
{
	struct doca_apsh_system *system;

	if (!valid(ctx))
		return NULL;
	system = new_system(ctx);
	if (system)
		ctx_get(ctx);
	return system;
}

struct doca_apsh_system *doca_priv_apsh_system_of(const struct target *target)
{
	struct doca_apsh_system *system = new_system(NULL);

	if (system)
		system->target = target;
	return system;
}

void doca_priv_apsh_stats(struct doca_apsh_system *system,
			  struct view_stats *stats)
{
	pthread_mutex_lock(&system->lock);
	*stats = system->stats;
	pthread_mutex_unlock(&system->lock);
}

void doca_priv_apsh_stats_clear(struct doca_apsh_system *system)
{
	pthread_mutex_lock(&system->lock);
	system->stats = (struct view_stats){ 0 };
	pthread_mutex_unlock(&system->lock);
}

doca_error_t doca_priv_apsh_record(struct doca_apsh_system *system)
{
	struct find_hints hints = { .kpgd = system->kernel.root };
	struct kernel kernel = system->kernel;
	doca_error_t ret;
	struct view v;

	record_free(system->source.record);
	system->source.record = record_new();
	if (!system->source.record)
		return OUT_OF_MEMORY("a recording");
	/* The recording must also have the memory that proves the kernel's place. */
	view_begin(&v, &system->source, &system->regions, &kernel,
		   &system->budget);
	ret = v.error ? OUT_OF_MEMORY("a view") :
			kernel_find(&kernel, &v, &hints);
	view_end(&v);
	return ret;
}

doca_error_t doca_priv_apsh_record_write(struct doca_apsh_system *system,
					 const char *path)
{
	return record_write(system->source.record, &system->kernel, path);
}

static void close_target(struct doca_apsh_system *system)
{
	source_close(&system->source);
	regions_free(&system->regions);
	memset(&system->kernel, 0, sizeof(system->kernel));
}

void doca_apsh_system_destroy(struct doca_apsh_system *system)
{
	if (!system || !valid(system))
		return;
	doca_priv_debug_del(system);
	pthread_mutex_lock(&system->lock);
	close_target(system);
	system->started = false;
	system->destroyed = true;
	ctx_put(system->ctx);
	system->ctx = NULL;
	pthread_mutex_unlock(&system->lock);
	system_put(system);
}

/* Parse DOCA_APSH_BUDGET=MiB,s. */
static struct view_budget budget_of_environment(void)
{
	struct view_budget budget = { .bytes = 256 << 20, .ms = 10000 };
	const char *text = secure_getenv("DOCA_APSH_BUDGET");
	unsigned int mib, seconds;
	char rest;

	if (!text)
		return budget;
	if (sscanf(text, "%u,%u%c", &mib, &seconds, &rest) != 2 || !mib ||
	    !seconds || mib > 1 << 20 || seconds > 1 << 20)
		LOG_WARN("DOCA_APSH_BUDGET=%s is not MiB,SECONDS; 256,10 are "
			 "taken",
			 text);
	else
		budget = (struct view_budget){ (u64)mib << 20,
					       (u64)seconds * 1000 };
	return budget;
}

static doca_error_t read_kpgd(const char *path, u64 *kpgd)
{
	doca_error_t ret;
	size_t len;
	char *text;

	ret = text_read(path, &text, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	text[strcspn(text, " \t\r\n")] = '\0';
	if (!text_number(text, kpgd) || !*kpgd || *kpgd & (PAGE - 1) ||
	    *kpgd > PHYSICAL_MASK)
		ret = FAIL(
			INITIALIZATION,
			"%s: its first line is no physical address of a page",
			path);
	free(text);
	return ret;
}

/* A file that ends between two parts does not say how much is missing. */
static u64 missing_pages(const struct source *s)
{
	return s->cut ? (s->cut + PAGE - 1) / PAGE : s->lacks;
}

static doca_error_t find_with(struct doca_apsh_system *system,
			      const char *map_path)
{
	struct find_hints hints = { .vmcoreinfo = system->source.vmcoreinfo };
	doca_error_t ret;
	struct view v;

	if (system->kpgd_path) {
		ret = read_kpgd(system->kpgd_path, &hints.kpgd);
		if (ret != DOCA_SUCCESS)
			return ret;
	}
	ret = isf_read(map_path, &system->kernel.map);
	if (ret != DOCA_SUCCESS)
		return ret;
	view_begin(&v, &system->source, &system->regions, &system->kernel,
		   &system->budget);
	ret = v.error ? OUT_OF_MEMORY("a view") :
			kernel_find(&system->kernel, &v, &hints);
	view_end(&v);
	if (ret != DOCA_SUCCESS && system->kernel.lacking)
		system->stats.absent =
			v.stats.absent + missing_pages(&system->source);
	return ret;
}

/* Find the first map whose kernel is there. Other files in the folder do no harm. */
static doca_error_t find_in_folder(struct doca_apsh_system *system)
{
	DIR *dir = opendir(system->map_path);
	doca_error_t ret = DOCA_ERROR_NOT_FOUND;
	bool lacking = false;
	struct dirent *entry;
	char path[4096];
	int tried = 0;

	if (!dir)
		return FAIL(INITIALIZATION, "%s: %s", system->map_path,
			    errno_text(errno));
	while (ret != DOCA_SUCCESS && ret != DOCA_ERROR_NO_MEMORY &&
	       (entry = readdir(dir))) {
		if (!strstr(entry->d_name, ".json") || tried == 1024)
			continue;
		tried++;
		snprintf(path, sizeof(path), "%s/%s", system->map_path,
			 entry->d_name);
		ret = find_with(system, path);
		lacking |= ret != DOCA_SUCCESS && system->kernel.lacking;
	}
	closedir(dir);
	if (ret == DOCA_SUCCESS || ret == DOCA_ERROR_NO_MEMORY) {
		system->stats = (struct view_stats){ 0 };
		return ret;
	}
	if (lacking)
		return FAIL(INITIALIZATION,
			    "%s: pages that lead to the kernel are not in the "
			    "image: whether one of its %d maps is of it cannot "
			    "be told",
			    system->map_path, tried);
	return FAIL(INITIALIZATION,
		    "%s: none of its %d maps is of the kernel of the target",
		    system->map_path, tried);
}

static doca_error_t start(struct doca_apsh_system *system)
{
	doca_error_t ret;

	system->budget = budget_of_environment();
	system->stats = (struct view_stats){ 0 };
	ret = target_open(system);
	if (ret == DOCA_SUCCESS)
		ret = regions_read(system->regions_path, &system->regions);
	if (ret == DOCA_SUCCESS)
		ret = target_confirm(system);
	if (ret == DOCA_SUCCESS)
		ret = system->map_is_folder ?
			      find_in_folder(system) :
			      find_with(system, system->map_path);
	if (ret != DOCA_SUCCESS)
		close_target(system);
	system->started = ret == DOCA_SUCCESS;
	return ret;
}

static doca_error_t check_windows(const struct doca_apsh_system *system)
{
	u32 window = window_of(system), step = step_of(system);

	return window % step ? FAIL(INVALID_VALUE,
				    "a window of %u bytes is no multiple of a "
				    "step of %u; set another step",
				    window, step) :
			       DOCA_SUCCESS;
}

doca_error_t doca_apsh_system_start(struct doca_apsh_system *system)
{
	doca_error_t ret;

	if (!valid(system))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&system->lock);
	if (system->started)
		ret = FAIL(BAD_STATE, "the system was started before");
	else if (system->ctx && !system->ctx->started)
		ret = FAIL(BAD_STATE, "the context was not started; call "
				      "doca_apsh_start() first");
	else if (!system->map_path)
		ret = FAIL(INVALID_VALUE,
			   "no map of symbols was set; call "
			   "doca_apsh_sys_os_symbol_map_set() first");
	else if (!system->regions_path)
		ret = FAIL(INVALID_VALUE,
			   "no memory regions were set; call "
			   "doca_apsh_sys_mem_region_set() first");
	else if (!system->rep && !system->target)
		ret = FAIL(INVALID_VALUE, "no representor was set; call "
					  "doca_apsh_sys_dev_set() first");
	else
		ret = check_windows(system);
	if (ret == DOCA_SUCCESS)
		ret = start(system);
	pthread_mutex_unlock(&system->lock);
	return ret;
}
