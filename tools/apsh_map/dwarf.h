/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_MAP_DWARF_H
#define APSH_MAP_DWARF_H

#include "file.h"

/*
 * Make BTF of the DWARF in an image, an ELF file that was read from @path. If that fails, say why
 * and end the program.
 */
struct bytes dwarf_to_btf(const char *path, const struct bytes *image);

#endif /* APSH_MAP_DWARF_H */
