// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Finds the table of algorithms of other libraries: in the program, if it was linked with
 * it; or the library loads it. There is no lock, for the loader calls constructors with its
 * own, and these may ask us: several threads may load the table, and all find the one.
 */
#include "shim/kernel.h"

#include "compute.h"
#include "inproc.h"

/* A program that is linked statically may have it. A program's own symbol of that name is none. */
extern const struct compute open_doca_compute
	__attribute__((weak, visibility("hidden")));

static const struct compute *(*load)(void);
static const struct compute *table;

void inproc_set_compute(const struct compute *(*function)(void))
{
	WRITE_ONCE(load, function);
}

static const struct compute *find_table(void)
{
	const struct compute *within = &open_doca_compute;

	if (within)
		return within;
	return load ? load() : NULL;
}

/* A failure is not kept: what is lacking may be there the next time. */
const struct compute *compute_load(void)
{
	const struct compute *found = compute_get();

	if (found)
		return found;
	found = find_table();
	if (found)
		smp_store_release(&table, found);
	return found;
}

const struct compute *compute_get(void)
{
	return smp_load_acquire(&table);
}
