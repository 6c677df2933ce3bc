// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "lib.h"
#include "report.h"

const struct lib libs[] = {
	{ "common", "libdoca_common.so.2", common_caps },
	{ "argp", "libdoca_argp.so.2", NULL },
	{ "dma", "libdoca_dma.so.2", dma_caps },
	{ "dpdk_bridge", "libdoca_dpdk_bridge.so.2", dpdk_bridge_caps },
	{ "mmap_advise", "libdoca_common.so.2", mmap_advise_caps },
	{ "sync_event", "libdoca_common.so.2", sync_event_caps },
	{},
};

/* What cannot be found out stays unknown; the library's log says why. */
static void report_number(struct json_object *to, const char *name,
			  doca_error_t result, uint64_t number)
{
	if (result == DOCA_SUCCESS)
		report_add_number(to, name, number);
	else
		report_add(to, name, NULL);
}

static void report_flag(struct json_object *to, const char *name,
			doca_error_t result, uint8_t flag)
{
	bool known = result == DOCA_SUCCESS ||
		     result == DOCA_ERROR_NOT_SUPPORTED;

	report_add(to, name,
		   known ? json_object_new_boolean(result == DOCA_SUCCESS &&
						   flag) :
			   NULL);
}

/* A function of a library that may not be installed; the library stays. */
static doca_error_t get_flag_of(const struct lib *lib, const char *symbol,
				const struct doca_devinfo *info, uint8_t *flag)
{
	doca_error_t (*get_flag)(const struct doca_devinfo *, uint8_t *);
	void *handle =
		dlopen(lib->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

	if (!handle)
		return DOCA_ERROR_NOT_FOUND;
	*(void **)&get_flag = dlsym(handle, symbol);
	dlclose(handle);
	return get_flag ? get_flag(info, flag) : DOCA_ERROR_NOT_FOUND;
}

static void report_cap(struct json_object *to, const struct lib *lib,
		       const struct cap *cap, const struct doca_devinfo *info)
{
	doca_error_t result;
	uint64_t u64 = 0;
	uint32_t u32 = 0;
	uint8_t flag = 0;

	if (cap->is_supported) {
		report_flag(to, cap->name, cap->is_supported(info), 1);
	} else if (cap->get_flag) {
		result = cap->get_flag(info, &flag);
		report_flag(to, cap->name, result, flag);
	} else if (cap->flag_symbol) {
		result = get_flag_of(lib, cap->flag_symbol, info, &flag);
		report_flag(to, cap->name, result, flag);
	} else if (cap->get_u32) {
		result = cap->get_u32(info, &u32);
		report_number(to, cap->name, result, u32);
	} else {
		result = cap->get_u64(info, &u64);
		report_number(to, cap->name, result, u64);
	}
}

void lib_report_caps(struct json_object *to, const struct doca_devinfo *info,
		     const char *only)
{
	for (const struct lib *lib = libs; lib->name; lib++) {
		struct json_object *caps;

		if (!lib->caps || (only && strcmp(only, lib->name) != 0))
			continue;
		caps = report_new_object();
		for (const struct cap *cap = lib->caps; cap->name; cap++)
			report_cap(caps, lib, cap, info);
		report_add(to, lib->name, caps);
	}
}

struct json_object *lib_report_list(void)
{
	struct json_object *report = report_new_object();

	for (const struct lib *lib = libs; lib->name; lib++) {
		void *handle = dlopen(lib->file, RTLD_LAZY | RTLD_LOCAL);

		report_add_text(report, lib->name,
				handle ? "installed" : "not installed");
		if (handle)
			dlclose(handle);
	}
	return report;
}
