// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Finds the table of algorithms of other libraries: in the program, if it was linked with
 * it; or the library loads it, once.
 */
#include "shim/kernel.h"

#include "compute.h"
#include "inproc.h"

/* This is another program's choice than that of the shared library. */
extern const struct compute open_doca_compute __attribute__((weak));

static const struct compute *(*load)(void);
static const struct compute *table;
static bool tried;
static DEFINE_MUTEX(lock);

void inproc_set_compute(const struct compute *(*function)(void))
{
	WRITE_ONCE(load, function);
}

static const struct compute *find_table(void)
{
	if (&open_doca_compute)
		return &open_doca_compute;
	return load ? load() : NULL;
}

const struct compute *compute_load(void)
{
	mutex_lock(&lock);
	if (!tried)
		smp_store_release(&table, find_table());
	tried = true;
	mutex_unlock(&lock);
	return table;
}

const struct compute *compute_get(void)
{
	return smp_load_acquire(&table);
}
