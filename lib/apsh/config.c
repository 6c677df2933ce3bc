// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Settings of a system before it is started. */
#include <stdlib.h>
#include <string.h>

#include "core/base/args.h"
#include "objects.h"

#include "system.h"

LOG_SOURCE("APSH");

static bool may_set(struct doca_apsh_system *system,
		    const struct log_site *site)
{
	pthread_mutex_lock(&system->lock);
	if (!system->started)
		return true;
	pthread_mutex_unlock(&system->lock);
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "the system was started; set it up before "
	       "doca_apsh_system_start()");
	return false;
}

static doca_error_t set_path(struct doca_apsh_system *system, char **to,
			     const char *path, const struct log_site *site)
{
	char *copy;

	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	copy = strdup(path);
	if (copy) {
		free(*to);
		*to = copy;
	}
	pthread_mutex_unlock(&system->lock);
	return copy ? DOCA_SUCCESS :
		      FAIL_AT(site, NO_MEMORY, "out of memory for a path");
}

static doca_error_t set_map(struct doca_apsh_system *system, const char *path,
			    bool is_folder, const struct log_site *site)
{
	doca_error_t ret = set_path(system, &system->map_path, path, site);

	if (ret == DOCA_SUCCESS)
		system->map_is_folder = is_folder;
	return ret;
}

static doca_error_t set_type(struct doca_apsh_system *system,
			     enum doca_apsh_system_os type,
			     const struct log_site *site)
{
	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	pthread_mutex_unlock(&system->lock);
	if (type == DOCA_APSH_SYSTEM_LINUX)
		return DOCA_SUCCESS;
	if (type == DOCA_APSH_SYSTEM_WINDOWS)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "targets with Windows are not supported");
	return FAIL_AT(site, INVALID_VALUE, "there is no operating system %d",
		       type);
}

static doca_error_t set_rep(struct doca_apsh_system *system,
			    struct doca_dev_rep *rep,
			    const struct log_site *site)
{
	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	system->rep = rep;
	pthread_mutex_unlock(&system->lock);
	return DOCA_SUCCESS;
}

/* The step may have been set for another size, so only the start compares the two. */
static doca_error_t set_window(struct doca_apsh_system *system, u64 size,
			       const struct log_site *site)
{
	if (size > 1 << 30 || (size % PAGE && PAGE % size))
		return FAIL_AT(site, INVALID_VALUE,
			       "a window of %lu bytes is no multiple and no "
			       "divisor of 4096",
			       size);
	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	system->window = (u32)size;
	pthread_mutex_unlock(&system->lock);
	return DOCA_SUCCESS;
}

static doca_error_t set_step(struct doca_apsh_system *system, u64 step,
			     const struct log_site *site)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	if (step > 1 << 30 || system->window % step)
		ret = FAIL_AT(site, INVALID_VALUE,
			      "a step of %lu bytes is no divisor of a window "
			      "of %u",
			      step, system->window);
	else
		system->step = (u32)step;
	pthread_mutex_unlock(&system->lock);
	return ret;
}

static doca_error_t set_limit(struct doca_apsh_system *system, int attr,
			      int limit, const struct log_site *site)
{
	if (attr < 0 || attr >= NR_LIMITS || !system->limits[attr])
		return FAIL_AT(site, INVALID_VALUE, "there is no setting %d",
			       attr);
	if (limit <= 0)
		return FAIL_AT(site, INVALID_VALUE,
			       "a limit of %d is not more than 0", limit);
	if (!may_set(system, site))
		return DOCA_ERROR_BAD_STATE;
	system->limits[attr] = limit;
	pthread_mutex_unlock(&system->lock);
	return DOCA_SUCCESS;
}

doca_error_t doca_apsh_sys_os_type_set(struct doca_apsh_system *system,
				       enum doca_apsh_system_os os_type)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system))
		return DOCA_ERROR_INVALID_VALUE;
	return set_type(system, os_type, &site);
}

doca_error_t
doca_apsh_sys_os_symbol_map_set(struct doca_apsh_system *system,
				const char *system_os_symbol_map_path)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(system_os_symbol_map_path))
		return DOCA_ERROR_INVALID_VALUE;
	return set_map(system, system_os_symbol_map_path, false, &site);
}

doca_error_t
doca_apsh_sys_os_symbol_map_folder_set(struct doca_apsh_system *system,
				       const char *system_os_symbol_folder_path)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(system_os_symbol_folder_path))
		return DOCA_ERROR_INVALID_VALUE;
	return set_map(system, system_os_symbol_folder_path, true, &site);
}

doca_error_t doca_apsh_sys_mem_region_set(struct doca_apsh_system *system,
					  const char *system_mem_region_path)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(system_mem_region_path))
		return DOCA_ERROR_INVALID_VALUE;
	return set_path(system, &system->regions_path, system_mem_region_path,
			&site);
}

doca_error_t doca_apsh_sys_kpgd_file_set(struct doca_apsh_system *system,
					 const char *system_kpgd_file_path)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(system_kpgd_file_path))
		return DOCA_ERROR_INVALID_VALUE;
	return set_path(system, &system->kpgd_path, system_kpgd_file_path,
			&site);
}

doca_error_t doca_apsh_sys_dev_set(struct doca_apsh_system *system,
				   struct doca_dev_rep *dev)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	return set_rep(system, dev, &site);
}

doca_error_t doca_apsh_sys_set_scan_window_size(struct doca_apsh_system *system,
						uint32_t scan_window_size)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(scan_window_size))
		return DOCA_ERROR_INVALID_VALUE;
	return set_window(system, scan_window_size, &site);
}

doca_error_t doca_apsh_sys_set_scan_window_step(struct doca_apsh_system *system,
						uint32_t scan_window_step)
{
	static const struct log_site site = LOG_SITE;

	if (!valid(system) || !given(scan_window_step))
		return DOCA_ERROR_INVALID_VALUE;
	return set_step(system, scan_window_step, &site);
}

doca_error_t __doca_apsh_sys_config(struct doca_apsh_system *system,
				    enum doca_apsh_system_config_attr attr,
				    void *value)
{
	static const struct log_site site = LOG_SITE;
	uintptr_t number = (uintptr_t)value;

	if (!valid(system))
		return DOCA_ERROR_INVALID_VALUE;
	if (attr != DOCA_APSH_OS_TYPE && !given(value))
		return DOCA_ERROR_INVALID_VALUE;
	switch (attr) {
	case DOCA_APSH_OS_SYMBOL_MAP:
		return set_map(system, value, false, &site);
	case DOCA_APSH_OS_SYMBOL_MAP_FOLDER:
		return set_map(system, value, true, &site);
	case DOCA_APSH_MEM_REGION:
		return set_path(system, &system->regions_path, value, &site);
	case DOCA_APSH_KPGD_FILE:
		return set_path(system, &system->kpgd_path, value, &site);
	case DOCA_APSH_VHCA_ID:
		return set_rep(system, value, &site);
	case DOCA_APSH_OS_TYPE:
		return set_type(system, (enum doca_apsh_system_os)number,
				&site);
	case DOCA_APSH_SCAN_WIN_SIZE:
		return set_window(system, number, &site);
	case DOCA_APSH_SCAN_WIN_STEP:
		return set_step(system, number, &site);
	default:
		return set_limit(system, (int)attr, (int)(intptr_t)value,
				 &site);
	}
}
