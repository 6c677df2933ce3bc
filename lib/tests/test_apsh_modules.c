// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: modules that hide. */
#include "apsh_changing.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

static struct doca_apsh_system *s;

static void tear_down(void)
{
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static u64 kset; /* /sys/module */

static void set_up_modules(void)
{
	set_up_image(4);
	new_task(1, 1, "task");
	kset = object(64, 64);
	*(u64 *)at_va(symbol(S_module_kset)) = kset;
	list_init(field_va(kset, F_KSET_LIST));
}

static void in_modules(u64 module)
{
	link_before(symbol(S_modules), field_va(module, F_MODULE_LIST));
}

static u64 new_module(const char *name)
{
	u64 module = object(512, 64), kobject = object(128, 64);

	set_text(field_va(module, F_MODULE_NAME), name);
	set(kobject, F_MODKOBJ_MODULE, module);
	link_before(field_va(kset, F_KSET_LIST), field_va(kobject, F_MODKOBJ_ENTRY));
	return module;
}

/* In /sys/module but not in /proc/modules, or the reverse. */
TEST(a_module_that_left_a_list_is_hidden)
{
	u64 both, one, coming, links_at;
	struct doca_apsh_module **list;
	int nr;

	set_up_modules();
	both = new_module("both");
	new_module("unlisted");
	in_modules(both);
	one = object(512, 64);
	set_text(field_va(one, F_MODULE_NAME), "one");
	in_modules(one);
	coming = object(512, 64);
	set_text(field_va(coming, F_MODULE_NAME), "coming");
	set(coming, F_MODULE_STATE, 1);
	in_modules(coming);
	s = started_system();
	logged();
	OK(doca_apsh_modules_get(s, &list, &nr));
	EXPECT_LOGGED("2 modules are in one list of the kernel alone");
	ASSERT(nr == 4);
	EXPECT(!doca_priv_apsh_module_hidden(list[0]));
	EXPECT(doca_priv_apsh_module_hidden(list[1]));
	EXPECT(!doca_priv_apsh_module_hidden(list[2]));
	EXPECT(doca_priv_apsh_module_hidden(list[3]));
	EXPECT_STR(doca_apsh_module_info_get(list[3], DOCA_APSH_MODULES_NAME), "unlisted");
	doca_apsh_module_free(list);
	doca_apsh_system_destroy(s);
	/* a broken list takes nothing from the other one */
	links_at = field_va(kset, F_KSET_LIST);
	*(u64 *)at_va(links_at) = links_at + 4096;
	s = started_system();
	OK(doca_apsh_modules_get(s, &list, &nr));
	EXPECT(nr >= 3);
	doca_apsh_module_free(list);
	tear_down();
}

/* The limit concerns results, not comparisons. */
TEST(a_module_within_the_limit_is_not_hidden)
{
	struct doca_apsh_module **list;
	struct view_stats stats;
	u64 both;
	int nr;

	set_up_modules();
	new_module("first of /sys/module");
	both = new_module("both");
	in_modules(both);
	s = started_system();
	s->limits[DOCA_APSH_MODULES_LIMIT] = 1;
	OK(doca_apsh_modules_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT(!doca_priv_apsh_module_hidden(list[0]));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.cut);
	doca_apsh_module_free(list);
	tear_down();
}

/* A module that /proc/modules omits, and that seems to be unloading for ever. */
TEST(a_module_that_says_it_is_not_formed_is_hidden)
{
	struct doca_apsh_module **list;
	u64 unformed;
	int nr;

	set_up_modules();
	unformed = new_module("unformed");
	set(unformed, F_MODULE_STATE, 3);
	in_modules(unformed);
	set(new_module("going"), F_MODULE_STATE, 2);
	s = started_system();
	OK(doca_apsh_modules_get(s, &list, &nr));
	ASSERT(nr == 2);
	EXPECT(doca_priv_apsh_module_hidden(list[0]));
	EXPECT_STR(doca_apsh_module_info_get(list[0], DOCA_APSH_MODULES_NAME), "unformed");
	EXPECT(doca_priv_apsh_module_hidden(list[1]));
	doca_apsh_module_free(list);
	tear_down();
}

/* Make a part of a module the root of the tree of addresses. */
static void in_tree_of_modules(u64 module)
{
	u64 part = field_va(module, F_MODULE_MEM);

	set(part, F_LAYOUT_BASE, 0xffffffffc0000000);
	set(part, F_LAYOUT_OWNER, module);
	*(u64 *)at_va(field_va(symbol(S_mod_tree), F_MODTREE_ROOT)) = field_va(part, F_LAYOUT_NODE);
}

static u64 named_module(const char *name)
{
	u64 module = object(1024, 64);

	set_text(field_va(module, F_MODULE_NAME), name);
	return module;
}

static struct doca_apsh_module **modules;
static int nr_modules;

typedef doca_error_t get_modules(struct doca_apsh_system *s, struct doca_apsh_module ***list,
				 int *nr);

/* Expect modules that are hidden, the last ones, and some that may be going. */
static void expect_modules(get_modules *get, int all, int hidden, u64 leaving)
{
	struct view_stats stats;

	OK(get(s, &modules, &nr_modules));
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(stats.leaving, leaving);
	EXPECT_EQ(nr_modules, all);
	for (int i = 0; i < nr_modules; i++)
		EXPECT_EQ(doca_priv_apsh_module_hidden(modules[i]), i >= all - hidden);
	doca_apsh_module_free(modules);
}

/* No list shows it: /proc/modules omits it, and /sys/module does not have it. */
TEST(a_module_of_the_list_that_says_it_is_not_formed)
{
	u64 module;

	set_up_modules();
	in_modules(new_module("both"));
	module = named_module("evil");
	set(module, F_MODULE_STATE, 3);
	in_modules(module);
	s = started_system();
	expect_modules(doca_apsh_modules_get, 1, 0, 1);
	expect_modules(doca_priv_apsh_modules_scan, 1, 0, 1);
	tear_down();
}

TEST(a_module_that_is_in_the_tree_alone_is_hidden)
{
	static const u32 states[] = { 0, 1, 2, 3, 4, 7, UINT32_MAX };
	u64 module;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		bool goes = states[i] == 2 || states[i] == 3, odd = states[i] > 3;

		set_up_modules();
		in_modules(new_module("both"));
		module = named_module("evil");
		in_tree_of_modules(module);
		set(module, F_MODULE_STATE, states[i]);
		s = started_system();
		expect_modules(doca_apsh_modules_get, goes ? 1 : 2, !goes, goes);
		/* one of the list, which /sys/module lacks, is hidden only if it is live */
		in_modules(module);
		write_image();
		expect_modules(doca_apsh_modules_get, states[i] == 3 ? 1 : 2, !states[i] || odd,
			       states[i] == 3);
		tear_down();
	}
}

TEST(a_tree_of_modules_that_is_broken)
{
	struct view_stats stats;
	u64 module;

	set_up_modules();
	module = named_module("evil");
	in_tree_of_modules(module);
	*(u64 *)at_va(field_va(field_va(module, F_MODULE_MEM), F_LAYOUT_NODE)) = 0x1000;
	s = started_system();
	OK(doca_apsh_modules_get(s, &modules, &nr_modules));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.broken);
	EXPECT_EQ(nr_modules, 0);
	doca_apsh_module_free(modules);
	tear_down();
}

/* Where modules are if the kernel is moved at random, and if it is not. */
#define MODULE_AREA 0xffffffffc0000000ULL
#define LOW_MODULE_AREA 0xffffffffa0000000ULL

/* Map pages where modules are; return the address of the first one in the direct map. */
static u64 map_module_pages(u32 nr)
{
	u64 pud = TEXT_PA + image_at[S_init_top_pgt] + 0x21000;
	u64 pmd = object(4096, 4096), pte = object(4096, 4096);
	u64 pages = object(nr * PAGE, PAGE);

	*at_pa(pud + 511 * 8) = pa_of(pmd) | 3;
	*(u64 *)at_va(pmd + 2 * 8) = pa_of(pte) | 3;
	for (u32 i = 0; i < nr; i++)
		((u64 *)at_va(pte))[5 + i] = (pa_of(pages) + i * PAGE) | 3;
	return pages;
}

/* Return the address of an offset of these pages. */
static u64 address_of(u64 offset)
{
	return MODULE_AREA + (2 << 21) + 5 * PAGE + offset;
}

/* Map a page in the half of the kernel's GiB that is of modules if it is not moved. */
static u64 map_low_page(void)
{
	u64 pmd = TEXT_PA + image_at[S_init_top_pgt] + 0x22000;
	u64 pte = object(4096, 4096), page = object(PAGE, PAGE);

	*at_pa(pmd + 256 * 8) = pa_of(pte) | 3;
	*(u64 *)at_va(pte) = pa_of(page) | 3;
	return page;
}

/* Its addresses are not those of the kernel's image, whatever the map says of that. */
TEST(modules_in_the_half_of_the_image)
{
	u64 page, *links, *head;
	char command[128];

	for (int i = 0; i < 2; i++) {
		set_up_modules();
		in_modules(new_module("both"));
		page = map_low_page();
		set_text(field_va(page, F_MODULE_NAME), "evil");
		set(page, F_MODULE_SELF, LOW_MODULE_AREA);
		snprintf(command, sizeof(command), "sed -i 's/\"_end\"/\"end\"/' %s",
			 image.symbols);
		if (i && system(command))
			abort();
		s = started_system();
		expect_modules(doca_priv_apsh_modules_scan, 2, 1, 0);
		/* as the last one of the list */
		links = at_va(field_va(page, F_MODULE_LIST));
		head = at_va(symbol(S_modules));
		links[0] = symbol(S_modules);
		links[1] = head[1];
		head[1] = LOW_MODULE_AREA + image.map.fields[F_MODULE_LIST].offset;
		*(u64 *)at_va(links[1]) = head[1];
		write_image();
		expect_modules(doca_apsh_modules_get, 2, 1, 0);
		tear_down();
	}
}

static bool flags_of(get_modules *get, struct view_stats *stats)
{
	OK(get(s, &modules, &nr_modules));
	doca_priv_apsh_stats(s, stats);
	doca_apsh_module_free(modules);
	return stats->uncompared || stats->unscanned;
}

/* Fields and symbols that a map lacks leave nothing to compare, or to scan for. */
TEST(modules_of_a_map_that_lacks_something)
{
	static const enum field fields[] = { F_KSET_LIST, F_MODKOBJ_ENTRY, F_MODKOBJ_MODULE };
	struct view_stats stats;

	set_up_modules();
	s = started_system();
	EXPECT(!flags_of(doca_priv_apsh_modules_scan, &stats));
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		s->kernel.map.fields[fields[i]].there = false;
		EXPECT(flags_of(doca_apsh_modules_get, &stats));
		EXPECT(stats.uncompared);
		s->kernel.map.fields[fields[i]].there = true;
	}
	s->kernel.map.symbols[S_module_kset] = 0;
	EXPECT(flags_of(doca_apsh_modules_get, &stats));
	EXPECT(stats.uncompared);
	s->kernel.map.symbols[S_module_kset] = MAP_TEXT + image_at[S_module_kset];
	s->kernel.map.fields[F_MODULE_SELF].there = false;
	EXPECT(!flags_of(doca_apsh_modules_get, &stats));
	EXPECT(flags_of(doca_priv_apsh_modules_scan, &stats));
	EXPECT(stats.unscanned);
	/* a list of modules, of which /sys/module has none, is compared with nothing */
	in_modules(named_module("one"));
	write_image();
	EXPECT(flags_of(doca_apsh_modules_get, &stats));
	EXPECT(stats.uncompared);
	tear_down();
}

TEST(a_module_that_is_in_memory_alone_is_hidden)
{
	static const u64 offsets[] = { 0, 128, PAGE - 64, PAGE - 8 };
	u64 pages, module;

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		set_up_modules();
		in_modules(new_module("both"));
		pages = map_module_pages(2);
		module = pages + offsets[i];
		set_text(field_va(module, F_MODULE_NAME), "evil");
		set(module, F_MODULE_SELF, address_of(offsets[i]));
		s = started_system();
		expect_modules(doca_apsh_modules_get, 1, 0, 0);
		expect_modules(doca_priv_apsh_modules_scan, 2, 1, 0);
		set(module, F_MODULE_STATE, 3);
		write_image();
		expect_modules(doca_priv_apsh_modules_scan, 1, 0, 1);
		set(module, F_MODULE_STATE, 7);
		write_image();
		expect_modules(doca_priv_apsh_modules_scan, 2, 1, 0);
		tear_down();
	}
}

/* One of the two that tell a module is wrong. */
TEST(memory_that_only_looks_like_a_module)
{
	static const char *const bad[] = { "", " ", "a b", "\x7f", "\xe4" };
	u64 module;

	for (size_t i = 0; i < ARRAY_SIZE(bad) + 1; i++) {
		set_up_modules();
		in_modules(new_module("both"));
		module = map_module_pages(1);
		set_text(field_va(module, F_MODULE_NAME), i < ARRAY_SIZE(bad) ? bad[i] : "evil");
		set(module, F_MODULE_SELF, address_of(i == ARRAY_SIZE(bad) ? 64 : 0));
		s = started_system();
		expect_modules(doca_priv_apsh_modules_scan, 1, 0, 0);
		tear_down();
	}
}

/* A module that is loaded while the call runs becomes the first of the list. */
TEST(a_module_that_comes_meanwhile_is_not_hidden)
{
	struct source_ops mine;

	set_up_modules();
	in_modules(new_module("both"));
	in_tree_of_modules(named_module("comes"));
	s = started_system();
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_with_a_new_head;
	s->source.ops = &mine;
	expect_modules(doca_apsh_modules_get, 1, 0, 0);
	s->source.ops = ops;
	tear_down();
}
