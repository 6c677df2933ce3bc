/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A kernel whose types and symbols are to be written, whatever they are read from.
 * Addresses are link addresses, even if the kernel runs at others (KASLR), so that all
 * sources of one kernel give the same result.
 */
#ifndef APSH_MAP_KERNEL_H
#define APSH_MAP_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

/* x86-64 has images from here on. */
#define START_KERNEL_MAP 0xffffffff80000000ULL

/* The beginning of a banner. */
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
	char *banner; /* with its newline */
	char build_id[129]; /* hexadecimal digits; "" if unknown */
	struct bytes code; /* its image, with what is behind it */
	bool wants_code; /* types are not needed, but that */
	bool no_data; /* its table of symbols was found, and has functions alone */
};

void symbols_add(struct symbols *symbols, const char *name, size_t len,
		 uint64_t address);

void symbols_clear(struct symbols *symbols);

/* Undo KASLR, whose offset _text shows. */
void symbols_move_back(struct symbols *symbols, const char *path);

/* Find the first symbol of that name. Returns NULL if there is none. */
const struct symbol *symbols_find(const struct symbols *symbols,
				  const char *name);

/* Return the banner's release, such as "6.1.0-56-amd64": printable ASCII, safe for terminals. */
char *kernel_release(const struct kernel *kernel);

/* Find the GNU build id in ELF notes. */
void kernel_set_build_id(struct kernel *kernel, const struct bytes *notes);

/* Read lines of /proc/kallsyms or System.map, and undo KASLR. */
void kallsyms_read_text(struct symbols *symbols, const char *path,
			const struct bytes *text);

/*
 * Read the tables of kallsyms in an image, in its section .rodata at that address. Sets
 * banner and symbols.
 */
void kallsyms_read_image(struct kernel *kernel, const char *path,
			 const struct bytes *rodata, uint64_t address);

/*
 * Like kallsyms_read_image(), in memory that has the banner at @banner. Returns false if the
 * banner's tables are not there. Otherwise the memory begins at *address, and KASLR is not
 * undone.
 */
bool kallsyms_read_memory(struct kernel *kernel, const struct bytes *memory,
			  size_t banner, uint64_t *address);

/*
 * Read the kernel in an image that is as in memory, with its banner at @banner. Returns false if that is
 * only a copy of its banner.
 */
bool kernel_at_banner(struct kernel *kernel, const char *path,
		      const struct bytes *image, size_t banner);

/* End the program, for the kernel's table of symbols was not found, or has not what is needed. */
void kallsyms_fail(const struct kernel *kernel, const char *path)
	__attribute__((noreturn));

/* Find the next banner from *at on: a line, and its end. */
bool banner_next(const struct bytes *in, size_t *at);

/* Read a kernel. They end the program if it is incomplete. */
void kernel_of_flat(struct kernel *kernel, const char *path,
		    const struct bytes *image);
void kernel_of_image(struct kernel *kernel, const char *path);
/*
 * @file was read from @path; its data is freed.
 */
void kernel_of_bytes(struct kernel *kernel, const char *path,
		     struct bytes file);
void kernel_of_package(struct kernel *kernel, const char *path);
void kernel_of_memory(struct kernel *kernel, const char *path);
void kernel_of_files(struct kernel *kernel, const char *btf,
		     const char *kallsyms, const char *banner,
		     const char *notes);

/* code.c: return what App Shield compares with memory: symbols, and the image. */
struct bytes code_make(const struct kernel *kernel);
/* reduce.c: return the sections that are in the kernel's memory, as an image, with what is behind it. */
struct bytes code_reduce(const struct bytes *image);

#endif /* APSH_MAP_KERNEL_H */
