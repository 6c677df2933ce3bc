/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Functions that have changed their form between releases, and so exist twice
 * under one name, told apart by the version of the symbol:
 *
 *	SYMBOL_OLD(doca_f, 2, 5) doca_error_t doca_f_2_5(int a) { ... }
 *	SYMBOL_NEW(doca_f, 3, 0) doca_error_t doca_f_3_0(long a) { ... }
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

#if __has_attribute(symver)
#define SYMBOL_VERSION(name, at, major, minor) \
	__attribute__((symver(#name at "DOCA_" #major "." #minor)))
#else
#define SYMBOL_VERSION(name, at, major, minor)                      \
	__asm__(".symver " #name "_" #major "_" #minor "," #name at \
		"DOCA_" #major "." #minor);
#endif

#define SYMBOL_OLD(name, major, minor) \
	SYMBOL_VERSION(name, "@", major, minor) DOCA_STABLE
#define SYMBOL_NEW(name, major, minor) \
	SYMBOL_VERSION(name, "@@", major, minor) DOCA_STABLE

#endif /* DOCA_CORE_SYMVER_H */
