// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel's own tables of symbols, found by their shape, because an image has no others. A name
 * is a number of tokens, and then that many bytes, each of which stands for a token of text. All
 * parts begin at multiples of 8. Since 6.2 their order is
 *
 *   num_syms, names, markers, token_table, token_index, offsets, relative_base
 *
 * and before that offsets and relative_base came first. In 6.1 the order of the sorted names
 * follows the markers. Markers are the offsets of every 256th name. The tables are right if
 * linux_banner is where they say.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define NR_TOKENS 256
#define MARKER_STEP 256
#define MIN_MARKERS 8
#define MAX_TABLE ((size_t)16 << 20)
#define MAX_NAME 512
#define UNKNOWN SIZE_MAX
#define ALIGN8(n) (((n) + 7) & ~(size_t)7)

struct tables {
	const unsigned char *data; /* contents of the section */
	size_t size;
	uint64_t address; /* the section's, unless the banner tells it */
	size_t banner; /* offset of the banner, or UNKNOWN */
	size_t token_table, token_index; /* offsets in the section */
	size_t markers;
	size_t names, nr_names;
	size_t offsets, relative_base;
};

static unsigned int get16(const struct tables *t, size_t at)
{
	return t->data[at] | t->data[at + 1] << 8;
}

static uint32_t get32(const struct tables *t, size_t at)
{
	return get16(t, at) | (uint32_t)get16(t, at + 2) << 16;
}

static uint64_t get64(const struct tables *t, size_t at)
{
	return get32(t, at) | (uint64_t)get32(t, at + 4) << 32;
}

/* Offsets rise, because each token has at least a byte and its end. */
static bool is_token_index(const struct tables *t, size_t at)
{
	if (get16(t, at))
		return false;
	for (int i = 1; i < NR_TOKENS; i++)
		if (get16(t, at + 2 * i) < get16(t, at + 2 * i - 2) + 2)
			return false;
	return true;
}

/* Every token ends where the next one begins. */
static bool is_token_table(const struct tables *t, size_t table, size_t index)
{
	for (int i = 1; i < NR_TOKENS; i++)
		if (t->data[table + get16(t, index + 2 * i) - 1])
			return false;
	return true;
}

/* The last token ends right before the index, apart from zeroes. */
static bool find_token_table(struct tables *t, size_t index)
{
	size_t last = get16(t, index + 2 * (NR_TOKENS - 1));
	size_t table, end;

	for (table = index & ~(size_t)7; table + last >= index; table -= 8)
		if (table < 8)
			return false;
	for (; table && index - table - last <= MAX_NAME; table -= 8) {
		end = table + last;
		end += strnlen((const char *)t->data + end, index - end) + 1;
		if (ALIGN8(end) != index || !is_token_table(t, table, index))
			continue;
		t->token_table = table;
		t->token_index = index;
		return true;
	}
	return false;
}

/* Nothing else rises from 0 on so often by as much as 256 names may take. */
static bool is_markers(const struct tables *t, size_t at)
{
	size_t step;

	if (get32(t, at))
		return false;
	for (size_t i = 1; i < MIN_MARKERS; i++) {
		step = get32(t, at + 4 * i) - get32(t, at + 4 * i - 4);
		if (step < 2 * MARKER_STEP || step > MARKER_STEP * MAX_NAME)
			return false;
	}
	return true;
}

/* Return where the next name begins, 0 if it would be behind the end. */
static size_t next_name(const struct tables *t, size_t at, size_t end)
{
	size_t len;

	if (at + 2 > end)
		return 0;
	len = t->data[at++];
	if (len & 0x80)
		len = (len & 0x7f) | (size_t)t->data[at++] << 7;
	return len && len <= MAX_NAME && at + len <= end ? at + len : 0;
}

/* Return true if there are as many names as stated, and every 256th is at its marker. */
static bool is_names(const struct tables *t, size_t names, size_t nr)
{
	size_t at = names;

	for (size_t i = 0; i < nr; i++) {
		if (i % MARKER_STEP == 0 &&
		    at - names != get32(t, t->markers + i / MARKER_STEP * 4))
			return false;
		at = next_name(t, at, t->markers);
		if (!at)
			return false;
	}
	return ALIGN8(at) == t->markers;
}

/* The number of names is in front of them, and they are in front of their markers. */
static bool find_names(struct tables *t)
{
	size_t at, nr;

	for (at = t->markers; at >= 8 && t->markers - at < MAX_TABLE; at -= 8) {
		nr = get32(t, at - 8);
		if (nr < MARKER_STEP * (MIN_MARKERS - 1) ||
		    nr / 64 > t->token_table - t->markers ||
		    nr > (t->markers - at) / 2 || !is_names(t, at, nr))
			continue;
		t->names = at;
		t->nr_names = nr;
		return true;
	}
	return false;
}

/* The order of the names may be between markers and tokens. */
static bool find_markers_and_names(struct tables *t)
{
	size_t at = t->token_table;

	while (at >= 8 && t->token_table - at < MAX_TABLE) {
		at -= 8;
		if (at + 4 * MIN_MARKERS > t->token_table || !is_markers(t, at))
			continue;
		t->markers = at;
		if (find_names(t))
			return true;
	}
	return false;
}

/* A negative offset counts down from the base; others are per-CPU data. */
static uint64_t address_of(const struct tables *t, size_t i)
{
	int32_t offset = get32(t, t->offsets + 4 * i);

	if (offset >= 0)
		return offset;
	return get64(t, t->relative_base) - 1 - offset;
}

/* Expand the name's tokens. Its first letter is the symbol's type. */
static size_t decode(const struct tables *t, size_t at, char name[MAX_NAME])
{
	size_t end = next_name(t, at, t->markers), len = 0;

	at += t->data[at] & 0x80 ? 2 : 1;
	for (; at < end; at++) {
		const char *token = (const char *)t->data + t->token_table +
				    get16(t, t->token_index + 2 * t->data[at]);

		while (*token && len < MAX_NAME - 1)
			name[len++] = *token++;
	}
	name[len] = '\0';
	return end;
}

static void read_symbols(const struct tables *t, struct symbols *symbols)
{
	char name[MAX_NAME];
	size_t at = t->names;

	symbols_clear(symbols);
	for (size_t i = 0; i < t->nr_names; i++) {
		at = decode(t, at, name);
		if (*name)
			symbols_add(symbols, name + 1, strlen(name + 1),
				    address_of(t, i));
	}
}

/* The image can only be mapped at such addresses. */
static bool is_text(const struct symbol *text)
{
	return text && text->address >= START_KERNEL_MAP &&
	       text->address < START_KERNEL_MAP + KERNEL_IMAGE_SIZE &&
	       text->address % KASLR_ALIGN == 0;
}

static bool fits(const struct tables *t, size_t at, size_t len)
{
	return at <= t->size && len <= t->size - at;
}

/* Return the symbol's text if it begins with these words, else NULL. */
static const char *text_of(const struct tables *t, const struct symbol *symbol,
			   const char *words)
{
	const char *text;
	size_t at;

	if (!symbol || symbol->address < t->address)
		return NULL;
	at = symbol->address - t->address;
	if (!fits(t, at, strlen(words)))
		return NULL;
	text = (const char *)t->data + at;
	if (memcmp(text, words, strlen(words)) ||
	    strnlen(text, t->size - at) == t->size - at)
		return NULL;
	return text;
}

/*
 * Return the banner if it is where the tables say. In memory the tables themselves
 * were asked for its place, so the format of /proc/version must be there, too.
 */
static char *prove(struct tables *t, const struct symbols *symbols)
{
	const struct symbol *banner = symbols_find(symbols, "linux_banner");
	const char *text;

	if (!banner || !is_text(symbols_find(symbols, "_text")))
		return NULL;
	if (t->banner != UNKNOWN)
		t->address = banner->address - t->banner;
	text = text_of(t, banner, "Linux version ");
	if (!text || !text_of(t, symbols_find(symbols, "linux_proc_banner"),
			      "%s version %s"))
		return NULL;
	return need_text("%s", text);
}

/* Offsets are in front of the names (6.1), or behind the tokens. */
static char *try_offsets(struct tables *t, struct symbols *symbols, bool before)
{
	size_t len = ALIGN8(4 * t->nr_names);

	if (before) {
		if (t->names < 16 + len)
			return NULL;
		t->relative_base = t->names - 16;
		t->offsets = t->relative_base - len;
	} else {
		t->offsets = t->token_index + 2 * NR_TOKENS;
		t->relative_base = t->offsets + len;
	}
	if (!fits(t, t->offsets, len) || !fits(t, t->relative_base, 8))
		return NULL;
	read_symbols(t, symbols);
	return prove(t, symbols);
}

static char *try_index(struct tables *t, size_t index, struct symbols *symbols)
{
	char *banner;

	if (!is_token_index(t, index) || !find_token_table(t, index))
		return NULL;
	if (!find_markers_and_names(t))
		return NULL;
	banner = try_offsets(t, symbols, true);
	return banner ? banner : try_offsets(t, symbols, false);
}

static bool read_tables(struct kernel *kernel, struct tables *t)
{
	for (size_t at = 0; fits(t, at, 2 * NR_TOKENS); at += 8) {
		kernel->banner = try_index(t, at, &kernel->symbols);
		if (kernel->banner)
			return true;
	}
	return false;
}

bool kallsyms_read_memory(struct kernel *kernel, const struct bytes *memory,
			  size_t banner, uint64_t *address)
{
	struct tables t = { .data = memory->data,
			    .size = memory->size,
			    .banner = banner };

	if (!read_tables(kernel, &t))
		return false;
	*address = t.address;
	return true;
}

void kallsyms_read_image(struct kernel *kernel, const char *path,
			 const struct bytes *rodata, uint64_t address)
{
	struct tables t = { .data = rodata->data,
			    .size = rodata->size,
			    .address = address,
			    .banner = UNKNOWN };

	if (read_tables(kernel, &t))
		return;
	fail("%s has no table of symbols (CONFIG_KALLSYMS) of a known form",
	     path);
}
