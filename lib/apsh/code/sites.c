// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Places at which the kernel changes its own code. Each of its tables is between two symbols, and is
 * read as it is before KASLR. One that leads out of the image is not understood.
 */
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum {
	CALL = 5,
	PADDING = 16,
	HYPERCALLS = 128,
	MOST_CONSTANTS = 64,
	PARAVIRT = 10
};

/* An instruction that has a hash, and the space in front of functions if those are aligned so. */
enum { HASH = 5, LONG_PREAMBLE = 64 };

static u64 long_at(const u8 *field)
{
	u64 value;

	memcpy(&value, field, sizeof(value));
	return value;
}

static bool is_in_image(const struct code *code, u64 address)
{
	return address >= code->text && address < code->end;
}

/* Where an entry leads, with the lengths that are known of it; false if it is nonsense. */
typedef bool take_fn(struct code *code, const u8 *entry, u64 at,
		     struct site *site);

/* Take an address of 4 bytes that is relative to itself. */
static bool take_place(struct code *code, const u8 *entry, u64 at,
		       struct site *site)
{
	u64 place = code_follow(entry, at);

	site->at = (u32)(place - code->text);
	return is_in_image(code, place);
}

/* A prefix is part of the jump or call. */
static bool take_branch(struct code *code, const u8 *entry, u64 at,
			struct site *site)
{
	const u8 *p;

	if (!take_place(code, entry, at, site))
		return false;
	p = code_bytes(code, code->text + site->at, CALL + 1);
	site->len = p && (p[0] == 0x2e || (p[0] == 0x0f && p[1] >> 4 == 8)) ?
			    CALL + 1 :
			    CALL;
	return true;
}

/* Its key has flags in the two lowest bits. */
static bool take_static_call(struct code *code, const u8 *entry, u64 at,
			     struct site *site)
{
	u64 key = code_follow(entry + 4, at + 4) & ~3ULL;

	site->arg = (u32)(key - code->text);
	return is_in_image(code, key) && take_branch(code, entry, at, site);
}

/* A jump may be short, which its bytes say. */
static void find_jump(struct code *code, struct site *site)
{
	const u8 *p = code_bytes(code, code->text + site->at, CALL);

	site->len = p && (p[0] == 0xeb || (p[0] == 0x66 && p[1] == 0x90)) ?
			    2 :
			    CALL;
}

/* Which flags it has in the two lowest bits matters, but for the second one. */
static void take_key(const struct code *code, u64 key, struct site *site)
{
	site->branch = key & 1;
	key &= ~3ULL;
	if (is_in_image(code, key))
		site->key = (u32)(key - code->text);
}

static bool take_jump(struct code *code, const u8 *entry, u64 at,
		      struct site *site)
{
	u64 target = code_follow(entry + 4, at + 4);

	if (!take_place(code, entry, at, site) || !is_in_image(code, target))
		return false;
	site->arg = (u32)(target - code->text);
	take_key(code, at + 8 + long_at(entry + 8), site);
	find_jump(code, site);
	return true;
}

/* Before 4.20 there are addresses of 8 bytes. */
static bool take_long_jump(struct code *code, const u8 *entry, u64 at,
			   struct site *site)
{
	u64 place = long_at(entry), target = long_at(entry + 8);

	(void)at;
	site->at = (u32)(place - code->text);
	site->arg = (u32)(target - code->text);
	take_key(code, long_at(entry + 16), site);
	find_jump(code, site);
	return is_in_image(code, place) && is_in_image(code, target);
}

/* A place of 0 was left out as the image was made. */
static bool take_traced(struct code *code, const u8 *entry, u64 at,
			struct site *site)
{
	u64 place = long_at(entry);

	(void)at;
	site->at = (u32)(place - code->text);
	if (!place)
		site->at = 0, site->len = 0;
	return !place || is_in_image(code, place);
}

static bool take_paravirt(struct code *code, const u8 *entry, u64 at,
			  struct site *site)
{
	site->len = entry[9];
	(void)at;
	site->at = (u32)(long_at(entry) - code->text);
	return is_in_image(code, long_at(entry)) && site->len;
}

/* A hash is in front of a function, behind as much as aligns both. */
static bool take_check(struct code *code, const u8 *entry, u64 at,
		       struct site *site)
{
	const u8 *p;
	u32 n = HASH;

	if (!take_place(code, entry, at, site))
		return false;
	p = code_bytes(code, code->text + site->at, LONG_PREAMBLE);
	while (p && n < LONG_PREAMBLE && p[n] == 0x90)
		n++;
	site->len = n == LONG_PREAMBLE ? LONG_PREAMBLE : CFI_PREAMBLE;
	return true;
}

static const struct table {
	const char *begin, *end;
	u32 size; /* bytes of an entry */
	take_fn *take;
	struct site site; /* all have that in common */
} tables[] = {
	{ "__smp_locks",
	  "__smp_locks_end",
	  4,
	  take_place,
	  { .kind = SITE_LOCK, .len = 1 } },
	{ "__retpoline_sites",
	  "__retpoline_sites_end",
	  4,
	  take_branch,
	  { .kind = SITE_RETPOLINE } },
	{ "__return_sites",
	  "__return_sites_end",
	  4,
	  take_branch,
	  { .kind = SITE_RETURN } },
	{ "__call_sites",
	  "__call_sites_end",
	  4,
	  take_branch,
	  { .kind = SITE_CALL } },
	{ "__ibt_endbr_seal",
	  "__ibt_endbr_seal_end",
	  4,
	  take_place,
	  { .kind = SITE_ENDBR, .len = 4 } },
	{ "__cfi_sites",
	  "__cfi_sites_end",
	  4,
	  take_check,
	  { .kind = SITE_CFI } },
	{ "__start_static_call_sites",
	  "__stop_static_call_sites",
	  8,
	  take_static_call,
	  { .kind = SITE_STATIC_CALL } },
	{ "__start_mcount_loc",
	  "__stop_mcount_loc",
	  8,
	  take_traced,
	  { .kind = SITE_TRACED, .len = CALL } },
	{ "__parainstructions",
	  "__parainstructions_end",
	  16,
	  take_paravirt,
	  { .kind = SITE_PARAVIRT } },
	{ "__start___jump_table",
	  "__stop___jump_table",
	  16,
	  take_jump,
	  { .kind = SITE_JUMP } },
	{ "__start___jump_table",
	  "__stop___jump_table",
	  24,
	  take_long_jump,
	  { .kind = SITE_JUMP } },
};

/* Return the number of bytes between the symbols; 0: there are none, or they are not in the image. */
static u64 bytes_of(const struct code *code, const struct table *t, u64 *begin,
		    const u8 **bytes)
{
	u64 end = code_symbol(code, t->end);

	*begin = code_symbol(code, t->begin);
	if (!*begin || end <= *begin)
		return 0;
	*bytes = code_bytes(code, *begin, end - *begin);
	return end - *begin;
}

static bool take_all(struct code *code, const struct table *t, u64 begin,
		     const u8 *bytes, u64 size)
{
	u32 before = code->nr_sites;
	/* entries are aligned to 8 bytes, but nothing is behind the last one */
	u32 least = t->site.kind == SITE_PARAVIRT ? PARAVIRT : t->size;

	for (u64 i = 0; i + least <= size; i += t->size) {
		struct site site = t->site;

		if (t->take(code, bytes + i, begin + i, &site) &&
		    code_add_site(code, site))
			continue;
		code->nr_sites = before;
		return false;
	}
	return true;
}

/* A table may have several forms, of which one makes sense. */
static const char *find_tables(struct code *code)
{
	for (u32 i = 0; i < ARRAY_SIZE(tables); i++) {
		const struct table *t = &tables[i];
		const u8 *bytes = NULL;
		u64 begin, size = bytes_of(code, t, &begin, &bytes);
		bool done;

		if (!size)
			continue;
		if (!bytes)
			return t->begin;
		done = take_all(code, t, begin, bytes, size);
		if (i + 1 < ARRAY_SIZE(tables) &&
		    !strcmp(t->begin, t[1].begin)) {
			i++;
			done = done ||
			       (size % t[1].size == 0 &&
				take_all(code, t + 1, begin, bytes, size));
		}
		if (!done)
			return t->begin;
	}
	return NULL;
}

/* Constants have a table each: of 8 bytes, or of 1 that is a shift or a part of a mask. */
static const char *find_constants(struct code *code)
{
	static const char begins[] = "__start_runtime_";
	u32 first = code_find_name(code, begins);
	char end[256];

	for (u32 i = first; i < code->nr_symbols; i++) {
		const char *name = code->by_name[i]->name;
		struct table t = { name,
				   end,
				   4,
				   take_place,
				   { .kind = SITE_CONSTANT, .len = 8 } };
		const u8 *bytes = NULL;
		u64 begin, size;

		if (strncmp(name, begins, sizeof(begins) - 1) != 0)
			break;
		if (i - first == MOST_CONSTANTS || strlen(name) >= sizeof(end))
			return begins;
		strcpy(end, name);
		memcpy(end, "__stop_", 7);
		strcpy(end + 7, name + 8);
		size = bytes_of(code, &t, &begin, &bytes);
		if (strstr(name, "_shift_"))
			t.site.len = 1;
		if (size && (!bytes || !take_all(code, &t, begin, bytes, size)))
			return name;
	}
	return NULL;
}

/* Places that have symbols: how a name begins and ends, and the place. */
static const struct {
	const char *begin, *end;
	struct site site;
} named[] = {
	{ "ftrace_call", "", { .kind = SITE_TRACER, .len = CALL } },
	{ "ftrace_regs_call", "", { .kind = SITE_TRACER, .len = CALL } },
	{ "ftrace_graph_call", "", { .kind = SITE_TRACER, .len = CALL } },
	{ "__SCT__", NULL, { .kind = SITE_STATIC_CALL, .len = CALL } },
	{ "bpf_dispatcher_", "_func", { .kind = SITE_DISPATCHER, .len = 9 } },
	{ "hypercall_page", "", { .kind = SITE_HYPERCALL, .len = HYPERCALL } },
};

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), want = strlen(end);

	return len >= want && !strcmp(name + len - want, end);
}

static bool add_named(struct code *code, const struct code_symbol *s)
{
	for (u32 i = 0; i < ARRAY_SIZE(named); i++) {
		struct site site = named[i].site;
		size_t len = strlen(named[i].begin);
		u32 times = site.kind == SITE_HYPERCALL ? HYPERCALLS : 1;

		if (strncmp(s->name, named[i].begin, len) != 0 ||
		    (named[i].end &&
		     (!*named[i].end ?
			      s->name[len] :
			      !ends_with(s->name + len, named[i].end))))
			continue;
		for (u32 k = 0; k < times; k++) {
			site.at = (u32)(s->address - code->text) + k * site.len;
			site.arg = k;
			if (!code_add_site(code, site))
				return false;
		}
	}
	return true;
}

/* Where calls are counted, code for that may be in the empty bytes in front of functions. */
static bool add_padding(struct code *code, const struct code_symbol *s)
{
	struct site site = { .kind = SITE_PADDING };
	const u8 *p = code_bytes(code, s->address - PADDING, PADDING);

	while (p && site.len < PADDING && p[PADDING - 1 - site.len] == 0x90)
		site.len++;
	site.at = (u32)(s->address - code->text) - site.len;
	return !site.len || code_add_site(code, site);
}

static bool find_named(struct code *code)
{
	bool counts = code_symbol(code, "__call_sites");

	for (u32 i = 0; i < code->nr_symbols; i++) {
		const struct code_symbol *s = &code->symbols[i];

		if (s->address < code->text || s->address >= code->etext)
			continue;
		if (!add_named(code, s) || (counts && !add_padding(code, s)))
			return false;
	}
	return true;
}

static bool image_has(const struct code *code, u32 at, const void *bytes,
		      u32 len)
{
	const u8 *p = code_bytes(code, code->text + at, len);

	return p && !memcmp(p, bytes, len);
}

static bool add_check(struct code *code, u32 at, u8 kind, u16 len)
{
	return code_add_site(
		code, (struct site){ .at = at, .len = len, .kind = kind });
}

/*
 * The kernel changes the check in front of an indirect call, too, and perhaps the call with it; and
 * with one in front of a function the endbr64 behind it.
 */
static bool add_checks(struct code *code)
{
	u32 nr = code_symbol(code, "__cfi_sites") ? code->nr_sites : 0;

	for (u32 i = 0; i < nr; i++) {
		struct site s = code->sites[i];

		if (s.kind == SITE_CFI &&
		    image_has(code, s.at + s.len, "\xf3\x0f\x1e\xfa", 4) &&
		    !add_check(code, s.at + s.len, SITE_ENDBR, 4))
			return false;
		if (s.kind != SITE_RETPOLINE || s.at < CFI_CALLER ||
		    !image_has(code, s.at - CFI_CALLER, "\x41\xba", 2))
			continue;
		if (!add_check(code, s.at - CFI_CALLER, SITE_CFI, CFI_CALLER) ||
		    (s.len == CFI_PARANOID - CFI_CALLER &&
		     !add_check(code, s.at - CFI_CALLER, SITE_CFI,
				CFI_PARANOID)))
			return false;
	}
	return true;
}

static int by_offset(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	if (x->arg != y->arg)
		return x->arg < y->arg ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->branch - y->branch;
}

/* False if more begin at one address than any kernel has. */
static bool sort(struct code *code)
{
	struct site *s = code->sites;
	u32 nr = 0;

	if (code->nr_sites)
		qsort(s, code->nr_sites, sizeof(*s), by_offset);
	for (u32 i = 0; i < code->nr_sites; i++) {
		if (nr && !by_offset(&s[nr - 1], &s[i]))
			continue;
		if (nr >= MOST_AT_ONE && s[nr - MOST_AT_ONE].at == s[i].at)
			return false;
		s[nr++] = s[i];
	}
	code->nr_sites = nr;
	return true;
}

const char *code_find_sites(struct code *code)
{
	const char *flaw = find_tables(code);

	if (!flaw)
		flaw = find_constants(code);
	if (!flaw)
		flaw = code_find_alternatives(code);
	if (flaw)
		return flaw;
	return find_named(code) && add_checks(code) && sort(code) ? NULL :
								    "a table";
}
