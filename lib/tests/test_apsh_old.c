// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: structures of older kernels, which the map tells apart. */
#include "apsh_sockets.h"

static u64 rb_of(u64 area)
{
	return area ? field_va(area, F_VMA_RB) : 0;
}

/* Color the node red or black; that does not matter. */
static void rb_link(u64 parent, u64 area, u64 left, u64 right)
{
	u64 node = rb_of(area);

	set(node, F_RB_PARENT, rb_of(parent) | !!parent);
	set(node, F_RB_LEFT, rb_of(left));
	set(node, F_RB_RIGHT, rb_of(right));
}

/* Make what set_up() makes, as an older kernel has it, without starting a system. */
static void set_up_old(void)
{
	map_is_old = true;
	set_up_image(4);
	new_task(1, 1, "init");
	has_.ten = new_task(10, 10, "ten");
	new_task(70, 70, "far");
	set_up_memory();
	set_up_files();
	set_up_net();
	set(has_.mm, F_MM_RB, rb_of(has_.areas[2]));
	rb_link(0, has_.areas[2], has_.areas[0], has_.areas[3]);
	rb_link(has_.areas[2], has_.areas[0], 0, has_.areas[1]);
	rb_link(has_.areas[0], has_.areas[1], 0, 0);
	rb_link(has_.areas[2], has_.areas[3], 0, 0);
}

static void tear_down_old(struct doca_apsh_system *s)
{
	tear_down(s);
	map_is_old = false;
}

TEST(processes_of_a_radix_tree)
{
	struct doca_apsh_system *s;
	struct view_stats stats;

	set_up_old();
	s = started_system();
	EXPECT_EQ(process_of(s, 70)->uid, 700);
	EXPECT_EQ(nr_processes, 3);
	for (int i = 0; i < nr_processes; i++)
		EXPECT(!processes[i]->hidden);
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(stats.broken, 0);
	doca_apsh_processes_free(processes);
	tear_down_old(s);
}

/* The beginnings of the areas of process 10; what is broken is counted. */
static void areas_are(struct doca_apsh_system *s, const u64 *starts, int nr_starts, bool broken)
{
	struct doca_apsh_vad **list = NULL;
	struct view_stats stats;
	int nr = 0;

	OK(doca_apsh_vads_get(process_of(s, 10), &list, &nr));
	doca_priv_apsh_stats(s, &stats);
	EXPECT_EQ(nr, nr_starts);
	for (int i = 0; i < nr && i < nr_starts; i++)
		EXPECT_EQ((u64)doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_VM_START), starts[i]);
	EXPECT_EQ(!!stats.broken, broken);
	doca_apsh_vads_free(list);
	doca_apsh_processes_free(processes);
}

static const u64 all_areas[] = { 0x400000, 0x600000, 0x700000, 0x702000 };

TEST(areas_of_a_red_black_tree)
{
	struct doca_apsh_system *s;

	set_up_old();
	s = started_system();
	areas_are(s, all_areas, 4, false);
	s->limits[DOCA_APSH_VADS_LIMIT] = 2;
	areas_are(s, (u64[]){ 0x400000, 0x700000 }, 2, false);
	tear_down_old(s);
}

TEST(a_broken_red_black_tree)
{
	struct doca_apsh_system *s;

	/* another parent */
	set_up_old();
	set(rb_of(has_.areas[3]), F_RB_PARENT, rb_of(has_.areas[0]));
	s = started_system();
	areas_are(s, all_areas, 3, true);
	tear_down_old(s);
	/* a loop */
	set_up_old();
	set(rb_of(has_.areas[1]), F_RB_LEFT, rb_of(has_.areas[1]));
	s = started_system();
	areas_are(s, all_areas, 4, true);
	tear_down_old(s);
	/* in the wrong order */
	set_up_old();
	rb_link(0, has_.areas[2], has_.areas[3], has_.areas[0]);
	s = started_system();
	areas_are(s, all_areas + 2, 1, true);
	tear_down_old(s);
	/* a child that is nowhere */
	set_up_old();
	set(rb_of(has_.areas[1]), F_RB_LEFT, 0x1234);
	s = started_system();
	areas_are(s, all_areas, 4, true);
	tear_down_old(s);
}

/* A tree that is as deep as a list is none. */
TEST(a_red_black_tree_has_a_limited_depth)
{
	enum { DEEP = 70, DEPTH = 64 };
	struct doca_apsh_system *s;
	u64 starts[DEPTH], above = 0, area = 0;

	set_up_old();
	for (u64 i = 0; i < DEEP; i++, above = area) {
		area = object(256, 64);
		set(area, F_VMA_START, (1 + i) << 20);
		set(area, F_VMA_END, (2 + i) << 20);
		set(area, F_VMA_MM, has_.mm);
		rb_link(above, area, 0, 0);
		if (above)
			set(rb_of(above), F_RB_RIGHT, rb_of(area));
		else
			set(has_.mm, F_MM_RB, rb_of(area));
		if (i < DEPTH)
			starts[i] = (1 + i) << 20;
	}
	s = started_system();
	areas_are(s, starts, DEPTH, true);
	tear_down_old(s);
}

TEST(listeners_of_a_table_of_their_own)
{
	struct doca_apsh_netscan **list;
	struct doca_apsh_system *s;
	int nr;

	set_up_old();
	new_tcp(field_va(net_.info, F_HASH_LISTENING) + 5 * 8, 10, 80, 0);
	/* the newer table links another member of a socket */
	*(u64 *)at_va(net_.listeners) = image.direct + 16;
	s = started_system();
	OK(doca_apsh_netscan_get(s, &list, &nr));
	ASSERT(nr == 1);
	EXPECT_STR(doca_apsh_netscan_info_get(list[0], DOCA_APSH_NETSCAN_STATE), "LISTEN");
	EXPECT_EQ((u64)doca_apsh_netscan_info_get(list[0], DOCA_APSH_NETSCAN_LOCAL_PORT), 80);
	doca_apsh_netscan_free(list);
	tear_down_old(s);
}

static void is_refused_without(int field, const char *words)
{
	struct map map;

	write_map(image.symbols, BANNER_64, field);
	logged();
	EXPECT_EQ(isf_read(image.symbols, &map), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
}

/* One of the two trees must be there, with all that it needs. */
TEST(a_map_without_a_tree_of_areas_is_refused)
{
	set_up_image(4);
	is_refused_without(F_MM_ROOT, "struct mm_struct has no mm_mt.ma_root");
	is_refused_without(F_MA64_PIVOTS, "struct maple_arange_64 has no pivot");
	map_is_old = true;
	is_refused_without(F_MM_RB, "struct mm_struct has no mm_mt.ma_root");
	is_refused_without(F_RB_LEFT, "struct rb_node has no rb_left");
	map_is_old = false;
	tear_down_image();
}

/* Replace the text in the map from one place to the end of another. */
static void replace(const char *from, const char *to, const char *with)
{
	static char text[1 << 18], made[1 << 18];
	FILE *f = fopen(image.symbols, "r");
	size_t len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	char *at, *end;

	text[len] = '\0';
	at = strstr(text, from);
	end = at ? strstr(at, to) : NULL;
	if (!end)
		abort();
	fclose(f);
	*at = '\0';
	snprintf(made, sizeof(made), "%s%s%s", text, with, end + strlen(to));
	write_text(image.symbols, made);
}

/* Describe a member in another way, which may also be another member. */
static void describe_as(const char *member, const char *description)
{
	replace(member, "}}}", description);
}

static struct field_at found(enum field f)
{
	struct map map;

	OK(isf_read(image.symbols, &map));
	tear_down_image();
	return map.fields[f];
}

#define BITS(at, len)                                                                          \
	"\"sk_protocol\":{\"offset\":300,\"type\":{\"kind\":\"bitfield\",\"bit_position\":" at \
	",\"bit_length\":" len ",\"type\":{\"kind\":\"base\",\"name\":\"u8\"}}}"

TEST(bits_that_are_whole_bytes_are_a_number)
{
	struct field_at at;

	set_up_image(4);
	describe_as("\"sk_protocol\":", BITS("8", "8"));
	at = found(F_SK_PROTOCOL);
	EXPECT(at.there && at.offset == 301 && at.size == 1);
	set_up_image(4);
	describe_as("\"sk_protocol\":", BITS("3", "8"));
	EXPECT(!found(F_SK_PROTOCOL).there);
	/* those within a byte are a part of it */
	set_up_image(4);
	describe_as("\"sk_protocol\":", BITS("13", "3"));
	at = found(F_SK_PROTOCOL);
	EXPECT(at.there && at.offset == 301 && at.size == 1 && at.shift == 5 && at.bits == 3);
}

/* Before 4.19 the pid of a task is in the first element of an array. */
TEST(a_field_of_an_array_is_that_of_its_first_element)
{
	struct field_at at;

	set_up_image(4);
	describe_as("\"thread_pid\":", "\"pids\":{\"offset\":640,\"type\":{\"kind\":\"array\","
				       "\"count\":3,\"subtype\":{\"kind\":\"struct\",\"name\":"
				       "\"pid_link\"}}}");
	replace("\"user_types\":", "{",
		"\"user_types\":{\"pid_link\":{\"kind\":\"struct\",\"fields\":{\"pid\":{\"offset\":16,"
		"\"type\":{\"kind\":\"pointer\"}}},\"size\":24},");
	at = found(F_TASK_THREAD_PID);
	EXPECT(at.there && at.offset == 656 && at.size == 8);
}
