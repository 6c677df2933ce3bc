// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: which module has an address. */
#include "apsh/get/finding.h"
#include "apsh_hooks.h"

/* Modules in the order of their list: the first that has an address counts. One is there before. */
static const struct part {
	const char *name;
	u64 start;
	u32 size;
} modules[] = {
	{ "evil", EVIL_VA, PAGE },
	{ "first", EVIL_VA + 0x1000, 0x1000 },
	{ "around", EVIL_VA, 0x4000 },
	{ "behind", EVIL_VA + 0x3000, 0x3000 },
	{ "longer", EVIL_VA + 0x1000, 0x8000 },
	{ "within", EVIL_VA + 0x5000, 0x800 },
	{ "next", EVIL_VA + 0x9000, 0x1000 },
	{ "apart", EVIL_VA + 0xc000, 1 },
	{ "above", EVIL_VA + 0xb000, 0x1000 },
	{ "again", EVIL_VA + 0x9000, 0x1000 },
	{ "nothing", EVIL_VA + 0xd000, 0 },
	{ "last", 0xffffffffffff0000, 0x20000 },
};

static void new_module(const struct part *p)
{
	u64 module = object(1024, 64), part;

	set_text(field_va(module, F_MODULE_NAME), p->name);
	part = field_va(module, F_MODULE_MEM);
	set(part, F_LAYOUT_BASE, p->start);
	set(part, F_LAYOUT_SIZE, p->size);
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
}

static void is_of_first(u64 va)
{
	char what[64] = "memory of no module";

	for (u32 i = ARRAY_SIZE(modules); i-- > 0;)
		if (va - modules[i].start < modules[i].size)
			snprintf(what, sizeof(what), "module %s", modules[i].name);
	emit_va = place_of_entry(1);
	emit_jump(0xe9, va);
	is_suspicious(HOOKS, CALL, va, what);
}

TEST(parts_of_modules_that_overlap)
{
	struct doca_apsh_system *s;

	set_up();
	for (u32 i = 1; i < ARRAY_SIZE(modules); i++)
		new_module(&modules[i]);
	for (u64 va = EVIL_VA - 0x800; va < EVIL_VA + 0xe000; va += 0x800) {
		is_of_first(va);
		is_of_first(va + 0x7ff);
	}
	is_of_first(EVIL_VA + 0xc001);
	is_of_first(0xffffffffffff1000);
	s = started_system();
	EXPECT_FAULTS(FAULT_ALLOC, HOOKS(s, &findings, &nr_findings), NO_MEMORY,
		      doca_priv_apsh_findings_free(findings));
	doca_apsh_system_destroy(s);
	tear_down_image();
}

enum { NR = 1 << 14, END = NR * 8 / 4 };

/* Nothing but a search that halves both comes by none of what is protected. */
static void protect(struct owners *o, bool is_last, int how)
{
	u32 ends = sizeof(*o->list) / sizeof(*o->bounds);
	size_t bounds = is_last ? NR * sizeof(*o->bounds) - END : 0;

	mprotect((char *)o->bounds + bounds, END, how);
	mprotect((char *)o->list + ends * bounds, ends * END, how);
}

static void *pages(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A guest can have a million parts: a search for one at an end does not come by those at the other. */
TEST(parts_of_modules_are_not_looked_at_one_by_one)
{
	struct owners o = { .list = pages(NR * sizeof(*o.list)),
			    .bounds = pages(NR * sizeof(*o.bounds)),
			    .parts = calloc(NR, sizeof(*o.parts)),
			    .nr = NR,
			    .nr_bounds = NR };

	ASSERT(o.list != MAP_FAILED && o.parts && o.bounds != MAP_FAILED);
	for (u32 i = 0; i < NR; i++) {
		o.bounds[i] = EVIL_VA + i * PAGE;
		o.parts[i] = i + 1;
		o.list[i] = (struct owned){ o.bounds[i], PAGE, i + 1 };
	}
	protect(&o, false, PROT_NONE);
	EXPECT_EQ(owner_module(&o, EVIL_VA + (NR - 1) * PAGE + 1), NR);
	protect(&o, false, PROT_READ);
	protect(&o, true, PROT_NONE);
	EXPECT_EQ(owner_module(&o, EVIL_VA + 1), 1);
	munmap(o.bounds, NR * sizeof(*o.bounds));
	munmap(o.list, NR * sizeof(*o.list));
	free(o.parts);
}
