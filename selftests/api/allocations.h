/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Count how often the whole program, libraries included, takes or gives back memory. */
#ifndef SELFTESTS_API_ALLOCATIONS_H
#define SELFTESTS_API_ALLOCATIONS_H

#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void __libc_free(void *ptr);

static unsigned long allocations;

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	allocations++;
	return __libc_calloc(nr, size);
}

void *realloc(void *ptr, size_t size)
{
	allocations++;
	return __libc_realloc(ptr, size);
}

void free(void *ptr)
{
	allocations += !!ptr;
	__libc_free(ptr);
}

#endif /* SELFTESTS_API_ALLOCATIONS_H */
