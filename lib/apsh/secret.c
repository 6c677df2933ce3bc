// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A call on one process needs a block or two, for microseconds. To take them from the heap costs
 * more than what is read into them: two changes of the address space for each, and the pages.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/kernel.h"
#include "secret.h"

enum { SPARES = 8 };

/* Blocks that are zeroed, and still kept from core dumps. */
static void *spares[SPARES];

static size_t in_pages(size_t size)
{
	return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void *take_spare(void)
{
	void *p = NULL;

	for (int i = 0; i < SPARES && !p; i++)
		if (__atomic_load_n(&spares[i], __ATOMIC_RELAXED))
			p = __atomic_exchange_n(&spares[i], NULL,
						__ATOMIC_ACQUIRE);
	return p;
}

static bool keep_spare(void *p)
{
	for (int i = 0; i < SPARES; i++) {
		void *none = NULL;

		if (__atomic_compare_exchange_n(&spares[i], &none, p, false,
						__ATOMIC_RELEASE,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

void *secret_alloc(size_t size)
{
	void *p = size == SECRET_BLOCK ? take_spare() : NULL;

	if (p)
		return p;
	p = aligned_alloc(PAGE, in_pages(size));
	if (p)
		madvise(p, in_pages(size), MADV_DONTDUMP);
	return p;
}

void secret_free(void *p, size_t size, size_t used)
{
	if (!p)
		return;
	explicit_bzero(p, used);
	if (size == SECRET_BLOCK && keep_spare(p))
		return;
	madvise(p, in_pages(size), MADV_DODUMP);
	free(p);
}
