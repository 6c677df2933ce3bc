// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include <doca_dev.h>
#include <open_doca.h>

#include "lib.h"
#include "report.h"

#define LIB(name, file)
#define LIB_WITH_CAPS(name, file) extern const struct cap name##_caps[];
#include "caps_libs.h"
#undef LIB
#undef LIB_WITH_CAPS

#define LIB(name, file) { #name, file, NULL },
#define LIB_WITH_CAPS(name, file) { #name, file, name##_caps },

/* Two of them are parts of a library with headers of their own. */
const struct lib libs[] = {
#include "caps_libs.h"
	{ "mmap_advise", "libdoca_common.so.2", mmap_advise_caps },
	{ "sync_event", "libdoca_common.so.2", sync_event_caps },
	{},
};

/* A number that cannot be found out stays unknown; the library logs why. */
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

/* Find a function of a library that may not be installed; the library stays loaded. */
static void *function_of(const char *file, const char *symbol)
{
	void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	void *function;

	if (!handle)
		return NULL;
	function = dlsym(handle, symbol);
	dlclose(handle);
	return function;
}

static doca_error_t get_flag_of(const struct lib *lib, const char *symbol,
				const struct doca_devinfo *info, uint8_t *flag)
{
	doca_error_t (*get_flag)(const struct doca_devinfo *, uint8_t *);

	*(void **)&get_flag = function_of(lib->file, symbol);
	return get_flag ? get_flag(info, flag) : DOCA_ERROR_NOT_FOUND;
}

static void report_text(struct json_object *to, const char *name,
			const char *text)
{
	if (text)
		report_add_text(to, name, text);
	else
		report_add(to, name, NULL);
}

static void report_text_of(struct json_object *to, const char *name,
			   const char *file, const char *symbol)
{
	const char *(*get_text)(void);
	const char *text;

	*(void **)&get_text = function_of(file, symbol);
	text = get_text ? get_text() : NULL;
	report_text(to, name, text);
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
	} else if (cap->get_text) {
		report_text(to, cap->name, cap->get_text(info));
	} else if (cap->text_symbol) {
		report_text_of(to, cap->name, lib->file, cap->text_symbol);
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
	struct json_object *all = report_new_object();

	report_add(report, "libraries", all);
	for (const struct lib *lib = libs; lib->name; lib++) {
		void *handle = dlopen(lib->file, RTLD_LAZY | RTLD_LOCAL);

		report_add_text(all, lib->name,
				handle ? "installed" : "not installed");
		if (handle)
			dlclose(handle);
	}
	return report;
}

/* Two levels share a library whose symbols are named after the level. */
static const struct {
	const char *name, *file, *symbol;
} levels[] = {
	{ "3.0", "libdoca_common.so.2", "doca_pe_create" },
	{ "1.5", "libdoca_1_3.so.2", "doca15_workq_submit" },
	{ "1.3", "libdoca_1_3.so.2", "doca13_workq_submit" },
};

struct json_object *lib_report_levels(void)
{
	struct json_object *report = report_new_object();
	struct json_object *all = report_new_object();
	size_t i;

	report_add(report, "levels", all);
	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		void *handle = dlopen(levels[i].file, RTLD_LAZY | RTLD_LOCAL);
		bool there = handle && dlsym(handle, levels[i].symbol);

		report_add_text(all, levels[i].name,
				there ? "installed" : "not installed");
		if (handle)
			dlclose(handle);
	}
	return report;
}

/* The driver is known once devices were listed; NULL if there is none. */
static const char *find_driver(void)
{
	struct doca_devinfo **list;
	uint32_t n;

	if (doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS)
		doca_devinfo_destroy_list(list);
	return open_doca_driver();
}

struct json_object *lib_report_drivers(void)
{
	struct json_object *report = report_new_object();
	const char *driver = find_driver();

	if (driver)
		report_add_text(report, "driver", driver);
	else
		report_add(report, "driver", NULL);
	report_text_of(report, "device_memory", "libopen_doca_dm.so.2",
		       "open_doca_dm_driver");
	return report;
}
