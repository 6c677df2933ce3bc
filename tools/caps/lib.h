/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What a library can do on a device. A library is a file with a table of its
 * capabilities, NAME_caps, and a call in lib/libs.mk.
 */
#ifndef CAPS_LIB_H
#define CAPS_LIB_H

#include <json-c/json.h>

#include <doca_dev.h>

/* A capability is asked for in one of these ways. */
struct cap {
	const char *name;
	doca_error_t (*is_supported)(const struct doca_devinfo *info);
	doca_error_t (*get_flag)(const struct doca_devinfo *info,
				 uint8_t *flag);
	doca_error_t (*get_u32)(const struct doca_devinfo *info,
				uint32_t *value);
	doca_error_t (*get_u64)(const struct doca_devinfo *info,
				uint64_t *value);
	/* get_flag, of a library that this program is not linked with */
	const char *flag_symbol;
	/* The same, of a text that all devices have in common, or NULL */
	const char *text_symbol;
};

struct lib {
	const char *name;
	const char *file; /* shared object */
	const struct cap *caps; /* up to one without a name; NULL if none */
};

extern const struct cap mmap_advise_caps[];
extern const struct cap sync_event_caps[];

/* Up to one without a name. */
extern const struct lib libs[];

/* A member for each library, or for the named one. */
void lib_report_caps(struct json_object *to, const struct doca_devinfo *info,
		     const char *only);
/* An object that says of each library whether it is installed. */
struct json_object *lib_report_list(void);
/* The same of each level, by its release. */
struct json_object *lib_report_levels(void);
/* Which driver is at work in this process, and for what. */
struct json_object *lib_report_drivers(void);

#endif /* CAPS_LIB_H */
