/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The version of the form of JSON that all tools write, see doca(7). */
#ifndef COMMON_JSON_VERSION_H
#define COMMON_JSON_VERSION_H

/* It changes when a name goes or means something else, not when one is added. */
#define JSON_FORM_VERSION 1

#endif /* COMMON_JSON_VERSION_H */
