/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Capabilities of a library on a device. A library is a file with a table of
 * its capabilities, NAME_caps, and a call in lib/libs.mk.
 */
#ifndef CAPS_LIB_H
#define CAPS_LIB_H

#include <json-c/json.h>

#include <doca_dev.h>

/* A capability is queried in one of these ways. */
struct cap {
	const char *name;
	doca_error_t (*is_supported)(const struct doca_devinfo *info);
	doca_error_t (*get_flag)(const struct doca_devinfo *info,
				 uint8_t *flag);
	doca_error_t (*get_u32)(const struct doca_devinfo *info,
				uint32_t *value);
	doca_error_t (*get_u64)(const struct doca_devinfo *info,
				uint64_t *value);
	/* a text, or NULL: there is none */
	const char *(*get_text)(const struct doca_devinfo *info);
	/* like get_flag, for a library that this program does not link with */
	const char *flag_symbol;
	/* likewise, for a text, or NULL, that is the same for all devices */
	const char *text_symbol;
};

struct lib {
	const char *name;
	const char *file; /* shared object */
	const struct cap *caps; /* the last one has no name; NULL: none */
};

extern const struct cap mmap_advise_caps[];
extern const struct cap sync_event_caps[];

/* The last one has no name. */
extern const struct lib libs[];

/* Add a member for each library, or for the named one. */
void lib_report_caps(struct json_object *to, const struct doca_devinfo *info,
		     const char *only);
/* Return an object that says for each library whether it is installed. */
struct json_object *lib_report_list(void);
/* Return an object that says the same for each level, by its release. */
struct json_object *lib_report_levels(void);
/* Return the driver that this process uses, and for what. */
struct json_object *lib_report_drivers(void);

#endif /* CAPS_LIB_H */
