/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* libyara, if the library was built with it and it is installed. */
#ifndef DOCA_APSH_YARA_H
#define DOCA_APSH_YARA_H

#include <doca_apsh_attr.h>
#include <doca_error.h>

#include "types.h"

struct yara_rules;

struct yara_block {
	const u8 *bytes;
	size_t len;
	u64 address;
};

enum yara_end { YARA_DONE, YARA_LATE, YARA_NO_MEMORY, YARA_FAILED };

/* Compile the rules. NOT_SUPPORTED, logged: libyara, or the file of a rule, is missing. */
doca_error_t yara_compile(const enum doca_apsh_yara_rule *which, u32 nr,
			  struct yara_rules **rules);
void yara_free(struct yara_rules *rules);

/*
 * Scan one window: next() returns its blocks, then NULL; conditions that read bytes ask for
 * the first block again. match() is called once for each rule that matches, with its name
 * as in enum doca_apsh_yara_rule, until it returns false.
 */
enum yara_end yara_scan(struct yara_rules *rules, int seconds,
			const struct yara_block *(*next)(void *arg, bool first),
			bool (*match)(void *arg, const char *rule), void *arg);

#endif /* DOCA_APSH_YARA_H */
