/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Kinds of machines, which differ in where their kernels are. */
#ifndef APSH_MAP_MACHINE_H
#define APSH_MAP_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

struct machine {
	const char *name;
	/*
	 * The address of _text in maps, from which a loader (KASLR) has moved it. A kernel of arm64 can
	 * be linked to several, and its image does not say to which.
	 */
	uint64_t linked_to;
	/* Return true if an image can be there. */
	bool (*may_be_at)(uint64_t text);
	uint64_t lowest; /* symbols with lower values are no addresses */
};

extern const struct machine x86_64, arm64;

/* Return the machine that a kernel with these symbols is for. */
const struct machine *machine_of(const struct symbols *symbols);

#endif /* APSH_MAP_MACHINE_H */
