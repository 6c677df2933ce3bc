/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The code of a kernel as its image has it, with the places at which the kernel changes its own code:
 * the image's tables tell them. The image is input from outside. Addresses are those before KASLR.
 */
#ifndef DOCA_APSH_CODE_H
#define DOCA_APSH_CODE_H

#include <string.h>

#include <doca_error.h>

#include "../types.h"

struct code_symbol {
	u64 address;
	const char *name;
};

/* A part of the image that has bytes. */
struct code_section {
	const char *name;
	u64 address, size;
	u64 offset; /* its bytes are there */
	bool executable;
};

enum site_kind {
	SITE_ALTERNATIVE, /* arg: the first of its entries among alternatives */
	SITE_PARAVIRT,
	SITE_JUMP, /* arg: its target; with a key */
	SITE_STATIC_CALL, /* arg: its key; 0: unknown */
	SITE_TRACED, /* the place that the compiler leaves for ftrace */
	SITE_TRACER, /* where ftrace's own code calls tracers */
	SITE_LOCK,
	SITE_RETPOLINE,
	SITE_RETURN,
	SITE_CALL, /* it may count its depth first */
	SITE_ENDBR,
	SITE_PADDING, /* in front of a function */
	SITE_DISPATCHER, /* BPF puts a jump there */
	SITE_CFI, /* in front of a function, or of an indirect call, by its length */
	SITE_CONSTANT, /* that the kernel computes as it starts */
	SITE_HYPERCALL, /* written by the hypervisor; arg: its number */
};

enum { MAX_SITE = 256, HYPERCALL = 32 };

/* So many places may begin at one address, and so many alternatives may stand at one. */
enum { MOST_AT_ONE = 64 };

/* Checks of CFI: in front of a function, of a call, and one that has changed the call, too. */
enum { CFI_PREAMBLE = 16, CFI_CALLER = 14, CFI_PARANOID = 20 };

/* All offsets are from _text. */
struct site {
	u32 at, arg;
	u32 key; /* a struct static_key, if it is a jump; 0: unknown */
	u16 len;
	u8 kind;
	bool branch; /* it jumps while its key is off, and not while it is on */
};

/* Code that may stand at a place; the last one of several is marked. */
struct alternative {
	u32 at, by;
	u8 len, by_len;
	bool last;
};

struct code {
	u8 *file; /* all that was read; names of symbols are in it */
	size_t file_size;
	u8 *image; /* in it: an ELF file, and what is behind it */
	size_t image_size, elf_size;
	struct code_symbol *symbols; /* by address */
	u32 nr_symbols;
	const struct code_symbol **by_name; /* NULL before they are sorted */
	struct code_section *sections; /* by address */
	u32 nr_sections;
	u64 text, end; /* _text and _end */
	u64 stext, etext;
	struct site *sites; /* by offset */
	u32 nr_sites, max_sites;
	struct alternative *alternatives;
	u32 nr_alternatives;
	u64 delta; /* it is as at that distance */
};

/*
 * Get the code out of what fd has, as "doca_apsh_map code" writes it; NULL, with the reason, if it
 * is not sound.
 */
enum { CODE_FLAW = 128 };
doca_error_t code_read(int fd, struct code **code, char flaw[CODE_FLAW]);
void code_free(struct code *code); /* NULL: nothing to free */

/* symbol.c: sort symbols, which are complete, by their names. False if there is no memory. */
bool code_sort_names(struct code *code);
/* Return where in by_name that name is, or would be. */
u32 code_find_name(const struct code *code, const char *name);
/* Return the address of a symbol; 0 if there is none. */
u64 code_symbol(const struct code *code, const char *name);
/* Return the last symbol that is not behind an address; NULL if there is none. */
const struct code_symbol *code_symbol_at(const struct code *code, u64 address);
/* Return the name of a symbol of that address with these words; NULL if there is none. */
const char *code_named(const struct code *code, u64 address, const char *words);
/* Return true if a symbol of that address has just this name. */
bool code_is_named(const struct code *code, u64 address, const char *name);

/* Return where a distance of 4 bytes leads, from that address on. */
static inline u64 code_follow(const u8 *field, u64 from)
{
	int32_t by;

	memcpy(&by, field, sizeof(by));
	return from + (u64)(int64_t)by;
}

/* Return bytes of the image at that address; NULL if it has not so many. */
u8 *code_bytes(const struct code *code, u64 address, size_t len);

/* elf.c: find the sections. False if it is no image of x86-64, or some have the same memory. */
bool code_find_sections(struct code *code);
const struct code_section *code_section(const struct code *code,
					const char *name);

/*
 * relocate.c: make the image as it is if the kernel was moved by so much. False if it does not tell
 * where it has addresses, or tells nonsense, as more of them than a kernel has: they are all moved, for
 * an image that is half moved is of no use.
 */
enum { CODE_MOST_WORDS = 1 << 22 };
bool code_relocate(struct code *code, u64 delta);

/* site.c */
bool code_add_site(struct code *code, struct site site);
/* Return the first site that may have that place; those behind it go on while they begin before it. */
u32 code_first_site(const struct code *code, u32 at);
/* Return true if a place of that kind begins there. */
bool code_has_site(const struct code *code, u32 at, enum site_kind kind);

/* sites.c: find all places. Return the table that is not understood; NULL if all are found. */
const char *code_find_sites(struct code *code);
/* alternatives.c */
const char *code_find_alternatives(struct code *code);

#endif /* DOCA_APSH_CODE_H */
