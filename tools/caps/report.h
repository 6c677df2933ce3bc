/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Results are gathered in a tree of json-c, whose members have the printed
 * names, and are printed as text or JSON at the end.
 */
#ifndef CAPS_REPORT_H
#define CAPS_REPORT_H

#include <json-c/json.h>

/* Add a member to a tree. Without memory, end the program. A NULL value means unknown. */
void report_add(struct json_object *to, const char *name,
		struct json_object *value);
void report_add_text(struct json_object *to, const char *name,
		     const char *text);
void report_add_number(struct json_object *to, const char *name,
		       uint64_t number);
struct json_object *report_new_object(void);
struct json_object *report_new_array(void);
void report_append(struct json_object *to, struct json_object *value);

/* Print it, and free it; return -1 if stdout cannot be written. */
int report_print_json(struct json_object *report);
int report_print_text(struct json_object *report);

#endif /* CAPS_REPORT_H */
