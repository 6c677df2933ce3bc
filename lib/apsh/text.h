/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of the operator: read whole, unpacked if need be, and parsed as JSON. */
#ifndef DOCA_APSH_TEXT_H
#define DOCA_APSH_TEXT_H

#include <json-c/json.h>

#include <doca_error.h>

#include "types.h"

/* Return the bytes of a file, unpacked, followed by a NUL; the caller frees them. */
doca_error_t text_read(const char *path, char **text, size_t *len);

/* Read a file as JSON whose top is an object or an array. */
doca_error_t text_read_json(const char *path, struct json_object **json);

/* Parse a whole number, decimal or with 0x; false if text is not one. */
bool text_number(const char *text, u64 *value);

#endif /* DOCA_APSH_TEXT_H */
