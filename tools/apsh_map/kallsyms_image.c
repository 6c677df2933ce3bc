// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel's own tables of symbols, found by their shape, because an image has no others. A name
 * is a number of tokens, and then that many bytes, each of which stands for a token of text. Since
 * 6.4 their order is
 *
 *   num_syms, names, markers, [order of names,] token_table, token_index, offsets, [relative_base]
 *
 * and before that offsets and relative_base came first. All parts begin at multiples of 8, and
 * since 7.0 of 4. Markers are the places of every 256th name, of 4 bytes, or of 8 before 4.20.
 * Offsets have been in three forms. An image of arm64 has 0 in place of its relative base until a
 * loader relocates it. The tables are right if linux_banner is where they say.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "machine.h"

#define NR_TOKENS 256
#define MARKER_STEP 256
#define MIN_MARKERS 8
#define MAX_TABLE ((size_t)16 << 20)
#define MAX_NAME 512
#define UNKNOWN SIZE_MAX
#define ALIGN8(n) (((n) + 7) & ~(size_t)7)
#define STEP 4

enum form {
	/* from the base down if negative; others are addresses of per-CPU data */
	FORM_PERCPU,
	FORM_BASE, /* from the base up */
	FORM_PLACE, /* from their own place; there is no base */
};

struct tables {
	const unsigned char *data; /* contents of the section */
	size_t size;
	uint64_t address; /* the section's, unless the banner tells it */
	size_t banner; /* offset of the banner, or UNKNOWN */
	size_t token_table, token_index; /* offsets in the section */
	size_t markers, marker_size;
	size_t names, nr_names;
	enum form form;
	size_t offsets, relative_base;
};

static unsigned int get16(const struct tables *t, size_t at)
{
	return t->data[at] | t->data[at + 1] << 8;
}

static uint64_t get64(const struct tables *t, size_t at)
{
	return get32(t->data + at) | (uint64_t)get32(t->data + at + 4) << 32;
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

/* A part ends where the next one begins, or less than 8 bytes before. */
static bool is_end(size_t end, size_t next)
{
	return end <= next && next - end < 8;
}

/* The last token ends right before the index, apart from zeroes. */
static bool find_token_table(struct tables *t, size_t index)
{
	size_t last = get16(t, index + 2 * (NR_TOKENS - 1));
	size_t table, end;

	for (table = index; table + last >= index; table -= STEP)
		if (table < STEP)
			return false;
	for (; table && index - table - last <= MAX_NAME; table -= STEP) {
		end = table + last;
		end += strnlen((const char *)t->data + end, index - end) + 1;
		if (!is_end(end, index) || !is_token_table(t, table, index))
			continue;
		t->token_table = table;
		t->token_index = index;
		return true;
	}
	return false;
}

static uint64_t marker(const struct tables *t, size_t i)
{
	size_t at = t->markers + i * t->marker_size;

	return t->marker_size == 8 ? get64(t, at) : get32(t->data + at);
}

/* Nothing else rises from 0 on so often by as much as 256 names may take. */
static bool is_markers(struct tables *t, size_t at, size_t size)
{
	uint64_t step;

	t->markers = at;
	t->marker_size = size;
	if (at + size * MIN_MARKERS > t->token_table || marker(t, 0))
		return false;
	for (size_t i = 1; i < MIN_MARKERS; i++) {
		step = marker(t, i) - marker(t, i - 1);
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
		    at - names != marker(t, i / MARKER_STEP))
			return false;
		at = next_name(t, at, t->markers);
		if (!at)
			return false;
	}
	return is_end(at, t->markers);
}

/* Return true if the number of names is at a place before them. */
static bool has_number(struct tables *t, size_t names, size_t number)
{
	size_t nr = get32(t->data + number);

	if (nr < MARKER_STEP * (MIN_MARKERS - 1) ||
	    nr / MARKER_STEP * t->marker_size > t->token_table - t->markers ||
	    nr > (t->markers - names) / 2 || !is_names(t, names, nr))
		return false;
	t->names = names;
	t->nr_names = nr;
	return true;
}

/* The number of names is in front of them, and they are in front of their markers. */
static bool find_names(struct tables *t)
{
	size_t at;

	for (at = t->markers; at >= 8 && t->markers - at < MAX_TABLE;
	     at -= STEP)
		if (has_number(t, at, at - 8) || has_number(t, at, at - 4))
			return true;
	return false;
}

/* The order of the names may be between markers and tokens. */
static bool find_markers_and_names(struct tables *t)
{
	size_t at = t->token_table;

	while (at >= STEP && t->token_table - at < MAX_TABLE) {
		at -= STEP;
		if ((is_markers(t, at, 4) || is_markers(t, at, 8)) &&
		    find_names(t))
			return true;
	}
	return false;
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

static void read_names(const struct tables *t, struct symbols *symbols)
{
	char name[MAX_NAME];
	size_t at = t->names;

	symbols_clear(symbols);
	for (size_t i = 0; i < t->nr_names; i++) {
		at = decode(t, at, name);
		symbols_add(symbols, name + !!*name, strlen(name + !!*name), 0);
	}
}

static uint64_t address_of(const struct tables *t, size_t i)
{
	size_t at = t->offsets + 4 * i;
	int32_t offset = get32(t->data + at);

	switch (t->form) {
	case FORM_PLACE:
		return t->address + at + (int64_t)offset;
	case FORM_BASE:
		return get64(t, t->relative_base) + (uint32_t)offset;
	default:
		return offset >= 0 ? (uint64_t)offset :
				     get64(t, t->relative_base) - 1 - offset;
	}
}

static void read_addresses(const struct tables *t, struct symbols *symbols)
{
	for (size_t i = 0; i < t->nr_names; i++)
		symbols->list[i].address = address_of(t, i);
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
static char *prove(const struct tables *t, const struct symbols *symbols)
{
	const struct symbol *banner = symbols_find(symbols, "linux_banner");
	const struct symbol *_text = symbols_find(symbols, "_text");
	const char *text;

	if (!_text || !machine_of(symbols)->may_be_at(_text->address))
		return NULL;
	text = text_of(t, banner, KERNEL_BANNER);
	if (!text || !text_of(t, symbols_find(symbols, "linux_proc_banner"),
			      "%s version %s"))
		return NULL;
	return need_text("%s", text);
}

/*
 * In memory the section's address is not known. The banner's tells it; where addresses
 * are relative to it, take the image for one that was not moved.
 */
static bool find_address(struct tables *t, const struct symbols *symbols)
{
	const struct symbol *text = symbols_find(symbols, "_text");
	const struct symbol *banner = symbols_find(symbols, "linux_banner");

	if (!text || !banner)
		return false;
	if (t->banner == UNKNOWN)
		return true;
	if (t->form != FORM_PLACE) {
		t->address = banner->address - t->banner;
		return true;
	}
	if (banner->address != t->address + t->banner)
		return false;
	t->address += machine_of(symbols)->linked_to - text->address;
	return true;
}

/* Offsets are in front of the names, or behind the tokens. */
static bool find_offsets(struct tables *t, bool before)
{
	size_t len = ALIGN8(4 * t->nr_names);

	if (before) {
		if (t->names < 16 + len)
			return false;
		t->relative_base = t->names - 16;
		t->offsets = t->relative_base - len;
	} else {
		t->offsets = t->token_index + 2 * NR_TOKENS;
		t->relative_base = ALIGN8(t->offsets + 4 * t->nr_names);
	}
	return fits(t, t->offsets, 4 * t->nr_names) &&
	       (t->form == FORM_PLACE || fits(t, t->relative_base, 8));
}

static char *try_offsets(struct tables *t, struct symbols *symbols)
{
	static const struct {
		enum form form;
		bool before;
	} tries[] = {
		{ FORM_PERCPU, true },	{ FORM_BASE, true },
		{ FORM_PERCPU, false }, { FORM_BASE, false },
		{ FORM_PLACE, false },
	};
	uint64_t address = t->address;
	char *banner;

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		t->form = tries[i].form;
		t->address = address;
		if (!find_offsets(t, tries[i].before))
			continue;
		read_addresses(t, symbols);
		if (!find_address(t, symbols))
			continue;
		if (t->form == FORM_PLACE)
			read_addresses(t, symbols);
		banner = prove(t, symbols);
		if (banner)
			return banner;
	}
	t->address = address;
	return NULL;
}

static char *try_index(struct tables *t, size_t index, struct kernel *kernel)
{
	struct symbols *symbols = &kernel->symbols;

	if (!is_token_index(t, index) || !find_token_table(t, index) ||
	    !find_markers_and_names(t))
		return NULL;
	read_names(t, symbols);
	if (!symbols_find(symbols, "linux_banner")) {
		kernel->no_data = true;
		return NULL;
	}
	return try_offsets(t, symbols);
}

static bool read_tables(struct kernel *kernel, struct tables *t)
{
	for (size_t at = 0; fits(t, at, 2 * NR_TOKENS); at += STEP) {
		kernel->banner = try_index(t, at, kernel);
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

	if (!read_tables(kernel, &t))
		kallsyms_fail(kernel, path);
}

void kallsyms_fail(const struct kernel *kernel, const char *path)
{
	if (kernel->no_data)
		fail("the kernel in %s was built without CONFIG_KALLSYMS_ALL: "
		     "its table of symbols has functions alone; dwarf2json "
		     "makes a map of its debug package",
		     path);
	fail("%s has no table of symbols (CONFIG_KALLSYMS) of a known form",
	     path);
}
