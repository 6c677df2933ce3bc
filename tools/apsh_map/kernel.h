/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A kernel whose types and symbols are to be written: what they are, wherever they are
 * from. Addresses are those that it is linked to, also where it runs at others (KASLR), so
 * that all sources of the same kernel say the same.
 */
#ifndef APSH_MAP_KERNEL_H
#define APSH_MAP_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

/* Where its image is mapped, before KASLR. */
#define START_KERNEL_MAP 0xffffffff80000000ULL
#define KERNEL_IMAGE_SIZE (1ULL << 30)
#define KASLR_ALIGN (2ULL << 20)

/* A banner begins with it. */
#define KERNEL_BANNER "Linux version "

struct symbol {
	char *name;
	uint64_t address;
};

/* In the order of the kernel's own table. */
struct symbols {
	struct symbol *list;
	size_t nr;
	size_t room;
};

struct kernel {
	struct bytes btf;
	struct symbols symbols;
	char *banner; /* with the newline at its end */
	char build_id[129]; /* hexadecimal digits; "" if it is not known */
};

void symbols_add(struct symbols *symbols, const char *name, size_t len,
		 uint64_t address);

void symbols_clear(struct symbols *symbols);

/* By what KASLR has added, which _text tells. */
void symbols_move_back(struct symbols *symbols, const char *path);

/* The first of that name; NULL if there is none. */
const struct symbol *symbols_find(const struct symbols *symbols,
				  const char *name);

/* "6.1.0-56-amd64", of the banner: printable ASCII, for terminals obey the rest. */
char *kernel_release(const struct kernel *kernel);

/* The GNU build id in notes of ELF. */
void kernel_set_build_id(struct kernel *kernel, const struct bytes *notes);

/* Lines of /proc/kallsyms, or of System.map; moved back by what KASLR has added. */
void kallsyms_read_text(struct symbols *symbols, const char *path,
			const struct bytes *text);

/*
 * The tables of kallsyms in an image: section .rodata, which is at that address. Banner
 * and symbols are set.
 */
void kallsyms_read_image(struct kernel *kernel, const char *path,
			 const struct bytes *rodata, uint64_t address);

/*
 * The same in memory that has the banner at @banner, and maybe the tables that belong to it:
 * then it is true, the memory begins at *address, and symbols are where KASLR has put them.
 */
bool kallsyms_read_memory(struct kernel *kernel, const struct bytes *memory,
			  size_t banner, uint64_t *address);

/* Where a kernel is read. They end the program if it is not complete. */
void kernel_of_image(struct kernel *kernel, const char *path);
/* Of a file that was read from @path; its data is freed. */
void kernel_of_bytes(struct kernel *kernel, const char *path,
		     struct bytes file);
void kernel_of_package(struct kernel *kernel, const char *path);
void kernel_of_memory(struct kernel *kernel, const char *path);
void kernel_of_files(struct kernel *kernel, const char *btf,
		     const char *kallsyms, const char *banner,
		     const char *notes);

#endif /* APSH_MAP_KERNEL_H */
