// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "lib.h"

/* The answer is the same for any device that lists the target. */
static doca_error_t yes(const struct doca_devinfo *info)
{
	(void)info;
	return DOCA_SUCCESS;
}

static doca_error_t no(const struct doca_devinfo *info)
{
	(void)info;
	return DOCA_ERROR_NOT_SUPPORTED;
}

const struct cap apsh_caps[] = {
	{ .name = "os_linux", .is_supported = yes },
	{ .name = "os_windows", .is_supported = no },
	{ .name = "processes", .is_supported = yes },
	{ .name = "threads", .is_supported = yes },
	{ .name = "vads", .is_supported = yes },
	{ .name = "libs", .is_supported = yes },
	{ .name = "modules", .is_supported = yes },
	{ .name = "process_parameters", .is_supported = yes },
	{ .name = "envars", .is_supported = yes },
	{ .name = "privileges", .is_supported = yes },
	{ .name = "handles", .is_supported = yes },
	{ .name = "containers", .is_supported = yes },
	{ .name = "interfaces", .is_supported = yes },
	{ .name = "netscan", .is_supported = yes },
	{ .name = "process_file_details", .is_supported = yes },
	{ .name = "attestation", .is_supported = yes },
	{ .name = "injection_detect", .is_supported = no },
#if __has_include(<yara.h>) /* as the library does */
	{ .name = "yara", .is_supported = yes },
#else
	{ .name = "yara", .is_supported = no },
#endif
	{ .name = "sids", .is_supported = no },
	{ .name = "ldrmodules", .is_supported = no },
	{},
};
