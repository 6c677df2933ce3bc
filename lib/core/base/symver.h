/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Functions that have changed their form between releases. Both forms have one
 * name, and the version of the symbol tells them apart:
 *
 *   SYMBOL_OLD(doca_f, 2, 5) doca_error_t doca_f_2_5(int a) { ... }
 *   SYMBOL_NEW(doca_f, 3, 0) doca_error_t doca_f_3_0(long a) { ... }
 *
 * New programs are linked with the new form. Programs that define
 * DOCA_API_COMPAT_2_5, and old binaries, use the old one.
 */
#ifndef DOCA_CORE_SYMVER_H
#define DOCA_CORE_SYMVER_H

#include <doca_compat.h>

/*
 * Functions that lanes and buffers of sister libraries call are exported, and their
 * symbols have the prefix of all private ones.
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
