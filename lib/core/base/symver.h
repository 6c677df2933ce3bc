/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Functions that have changed their form between releases, and so exist twice
 * under one name, told apart by the version of the symbol:
 *
 *	SYMBOL_OLD(doca_f, "DOCA_2.5") doca_error_t doca_f_2_5(int a) { ... }
 *	SYMBOL_NEW(doca_f, "DOCA_3.0") doca_error_t doca_f_3_0(long a) { ... }
 *
 * New programs are linked with the new one; those that say DOCA_API_COMPAT_2_5,
 * and those of old, with the old one.
 */
#ifndef DOCA_CORE_SYMVER_H
#define DOCA_CORE_SYMVER_H

#include <doca_compat.h>

/*
 * What lanes and buffers of sister libraries call is exported, and its symbol named as all
 * such are.
 */
#define DOCA_PRIVATE(name) __asm__("doca_priv_" #name)

#define SYMBOL_OLD(name, version) \
	DOCA_STABLE __attribute__((symver(#name "@" version)))
#define SYMBOL_NEW(name, version) \
	DOCA_STABLE __attribute__((symver(#name "@@" version)))

#endif /* DOCA_CORE_SYMVER_H */
