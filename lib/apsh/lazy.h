/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A large JSON file: an object of objects (sections) whose members are mostly never
 * needed. A member is parsed when it is asked for; of the others only the beginning and
 * the end are known.
 */
#ifndef DOCA_APSH_LAZY_H
#define DOCA_APSH_LAZY_H

#include <json-c/json.h>

#include <doca_error.h>

#include "types.h"

struct lazy;

/* Open a file. INITIALIZATION, logged: it is unreadable, or has another form. NO_MEMORY. */
doca_error_t lazy_open(const char *path, struct lazy **lazy);
void lazy_close(struct lazy *lazy);

/* The text's, in bytes. */
size_t lazy_length(const struct lazy *lazy);

bool lazy_has(const struct lazy *lazy, const char *section);

/*
 * Return a member, which lives until the file is closed: the last one of that name; NULL
 * if there is none, or if it cannot be parsed. A name with escapes is not found.
 */
struct json_object *lazy_get(struct lazy *lazy, const char *section,
			     const char *name);

/* Names are not followed by a NUL. */
struct lazy_visit {
	bool (*wants)(const char *name, size_t len);
	/* False ends the visit. */
	bool (*take)(void *to, const char *name, size_t len,
		     struct json_object *member);
	void *to;
};

/* Parse each member that is wanted, in the order of the file, and let it be taken. */
void lazy_visit(const struct lazy *lazy, const char *section,
		const struct lazy_visit *visit);

#endif /* DOCA_APSH_LAZY_H */
