/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* libyara, where it was there when the library was built, and is there now. */
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

/* NOT_SUPPORTED, logged: libyara, or the file of a rule, is missing. */
doca_error_t yara_compile(const enum doca_apsh_yara_rule *which, u32 nr,
			  struct yara_rules **rules);
void yara_free(struct yara_rules *rules);

/*
 * One window, of blocks until there is none (NULL); conditions that read bytes ask for the
 * first one again. Rules that match, each once and by the name of enum doca_apsh_yara_rule,
 * until one is refused.
 */
enum yara_end yara_scan(struct yara_rules *rules, int seconds,
			const struct yara_block *(*next)(void *arg, bool first),
			bool (*match)(void *arg, const char *rule), void *arg);

#endif /* DOCA_APSH_YARA_H */
